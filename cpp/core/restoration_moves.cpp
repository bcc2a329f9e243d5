#include "core/restoration_moves.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "core/rounding.hpp"

namespace covloss {

void draw_words(const StreamKey& key, StreamDomain domain, std::uint64_t index, std::int64_t group,
                std::uint32_t* words) {
    chacha_words(key, kStreamRounds, static_cast<std::uint32_t>(domain), index,
                 static_cast<std::uint32_t>(group) * kStreamLanes, 1, words);
}

std::vector<std::uint32_t> given_order(std::int64_t n) {
    std::vector<std::uint32_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

std::vector<std::uint32_t> random_order(std::int64_t n, const StreamKey& key, std::uint64_t number) {
    std::vector<std::uint32_t> order = given_order(n);
    WordStream draws(key, StreamDomain::visiting_order, number);
    for (std::int64_t i = n - 1; i > 0; --i)
        std::swap(order[static_cast<std::size_t>(i)], order[scaled_draw(draws.next(), i + 1)]);
    return order;
}

const float* logistic_quantiles() {
    static const std::vector<float> quantiles = [] {
        std::vector<float> values(1 << 16);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
            values[i] = static_cast<float>(std::log(u / (1 - u)));
        }
        return values;
    }();
    return quantiles.data();
}

}  // namespace covloss
