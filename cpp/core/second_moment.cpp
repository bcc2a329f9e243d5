#include "core/second_moment.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/kernels.hpp"
#include "core/parallel.hpp"
#include "core/parallel_sums.hpp"

namespace covloss {
namespace {

// Columns of a tile: two tiles of a row block are 128 KiB, which stay in the second cache level while their
// 1,024 pairs are counted.
constexpr std::size_t kTile = 32;

struct Tile {
    std::size_t first, size;

    Tile(std::size_t index, std::size_t n) : first(index * kTile), size(std::min(kTile, n - index * kTile)) {}
};

}  // namespace

void column_counts(const BitMatrix& bits, std::int64_t* counts, int n_threads) {
    const BitKernels& kernels = bit_kernels();
    const auto p = static_cast<std::size_t>(bits.n_columns());
    alignas(64) std::array<std::uint64_t, kWordsPerBlock> all;
    all.fill(~std::uint64_t{0});
    std::fill_n(counts, p, 0);
    parallel_for(n_block_groups(bits), n_threads, [&](std::int64_t group) {
        std::vector<std::uint32_t> part(p, 0);
        std::vector<const std::uint64_t*> columns(p);
        const std::int64_t end = std::min(bits.n_row_blocks(), (group + 1) * kBlocksPerTask);
        for (std::int64_t block = group * kBlocksPerTask; block < end; ++block) {
            for (std::size_t j = 0; j < p; ++j) columns[j] = bits.block(block, static_cast<std::int64_t>(j));
            kernels.and_counts(all.data(), columns.data(), p, bits.words_in_block(block), part.data());
        }
        add_exactly(counts, part.data(), p);
    });
}

void second_moment(const BitMatrix& bits, const std::vector<std::int64_t>& columns, std::int64_t* counts,
                   int n_threads) {
    const BitKernels& kernels = bit_kernels();
    const std::size_t p = columns.size();
    const std::size_t n_tiles = (p + kTile - 1) / kTile;
    std::vector<std::array<std::size_t, 2>> pairs;  // of tiles, on and above the diagonal
    for (std::size_t a = 0; a < n_tiles; ++a)
        for (std::size_t b = a; b < n_tiles; ++b) pairs.push_back({a, b});
    const auto n_pairs = static_cast<std::int64_t>(pairs.size());
    std::fill_n(counts, p * p, 0);
    parallel_for(n_block_groups(bits) * n_pairs, n_threads, [&](std::int64_t task) {
        const std::array<std::size_t, 2>& pair = pairs[static_cast<std::size_t>(task % n_pairs)];
        const Tile a(pair[0], p), b(pair[1], p);
        const bool diagonal = pair[0] == pair[1];
        const std::int64_t begin = task / n_pairs * kBlocksPerTask;
        const std::int64_t end = std::min(bits.n_row_blocks(), begin + kBlocksPerTask);
        std::uint32_t part[kTile][kTile] = {};
        const std::uint64_t* right[kTile];
        for (std::int64_t block = begin; block < end; ++block) {
            for (std::size_t j = 0; j < b.size; ++j) right[j] = bits.block(block, columns[b.first + j]);
            for (std::size_t i = 0; i < a.size; ++i) {
                const std::size_t from = diagonal ? i : 0;
                kernels.and_counts(bits.block(block, columns[a.first + i]), right + from, b.size - from,
                                   bits.words_in_block(block), part[i] + from);
            }
        }
        for (std::size_t i = 0; i < a.size; ++i)
            add_exactly(counts + (a.first + i) * p + b.first, part[i], b.size);
    });
    for (std::size_t i = 0; i < p; ++i)
        for (std::size_t j = 0; j < i; ++j) counts[i * p + j] = counts[j * p + i];
}

namespace {

constexpr std::int64_t kChunk = 4096;  // records whose cells are computed before they are counted

constexpr std::size_t kCellsPerPoll = std::size_t{1} << 20;  // cleared in less than a millisecond

using Cells = std::array<std::uint32_t, kChunk>;

// Writes or adds codes * factor to cells; returns the first row whose code is beyond size, or n_rows.
template <class Code, bool add>
std::int64_t place(const CodeColumn& column, std::int64_t first, std::int64_t n_rows, std::uint32_t factor,
                   Cells& cells) {
    const Code* codes = static_cast<const Code*>(column.data) + first;
    Code highest = 0;
    for (std::int64_t r = 0; r < n_rows; ++r) {
        const auto i = static_cast<std::size_t>(r);
        highest = std::max(highest, codes[r]);
        cells[i] = (add ? cells[i] : 0) + factor * static_cast<std::uint32_t>(codes[r]);
    }
    if (static_cast<std::int64_t>(highest) < column.size) return n_rows;
    return std::find_if(codes, codes + n_rows,
                        [&](Code code) { return static_cast<std::int64_t>(code) >= column.size; }) -
           codes;
}

template <bool add>
std::int64_t place(const CodeColumn& column, std::int64_t first, std::int64_t n_rows, std::uint32_t factor,
                   Cells& cells) {
    if (column.item_size == 1) return place<std::uint8_t, add>(column, first, n_rows, factor, cells);
    if (column.item_size == 2) return place<std::uint16_t, add>(column, first, n_rows, factor, cells);
    return place<std::uint32_t, add>(column, first, n_rows, factor, cells);
}

}  // namespace

void check_pair_table(std::int64_t size_a, std::int64_t size_b) {
    if (size_a < 1 || size_b < 1) throw std::invalid_argument("an attribute needs at least one level");
    if (size_a > std::numeric_limits<std::int32_t>::max() / size_b)
        throw std::invalid_argument("a table of " + std::to_string(size_a) + " x " + std::to_string(size_b) +
                                    " cells is too large");
}

void pair_histogram(const CodeColumn& codes_a, const CodeColumn& codes_b, std::int64_t n_rows,
                    std::int64_t* counts, int n_threads) {
    check_pair_table(codes_a.size, codes_b.size);
    const auto n_cells = static_cast<std::size_t>(codes_a.size * codes_b.size);
    // Four copies of a small table: increments of the same cell need not wait for each other.
    const std::size_t n_copies = n_cells <= 4096 ? 4 : 1;
    // Long enough that clearing and adding the task's own table costs little; of a table with more cells than
    // rows there is one, in which all tasks count.
    const bool is_sparse = static_cast<std::int64_t>(n_cells) > n_rows;
    const std::int64_t rows_per_task =
        std::max(kBlocksPerTask * kRowsPerBlock, is_sparse ? 0 : static_cast<std::int64_t>(8 * n_cells));
    std::atomic<std::int64_t> bad{n_rows};
    for (std::size_t i = 0; i < n_cells; i += kCellsPerPoll) {
        poll_interrupt();
        std::fill_n(counts + i, std::min(kCellsPerPoll, n_cells - i), 0);
    }
    parallel_for((n_rows + rows_per_task - 1) / rows_per_task, n_threads, [&](std::int64_t task) {
        std::vector<std::uint32_t> part(is_sparse ? 0 : n_copies * n_cells, 0);
        Cells cells;
        const std::int64_t end = std::min(n_rows, (task + 1) * rows_per_task);
        for (std::int64_t first = task * rows_per_task; first < end; first += kChunk) {
            poll_interrupt();
            const std::int64_t rows = std::min(kChunk, end - first);
            // One after the other: the second adds to what the first has placed.
            const std::int64_t good_a =
                place<false>(codes_a, first, rows, static_cast<std::uint32_t>(codes_b.size), cells);
            const std::int64_t good_b = place<true>(codes_b, first, rows, 1, cells);
            const std::int64_t good = std::min(good_a, good_b);
            if (good < rows) {
                keep_lowest(bad, first + good);
                return;
            }
            if (is_sparse) {
                for (std::int64_t r = 0; r < rows; ++r)
                    add_exactly(counts[cells[static_cast<std::size_t>(r)]], 1);
            } else if (n_copies == 1) {
                for (std::int64_t r = 0; r < rows; ++r) ++part[cells[static_cast<std::size_t>(r)]];
            } else {
                for (std::int64_t r = 0; r < rows; ++r)
                    ++part[static_cast<std::size_t>(r % 4) * n_cells + cells[static_cast<std::size_t>(r)]];
            }
        }
        for (std::size_t copy = 0; copy < (is_sparse ? 0 : n_copies); ++copy)
            add_exactly(counts, part.data() + copy * n_cells, n_cells);
    });
    if (bad.load() < n_rows)
        throw std::invalid_argument("row " + std::to_string(bad.load()) +
                                    ": a code is beyond the number of levels");
}

}  // namespace covloss
