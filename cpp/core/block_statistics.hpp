// Exact counts and bit sums of the blocks of a partition: the query that the door adds noise to.
//
// Every block is counted, empty ones too. Columns are taken 32 at a time. A row's 32 bits are spread over 32
// byte counters of its block (four 64-bit additions from a table of 256 entries; no carry can cross a byte
// before 255 rows); full counters are flushed to 64 bits. No float and no expanded table is involved.
#pragma once

#include <cstdint>

#include "core/bit_matrix.hpp"

namespace covloss {

// counts[n_blocks], sums[n_blocks * n_columns]. Throws std::invalid_argument for a label outside
// [0, n_blocks), with its row.
void block_statistics(const BitMatrix& bits, const std::int32_t* labels, std::int64_t n_blocks,
                      std::int64_t* counts, std::int64_t* sums, int n_threads);

}  // namespace covloss
