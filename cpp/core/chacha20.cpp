#include "core/chacha20.hpp"

#include <cstring>

#include "core/chacha_rounds.hpp"
#include "core/simd.hpp"

namespace covloss {
namespace {

// Eight words side by side; compilers lower it to whatever registers the target has.
typedef std::uint32_t Lanes __attribute__((vector_size(4 * kChaChaLanes)));

COVLOSS_ALWAYS_INLINE void lanes_body(const ChaChaKey& key, std::uint32_t counter, std::uint32_t stream,
                                      std::uint64_t first_cell, std::uint32_t* words) {
    Lanes start[kChaChaWords];
    for (int i = 0; i < 4; ++i) start[i] = Lanes{} + kChaChaConstants[i];
    for (int i = 0; i < 8; ++i) start[4 + i] = Lanes{} + key.words[static_cast<std::size_t>(i)];
    start[12] = Lanes{} + counter;
    start[13] = Lanes{} + stream;
    for (int lane = 0; lane < kChaChaLanes; ++lane) {
        const std::uint64_t cell = first_cell + static_cast<std::uint64_t>(lane);
        start[14][lane] = static_cast<std::uint32_t>(cell);
        start[15][lane] = static_cast<std::uint32_t>(cell >> 32);
    }
    Lanes x[kChaChaWords];
    for (int i = 0; i < kChaChaWords; ++i) x[i] = start[i];
    chacha_rounds(x, 20);
    for (int i = 0; i < kChaChaWords; ++i) {
        x[i] += start[i];
        std::memcpy(words + i * kChaChaLanes, &x[i], sizeof(Lanes));
    }
}

void lanes_baseline(const ChaChaKey& key, std::uint32_t counter, std::uint32_t stream,
                    std::uint64_t first_cell, std::uint32_t* words) {
    lanes_body(key, counter, stream, first_cell, words);
}

#if COVLOSS_HAS_AVX2_LEVEL
COVLOSS_TARGET_AVX2 void lanes_avx2(const ChaChaKey& key, std::uint32_t counter, std::uint32_t stream,
                                    std::uint64_t first_cell, std::uint32_t* words) {
    lanes_body(key, counter, stream, first_cell, words);
}
#endif

}  // namespace

ChaChaKey ChaChaKey::from_bytes(const std::uint8_t* bytes) noexcept {
    ChaChaKey key{};
    for (std::size_t i = 0; i < 8; ++i)
        for (std::size_t byte = 0; byte < 4; ++byte)
            key.words[i] |= static_cast<std::uint32_t>(bytes[4 * i + byte]) << (8 * byte);
    return key;
}

void chacha20_block(const ChaChaKey& key, std::uint32_t counter, const ChaChaNonce& nonce,
                    std::uint32_t* words) noexcept {
    std::uint32_t start[kChaChaWords];
    for (int i = 0; i < 4; ++i) start[i] = kChaChaConstants[i];
    for (std::size_t i = 0; i < 8; ++i) start[4 + i] = key.words[i];
    start[12] = counter;
    for (std::size_t i = 0; i < 3; ++i) start[13 + i] = nonce[i];
    std::memcpy(words, start, sizeof(start));
    chacha_rounds(words, 20);
    for (int i = 0; i < kChaChaWords; ++i) words[i] += start[i];
}

void chacha20_lanes(const ChaChaKey& key, std::uint32_t counter, std::uint32_t stream,
                    std::uint64_t first_cell, std::uint32_t* words) noexcept {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return lanes_avx2(key, counter, stream, first_cell, words);
#endif
    lanes_baseline(key, counter, stream, first_cell, words);
}

}  // namespace covloss
