#include "core/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"
#include "core/simd.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kRowsPerTask = 4096;
constexpr std::int64_t kRowsPerTile = 64;  // written attribute by attribute, one cache line at a time
constexpr std::int64_t kBlocksPerTask = 1024;
constexpr int kBlockWords = 2;  // words 0 and 1 of a row choose its block; word 2 + a serves attribute a
constexpr double kUnit31 = 2147483648.0;
constexpr std::int32_t kLinearSearch = 16;  // levels; more are found by binary search

struct Kernels {
    void (*stream)(const StreamKey&, int rounds, std::uint32_t domain, std::uint64_t index,
                   std::uint32_t first_block, int n_groups, std::uint32_t* out);
    void (*bits)(const std::uint32_t* words, const std::int32_t* limits, int n, std::uint8_t* out);
};

COVLOSS_ALWAYS_INLINE void bits_body(const std::uint32_t* words, const std::int32_t* limits, int n,
                                     std::uint8_t* out) {
    for (int i = 0; i < n; ++i)
        out[i] = static_cast<std::uint8_t>(static_cast<std::int32_t>(words[i] >> 1) <= limits[i]);
}

void stream_baseline(const StreamKey& key, int rounds, std::uint32_t domain, std::uint64_t index,
                     std::uint32_t first_block, int n_groups, std::uint32_t* out) {
    detail::stream_words(key, rounds, domain, index, first_block, n_groups, out);
}
void bits_baseline(const std::uint32_t* words, const std::int32_t* limits, int n, std::uint8_t* out) {
    bits_body(words, limits, n, out);
}

#if COVLOSS_HAS_AVX2_LEVEL
COVLOSS_TARGET_AVX2 void stream_avx2(const StreamKey& key, int rounds, std::uint32_t domain,
                                     std::uint64_t index, std::uint32_t first_block, int n_groups,
                                     std::uint32_t* out) {
    detail::stream_words(key, rounds, domain, index, first_block, n_groups, out);
}
COVLOSS_TARGET_AVX2 void bits_avx2(const std::uint32_t* words, const std::int32_t* limits, int n,
                                   std::uint8_t* out) {
    bits_body(words, limits, n, out);
}
#endif

Kernels kernels() {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return {stream_avx2, bits_avx2};
#endif
    return {stream_baseline, bits_baseline};
}

std::int64_t to_units31(double probability) { return static_cast<std::int64_t>(probability * kUnit31 + 0.5); }

std::string at(std::int64_t block, std::int64_t bit) {
    return "block " + std::to_string(block) + ", bit " + std::to_string(bit);
}

}  // namespace

QuantisedBlocks::QuantisedBlocks(const double* weights, std::int64_t n_blocks, const double* means,
                                 std::int64_t n_bits, std::vector<std::int32_t> sizes, int n_threads)
    : n_bits_(n_bits), sizes_(std::move(sizes)) {
    if (n_blocks < 1) throw std::invalid_argument("there must be at least one block");
    if (sizes_.empty()) throw std::invalid_argument("there must be at least one attribute");
    std::int64_t bit = 0;
    for (std::size_t a = 0; a < sizes_.size(); ++a) {
        const std::int32_t size = sizes_[a];
        if (size < 1)
            throw std::invalid_argument("attribute " + std::to_string(a) + " has size " +
                                        std::to_string(size) + "; a size is at least 1");
        offsets_.push_back(bit);
        if (size != 2) {
            groups_.push_back({static_cast<std::int32_t>(a), size - 1, bit, n_limits_});
            n_limits_ += size - 1;
        }
        bit += size == 2 ? 1 : size;
    }
    if (bit != n_bits)
        throw std::invalid_argument("the sizes give " + std::to_string(bit) + " bits, the means have " +
                                    std::to_string(n_bits));

    double total = 0;
    for (std::int64_t j = 0; j < n_blocks; ++j) {
        if (!(weights[j] >= 0) || !std::isfinite(weights[j]))
            throw std::invalid_argument("the weight of block " + std::to_string(j) +
                                        " is negative or not finite");
        total += weights[j];
    }
    if (!(total > 0) || !std::isfinite(total)) throw std::invalid_argument("the weights add to zero");
    // sum / total is monotone in the sum and exactly 1 from the last positive weight on.
    double sum = 0;
    cumulative_.resize(static_cast<std::size_t>(n_blocks));
    for (std::int64_t j = 0; j < n_blocks; ++j) {
        sum += weights[j];
        cumulative_[static_cast<std::size_t>(j)] = static_cast<std::uint64_t>(std::ldexp(sum / total, 63));
    }

    const auto q = static_cast<int>(sizes_.size());
    n_word_groups_ = (kBlockWords + q + kStreamGroup - 1) / kStreamGroup;
    bit_limits_.assign(static_cast<std::size_t>(n_blocks * n_word_groups_ * kStreamGroup), -1);
    level_limits_.resize(static_cast<std::size_t>(n_blocks * n_limits_));
    parallel_for((n_blocks + kBlocksPerTask - 1) / kBlocksPerTask, n_threads, [&](std::int64_t task) {
        const std::int64_t end = std::min(n_blocks, (task + 1) * kBlocksPerTask);
        for (std::int64_t j = task * kBlocksPerTask; j < end; ++j) quantise_block(j, means + j * n_bits);
    });
}

void QuantisedBlocks::quantise_block(std::int64_t block, const double* means) {
    for (std::int64_t i = 0; i < n_bits_; ++i)
        if (!(means[i] >= 0) || !std::isfinite(means[i]))
            throw std::invalid_argument("the mean at " + at(block, i) + " is negative or not finite");

    std::int32_t* bit_limits = bit_limits_.data() + block * n_word_groups_ * kStreamGroup + kBlockWords;
    for (std::size_t a = 0; a < sizes_.size(); ++a) {
        if (sizes_[a] != 2) continue;
        const double mean = means[offsets_[a]];
        if (mean > 1) throw std::invalid_argument("the mean at " + at(block, offsets_[a]) + " is above 1");
        bit_limits[a] = static_cast<std::int32_t>(to_units31(mean) - 1);
    }
    for (const Group& group : groups_) {
        const double* p = means + group.first_bit;
        std::int32_t* limits = level_limits_.data() + block * n_limits_ + group.first_limit;
        double total = 0;
        for (std::int32_t u = 0; u <= group.n_limits; ++u) total += p[u];
        if (!(total > 0) || !std::isfinite(total))
            throw std::invalid_argument("the means of the group at " + at(block, group.first_bit) +
                                        " add to zero");
        double sum = 0;
        for (std::int32_t u = 0; u < group.n_limits; ++u) {
            sum += p[u];
            limits[u] = static_cast<std::int32_t>(to_units31(sum / total) - 1);
        }
    }
}

std::int64_t QuantisedBlocks::draw_block(std::uint64_t random63) const noexcept {
    return std::upper_bound(cumulative_.begin(), cumulative_.end(), random63) - cumulative_.begin();
}

std::int32_t QuantisedBlocks::largest_size() const noexcept {
    return *std::max_element(sizes_.begin(), sizes_.end());
}

template <class Code>
void QuantisedBlocks::round_rows(Code* codes, std::int64_t n_rows, const StreamKey& key,
                                 std::uint64_t first_row, const std::int32_t* labels, int n_threads) const {
    const Kernels kernel = kernels();
    const auto q = static_cast<std::int64_t>(sizes_.size());
    const int n_words = n_word_groups_ * kStreamGroup;
    const auto width = static_cast<std::size_t>(n_words);
    parallel_for((n_rows + kRowsPerTask - 1) / kRowsPerTask, n_threads, [&](std::int64_t task) {
        std::vector<std::uint32_t> words(width);
        std::vector<std::uint8_t> bits(width);
        std::vector<Code> tile(static_cast<std::size_t>(kRowsPerTile * q));
        const std::int64_t task_end = std::min(n_rows, (task + 1) * kRowsPerTask);
        for (std::int64_t begin = task * kRowsPerTask; begin < task_end; begin += kRowsPerTile) {
            const std::int64_t n_tile = std::min(kRowsPerTile, task_end - begin);
            for (std::int64_t r = 0; r < n_tile; ++r) {
                kernel.stream(key, kStreamRounds, static_cast<std::uint32_t>(StreamDomain::rounding),
                              first_row + static_cast<std::uint64_t>(begin + r), 0, n_word_groups_,
                              words.data());
                const std::uint64_t random64 = static_cast<std::uint64_t>(words[1]) << 32 | words[0];
                const std::int64_t block = labels == nullptr ? draw_block(random64 >> 1) : labels[begin + r];
                kernel.bits(words.data(), bit_limits_.data() + block * n_words, n_words, bits.data());
                Code* row = tile.data() + r * q;
                for (std::int64_t a = 0; a < q; ++a) row[a] = bits[static_cast<std::size_t>(kBlockWords + a)];
                const std::int32_t* block_limits = level_limits_.data() + block * n_limits_;
                for (const Group& group : groups_) {
                    const std::int32_t* limits = block_limits + group.first_limit;
                    const auto random31 = static_cast<std::int32_t>(
                        words[static_cast<std::size_t>(kBlockWords + group.attribute)] >> 1);
                    std::int64_t level = 0;
                    if (group.n_limits <= kLinearSearch)
                        for (std::int32_t u = 0; u < group.n_limits; ++u) level += limits[u] < random31;
                    else
                        level = std::lower_bound(limits, limits + group.n_limits, random31) - limits;
                    row[group.attribute] = static_cast<Code>(level);
                }
            }
            for (std::int64_t a = 0; a < q; ++a)
                for (std::int64_t r = 0; r < n_tile; ++r)
                    codes[a * n_rows + begin + r] = tile[static_cast<std::size_t>(r * q + a)];
        }
    });
}

template void QuantisedBlocks::round_rows(std::uint8_t*, std::int64_t, const StreamKey&, std::uint64_t,
                                          const std::int32_t*, int) const;
template void QuantisedBlocks::round_rows(std::uint16_t*, std::int64_t, const StreamKey&, std::uint64_t,
                                          const std::int32_t*, int) const;
template void QuantisedBlocks::round_rows(std::uint32_t*, std::int64_t, const StreamKey&, std::uint64_t,
                                          const std::int32_t*, int) const;

void chacha_words(const StreamKey& key, int rounds, std::uint32_t domain, std::uint64_t index,
                  std::uint32_t first_block, int n_groups, std::uint32_t* out) {
    kernels().stream(key, rounds, domain, index, first_block, n_groups, out);
}

}  // namespace covloss
