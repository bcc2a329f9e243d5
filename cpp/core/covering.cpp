#include "core/covering.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace covloss {
namespace {

// Walks the integer points z of Z^t with |z|^2 <= limit in lexicographic order.
template <class Use>
void walk(std::vector<std::int64_t>& z, std::size_t at, std::int64_t left, const Use& use) {
    if (at == z.size()) {
        use(z);
        return;
    }
    auto reach = static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)));
    while (reach * reach > left) --reach;
    while ((reach + 1) * (reach + 1) <= left) ++reach;
    for (z[at] = -reach; z[at] <= reach; ++z[at]) walk(z, at + 1, left - z[at] * z[at], use);
}

}  // namespace

std::vector<double> covering(std::int64_t t, double alpha, std::int64_t max_points) {
    if (t < 1 || t > 64) throw std::invalid_argument("the dimension of a covering must lie between 1 and 64");
    if (!(alpha > 0.0 && alpha <= 1.0)) throw std::invalid_argument("alpha must lie in (0, 1]");
    const double spacing = alpha / std::sqrt(static_cast<double>(t));
    const double squared_radius = static_cast<double>(t) / (alpha * alpha);  // in units of the spacing
    if (squared_radius > 1e15) throw std::invalid_argument("alpha is too small");
    const auto limit = static_cast<std::int64_t>(squared_radius);
    std::vector<std::int64_t> z(static_cast<std::size_t>(t));
    std::int64_t count = 0;
    walk(z, 0, limit, [&](const std::vector<std::int64_t>&) {
        if (++count > max_points)
            throw std::invalid_argument("a covering of dimension " + std::to_string(t) +
                                        " as fine as alpha = " + std::to_string(alpha) + " needs more than " +
                                        std::to_string(max_points) + " points");
    });
    std::vector<double> points;
    points.reserve(static_cast<std::size_t>(count * t));
    walk(z, 0, limit, [&](const std::vector<std::int64_t>& point) {
        for (const std::int64_t c : point) points.push_back(spacing * static_cast<double>(c));
    });
    return points;
}

}  // namespace covloss
