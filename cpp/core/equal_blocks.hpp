// Exactly n_blocks blocks whose sizes differ by at most one, from cells of records with coordinates.
//
// As in equipartition.hpp records are ordered by cell and position r of n belongs to block floor(r n_blocks /
// n). Inside a cell any order gives the bound of Theorem 1.2; here cells are split recursively at borders of
// blocks across their principal axes, so that blocks are compact. For anonymity only: the blocks depend on
// all records.
#pragma once

#include <cstdint>

namespace covloss {

// `coordinates`: (n, width); `cells`: (n,) in [0, n_cells); 1 <= n_blocks <= n. Blocks are numbered by their
// first records. The result does not depend on `n_threads`.
void equal_blocks(const double* coordinates, std::int64_t n, std::int64_t width, const std::int32_t* cells,
                  std::int32_t n_cells, std::int64_t n_blocks, int n_threads, std::int32_t* labels);

}  // namespace covloss
