// Marginals of any degree: in how many records d given bits all equal 1, and how far two tables differ in it.
//
// Sets of d bits are walked in order, and the conjunction of the first d - 1 is kept for all sets that share
// it: a set then costs one AND and population count of its last column.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bit_matrix.hpp"

namespace covloss {

// counts[s]: records in which the bits sets[s * degree] .. sets[s * degree + degree - 1] are all 1. Fastest
// where consecutive sets share their first columns. Throws std::invalid_argument that names a set with a
// column beyond the table.
void marginal_counts(const BitMatrix& bits, const std::int32_t* sets, std::int64_t n_sets,
                     std::int64_t degree, std::int64_t* counts, int n_threads);

struct MarginalErrorSums {
    double sum_of_squares;
    double max;
    std::int64_t n_sets;
};

// Differences of the fractions of records over all sets of `degree` bits of distinct groups (groups[j]: the
// attribute of column j, not decreasing). Added up in the order of the sets: the same bits for any number of
// threads.
MarginalErrorSums marginal_error(const BitMatrix& first, const BitMatrix& second,
                                 const std::vector<std::int32_t>& groups, std::int64_t degree, int n_threads);

}  // namespace covloss
