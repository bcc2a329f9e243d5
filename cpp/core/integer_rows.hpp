// Exact statistics of records that are rows of small integers: second moment, projections, sums over blocks.
//
// Everything is a sum of integers that cannot overflow, so it has the same bits in any order, and what a row
// contributes depends on that row alone.
#pragma once

#include <cstdint>

namespace covloss {

// Rows enter the second moment divided by 2^shift, rounded towards 0; they must then be at most this in size.
inline constexpr std::int32_t kMaxMomentEntry = 2048;

// moment (p, p) = sum of x x^T over the n rows, x = row / 2^shift rounded towards 0.
// Throws std::invalid_argument where an entry of x is larger than kMaxMomentEntry.
void integer_second_moment(const std::int32_t* rows, std::int64_t n, std::int64_t p, int shift, int n_threads,
                           std::int64_t* moment);

// out (n, t) = x times directions (p, t), x as above. Entries of x and of directions are at most 32,767 in
// size, and norms so that |x|^2 |direction|^2 <= 2^61: a coordinate, and every partial sum, is then at most
// 2^30.5. Throws std::invalid_argument where that does not hold.
void integer_project(const std::int32_t* rows, std::int64_t n, std::int64_t p, int shift,
                     const std::int32_t* directions, std::int64_t t, int n_threads, std::int64_t* out);

// counts (n_blocks) and sums (n_blocks, p) over the rows of each label; labels are in [0, n_blocks).
void integer_block_sums(const std::int32_t* rows, std::int64_t n, std::int64_t p, const std::int32_t* labels,
                        std::int64_t n_blocks, int n_threads, std::int64_t* counts, std::int64_t* sums);

}  // namespace covloss
