// Squared Euclidean distances between rows of doubles, in one fixed order of additions.
//
// Rows are zero-padded to a multiple of four columns. Lane l adds the columns l, l + 4, l + 8, ... in that
// order, and the result is (lane 0 + lane 1) + (lane 2 + lane 3). The baseline and the AVX2 kernels follow
// that order without fused multiplications, so a distance has the same bits everywhere: comparisons of
// distances, and the partitions made from them, do not depend on the processor.
#pragma once

#include <cstdint>

namespace covloss {

inline constexpr std::int64_t kLanes = 4;

inline std::int64_t padded_width(std::int64_t n_columns) {
    return (n_columns + kLanes - 1) / kLanes * kLanes;
}

struct DistanceKernels {
    // One pair of rows.
    double (*pair)(const double* a, const double* b, std::int64_t width);
    // From `point` to rows 0 .. n-1 of a contiguous array.
    void (*to_rows)(const double* point, const double* rows, std::int64_t n, std::int64_t width, double* out);
    // From `point` to the rows named by `ids`.
    void (*to_ids)(const double* point, const double* rows, const std::int32_t* ids, std::int64_t n,
                   std::int64_t width, double* out);
};

// The kernels of simd_level().
const DistanceKernels& distance_kernels() noexcept;

}  // namespace covloss
