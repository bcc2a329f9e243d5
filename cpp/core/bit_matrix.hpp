// Bit-packed Boolean columns: how records lie in memory.
//
// Layout: row blocks of 16,384 rows; in a row block each column is 256 words of 64 bits (2 KiB), so that a
// few dozen columns of a row block stay in the first cache levels while all their pairs are counted. Bit r %
// 64 of word r / 64 is row r of the block. Rows beyond the last record are zero. Blocks are 64-byte aligned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/memory.hpp"

namespace covloss {

inline constexpr std::int64_t kRowsPerBlock = 16'384;
inline constexpr std::size_t kWordsPerBlock = 256;

class BitMatrix {
  public:
    // All zero.
    BitMatrix(std::int64_t n_rows, std::int64_t n_columns);

    std::int64_t n_rows() const noexcept { return n_rows_; }
    std::int64_t n_columns() const noexcept { return n_columns_; }
    std::int64_t n_row_blocks() const noexcept { return n_row_blocks_; }
    std::size_t n_bytes() const noexcept;
    // Records in a row block: kRowsPerBlock except in the last.
    std::int64_t rows_in_block(std::int64_t row_block) const noexcept;
    // Words of a row block that hold records, rounded up to the groups in which the kernels count.
    std::size_t words_in_block(std::int64_t row_block) const noexcept;

    // The kWordsPerBlock words of a column in a row block.
    const std::uint64_t* block(std::int64_t row_block, std::int64_t column) const noexcept;
    std::uint64_t* block(std::int64_t row_block, std::int64_t column) noexcept;

    // All words as they lie, n_bytes() of them: to be kept elsewhere and read again.
    const std::uint64_t* words() const noexcept { return words_; }
    // Throws std::invalid_argument if a bit beyond the last record is not zero.
    static BitMatrix from_words(const std::uint64_t* words, std::int64_t n_rows, std::int64_t n_columns);

  private:
    std::int64_t n_rows_;
    std::int64_t n_columns_;
    std::int64_t n_row_blocks_;
    Memory memory_;
    std::uint64_t* words_;
};

// A column of codes in one of three unsigned types, as the caller holds it.
struct CodeColumn {
    const void* data;
    int item_size;      // 1, 2 or 4 bytes
    std::int64_t size;  // number of levels; codes lie in [0, size)

    std::int64_t n_bits() const { return size == 2 ? 1 : size; }
};

// Bytes of 64 rows for 8 columns of a row block: byte r holds, in bit c, column first_column + c of row
// 64 * word + r. Columns at or beyond n_columns give zero.
void rows_as_bytes(const BitMatrix& bits, std::int64_t row_block, std::int64_t first_column, std::size_t word,
                   std::uint8_t out[64]) noexcept;

// values[row * row_stride + column * column_stride] in {0, 1}; strides in bytes. Throws std::invalid_argument
// that names row and column otherwise. Bytes between those of the array may be read.
BitMatrix pack(const std::uint8_t* values, std::int64_t n_rows, std::int64_t n_columns,
               std::int64_t row_stride, std::int64_t column_stride, int n_threads);

// An attribute of two levels gives one bit (code == 1), any other one a bit for each level. Throws
// std::invalid_argument that names attribute and row of a code beyond its size.
BitMatrix pack_codes(const std::vector<CodeColumn>& columns, std::int64_t n_rows, int n_threads);
// The same for rows first_row .. first_row + n_rows - 1 of `bits`, which are zero; first_row is the first of
// a row block.
void pack_codes(const std::vector<CodeColumn>& columns, std::int64_t n_rows, BitMatrix& bits,
                std::int64_t first_row, int n_threads);

// The first rows of a table.
BitMatrix first_rows(const BitMatrix& bits, std::int64_t n_rows);
BitMatrix concatenate(const std::vector<const BitMatrix*>& parts, int n_threads);

// out[row * n_columns + column]
void unpack(const BitMatrix& bits, std::uint8_t* out, int n_threads);
void unpack_column(const BitMatrix& bits, std::int64_t column, std::uint8_t* out);
// Rows first .. first + n - 1 of a column.
void unpack_column(const BitMatrix& bits, std::int64_t column, std::int64_t first, std::int64_t n,
                   std::uint8_t* out) noexcept;
// out[column * n + row - first]; throws std::out_of_range if there are no such rows.
void unpack_columns(const BitMatrix& bits, std::int64_t first, std::int64_t n, std::uint8_t* out,
                    int n_threads);

}  // namespace covloss
