// Blocks of equal size from any partition ("moreover" of Theorem 1.2, for finitely many rows).
//
// Order the rows by (label, row) and cut the sequence into n_blocks runs: position r goes to block
// floor(r n_blocks / n). Block sizes differ by at most one, and at most one block for each border between
// labels holds rows of two labels, so the covariance loss grows by at most (labels - 1) ceil(n / n_blocks) /
// n for rows in the unit ball. A row's block depends on all rows: for anonymous tables alone, never on the
// private path.
#pragma once

#include <cstdint>

namespace covloss {

// Throws std::invalid_argument for a negative label (with its row) or n_blocks outside [1, n].
void equipartition(const std::int32_t* labels, std::int64_t n, std::int64_t n_blocks, std::int32_t* out);

}  // namespace covloss
