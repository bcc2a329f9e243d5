// What both row-fitting engines share: keyed random numbers and orders, aligned memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "core/chacha_stream.hpp"

namespace covloss {

// Zero-initialised memory on a 64-byte border.
template <class T>
class Aligned {
  public:
    explicit Aligned(std::size_t n)
        : data_(static_cast<T*>(::operator new(std::max<std::size_t>(n, 1) * sizeof(T), kBorder))), n_(n) {
        std::fill(data_, data_ + n, T{});
    }
    ~Aligned() { ::operator delete(data_, kBorder); }
    Aligned(const Aligned&) = delete;
    Aligned& operator=(const Aligned&) = delete;
    T* data() noexcept { return data_; }
    const T* data() const noexcept { return data_; }
    T& operator[](std::size_t i) noexcept { return data_[i]; }
    const T& operator[](std::size_t i) const noexcept { return data_[i]; }
    std::size_t size() const noexcept { return n_; }

  private:
    static constexpr std::align_val_t kBorder{64};
    T* data_;
    std::size_t n_;
};

// Discrepancies plus multipliers, the multipliers alone: exact integers, rows padded to whole vectors.
struct Discrepancies {
    Discrepancies(std::int64_t n_rows, std::int64_t stride_)
        : stride(stride_), pull(static_cast<std::size_t>(n_rows * stride_)), multipliers(pull.size()) {}

    std::int32_t* row(std::int64_t i) { return pull.data() + i * stride; }
    const std::int32_t* row(std::int64_t i) const { return pull.data() + i * stride; }
    std::int64_t value(std::int64_t i, std::int64_t j) const {
        const auto k = static_cast<std::size_t>(i * stride + j);
        return static_cast<std::int64_t>(pull[k]) - multipliers[k];
    }
    // Lambda += D; kept within 2^29, far from where the integers or the floats would overflow.
    void raise_multipliers() {
        constexpr std::int32_t kBound = 1 << 29;
        for (std::size_t k = 0; k < pull.size(); ++k) {
            const std::int32_t d = pull[k] - multipliers[k];
            multipliers[k] = std::clamp(pull[k], -kBound, kBound);
            pull[k] = multipliers[k] + d;
        }
    }
    void drop_multipliers() {
        for (std::size_t k = 0; k < pull.size(); ++k) pull[k] -= multipliers[k];
        std::fill(multipliers.data(), multipliers.data() + multipliers.size(), 0);
    }

    std::int64_t stride;
    Aligned<std::int32_t> pull;
    Aligned<std::int32_t> multipliers;
};

// How many rows may move before counts are brought up to date, with q attributes. A batch of R rows answers
// to counts that are R moves old. Its answer must stay a small part of the fluctuations, which are as
// sqrt(m): beyond, the counts swing, and rows of one batch come to share the swing. Every pair of an
// attribute adds to it. R <= sqrt(m) min(1, 10 / q) loses no accuracy, two to three times that does (measured
// on tables of 3,000 to 1,000,000 rows and 3 to 180 attributes).
std::int64_t rows_per_batch_bound(std::int64_t m, std::int64_t q);

// 128 words of a stream: group number `group` of it.
void draw_words(const StreamKey& key, StreamDomain domain, std::uint64_t index, std::int64_t group,
                std::uint32_t* words);

// The words of a stream one by one; forwards or by position.
class WordStream {
  public:
    WordStream(const StreamKey& key, StreamDomain domain, std::uint64_t index)
        : key_(key), domain_(domain), index_(index) {}
    std::uint32_t at(std::int64_t position) {
        if (position / kStreamGroup != group_) {
            group_ = position / kStreamGroup;
            draw_words(key_, domain_, index_, group_, words_);
        }
        return words_[position % kStreamGroup];
    }
    std::uint64_t next() { return at(position_++); }

  private:
    StreamKey key_;
    StreamDomain domain_;
    std::uint64_t index_;
    std::int64_t position_ = 0;
    std::int64_t group_ = -1;
    std::uint32_t words_[kStreamGroup];
};

// Keyed order number `number` of n < 2^32 things (Fisher and Yates; the bias of a draw is at most n 2^-32).
//
// Every sweep visits the rows in an order of its own. It must: the counts change as a sweep goes on, and rows
// that are always visited at the same time would come to share what the counts were then, which shows as a
// dependence between attributes that no target asked for.
std::vector<std::uint32_t> random_order(std::int64_t n, const StreamKey& key, std::uint64_t number);

// log(u / (1 - u)) at the 2^16 points u = (i + 1/2) / 2^16.
const float* logistic_quantiles();

}  // namespace covloss
