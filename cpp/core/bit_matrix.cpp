#include "core/bit_matrix.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"

namespace covloss {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::int64_t kNowhere = std::numeric_limits<std::int64_t>::max();

// Lowest position that a parallel loop found, whatever the order of the tasks.
void keep_lowest(std::atomic<std::int64_t>& lowest, std::int64_t position) {
    std::int64_t seen = lowest.load();
    while (position < seen && !lowest.compare_exchange_weak(seen, position)) {
    }
}

// 8 bytes that are 0 or 1 to one byte: byte c of the input to bit c.
inline std::uint64_t gather_bits(std::uint64_t bytes) noexcept {
    return (bytes * 0x0102040810204080ULL) >> 56;
}

std::size_t checked_words(std::int64_t n_row_blocks, std::int64_t n_columns) {
    const auto limit =
        std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(8 * kWordsPerBlock);
    if (n_columns > 0 && n_row_blocks > limit / n_columns)
        throw std::length_error("the packed table does not fit into memory");
    return static_cast<std::size_t>(n_row_blocks * n_columns) * kWordsPerBlock;
}

}  // namespace

void BitMatrix::Free::operator()(std::uint64_t* p) const noexcept { ::operator delete[](p, kAlignment); }

BitMatrix::BitMatrix(std::int64_t n_rows, std::int64_t n_columns)
    : n_rows_(n_rows), n_columns_(n_columns), n_row_blocks_((n_rows + kRowsPerBlock - 1) / kRowsPerBlock) {
    if (n_rows < 0 || n_columns < 0) throw std::invalid_argument("a bit matrix needs sizes of at least 0");
    const std::size_t n_words = checked_words(n_row_blocks_, n_columns_);
    words_.reset(
        static_cast<std::uint64_t*>(::operator new[](8 * std::max<std::size_t>(n_words, 1), kAlignment)));
    std::fill_n(words_.get(), n_words, 0);
}

std::size_t BitMatrix::n_bytes() const noexcept {
    return 8 * kWordsPerBlock * static_cast<std::size_t>(n_row_blocks_ * n_columns_);
}

std::int64_t BitMatrix::rows_in_block(std::int64_t row_block) const noexcept {
    return std::min(kRowsPerBlock, n_rows_ - row_block * kRowsPerBlock);
}

const std::uint64_t* BitMatrix::block(std::int64_t row_block, std::int64_t column) const noexcept {
    return words_.get() + static_cast<std::size_t>(row_block * n_columns_ + column) * kWordsPerBlock;
}

std::uint64_t* BitMatrix::block(std::int64_t row_block, std::int64_t column) noexcept {
    return words_.get() + static_cast<std::size_t>(row_block * n_columns_ + column) * kWordsPerBlock;
}

std::uint64_t transpose_8x8(std::uint64_t x) noexcept {
    std::uint64_t t = (x ^ (x >> 7)) & 0x00AA00AA00AA00AAULL;
    x ^= t ^ (t << 7);
    t = (x ^ (x >> 14)) & 0x0000CCCC0000CCCCULL;
    x ^= t ^ (t << 14);
    t = (x ^ (x >> 28)) & 0x00000000F0F0F0F0ULL;
    return x ^ t ^ (t << 28);
}

void rows_as_bytes(const BitMatrix& bits, std::int64_t row_block, std::int64_t first_column, std::size_t word,
                   std::uint8_t out[64]) noexcept {
    std::uint64_t columns[8] = {};
    const std::int64_t present = std::min<std::int64_t>(8, bits.n_columns() - first_column);
    for (std::int64_t c = 0; c < present; ++c) columns[c] = bits.block(row_block, first_column + c)[word];
    for (unsigned group = 0; group < 8; ++group) {
        std::uint64_t tile = 0;
        for (unsigned c = 0; c < 8; ++c) tile |= ((columns[c] >> (8 * group)) & 0xFF) << (8 * c);
        tile = transpose_8x8(tile);
        for (unsigned r = 0; r < 8; ++r) out[8 * group + r] = static_cast<std::uint8_t>(tile >> (8 * r));
    }
}

BitMatrix pack(const std::uint8_t* values, std::int64_t n_rows, std::int64_t n_columns,
               std::int64_t row_stride, std::int64_t column_stride, int n_threads) {
    BitMatrix bits(n_rows, n_columns);
    std::atomic<std::int64_t> bad{kNowhere};  // row * n_columns + column
    parallel_for(bits.n_row_blocks(), n_threads, [&](std::int64_t row_block) {
        const std::int64_t first = row_block * kRowsPerBlock;
        const std::int64_t rows = bits.rows_in_block(row_block);
        std::uint64_t seen = 0;
        for (std::int64_t base = 0; base < rows; base += 64) {
            const std::int64_t here = std::min<std::int64_t>(64, rows - base);
            const auto word = static_cast<std::size_t>(base / 64);
            for (std::int64_t column = 0; column < n_columns; column += 8) {
                const std::int64_t wide = std::min<std::int64_t>(8, n_columns - column);
                const std::uint8_t* corner = values + (first + base) * row_stride + column * column_stride;
                std::uint64_t packed[8] = {};  // byte c of packed[g]: column c of rows 8 g .. 8 g + 7
                if (column_stride == 1) {
                    for (std::int64_t r = 0; r < here; ++r) {
                        std::uint64_t bytes = 0;
                        std::memcpy(&bytes, corner + r * row_stride, static_cast<std::size_t>(wide));
                        seen |= bytes;
                        packed[r / 8] |= gather_bits(bytes & 0x0101010101010101ULL) << (8 * (r % 8));
                    }
                    for (auto& group : packed) group = transpose_8x8(group);
                } else {
                    for (std::int64_t c = 0; c < wide; ++c)
                        for (std::int64_t r = 0; r < here; ++r) {
                            const std::uint64_t value = corner[r * row_stride + c * column_stride];
                            seen |= value;
                            packed[r / 8] |= (value & 1) << (8 * c + r % 8);
                        }
                }
                for (std::int64_t c = 0; c < wide; ++c) {
                    std::uint64_t all = 0;
                    for (unsigned group = 0; group < 8; ++group)
                        all |= ((packed[group] >> (8 * c)) & 0xFF) << (8 * group);
                    bits.block(row_block, column + c)[word] = all;
                }
            }
        }
        if ((seen & ~0x0101010101010101ULL) != 0) {
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < n_columns; ++c)
                    if (values[(first + r) * row_stride + c * column_stride] > 1) {
                        keep_lowest(bad, (first + r) * n_columns + c);
                        return;
                    }
        }
    });
    if (bad.load() != kNowhere)
        throw std::invalid_argument("row " + std::to_string(bad.load() / n_columns) + ", column " +
                                    std::to_string(bad.load() % n_columns) +
                                    ": the value is neither 0 nor 1");
    return bits;
}

namespace {

template <class Code>
void set_bits(BitMatrix& bits, const CodeColumn& column, std::int64_t row_block, std::int64_t first_bit,
              std::atomic<std::int64_t>& bad, std::int64_t attribute, std::int64_t n_attributes) {
    const std::int64_t first = row_block * kRowsPerBlock;
    const Code* codes = static_cast<const Code*>(column.data) + first;
    const std::int64_t rows = bits.rows_in_block(row_block);
    std::uint64_t* const group = bits.block(row_block, first_bit);  // levels lie one after the other
    for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t code = codes[r];
        if (code >= column.size) {
            keep_lowest(bad, (first + r) * n_attributes + attribute);
            return;
        }
        const auto word = static_cast<std::size_t>(r / 64);
        if (column.size == 2)
            group[word] |= static_cast<std::uint64_t>(code) << (r % 64);
        else
            group[static_cast<std::size_t>(code) * kWordsPerBlock + word] |= std::uint64_t{1} << (r % 64);
    }
}

}  // namespace

BitMatrix pack_codes(const std::vector<CodeColumn>& columns, std::int64_t n_rows, int n_threads) {
    std::int64_t n_bits = 0;
    std::vector<std::int64_t> first_bit;
    for (const CodeColumn& column : columns) {
        if (column.size < 1) throw std::invalid_argument("an attribute needs at least one level");
        first_bit.push_back(n_bits);
        n_bits += column.size == 2 ? 1 : column.size;
    }
    BitMatrix bits(n_rows, n_bits);
    const auto n_attributes = static_cast<std::int64_t>(columns.size());
    std::atomic<std::int64_t> bad{kNowhere};
    parallel_for(bits.n_row_blocks(), n_threads, [&](std::int64_t row_block) {
        for (std::int64_t a = 0; a < n_attributes; ++a) {
            const CodeColumn& column = columns[static_cast<std::size_t>(a)];
            const std::int64_t bit = first_bit[static_cast<std::size_t>(a)];
            if (column.item_size == 1)
                set_bits<std::uint8_t>(bits, column, row_block, bit, bad, a, n_attributes);
            else if (column.item_size == 2)
                set_bits<std::uint16_t>(bits, column, row_block, bit, bad, a, n_attributes);
            else
                set_bits<std::uint32_t>(bits, column, row_block, bit, bad, a, n_attributes);
        }
    });
    if (bad.load() != kNowhere)
        throw std::invalid_argument("row " + std::to_string(bad.load() / n_attributes) + ", attribute " +
                                    std::to_string(bad.load() % n_attributes) +
                                    ": the code is beyond the number of levels");
    return bits;
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
                const std::int64_t wide = std::min<std::int64_t>(8, p - column);
                for (std::int64_t r = 0; r < std::min<std::int64_t>(64, rows - base); ++r) {
                    std::uint8_t* to = out + (row_block * kRowsPerBlock + base + r) * p + column;
                    for (std::int64_t c = 0; c < wide; ++c)
                        to[c] = static_cast<std::uint8_t>((bytes[r] >> c) & 1);
                }
            }
    });
}

void unpack_column(const BitMatrix& bits, std::int64_t column, std::uint8_t* out) {
    if (column < 0 || column >= bits.n_columns()) throw std::out_of_range("no such column");
    for (std::int64_t row = 0; row < bits.n_rows(); ++row) {
        const std::uint64_t* words = bits.block(row / kRowsPerBlock, column);
        out[row] = static_cast<std::uint8_t>((words[row % kRowsPerBlock / 64] >> (row % 64)) & 1);
    }
}

}  // namespace covloss
