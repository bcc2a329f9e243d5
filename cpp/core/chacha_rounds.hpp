// The rounds of ChaCha (Bernstein 2008; RFC 8439), written once for the noise and for what costs no privacy.
//
// T is a 32-bit word, or a vector of them: the same operations make one block or several side by side.
#pragma once

#include <cstdint>

#include "core/simd.hpp"

namespace covloss {

// "expand 32-byte k"
inline constexpr std::uint32_t kChaChaConstants[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};

template <class T>
COVLOSS_ALWAYS_INLINE void chacha_rotate_left(T& x, int count) {
    x = (x << count) | (x >> (32 - count));
}

template <class T>
COVLOSS_ALWAYS_INLINE void chacha_quarter_round(T& a, T& b, T& c, T& d) {
    a += b, d ^= a, chacha_rotate_left(d, 16);
    c += d, b ^= c, chacha_rotate_left(b, 12);
    a += b, d ^= a, chacha_rotate_left(d, 8);
    c += d, b ^= c, chacha_rotate_left(b, 7);
}

// n_rounds is even: a column round and a diagonal round in turn, on the 16 words of the state.
template <class T>
COVLOSS_ALWAYS_INLINE void chacha_rounds(T* x, int n_rounds) {
    for (int round = 0; round < n_rounds; round += 2) {
        chacha_quarter_round(x[0], x[4], x[8], x[12]);
        chacha_quarter_round(x[1], x[5], x[9], x[13]);
        chacha_quarter_round(x[2], x[6], x[10], x[14]);
        chacha_quarter_round(x[3], x[7], x[11], x[15]);
        chacha_quarter_round(x[0], x[5], x[10], x[15]);
        chacha_quarter_round(x[1], x[6], x[11], x[12]);
        chacha_quarter_round(x[2], x[7], x[8], x[13]);
        chacha_quarter_round(x[3], x[4], x[9], x[14]);
    }
}

}  // namespace covloss
