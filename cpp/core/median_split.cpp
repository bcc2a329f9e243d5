#include "core/median_split.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/hashing.hpp"
#include "core/parallel.hpp"

namespace covloss {
namespace {

// The axis is taken from at most this many rows of a node, evenly spaced: a split needs no more precision.
constexpr std::int64_t kSample = 512;
constexpr int kPowerSteps = 8;

using Vector = std::vector<double>;

void normalise(Vector& v) {
    double norm = 0.0;
    for (const double x : v) norm += x * x;
    if (norm <= 0.0) return;
    norm = std::sqrt(norm);
    for (double& x : v) x /= norm;
}

// v <- (sum over the centred rows z of z <z, v>), normalised: a power step for the covariance without forming
// it.
void power_step(const Vector& centred, std::int64_t width, Vector& v) {
    Vector next(v.size(), 0.0);
    for (auto z = centred.begin(); z != centred.end(); z += width) {
        double dot = 0.0;
        for (std::int64_t j = 0; j < width; ++j) dot += z[j] * v[static_cast<std::size_t>(j)];
        for (std::int64_t j = 0; j < width; ++j) next[static_cast<std::size_t>(j)] += z[j] * dot;
    }
    v = std::move(next);
    normalise(v);
}

Vector axis(const RowTable& rows, const std::int32_t* ids, std::int64_t n, std::uint64_t seed) {
    const std::int64_t width = rows.width();
    const auto w = static_cast<std::size_t>(width);
    const std::int64_t step = (n + kSample - 1) / kSample;
    const std::int64_t n_sampled = (n + step - 1) / step;
    Vector mean(w, 0.0);
    Vector centred(w * static_cast<std::size_t>(n_sampled));
    for (std::int64_t i = 0; i < n_sampled; ++i) {
        double* row = centred.data() + i * width;
        rows.copy_row(ids[i * step], row);
        for (std::size_t j = 0; j < w; ++j) mean[j] += row[j];
    }
    for (double& m : mean) m /= static_cast<double>(n_sampled);
    Vector variance(w, 0.0);
    for (std::int64_t i = 0; i < n_sampled; ++i) {
        double* z = centred.data() + i * width;
        for (std::size_t j = 0; j < w; ++j) {
            z[j] -= mean[j];
            variance[j] += z[j] * z[j];
        }
    }
    Vector v(w, 0.0);
    if (seed == 0) {
        v[static_cast<std::size_t>(std::max_element(variance.begin(), variance.end()) - variance.begin())] =
            1.0;
        for (int k = 0; k < kPowerSteps; ++k) power_step(centred, width, v);
    } else {
        for (std::size_t j = 0; j < w; ++j) v[j] = signed_unit(hash64(seed, j));
        power_step(centred, width, v);
    }
    return v;
}

// Sends the `n_left` rows of smallest (projection, index) to the front; both sides keep ascending indices.
void split_node(const RowTable& rows, std::int32_t* ids, std::int64_t n, std::int64_t n_left,
                std::uint64_t seed) {
    const std::int64_t width = rows.width();
    const Vector v = axis(rows, ids, n, seed);
    Vector space(static_cast<std::size_t>(width));
    std::vector<double> projections(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        const double* row = rows.row(ids[i], space.data());
        double projection = 0.0;
        for (std::int64_t j = 0; j < width; ++j) projection += row[j] * v[static_cast<std::size_t>(j)];
        projections[static_cast<std::size_t>(i)] = projection;
    }
    std::vector<double> ranked = projections;
    std::nth_element(ranked.begin(), ranked.begin() + n_left, ranked.end());
    const double border = ranked[static_cast<std::size_t>(n_left)];
    std::int64_t n_ties_left = n_left - std::count_if(projections.begin(), projections.end(),
                                                      [border](double x) { return x < border; });
    // In place: the left side never overtakes the reading position.
    std::vector<std::int32_t> right;
    right.reserve(static_cast<std::size_t>(n - n_left));
    std::int32_t* left = ids;
    for (std::int64_t i = 0; i < n; ++i) {
        const double x = projections[static_cast<std::size_t>(i)];
        if (x < border || (x == border && n_ties_left-- > 0)) {
            *left++ = ids[i];
        } else {
            right.push_back(ids[i]);
        }
    }
    std::copy(right.begin(), right.end(), left);
}

}  // namespace

std::vector<Range> median_split(const RowTable& rows, std::vector<std::int32_t>& order,
                                const std::vector<Range>& segments,
                                const std::function<std::int64_t(const Range&)>& left_size,
                                std::uint64_t seed, int n_threads) {
    std::vector<Range> leaves;
    std::vector<Range> nodes = segments;
    while (!nodes.empty()) {
        std::vector<std::int64_t> n_left(nodes.size());
        parallel_for(static_cast<std::int64_t>(nodes.size()), n_threads, [&](std::int64_t task) {
            const auto k = static_cast<std::size_t>(task);
            const Range& node = nodes[k];
            n_left[k] = left_size(node);
            if (n_left[k] == 0) return;
            const auto place = static_cast<std::uint64_t>(node.begin);
            const std::uint64_t node_seed =
                seed == 0 ? 0 : hash64(hash64(seed, place), static_cast<std::uint64_t>(node.end));
            split_node(rows, order.data() + node.begin, node.size(), n_left[k], node_seed);
        });
        std::vector<Range> next;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            if (n_left[k] == 0) {
                leaves.push_back(nodes[k]);
            } else {
                const std::int64_t middle = nodes[k].begin + n_left[k];
                next.push_back({nodes[k].begin, middle});
                next.push_back({middle, nodes[k].end});
            }
        }
        nodes = std::move(next);
    }
    std::sort(leaves.begin(), leaves.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    return leaves;
}

}  // namespace covloss
