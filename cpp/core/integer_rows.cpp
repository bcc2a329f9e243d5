#include "core/integer_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/parallel.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kTile = 256;  // rows: 2^8 products of at most 2^22 fit 32 bits
constexpr std::int64_t kRowsPerTask = 16384;
constexpr std::int64_t kMostRanges = 16;

// Divides by 2^shift and rounds towards 0: never larger in size, so that bounds of norms are kept.
std::int32_t shifted(std::int32_t value, int shift) {
    return static_cast<std::int32_t>(value / (std::int64_t{1} << shift));
}

// Ranges of rows of about equal length: so many that all may work, so few that partial sums stay small.
std::int64_t n_ranges(std::int64_t n) { return std::clamp<std::int64_t>(n / kRowsPerTask, 1, kMostRanges); }

void add(std::vector<std::int64_t>& part, std::int64_t* sums) {
    for (std::size_t i = 0; i < part.size(); ++i) sums[i] += part[i];
}

}  // namespace

void integer_second_moment(const std::int32_t* rows, std::int64_t n, std::int64_t p, int shift, int n_threads,
                           std::int64_t* moment) {
    const std::int64_t ranges = n_ranges(n);
    std::vector<std::vector<std::int64_t>> partial(static_cast<std::size_t>(ranges));
    parallel_for(ranges, n_threads, [&](std::int64_t range) {
        auto& mine = partial[static_cast<std::size_t>(range)];
        mine.assign(static_cast<std::size_t>(p * p), 0);
        std::vector<std::int16_t> tile(static_cast<std::size_t>(p * kTile));  // by columns
        const std::int64_t last = (range + 1) * n / ranges;
        for (std::int64_t first = range * n / ranges; first < last; first += kTile) {
            poll_interrupt();
            const std::int64_t here = std::min(kTile, last - first);
            std::fill(tile.begin(), tile.end(), std::int16_t{0});
            for (std::int64_t r = 0; r < here; ++r)
                for (std::int64_t j = 0; j < p; ++j) {
                    const std::int32_t value = shifted(rows[(first + r) * p + j], shift);
                    if (value > kMaxMomentEntry || value < -kMaxMomentEntry)
                        throw std::invalid_argument("row " + std::to_string(first + r) +
                                                    " is too large for its second moment");
                    tile[static_cast<std::size_t>(j * kTile + r)] = static_cast<std::int16_t>(value);
                }
            for (std::int64_t i = 0; i < p; ++i)
                for (std::int64_t j = i; j < p; ++j) {
                    const std::int16_t* a = tile.data() + i * kTile;
                    const std::int16_t* b = tile.data() + j * kTile;
                    std::int32_t sum = 0;
                    for (std::int64_t r = 0; r < kTile; ++r) sum += std::int32_t{a[r]} * std::int32_t{b[r]};
                    mine[static_cast<std::size_t>(i * p + j)] += sum;
                }
        }
    });
    std::fill_n(moment, p * p, 0);
    for (auto& part : partial) add(part, moment);
    for (std::int64_t i = 0; i < p; ++i)
        for (std::int64_t j = 0; j < i; ++j) moment[i * p + j] = moment[j * p + i];
}

void integer_project(const std::int32_t* rows, std::int64_t n, std::int64_t p, int shift,
                     const std::int32_t* directions, std::int64_t t, int n_threads, std::int64_t* out) {
    const std::int64_t tasks = (n + kRowsPerTask - 1) / kRowsPerTask;
    parallel_for(tasks, n_threads, [&](std::int64_t task) {
        for (std::int64_t i = task * kRowsPerTask; i < std::min(n, (task + 1) * kRowsPerTask); ++i) {
            std::int64_t* to = out + i * t;
            std::fill_n(to, t, 0);
            for (std::int64_t j = 0; j < p; ++j) {
                const std::int64_t value = shifted(rows[i * p + j], shift);
                for (std::int64_t c = 0; c < t; ++c) to[c] += value * directions[j * t + c];
            }
        }
    });
}

void integer_block_sums(const std::int32_t* rows, std::int64_t n, std::int64_t p, const std::int32_t* labels,
                        std::int64_t n_blocks, int n_threads, std::int64_t* counts, std::int64_t* sums) {
    std::fill_n(counts, n_blocks, 0);
    for (std::int64_t i = 0; i < n; ++i) {
        if (labels[i] < 0 || labels[i] >= n_blocks)
            throw std::invalid_argument("row " + std::to_string(i) + ": the label is outside the blocks");
        ++counts[labels[i]];
    }
    const std::int64_t ranges = std::clamp<std::int64_t>(n / (16 * n_blocks), 1, n_ranges(n));
    std::vector<std::vector<std::int64_t>> partial(static_cast<std::size_t>(ranges));
    parallel_for(ranges, n_threads, [&](std::int64_t range) {
        auto& mine = partial[static_cast<std::size_t>(range)];
        mine.assign(static_cast<std::size_t>(n_blocks * p), 0);
        for (std::int64_t i = range * n / ranges; i < (range + 1) * n / ranges; ++i)
            for (std::int64_t j = 0; j < p; ++j)
                mine[static_cast<std::size_t>(labels[i] * p + j)] += rows[i * p + j];
    });
    std::fill_n(sums, n_blocks * p, 0);
    for (auto& part : partial) add(part, sums);
}

}  // namespace covloss
