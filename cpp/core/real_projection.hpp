// Second moment and projections of real records, in an order of additions that does not depend on threads.
#pragma once

#include <cstdint>

namespace covloss {

// moment (width, width) = sum of x x^T over the rows of a (n, width) array: partial sums of 4,096 rows, added
// in order.
void real_second_moment(const double* rows, std::int64_t n, std::int64_t width, int n_threads,
                        double* moment);

// out (n, t) = rows (n, width) times directions (width, t); each entry is a sum over columns in order.
void real_project(const double* rows, std::int64_t n, std::int64_t width, const double* directions,
                  std::int64_t t, int n_threads, double* out);

}  // namespace covloss
