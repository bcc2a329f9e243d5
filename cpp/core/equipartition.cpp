#include "core/equipartition.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace covloss {

void equipartition(const std::int32_t* labels, std::int64_t n, std::int64_t n_blocks, std::int32_t* blocks) {
    if (n_blocks < 1 || n_blocks > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("n_blocks must lie between 1 and 2^31 - 1");
    if (n_blocks > n)
        throw std::invalid_argument(std::to_string(n_blocks) + " blocks need at least as many records, got " +
                                    std::to_string(n));
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [labels](std::int64_t a, std::int64_t b) { return labels[a] < labels[b]; });
    // floor(r n_blocks / n) by carrying the remainder: no product that could overflow.
    std::int64_t block = 0, remainder = 0;
    for (const std::int64_t row : order) {
        blocks[row] = static_cast<std::int32_t>(block);
        remainder += n_blocks;
        if (remainder >= n) {
            remainder -= n;
            ++block;
        }
    }
}

}  // namespace covloss
