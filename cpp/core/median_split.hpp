// Recursive splitting of rows at the median of a projection: the cheap, balanced start of a partition.
//
// Each node is cut across an axis of its own rows. On the principal axis the cut removes the most variance;
// on the axis C u, with C the node's covariance and u a hashed random vector, it still prefers directions
// with much variance but falls elsewhere for every seed, so that repeated splittings have different borders.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/row_table.hpp"

namespace covloss {

struct Range {
    std::int64_t begin;
    std::int64_t end;
    std::int64_t size() const { return end - begin; }
};

// Splits every segment of `order` (indices of rows, ascending inside each segment) until `left_size` of a
// range is 0; otherwise left_size(range), between 1 and size - 1, many rows go to the left. Returns the
// leaves in order. Inside a leaf the indices ascend again. Ties of the projection are broken by index. `seed`
// 0 splits on principal axes, any other seed on hashed ones. The result does not depend on `n_threads`.
std::vector<Range> median_split(const RowTable& rows, std::vector<std::int32_t>& order,
                                const std::vector<Range>& segments,
                                const std::function<std::int64_t(const Range&)>& left_size,
                                std::uint64_t seed, int n_threads);

}  // namespace covloss
