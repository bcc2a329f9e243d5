#include "core/equal_blocks.hpp"

#include <vector>

#include "core/grouping.hpp"
#include "core/median_split.hpp"

namespace covloss {

void equal_blocks(const double* coordinates, std::int64_t n, std::int64_t width, const std::int32_t* cells,
                  std::int32_t n_cells, std::int64_t n_blocks, int n_threads, std::int32_t* labels) {
    const auto block_at = [=](std::int64_t position) { return position * n_blocks / n; };
    const auto first_of = [=](std::int64_t block) { return (block * n + n_blocks - 1) / n_blocks; };
    GroupedOrder sorted = order_by_group(cells, n, n_cells);
    std::erase_if(sorted.ranges, [](const Range& range) { return range.size() == 0; });
    median_split(
        RowTable(coordinates, width), sorted.order, sorted.ranges,
        [&](const Range& range) -> std::int64_t {
            const std::int64_t first =
                block_at(range.begin) + 1;  // the first block to begin after the range does
            const std::int64_t last = block_at(range.end - 1);
            return first > last ? 0 : first_of((first + last + 1) / 2) - range.begin;
        },
        0, n_threads);

    for (std::int64_t position = 0; position < n; ++position) {
        labels[sorted.order[static_cast<std::size_t>(position)]] =
            static_cast<std::int32_t>(block_at(position));
    }
    number_by_first_record(labels, n, n_blocks);
}

}  // namespace covloss
