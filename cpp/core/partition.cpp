#include "core/partition.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/parallel.hpp"
#include "core/simd.hpp"
#include "core/vector8.hpp"

#if COVLOSS_HAS_AVX2_LEVEL
#include <immintrin.h>
#endif

namespace covloss {
namespace {

constexpr std::int64_t kTile = 64;          // rows of a word, projected and assigned together
constexpr std::int64_t kTilesPerTask = 64;  // 4,096 rows: four tasks in a row block
constexpr std::int64_t kRowsPerTask = kTile * kTilesPerTask;
constexpr std::int64_t kTasksPerBlock = kRowsPerBlock / kRowsPerTask;
constexpr std::int64_t kLanes = 8;  // coordinates that are summed together
constexpr std::int64_t kMaxCoordinate = std::int64_t{1} << 62;
constexpr std::int64_t kMaxLabelBits = 30;

template <class T>
using Lanes __attribute__((vector_size(kLanes * sizeof(T)))) = T;

// ---- Projection ---------------------------------------------------------------------------------------

// Coordinates of the 64 rows of a tile, kLanes of them: out[row][lane]. tables: [byte of the row][its
// value][lane]; bytes: [byte][row].
template <class T>
COVLOSS_ALWAYS_INLINE void sum_tables_body(const T* tables, std::int64_t n_bytes, const std::uint8_t* bytes,
                                           const T* start, T* out) {
    for (std::int64_t r = 0; r < kTile; ++r) {
        Lanes<T> sum;
        std::memcpy(&sum, start, sizeof sum);
        for (std::int64_t b = 0; b < n_bytes; ++b) {
            Lanes<T> add;
            std::memcpy(&add, tables + (b * 256 + bytes[b * kTile + r]) * kLanes, sizeof add);
            sum += add;
        }
        std::memcpy(out + r * kLanes, &sum, sizeof sum);
    }
}

template <class T>
void sum_tables_baseline(const T* tables, std::int64_t n_bytes, const std::uint8_t* bytes, const T* start,
                         T* out) {
    sum_tables_body<T>(tables, n_bytes, bytes, start, out);
}

template <class T>
COVLOSS_TARGET_AVX2 void sum_tables_avx2(const T* tables, std::int64_t n_bytes, const std::uint8_t* bytes,
                                         const T* start, T* out) {
    sum_tables_body<T>(tables, n_bytes, bytes, start, out);
}

// The largest absolute value that a coordinate, or a partial sum on the way to it, can have: every partial
// sum lies between the sums of the negative and of the positive entries.
std::int64_t coordinate_bound(const IntegerMap& map, std::int64_t n_columns) {
    std::int64_t bound = 0;
    for (std::int64_t c = 0; c < map.t; ++c) {
        if (map.offset[c] >= kMaxCoordinate || map.offset[c] <= -kMaxCoordinate)
            throw std::invalid_argument("offset " + std::to_string(c) + " is too large");
        std::int64_t low = map.offset[c];
        std::int64_t high = map.offset[c];
        for (std::int64_t b = 0; b < n_columns; ++b) {  // below 2^62 + 2^31 * n_columns
            const std::int64_t entry = map.directions[b * map.t + c];
            (entry < 0 ? low : high) += entry;
        }
        bound = std::max({bound, high, -low});
    }
    if (bound >= kMaxCoordinate)
        throw std::invalid_argument("the directions are too large: a coordinate could reach 2^62");
    return bound;
}

// Tables of what each byte of a row adds to the coordinates.
template <class T>
class ByteTables {
  public:
    ByteTables(const IntegerMap& map, std::int64_t n_columns)
        : t_(map.t), n_bytes_((n_columns + 7) / 8), n_chunks_((map.t + kLanes - 1) / kLanes) {
        tables_.resize(static_cast<std::size_t>(n_chunks_ * n_bytes_ * 256 * kLanes));
        start_.resize(static_cast<std::size_t>(n_chunks_ * kLanes));
        std::copy_n(map.offset, t_, start_.begin());
        for (std::int64_t chunk = 0; chunk < n_chunks_; ++chunk) {
            const std::int64_t width = std::min(kLanes, t_ - chunk * kLanes);
            for (std::int64_t byte = 0; byte < n_bytes_; ++byte) {
                T* const table = tables_.data() + (chunk * n_bytes_ + byte) * 256 * kLanes;
                for (std::int64_t bit = 0; bit < std::min<std::int64_t>(8, n_columns - 8 * byte); ++bit) {
                    const std::int32_t* row = map.directions + (8 * byte + bit) * t_ + chunk * kLanes;
                    for (std::int64_t value = 0; value < (1 << bit); ++value)
                        for (std::int64_t lane = 0; lane < width; ++lane)
                            table[(value + (1 << bit)) * kLanes + lane] =
                                table[value * kLanes + lane] + row[lane];
                }
            }
        }
    }

    std::int64_t n_bytes() const { return n_bytes_; }
    std::int64_t n_chunks() const { return n_chunks_; }

    // Calls use(first row, number of rows, coordinates[chunk][row of the tile][lane]) for every tile.
    template <class Use>
    void for_each_tile(const BitMatrix& bits, int n_threads, const Use& use) const {
        const auto sum_tables =
            simd_level() == SimdLevel::avx2 ? &sum_tables_avx2<T> : &sum_tables_baseline<T>;
        const std::int64_t n_tasks = (bits.n_rows() + kRowsPerTask - 1) / kRowsPerTask;
        parallel_for(n_tasks, n_threads, [&](std::int64_t task) {
            const std::int64_t row_block = task / kTasksPerBlock;
            const std::int64_t in_block = bits.rows_in_block(row_block);
            const std::int64_t first_tile = task % kTasksPerBlock * kTilesPerTask;
            std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n_bytes_ * kTile));
            std::vector<T> rows(static_cast<std::size_t>(n_chunks_ * kTile * kLanes));
            for (std::int64_t tile = first_tile; tile < first_tile + kTilesPerTask && tile * kTile < in_block;
                 ++tile) {
                for (std::int64_t b = 0; b < n_bytes_; ++b)
                    rows_as_bytes(bits, row_block, 8 * b, static_cast<std::size_t>(tile),
                                  bytes.data() + b * kTile);
                for (std::int64_t chunk = 0; chunk < n_chunks_; ++chunk)
                    sum_tables(tables_.data() + chunk * n_bytes_ * 256 * kLanes, n_bytes_, bytes.data(),
                               start_.data() + chunk * kLanes, rows.data() + chunk * kTile * kLanes);
                use(row_block * kRowsPerBlock + tile * kTile, std::min(kTile, in_block - tile * kTile),
                    rows.data());
            }
        });
    }

  private:
    std::int64_t t_;
    std::int64_t n_bytes_;
    std::int64_t n_chunks_;
    std::vector<T> tables_;
    std::vector<T> start_;
};

// use(tables): 32-bit sums where they are exact, else 64-bit sums.
template <class Use>
void with_byte_tables(const BitMatrix& bits, const IntegerMap& map, const Use& use) {
    if (coordinate_bound(map, bits.n_columns()) <= std::numeric_limits<std::int32_t>::max())
        use(ByteTables<std::int32_t>(map, bits.n_columns()));
    else
        use(ByteTables<std::int64_t>(map, bits.n_columns()));
}

// ---- Nearest point ------------------------------------------------------------------------------------
//
// |x - p|^2 = |x|^2 + |p|^2 - 2 <x, p>, and the first term is the same for all points. So the score of a
// point is |p|^2 - 2 <x, p>; it and every partial sum stay within 3 t bound^2, which the check bounds.

// What a point must not reach: the score of the points that pad the last group.
template <class Score>
constexpr Score kNever = std::numeric_limits<Score>::max();

// 64-bit scores of 32-bit coordinates: for all processors.
struct WidePoints {
    using Score = std::int64_t;
    static constexpr std::int64_t kGroup = 4;  // points that lie side by side
    std::int64_t t = 0;                        // coordinates of a row in a tile
    std::int64_t n_groups = 0;
    std::vector<std::int32_t> values;  // [group][coordinate][kGroup]
    std::vector<std::int64_t> norms;   // [group][kGroup]
};

// Whether the processor multiplies pairs of 16-bit numbers and adds the two products, as every x86-64 does.
constexpr bool kHasNarrow = COVLOSS_HAS_AVX2_LEVEL;
constexpr std::int64_t kMaxNarrow = (1 << 14) - 1;  // twice a coordinate fits 16 bits

// Then: 32-bit scores of 16-bit coordinates times -2, so that a score is a sum; two to a word (low half: the
// even one), padded with a zero.
struct NarrowPoints {
    using Score = std::int32_t;
    static constexpr std::int64_t kGroup = 16;
    static constexpr std::int64_t kFactor = -2;
    std::int64_t t = 0;  // pairs of coordinates
    std::int64_t n_groups = 0;
    std::vector<std::int32_t> values;  // [group][pair][kGroup]
    std::vector<std::int32_t> norms;   // [group][kGroup]
};

std::int32_t pair_of(std::int64_t even, std::int64_t odd) {
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(odd) << 16) |
                                     (static_cast<std::uint32_t>(even) & 0xFFFFU));
}

// Nearest point of each of the 64 rows of a tile; x: [coordinate][row].
void nearest_wide_baseline(const std::int32_t* x, const WidePoints& points, std::int32_t* labels) {
    std::array<std::int64_t, kTile> best;
    best.fill(kNever<std::int64_t>);
    std::fill_n(labels, kTile, 0);
    for (std::int64_t i = 0; i < points.n_groups * WidePoints::kGroup; ++i) {
        const std::int32_t* p = points.values.data() +
                                i / WidePoints::kGroup * points.t * WidePoints::kGroup +
                                i % WidePoints::kGroup;
        std::array<std::int64_t, kTile> dot{};
        for (std::int64_t c = 0; c < points.t; ++c)
            for (std::int64_t r = 0; r < kTile; ++r)
                dot[static_cast<std::size_t>(r)] +=
                    std::int64_t{x[c * kTile + r]} * p[c * WidePoints::kGroup];
        const std::int64_t norm = points.norms[static_cast<std::size_t>(i)];
        for (std::int64_t r = 0; r < kTile; ++r) {
            const std::int64_t score = norm - 2 * dot[static_cast<std::size_t>(r)];
            if (score < best[static_cast<std::size_t>(r)]) {
                best[static_cast<std::size_t>(r)] = score;
                labels[r] = static_cast<std::int32_t>(i);
            }
        }
    }
}

#if COVLOSS_HAS_AVX2_LEVEL

// Eight rows and four points at a time. _mm256_mul_epi32 multiplies the even 32-bit lanes to 64 bits; a shift
// brings the odd rows there.
COVLOSS_TARGET_AVX2 void nearest_wide_avx2(const std::int32_t* x, const WidePoints& points,
                                           std::int32_t* labels) {
    for (std::int64_t r = 0; r < kTile; r += 8) {
        __m256i best[2] = {_mm256_set1_epi64x(kNever<std::int64_t>),
                           _mm256_set1_epi64x(kNever<std::int64_t>)};
        __m256i nearest[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        for (std::int64_t g = 0; g < points.n_groups; ++g) {
            const std::int32_t* p = points.values.data() + g * points.t * WidePoints::kGroup;
            __m256i even[4], odd[4];
            for (int i = 0; i < 4; ++i) even[i] = odd[i] = _mm256_setzero_si256();
            for (std::int64_t c = 0; c < points.t; ++c) {
                const __m256i x_even =
                    _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + c * kTile + r));
                const __m256i x_odd = _mm256_srli_epi64(x_even, 32);
                for (int i = 0; i < 4; ++i) {
                    const __m256i factor = _mm256_set1_epi32(p[c * WidePoints::kGroup + i]);
                    even[i] = _mm256_add_epi64(even[i], _mm256_mul_epi32(x_even, factor));
                    odd[i] = _mm256_add_epi64(odd[i], _mm256_mul_epi32(x_odd, factor));
                }
            }
            for (int i = 0; i < 4; ++i) {
                const __m256i norm = _mm256_set1_epi64x(points.norms[static_cast<std::size_t>(g * 4 + i)]);
                const __m256i index = _mm256_set1_epi64x(g * 4 + i);
                const __m256i scores[2] = {_mm256_sub_epi64(norm, _mm256_slli_epi64(even[i], 1)),
                                           _mm256_sub_epi64(norm, _mm256_slli_epi64(odd[i], 1))};
                for (int h = 0; h < 2; ++h) {
                    const __m256i closer = _mm256_cmpgt_epi64(best[h], scores[h]);
                    best[h] = _mm256_blendv_epi8(best[h], scores[h], closer);
                    nearest[h] = _mm256_blendv_epi8(nearest[h], index, closer);
                }
            }
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(labels + r),
                            _mm256_or_si256(nearest[0], _mm256_slli_epi64(nearest[1], 32)));
    }
}

// sums += products of pairs of coordinates of eight rows (or points) with those of one point (or row).
struct Sse2Products {
    static void add(Int8x32& sums, const Int8x32& pairs, std::int32_t pair) {
        __m128i halves[2];
        std::memcpy(halves, &pairs, sizeof halves);
        const __m128i factor = _mm_set1_epi32(pair);
        for (__m128i& half : halves) half = _mm_madd_epi16(half, factor);
        Int8x32 products;
        std::memcpy(&products, halves, sizeof products);
        sums += products;
    }
};
struct Avx2Products {
    COVLOSS_TARGET_AVX2 static void add(Int8x32& sums, const Int8x32& pairs, std::int32_t pair) {
        sums += (Int8x32)_mm256_madd_epi16((__m256i)pairs, _mm256_set1_epi32(pair));
    }
};

constexpr Int8x32 kLanesInOrder{0, 1, 2, 3, 4, 5, 6, 7};

// Nearest point of each of the 64 rows of a tile; x: [pair][row]. The least score of each group of points is
// followed alone, which takes one operation a score; which point of the best group has it is found at the
// end.
template <class Products, int n_vectors>
COVLOSS_ALWAYS_INLINE void nearest_narrow_body(const std::int32_t* x, const NarrowPoints& points,
                                               std::int32_t* labels) {
    constexpr std::int64_t kGroup = NarrowPoints::kGroup;
    constexpr int kTogether = 4;  // points whose scores are in registers
    std::int32_t least_scores[kTile];
    for (std::int64_t r = 0; r < kTile; r += n_vectors * kVector) {
        Int8x32 best[n_vectors], best_group[n_vectors];
        for (int v = 0; v < n_vectors; ++v) {
            best[v] = Int8x32{} + kNever<std::int32_t>;
            best_group[v] = Int8x32{};
        }
        for (std::int64_t g = 0; g < points.n_groups; ++g) {
            Int8x32 least[n_vectors];
            for (int v = 0; v < n_vectors; ++v) least[v] = Int8x32{} + kNever<std::int32_t>;
            for (std::int64_t first = 0; first < kGroup; first += kTogether) {
                const std::int32_t* p = points.values.data() + g * points.t * kGroup + first;
                const std::int32_t* norms = points.norms.data() + g * kGroup + first;
                Int8x32 scores[kTogether][n_vectors];
                for (int i = 0; i < kTogether; ++i)
                    for (int v = 0; v < n_vectors; ++v) scores[i][v] = Int8x32{} + norms[i];
                for (std::int64_t c = 0; c < points.t; ++c)
                    for (int v = 0; v < n_vectors; ++v) {
                        Int8x32 rows;
                        load8(rows, x + c * kTile + r + v * kVector);
                        for (int i = 0; i < kTogether; ++i)
                            Products::add(scores[i][v], rows, p[c * kGroup + i]);
                    }
                for (int i = 0; i < kTogether; ++i)
                    for (int v = 0; v < n_vectors; ++v)
                        least[v] = scores[i][v] < least[v] ? scores[i][v] : least[v];
            }
            for (int v = 0; v < n_vectors; ++v) {
                const Int8x32 closer = least[v] < best[v];
                best[v] = closer ? least[v] : best[v];
                best_group[v] = closer ? Int8x32{} + static_cast<std::int32_t>(g) : best_group[v];
            }
        }
        for (int v = 0; v < n_vectors; ++v) {
            store8(best[v], least_scores + r + v * kVector);
            store8(best_group[v], labels + r + v * kVector);
        }
    }
    for (std::int64_t r = 0; r < kTile; ++r) {
        const std::int64_t g = labels[r];
        Int8x32 places = Int8x32{} + static_cast<std::int32_t>(kGroup);
        for (std::int64_t first = 0; first < kGroup; first += kVector) {
            Int8x32 scores;
            load8(scores, points.norms.data() + g * kGroup + first);
            for (std::int64_t c = 0; c < points.t; ++c) {
                Int8x32 pairs;
                load8(pairs, points.values.data() + (g * points.t + c) * kGroup + first);
                Products::add(scores, pairs, x[c * kTile + r]);
            }
            const Int8x32 here = kLanesInOrder + static_cast<std::int32_t>(first);
            places = ((scores == least_scores[r]) & (here < places)) ? here : places;
        }
        std::int32_t place = places[0];
        for (int i = 1; i < kVector; ++i) place = std::min(place, places[i]);
        labels[r] = static_cast<std::int32_t>(g * kGroup) + place;
    }
}

void nearest_narrow_sse2(const std::int32_t* x, const NarrowPoints& points, std::int32_t* labels) {
    nearest_narrow_body<Sse2Products, 1>(x, points, labels);
}

COVLOSS_TARGET_AVX2 void nearest_narrow_avx2(const std::int32_t* x, const NarrowPoints& points,
                                             std::int32_t* labels) {
    nearest_narrow_body<Avx2Products, 2>(x, points, labels);
}

#endif

using WideKernel = void (*)(const std::int32_t*, const WidePoints&, std::int32_t*);
using NarrowKernel = void (*)(const std::int32_t*, const NarrowPoints&, std::int32_t*);

// The points in the form that the kernels read, and the choice between the two forms.
class NearestPointSearch {
  public:
    NearestPointSearch(const std::int64_t* points, std::int64_t k, std::int64_t t, std::int64_t bound)
        : t_(t) {
        if (k < 1 || k > std::numeric_limits<std::int32_t>::max() - NarrowPoints::kGroup)
            throw std::invalid_argument("a partition needs from 1 to 2^31 - 17 points, got " +
                                        std::to_string(k));
        for (std::int64_t i = 0; i < k * t; ++i) {
            if (points[i] >= kMaxCoordinate || points[i] <= -kMaxCoordinate)
                throw std::invalid_argument("point " + std::to_string(i / t) + " is too large");
            bound = std::max({bound, points[i], -points[i]});
        }
        if (!fits(bound, std::numeric_limits<std::int64_t>::max()))
            throw std::invalid_argument("the coordinates are too large: with " + std::to_string(t) +
                                        " of them, up to " + std::to_string(bound) +
                                        ", squared distances could leave 63 bits");
        // Then 4 bound^2 < 2^63: 32-bit coordinates.
        is_narrow_ =
            kHasNarrow && bound <= kMaxNarrow && fits(bound, std::numeric_limits<std::int32_t>::max());
        [[maybe_unused]] const bool avx2 = simd_level() == SimdLevel::avx2;
        const auto at = [&](std::int64_t point, std::int64_t c) {
            return point < k && c < t ? points[point * t + c] : 0;
        };
        if (is_narrow_) {
            prepare(narrow_, points, k, (t + 1) / 2, [&](std::int64_t point, std::int64_t pair) {
                return pair_of(NarrowPoints::kFactor * at(point, 2 * pair),
                               NarrowPoints::kFactor * at(point, 2 * pair + 1));
            });
#if COVLOSS_HAS_AVX2_LEVEL
            narrow_kernel_ = avx2 ? &nearest_narrow_avx2 : &nearest_narrow_sse2;
#endif
        } else {
            prepare(wide_, points, k, t, [&](std::int64_t point, std::int64_t c) {
                return static_cast<std::int32_t>(at(point, c));
            });
            wide_kernel_ = &nearest_wide_baseline;
#if COVLOSS_HAS_AVX2_LEVEL
            if (avx2) wide_kernel_ = &nearest_wide_avx2;
#endif
        }
    }

    // value(c, r): coordinate c of row r of the tile, r < 64; labels: 64.
    template <class Value>
    void tile(const Value& value, std::vector<std::int32_t>& x, std::int32_t* labels) const {
        x.resize(static_cast<std::size_t>(kTile * std::max<std::int64_t>(t_, 1)));
        if (is_narrow_) {
            for (std::int64_t pair = 0; pair < narrow_.t; ++pair)
                for (std::int64_t r = 0; r < kTile; ++r)
                    x[static_cast<std::size_t>(pair * kTile + r)] =
                        pair_of(value(2 * pair, r), 2 * pair + 1 < t_ ? value(2 * pair + 1, r) : 0);
            narrow_kernel_(x.data(), narrow_, labels);
        } else {
            for (std::int64_t c = 0; c < t_; ++c)
                for (std::int64_t r = 0; r < kTile; ++r)
                    x[static_cast<std::size_t>(c * kTile + r)] = static_cast<std::int32_t>(value(c, r));
            wide_kernel_(x.data(), wide_, labels);
        }
    }

  private:
    // t (2 bound)^2 <= limit, without a product that could overflow.
    bool fits(std::int64_t bound, std::int64_t limit) const {
        return t_ == 0 || bound == 0 || bound <= limit / 4 / t_ / bound;
    }

    template <class Points, class Value>
    void prepare(Points& out, const std::int64_t* points, std::int64_t k, std::int64_t width,
                 const Value& value) {
        using Score = typename Points::Score;
        constexpr std::int64_t kGroup = Points::kGroup;
        out.t = width;
        out.n_groups = (k + kGroup - 1) / kGroup;
        out.values.resize(static_cast<std::size_t>(out.n_groups * width * kGroup));
        out.norms.assign(static_cast<std::size_t>(out.n_groups * kGroup), kNever<Score>);
        for (std::int64_t point = 0; point < out.n_groups * kGroup; ++point)
            for (std::int64_t c = 0; c < width; ++c)
                out.values[static_cast<std::size_t>((point / kGroup * width + c) * kGroup + point % kGroup)] =
                    value(point, c);
        for (std::int64_t point = 0; point < k; ++point) {
            std::int64_t norm = 0;
            for (std::int64_t c = 0; c < t_; ++c) norm += points[point * t_ + c] * points[point * t_ + c];
            out.norms[static_cast<std::size_t>(point)] = static_cast<Score>(norm);
        }
    }

    std::int64_t t_;
    bool is_narrow_ = false;
    WidePoints wide_;
    NarrowPoints narrow_;
    WideKernel wide_kernel_ = nullptr;
    NarrowKernel narrow_kernel_ = nullptr;
};

// ---- Grids --------------------------------------------------------------------------------------------
//
// The lower border of cell i is (2 i - cells) spacing / 2, so i = floor((2 x + cells spacing) / (2 spacing)).
// An outermost cell is open, so a coordinate may be cut to the grid first, where nothing overflows.

typedef double Double4 __attribute__((vector_size(32)));
typedef std::int64_t Int4x64 __attribute__((vector_size(32)));
typedef std::int32_t Int4x32 __attribute__((vector_size(16)));

struct GridNumbers {
    std::int64_t reach;   // cells spacing
    std::int64_t period;  // 2 spacing
    std::int64_t last;    // cells - 1
};

COVLOSS_ALWAYS_INLINE void to_double(const std::int32_t* from, std::int64_t, Double4& x) {
    Int4x32 whole;
    std::memcpy(&whole, from, sizeof whole);
    x = __builtin_convertvector(whole, Double4);
}

// Below 2^51 in size, integers are added to the digits of a double that is 1.5 times 2^52.
COVLOSS_ALWAYS_INLINE void to_double(const std::int64_t* from, std::int64_t reach, Double4& x) {
    Int4x64 whole;
    std::memcpy(&whole, from, sizeof whole);
    whole = whole < -reach ? Int4x64{} - reach : whole;
    whole = whole > reach ? Int4x64{} + reach : whole;
    constexpr double kDigits = 6755399441055744.0;
    x = (Double4)(whole + std::bit_cast<std::int64_t>(kDigits)) - kDigits;
}

// labels[r] += sum of cell * weight over kLanes coordinates. With a reach below 2^50 all sums are exact, and
// the quotient of two integers below 2^53 is never rounded up to the next integer: that is 1 / divisor away.
template <class T>
COVLOSS_ALWAYS_INLINE void add_cells_body(const T* values, std::int64_t stride, std::int64_t n_rows,
                                          const GridNumbers& grid, const std::int32_t* weights,
                                          std::int32_t* labels) {
    Int4x32 weight[2];
    std::memcpy(weight, weights, sizeof weight);
    const auto reach = static_cast<double>(grid.reach);
    const auto period = static_cast<double>(grid.period);
    const Double4 zero{}, last = zero + static_cast<double>(grid.last);
    for (std::int64_t r = 0; r < n_rows; ++r) {
        Int4x32 sum{};
        for (std::int64_t half = 0; half < 2; ++half) {
            Double4 x;
            to_double(values + r * stride + 4 * half, grid.reach, x);
            Double4 cell = (2 * x + reach) / period;
            cell = cell > zero ? cell : zero;
            cell = cell < last ? cell : last;
            sum += __builtin_convertvector(cell, Int4x32) * weight[half];
        }
        labels[r] += sum[0] + sum[1] + sum[2] + sum[3];
    }
}

template <class T>
void add_cells_baseline(const T* values, std::int64_t stride, std::int64_t n_rows, const GridNumbers& grid,
                        const std::int32_t* weights, std::int32_t* labels) {
    add_cells_body<T>(values, stride, n_rows, grid, weights, labels);
}

template <class T>
COVLOSS_TARGET_AVX2 void add_cells_avx2(const T* values, std::int64_t stride, std::int64_t n_rows,
                                        const GridNumbers& grid, const std::int32_t* weights,
                                        std::int32_t* labels) {
    add_cells_body<T>(values, stride, n_rows, grid, weights, labels);
}

class Grid {
  public:
    Grid(std::int64_t t, std::int64_t spacing, std::int64_t cells)
        : weights_(static_cast<std::size_t>((t + kLanes - 1) / kLanes * kLanes)) {
        if (spacing < 1 || cells < 1) throw std::invalid_argument("spacing and cells must be at least 1");
        std::int64_t n_cells = 1;
        for (std::int64_t c = t - 1; c >= 0; --c) {
            weights_[static_cast<std::size_t>(c)] = static_cast<std::int32_t>(n_cells);
            if (cells > (std::int64_t{1} << kMaxLabelBits) / n_cells)
                throw std::invalid_argument("the grid has more than 2^30 cells");
            n_cells *= cells;
        }
        if (spacing > kMaxCoordinate / 2 / cells) throw std::invalid_argument("the grid is too large");
        numbers_ = {cells * spacing, 2 * spacing, cells - 1};
    }

    // Of kLanes coordinates of each row, number `chunk` of such; those beyond the last weigh nothing.
    template <class T>
    void add_cells(const T* values, std::int64_t stride, std::int64_t n_rows, std::int64_t chunk,
                   std::int32_t* labels) const {
        const std::int32_t* weights = weights_.data() + chunk * kLanes;
        if (numbers_.reach < std::int64_t{1} << 50) {
            const auto add = simd_level() == SimdLevel::avx2 ? &add_cells_avx2<T> : &add_cells_baseline<T>;
            add(values, stride, n_rows, numbers_, weights, labels);
            return;
        }
        for (std::int64_t r = 0; r < n_rows; ++r)
            for (std::int64_t c = 0; c < kLanes; ++c) {
                const std::int64_t x = values[r * stride + c];
                const std::int64_t twice =
                    2 * std::clamp(x, -numbers_.reach, numbers_.reach) + numbers_.reach;
                const std::int64_t cell = twice < 0 ? 0 : std::min(twice / numbers_.period, numbers_.last);
                labels[r] += static_cast<std::int32_t>(cell) * weights[c];
            }
    }

  private:
    GridNumbers numbers_{};
    std::vector<std::int32_t> weights_;  // of a cell's number along each coordinate
};

void check_label_bits(std::int64_t n, const char* what) {
    if (n > kMaxLabelBits)
        throw std::invalid_argument(std::string("at most 30 ") + what + " make a label, got " +
                                    std::to_string(n));
}

}  // namespace

void project(const BitMatrix& bits, const IntegerMap& map, std::int64_t* coordinates, int n_threads) {
    with_byte_tables(bits, map, [&](const auto& tables) {
        tables.for_each_tile(bits, n_threads, [&](std::int64_t first, std::int64_t rows, const auto* values) {
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < map.t; ++c)
                    coordinates[(first + r) * map.t + c] =
                        values[(c / kLanes * kTile + r) * kLanes + c % kLanes];
        });
    });
}

void assign_nearest(const BitMatrix& bits, const IntegerMap& map, const std::int64_t* points, std::int64_t k,
                    std::int32_t* labels, int n_threads) {
    const NearestPointSearch search(points, k, map.t, coordinate_bound(map, bits.n_columns()));
    const ByteTables<std::int32_t> tables(map, bits.n_columns());  // the search bounds coordinates by 2^31
    tables.for_each_tile(bits, n_threads,
                         [&](std::int64_t first, std::int64_t rows, const std::int32_t* values) {
                             thread_local std::vector<std::int32_t> x;
                             std::array<std::int32_t, kTile> nearest;
                             search.tile(
                                 [&](std::int64_t c, std::int64_t r) {
                                     return values[(c / kLanes * kTile + r) * kLanes + c % kLanes];
                                 },
                                 x, nearest.data());
                             std::copy_n(nearest.data(), rows, labels + first);
                         });
}

void nearest_point(const std::int64_t* coordinates, std::int64_t n, std::int64_t t,
                   const std::int64_t* points, std::int64_t k, std::int32_t* labels, int n_threads) {
    std::int64_t bound = 0;
    for (std::int64_t i = 0; i < n * t; ++i) {
        if (coordinates[i] >= kMaxCoordinate || coordinates[i] <= -kMaxCoordinate)
            throw std::invalid_argument("a coordinate of row " + std::to_string(i / t) + " is too large");
        bound = std::max({bound, coordinates[i], -coordinates[i]});
    }
    const NearestPointSearch search(points, k, t, bound);
    const std::int64_t n_tiles = (n + kTile - 1) / kTile;
    parallel_for((n_tiles + kTilesPerTask - 1) / kTilesPerTask, n_threads, [&](std::int64_t task) {
        std::vector<std::int32_t> x;
        for (std::int64_t tile = task * kTilesPerTask; tile < std::min(n_tiles, (task + 1) * kTilesPerTask);
             ++tile) {
            const std::int64_t rows = std::min(kTile, n - tile * kTile);
            std::array<std::int32_t, kTile> nearest;
            search.tile(
                [&](std::int64_t c, std::int64_t r) {
                    return r < rows ? coordinates[(tile * kTile + r) * t + c] : 0;
                },
                x, nearest.data());
            std::copy_n(nearest.data(), rows, labels + tile * kTile);
        }
    });
}

void pin(const BitMatrix& bits, const std::vector<std::int64_t>& columns, std::int32_t* labels,
         int n_threads) {
    check_label_bits(static_cast<std::int64_t>(columns.size()), "columns");
    for (const std::int64_t column : columns)
        if (column < 0 || column >= bits.n_columns())
            throw std::invalid_argument("there is no bit " + std::to_string(column) + " to pin, only " +
                                        std::to_string(bits.n_columns()));
    parallel_for(bits.n_row_blocks(), n_threads, [&](std::int64_t row_block) {
        const std::int64_t rows = bits.rows_in_block(row_block);
        std::int32_t* here = labels + row_block * kRowsPerBlock;
        std::fill_n(here, rows, 0);
        for (std::size_t l = 0; l < columns.size(); ++l) {
            const std::uint64_t* words = bits.block(row_block, columns[l]);
            for (std::int64_t r = 0; r < rows; ++r)
                here[r] |= static_cast<std::int32_t>((words[r / 64] >> (r % 64)) & 1) << l;
        }
    });
}

void sign_cells(const BitMatrix& bits, const IntegerMap& map, std::int32_t* labels, int n_threads) {
    check_label_bits(map.t, "directions");
    with_byte_tables(bits, map, [&](const auto& tables) {
        tables.for_each_tile(bits, n_threads, [&](std::int64_t first, std::int64_t rows, const auto* values) {
            std::fill_n(labels + first, rows, 0);
            for (std::int64_t c = 0; c < map.t; ++c)
                for (std::int64_t r = 0; r < rows; ++r)
                    labels[first + r] |=
                        static_cast<std::int32_t>(values[(c / kLanes * kTile + r) * kLanes + c % kLanes] >= 0)
                        << c;
        });
    });
}

void lattice_cells(const BitMatrix& bits, const IntegerMap& map, std::int64_t spacing, std::int64_t cells,
                   std::int32_t* labels, int n_threads) {
    const Grid grid(map.t, spacing, cells);
    with_byte_tables(bits, map, [&](const auto& tables) {
        tables.for_each_tile(bits, n_threads, [&](std::int64_t first, std::int64_t rows, const auto* values) {
            std::fill_n(labels + first, rows, 0);
            for (std::int64_t chunk = 0; chunk < tables.n_chunks(); ++chunk)
                grid.add_cells(values + chunk * kTile * kLanes, kLanes, rows, chunk, labels + first);
        });
    });
}

void lattice_cells(const std::int64_t* coordinates, std::int64_t n, std::int64_t t, std::int64_t spacing,
                   std::int64_t cells, std::int32_t* labels, int n_threads) {
    const Grid grid(t, spacing, cells);
    const std::int64_t n_tiles = (n + kTile - 1) / kTile;
    parallel_for((n_tiles + kTilesPerTask - 1) / kTilesPerTask, n_threads, [&](std::int64_t task) {
        const std::int64_t end = std::min(n_tiles, (task + 1) * kTilesPerTask);
        for (std::int64_t tile = task * kTilesPerTask; tile < end; ++tile) {
            const std::int64_t first = tile * kTile;
            const std::int64_t rows = std::min(kTile, n - first);
            std::fill_n(labels + first, rows, 0);
            for (std::int64_t c = 0; c < t; c += kLanes) {
                const std::int64_t* corner = coordinates + first * t + c;
                std::int64_t copy[kTile * kLanes];
                const bool reads_beyond = (first + rows - 1) * t + c + kLanes > n * t;
                if (reads_beyond)
                    for (std::int64_t r = 0; r < rows; ++r)
                        std::copy_n(corner + r * t, std::min(kLanes, t - c), copy + r * kLanes);
                grid.add_cells(reads_beyond ? copy : corner, reads_beyond ? kLanes : t, rows, c / kLanes,
                               labels + first);
            }
        }
    });
}

}  // namespace covloss
