#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <mutex>
#include <vector>

#include "core/parallel.hpp"
#include "core/restoration.hpp"
#include "core/restoration_moves.hpp"
#include "core/restoration_shards.hpp"
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

// What decides the moves of one attribute of a group; lanes as bits, floats by lane.
struct LaneMoves {
    const float* z;              // of the attribute
    const float* gram;           // [lane][lane]: sum_b z_rb z_cb
    const float* thresholds;     // see move_lanes_body
    const std::int32_t* labels;  // null: no blocks
    float self;                  // sum of the weights that the attribute has a part in
    float beta2;
    float single_weight;
    float block_weight;
    std::uint32_t may_flip;
    std::uint32_t must_flip;
};

// Bit i where mask i is all ones, not zero.
struct BaselineBits {
    static std::uint32_t of(const UInt8x32& masks) {
        std::uint32_t bits = 0;
        for (int i = 0; i < kVector; ++i) bits |= masks[i] & 1u << i;
        return bits;
    }
};
#if COVLOSS_HAS_AVX2_LEVEL
struct Avx2Bits {
    COVLOSS_TARGET_AVX2 static std::uint32_t of(const UInt8x32& masks) {
        return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)masks));
    }
};
#endif

// What the flip of lane r adds to the pull z_a s on the lanes of vector v: the pair part by the products of
// the two rows without the attribute itself, the rest by its weight.
COVLOSS_ALWAYS_INLINE void add_flip(const LaneMoves& moves, int r, int v, Float8& pull) {
    Float8 z, product;
    load8(z, moves.z + v * kVector);
    load8(product, moves.gram + r * kLanes + v * kVector);
    product += moves.single_weight;
    if (moves.labels != nullptr) {
        Int8x32 labels;
        load8(labels, moves.labels + v * kVector);
        product += labels == moves.labels[r] ? Float8{} + moves.block_weight : Float8{};
    }
    pull += 2 - 2 * moves.z[r] * z * product;
}

// Which lanes flip, lane by lane: later ones see the flips of earlier ones. With the sums s = sum_b D_ab z_b
// + w1 D_a + wB D_ja, a flip changes the energy by 2 beta (self - z_a s). A lane flips if that is less than
// its threshold: the quantile of the logistic law at a uniform draw (a flip then has the Gibbs probability 1
// / (1 + exp(change))), or 0 for greedy moves.
template <class Bits>
COVLOSS_ALWAYS_INLINE std::uint32_t move_lanes_body(const LaneMoves& moves, const float* sums) {
    constexpr int kVectors = kLanes / kVector;
    Float8 pull[kVectors];  // z_a s
    for (int v = 0; v < kVectors; ++v) {
        Float8 sum, z;
        load8(sum, sums + v * kVector);
        load8(z, moves.z + v * kVector);
        pull[v] = z * sum;
    }
    std::uint32_t flipped = 0;
    for (int first = 0; first < kVectors; ++first) {
        Float8 threshold;
        load8(threshold, moves.thresholds + first * kVector);
        const Float8 bound = moves.self - threshold / moves.beta2;
        Float8 here = pull[first];
        std::uint32_t waiting = moves.may_flip >> first * kVector & 0xffu;
        for (;;) {
            const std::uint32_t wishes = Bits::of((UInt8x32)(here > bound));
            const std::uint32_t flips = (wishes | moves.must_flip >> first * kVector) & waiting;
            if (flips == 0) break;
            const int r = first * kVector + std::countr_zero(flips);
            waiting &= ~0u << (r - first * kVector + 1);
            flipped |= 1u << r;
            add_flip(moves, r, first, here);
            for (int v = first + 1; v < kVectors; ++v) add_flip(moves, r, v, pull[v]);
        }
    }
    return flipped;
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

// Swaps bit b of words[r] with bit r of words[b], by halves (Warren, Hacker's Delight, 7-3).
COVLOSS_ALWAYS_INLINE void transpose_body(std::uint32_t* words) {
    std::uint32_t mask = 0x0000ffffu;
    for (int j = 16; j != 0; j >>= 1, mask ^= mask << j)
        for (int k = 0; k < kLanes; k = ((k | j) + 1) & ~j) {
            const std::uint32_t t = (words[k] >> j ^ words[k | j]) & mask;
            words[k] ^= t << j;
            words[k | j] ^= t;
        }
}

struct Kernels {
    decltype(&expand_body) expand;
    decltype(&dot_lanes_baseline) dot_lanes;
    decltype(&to_float_body) to_float;
    decltype(&count_changes_baseline) count_changes;
    decltype(&move_lanes_body<BaselineBits>) move_lanes;
    decltype(&update_gram_body) update_gram;
    decltype(&transpose_body) transpose;
};

constexpr Kernels kBaseline{AtLevel<expand_body>::baseline,
                            dot_lanes_baseline,
                            AtLevel<to_float_body>::baseline,
                            count_changes_baseline,
                            AtLevel<move_lanes_body<BaselineBits>>::baseline,
                            AtLevel<update_gram_body>::baseline,
                            AtLevel<transpose_body>::baseline};
#if COVLOSS_HAS_AVX2_LEVEL
constexpr Kernels kAvx2{AtLevel<expand_body>::avx2,
                        dot_lanes_avx2,
                        AtLevel<to_float_body>::avx2,
                        count_changes_avx2,
                        AtLevel<move_lanes_body<Avx2Bits>>::avx2,
                        AtLevel<update_gram_body>::avx2,
                        AtLevel<transpose_body>::avx2};
#endif

const Kernels& kernels() {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return kAvx2;
#endif
    return kBaseline;
}

// ---- the fit ------------------------------------------------------------------------------------------

class BinaryProblem {
  public:
    class Rows;

    BinaryProblem(const BinaryTargets& targets, const FitOptions& options, const StreamKey& key,
                  BitMatrix& bits)
        : bits_(bits),
          p_(bits.n_columns()),
          stride_((p_ + kVector - 1) / kVector * kVector),
          m_(bits.n_rows()),
          targets_(targets),
          block_shares_(targets.labels, m_, targets.n_blocks),
          key_(key),
          beta2_(static_cast<float>(2 * options.beta)),
          single_weight_(static_cast<float>(targets.single_weight)),
          block_weight_(targets.labels == nullptr ? 0.0f : static_cast<float>(targets.block_weight)),
          self_(static_cast<float>(p_ - 1) + single_weight_ + block_weight_),
          exclusions_(static_cast<std::size_t>(p_)) {
        targets.forbidden.for_each([this](int a, int u, int b, int v) {
            exclusions_[static_cast<std::size_t>(a)].push_back({u, b, v});
        });
    }

    Discrepancies zero() const { return {p_, block_shares_.n_blocks(), stride_}; }
    void add_targets(int sign, const RowRange& range, Discrepancies& d) const;
    SweepRecord measure(const Discrepancies& d, std::int64_t n_moves) const;

  private:
    // An attribute may not have `level` in rows where the other attribute has other_level.
    struct Exclusion {
        int level;
        int other;
        int other_level;
    };

    BitMatrix& bits_;
    mutable std::mutex words_mutex_;  // of bits_: shards share words at their borders
    std::int64_t p_;
    std::int64_t stride_;
    std::int64_t m_;
    const BinaryTargets& targets_;
    BlockShares block_shares_;
    const StreamKey& key_;
    float beta2_;
    float single_weight_;
    float block_weight_;
    float self_;
    std::vector<std::vector<Exclusion>> exclusions_;
};

void BinaryProblem::add_targets(int sign, const RowRange& range, Discrepancies& d) const {
    const double share = range.share_of(m_);
    for (std::int64_t a = 0; a < p_; ++a) {
        for (std::int64_t b = 0; b < p_; ++b)
            if (b != a) d.pairs(a)[b] += sign * rounded(targets_.pairs[a * p_ + b] * share);
        d.singles()[a] += sign * rounded(targets_.singles[a] * share);
    }
    const std::vector<double> shares = block_shares_.of(range);
    for (std::size_t j = 0; j < shares.size(); ++j)
        for (std::int64_t a = 0; a < p_; ++a)
            d.block(static_cast<std::int64_t>(j))[a] +=
                sign * rounded(targets_.block_sums[static_cast<std::int64_t>(j) * p_ + a] * shares[j]);
}

SweepRecord BinaryProblem::measure(const Discrepancies& d, std::int64_t n_moves) const {
    double pairs = 0;
    double singles = 0;
    double blocks = 0;
    for (std::int64_t a = 0; a < p_; ++a) {
        singles += square(d.singles()[a]);
        for (std::int64_t b = a + 1; b < p_; ++b) pairs += square(d.pairs(a)[b]);
        for (std::int64_t j = 0; j < d.n_blocks(); ++j) blocks += square(d.block(j)[a]);
    }
    return {root_mean(pairs, p_ * (p_ - 1) / 2), root_mean(singles, p_), root_mean(blocks, p_ * d.n_blocks()),
            n_moves};
}

// Rows of a range in groups. A shard has a copy of its rows, which are mixed first, so that rows that Gibbs
// moves visit together have nothing else in common. All rows together stay where they are, in the table:
// greedy moves depend on the counts alone.
class BinaryProblem::Rows {
  public:
    Rows(const BinaryProblem& problem, const RowRange& range, Discrepancies& d, int n_threads);
    void count();  // of a shard
    std::int64_t gibbs_sweep(int sweep) { return do_sweep(sweep, true); }
    std::int64_t greedy_sweep(int sweep) { return do_sweep(sweep, false); }
    void store(int n_threads) const;

  private:
    // Words and labels of a group, to be read and changed; of all rows a copy, which `put_back` stores.
    void take(std::int64_t g);
    void put_back(std::int64_t g);
    std::uint64_t& word_of_table(std::int64_t g, std::int64_t a) const {
        return problem_.bits_.block(g / kGroupsPerBlock, a)[g % kGroupsPerBlock / 2];
    }
    static unsigned half_of(std::int64_t g) { return g % 2 == 0 ? 0 : kLanes; }
    bool has_labels() const { return problem_.targets_.labels != nullptr; }
    std::int64_t n_rows_of(std::int64_t g) const {
        return std::min<std::int64_t>(kLanes, range_.n_rows - g * kLanes);
    }
    std::int64_t attribute_at(std::int64_t g, std::int64_t visit) const { return (g + visit) % p_; }
    std::int64_t do_sweep(int sweep, bool is_gibbs);
    std::int64_t move_group(std::int64_t g, int sweep, bool is_gibbs);
    void draw_thresholds(std::int64_t g, int sweep, std::int64_t visit);
    void sum_lanes(std::int64_t a, const std::int32_t* counts);
    void multiply();
    // Which lanes may flip, and which must, as structural zeros have it.
    void exclude(std::int64_t g, int sweep, std::int64_t visit, std::uint32_t& may_flip,
                 std::uint32_t& must_flip) const;
    std::uint32_t coins_of(std::int64_t g, int sweep, std::int64_t visit) const;
    std::uint32_t move_lanes(std::int64_t g, int sweep, std::int64_t visit, float beta2);

    static constexpr std::int64_t kGroupsPerBlock = kRowsPerBlock / kLanes;

    const BinaryProblem& problem_;
    const Kernels& kernel_;
    RowRange range_;
    std::int64_t p_;
    std::int64_t stride_;
    std::int64_t n_groups_;
    Discrepancies& d_;
    // Of a shard: where its rows come from, and [group][attribute].
    std::vector<std::uint32_t> order_;
    Aligned<std::uint32_t> words_;
    // Of the group that moves:
    std::uint32_t* group_ = nullptr;
    Aligned<std::uint32_t> copy_;
    alignas(64) std::int32_t labels_[kLanes] = {};
    Aligned<float> z_;  // [attribute][lane]
    Aligned<float> row_;
    Aligned<std::int32_t> counts_;
    Aligned<std::uint32_t> before_;
    alignas(64) float gram_[kLanes * kLanes];
    alignas(64) float sums_[kLanes];
    alignas(64) float thresholds_[kLanes] = {};
    std::uint32_t draws_[kStreamGroup];
};

BinaryProblem::Rows::Rows(const BinaryProblem& problem, const RowRange& range, Discrepancies& d, int)
    : problem_(problem),
      kernel_(kernels()),
      range_(range),
      p_(problem.p_),
      stride_(problem.stride_),
      n_groups_((range.n_rows + kLanes - 1) / kLanes),
      d_(d),
      words_(static_cast<std::size_t>(range.is_shard ? n_groups_ * stride_ : 0)),
      copy_(static_cast<std::size_t>(stride_)),
      z_(static_cast<std::size_t>(p_ * kLanes)),
      row_(static_cast<std::size_t>(stride_)),
      counts_(static_cast<std::size_t>(stride_)),
      before_(static_cast<std::size_t>(stride_)) {
    if (!range.is_shard) return;
    order_ = random_order(range.n_rows, problem.key_, range.stream_index(0, 1));
    std::vector<std::uint8_t> column(static_cast<std::size_t>(range.n_rows));
    for (std::int64_t a = 0; a < p_; ++a) {
        {
            const std::lock_guard lock(problem.words_mutex_);
            unpack_column(problem.bits_, a, range.first, range.n_rows, column.data());
        }
        for (std::int64_t g = 0; g < n_groups_; ++g) {
            const std::uint32_t* order = order_.data() + g * kLanes;
            std::uint32_t word = 0;
            for (std::int64_t r = 0; r < n_rows_of(g); ++r)
                word |= static_cast<std::uint32_t>(column[order[r]]) << r;
            words_[static_cast<std::size_t>(g * stride_ + a)] = word;
        }
    }
}

void BinaryProblem::Rows::take(std::int64_t g) {
    if (range_.is_shard) {
        group_ = words_.data() + g * stride_;
    } else {
        group_ = copy_.data();
        for (std::int64_t a = 0; a < p_; ++a)
            group_[a] = static_cast<std::uint32_t>(word_of_table(g, a) >> half_of(g));
    }
    if (!has_labels()) return;
    for (std::int64_t r = 0; r < n_rows_of(g); ++r) {
        const std::int64_t i = g * kLanes + r;
        const std::int64_t row = range_.is_shard ? order_[static_cast<std::size_t>(i)] : i;
        labels_[r] = problem_.targets_.labels[range_.first + row];
    }
}

void BinaryProblem::Rows::put_back(std::int64_t g) {
    if (range_.is_shard) return;
    for (std::int64_t a = 0; a < p_; ++a) {
        std::uint64_t& word = word_of_table(g, a);
        word &= ~(std::uint64_t{0xffffffffu} << half_of(g));
        word |= static_cast<std::uint64_t>(group_[a]) << half_of(g);
    }
}

// A shard's rows go back to their places in the table.
void BinaryProblem::Rows::store(int) const {
    if (!range_.is_shard) return;
    std::vector<std::uint64_t> column;
    for (std::int64_t a = 0; a < p_; ++a) {
        const std::int64_t skipped = range_.first % 64;
        column.assign(static_cast<std::size_t>((skipped + range_.n_rows + 63) / 64), 0);
        for (std::int64_t g = 0; g < n_groups_; ++g) {
            const std::uint32_t* order = order_.data() + g * kLanes;
            const std::uint32_t word = words_[static_cast<std::size_t>(g * stride_ + a)];
            for (std::int64_t r = 0; r < n_rows_of(g); ++r) {
                const auto row = static_cast<std::size_t>(skipped + order[r]);
                column[row / 64] |= static_cast<std::uint64_t>(word >> r & 1u) << row % 64;
            }
        }
        const std::lock_guard lock(problem_.words_mutex_);
        for (std::size_t w = 0; w < column.size(); ++w) {
            const auto at = static_cast<std::int64_t>(64 * w);
            std::uint64_t kept = 0;  // bits of the word that belong to other shards
            if (at < skipped) kept = ~(~std::uint64_t{0} << skipped);
            if (at + 64 > skipped + range_.n_rows)
                kept |= ~std::uint64_t{0} << (skipped + range_.n_rows - at);
            const std::int64_t row = range_.first - skipped + at;
            std::uint64_t& word = problem_.bits_.block(row / kRowsPerBlock, a)[row % kRowsPerBlock / 64];
            word = (word & kept) | column[w];
        }
    }
}

void BinaryProblem::Rows::count() {
    const std::vector<std::uint32_t> none(static_cast<std::size_t>(stride_), 0u);
    for (std::int64_t g = 0; g < n_groups_; ++g) {
        poll_interrupt();
        take(g);
        // Where all bits are equal, as in `none` and in lanes without a row, a pair sums to 1 for each lane:
        // counts are below their value by the number of rows.
        for (std::int64_t a = 0; a < p_; ++a) {
            kernel_.count_changes(none.data(), group_, 0, group_[a], stride_, d_.pairs(a));
            d_.singles()[a] += 2 * std::popcount(group_[a]);
            if (!has_labels()) continue;
            for (std::int64_t r = 0; r < n_rows_of(g); ++r)
                d_.block(labels_[r])[a] += group_[a] >> r & 1u ? 1 : -1;
        }
    }
    const auto n = static_cast<std::int32_t>(range_.n_rows);
    for (std::int64_t a = 0; a < p_; ++a) {
        for (std::int64_t b = 0; b < p_; ++b) d_.pairs(a)[b] += n;
        d_.pairs(a)[a] = 0;  // an attribute is no pair with itself: see move_lanes
        d_.singles()[a] -= n;
    }
}

void BinaryProblem::Rows::draw_thresholds(std::int64_t g, int sweep, std::int64_t visit) {
    if (visit % kVisitsPerStreamGroup == 0)
        draw_words(problem_.key_, StreamDomain::moves, range_.stream_index(sweep, g),
                   visit / kVisitsPerStreamGroup, draws_);
    const std::uint32_t* draws = draws_ + visit % kVisitsPerStreamGroup * (kLanes / 2);
    const float* quantiles = logistic_quantiles();
    for (int r = 0; r < kLanes / 2; ++r) {
        thresholds_[r] = quantiles[draws[r] & 0xffffu];
        thresholds_[r + kLanes / 2] = quantiles[draws[r] >> 16];
    }
}

void BinaryProblem::Rows::sum_lanes(std::int64_t a, const std::int32_t* counts) {
    const float single = problem_.single_weight_ * static_cast<float>(d_.singles()[a]);
    for (int r = 0; r < kLanes; ++r)
        sums_[r] = has_labels()
                       ? single + problem_.block_weight_ * static_cast<float>(d_.block(labels_[r])[a])
                       : single;
    kernel_.to_float(counts, stride_, row_.data());
    kernel_.dot_lanes(z_.data(), row_.data(), p_, sums_);
}

void BinaryProblem::Rows::exclude(std::int64_t g, int sweep, std::int64_t visit, std::uint32_t& may_flip,
                                  std::uint32_t& must_flip) const {
    const std::int64_t a = attribute_at(g, visit);
    std::uint32_t excluded[2] = {0, 0};  // lanes that may not have level 0, level 1
    for (const Exclusion& e : problem_.exclusions_[static_cast<std::size_t>(a)])
        excluded[e.level] |= e.other_level == 1 ? group_[e.other] : ~group_[e.other];
    const std::uint32_t coins = (excluded[0] & excluded[1]) == 0 ? 0 : coins_of(g, sweep, visit);
    const std::uint32_t stay_is_bad = (group_[a] & excluded[1]) | (~group_[a] & excluded[0]);
    const std::uint32_t flip_is_bad = (group_[a] & excluded[0]) | (~group_[a] & excluded[1]);
    must_flip = stay_is_bad & (~flip_is_bad | coins);
    may_flip = ~flip_is_bad | must_flip;
}

// The first bit of each lane's draw.
std::uint32_t BinaryProblem::Rows::coins_of(std::int64_t g, int sweep, std::int64_t visit) const {
    std::uint32_t draws[kStreamGroup];
    draw_words(problem_.key_, StreamDomain::moves, range_.stream_index(sweep, g),
               visit / kVisitsPerStreamGroup, draws);
    std::uint32_t coins = 0;
    for (int r = 0; r < kLanes / 2; ++r) {
        const std::uint32_t draw = draws[visit % kVisitsPerStreamGroup * (kLanes / 2) + r];
        coins |= (draw >> 15 & 1u) << r | (draw >> 31) << (r + kLanes / 2);
    }
    return coins;
}

std::uint32_t BinaryProblem::Rows::move_lanes(std::int64_t g, int sweep, std::int64_t visit, float beta2) {
    const std::int64_t a = attribute_at(g, visit);
    LaneMoves moves{z_.data() + a * kLanes,
                    gram_,
                    thresholds_,
                    has_labels() ? labels_ : nullptr,
                    problem_.self_,
                    beta2,
                    problem_.single_weight_,
                    problem_.block_weight_,
                    ~0u,
                    0u};
    exclude(g, sweep, visit, moves.may_flip, moves.must_flip);
    moves.may_flip &= ~0u >> (kLanes - n_rows_of(g));
    const std::uint32_t flipped = kernel_.move_lanes(moves, sums_);
    const std::uint32_t word = group_[a] ^ flipped;
    d_.singles()[a] += 2 * (2 * std::popcount(word & flipped) - std::popcount(flipped));
    for (std::uint32_t left = has_labels() ? flipped : 0; left != 0; left &= left - 1) {
        const int r = std::countr_zero(left);
        d_.block(labels_[r])[a] += word >> r & 1u ? 2 : -2;
    }
    return flipped;
}

// The products of the rows of a group: p minus twice the attributes in which they differ.
void BinaryProblem::Rows::multiply() {
    std::int32_t products[kLanes][kLanes] = {};
    const std::uint32_t none[kLanes] = {};
    for (std::int64_t first = 0; first < p_; first += kLanes) {
        std::uint32_t rows[kLanes] = {};
        std::copy_n(group_ + first, std::min<std::int64_t>(kLanes, p_ - first), rows);
        kernel_.transpose(rows);
        for (int r = 0; r < kLanes; ++r) kernel_.count_changes(none, rows, 0, rows[r], kLanes, products[r]);
    }
    for (int r = 0; r < kLanes; ++r)
        for (int c = 0; c < kLanes; ++c) gram_[r * kLanes + c] = static_cast<float>(p_ + products[r][c]);
}

std::int64_t BinaryProblem::Rows::move_group(std::int64_t g, int sweep, bool is_gibbs) {
    take(g);
    std::copy(group_, group_ + stride_, before_.data());
    for (std::int64_t a = 0; a < p_; ++a) kernel_.expand(group_[a], z_.data() + a * kLanes);
    multiply();
    std::int64_t n_moves = 0;
    for (std::int64_t visit = 0; visit < p_; ++visit) {
        const std::int64_t a = attribute_at(g, visit);
        const std::int32_t* counts = d_.pairs(a);
        if (n_moves != 0) {  // other attributes of this group have moved since the pairs were counted
            std::copy(counts, counts + stride_, counts_.data());
            kernel_.count_changes(before_.data(), group_, group_[a], group_[a], stride_, counts_.data());
            counts = counts_.data();
        }
        if (is_gibbs) draw_thresholds(g, sweep, visit);
        sum_lanes(a, counts);
        const std::uint32_t flipped = move_lanes(g, sweep, visit, is_gibbs ? problem_.beta2_ : 1.0f);
        if (flipped == 0) continue;
        float* z = z_.data() + a * kLanes;
        kernel_.update_gram(gram_, z, flipped);
        group_[a] ^= flipped;
        kernel_.expand(group_[a], z);
        n_moves += std::popcount(flipped);
    }
    if (n_moves == 0) return 0;
    for (std::int64_t a = 0; a < p_; ++a)
        kernel_.count_changes(before_.data(), group_, before_[static_cast<std::size_t>(a)], group_[a],
                              stride_, d_.pairs(a));
    put_back(g);
    return n_moves;
}

std::int64_t BinaryProblem::Rows::do_sweep(int sweep, bool is_gibbs) {
    if (!is_gibbs) std::fill(std::begin(thresholds_), std::end(thresholds_), 0.0f);
    std::int64_t n_moves = 0;
    for (const std::uint32_t g : random_order(n_groups_, problem_.key_, range_.stream_index(sweep, 0))) {
        poll_interrupt();
        n_moves += move_group(g, sweep, is_gibbs);
    }
    return n_moves;
}

}  // namespace

std::vector<SweepRecord> fit_rows_binary(const BinaryTargets& targets, const FitOptions& options,
                                         const StreamKey& key, BitMatrix& bits) {
    return fit_in_shards(BinaryProblem(targets, options, key, bits), bits.n_rows(), options, {});
}

}  // namespace covloss
