#include "core/squared_distance.hpp"

#include "core/simd.hpp"

namespace covloss {
namespace {

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

COVLOSS_ALWAYS_INLINE void to_ids_body(const double* point, const double* rows, const std::int32_t* ids,
                                       std::int64_t n, std::int64_t width, double* out) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = pair_body(point, rows + ids[i] * width, width);
}

double pair_baseline(const double* a, const double* b, std::int64_t width) { return pair_body(a, b, width); }

void to_rows_baseline(const double* point, const double* rows, std::int64_t n, std::int64_t width,
                      double* out) {
    to_rows_body(point, rows, n, width, out);
}

void to_ids_baseline(const double* point, const double* rows, const std::int32_t* ids, std::int64_t n,
                     std::int64_t width, double* out) {
    to_ids_body(point, rows, ids, n, width, out);
}

constexpr DistanceKernels kBaseline{pair_baseline, to_rows_baseline, to_ids_baseline};

#if COVLOSS_HAS_AVX2_LEVEL
COVLOSS_TARGET_AVX2 double pair_avx2(const double* a, const double* b, std::int64_t width) {
    return pair_body(a, b, width);
}

COVLOSS_TARGET_AVX2 void to_rows_avx2(const double* point, const double* rows, std::int64_t n,
                                      std::int64_t width, double* out) {
    to_rows_body(point, rows, n, width, out);
}

COVLOSS_TARGET_AVX2 void to_ids_avx2(const double* point, const double* rows, const std::int32_t* ids,
                                     std::int64_t n, std::int64_t width, double* out) {
    to_ids_body(point, rows, ids, n, width, out);
}

constexpr DistanceKernels kAvx2{pair_avx2, to_rows_avx2, to_ids_avx2};
#endif

}  // namespace

const DistanceKernels& distance_kernels() noexcept {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return kAvx2;
#endif
    return kBaseline;
}

}  // namespace covloss
