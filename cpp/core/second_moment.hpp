// Exact second moments: how many records have both of two bits, or both of two codes.
//
// All results are integers, so partial sums may be added in any order: tasks add theirs atomically, and the
// result has the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bit_matrix.hpp"

namespace covloss {

// counts[j]: ones in column j.
void column_counts(const BitMatrix& bits, std::int64_t* counts, int n_threads);

// counts[i * columns.size() + j]: records in which bits columns[i] and columns[j] are both 1. Columns lie in
// [0, n_columns).
void second_moment(const BitMatrix& bits, const std::vector<std::int64_t>& columns, std::int64_t* counts,
                   int n_threads);

// Throws std::invalid_argument unless a table of size_a x size_b cells can be counted.
void check_pair_table(std::int64_t size_a, std::int64_t size_b);

// counts[a * size_b + b]: records with code a in the first column and b in the second. Throws
// std::invalid_argument that names the row of a code beyond its size.
void pair_histogram(const CodeColumn& codes_a, const CodeColumn& codes_b, std::int64_t n_rows,
                    std::int64_t* counts, int n_threads);

}  // namespace covloss
