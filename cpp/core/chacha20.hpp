// ChaCha20 (RFC 8439): a cryptographic generator as a function of (key, nonce, counter).
//
// There is no state to advance and nothing to share between threads: whoever needs random bits names a
// stream and a cell and reads that cell's blocks 0, 1, 2, ... . The nonce of 96 bits holds the stream
// (32 bits) and the cell (64 bits), the counter of 32 bits numbers the blocks of one cell. So every cell has
// 2^38 bytes of its own, and what it reads depends neither on the other cells nor on who asks first.
#pragma once

#include <array>
#include <cstdint>

namespace covloss {

struct ChaChaKey {
    std::array<std::uint32_t, 8> words;

    // Reads 32 bytes, little endian as in the RFC.
    static ChaChaKey from_bytes(const std::uint8_t* bytes) noexcept;
};

using ChaChaNonce = std::array<std::uint32_t, 3>;

constexpr int kChaChaWords = 16;  // 32-bit words of one block
constexpr int kChaChaLanes = 8;   // blocks made side by side by chacha20_lanes

// One block of keystream, as words: word i holds bytes 4i .. 4i+3, little endian.
void chacha20_block(const ChaChaKey& key, std::uint32_t counter, const ChaChaNonce& nonce,
                    std::uint32_t* words) noexcept;

// Block `counter` of the eight cells first_cell .. first_cell + 7 of a stream, interleaved: word i of cell
// first_cell + lane is words[i * kChaChaLanes + lane]. The bits are those of chacha20_block at each level.
void chacha20_lanes(const ChaChaKey& key, std::uint32_t counter, std::uint32_t stream,
                    std::uint64_t first_cell, std::uint32_t* words) noexcept;

// The nonce of one cell of a stream.
constexpr ChaChaNonce cell_nonce(std::uint32_t stream, std::uint64_t cell) noexcept {
    return {stream, static_cast<std::uint32_t>(cell), static_cast<std::uint32_t>(cell >> 32)};
}

}  // namespace covloss
