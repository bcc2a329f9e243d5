// Records ordered by the group that they belong to.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/median_split.hpp"

namespace covloss {

struct GroupedOrder {
    std::vector<std::int32_t> order;  // records by (group, index)
    std::vector<Range> ranges;        // of each group in `order`; empty for a group without records
};

// `groups` holds for each of n records a number in [0, n_groups).
inline GroupedOrder order_by_group(const std::int32_t* groups, std::int64_t n, std::int32_t n_groups) {
    std::vector<std::int64_t> next(static_cast<std::size_t>(n_groups) + 1, 0);
    for (std::int64_t i = 0; i < n; ++i) ++next[static_cast<std::size_t>(groups[i]) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    GroupedOrder result;
    for (std::size_t g = 0; g + 1 < next.size(); ++g) result.ranges.push_back({next[g], next[g + 1]});
    result.order.resize(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        result.order[static_cast<std::size_t>(next[static_cast<std::size_t>(groups[i])]++)] =
            static_cast<std::int32_t>(i);
    }
    return result;
}

// Numbers the groups 0 .. n_groups - 1, none of them empty, anew: in the order of their first records.
inline void number_by_first_record(std::int32_t* groups, std::int64_t n, std::int64_t n_groups) {
    std::vector<std::int32_t> number(static_cast<std::size_t>(n_groups), -1);
    std::int32_t next = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        std::int32_t& mine = number[static_cast<std::size_t>(groups[i])];
        if (mine < 0) mine = next++;
        groups[i] = mine;
    }
}

}  // namespace covloss
