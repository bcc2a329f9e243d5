// Metric projection onto the convex set K that holds the true block means (paper, 5.5): cube and simplices.
//
// Noise moves a block mean out of K. The nearest point of K is at most as far from the true mean as the noisy
// one (the projection onto a convex set is 1-Lipschitz and fixes K), so it never costs accuracy, and only a
// point of K can be read as probabilities.
#pragma once

#include <cstdint>

namespace covloss {

// In place, each entry of n to the nearest of [0, 1]. Throws std::invalid_argument, naming row and column of
// rows of `width` entries, if an entry is not finite.
void project_cube(double* values, std::int64_t n_rows, std::int64_t width, int n_threads);

// In place, each row of `width` >= 1 entries to the nearest point of the probability simplex, by sorting
// (Held, Wolfe and Crowder 1974). Throws as project_cube does.
void project_simplex(double* values, std::int64_t n_rows, std::int64_t width, int n_threads);

}  // namespace covloss
