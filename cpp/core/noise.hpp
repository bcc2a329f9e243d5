// Exact noise on integers: discrete Laplace and discrete Gaussian.
//
// Why not a floating-point sample added to a count. Mironov ("On significance of the least significant bits
// for differential privacy", CCS 2012) showed that the textbook Laplace sampler, -b log(u) in doubles, hits
// only some of the doubles, and which ones depends on the true answer: a single output can rule a
// neighbouring table out. Here outputs are integers, every integer is hit with exactly its probability, and
// no floating-point number takes part in a decision: probabilities are ratios of integers and are compared
// with random bits in integer arithmetic.
//
// The samplers are those of Canonne, Kamath and Steinke ("The discrete Gaussian for differential privacy",
// NeurIPS 2020), algorithms 1 to 3, down to fair bits:
//
//   Bernoulli(n/m)        a uniform real R in [0,1) is revealed eight bits at a time, only as far as needed
//                         to know whether R m < n; each step asks the same question of the remainder.
//   Bernoulli(e^(-n/m))   von Neumann: the number K of the first failure among Bernoulli(n/(m k)), k = 1, 2,
//                         ..., is odd with probability 1 - g + g^2/2! - ... = e^(-g), g = n/m <= 1; an
//                         exponent above 1 is paid in units of e^(-1).
//   discrete Laplace      P(y) ~ exp(-|y| s/t), scale t/s. X = U + t V with U uniform on [0,t) and kept with
//                         probability e^(-U/t), V the number of successes of Bernoulli(e^(-1)): geometric
//                         with ratio e^(-1/t). Y = floor(X/s) is geometric with ratio e^(-s/t); a fair sign,
//                         where
//                         "-0" starts again so that zero is not counted twice.
//   discrete Gaussian     P(y) ~ exp(-y^2/(2 v)), variance parameter v = a/b. Rejection from a discrete
//                         Laplace. With h = floor(sqrt v) its scale is taken as 2v/(2h+1), because
//                         y^2 - (2h+1)|y| = (|y|-h)(|y|-h-1) - h(h+1): the ratio of the two weights is a
//                         constant times exp(-(|y|-h)(|y|-h-1) b/(2a)), an exponent that is an exact ratio of
//                         small integers, is never positive and vanishes at |y| = h and h+1. (CKS take the
//                         scale 1 + h; any scale is correct, this one keeps numerators short.)
//
// Randomness: each cell reads its own ChaCha20 blocks (chacha20.hpp), so the result depends on key, stream
// and cell alone, not on threads, order or splits.
//
// Bounds and failure probabilities. Numerators and denominators are at most 2^62, scales at most 2^40
// (Laplace), variances at most 2^62 (Gaussian): larger ones are refused before anything is drawn. V is capped
// at 2^16, which it passes with probability e^(-65536); with these bounds all products stay below 2^112 in
// the 128-bit arithmetic and all results below 2^58 in absolute value. Running time depends on the values
// drawn; hiding it from an observer of the running process is outside this library's claims.
#pragma once

#include <cstdint>

#include "core/chacha20.hpp"

#ifndef __SIZEOF_INT128__
#error \
    "covloss_fast needs a compiler with 128-bit integers (gcc or clang on a 64-bit target): the noise is exact"
#endif

namespace covloss {

// A positive rational number.
struct Ratio {
    std::int64_t numerator;
    std::int64_t denominator;
};

// Writes the noise of the cells first_cell .. first_cell + n - 1 of a stream. Throws std::invalid_argument if
// the scale (the variance parameter sigma^2) is out of the bounds above.
void discrete_laplace(const ChaChaKey& key, std::uint32_t stream, std::uint64_t first_cell, std::int64_t n,
                      Ratio scale, int n_threads, std::int64_t* out);
void discrete_gaussian(const ChaChaKey& key, std::uint32_t stream, std::uint64_t first_cell, std::int64_t n,
                       Ratio variance, int n_threads, std::int64_t* out);

}  // namespace covloss
