#include "core/bit_matrix.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "core/kernels.hpp"
#include "core/parallel.hpp"
#include "core/parallel_sums.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::max();

// Bit c of the index to byte c: how packed bits are written out again.
constexpr std::array<std::uint64_t, 256> kSpread = [] {
    std::array<std::uint64_t, 256> spread{};
    for (unsigned bits = 0; bits < 256; ++bits)
        for (unsigned c = 0; c < 8; ++c)
            spread[bits] |= static_cast<std::uint64_t>((bits >> c) & 1) << (8 * c);
    return spread;
}();

std::int64_t row_blocks_of(std::int64_t n_rows) { return (n_rows + kRowsPerBlock - 1) / kRowsPerBlock; }

std::size_t checked_bytes(std::int64_t n_rows, std::int64_t n_columns) {
    if (n_rows < 0 || n_columns < 0) throw std::invalid_argument("a bit matrix needs sizes of at least 0");
    constexpr auto kBlockBytes = static_cast<std::int64_t>(8 * kWordsPerBlock);
    if (n_columns > 0 &&
        row_blocks_of(n_rows) > (std::numeric_limits<std::int64_t>::max() / kBlockBytes - 1) / n_columns)
        throw std::length_error("the packed table does not fit into memory");
    return static_cast<std::size_t>(row_blocks_of(n_rows) * n_columns * kBlockBytes);
}

}  // namespace

BitMatrix::BitMatrix(std::int64_t n_rows, std::int64_t n_columns)
    : n_rows_(n_rows),
      n_columns_(n_columns),
      n_row_blocks_(row_blocks_of(n_rows)),
      memory_(checked_bytes(n_rows, n_columns)),
      words_(static_cast<std::uint64_t*>(memory_.data())) {}

std::size_t BitMatrix::n_bytes() const noexcept {
    return 8 * kWordsPerBlock * static_cast<std::size_t>(n_row_blocks_ * n_columns_);
}

std::int64_t BitMatrix::rows_in_block(std::int64_t row_block) const noexcept {
    return std::min(kRowsPerBlock, n_rows_ - row_block * kRowsPerBlock);
}

std::size_t BitMatrix::words_in_block(std::int64_t row_block) const noexcept {
    constexpr std::size_t kRowsPerGroup = 64 * kWordsPerGroup;
    const auto rows = static_cast<std::size_t>(rows_in_block(row_block));
    return (rows + kRowsPerGroup - 1) / kRowsPerGroup * kWordsPerGroup;
}

const std::uint64_t* BitMatrix::block(std::int64_t row_block, std::int64_t column) const noexcept {
    return words_ + static_cast<std::size_t>(row_block * n_columns_ + column) * kWordsPerBlock;
}

std::uint64_t* BitMatrix::block(std::int64_t row_block, std::int64_t column) noexcept {
    return words_ + static_cast<std::size_t>(row_block * n_columns_ + column) * kWordsPerBlock;
}

BitMatrix BitMatrix::from_words(const std::uint64_t* words, std::int64_t n_rows, std::int64_t n_columns) {
    BitMatrix out(n_rows, n_columns);
    if (out.n_bytes() == 0) return out;
    std::memcpy(out.words_, words, out.n_bytes());
    const std::int64_t last = out.n_row_blocks_ - 1, rows = out.rows_in_block(last);
    for (std::int64_t column = 0; column < n_columns; ++column) {
        const std::uint64_t* block = out.block(last, column);
        for (std::int64_t row = rows; row < kRowsPerBlock; row += 64 - row % 64)
            if ((block[row / 64] >> (row % 64)) != 0)
                throw std::invalid_argument("column " + std::to_string(column) +
                                            " has a bit beyond the last record");
    }
    return out;
}

void rows_as_bytes(const BitMatrix& bits, std::int64_t row_block, std::int64_t first_column, std::size_t word,
                   std::uint8_t out[64]) noexcept {
    const std::int64_t present = std::min<std::int64_t>(8, bits.n_columns() - first_column);
    if (present == 8) {
        bit_kernels().rows_of_words(bits.block(row_block, first_column) + word, kWordsPerBlock, out);
        return;
    }
    std::uint64_t columns[8] = {};
    for (std::int64_t c = 0; c < present; ++c) columns[c] = bits.block(row_block, first_column + c)[word];
    bit_kernels().rows_of_words(columns, 1, out);
}

namespace {

// A two-dimensional array of bytes, as the caller holds it.
struct Bytes {
    const std::uint8_t* values;
    std::int64_t n_columns, row_stride, column_stride;

    const std::uint8_t* at(std::int64_t row, std::int64_t column) const {
        return values + row * row_stride + column * column_stride;
    }
    // One past the highest address of n_rows rows.
    const std::uint8_t* end(std::int64_t n_rows) const {
        return at(row_stride > 0 ? n_rows - 1 : 0, column_stride > 0 ? n_columns - 1 : 0) + 1;
    }
};

// Columns one after the other in memory, each contiguous: the order of Fortran.
std::uint64_t pack_block_by_column(const Bytes& bytes, BitMatrix& bits, std::int64_t row_block) {
    const BitKernels& kernels = bit_kernels();
    const std::int64_t first = row_block * kRowsPerBlock;
    const std::int64_t rows = bits.rows_in_block(row_block);
    const auto n_words = static_cast<std::size_t>(rows / 64);
    std::uint64_t seen = 0;
    for (std::int64_t column = 0; column < bytes.n_columns; ++column) {
        const std::uint8_t* values = bytes.at(first, column);
        std::uint64_t* out = bits.block(row_block, column);
        seen |= kernels.pack_column(values, n_words, out);
        if (rows % 64 != 0) {
            std::uint8_t last[64] = {};
            std::memcpy(last, values + 64 * n_words, static_cast<std::size_t>(rows % 64));
            seen |= kernels.pack_column(last, 1, out + n_words);
        }
    }
    return seen;
}

// Tiles of 512 rows: eight words of each column, a whole cache line, are written at once. (Columns lie 2 KiB
// apart; single words of many columns would drive each other out of the first cache level.)
std::uint64_t pack_block_by_row(const Bytes& bytes, const std::uint8_t* end, BitMatrix& bits,
                                std::int64_t row_block) {
    constexpr std::int64_t kTile = static_cast<std::int64_t>(kColumnsPerTile);
    constexpr std::size_t kLine = 8;
    const BitKernels& kernels = bit_kernels();
    const std::int64_t first = row_block * kRowsPerBlock;
    const std::int64_t rows = bits.rows_in_block(row_block);
    std::uint64_t seen = 0;
    for (std::int64_t line = 0; line < rows; line += 64 * static_cast<std::int64_t>(kLine))
        for (std::int64_t begin = 0; begin < bytes.n_columns; begin += kTile) {
            // The last tile is a whole one, too: it packs columns of the one before again.
            const std::int64_t wide = std::min(kTile, bytes.n_columns);
            const std::int64_t column = std::min(begin, bytes.n_columns - wide);
            const auto n_columns = static_cast<std::size_t>(wide);
            std::uint64_t words[kLine][kTile] = {};
            for (std::size_t word = 0; word < kLine; ++word) {
                const std::int64_t base = line + 64 * static_cast<std::int64_t>(word);
                const std::int64_t here = std::min<std::int64_t>(64, rows - base);
                if (here <= 0) break;
                const std::uint8_t* corner = bytes.at(first + base, column);
                const std::uint8_t* highest =
                    bytes.row_stride > 0 ? corner + (here - 1) * bytes.row_stride : corner;
                const auto n_rows = static_cast<std::size_t>(here);
                if (bytes.column_stride == 1 && end - highest >= (wide + 7) / 8 * 8) {
                    seen |= kernels.pack_rows(corner, bytes.row_stride, n_rows, n_columns, words[word]);
                } else {  // other strides, or a tile that would be read beyond the end of the array
                    std::uint8_t copy[64][kTile];
                    for (std::int64_t r = 0; r < here; ++r)
                        for (std::int64_t c = 0; c < wide; ++c)
                            copy[r][c] = corner[r * bytes.row_stride + c * bytes.column_stride];
                    seen |= kernels.pack_rows(copy[0], kTile, n_rows, n_columns, words[word]);
                }
            }
            for (std::int64_t c = 0; c < wide; ++c) {
                std::uint64_t* out = bits.block(row_block, column + c) + line / 64;
                for (std::size_t word = 0; word < kLine; ++word) out[word] = words[word][c];
            }
        }
    return seen;
}

bool holds_only_zeros_and_ones(std::uint64_t seen) { return (seen & ~0x0101010101010101ULL) == 0; }

}  // namespace

BitMatrix pack(const std::uint8_t* values, std::int64_t n_rows, std::int64_t n_columns,
               std::int64_t row_stride, std::int64_t column_stride, int n_threads) {
    BitMatrix bits(n_rows, n_columns);
    if (n_rows == 0 || n_columns == 0) return bits;
    const Bytes bytes{values, n_columns, row_stride, column_stride};
    const std::uint8_t* end = bytes.end(n_rows);
    std::atomic<std::int64_t> bad{kNowhere};  // row * n_columns + column
    parallel_for(bits.n_row_blocks(), n_threads, [&](std::int64_t row_block) {
        const std::uint64_t seen = row_stride == 1 && column_stride != 1
                                       ? pack_block_by_column(bytes, bits, row_block)
                                       : pack_block_by_row(bytes, end, bits, row_block);
        if (holds_only_zeros_and_ones(seen)) return;
        const std::int64_t first = row_block * kRowsPerBlock;
        for (std::int64_t row = first; row < first + bits.rows_in_block(row_block); ++row)
            for (std::int64_t column = 0; column < n_columns; ++column)
                if (*bytes.at(row, column) > 1) {
                    keep_lowest(bad, row * n_columns + column);
                    return;
                }
    });
    if (bad.load() != kNowhere)
        throw std::invalid_argument("row " + std::to_string(bad.load() / n_columns) + ", column " +
                                    std::to_string(bad.load() % n_columns) +
                                    ": the value is neither 0 nor 1");
    return bits;
}

namespace {

// Sets the bits of up to a row block of rows, whose levels lie one after the other at `group`. Returns the
// first row, counted from `first`, whose code is beyond the number of levels; -1 if none.
template <class Code>
std::int64_t set_bits(std::uint64_t* group, const CodeColumn& column, std::int64_t first, std::int64_t rows) {
    const Code* codes = static_cast<const Code*>(column.data) + first;
    const auto highest = static_cast<std::int64_t>(*std::max_element(codes, codes + rows));
    if (highest >= column.size)
        return std::find_if(codes, codes + rows,
                            [&](Code code) { return static_cast<std::int64_t>(code) >= column.size; }) -
               codes;
    for (std::int64_t r = 0; r < rows; ++r) {
        const auto code = static_cast<std::size_t>(codes[r]);
        const auto word = static_cast<std::size_t>(r / 64);
        if (column.size == 2)
            group[word] |= static_cast<std::uint64_t>(code) << (r % 64);
        else
            group[code * kWordsPerBlock + word] |= std::uint64_t{1} << (r % 64);
    }
    return -1;
}

}  // namespace

BitMatrix pack_codes(const std::vector<CodeColumn>& columns, std::int64_t n_rows, int n_threads) {
    std::int64_t n_bits = 0;
    for (const CodeColumn& column : columns) n_bits += column.n_bits();
    BitMatrix bits(n_rows, n_bits);
    pack_codes(columns, n_rows, bits, 0, n_threads);
    return bits;
}

void pack_codes(const std::vector<CodeColumn>& columns, std::int64_t n_rows, BitMatrix& bits,
                std::int64_t first_row, int n_threads) {
    std::vector<std::int64_t> first_bit{0};
    for (const CodeColumn& column : columns) {
        if (column.size < 1) throw std::invalid_argument("an attribute needs at least one level");
        first_bit.push_back(first_bit.back() + column.n_bits());
    }
    if (first_row % kRowsPerBlock != 0 || first_row + n_rows > bits.n_rows() ||
        first_bit.back() != bits.n_columns())
        throw std::invalid_argument("the codes do not fit into the packed table");
    const auto n_attributes = static_cast<std::int64_t>(columns.size());
    std::atomic<std::int64_t> bad{kNowhere};  // row * n_attributes + attribute
    const std::int64_t first_block = first_row / kRowsPerBlock;
    parallel_for((n_rows + kRowsPerBlock - 1) / kRowsPerBlock, n_threads, [&](std::int64_t task) {
        for (std::int64_t a = 0; a < n_attributes; ++a) {
            const CodeColumn& column = columns[static_cast<std::size_t>(a)];
            const auto set = column.item_size == 1   ? set_bits<std::uint8_t>
                             : column.item_size == 2 ? set_bits<std::uint16_t>
                                                     : set_bits<std::uint32_t>;
            const std::int64_t first = task * kRowsPerBlock;
            const std::int64_t row =
                set(bits.block(first_block + task, first_bit[static_cast<std::size_t>(a)]), column, first,
                    std::min(kRowsPerBlock, n_rows - first));
            if (row >= 0) keep_lowest(bad, (first_row + first + row) * n_attributes + a);
        }
    });
    if (bad.load() != kNowhere)
        throw std::invalid_argument("row " + std::to_string(bad.load() / n_attributes) + ", attribute " +
                                    std::to_string(bad.load() % n_attributes) +
                                    ": the code is beyond the number of levels");
}

BitMatrix first_rows(const BitMatrix& bits, std::int64_t n_rows) {
    if (n_rows < 0 || n_rows > bits.n_rows()) throw std::out_of_range("there are not so many rows");
    BitMatrix out(n_rows, bits.n_columns());
    if (out.n_bytes() == 0) return out;
    std::memcpy(out.block(0, 0), bits.block(0, 0), out.n_bytes());
    const std::int64_t last = out.n_row_blocks() - 1;
    const std::int64_t rows = out.rows_in_block(last);
    for (std::int64_t column = 0; column < bits.n_columns(); ++column) {
        std::uint64_t* words = out.block(last, column);
        if (rows % 64 != 0) words[rows / 64] &= (std::uint64_t{1} << (rows % 64)) - 1;
        std::fill(words + (rows + 63) / 64, words + kWordsPerBlock, 0);
    }
    return out;
}

BitMatrix concatenate(const std::vector<const BitMatrix*>& parts, int n_threads) {
    if (parts.empty()) throw std::invalid_argument("nothing to concatenate");
    std::int64_t n_rows = 0;
    for (const BitMatrix* part : parts) {
        if (part->n_columns() != parts.front()->n_columns())
            throw std::invalid_argument("the parts have different numbers of columns");
        n_rows += part->n_rows();
    }
    BitMatrix out(n_rows, parts.front()->n_columns());
    parallel_for(out.n_columns(), n_threads, [&](std::int64_t column) {
        std::int64_t at = 0;
        for (const BitMatrix* part : parts) {
            for (std::int64_t row = 0; row < part->n_rows(); row += 64) {
                const std::uint64_t word = part->block(
                    row / kRowsPerBlock, column)[static_cast<std::size_t>(row % kRowsPerBlock / 64)];
                const std::int64_t to = at + row;
                const auto shift = static_cast<unsigned>(to % 64);
                out.block(to / kRowsPerBlock, column)[static_cast<std::size_t>(to % kRowsPerBlock / 64)] |=
                    word << shift;
                const std::int64_t next = to + 64 - shift;
                if (shift != 0 && next < n_rows)
                    out.block(next / kRowsPerBlock,
                              column)[static_cast<std::size_t>(next % kRowsPerBlock / 64)] |=
                        word >> (64 - shift);
            }
            at += part->n_rows();
        }
    });
    return out;
}

void unpack(const BitMatrix& bits, std::uint8_t* out, int n_threads) {
    const std::int64_t p = bits.n_columns();
    parallel_for(bits.n_row_blocks(), n_threads, [&](std::int64_t row_block) {
        const std::int64_t rows = bits.rows_in_block(row_block);
        std::uint8_t bytes[64];
        for (std::int64_t base = 0; base < rows; base += 64)
            for (std::int64_t column = 0; column < p; column += 8) {
                rows_as_bytes(bits, row_block, column, static_cast<std::size_t>(base / 64), bytes);
                const auto wide = static_cast<std::size_t>(std::min<std::int64_t>(8, p - column));
                for (std::int64_t r = 0; r < std::min<std::int64_t>(64, rows - base); ++r)
                    std::memcpy(out + (row_block * kRowsPerBlock + base + r) * p + column, &kSpread[bytes[r]],
                                wide);
            }
    });
}

void unpack_column(const BitMatrix& bits, std::int64_t column, std::uint8_t* out) {
    if (column < 0 || column >= bits.n_columns()) throw std::out_of_range("no such column");
    unpack_column(bits, column, 0, bits.n_rows(), out);
}

void unpack_column(const BitMatrix& bits, std::int64_t column, std::int64_t first, std::int64_t n,
                   std::uint8_t* out) noexcept {
    for (std::int64_t row = first; row < first + n;) {
        const std::uint64_t word = bits.block(row / kRowsPerBlock, column)[row % kRowsPerBlock / 64];
        const std::int64_t wide = std::min(8 - row % 8, first + n - row);  // whole bytes but for the ends
        std::memcpy(out, &kSpread[(word >> (row % 64)) & 0xFF], static_cast<std::size_t>(wide));
        out += wide;
        row += wide;
    }
}

void unpack_columns(const BitMatrix& bits, std::int64_t first, std::int64_t n, std::uint8_t* out,
                    int n_threads) {
    if (first < 0 || n < 0 || first > bits.n_rows() - n) throw std::out_of_range("no such rows");
    parallel_for(bits.n_columns(), n_threads,
                 [&](std::int64_t column) { unpack_column(bits, column, first, n, out + column * n); });
}

}  // namespace covloss
