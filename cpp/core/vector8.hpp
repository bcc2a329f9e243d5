// Eight 32-bit numbers side by side, in the vector notation that gcc and clang share: one vector register at
// the AVX2 level, two at the baseline, the same operations and so the same bits at both.
//
// A function that takes or gives such a vector by value would have another calling convention at each level:
// pass references, and only to always-inlined functions.
#pragma once

#include <cstdint>
#include <cstring>

#include "core/simd.hpp"

namespace covloss {

inline constexpr int kVector = 8;

typedef float Float8 __attribute__((vector_size(32)));
typedef std::int32_t Int8x32 __attribute__((vector_size(32)));
typedef std::uint32_t UInt8x32 __attribute__((vector_size(32)));

template <class Vector, class T>
COVLOSS_ALWAYS_INLINE void load8(Vector& v, const T* from) {
    static_assert(sizeof(T) * kVector == sizeof(Vector));
    std::memcpy(&v, from, sizeof(Vector));
}

template <class Vector, class T>
COVLOSS_ALWAYS_INLINE void store8(const Vector& v, T* to) {
    static_assert(sizeof(T) * kVector == sizeof(Vector));
    std::memcpy(to, &v, sizeof(Vector));
}

// exp, by the same operations everywhere: 2^n times a polynomial of degree 5 on [-ln2/2, ln2/2]; relative
// error below 3e-6. The argument is clamped to [-80, 80]; NaN is not allowed.
COVLOSS_ALWAYS_INLINE void exp8(Float8& x) {
    const Float8 low = Float8{} - 80.0f;
    const Float8 high = Float8{} + 80.0f;
    x = x < low ? low : x;
    x = x > high ? high : x;
    constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it rounds to the nearest integer
    const Float8 shifted = x * 1.44269504f + kRound;
    const Float8 n = shifted - kRound;
    // ln 2 in two parts, the first with few bits, so that its product with n is exact.
    const Float8 r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
    Float8 y = Float8{} + 8.3333333e-3f;
    y = y * r + 4.1666667e-2f;
    y = y * r + 1.6666667e-1f;
    y = y * r + 0.5f;
    y = y * r + 1.0f;
    y = y * r + 1.0f;
    x = (Float8)((Int8x32)y + ((Int8x32)shifted << 23));
}

}  // namespace covloss
