// Exact counts of records and of set bits for every block, empty ones too.
#pragma once

#include <cstdint>

#include "core/bit_matrix.hpp"

namespace covloss {

// counts: k; sums: k x n_columns, row-major. Throws std::invalid_argument that names the row of a label
// outside [0, k). O(set bits) additions, column by column, each column in one task.
void block_statistics(const BitMatrix& bits, const std::int32_t* labels, std::int64_t k, std::int64_t* counts,
                      std::int64_t* sums, int n_threads);

}  // namespace covloss
