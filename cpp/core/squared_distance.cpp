#include "core/squared_distance.hpp"

#include <cstring>
#include <limits>

#include "core/simd.hpp"

namespace covloss {
namespace {

typedef double Double4 __attribute__((vector_size(kTileRows * sizeof(double))));

COVLOSS_ALWAYS_INLINE double pair_body(const double* a, const double* b, std::int64_t width) {
    double lanes[kLanes] = {0.0, 0.0, 0.0, 0.0};
    for (std::int64_t j = 0; j < width; j += kLanes) {
        for (std::int64_t l = 0; l < kLanes; ++l) {
            const double difference = a[j + l] - b[j + l];
            lanes[l] += difference * difference;
        }
    }
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

COVLOSS_ALWAYS_INLINE void to_rows_body(const double* point, const double* rows, std::int64_t n,
                                        std::int64_t width, double* out) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = pair_body(point, rows + i * width, width);
}

COVLOSS_ALWAYS_INLINE void to_tiles_body(const double* point, const double* tiles, std::int64_t n_chunks,
                                         std::int64_t width, double* out, double* minima) {
    Double4 least[kChunkTiles];
    for (Double4& each : least) each = Double4{} + std::numeric_limits<double>::infinity();
    for (std::int64_t chunk = 0; chunk < n_chunks; ++chunk) {
        for (Double4& each : least) {
            Double4 lanes[kLanes] = {};
            for (std::int64_t j = 0; j < width; j += kLanes) {
                for (std::int64_t l = 0; l < kLanes; ++l) {
                    Double4 difference;
                    std::memcpy(&difference, tiles + (j + l) * kTileRows, sizeof(difference));
                    difference -= point[j + l];
                    lanes[l] += difference * difference;
                }
            }
            const Double4 squares = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
            std::memcpy(out, &squares, sizeof(squares));
            each = squares < each ? squares : each;
            tiles += width * kTileRows;
            out += kTileRows;
        }
    }
    std::memcpy(minima, least, sizeof(least));
}

COVLOSS_ALWAYS_INLINE std::int64_t within_body(const double* distances, std::int64_t n, double limit,
                                               std::int32_t* out) {
    std::int64_t count = 0;
    for (std::int64_t first = 0; first < n; first += 2 * kTileRows) {
        Double4 a, b;
        std::memcpy(&a, distances + first, sizeof(a));
        std::memcpy(&b, distances + first + kTileRows, sizeof(b));
        const auto any = (a <= limit) | (b <= limit);
        if ((any[0] | any[1] | any[2] | any[3]) == 0) continue;
        for (std::int64_t k = first; k < first + 2 * kTileRows; ++k) {
            out[count] = static_cast<std::int32_t>(k);
            count += distances[k] <= limit ? 1 : 0;
        }
    }
    return count;
}

COVLOSS_ALWAYS_INLINE void to_ids_body(const double* point, const double* rows, const std::int32_t* ids,
                                       std::int64_t n, std::int64_t width, double* out) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = pair_body(point, rows + ids[i] * width, width);
}

double pair_baseline(const double* a, const double* b, std::int64_t width) { return pair_body(a, b, width); }

void to_rows_baseline(const double* point, const double* rows, std::int64_t n, std::int64_t width,
                      double* out) {
    to_rows_body(point, rows, n, width, out);
}

void to_tiles_baseline(const double* point, const double* tiles, std::int64_t n_chunks, std::int64_t width,
                       double* out, double* minima) {
    to_tiles_body(point, tiles, n_chunks, width, out, minima);
}

std::int64_t within_baseline(const double* distances, std::int64_t n, double limit, std::int32_t* out) {
    return within_body(distances, n, limit, out);
}

void to_ids_baseline(const double* point, const double* rows, const std::int32_t* ids, std::int64_t n,
                     std::int64_t width, double* out) {
    to_ids_body(point, rows, ids, n, width, out);
}

constexpr DistanceKernels kBaseline{pair_baseline, to_rows_baseline, to_tiles_baseline, within_baseline,
                                    to_ids_baseline};

#if COVLOSS_HAS_AVX2_LEVEL
COVLOSS_TARGET_AVX2 double pair_avx2(const double* a, const double* b, std::int64_t width) {
    return pair_body(a, b, width);
}

COVLOSS_TARGET_AVX2 void to_rows_avx2(const double* point, const double* rows, std::int64_t n,
                                      std::int64_t width, double* out) {
    to_rows_body(point, rows, n, width, out);
}

COVLOSS_TARGET_AVX2 void to_tiles_avx2(const double* point, const double* tiles, std::int64_t n_chunks,
                                       std::int64_t width, double* out, double* minima) {
    to_tiles_body(point, tiles, n_chunks, width, out, minima);
}

COVLOSS_TARGET_AVX2 std::int64_t within_avx2(const double* distances, std::int64_t n, double limit,
                                             std::int32_t* out) {
    return within_body(distances, n, limit, out);
}

COVLOSS_TARGET_AVX2 void to_ids_avx2(const double* point, const double* rows, const std::int32_t* ids,
                                     std::int64_t n, std::int64_t width, double* out) {
    to_ids_body(point, rows, ids, n, width, out);
}

constexpr DistanceKernels kAvx2{pair_avx2, to_rows_avx2, to_tiles_avx2, within_avx2, to_ids_avx2};
#endif

}  // namespace

const DistanceKernels& distance_kernels() noexcept {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return kAvx2;
#endif
    return kBaseline;
}

}  // namespace covloss
