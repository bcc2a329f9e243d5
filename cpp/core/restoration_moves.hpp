// What both row-fitting engines share: keyed random numbers and orders, aligned memory, discrepancies.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/chacha_stream.hpp"
#include "core/memory.hpp"
#include "core/simd.hpp"

namespace covloss {

// The two wrappers of a loop body (see simd.hpp): AtLevel<body>::baseline and AtLevel<body>::avx2.
template <auto Body>
struct AtLevel;
template <class Result, class... Arguments, Result (*Body)(Arguments...)>
struct AtLevel<Body> {
    static Result baseline(Arguments... arguments) { return Body(arguments...); }
    COVLOSS_TARGET_AVX2 static Result avx2(Arguments... arguments) { return Body(arguments...); }
};

// Numbers, zero at first, on a 64-byte border.
template <class T>
class Aligned {
  public:
    explicit Aligned(std::size_t n) : memory_(n * sizeof(T)), n_(n) {}
    T* data() noexcept { return static_cast<T*>(memory_.data()); }
    const T* data() const noexcept { return static_cast<const T*>(memory_.data()); }
    T& operator[](std::size_t i) noexcept { return data()[i]; }
    const T& operator[](std::size_t i) const noexcept { return data()[i]; }
    std::size_t size() const noexcept { return n_; }

  private:
    Memory memory_;
    std::size_t n_;
};

// Counts of a set of rows, or what they differ from their targets by: exact integers. n_places numbers for
// each of n_places places, for all rows, for the rows of each block; padded to whole vectors.
class Discrepancies {
  public:
    Discrepancies(std::int64_t n_places, std::int64_t n_blocks, std::int64_t stride)
        : n_places_(n_places),
          n_blocks_(n_blocks),
          stride_(stride),
          values_(static_cast<std::size_t>((n_places + 1 + n_blocks) * stride)) {}

    std::int32_t* pairs(std::int64_t place) { return values_.data() + place * stride_; }
    const std::int32_t* pairs(std::int64_t place) const { return values_.data() + place * stride_; }
    std::int32_t* singles() { return pairs(n_places_); }
    const std::int32_t* singles() const { return pairs(n_places_); }
    std::int32_t* block(std::int64_t j) { return pairs(n_places_ + 1 + j); }
    const std::int32_t* block(std::int64_t j) const { return pairs(n_places_ + 1 + j); }
    std::int64_t n_blocks() const { return n_blocks_; }
    Aligned<std::int32_t>& values() { return values_; }
    const Aligned<std::int32_t>& values() const { return values_; }

    void add(const Discrepancies& other) {
        for (std::size_t k = 0; k < values_.size(); ++k) values_[k] += other.values_[k];
    }

  private:
    std::int64_t n_places_;
    std::int64_t n_blocks_;
    std::int64_t stride_;
    Aligned<std::int32_t> values_;
};

// Rows first .. first + n_rows - 1 of a table: a shard, or, with number n_shards, all of it.
struct RowRange {
    std::int64_t first;
    std::int64_t n_rows;
    int number;
    bool is_shard;

    double share_of(std::int64_t m) const {
        return m == 0 ? 1.0 : static_cast<double>(n_rows) / static_cast<double>(m);
    }
    // Part of the address of random numbers; sweep < 2^16, `low` < 2^32.
    std::uint64_t stream_index(int sweep, std::int64_t low) const {
        return static_cast<std::uint64_t>(number) << 48 | static_cast<std::uint64_t>(sweep) << 32 |
               static_cast<std::uint64_t>(low);
    }
};

// 128 words of a stream: group number `group` of it.
void draw_words(const StreamKey& key, StreamDomain domain, std::uint64_t index, std::int64_t group,
                std::uint32_t* words);

// The words of a stream one by one.
class WordStream {
  public:
    WordStream(const StreamKey& key, StreamDomain domain, std::uint64_t index)
        : key_(key), domain_(domain), index_(index) {}
    std::uint32_t next() {
        if (position_ % kStreamGroup == 0)
            draw_words(key_, domain_, index_, position_ / kStreamGroup, words_);
        return words_[position_++ % kStreamGroup];
    }

  private:
    StreamKey key_;
    StreamDomain domain_;
    std::uint64_t index_;
    std::int64_t position_ = 0;
    std::uint32_t words_[kStreamGroup];
};

// Keyed order number `number` of n < 2^32 things (Fisher and Yates; the bias of a draw is at most n 2^-32).
//
// Every sweep visits the rows in an order of its own. It must: the counts change as a sweep goes on, and rows
// that are always visited at the same time would come to share what the counts were then, which shows as a
// dependence between attributes that no target asked for.
std::vector<std::uint32_t> random_order(std::int64_t n, const StreamKey& key, std::uint64_t number);
// 0 .. n - 1.
std::vector<std::uint32_t> given_order(std::int64_t n);

// log(u / (1 - u)) at the 2^16 points u = (i + 1/2) / 2^16.
const float* logistic_quantiles();

// floor(draw n / 2^32).
inline std::size_t scaled_draw(std::uint32_t draw, std::int64_t n) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(draw) * static_cast<std::uint64_t>(n) >> 32);
}

inline std::int32_t rounded(double target) { return static_cast<std::int32_t>(std::llrint(target)); }

inline double square(std::int32_t d) { return static_cast<double>(d) * static_cast<double>(d); }

inline double root_mean(double sum, std::int64_t n) {
    return n == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(n));
}

}  // namespace covloss
