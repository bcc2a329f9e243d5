// Population counts by carry-save addition, packing by shifts of eight bytes at a time.
//
// Harley-Seal: 8 vectors pass through 7 full adders (5 logical operations each), which leave their count as
// ones + 2 twos + 4 fours + 8 eights; only the eights are counted on each round, into byte counters. See
// Mula, Kurz, Lemire, "Faster Population Counts Using AVX2 Instructions", Comput. J. 61 (2018). Two columns
// are counted at a time, since one alone waits for its own adders (0.51 against 0.60 ns for 256 bits).
#include "core/kernels.hpp"

#include <bit>
#include <cstring>

#include "core/simd.hpp"

#if COVLOSS_HAS_AVX2_LEVEL
#include <immintrin.h>
#endif

static_assert(std::endian::native == std::endian::little,
              "packing takes byte 0 of a word as its lowest bits");

namespace covloss {
namespace {

using Word = std::uint64_t;

// ---- packing: one body, compiled at both levels

// Byte c of rows[g] to byte g of out[c].
COVLOSS_ALWAYS_INLINE void transpose_bytes(const Word rows[8], Word out[8]) {
    Word x[8];
    for (unsigned j = 0; j < 4; ++j) {  // exchange halves of rows 4 apart, then of 2, then of 1
        x[j] = (rows[j] & 0x00000000FFFFFFFFULL) | (rows[j + 4] << 32);
        x[j + 4] = (rows[j] >> 32) | (rows[j + 4] & 0xFFFFFFFF00000000ULL);
    }
    for (unsigned i = 0; i < 8; i += 4)
        for (unsigned j = i; j < i + 2; ++j) {
            const Word low = x[j], high = x[j + 2];
            x[j] = (low & 0x0000FFFF0000FFFFULL) | ((high & 0x0000FFFF0000FFFFULL) << 16);
            x[j + 2] = ((low >> 16) & 0x0000FFFF0000FFFFULL) | (high & 0xFFFF0000FFFF0000ULL);
        }
    for (unsigned j = 0; j < 8; j += 2) {
        const Word low = x[j], high = x[j + 1];
        out[j] = (low & 0x00FF00FF00FF00FFULL) | ((high & 0x00FF00FF00FF00FFULL) << 8);
        out[j + 1] = ((low >> 8) & 0x00FF00FF00FF00FFULL) | (high & 0xFF00FF00FF00FF00ULL);
    }
}

// Bit c of byte r to bit r of byte c (Warren, Hacker's Delight, 7-3), of a word or of several side by side.
template <class Words>
COVLOSS_ALWAYS_INLINE void transpose_bits(Words& words) {
    Words t = (words ^ (words >> 7)) & 0x00AA00AA00AA00AAULL;
    words ^= t ^ (t << 7);
    t = (words ^ (words >> 14)) & 0x0000CCCC0000CCCCULL;
    words ^= t ^ (t << 14);
    t = (words ^ (words >> 28)) & 0x00000000F0F0F0F0ULL;
    words ^= t ^ (t << 28);
}

// Bit r of byte c: column c of row r, for up to eight rows of eight bytes that are 0 or 1.
COVLOSS_ALWAYS_INLINE Word shift_rows(const std::uint8_t* corner, std::ptrdiff_t row_stride, unsigned n_rows,
                                      Word mask, Word& seen) {
    Word taken = 0;
    for (unsigned r = 0; r < n_rows; ++r) {
        Word row;
        std::memcpy(&row, corner + static_cast<std::ptrdiff_t>(r) * row_stride, sizeof row);
        row &= mask;
        seen |= row;
        taken |= row << r;
    }
    return taken;
}

// Eight rows are shifted into the bits of one row of bytes, eight such rows are transposed as bytes: no bit
// is ever handled alone.
COVLOSS_ALWAYS_INLINE Word pack_rows_body(const std::uint8_t* corner, std::ptrdiff_t row_stride,
                                          std::size_t n_rows, std::size_t n_columns, Word* out) {
    Word seen = 0;
    const std::size_t full = n_rows / 8;
    const auto rest = static_cast<unsigned>(n_rows % 8);
    for (std::size_t k = 0; 8 * k < n_columns; ++k) {
        const std::size_t left = n_columns - 8 * k;
        const Word mask = left < 8 ? (Word{1} << (8 * left)) - 1 : ~Word{0};
        Word bytes[8] = {};
        const std::uint8_t* at = corner + 8 * k;
        for (std::size_t group = 0; group < full; ++group, at += 8 * row_stride)
            bytes[group] = shift_rows(at, row_stride, 8, mask, seen);
        if (rest != 0) bytes[full] = shift_rows(at, row_stride, rest, mask, seen);
        transpose_bytes(bytes, out + 8 * k);
    }
    return seen;
}

COVLOSS_ALWAYS_INLINE Word pack_column_body(const std::uint8_t* values, std::size_t n_words, Word* out) {
    Word seen = 0;
    for (std::size_t word = 0; word < n_words; ++word) {
        Word taken = 0;
        for (unsigned group = 0; group < 8; ++group) {
            Word bytes;
            std::memcpy(&bytes, values + 64 * word + 8 * group, sizeof bytes);
            seen |= bytes;
            // The product moves byte r to bit 56 + r; no two terms meet, so there is no carry.
            taken |= ((bytes * 0x0102040810204080ULL) >> 56) << (8 * group);
        }
        out[word] = taken;
    }
    return seen;
}

COVLOSS_ALWAYS_INLINE void and_words_body(const Word* a, const Word* b, std::size_t n_words, Word* out) {
    for (std::size_t i = 0; i < n_words; ++i) out[i] = a[i] & b[i];
}

// ---- counting, portable

// Full adder: a + b + low = 2 * (returned) + low.
COVLOSS_ALWAYS_INLINE Word add(Word& low, Word a, Word b) {
    const Word u = a ^ b;
    const Word carry = (a & b) | (u & low);
    low ^= u;
    return carry;
}

// Ones of each byte, at most 8.
COVLOSS_ALWAYS_INLINE Word ones_of_bytes(Word x) {
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    return (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
}

// Sum of the eight bytes.
COVLOSS_ALWAYS_INLINE std::uint32_t sum_of_bytes(Word x) {
    x = (x & 0x00FF00FF00FF00FFULL) + ((x >> 8) & 0x00FF00FF00FF00FFULL);
    return static_cast<std::uint32_t>((x * 0x0001000100010001ULL) >> 48);
}

// Four words side by side, which the compiler lays into whatever vectors the baseline has.
COVLOSS_ALWAYS_INLINE void and_counts_portable(const Word* a, const Word* const* columns,
                                               std::size_t n_columns, std::size_t n_words,
                                               std::uint32_t* counts) {
    constexpr std::size_t kLanes = 4;
    for (std::size_t j = 0; j < n_columns; ++j) {
        const Word* b = columns[j];
        Word ones[kLanes] = {}, twos[kLanes] = {}, fours[kLanes] = {}, eights[kLanes] = {};
        for (std::size_t i = 0; i < n_words; i += 8 * kLanes)
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                const Word* x = a + i + lane;
                const Word* y = b + i + lane;
                const auto both = [&](std::size_t k) { return x[k * kLanes] & y[k * kLanes]; };
                const Word two_a = add(ones[lane], both(0), both(1));
                const Word two_b = add(ones[lane], both(2), both(3));
                const Word four_a = add(twos[lane], two_a, two_b);
                const Word two_c = add(ones[lane], both(4), both(5));
                const Word two_d = add(ones[lane], both(6), both(7));
                const Word four_b = add(twos[lane], two_c, two_d);
                eights[lane] += ones_of_bytes(add(fours[lane], four_a, four_b));
            }
        std::uint32_t total = 0;
        for (std::size_t lane = 0; lane < kLanes; ++lane)
            total += 8 * sum_of_bytes(eights[lane]) + 4 * sum_of_bytes(ones_of_bytes(fours[lane])) +
                     2 * sum_of_bytes(ones_of_bytes(twos[lane])) + sum_of_bytes(ones_of_bytes(ones[lane]));
        counts[j] += total;
    }
}

// ---- the baseline level

void and_counts_baseline(const Word* a, const Word* const* columns, std::size_t n_columns,
                         std::size_t n_words, std::uint32_t* counts) {
    and_counts_portable(a, columns, n_columns, n_words, counts);
}

void and_words_baseline(const Word* a, const Word* b, std::size_t n_words, Word* out) {
    and_words_body(a, b, n_words, out);
}

Word pack_rows_baseline(const std::uint8_t* corner, std::ptrdiff_t row_stride, std::size_t n_rows,
                        std::size_t n_columns, Word* out) {
    return pack_rows_body(corner, row_stride, n_rows, n_columns, out);
}

Word pack_column_baseline(const std::uint8_t* values, std::size_t n_words, Word* out) {
    return pack_column_body(values, n_words, out);
}

void rows_of_words_baseline(const Word* words, std::size_t stride, std::uint8_t out[64]) {
    Word columns[8], rows[8];
    for (std::size_t c = 0; c < 8; ++c) columns[c] = words[c * stride];
    transpose_bytes(columns, rows);
    for (Word& each : rows) transpose_bits(each);
    std::memcpy(out, rows, sizeof rows);
}

constexpr BitKernels kBaseline{and_counts_baseline, and_words_baseline, pack_rows_baseline,
                               rows_of_words_baseline, pack_column_baseline};

// ---- the AVX2 level

#if COVLOSS_HAS_AVX2_LEVEL

using Vector = __m256i;
typedef Word Words4 __attribute__((vector_size(32)));

COVLOSS_ALWAYS_INLINE COVLOSS_TARGET_AVX2 Vector add(Vector& low, Vector a, Vector b) {
    const Vector u = _mm256_xor_si256(a, b);
    const Vector carry = _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(u, low));
    low = _mm256_xor_si256(u, low);
    return carry;
}

COVLOSS_ALWAYS_INLINE COVLOSS_TARGET_AVX2 Vector ones_of_bytes(Vector x) {
    const Vector table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const Vector nibble = _mm256_set1_epi8(15);
    const Vector low = _mm256_and_si256(x, nibble);
    const Vector high = _mm256_and_si256(_mm256_srli_epi16(x, 4), nibble);
    return _mm256_add_epi8(_mm256_shuffle_epi8(table, low), _mm256_shuffle_epi8(table, high));
}

template <std::size_t n_columns>
COVLOSS_ALWAYS_INLINE COVLOSS_TARGET_AVX2 void and_counts_of(const Word* a, const Word* const* columns,
                                                             std::size_t n_words, std::uint32_t* counts) {
    const Vector zero = _mm256_setzero_si256();
    Vector ones[n_columns], twos[n_columns], fours[n_columns], eights[n_columns];
    for (std::size_t j = 0; j < n_columns; ++j) ones[j] = twos[j] = fours[j] = eights[j] = zero;
    for (std::size_t i = 0; i < n_words; i += kWordsPerGroup) {
        const auto* x = reinterpret_cast<const Vector*>(a + i);
        for (std::size_t j = 0; j < n_columns; ++j) {
            const auto* y = reinterpret_cast<const Vector*>(columns[j] + i);
#define COVLOSS_BOTH(k) _mm256_and_si256(_mm256_load_si256(x + (k)), _mm256_load_si256(y + (k)))
            const Vector two_a = add(ones[j], COVLOSS_BOTH(0), COVLOSS_BOTH(1));
            const Vector two_b = add(ones[j], COVLOSS_BOTH(2), COVLOSS_BOTH(3));
            const Vector four_a = add(twos[j], two_a, two_b);
            const Vector two_c = add(ones[j], COVLOSS_BOTH(4), COVLOSS_BOTH(5));
            const Vector two_d = add(ones[j], COVLOSS_BOTH(6), COVLOSS_BOTH(7));
            const Vector four_b = add(twos[j], two_c, two_d);
#undef COVLOSS_BOTH
            // At most 8 a round and 8 rounds a block: 64 in a byte.
            eights[j] = _mm256_add_epi8(eights[j], ones_of_bytes(add(fours[j], four_a, four_b)));
        }
    }
    for (std::size_t j = 0; j < n_columns; ++j) {
        // At most 8 + 16 + 32 in a byte, so that the shifts of 16 bits carry nothing from byte to byte.
        const Vector rest = _mm256_add_epi8(ones_of_bytes(ones[j]),
                                            _mm256_add_epi8(_mm256_slli_epi16(ones_of_bytes(twos[j]), 1),
                                                            _mm256_slli_epi16(ones_of_bytes(fours[j]), 2)));
        const Vector sums = _mm256_add_epi64(_mm256_slli_epi64(_mm256_sad_epu8(eights[j], zero), 3),
                                             _mm256_sad_epu8(rest, zero));
        const __m128i halves = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        counts[j] += static_cast<std::uint32_t>(_mm_cvtsi128_si64(halves) + _mm_extract_epi64(halves, 1));
    }
}

COVLOSS_TARGET_AVX2 void and_counts_avx2(const Word* a, const Word* const* columns, std::size_t n_columns,
                                         std::size_t n_words, std::uint32_t* counts) {
    std::size_t j = 0;
    for (; j + 2 <= n_columns; j += 2) and_counts_of<2>(a, columns + j, n_words, counts + j);
    if (j < n_columns) and_counts_of<1>(a, columns + j, n_words, counts + j);
}

COVLOSS_TARGET_AVX2 void and_words_avx2(const Word* a, const Word* b, std::size_t n_words, Word* out) {
    and_words_body(a, b, n_words, out);
}

// The rows of a whole tile: 32 bytes of a row at a time, shifted to the bit of the row in its group of eight.
COVLOSS_TARGET_AVX2 Word pack_whole_tile(const std::uint8_t* corner, std::ptrdiff_t row_stride, Word* out) {
    Vector seen = _mm256_setzero_si256();
    Vector groups[8];
    for (Vector& group : groups) {
        Vector taken = _mm256_setzero_si256();
        for (int r = 7; r >= 0; --r) {
            const auto* row = reinterpret_cast<const Vector*>(corner + r * row_stride);
            const Vector bytes = _mm256_loadu_si256(row);
            seen = _mm256_or_si256(seen, bytes);
            taken = _mm256_or_si256(_mm256_add_epi8(taken, taken), bytes);
        }
        group = taken;
        corner += 8 * row_stride;
    }
    // Byte c of group g to byte g of word c: bytes, then pairs and fours of them side by side. Unpacking
    // works on halves of vectors, that is on columns 0 to 15 and 16 to 31.
    for (int h = 0; h < 2; ++h) {
        Vector pairs[4];
        for (int i = 0; i < 4; ++i)
            pairs[i] = h == 0 ? _mm256_unpacklo_epi8(groups[2 * i], groups[2 * i + 1])
                              : _mm256_unpackhi_epi8(groups[2 * i], groups[2 * i + 1]);
        const Vector fours[2][2] = {
            {_mm256_unpacklo_epi16(pairs[0], pairs[1]), _mm256_unpacklo_epi16(pairs[2], pairs[3])},
            {_mm256_unpackhi_epi16(pairs[0], pairs[1]), _mm256_unpackhi_epi16(pairs[2], pairs[3])}};
        for (int i = 0; i < 2; ++i) {
            Word* to = out + 8 * h + 4 * i;
            const Vector words[2] = {_mm256_unpacklo_epi32(fours[i][0], fours[i][1]),
                                     _mm256_unpackhi_epi32(fours[i][0], fours[i][1])};
            for (int j = 0; j < 2; ++j) {
                _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 2 * j), _mm256_castsi256_si128(words[j]));
                _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 2 * j + 16),
                                 _mm256_extracti128_si256(words[j], 1));
            }
        }
    }
    const __m128i halves = _mm_or_si128(_mm256_castsi256_si128(seen), _mm256_extracti128_si256(seen, 1));
    return static_cast<Word>(_mm_cvtsi128_si64(halves) | _mm_extract_epi64(halves, 1));
}

COVLOSS_TARGET_AVX2 Word pack_rows_avx2(const std::uint8_t* corner, std::ptrdiff_t row_stride,
                                        std::size_t n_rows, std::size_t n_columns, Word* out) {
    if (n_rows == 64 && n_columns == kColumnsPerTile) return pack_whole_tile(corner, row_stride, out);
    return pack_rows_body(corner, row_stride, n_rows, n_columns, out);
}

COVLOSS_TARGET_AVX2 Word pack_column_avx2(const std::uint8_t* values, std::size_t n_words, Word* out) {
    return pack_column_body(values, n_words, out);
}

COVLOSS_TARGET_AVX2 void rows_of_words_avx2(const Word* words, std::size_t stride, std::uint8_t out[64]) {
    // Byte g of word c to byte c of word g: pairs of words side by side, then fours, then all eight.
    const Vector beside = _mm256_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15,  //
                                           0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
    const auto word = [&](std::size_t c) { return static_cast<long long>(words[c * stride]); };
    const Vector first = _mm256_shuffle_epi8(_mm256_setr_epi64x(word(0), word(1), word(2), word(3)), beside);
    const Vector second = _mm256_shuffle_epi8(_mm256_setr_epi64x(word(4), word(5), word(6), word(7)), beside);
    const Vector even = _mm256_permute2x128_si256(first, second, 0x20);
    const Vector odd = _mm256_permute2x128_si256(first, second, 0x31);
    const Vector alternate = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    Words4 rows[2] = {(Words4)_mm256_permutevar8x32_epi32(_mm256_unpacklo_epi16(even, odd), alternate),
                      (Words4)_mm256_permutevar8x32_epi32(_mm256_unpackhi_epi16(even, odd), alternate)};
    for (Words4& each : rows) transpose_bits(each);
    std::memcpy(out, rows, sizeof rows);
}

constexpr BitKernels kAvx2{and_counts_avx2, and_words_avx2, pack_rows_avx2, rows_of_words_avx2,
                           pack_column_avx2};

#endif

}  // namespace

const BitKernels& bit_kernels() noexcept {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return kAvx2;
#endif
    return kBaseline;
}

}  // namespace covloss
