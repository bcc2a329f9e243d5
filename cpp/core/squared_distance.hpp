// Squared Euclidean distances between rows of doubles, in one fixed order of additions.
//
// Rows are zero-padded to a multiple of four columns. Lane l adds the columns l, l + 4, l + 8, ... in that
// order, and the result is (lane 0 + lane 1) + (lane 2 + lane 3). The baseline and the AVX2 kernels follow
// that order without fused multiplications, so a distance has the same bits everywhere: comparisons of
// distances, and the partitions made from them, do not depend on the processor.
//
// Of many rows that one point is compared with, tiles are faster: four rows lie column by column, so that
// four distances are added up side by side, in the same order.
#pragma once

#include <cstdint>

namespace covloss {

inline constexpr std::int64_t kLanes = 4;

inline std::int64_t padded_width(std::int64_t n_columns) {
    return (n_columns + kLanes - 1) / kLanes * kLanes;
}

inline constexpr std::int64_t kTileRows = 4;  // entry (i, j) of a tile: row i of 4, column j, at j * 4 + i
inline constexpr std::int64_t kChunkTiles = 8;
inline constexpr std::int64_t kChunkRows = kTileRows * kChunkTiles;

struct DistanceKernels {
    // One pair of rows.
    double (*pair)(const double* a, const double* b, std::int64_t width);
    // From `point` to rows 0 .. n-1 of a contiguous array.
    void (*to_rows)(const double* point, const double* rows, std::int64_t n, std::int64_t width, double* out);
    // From `point` to all rows of n_chunks chunks of tiles; the least distance over the rows i, i + 32, i +
    // 64,
    // ... goes to minima[i].
    void (*to_tiles)(const double* point, const double* tiles, std::int64_t n_chunks, std::int64_t width,
                     double* out, double* minima);
    // Writes the positions of those of n distances, a multiple of kChunkRows, that are at most `limit`, in
    // order; returns how many there are. For a few among many.
    std::int64_t (*within)(const double* distances, std::int64_t n, double limit, std::int32_t* out);
    // From `point` to the rows named by `ids`.
    void (*to_ids)(const double* point, const double* rows, const std::int32_t* ids, std::int64_t n,
                   std::int64_t width, double* out);
};

// The kernels of simd_level().
const DistanceKernels& distance_kernels() noexcept;

}  // namespace covloss
