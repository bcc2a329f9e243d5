#include "core/equipartition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace covloss {

void equipartition(const std::int32_t* labels, std::int64_t n, std::int64_t n_blocks, std::int32_t* out) {
    std::int64_t n_labels = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        if (labels[i] < 0)
            throw std::invalid_argument("the label of row " + std::to_string(i) + " is negative");
        n_labels = std::max<std::int64_t>(n_labels, labels[i] + std::int64_t{1});
    }
    if (n_blocks < 1 || n_blocks > std::min<std::int64_t>(n, std::numeric_limits<std::int32_t>::max()))
        throw std::invalid_argument("n_blocks must be from 1 to the number of records, " + std::to_string(n) +
                                    ", got " + std::to_string(n_blocks));

    const auto block_at = [&](std::int64_t position) {
        return static_cast<std::int32_t>(position * n_blocks / n);
    };
    if (n_labels <= 4 * n) {  // counting sort
        std::vector<std::int64_t> next(static_cast<std::size_t>(n_labels) + 1, 0);
        for (std::int64_t i = 0; i < n; ++i) ++next[static_cast<std::size_t>(labels[i]) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (std::int64_t i = 0; i < n; ++i) out[i] = block_at(next[static_cast<std::size_t>(labels[i])]++);
        return;
    }
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::int64_t a, std::int64_t b) { return labels[a] < labels[b]; });
    for (std::int64_t r = 0; r < n; ++r) out[order[static_cast<std::size_t>(r)]] = block_at(r);
}

}  // namespace covloss
