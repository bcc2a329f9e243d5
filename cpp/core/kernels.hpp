// The innermost loops over packed bits, at each instruction-set level.
//
// A kernel works on one row block of one table, so that its inputs (2 KiB for each column) stay in the first
// cache levels. All levels give the same bits; the caller takes the table of the level once, outside its
// loops.
#pragma once

#include <cstddef>
#include <cstdint>

namespace covloss {

// Kernels count in groups of this many words: one round of carry-save additions of 8 vectors of 256 bits.
// Rows beyond the last record are zero, so that a count over whole groups is exact.
inline constexpr std::size_t kWordsPerGroup = 32;

// Columns that pack_rows takes at a time.
inline constexpr std::size_t kColumnsPerTile = 32;

struct BitKernels {
    // counts[j] += ones in a & columns[j], j < n_columns. n_words: a multiple of kWordsPerGroup, at most
    // kWordsPerBlock (the byte counters inside hold no more).
    void (*and_counts)(const std::uint64_t* a, const std::uint64_t* const* columns, std::size_t n_columns,
                       std::size_t n_words, std::uint32_t* counts);
    // out = a & b, n_words as above.
    void (*and_words)(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_words,
                      std::uint64_t* out);
    // Rows of bytes that are 0 or 1 to words of columns: bit r of out[c] is byte c of row r, for n_rows <= 64
    // rows and n_columns <= kColumnsPerTile columns. Bytes of a row are read up to the next multiple of 8
    // columns, and so many words are written. Returns the union of all bytes of the columns.
    std::uint64_t (*pack_rows)(const std::uint8_t* corner, std::ptrdiff_t row_stride, std::size_t n_rows,
                               std::size_t n_columns, std::uint64_t* out);
    // A word of each of eight columns to bytes of 64 rows: bit c of out[r] is bit r of words[c stride].
    void (*rows_of_words)(const std::uint64_t* words, std::size_t stride, std::uint8_t out[64]);
    // 64 n_words bytes that are 0 or 1 to n_words words. Returns the union of all bytes.
    std::uint64_t (*pack_column)(const std::uint8_t* values, std::size_t n_words, std::uint64_t* out);
};

// The kernels of simd_level().
const BitKernels& bit_kernels() noexcept;

}  // namespace covloss
