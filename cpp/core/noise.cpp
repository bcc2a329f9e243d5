#include "core/noise.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"

namespace covloss {
namespace {

using std::int64_t;
using std::uint32_t;
using std::uint64_t;
__extension__ typedef unsigned __int128 uint128_t;

constexpr int64_t kMaxTerm = int64_t{1} << 62;          // numerators and denominators
constexpr int64_t kMaxLaplaceScale = int64_t{1} << 40;  // so that scale * (kMaxLength + 1) fits 63 bits
constexpr uint32_t kMaxLength = 1u << 16;               // of the unit-exponent walk V: passed with e^-65536
constexpr int kChunkBits = 8;                           // revealed per step of a lazy comparison
constexpr int64_t kCellsPerTask = 4096;                 // under a millisecond of work

// The random bits of one cell, in the order of the keystream: low bits of each word first.
class BitStream {
  public:
    // `words`: block 0 of the cell, one word every kChaChaLanes.
    BitStream(const ChaChaKey& key, uint32_t stream, uint64_t cell, const uint32_t* words) noexcept
        : key_(key), nonce_(cell_nonce(stream, cell)), words_(words) {}

    BitStream(const BitStream&) = delete;
    BitStream& operator=(const BitStream&) = delete;

    // The next `count` bits, 1 <= count <= 32.
    uint32_t bits(int count) noexcept {
        if (n_pooled_ < count) {
            pool_ |= static_cast<uint64_t>(next_word()) << n_pooled_;
            n_pooled_ += 32;
        }
        const auto result = static_cast<uint32_t>(pool_ & ((uint64_t{1} << count) - 1));
        pool_ >>= count;
        n_pooled_ -= count;
        return result;
    }

    // The next `count` bits, 1 <= count <= 64.
    uint64_t long_bits(int count) noexcept {
        if (count <= 32) return bits(count);
        const uint64_t low = bits(32);
        return low | (static_cast<uint64_t>(bits(count - 32)) << 32);
    }

  private:
    uint32_t next_word() noexcept {
        if (position_ == kChaChaWords) {  // 2^32 blocks of one cell are out of reach
            chacha20_block(key_, ++counter_, nonce_, later_);
            words_ = later_;
            stride_ = 1;
            position_ = 0;
        }
        return words_[stride_ * position_++];
    }

    const ChaChaKey& key_;
    ChaChaNonce nonce_;
    const uint32_t* words_;
    int stride_ = kChaChaLanes;
    int position_ = 0;
    int n_pooled_ = 0;
    uint64_t pool_ = 0;
    uint32_t counter_ = 0;
    uint32_t later_[kChaChaWords];
};

// Uniform on [0, bound), 1 <= bound <= 2^63: multiply and reject (Lemire 2019), with eight spare bits so that
// a rejection is rare.
uint64_t uniform(BitStream& random, uint64_t bound) noexcept {
    if (bound == 1) return 0;
    const int width = std::min(64, static_cast<int>(std::bit_width(bound - 1)) + 8);
    const uint64_t mask = ~uint64_t{0} >> (64 - width);
    uint128_t product = static_cast<uint128_t>(random.long_bits(width)) * bound;
    if ((static_cast<uint64_t>(product) & mask) < bound) {
        const uint64_t biased = (mask % bound + 1) % bound;  // 2^width mod bound
        while ((static_cast<uint64_t>(product) & mask) < biased)
            product = static_cast<uint128_t>(random.long_bits(width)) * bound;
    }
    return static_cast<uint64_t>(product >> width);
}

// True with probability min(1, n/m). With R = (r + R')/2^8 the question R m < n becomes
// R' m < 2^8 n - r m: decided unless the right side lies strictly between 0 and m (probability at most 2^-8).
template <class Unsigned>
bool bernoulli(BitStream& random, Unsigned n, Unsigned m) noexcept {
    for (;;) {
        const Unsigned left = n << kChunkBits, right = random.bits(kChunkBits) * m;
        if (left <= right) return false;
        n = left - right;
        if (n >= m) return true;
    }
}

// True with probability exp(-n/m), n <= m <= 2^63.
bool bernoulli_exp_fraction(BitStream& random, uint64_t n, uint64_t m) noexcept {
    uint32_t k = 1;
    if (m < uint64_t{1} << 40) {  // 8 bits of k and 8 of the chunk still fit
        const uint64_t short_limit = 256;
        while (k < short_limit && bernoulli<uint64_t>(random, n, m * k)) ++k;
        if (k < short_limit) return k % 2 == 1;
    }
    while (bernoulli<uint128_t>(random, n, static_cast<uint128_t>(m) * k)) ++k;
    return k % 2 == 1;
}

// True with probability exp(-n/m).
bool bernoulli_exp(BitStream& random, uint128_t n, uint64_t m) noexcept {
    for (; n >= m; n -= m)
        if (!bernoulli_exp_fraction(random, 1, 1)) return false;
    return bernoulli_exp_fraction(random, static_cast<uint64_t>(n), m);
}

int64_t laplace(BitStream& random, uint64_t t, uint64_t s) {
    for (;;) {
        const uint64_t u = uniform(random, t);
        if (!bernoulli_exp_fraction(random, u, t)) continue;
        uint32_t v = 0;
        while (bernoulli_exp_fraction(random, 1, 1))
            if (++v > kMaxLength) throw std::runtime_error("the random generator is broken");
        const uint128_t x = static_cast<uint128_t>(t) * v + u;
        const uint64_t y = x >> 64 ? static_cast<uint64_t>(x / s) : static_cast<uint64_t>(x) / s;
        const bool negative = random.bits(1) == 1;
        if (negative && y == 0) continue;
        return negative ? -static_cast<int64_t>(y) : static_cast<int64_t>(y);
    }
}

struct GaussianParameters {
    uint64_t b, two_a;
    uint64_t h;      // floor(sigma)
    uint64_t slope;  // b (2h + 1): the proposal has scale two_a / slope
};

int64_t gaussian(BitStream& random, const GaussianParameters& parameters) {
    for (;;) {
        const int64_t y = laplace(random, parameters.two_a, parameters.slope);
        const auto size = static_cast<uint64_t>(y < 0 ? -y : y);
        const uint64_t e = size > parameters.h ? size - parameters.h - 1 : parameters.h - size;
        const uint128_t exponent = static_cast<uint128_t>(e) * (e + 1) * parameters.b;
        if (bernoulli_exp(random, exponent, parameters.two_a)) return y;
    }
}

// floor(sqrt(x)), x < 2^63, by Newton's iteration from above.
uint64_t integer_sqrt(uint64_t x) noexcept {
    if (x < 2) return x;
    uint64_t root = uint64_t{1} << (static_cast<int>(std::bit_width(x)) + 1) / 2;
    for (;;) {
        const uint64_t next = (root + x / root) / 2;
        if (next >= root) return root;
        root = next;
    }
}

void check(Ratio ratio, const char* what) {
    if (ratio.numerator < 1 || ratio.denominator < 1 || ratio.numerator > kMaxTerm ||
        ratio.denominator > kMaxTerm)
        throw std::invalid_argument(std::string(what) + " must be a ratio of integers from 1 to 2^62, got " +
                                    std::to_string(ratio.numerator) + "/" +
                                    std::to_string(ratio.denominator));
}

template <class Sampler>
void fill(const ChaChaKey& key, uint32_t stream, uint64_t first_cell, int64_t n, int n_threads, int64_t* out,
          const Sampler& sampler) {
    parallel_for((n + kCellsPerTask - 1) / kCellsPerTask, n_threads, [&](int64_t task) {
        const int64_t end = std::min(n, (task + 1) * kCellsPerTask);
        uint32_t words[kChaChaWords * kChaChaLanes];
        for (int64_t begin = task * kCellsPerTask; begin < end; begin += kChaChaLanes) {
            const uint64_t cell = first_cell + static_cast<uint64_t>(begin);
            chacha20_lanes(key, 0, stream, cell, words);
            const auto n_lanes = static_cast<int>(std::min<int64_t>(kChaChaLanes, end - begin));
            for (int lane = 0; lane < n_lanes; ++lane) {
                BitStream random(key, stream, cell + static_cast<uint64_t>(lane), words + lane);
                out[begin + lane] = sampler(random);
            }
        }
    });
}

}  // namespace

void discrete_laplace(const ChaChaKey& key, uint32_t stream, uint64_t first_cell, int64_t n, Ratio scale,
                      int n_threads, int64_t* out) {
    check(scale, "the scale");
    if (scale.numerator / scale.denominator >= kMaxLaplaceScale)
        throw std::invalid_argument("the scale must be below 2^40, got " + std::to_string(scale.numerator) +
                                    "/" + std::to_string(scale.denominator));
    const auto t = static_cast<uint64_t>(scale.numerator), s = static_cast<uint64_t>(scale.denominator);
    fill(key, stream, first_cell, n, n_threads, out,
         [t, s](BitStream& random) { return laplace(random, t, s); });
}

void discrete_gaussian(const ChaChaKey& key, uint32_t stream, uint64_t first_cell, int64_t n, Ratio variance,
                       int n_threads, int64_t* out) {
    check(variance, "the variance");
    const auto a = static_cast<uint64_t>(variance.numerator), b = static_cast<uint64_t>(variance.denominator);
    const uint64_t h = integer_sqrt(a / b);
    const GaussianParameters parameters{b, 2 * a, h, b * (2 * h + 1)};
    fill(key, stream, first_cell, n, n_threads, out,
         [&parameters](BitStream& random) { return gaussian(random, parameters); });
}

}  // namespace covloss
