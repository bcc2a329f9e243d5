#include "core/covering.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"

namespace covloss {
namespace {

std::int64_t floor_sqrt(std::int64_t value) {
    auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
    while (root * root > value) --root;
    while ((root + 1) * (root + 1) <= value) ++root;
    return root;
}

// Sign of count * alpha^2 - t. alpha^2 and the product are split into a double and its rounding error, so
// that the points on the sphere itself (alpha = 1/2: 4 * 1/4 = 1) are told from those beyond it.
bool reaches_beyond(std::int64_t count, double alpha, std::int64_t t) {
    const auto n = static_cast<double>(count);
    const double square = alpha * alpha;
    const double square_error = std::fma(alpha, alpha, -square);
    const double product = n * square;
    const double product_error = std::fma(n, square, -product);
    return (product - static_cast<double>(t)) + (product_error + n * square_error) > 0;
}

// The largest squared norm, in units of the lattice, of a point in the unit ball.
std::int64_t largest_square(std::int64_t t, double alpha) {
    auto square = static_cast<std::int64_t>(static_cast<double>(t) / (alpha * alpha));
    while (square > 0 && reaches_beyond(square, alpha, t)) --square;
    while (!reaches_beyond(square + 1, alpha, t)) ++square;
    return square;
}

// Number of points of Z^t with squared norm at most `square`; stops counting once it is beyond `limit`. Every
// step adds at least one point, so the time is at most proportional to t * limit.
std::int64_t count_points(std::int64_t t, std::int64_t square, std::int64_t limit) {
    if (t == 0) return 1;
    poll_interrupt();
    const std::int64_t most = floor_sqrt(square);
    if (t == 1) return 2 * most + 1;
    std::int64_t count = 0;
    for (std::int64_t m = -most; m <= most && count <= limit; ++m)
        count += count_points(t - 1, square - m * m, limit - count);
    return count;
}

void list_points(std::int64_t t, std::int64_t square, std::vector<std::int64_t>& prefix, double spacing,
                 std::vector<double>& out) {
    if (t == 0) {
        for (const std::int64_t m : prefix) out.push_back(static_cast<double>(m) * spacing);
        return;
    }
    const std::int64_t most = floor_sqrt(square);
    for (std::int64_t m = -most; m <= most; ++m) {
        prefix.push_back(m);
        list_points(t - 1, square - m * m, prefix, spacing, out);
        prefix.pop_back();
    }
}

}  // namespace

std::vector<double> covering(std::int64_t t, double alpha, std::int64_t max_points) {
    if (t < 1 || t > 64)
        throw std::invalid_argument("the dimension of a covering must be from 1 to 64, got " +
                                    std::to_string(t));
    if (!(alpha > 0.0 && alpha <= 1.0))
        throw std::invalid_argument("alpha must lie in (0, 1], got " + std::to_string(alpha));
    const double per_axis = std::sqrt(static_cast<double>(t)) / alpha;  // points on half an axis
    const bool too_many_on_an_axis = per_axis > static_cast<double>(max_points);
    const std::int64_t square = too_many_on_an_axis ? 0 : largest_square(t, alpha);
    const std::int64_t count = count_points(t, square, max_points);
    if (too_many_on_an_axis || count > max_points)
        throw std::invalid_argument("a covering of dimension " + std::to_string(t) +
                                    " as fine as alpha = " + std::to_string(alpha) + " needs more than " +
                                    std::to_string(max_points) + " points");
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(count * t));
    std::vector<std::int64_t> prefix;
    list_points(t, square, prefix, alpha / std::sqrt(static_cast<double>(t)), out);
    return out;
}

}  // namespace covloss
