// Small dense linear algebra with Eigen: deterministic, single-threaded, so that the same input gives the
// same bits whatever the number of threads.
#pragma once

#include <cstdint>

namespace covloss {

// Eigenvalues of a symmetric matrix (row-major, p x p) in descending order, and orthonormal eigenvectors in
// the columns of `vectors` (row-major, p x p), each with its largest entry in absolute value (the first of
// equals) positive.
void symmetric_eigen(const double* matrix, std::int64_t p, double* values, double* vectors);

}  // namespace covloss
