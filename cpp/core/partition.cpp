#include "core/partition.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/parallel.hpp"
#include "core/simd.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kTile = 64;  // rows of one word

// Points for the inner loop: coordinate by coordinate, so that it runs over points.
struct Points {
    std::int64_t k;
    std::int64_t t;
    std::vector<std::int32_t> by_coordinate;  // t x k
    std::vector<std::int64_t> squared_norm;   // k
};

// |x - p|^2 = |x|^2 + |p|^2 - 2 <x, p>; the first term is the same for all points. Every term stays within
// 3 t bound^2 < 2^63.
COVLOSS_ALWAYS_INLINE void nearest_body(const std::int32_t* x, std::int64_t rows, const Points& points,
                                        std::int64_t* scores, std::int32_t* labels) {
    const std::int64_t k = points.k;
    for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t j = 0; j < k; ++j) scores[j] = points.squared_norm[static_cast<std::size_t>(j)];
        for (std::int64_t c = 0; c < points.t; ++c) {
            const std::int32_t factor = x[r * points.t + c];
            const std::int32_t* coordinate = points.by_coordinate.data() + c * k;
            for (std::int64_t j = 0; j < k; ++j)
                scores[j] -= 2 * (std::int64_t{factor} * std::int64_t{coordinate[j]});
        }
        std::int64_t nearest = 0;
        for (std::int64_t j = 1; j < k; ++j)
            if (scores[j] < scores[nearest]) nearest = j;
        labels[r] = static_cast<std::int32_t>(nearest);
    }
}

void nearest_baseline(const std::int32_t* x, std::int64_t rows, const Points& points, std::int64_t* scores,
                      std::int32_t* labels) {
    nearest_body(x, rows, points, scores, labels);
}

COVLOSS_TARGET_AVX2 void nearest_avx2(const std::int32_t* x, std::int64_t rows, const Points& points,
                                      std::int64_t* scores, std::int32_t* labels) {
    nearest_body(x, rows, points, scores, labels);
}

// sums[byte][value][coordinate]: what the eight bits of a byte add to the coordinates.
std::vector<std::int32_t> byte_tables(const IntegerMap& map, std::int64_t n_columns) {
    const std::int64_t n_bytes = (n_columns + 7) / 8;
    std::vector<std::int32_t> sums(static_cast<std::size_t>(n_bytes * 256 * map.t));
    for (std::int64_t byte = 0; byte < n_bytes; ++byte)
        for (std::int64_t value = 1; value < 256; ++value) {
            std::int64_t low = 0;
            while (((value >> low) & 1) == 0) ++low;
            const std::int64_t rest = value & (value - 1);
            const std::int64_t column = 8 * byte + low;
            for (std::int64_t c = 0; c < map.t; ++c)
                sums[static_cast<std::size_t>((byte * 256 + value) * map.t + c)] =
                    sums[static_cast<std::size_t>((byte * 256 + rest) * map.t + c)] +
                    (column < n_columns ? map.directions[column * map.t + c] : 0);
        }
    return sums;
}

COVLOSS_ALWAYS_INLINE void add_rows_body(const std::uint8_t* bytes, const std::int32_t* table, std::int64_t t,
                                         std::int32_t* out) {
    for (std::int64_t r = 0; r < kTile; ++r) {
        const std::int32_t* add = table + bytes[r] * t;
        std::int32_t* row = out + r * t;
        for (std::int64_t c = 0; c < t; ++c) row[c] += add[c];
    }
}

void add_rows_baseline(const std::uint8_t* bytes, const std::int32_t* table, std::int64_t t,
                       std::int32_t* out) {
    add_rows_body(bytes, table, t, out);
}

COVLOSS_TARGET_AVX2 void add_rows_avx2(const std::uint8_t* bytes, const std::int32_t* table, std::int64_t t,
                                       std::int32_t* out) {
    add_rows_body(bytes, table, t, out);
}

// Largest absolute value that a coordinate of a record, or of a prefix of its bits, can have.
std::int64_t coordinate_bound(const IntegerMap& map, std::int64_t n_columns) {
    std::int64_t bound = 0;
    for (std::int64_t c = 0; c < map.t; ++c) {
        std::int64_t reach = std::abs(map.offset[c]);
        for (std::int64_t b = 0; b < n_columns; ++b)
            reach += std::abs(std::int64_t{map.directions[b * map.t + c]});
        bound = std::max(bound, reach);
    }
    if (bound > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("the directions are too large: a coordinate could leave 31 bits");
    return bound;
}

// Calls use(first row, number of rows, coordinates) for the rows of every word.
template <class Use>
void for_each_word(const BitMatrix& bits, const IntegerMap& map, int n_threads, const Use& use) {
    const std::vector<std::int32_t> tables = byte_tables(map, bits.n_columns());
    const auto add_rows = simd_level() == SimdLevel::avx2 ? &add_rows_avx2 : &add_rows_baseline;
    const std::vector<std::int32_t> start(map.offset, map.offset + map.t);  // bounded: fits
    parallel_for(bits.n_row_blocks(), n_threads, [&](std::int64_t row_block) {
        std::vector<std::int32_t> rows(static_cast<std::size_t>(kTile * map.t));
        std::uint8_t bytes[kTile];
        const std::int64_t in_block = bits.rows_in_block(row_block);
        for (std::int64_t base = 0; base < in_block; base += kTile) {
            for (std::int64_t r = 0; r < kTile; ++r)
                std::copy_n(start.data(), map.t, rows.data() + r * map.t);
            for (std::int64_t column = 0; column < bits.n_columns(); column += 8) {
                rows_as_bytes(bits, row_block, column, static_cast<std::size_t>(base / kTile), bytes);
                add_rows(bytes, tables.data() + column / 8 * 256 * map.t, map.t, rows.data());
            }
            use(row_block * kRowsPerBlock + base, std::min(kTile, in_block - base), rows.data());
        }
    });
}

}  // namespace

void project(const BitMatrix& bits, const IntegerMap& map, std::int32_t* coordinates, int n_threads) {
    coordinate_bound(map, bits.n_columns());
    for_each_word(bits, map, n_threads,
                  [&](std::int64_t first, std::int64_t rows, const std::int32_t* values) {
                      std::copy_n(values, rows * map.t, coordinates + first * map.t);
                  });
}

void assign_nearest(const BitMatrix& bits, const IntegerMap& map, const std::int64_t* points, std::int64_t k,
                    std::int32_t* labels, int n_threads) {
    if (k < 1 || k > std::numeric_limits<std::int32_t>::max())
        throw std::invalid_argument("a partition needs between 1 and 2^31 - 1 points");
    std::int64_t bound = coordinate_bound(map, bits.n_columns());
    for (std::int64_t i = 0; i < k * map.t; ++i) {
        if (points[i] > std::numeric_limits<std::int32_t>::max() ||
            points[i] < -std::numeric_limits<std::int32_t>::max())
            throw std::invalid_argument("the points are too large: a coordinate leaves 31 bits");
        bound = std::max(bound, std::abs(points[i]));
    }
    if (map.t > 0 && bound > 0 && bound > std::numeric_limits<std::int64_t>::max() / 4 / map.t / bound)
        throw std::invalid_argument("the coordinates are too large: squared distances could leave 63 bits");

    Points prepared{k, map.t, std::vector<std::int32_t>(static_cast<std::size_t>(k * map.t)),
                    std::vector<std::int64_t>(static_cast<std::size_t>(k))};
    for (std::int64_t j = 0; j < k; ++j)
        for (std::int64_t c = 0; c < map.t; ++c) {
            const std::int64_t value = points[j * map.t + c];
            prepared.by_coordinate[static_cast<std::size_t>(c * k + j)] = static_cast<std::int32_t>(value);
            prepared.squared_norm[static_cast<std::size_t>(j)] += value * value;
        }
    const auto nearest = simd_level() == SimdLevel::avx2 ? &nearest_avx2 : &nearest_baseline;
    for_each_word(bits, map, n_threads,
                  [&](std::int64_t first, std::int64_t rows, const std::int32_t* values) {
                      thread_local std::vector<std::int64_t> scores;
                      scores.resize(static_cast<std::size_t>(k));
                      nearest(values, rows, prepared, scores.data(), labels + first);
                  });
}

}  // namespace covloss
