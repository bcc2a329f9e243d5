// Small dense linear algebra with Eigen: deterministic, single-threaded, so that the same input gives the
// same bits whatever the number of threads.
#pragma once

#include <cstdint>

namespace covloss {

// Eigenvalues of a symmetric matrix (row-major, p x p) in descending order, and orthonormal eigenvectors in
// the columns of `vectors` (row-major, p x p), each with its largest entry in absolute value (the first of
// equals) positive.
void symmetric_eigen(const double* matrix, std::int64_t p, double* values, double* vectors);

// What averaging over blocks takes from the second moment of zeros and ones: second - sum over blocks of
// sums sums^T / count, row-major (p x p), in counts. second: p x p, symmetric; counts: k, empty blocks have
// zero sums; sums: k x p. The products are integers; each quotient is split into a whole number, summed
// exactly, and a fraction, so the error is k 2^-52 counts however large the table, and 0 where nothing is
// lost. Throws std::invalid_argument for a block of 2^31 records or more.
void lost_moment(const std::int64_t* second, const std::int64_t* counts, const std::int64_t* sums,
                 std::int64_t k, std::int64_t p, double* lost, int n_threads);

// The same for real rows, row-major (n x p): the sum of (x - mean of its block)(x - mean of its block)^T. In
// two passes, so that no large numbers are subtracted from each other. Throws std::invalid_argument for a
// label outside [0, k) and for a value that is not finite, with the position.
void residual_moment(const double* rows, const std::int32_t* labels, std::int64_t n, std::int64_t p,
                     std::int64_t k, double* lost, int n_threads);

}  // namespace covloss
