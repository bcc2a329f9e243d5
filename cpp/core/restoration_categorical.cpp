#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "core/restoration.hpp"
#include "core/restoration_moves.hpp"
#include "core/restoration_shards.hpp"
#include "core/simd.hpp"
#include "core/vector8.hpp"

namespace covloss {
namespace {

// A row is visited attribute by attribute. The energies of all levels of an attribute are sums over the other
// attributes b of the table row of the level that b has: contiguous numbers, one vector register for 8
// levels.

constexpr std::int64_t kRowsPerTask = 1024;
constexpr std::int64_t kColumnsPerTask = 8;  // which are dealt in the same memory, one after the other

// ---- kernels ------------------------------------------------------------------------------------------

struct Neighbour {
    std::int32_t attribute;
    float weight;
};

// out[u] = weight * singles[u] (+ block_weight * block[u]) + sum over neighbours of weight * table row.
COVLOSS_ALWAYS_INLINE void energies_body(const std::int32_t* table, std::int64_t stride,
                                         const std::int32_t* row, const Neighbour* neighbours,
                                         std::int64_t n_neighbours, std::int64_t first, std::int64_t width,
                                         const std::int32_t* singles, float single_weight,
                                         const std::int32_t* block, float block_weight, float* out) {
    for (std::int64_t u = first; u < first + width; u += kVector) {
        Int8x32 counts;
        load8(counts, singles + u);
        Float8 sum = single_weight * __builtin_convertvector(counts, Float8);
        if (block != nullptr) {
            load8(counts, block + u);
            sum += block_weight * __builtin_convertvector(counts, Float8);
        }
        for (std::int64_t i = 0; i < n_neighbours; ++i) {
            load8(counts, table + row[neighbours[i].attribute] * stride + u);
            sum += neighbours[i].weight * __builtin_convertvector(counts, Float8);
        }
        store8(sum, out + (u - first));
    }
}

// Draws a level with probability proportional to exp(-beta energy); energies of excluded levels, and those
// beyond the last level, are infinite. Levels are taken in the order of the vector registers: position in the
// register first, then the register.
COVLOSS_ALWAYS_INLINE std::int64_t draw_level_body(float* energies, std::int64_t width, float beta,
                                                   float uniform) {
    Float8 least;
    load8(least, energies);
    for (std::int64_t u = kVector; u < width; u += kVector) {
        Float8 energy;
        load8(energy, energies + u);
        least = energy < least ? energy : least;
    }
    float lowest = least[0];
    for (int i = 1; i < kVector; ++i) lowest = least[i] < lowest ? least[i] : lowest;
    Float8 sums{};
    for (std::int64_t u = 0; u < width; u += kVector) {
        Float8 energy;
        load8(energy, energies + u);
        const Float8 exponent = beta * (lowest - energy);
        Float8 power = exponent;
        exp8(power);
        power = exponent > -80.0f ? power : Float8{};  // levels that do not exist, and impossible ones
        sums += power;
        store8(power, energies + u);
    }
    float total = 0;
    for (int i = 0; i < kVector; ++i) total += sums[i];
    float left = uniform * total;
    std::int64_t level = -1;  // the last possible one, if rounding lets `left` outlast them all
    for (int i = 0; i < kVector; ++i) {
        if (sums[i] <= left) {
            left -= sums[i];
            continue;
        }
        for (std::int64_t u = i; u < width; u += kVector) {
            if (energies[u] <= 0) continue;
            level = u;
            if (left < energies[u]) return level;
            left -= energies[u];
        }
        return level;
    }
    for (std::int64_t u = 0; u < width; ++u)
        if (energies[u] > 0) level = u;
    return level;
}

struct Kernels {
    decltype(&energies_body) energies;
    decltype(&draw_level_body) draw_level;
};

constexpr Kernels kBaseline{AtLevel<energies_body>::baseline, AtLevel<draw_level_body>::baseline};
#if COVLOSS_HAS_AVX2_LEVEL
constexpr Kernels kAvx2{AtLevel<energies_body>::avx2, AtLevel<draw_level_body>::avx2};
#endif

const Kernels& kernels() {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return kAvx2;
#endif
    return kBaseline;
}

// ---- the fit ------------------------------------------------------------------------------------------

// In (0, 1), a multiple of 2^-25.
float to_uniform(std::uint32_t word) { return (static_cast<float>(word >> 8) + 0.5f) * (1.0f / (1 << 24)); }

std::int32_t padded_width(std::int32_t size) { return (size + kVector - 1) / kVector * kVector; }

// Levels that an attribute may not have, given the level v of another: levels[starts[v]] .. levels[starts[v +
// 1]
// - 1].
struct Exclusions {
    std::int32_t other;
    std::vector<std::size_t> starts;
    std::vector<std::int32_t> levels;
};

struct Attribute {
    std::int32_t size;
    std::int32_t place;  // of its first level in the tables: whole vectors for each attribute
    std::int32_t level;  // and in the targets
    std::int32_t width;  // places, those of no level among them
    std::vector<Neighbour> neighbours;
    float single_weight;
    float self;  // sum of the weights that it has a part in
    std::vector<Exclusions> exclusions;
};

class CategoricalProblem {
  public:
    class Rows;

    CategoricalProblem(std::uint16_t* codes, const std::vector<std::int32_t>& sizes, std::int64_t m,
                       const CategoricalTargets& targets, const FitOptions& options, const StreamKey& key);

    std::int64_t n_levels() const { return n_levels_; }
    Discrepancies zero() const { return {n_places_, block_shares_.n_blocks(), stride()}; }
    // An odd number of vectors: so rows lie in all sets of the caches, where their cells of one place are
    // changed.
    std::int64_t stride() const { return (n_places_ / kVector | 1) * kVector; }
    void add_targets(int sign, const RowRange& range, Discrepancies& d) const;
    SweepRecord measure(const Discrepancies& d, std::int64_t n_moves) const;
    // Adds the pair counts of a range of rows: integers.
    void add_pairs(const RowRange& range, const Discrepancies& d, double* pairs) const;

  private:
    void read_exclusions();
    // Calls visit(first place, first level, second place, second level) for every two levels of two
    // attributes, both ways round.
    template <class Visit>
    void for_each_pair(const Visit& visit) const;

    std::uint16_t* codes_;
    std::int64_t q_;
    std::int64_t m_;
    const CategoricalTargets& targets_;
    BlockShares block_shares_;
    const StreamKey& key_;
    float beta_;
    float block_weight_;
    std::vector<Attribute> attributes_;
    std::int64_t n_places_ = 0;
    std::int64_t n_levels_ = 0;
    std::int64_t widest_ = 0;
};

CategoricalProblem::CategoricalProblem(std::uint16_t* codes, const std::vector<std::int32_t>& sizes,
                                       std::int64_t m, const CategoricalTargets& targets,
                                       const FitOptions& options, const StreamKey& key)
    : codes_(codes),
      q_(static_cast<std::int64_t>(sizes.size())),
      m_(m),
      targets_(targets),
      block_shares_(targets.labels, m, targets.n_blocks),
      key_(key),
      beta_(static_cast<float>(options.beta)),
      block_weight_(static_cast<float>(targets.block_weight)) {
    for (std::int64_t a = 0; a < q_; ++a) {
        const std::int32_t size = sizes[static_cast<std::size_t>(a)];
        Attribute attribute{size,
                            static_cast<std::int32_t>(n_places_),
                            static_cast<std::int32_t>(n_levels_),
                            padded_width(size),
                            {},
                            static_cast<float>(targets.single_weights[a]),
                            0.0f,
                            {}};
        double self = targets.single_weights[a] + (targets.labels == nullptr ? 0.0 : targets.block_weight);
        for (std::int64_t b = 0; b < q_; ++b) {
            const double weight = targets.pair_weights[a * q_ + b];
            if (b == a || weight == 0) continue;
            attribute.neighbours.push_back({static_cast<std::int32_t>(b), static_cast<float>(weight)});
            self += weight;
        }
        attribute.self = static_cast<float>(self);
        n_levels_ += size;
        n_places_ += attribute.width;
        widest_ = std::max<std::int64_t>(widest_, attribute.width);
        attributes_.push_back(std::move(attribute));
    }
    read_exclusions();
}

void CategoricalProblem::read_exclusions() {
    std::vector<std::array<std::int32_t, 4>> sorted;  // attribute, other attribute, its level, level
    targets_.forbidden.for_each([&](int a, int u, int b, int v) { sorted.push_back({a, b, v, u}); });
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [a, b, v, u] : sorted) {
        std::vector<Exclusions>& all = attributes_[static_cast<std::size_t>(a)].exclusions;
        if (all.empty() || all.back().other != b) all.push_back({b, {}, {}});
        Exclusions& exclusions = all.back();
        exclusions.starts.resize(static_cast<std::size_t>(v) + 1, exclusions.levels.size());
        exclusions.levels.push_back(u);
    }
    for (Attribute& attribute : attributes_)
        for (Exclusions& e : attribute.exclusions)
            e.starts.resize(static_cast<std::size_t>(attributes_[static_cast<std::size_t>(e.other)].size) + 1,
                            e.levels.size());
}

template <class Visit>
void CategoricalProblem::for_each_pair(const Visit& visit) const {
    for (const Attribute& a : attributes_)
        for (std::int32_t u = 0; u < a.size; ++u)
            for (const Attribute& b : attributes_)
                for (std::int32_t v = 0; v < (&a == &b ? 0 : b.size); ++v)
                    visit(a.place + u, a.level + u, b.place + v, b.level + v);
}

void CategoricalProblem::add_targets(int sign, const RowRange& range, Discrepancies& d) const {
    const double share = range.share_of(m_);
    const std::vector<double> block_shares = block_shares_.of(range);
    for (const Attribute& a : attributes_)
        for (std::int32_t u = 0; u < a.size; ++u) {
            d.singles()[a.place + u] += sign * rounded(targets_.singles[a.level + u] * share);
            for (std::int64_t j = 0; j < d.n_blocks(); ++j)
                d.block(j)[a.place + u] += sign * rounded(targets_.block_counts[j * n_levels_ + a.level + u] *
                                                          block_shares[static_cast<std::size_t>(j)]);
        }
    for_each_pair([&](std::int32_t place, std::int32_t level, std::int32_t other_place, std::int32_t other) {
        d.pairs(place)[other_place] += sign * rounded(targets_.pairs[level * n_levels_ + other] * share);
    });
}

void CategoricalProblem::add_pairs(const RowRange& range, const Discrepancies& d, double* pairs) const {
    const double share = range.share_of(m_);
    for_each_pair([&](std::int32_t place, std::int32_t level, std::int32_t other_place, std::int32_t other) {
        const std::int64_t cell = level * n_levels_ + other;
        pairs[cell] += d.pairs(place)[other_place] + rounded(targets_.pairs[cell] * share);
    });
}

SweepRecord CategoricalProblem::measure(const Discrepancies& d, std::int64_t n_moves) const {
    double pairs = 0;
    double singles = 0;
    double blocks = 0;
    std::int64_t n_cells = 0;
    for (std::int32_t a = 0; a < q_; ++a) {
        const Attribute& attribute = attributes_[static_cast<std::size_t>(a)];
        for (std::int32_t place = attribute.place; place < attribute.place + attribute.size; ++place) {
            singles += square(d.singles()[place]);
            for (std::int64_t j = 0; j < d.n_blocks(); ++j) blocks += square(d.block(j)[place]);
            for (const Neighbour& neighbour : attribute.neighbours) {
                if (neighbour.attribute < a) continue;
                const Attribute& other = attributes_[static_cast<std::size_t>(neighbour.attribute)];
                for (std::int32_t v = 0; v < other.size; ++v)
                    pairs += square(d.pairs(place)[other.place + v]);
                n_cells += other.size;
            }
        }
    }
    return {root_mean(pairs, n_cells), root_mean(singles, n_levels_),
            root_mean(blocks, n_levels_ * d.n_blocks()), n_moves};
}

class CategoricalProblem::Rows {
  public:
    Rows(const CategoricalProblem& problem, const RowRange& range, Discrepancies& d, int n_threads);
    void count();
    std::int64_t gibbs_sweep(int sweep);
    std::int64_t greedy_sweep(int sweep);
    void store(int n_threads) const;

  private:
    std::int32_t* row(std::int64_t i) { return places_.data() + i * problem_.q_; }
    const std::int32_t* row(std::int64_t i) const { return places_.data() + i * problem_.q_; }
    std::int32_t* block_of(std::int64_t i) {
        return labels_ == nullptr ? nullptr : d_.block(labels_[range_.first + i]);
    }
    // Visits every attribute of every row; choose(attribute, energies, level, draws) gives its next level.
    template <class Choose>
    std::int64_t do_sweep(int sweep, const Choose& choose);
    // Makes the energies of excluded levels infinite; false if there are no others.
    bool exclude(std::int64_t i, const Attribute& attribute);
    void move(std::int64_t i, std::int64_t a, std::int32_t place);

    const CategoricalProblem& problem_;
    const Kernels& kernel_;
    RowRange range_;
    const std::int32_t* labels_;
    Discrepancies& d_;
    std::vector<std::int32_t> places_;  // [row][attribute]: place of its level in the tables
    Aligned<float> energies_;
};

CategoricalProblem::Rows::Rows(const CategoricalProblem& problem, const RowRange& range, Discrepancies& d,
                               int n_threads)
    : problem_(problem),
      kernel_(kernels()),
      range_(range),
      labels_(problem.targets_.labels),
      d_(d),
      places_(static_cast<std::size_t>(range.n_rows * problem.q_)),
      energies_(static_cast<std::size_t>(problem.widest_)) {
    parallel_for((range_.n_rows + kRowsPerTask - 1) / kRowsPerTask, n_threads, [this](std::int64_t task) {
        const std::int64_t end = std::min(range_.n_rows, (task + 1) * kRowsPerTask);
        for (std::int64_t a = 0; a < problem_.q_; ++a) {
            const std::uint16_t* column = problem_.codes_ + a * problem_.m_ + range_.first;
            const std::int32_t place = problem_.attributes_[static_cast<std::size_t>(a)].place;
            for (std::int64_t i = task * kRowsPerTask; i < end; ++i) row(i)[a] = place + column[i];
        }
    });
}

void CategoricalProblem::Rows::store(int n_threads) const {
    parallel_for(problem_.q_, n_threads, [this](std::int64_t a) {
        std::uint16_t* column = problem_.codes_ + a * problem_.m_ + range_.first;
        const std::int32_t place = problem_.attributes_[static_cast<std::size_t>(a)].place;
        for (std::int64_t i = 0; i < range_.n_rows; ++i)
            column[i] = static_cast<std::uint16_t>(row(i)[a] - place);
    });
}

void CategoricalProblem::Rows::count() {
    const std::int64_t q = problem_.q_;
    for (std::int64_t i = 0; i < range_.n_rows; ++i) {
        if (i % 64 == 0) poll_interrupt();
        const std::int32_t* places = row(i);
        std::int32_t* block = block_of(i);
        for (std::int64_t a = 0; a < q; ++a) {
            ++d_.singles()[places[a]];
            if (block != nullptr) ++block[places[a]];
            std::int32_t* counts = d_.pairs(places[a]);
            for (std::int64_t b = 0; b < q; ++b) counts[places[b]] += b != a;
        }
    }
}

void CategoricalProblem::Rows::move(std::int64_t i, std::int64_t a, std::int32_t place) {
    std::int32_t* places = row(i);
    const std::int32_t old_place = places[a];
    std::int32_t* old_counts = d_.pairs(old_place);
    std::int32_t* counts = d_.pairs(place);
    for (std::int64_t b = 0; b < problem_.q_; ++b) {
        if (b == a) continue;
        --old_counts[places[b]];
        ++counts[places[b]];
        std::int32_t* others = d_.pairs(places[b]);
        --others[old_place];
        ++others[place];
    }
    --d_.singles()[old_place];
    ++d_.singles()[place];
    if (std::int32_t* block = block_of(i)) {
        --block[old_place];
        ++block[place];
    }
    places[a] = place;
}

bool CategoricalProblem::Rows::exclude(std::int64_t i, const Attribute& attribute) {
    float* energies = energies_.data();
    for (const Exclusions& e : attribute.exclusions) {
        const std::int32_t level =
            row(i)[e.other] - problem_.attributes_[static_cast<std::size_t>(e.other)].place;
        const std::size_t* starts = e.starts.data() + level;
        for (std::size_t k = starts[0]; k < starts[1]; ++k)
            energies[e.levels[k]] = std::numeric_limits<float>::infinity();
    }
    return std::any_of(energies, energies + attribute.size,
                       [](float energy) { return std::isfinite(energy); });
}

template <class Choose>
std::int64_t CategoricalProblem::Rows::do_sweep(int sweep, const Choose& choose) {
    const std::int64_t q = problem_.q_;
    float* energies = energies_.data();
    WordStream draws(problem_.key_, StreamDomain::moves, range_.stream_index(sweep, 0));
    std::int64_t n_moves = 0;
    std::int64_t turn = 0;
    for (const std::int64_t i : random_order(range_.n_rows, problem_.key_, range_.stream_index(sweep, 0))) {
        if (turn++ % 64 == 0) poll_interrupt();
        for (std::int64_t visit = 0; visit < q; ++visit) {
            const std::int64_t a = (i + visit) % q;
            const Attribute& attribute = problem_.attributes_[static_cast<std::size_t>(a)];
            kernel_.energies(d_.pairs(0), problem_.stride(), row(i), attribute.neighbours.data(),
                             static_cast<std::int64_t>(attribute.neighbours.size()), attribute.place,
                             attribute.width, d_.singles(), attribute.single_weight, block_of(i),
                             problem_.block_weight_, energies);
            const std::int32_t level = row(i)[a] - attribute.place;
            energies[level] -= attribute.self;  // so that differences are those of a move
            const bool any_allowed = attribute.exclusions.empty() || exclude(i, attribute);
            const std::int32_t next =
                any_allowed ? choose(attribute, energies, level, draws)
                            : static_cast<std::int32_t>(scaled_draw(draws.next(), attribute.size));
            if (next == level) continue;
            move(i, a, attribute.place + next);
            ++n_moves;
        }
    }
    return n_moves;
}

std::int64_t CategoricalProblem::Rows::gibbs_sweep(int sweep) {
    return do_sweep(
        sweep, [this](const Attribute& attribute, float* energies, std::int32_t, WordStream& draws) {
            std::fill(energies + attribute.size, energies + attribute.width,
                      std::numeric_limits<float>::infinity());
            return static_cast<std::int32_t>(
                kernel_.draw_level(energies, attribute.width, problem_.beta_, to_uniform(draws.next())));
        });
}

std::int64_t CategoricalProblem::Rows::greedy_sweep(int sweep) {
    return do_sweep(sweep,
                    [](const Attribute& attribute, const float* energies, std::int32_t level, WordStream&) {
                        for (std::int32_t u = 0; u < attribute.size; ++u)
                            if (energies[u] < energies[level]) level = u;
                        return level;
                    });
}

}  // namespace

std::vector<SweepRecord> fit_rows_categorical(std::uint16_t* codes, const std::vector<std::int32_t>& sizes,
                                              std::int64_t m, const CategoricalTargets& targets,
                                              const FitOptions& options, const StreamKey& key,
                                              double* mean_pairs) {
    const CategoricalProblem problem(codes, sizes, m, targets, options, key);
    if (mean_pairs == nullptr) return fit_in_shards(problem, m, options, {});
    const std::int64_t n_cells = problem.n_levels() * problem.n_levels();
    std::fill(mean_pairs, mean_pairs + n_cells, 0.0);
    std::vector<SweepRecord> history = fit_in_shards(
        problem, m, options,
        [&](const RowRange& range, const Discrepancies& d) { problem.add_pairs(range, d, mean_pairs); });
    const int n_averaged = options.n_sweeps - options.n_sweeps / 2;
    for (std::int64_t k = 0; k < n_cells; ++k) mean_pairs[k] /= std::max(n_averaged, 1);
    return history;
}

namespace {

// A column of quotas: m codes.
template <class Code>
void quota_column(const double* p, std::size_t size, std::int64_t m, WordStream draws, Code* codes) {
    std::vector<std::int64_t> counts;
    std::vector<double> rest;
    std::int64_t n_left = m;
    for (std::size_t u = 0; u < size; ++u) {
        const double exact = p[u] * static_cast<double>(m);
        counts.push_back(std::min(static_cast<std::int64_t>(exact), n_left));
        rest.push_back(std::max(0.0, exact - static_cast<double>(counts.back())));
        n_left -= counts.back();
    }
    while (n_left > 0) {
        double total = 0;
        for (const double r : rest) total += r;
        double left = (static_cast<double>(draws.next()) + 0.5) / 4294967296.0 * total;
        std::size_t level = rest.size();
        for (std::size_t u = 0; u < rest.size(); ++u) {
            if (rest[u] <= 0) continue;
            level = u;
            if (left < rest[u]) break;
            left -= rest[u];
        }
        // Probabilities that add to less than 1 by rounding can leave a row over: it goes to the likeliest.
        if (level == rest.size()) level = static_cast<std::size_t>(std::max_element(p, p + size) - p);
        ++counts[level];
        rest[level] = 0;
        --n_left;
    }
    Code* next = codes;
    for (std::size_t u = 0; u < counts.size(); ++u) next = std::fill_n(next, counts[u], static_cast<Code>(u));
    for (std::int64_t i = m - 1; i > 0; --i) std::swap(codes[i], codes[scaled_draw(draws.next(), i + 1)]);
}

WordStream quota_stream(const StreamKey& key, std::int64_t a) {
    return {key, StreamDomain::quotas, static_cast<std::uint64_t>(a)};
}

}  // namespace

void quota_columns(const double* probabilities, const std::vector<std::int32_t>& sizes, std::int64_t m,
                   const StreamKey& key, int n_threads, std::uint16_t* codes) {
    std::vector<std::int64_t> offsets{0};
    for (const std::int32_t size : sizes) offsets.push_back(offsets.back() + size);
    parallel_for(static_cast<std::int64_t>(sizes.size()), n_threads, [&](std::int64_t a) {
        const auto k = static_cast<std::size_t>(a);
        quota_column(probabilities + offsets[k], static_cast<std::size_t>(sizes[k]), m, quota_stream(key, a),
                     codes + a * m);
    });
}

BitMatrix quota_bits(const double* probabilities, std::int64_t n_attributes, std::int64_t m,
                     const StreamKey& key, int n_threads) {
    BitMatrix bits(m, n_attributes);
    parallel_for((n_attributes + kColumnsPerTask - 1) / kColumnsPerTask, n_threads, [&](std::int64_t task) {
        std::vector<std::uint8_t> column(static_cast<std::size_t>(m));
        const std::int64_t end = std::min(n_attributes, (task + 1) * kColumnsPerTask);
        for (std::int64_t a = task * kColumnsPerTask; a < end; ++a) {
            poll_interrupt();
            quota_column(probabilities + 2 * a, 2, m, quota_stream(key, a), column.data());
            for (std::int64_t i = 0; i < m; ++i)
                bits.block(i / kRowsPerBlock, a)[i % kRowsPerBlock / 64] |=
                    static_cast<std::uint64_t>(column[static_cast<std::size_t>(i)]) << i % 64;
        }
    });
    return bits;
}

}  // namespace covloss
