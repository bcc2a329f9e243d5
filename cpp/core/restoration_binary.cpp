#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>

#include "core/parallel.hpp"
#include "core/restoration.hpp"
#include "core/restoration_moves.hpp"
#include "core/simd.hpp"
#include "core/vector8.hpp"

#if COVLOSS_HAS_AVX2_LEVEL
#include <immintrin.h>
#endif

namespace covloss {
namespace {

// A group of 32 rows moves side by side: attribute by attribute, one lane of the vector registers for each
// row, one word of 32 bits for an attribute of the group. The sum that decides a move, sum_b D_ab z_b, is
// then the same scalar D_ab times a vector of signs; changes of pair counts are population counts of such
// words.
constexpr int kLanes = 32;
constexpr std::int64_t kMaxGroupsPerBatch = 32;
constexpr int kVisitsPerStreamGroup = kStreamGroup / (kLanes / 2);  // a draw takes 16 bits

constexpr auto kLaneBit = [] {
    std::array<std::uint32_t, kLanes> bits{};
    for (std::size_t r = 0; r < bits.size(); ++r) bits[r] = 1u << r;
    return bits;
}();

// ---- kernels ------------------------------------------------------------------------------------------

// z[r] = +1 where bit r of the word is 1, else -1.
COVLOSS_ALWAYS_INLINE void expand_body(std::uint32_t word, float* z) {
    for (int v = 0; v < kLanes; v += kVector) {
        UInt8x32 lane;
        load8(lane, kLaneBit.data() + v);
        const UInt8x32 off = (UInt8x32)((word & lane) == 0u) & 0x80000000u;
        store8((Float8)(off | std::bit_cast<std::uint32_t>(1.0f)), z + v);
    }
}

// sums[r] += sum_b z[b][r] row[b], in the order of b. z is +-1, so that products are exact and a fused
// multiply-add gives the same bits as a product and a sum.
void dot_lanes_baseline(const float* z, const float* row, std::int64_t p, float* sums) {
    Float8 s[kLanes / kVector];
    for (int v = 0; v < kLanes / kVector; ++v) load8(s[v], sums + v * kVector);
    for (std::int64_t b = 0; b < p; ++b)
        for (int v = 0; v < kLanes / kVector; ++v) {
            Float8 sign;
            load8(sign, z + b * kLanes + v * kVector);
            s[v] += sign * row[b];
        }
    for (int v = 0; v < kLanes / kVector; ++v) store8(s[v], sums + v * kVector);
}

// out[b] = counts[b] as a float.
COVLOSS_ALWAYS_INLINE void to_float_body(const std::int32_t* counts, std::int64_t stride, float* out) {
    for (std::int64_t b = 0; b < stride; b += kVector) {
        Int8x32 count;
        load8(count, counts + b);
        store8(__builtin_convertvector(count, Float8), out + b);
    }
}

// counts[b] += change of sum_r z_a z_b over the rows of a group, between words `before` and `after`.
void count_changes_baseline(const std::uint32_t* before, const std::uint32_t* after, std::uint32_t before_a,
                            std::uint32_t after_a, std::int64_t stride, std::int32_t* counts) {
    for (std::int64_t b = 0; b < stride; ++b)
        counts[b] += 2 * (std::popcount(before_a ^ before[b]) - std::popcount(after_a ^ after[b]));
}

#if COVLOSS_HAS_AVX2_LEVEL
COVLOSS_TARGET_AVX2 void dot_lanes_avx2(const float* z, const float* row, std::int64_t p, float* sums) {
    __m256 s0 = _mm256_loadu_ps(sums);
    __m256 s1 = _mm256_loadu_ps(sums + 8);
    __m256 s2 = _mm256_loadu_ps(sums + 16);
    __m256 s3 = _mm256_loadu_ps(sums + 24);
    for (std::int64_t b = 0; b < p; ++b) {
        const __m256 d = _mm256_broadcast_ss(row + b);
        const float* zb = z + b * kLanes;
        s0 = _mm256_fmadd_ps(d, _mm256_loadu_ps(zb), s0);
        s1 = _mm256_fmadd_ps(d, _mm256_loadu_ps(zb + 8), s1);
        s2 = _mm256_fmadd_ps(d, _mm256_loadu_ps(zb + 16), s2);
        s3 = _mm256_fmadd_ps(d, _mm256_loadu_ps(zb + 24), s3);
    }
    _mm256_storeu_ps(sums, s0);
    _mm256_storeu_ps(sums + 8, s1);
    _mm256_storeu_ps(sums + 16, s2);
    _mm256_storeu_ps(sums + 24, s3);
}

// Population counts of bytes by table look-up of their halves (Mula, Kurz and Lemire 2018).
COVLOSS_TARGET_AVX2 inline __m256i byte_popcounts(__m256i v) {
    const __m256i nibble = _mm256_set1_epi8(0x0f);
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                                           2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, nibble)),
                           _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)));
}

COVLOSS_TARGET_AVX2 void count_changes_avx2(const std::uint32_t* before, const std::uint32_t* after,
                                            std::uint32_t before_a, std::uint32_t after_a,
                                            std::int64_t stride, std::int32_t* counts) {
    const __m256i ones = _mm256_set1_epi8(1);
    const __m256i twos = _mm256_set1_epi16(2);
    const __m256i old_a = _mm256_set1_epi32(static_cast<int>(before_a));
    const __m256i new_a = _mm256_set1_epi32(static_cast<int>(after_a));
    for (std::int64_t b = 0; b < stride; b += kVector) {
        const __m256i old_b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(before + b));
        const __m256i new_b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(after + b));
        const __m256i bytes = _mm256_sub_epi8(byte_popcounts(_mm256_xor_si256(old_a, old_b)),
                                              byte_popcounts(_mm256_xor_si256(new_a, new_b)));
        const __m256i change = _mm256_madd_epi16(_mm256_maddubs_epi16(ones, bytes), twos);
        auto* out = reinterpret_cast<__m256i*>(counts + b);
        _mm256_storeu_si256(out, _mm256_add_epi32(_mm256_loadu_si256(out), change));
    }
}
#endif

// Which lanes flip attribute a. s = sum_b D_ab z_b + w1 D_a + wB D_ja; a flip changes the energy by
// 2 beta (self - z_a s), self = the sum of the weights that a has a part in. A lane flips if that is less
// than its threshold: the quantile of the logistic law at a uniform draw (a flip then has the Gibbs
// probability 1 / (1 + exp(change))), or 0 for greedy moves.
COVLOSS_ALWAYS_INLINE std::uint32_t flips_body(const float* s, const float* z, float self, float beta2,
                                               const float* thresholds) {
    UInt8x32 flips{};
    for (int v = 0; v < kLanes; v += kVector) {
        Float8 sum, sign, threshold;
        UInt8x32 lane;
        load8(sum, s + v);
        load8(sign, z + v);
        load8(threshold, thresholds + v);
        load8(lane, kLaneBit.data() + v);
        flips |= (UInt8x32)(beta2 * (self - sign * sum) < threshold) & lane;
    }
    std::uint32_t any = 0;
    for (int i = 0; i < kVector; ++i) any |= flips[i];
    return any;
}

// s[c] -= 2 z_r (gram_rc - z_r z_c): what lane r flipping attribute a does to the pair part of the others.
COVLOSS_ALWAYS_INLINE void correct_body(const float* gram_r, const float* z, float z_r, float* s) {
    for (int v = 0; v < kLanes; v += kVector) {
        Float8 sum, sign, product;
        load8(sum, s + v);
        load8(sign, z + v);
        load8(product, gram_r + v);
        sum -= 2 * z_r * (product - z_r * sign);
        store8(sum, s + v);
    }
}

// gram_rc = sum_b z_rb z_cb after the lanes of `flips` have changed the sign that they had in z.
COVLOSS_ALWAYS_INLINE void update_gram_body(float* gram, const float* z, std::uint32_t flips) {
    Float8 flipped[kLanes / kVector], kept[kLanes / kVector];
    for (int v = 0; v < kLanes / kVector; ++v) {
        Float8 sign;
        UInt8x32 lane;
        load8(sign, z + v * kVector);
        load8(lane, kLaneBit.data() + v * kVector);
        const auto moves = (UInt8x32)((lane & flips) != 0u);
        flipped[v] = (Float8)((UInt8x32)sign & moves);
        kept[v] = (Float8)((UInt8x32)sign & ~moves);
    }
    for (int r = 0; r < kLanes; ++r) {
        const Float8* others = flips >> r & 1u ? kept : flipped;
        for (int v = 0; v < kLanes / kVector; ++v) {
            Float8 product;
            load8(product, gram + r * kLanes + v * kVector);
            product -= 2 * z[r] * others[v];
            store8(product, gram + r * kLanes + v * kVector);
        }
    }
}

// gram_rc from the words of a group.
COVLOSS_ALWAYS_INLINE void gram_body(const std::uint32_t* words, std::int64_t p, float* gram) {
    std::int32_t differ[kLanes][kLanes] = {};
    for (std::int64_t first = 0; first < p; first += kLanes) {
        // 32 x 32 bits, transposed by halves (Warren, Hacker's Delight, 7-3).
        std::uint32_t rows[kLanes];
        for (int b = 0; b < kLanes; ++b) rows[kLanes - 1 - b] = first + b < p ? words[first + b] : 0u;
        std::uint32_t mask = 0x0000ffffu;
        for (int j = 16; j != 0; j >>= 1, mask ^= mask << j)
            for (int k = 0; k < kLanes; k = ((k | j) + 1) & ~j) {
                const std::uint32_t t = (rows[k] ^ (rows[k | j] >> j)) & mask;
                rows[k] ^= t;
                rows[k | j] ^= t << j;
            }
        for (int r = 0; r < kLanes; ++r)
            for (int c = 0; c < kLanes; ++c)
                differ[r][c] += std::popcount(rows[kLanes - 1 - r] ^ rows[kLanes - 1 - c]);
    }
    for (int r = 0; r < kLanes; ++r)
        for (int c = 0; c < kLanes; ++c)
            gram[r * kLanes + c] = static_cast<float>(p - 2 * static_cast<std::int64_t>(differ[r][c]));
}

struct Kernels {
    void (*expand)(std::uint32_t word, float* z);
    void (*dot_lanes)(const float* z, const float* row, std::int64_t p, float* sums);
    void (*to_float)(const std::int32_t* counts, std::int64_t stride, float* out);
    void (*count_changes)(const std::uint32_t* before, const std::uint32_t* after, std::uint32_t before_a,
                          std::uint32_t after_a, std::int64_t stride, std::int32_t* counts);
    std::uint32_t (*flips)(const float* s, const float* z, float self, float beta2, const float* thresholds);
    void (*correct)(const float* gram_r, const float* z, float z_r, float* s);
    void (*update_gram)(float* gram, const float* z, std::uint32_t flips);
    void (*gram)(const std::uint32_t* words, std::int64_t p, float* gram);
};

#define COVLOSS_WRAP(TARGET, SUFFIX)                                                                  \
    TARGET void expand_##SUFFIX(std::uint32_t word, float* z) { expand_body(word, z); }               \
    TARGET void to_float_##SUFFIX(const std::int32_t* counts, std::int64_t stride, float* out) {      \
        to_float_body(counts, stride, out);                                                           \
    }                                                                                                 \
    TARGET std::uint32_t flips_##SUFFIX(const float* s, const float* z, float self, float beta2,      \
                                        const float* thresholds) {                                    \
        return flips_body(s, z, self, beta2, thresholds);                                             \
    }                                                                                                 \
    TARGET void correct_##SUFFIX(const float* gram_r, const float* z, float z_r, float* s) {          \
        correct_body(gram_r, z, z_r, s);                                                              \
    }                                                                                                 \
    TARGET void update_gram_##SUFFIX(float* gram, const float* z, std::uint32_t flips) {              \
        update_gram_body(gram, z, flips);                                                             \
    }                                                                                                 \
    TARGET void gram_##SUFFIX(const std::uint32_t* words, std::int64_t p, float* gram) {              \
        gram_body(words, p, gram);                                                                    \
    }                                                                                                 \
    constexpr Kernels kernels_##SUFFIX{expand_##SUFFIX,        dot_lanes_##SUFFIX, to_float_##SUFFIX, \
                                       count_changes_##SUFFIX, flips_##SUFFIX,     correct_##SUFFIX,  \
                                       update_gram_##SUFFIX,   gram_##SUFFIX};

COVLOSS_WRAP(, baseline)
#if COVLOSS_HAS_AVX2_LEVEL
COVLOSS_WRAP(COVLOSS_TARGET_AVX2, avx2)
#endif
#undef COVLOSS_WRAP

const Kernels& kernels() {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return kernels_avx2;
#endif
    return kernels_baseline;
}

// ---- the fit ------------------------------------------------------------------------------------------

class BinaryFit {
  public:
    BinaryFit(std::uint8_t* codes, std::int64_t p, std::int64_t m, const BinaryTargets& targets,
              const FitOptions& options, const StreamKey& key);
    std::vector<SweepRecord> run();

  private:
    struct Scratch {
        Scratch(std::int64_t p, std::int64_t stride)
            : z(static_cast<std::size_t>(p * kLanes)),
              row(static_cast<std::size_t>(stride)),
              counts(static_cast<std::size_t>(stride)),
              before(static_cast<std::size_t>(stride)) {}
        Aligned<float> z;  // [attribute][lane]
        Aligned<float> row;
        Aligned<std::int32_t> counts;
        Aligned<std::uint32_t> before;
        alignas(64) float gram[kLanes * kLanes];
        alignas(64) float sums[kLanes];
        alignas(64) float thresholds[kLanes] = {};
        std::uint32_t words[kStreamGroup];
    };
    std::uint32_t* group(std::int64_t g) { return rows_.data() + g * stride_; }
    // Groups in the order in which a sweep visits them; number 0 orders the rows.
    std::vector<std::uint32_t> group_order(std::int64_t sweep) const {
        return random_order(n_groups_, key_, static_cast<std::uint64_t>(sweep) + 1);
    }
    const std::int32_t* labels_of(std::int64_t g) const { return labels_.data() + g * kLanes; }
    std::int64_t n_blocks() const { return labels_.empty() ? 0 : targets_.n_blocks; }
    std::uint32_t lanes_in_use(std::int64_t g) const {
        const std::int64_t n = m_ - g * kLanes;
        return n >= kLanes ? ~0u : (1u << n) - 1;
    }

    void load();
    void store();
    void count();
    void begin_group(std::int64_t g, Scratch& scratch);
    void draw_thresholds(std::int64_t sweep, std::int64_t g, std::int64_t visit, Scratch& scratch) const;
    void sum_lanes(std::int64_t g, std::int64_t a, const std::int32_t* counts, Scratch& scratch) const;
    void batched_group(std::int64_t sweep, std::int64_t g, Scratch& scratch);
    std::int64_t serial_group(std::int64_t sweep, std::int64_t g, Scratch& scratch);
    bool is_greedy(std::int64_t sweep) const { return sweep >= options_.n_sweeps; }
    std::uint32_t serial_visit(std::int64_t g, std::int64_t a, float beta2, Scratch& scratch);
    std::int64_t serial_sweep(std::int64_t sweep, Scratch& scratch);
    std::int64_t batched_sweep(std::int64_t sweep, std::vector<std::unique_ptr<Scratch>>& scratch);
    void count_batch(std::int64_t a, const std::uint32_t* batch, std::int64_t n_batch,
                     const std::uint32_t* before);
    SweepRecord measure(std::int64_t n_moves) const;

    const Kernels& kernel_;
    std::uint8_t* codes_;
    std::int64_t p_;
    std::int64_t stride_;
    std::int64_t m_;
    std::int64_t n_groups_;
    const BinaryTargets& targets_;
    const FitOptions& options_;
    const StreamKey& key_;
    float single_weight_;
    float block_weight_;
    float self_;
    std::vector<std::uint32_t> order_;
    Aligned<std::uint32_t> rows_;       // [group][attribute]
    std::vector<std::int32_t> labels_;  // in the order of the groups
    Discrepancies pairs_;
    Discrepancies singles_;
    Discrepancies blocks_;
};

BinaryFit::BinaryFit(std::uint8_t* codes, std::int64_t p, std::int64_t m, const BinaryTargets& targets,
                     const FitOptions& options, const StreamKey& key)
    : kernel_(kernels()),
      codes_(codes),
      p_(p),
      stride_((p + kVector - 1) / kVector * kVector),
      m_(m),
      n_groups_((m + kLanes - 1) / kLanes),
      targets_(targets),
      options_(options),
      key_(key),
      single_weight_(static_cast<float>(targets.single_weight)),
      block_weight_(targets.labels == nullptr ? 0.0f : static_cast<float>(targets.block_weight)),
      self_(static_cast<float>(p - 1) + single_weight_ + block_weight_),
      order_(random_order(m, key, 0)),
      rows_(static_cast<std::size_t>(n_groups_ * stride_)),
      labels_(targets.labels == nullptr ? 0 : static_cast<std::size_t>(n_groups_ * kLanes)),
      pairs_(p, stride_),
      singles_(1, stride_),
      blocks_(n_blocks(), stride_) {
    load();
    count();
}

void BinaryFit::load() {
    for (std::int64_t i = 0; i < (labels_.empty() ? 0 : m_); ++i)
        labels_[static_cast<std::size_t>(i)] = targets_.labels[order_[static_cast<std::size_t>(i)]];
    parallel_for(p_, options_.n_threads, [this](std::int64_t a) {
        const std::uint8_t* column = codes_ + a * m_;
        for (std::int64_t i = 0; i < m_; ++i)
            group(i / kLanes)[a] |= static_cast<std::uint32_t>(column[order_[static_cast<std::size_t>(i)]])
                                    << (i % kLanes);
    });
}

void BinaryFit::store() {
    parallel_for(p_, options_.n_threads, [this](std::int64_t a) {
        std::uint8_t* column = codes_ + a * m_;
        for (std::int64_t i = 0; i < m_; ++i)
            column[order_[static_cast<std::size_t>(i)]] =
                static_cast<std::uint8_t>(group(i / kLanes)[a] >> (i % kLanes) & 1u);
    });
}

void BinaryFit::count() {
    const std::vector<std::uint32_t> none(static_cast<std::size_t>(stride_), 0u);
    parallel_for(p_, options_.n_threads, [&](std::int64_t a) {
        std::int32_t* pairs = pairs_.row(a);
        std::int32_t& single = singles_.row(0)[a];
        // Where all bits are equal, as in `none` and in lanes without a row, a pair sums to 1 for each lane.
        for (std::int64_t g = 0; g < n_groups_; ++g) {
            const std::uint32_t word = group(g)[a];
            kernel_.count_changes(none.data(), group(g), 0, word, stride_, pairs);
            single += 2 * std::popcount(word);
            for (std::int64_t r = 0;
                 r < (labels_.empty() ? 0 : std::min<std::int64_t>(kLanes, m_ - g * kLanes)); ++r)
                blocks_.row(labels_of(g)[r])[a] += word >> r & 1u ? 1 : -1;
        }
        for (std::int64_t b = 0; b < p_; ++b)
            pairs[b] += static_cast<std::int32_t>(m_ - std::llrint(targets_.pairs[a * p_ + b]));
        pairs[a] = 0;  // an attribute is no pair with itself: see serial_visit
        single -= static_cast<std::int32_t>(m_ + std::llrint(targets_.singles[a]));
        for (std::int64_t j = 0; j < n_blocks(); ++j)
            blocks_.row(j)[a] -= static_cast<std::int32_t>(std::llrint(targets_.block_sums[j * p_ + a]));
    });
}

void BinaryFit::begin_group(std::int64_t g, Scratch& scratch) {
    for (std::int64_t a = 0; a < p_; ++a) kernel_.expand(group(g)[a], scratch.z.data() + a * kLanes);
}

void BinaryFit::draw_thresholds(std::int64_t sweep, std::int64_t g, std::int64_t visit,
                                Scratch& scratch) const {
    if (visit % kVisitsPerStreamGroup == 0)
        draw_words(key_, StreamDomain::moves,
                   static_cast<std::uint64_t>(sweep) << 32 | static_cast<std::uint64_t>(g),
                   visit / kVisitsPerStreamGroup, scratch.words);
    const std::uint32_t* words = scratch.words + visit % kVisitsPerStreamGroup * (kLanes / 2);
    const float* quantiles = logistic_quantiles();
    for (int r = 0; r < kLanes / 2; ++r) {
        scratch.thresholds[r] = quantiles[words[r] & 0xffffu];
        scratch.thresholds[r + kLanes / 2] = quantiles[words[r] >> 16];
    }
}

void BinaryFit::sum_lanes(std::int64_t g, std::int64_t a, const std::int32_t* counts,
                          Scratch& scratch) const {
    const float single = single_weight_ * static_cast<float>(singles_.row(0)[a]);
    if (labels_.empty())
        for (float& s : scratch.sums) s = single;
    else
        for (int r = 0; r < kLanes; ++r)
            scratch.sums[r] = single + block_weight_ * static_cast<float>(blocks_.row(labels_of(g)[r])[a]);
    kernel_.to_float(counts, stride_, scratch.row.data());
    kernel_.dot_lanes(scratch.z.data(), scratch.row.data(), p_, scratch.sums);
}

void BinaryFit::batched_group(std::int64_t sweep, std::int64_t g, Scratch& scratch) {
    const auto beta2 = static_cast<float>(2 * options_.beta);
    begin_group(g, scratch);
    for (std::int64_t t = 0; t < p_; ++t) {
        const std::int64_t a = (g + t) % p_;
        float* z = scratch.z.data() + a * kLanes;
        draw_thresholds(sweep, g, t, scratch);
        sum_lanes(g, a, pairs_.row(a), scratch);
        const std::uint32_t flips =
            kernel_.flips(scratch.sums, z, self_, beta2, scratch.thresholds) & lanes_in_use(g);
        group(g)[a] ^= flips;
        kernel_.expand(group(g)[a], z);
    }
}

void BinaryFit::count_batch(std::int64_t a, const std::uint32_t* batch, std::int64_t n_batch,
                            const std::uint32_t* before) {
    for (std::int64_t i = 0; i < n_batch; ++i) {
        const std::int64_t g = batch[i];
        const std::uint32_t* old_words = before + i * stride_;
        const std::uint32_t old_word = old_words[a];
        const std::uint32_t word = group(g)[a];
        kernel_.count_changes(old_words, group(g), old_word, word, stride_, pairs_.row(a));
        singles_.row(0)[a] += 2 * (std::popcount(word) - std::popcount(old_word));
        for (std::uint32_t flips = labels_.empty() ? 0 : old_word ^ word; flips != 0; flips &= flips - 1) {
            const int r = std::countr_zero(flips);
            blocks_.row(labels_of(g)[r])[a] += word >> r & 1u ? 2 : -2;
        }
    }
}

std::int64_t BinaryFit::batched_sweep(std::int64_t sweep, std::vector<std::unique_ptr<Scratch>>& scratch) {
    const auto per_batch = static_cast<std::int64_t>(scratch.size());
    const std::int64_t n_shares = std::min<std::int64_t>(p_, 8);
    const std::vector<std::uint32_t> order = group_order(sweep);
    std::vector<std::uint32_t> before(static_cast<std::size_t>(per_batch * stride_));
    std::int64_t n_moves = 0;
    for (std::int64_t first = 0; first < n_groups_; first += per_batch) {
        const std::uint32_t* batch = order.data() + first;
        const std::int64_t n_batch = std::min(per_batch, n_groups_ - first);
        for (std::int64_t i = 0; i < n_batch; ++i)
            std::copy(group(batch[i]), group(batch[i]) + stride_, before.begin() + i * stride_);
        parallel_for(n_batch, options_.n_threads, [&](std::int64_t i) {
            batched_group(sweep, batch[i], *scratch[static_cast<std::size_t>(i)]);
        });
        parallel_for(n_shares, options_.n_threads, [&](std::int64_t share) {
            for (std::int64_t a = share * p_ / n_shares; a < (share + 1) * p_ / n_shares; ++a)
                count_batch(a, batch, n_batch, before.data());
        });
        for (std::int64_t i = 0; i < n_batch * stride_; ++i)
            n_moves +=
                std::popcount(before[static_cast<std::size_t>(i)] ^ group(batch[i / stride_])[i % stride_]);
    }
    return n_moves;
}

// Lane by lane: a flip changes what later lanes of the same group see of this attribute, by the products of
// their rows.
std::uint32_t BinaryFit::serial_visit(std::int64_t g, std::int64_t a, float beta2, Scratch& scratch) {
    float* z = scratch.z.data() + a * kLanes;
    std::uint32_t waiting = lanes_in_use(g);
    std::uint32_t flipped = 0;
    for (;;) {
        const std::uint32_t flips =
            kernel_.flips(scratch.sums, z, self_, beta2, scratch.thresholds) & waiting;
        if (flips == 0) break;
        const int r = std::countr_zero(flips);
        flipped |= 1u << r;
        waiting = r == kLanes - 1 ? 0 : ~0u << (r + 1) & waiting;
        const float change = -2 * z[r];
        singles_.row(0)[a] += static_cast<std::int32_t>(change);
        kernel_.correct(scratch.gram + r * kLanes, z, z[r], scratch.sums);
        for (float& s : scratch.sums) s += single_weight_ * change;
        if (labels_.empty()) continue;
        const std::int32_t* labels = labels_of(g);
        blocks_.row(labels[r])[a] += static_cast<std::int32_t>(change);
        for (int c = 0; c < kLanes; ++c)
            if (labels[c] == labels[r]) scratch.sums[c] += block_weight_ * change;
    }
    return flipped;
}

std::int64_t BinaryFit::serial_group(std::int64_t sweep, std::int64_t g, Scratch& scratch) {
    const auto beta2 = is_greedy(sweep) ? 1.0f : static_cast<float>(2 * options_.beta);
    std::uint32_t* words = group(g);
    std::copy(words, words + stride_, scratch.before.data());
    begin_group(g, scratch);
    kernel_.gram(words, p_, scratch.gram);
    std::int64_t n_moves = 0;
    for (std::int64_t t = 0; t < p_; ++t) {
        const std::int64_t a = (g + t) % p_;
        const std::int32_t* counts = pairs_.row(a);
        if (n_moves != 0) {  // other attributes of this group have moved since the pairs were counted
            std::copy(counts, counts + stride_, scratch.counts.data());
            kernel_.count_changes(scratch.before.data(), words, words[a], words[a], stride_,
                                  scratch.counts.data());
            counts = scratch.counts.data();
        }
        if (!is_greedy(sweep)) draw_thresholds(sweep, g, t, scratch);
        sum_lanes(g, a, counts, scratch);
        const std::uint32_t flipped = serial_visit(g, a, beta2, scratch);
        if (flipped == 0) continue;
        float* z = scratch.z.data() + a * kLanes;
        kernel_.update_gram(scratch.gram, z, flipped);
        words[a] ^= flipped;
        kernel_.expand(words[a], z);
        n_moves += std::popcount(flipped);
    }
    if (n_moves != 0)
        for (std::int64_t a = 0; a < p_; ++a)
            kernel_.count_changes(scratch.before.data(), words, scratch.before[static_cast<std::size_t>(a)],
                                  words[a], stride_, pairs_.row(a));
    return n_moves;
}

std::int64_t BinaryFit::serial_sweep(std::int64_t sweep, Scratch& scratch) {
    std::int64_t n_moves = 0;
    for (const std::uint32_t g : group_order(sweep)) {
        poll_interrupt();
        n_moves += serial_group(sweep, g, scratch);
    }
    return n_moves;
}

SweepRecord BinaryFit::measure(std::int64_t n_moves) const {
    const auto square = [](std::int64_t d) { return static_cast<double>(d) * static_cast<double>(d); };
    double pairs = 0;
    double singles = 0;
    double blocks = 0;
    for (std::int64_t a = 0; a < p_; ++a) {
        singles += square(singles_.value(0, a));
        for (std::int64_t b = a + 1; b < p_; ++b) pairs += square(pairs_.value(a, b));
        for (std::int64_t j = 0; j < n_blocks(); ++j) blocks += square(blocks_.value(j, a));
    }
    const auto root_mean = [](double sum, std::int64_t n) {
        return n == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(n));
    };
    return {root_mean(pairs, p_ * (p_ - 1) / 2), root_mean(singles, p_), root_mean(blocks, p_ * n_blocks()),
            n_moves};
}

std::vector<SweepRecord> BinaryFit::run() {
    std::vector<SweepRecord> history{measure(0)};
    std::vector<std::unique_ptr<Scratch>> scratch;
    const std::int64_t n_scratch = std::max<std::int64_t>(1, options_.rows_per_batch / kLanes);
    for (std::int64_t i = 0; i < n_scratch; ++i) scratch.push_back(std::make_unique<Scratch>(p_, stride_));
    for (int sweep = 0; sweep < options_.n_sweeps; ++sweep) {
        if (sweep != 0)
            for (Discrepancies* d : {&pairs_, &singles_, &blocks_}) d->raise_multipliers();
        history.push_back(measure(options_.rows_per_batch == 0 ? serial_sweep(sweep, *scratch[0])
                                                               : batched_sweep(sweep, scratch)));
    }
    for (Discrepancies* d : {&pairs_, &singles_, &blocks_}) d->drop_multipliers();
    std::fill(std::begin(scratch[0]->thresholds), std::end(scratch[0]->thresholds), 0.0f);
    for (int sweep = 0; sweep < options_.n_greedy_sweeps; ++sweep)
        history.push_back(measure(serial_sweep(options_.n_sweeps + sweep, *scratch[0])));
    store();
    return history;
}

}  // namespace

std::vector<SweepRecord> fit_rows_binary(std::uint8_t* codes, std::int64_t p, std::int64_t m,
                                         const BinaryTargets& targets, const FitOptions& options,
                                         const StreamKey& key) {
    FitOptions chosen = options;
    if (chosen.rows_per_batch < 0) {
        chosen.rows_per_batch = std::min(rows_per_batch_bound(m, p) / kLanes, kMaxGroupsPerBatch) * kLanes;
    }
    return BinaryFit(codes, p, m, targets, chosen, key).run();
}

}  // namespace covloss
