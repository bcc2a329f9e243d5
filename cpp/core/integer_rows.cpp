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
constexpr std::int64_t kMaxSquare = std::int64_t{1} << 61;  // of a coordinate, which then fits 32 bits

// Divides by 2^shift and rounds towards 0: never larger in size, so that bounds of norms are kept.
std::int32_t shifted(std::int32_t value, int shift) {
    const std::int32_t below = (std::int32_t{1} << shift) - 1;
    return (value + ((value >> 31) & below)) >> shift;  // a shift alone rounds down
}

// Sum of products; compilers turn it into the instruction that multiplies 16-bit integers and adds pairs.
std::int32_t dot(const std::int16_t* a, const std::int16_t* b, std::int64_t n) {
    std::int32_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::int32_t{a[i]} * std::int32_t{b[i]};
    return sum;
}

std::int64_t squared_norm(const std::int16_t* a, std::int64_t n) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += std::int32_t{a[i]} * std::int32_t{a[i]};
    return sum;
}

std::int16_t narrow(std::int32_t value, const char* what) {
    if (value > INT16_MAX || value < -INT16_MAX)
        throw std::invalid_argument(std::string(what) + " has an entry that does not fit 16 bits");
    return static_cast<std::int16_t>(value);
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
                    mine[static_cast<std::size_t>(i * p + j)] +=
                        dot(tile.data() + i * kTile, tile.data() + j * kTile, kTile);
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
    std::vector<std::int16_t> columns(static_cast<std::size_t>(p * t));  // one direction after another
    std::int64_t longest = 0;
    for (std::int64_t c = 0; c < t; ++c) {
        std::int16_t* column = columns.data() + c * p;
        for (std::int64_t j = 0; j < p; ++j) column[j] = narrow(directions[j * t + c], "a direction");
        longest = std::max(longest, squared_norm(column, p));
    }
    const std::int64_t tasks = (n + kRowsPerTask - 1) / kRowsPerTask;
    parallel_for(tasks, n_threads, [&](std::int64_t task) {
        std::vector<std::int16_t> x(static_cast<std::size_t>(p));
        for (std::int64_t i = task * kRowsPerTask; i < std::min(n, (task + 1) * kRowsPerTask); ++i) {
            for (std::int64_t j = 0; j < p; ++j)
                x[static_cast<std::size_t>(j)] = narrow(shifted(rows[i * p + j], shift), "a row");
            const std::int64_t length = squared_norm(x.data(), p);
            // |sum| <= |x| |direction|, every partial sum too.
            if (length > 0 && longest > kMaxSquare / length)
                throw std::invalid_argument("row " + std::to_string(i) + ": its coordinates are too large");
            for (std::int64_t c = 0; c < t; ++c) out[i * t + c] = dot(x.data(), columns.data() + c * p, p);
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
