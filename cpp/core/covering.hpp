// The covering of the unit ball from which the paper's partition is made (Boedihardjo, Strohmer, Vershynin,
// Section 3).
//
// The lattice (alpha / sqrt t) Z^t, intersected with the ball. Truncating each coordinate of a point of the
// ball towards 0 gives a lattice point of no greater norm, so again in the ball, and moves each coordinate by
// less than alpha / sqrt t, so the point by less than alpha. Cubes of side alpha / sqrt t about the lattice
// points are disjoint and lie in the ball of radius 1 + alpha / 2: for alpha <= 1 there are at most
// (7 / alpha)^t points.
#pragma once

#include <cstdint>
#include <vector>

namespace covloss {

// Row-major, in lexicographic order of the lattice coordinates. Throws std::invalid_argument, before anything
// is allocated, if there are more than max_points.
std::vector<double> covering(std::int64_t t, double alpha, std::int64_t max_points);

}  // namespace covloss
