#include "core/block_statistics.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/parallel.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kStripe = 32;  // columns of a task
constexpr std::int64_t kMostRanges = 16;

// Entry b holds bit i of b in byte i.
constexpr std::array<std::uint64_t, 256> make_spread() {
    std::array<std::uint64_t, 256> table{};
    for (std::size_t b = 0; b < 256; ++b)
        for (std::size_t i = 0; i < 8; ++i) table[b] |= static_cast<std::uint64_t>((b >> i) & 1) << (8 * i);
    return table;
}
constexpr std::array<std::uint64_t, 256> kSpread = make_spread();

struct StripeCounters {
    explicit StripeCounters(std::int64_t n_blocks)
        : bytes(static_cast<std::size_t>(4 * n_blocks)), pending(static_cast<std::size_t>(n_blocks)) {}

    std::vector<std::uint64_t> bytes;   // [block][4]: 32 byte counters
    std::vector<std::uint8_t> pending;  // rows in them since the last flush

    void flush(std::size_t block, std::int64_t* sums, std::int64_t width) {
        for (std::int64_t c = 0; c < width; ++c)
            sums[c] += static_cast<std::int64_t>(
                (bytes[4 * block + static_cast<std::size_t>(c / 8)] >> (8 * (c % 8))) & 0xFF);
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(4 * block), 4, 0);
        pending[block] = 0;
    }
};

// Adds the rows of some row blocks to sums[block * stride + 0 .. width).
void add_stripe(const BitMatrix& bits, const std::int32_t* labels, std::int64_t n_blocks,
                std::int64_t first_row_block, std::int64_t last_row_block, std::int64_t first_column,
                std::int64_t* sums, std::int64_t stride) {
    const std::int64_t width = std::min(kStripe, bits.n_columns() - first_column);
    StripeCounters counters(n_blocks);
    std::uint8_t rows[4][64] = {};
    for (std::int64_t row_block = first_row_block; row_block < last_row_block; ++row_block) {
        const std::int64_t n_rows = bits.rows_in_block(row_block);
        const std::int32_t* labels_here = labels + row_block * kRowsPerBlock;
        for (std::int64_t base = 0; base < n_rows; base += 64) {
            for (std::int64_t g = 0; 8 * g < width; ++g)
                rows_as_bytes(bits, row_block, first_column + 8 * g, static_cast<std::size_t>(base / 64),
                              rows[g]);
            const auto here = static_cast<std::size_t>(std::min<std::int64_t>(64, n_rows - base));
            for (std::size_t r = 0; r < here; ++r) {
                const auto block = static_cast<std::size_t>(labels_here[base + static_cast<std::int64_t>(r)]);
                std::uint64_t* to = &counters.bytes[4 * block];
                for (std::size_t g = 0; g < 4; ++g) to[g] += kSpread[rows[g][r]];
                if (++counters.pending[block] == 255)
                    counters.flush(block, sums + static_cast<std::int64_t>(block) * stride, width);
            }
        }
    }
    for (std::int64_t block = 0; block < n_blocks; ++block)
        if (counters.pending[static_cast<std::size_t>(block)] != 0)
            counters.flush(static_cast<std::size_t>(block), sums + block * stride, width);
}

}  // namespace

void block_statistics(const BitMatrix& bits, const std::int32_t* labels, std::int64_t n_blocks,
                      std::int64_t* counts, std::int64_t* sums, int n_threads) {
    const std::int64_t n = bits.n_rows();
    const std::int64_t p = bits.n_columns();
    std::fill_n(counts, n_blocks, 0);
    std::fill_n(sums, n_blocks * p, 0);
    for (std::int64_t i = 0; i < n; ++i) {
        if (labels[i] < 0 || labels[i] >= n_blocks)
            throw std::invalid_argument("row " + std::to_string(i) + ": the label is outside the blocks");
        ++counts[labels[i]];
    }

    // Tasks are stripes of columns times ranges of row blocks. A range has at least 64 rows for each block,
    // so that the partial sums of all ranges need at most an eighth of a byte for each bit of the table.
    const std::int64_t n_stripes = (p + kStripe - 1) / kStripe;
    const std::int64_t least_row_blocks = std::max<std::int64_t>(1, 64 * n_blocks / kRowsPerBlock);
    const std::int64_t n_ranges =
        std::clamp<std::int64_t>(bits.n_row_blocks() / least_row_blocks, 1, kMostRanges);
    std::vector<std::vector<std::int64_t>> partial(static_cast<std::size_t>(n_stripes * n_ranges));
    parallel_for(n_stripes * n_ranges, n_threads, [&](std::int64_t task) {
        const std::int64_t stripe = task / n_ranges;
        const std::int64_t range = task % n_ranges;
        const std::int64_t first = range * bits.n_row_blocks() / n_ranges;
        const std::int64_t last = (range + 1) * bits.n_row_blocks() / n_ranges;
        if (n_ranges == 1) {  // nobody else writes to these columns
            add_stripe(bits, labels, n_blocks, first, last, stripe * kStripe, sums + stripe * kStripe, p);
            return;
        }
        auto& mine = partial[static_cast<std::size_t>(task)];
        mine.assign(static_cast<std::size_t>(n_blocks * kStripe), 0);
        add_stripe(bits, labels, n_blocks, first, last, stripe * kStripe, mine.data(), kStripe);
    });
    if (n_ranges == 1) return;
    for (std::int64_t task = 0; task < n_stripes * n_ranges; ++task) {
        const std::int64_t first_column = task / n_ranges * kStripe;
        const std::int64_t width = std::min(kStripe, p - first_column);
        const std::int64_t* from = partial[static_cast<std::size_t>(task)].data();
        for (std::int64_t block = 0; block < n_blocks; ++block)
            for (std::int64_t c = 0; c < width; ++c)
                sums[block * p + first_column + c] += from[block * kStripe + c];
    }
}

}  // namespace covloss
