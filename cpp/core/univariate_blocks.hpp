// The best partition of one column into blocks of at least a given size: exact, in n log(min_size) steps.
#pragma once

#include <cstdint>
#include <vector>

namespace covloss {

// First positions of the blocks of a partition of the ascending `values` into runs of at least `min_size`
// that minimises the sum over blocks of the weighted squared deviations from the block's weighted mean.
// `weights` is null (all 1) or positive. An optimal partition is made of runs (Hansen and Mukherjee 2003).
std::vector<std::int64_t> univariate_blocks(const double* values, const double* weights, std::int64_t n,
                                            std::int64_t min_size);

}  // namespace covloss
