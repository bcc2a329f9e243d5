// Random words for choices that cost no privacy (rounding, fitting of rows): ChaCha8, addressed by position.
//
// A counter-based generator has no state: word s of stream (domain, index) is a function of the 32-byte key
// and of (domain, index, s). So a row draws the same numbers in every batch, on every thread, at every
// instruction-set level. ChaCha with 8 rounds (Bernstein 2008) has no known attack better than trying all
// keys, and its words take no multiplication, so that eight blocks side by side fill the vector registers.
//
// State, as Bernstein laid it out (64-bit counter, 64-bit nonce): words 0-3 constants, 4-11 key,
// 12 block counter, 13 domain, 14-15 index. Words come in groups of 128 = 8 consecutive blocks, and within a
// group word 8 w + j is word w of block j: the order in which the vector registers hold them.
#pragma once

#include <array>
#include <cstdint>

#include "core/chacha_rounds.hpp"
#include "core/vector8.hpp"

namespace covloss {

using StreamKey = std::array<std::uint32_t, 8>;

// Little-endian words of a 32-byte key.
inline StreamKey stream_key_from_bytes(const unsigned char* bytes) noexcept {
    StreamKey key;
    for (std::size_t i = 0; i < 8; ++i)
        key[i] = static_cast<std::uint32_t>(bytes[4 * i]) |
                 static_cast<std::uint32_t>(bytes[4 * i + 1]) << 8 |
                 static_cast<std::uint32_t>(bytes[4 * i + 2]) << 16 |
                 static_cast<std::uint32_t>(bytes[4 * i + 3]) << 24;
    return key;
}

// Domains keep apart the uses of one key.
enum class StreamDomain : std::uint32_t { rounding = 0, visiting_order = 1, moves = 2, quotas = 3 };

inline constexpr int kStreamRounds = 8;
inline constexpr int kStreamLanes = 8;
inline constexpr int kStreamGroup = 16 * kStreamLanes;

namespace detail {

// Blocks first_block .. first_block + 7 of a stream; out has 128 words. rounds is even.
COVLOSS_ALWAYS_INLINE void chacha_group(const StreamKey& key, int rounds, std::uint32_t domain,
                                        std::uint64_t index, std::uint32_t first_block, std::uint32_t* out) {
    UInt8x32 start[16] = {};
    UInt8x32 x[16] = {};
    for (int w = 0; w < 4; ++w) start[w] = UInt8x32{} + kChaChaConstants[w];
    for (int w = 0; w < 8; ++w) start[4 + w] = UInt8x32{} + key[static_cast<std::size_t>(w)];
    start[12] = UInt8x32{0, 1, 2, 3, 4, 5, 6, 7} + first_block;
    start[13] = UInt8x32{} + domain;
    start[14] = UInt8x32{} + static_cast<std::uint32_t>(index);
    start[15] = UInt8x32{} + static_cast<std::uint32_t>(index >> 32);
    for (int w = 0; w < 16; ++w) x[w] = start[w];
    chacha_rounds(x, rounds);
    for (int w = 0; w < 16; ++w) store8(x[w] + start[w], out + w * kStreamLanes);
}

// Blocks first_block .. first_block + 8 n_groups - 1 of a stream; out has 128 n_groups words.
COVLOSS_ALWAYS_INLINE void stream_words(const StreamKey& key, int rounds, std::uint32_t domain,
                                        std::uint64_t index, std::uint32_t first_block, int n_groups,
                                        std::uint32_t* out) {
    for (int g = 0; g < n_groups; ++g)
        chacha_group(key, rounds, domain, index, first_block + static_cast<std::uint32_t>(g * kStreamLanes),
                     out + g * kStreamGroup);
}

}  // namespace detail
}  // namespace covloss
