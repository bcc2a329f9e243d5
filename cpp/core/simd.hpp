// Which instruction set the kernels use: chosen once at load time, outside every loop.
//
// Each area with kernels writes its loop bodies once, as always-inlined functions, and wraps them twice:
// in a baseline function and in one with __attribute__((target(...))). The wrappers fill one table of
// function pointers for each level; the area picks the table of simd_level(). Every level gives the same
// bits. COVLOSS_FAST_SIMD=baseline|avx2 forces a level at load time.
#pragma once

#include <string>
#include <vector>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define COVLOSS_HAS_AVX2_LEVEL 1
#define COVLOSS_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,fma,popcnt")))
#else
#define COVLOSS_HAS_AVX2_LEVEL 0
#define COVLOSS_TARGET_AVX2
#endif

#if defined(__GNUC__) || defined(__clang__)
#define COVLOSS_ALWAYS_INLINE static inline __attribute__((always_inline))
#else
#define COVLOSS_ALWAYS_INLINE static inline
#endif

namespace covloss {

enum class SimdLevel { baseline = 0, avx2 = 1 };

// The level in use.
SimdLevel simd_level() noexcept;

// Levels that this build has and this processor runs, lowest first.
std::vector<SimdLevel> available_simd_levels();

// For tests: use another available level from now on. Throws std::invalid_argument if it is not available.
void force_simd_level(SimdLevel level);

std::string simd_level_name(SimdLevel level);
SimdLevel simd_level_from_name(const std::string& name);

}  // namespace covloss
