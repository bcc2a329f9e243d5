// An alpha-covering of the unit Euclidean ball (Proposition 3.7 of the paper).
#pragma once

#include <cstdint>
#include <vector>

namespace covloss {

// The points of the lattice (alpha / sqrt t) Z^t that lie in the unit ball of R^t, in lexicographic order,
// row-major. Truncating the coordinates of a point of the ball towards zero moves it by less than alpha and
// leaves it in the ball, so every point of the ball is nearer than alpha to a lattice point. There are at
// most (7 / alpha)^t of them. Throws std::invalid_argument beyond max_points, before anything is allocated.
std::vector<double> covering(std::int64_t t, double alpha, std::int64_t max_points);

}  // namespace covloss
