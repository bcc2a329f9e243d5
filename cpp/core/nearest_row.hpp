// The nearest of many rows of doubles: exact, by a balanced tree of boxes.
//
// Rows are sorted into leaves by medians of projections on principal axes; a node holds the smallest box
// about its rows, and is passed over if the box is farther away than the best row found. Near-linear where
// records lie near the rows, as records do near the released values of their blocks; at worst every row is
// looked at.
#pragma once

#include <cstdint>
#include <limits>

namespace covloss {

struct Neighbour {
    std::int32_t row = -1;  // none within the limit
    double square = std::numeric_limits<double>::infinity();
};

// For each of n queries the nearest of n_rows rows, other than row `own[i]`, whose squared distance is below
// `limits[i]`; of rows at the same distance the one of lowest index. Widths are multiples of four. The result
// does not depend on `n_threads` or on the instruction set.
void nearest_other_rows(const double* queries, const std::int32_t* own, const double* limits, std::int64_t n,
                        const double* rows, std::int64_t n_rows, std::int64_t width, int n_threads,
                        Neighbour* out);

}  // namespace covloss
