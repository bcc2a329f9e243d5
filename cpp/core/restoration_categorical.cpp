#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/parallel.hpp"
#include "core/restoration.hpp"
#include "core/restoration_moves.hpp"
#include "core/simd.hpp"
#include "core/vector8.hpp"

namespace covloss {
namespace {

// A row is visited attribute by attribute. The energies of all levels of an attribute are sums over the other
// attributes b of the table row of the level that b has: contiguous numbers, one vector register for 8
// levels.

constexpr std::int64_t kRowsPerTask = 64;
constexpr std::int64_t kMaxRowsPerBatch = 1024;

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

// Draws a level with probability proportional to exp(-beta energy); energies beyond the last level are
// infinite. Levels are taken in the order of the vector registers: position in the register first, then the
// register.
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
    void (*energies)(const std::int32_t*, std::int64_t, const std::int32_t*, const Neighbour*, std::int64_t,
                     std::int64_t, std::int64_t, const std::int32_t*, float, const std::int32_t*, float,
                     float*);
    std::int64_t (*draw_level)(float*, std::int64_t, float, float);
};

#define COVLOSS_WRAP(TARGET, SUFFIX)                                                                       \
    TARGET void energies_##SUFFIX(const std::int32_t* table, std::int64_t stride, const std::int32_t* row, \
                                  const Neighbour* neighbours, std::int64_t n_neighbours,                  \
                                  std::int64_t first, std::int64_t width, const std::int32_t* singles,     \
                                  float single_weight, const std::int32_t* block, float block_weight,      \
                                  float* out) {                                                            \
        energies_body(table, stride, row, neighbours, n_neighbours, first, width, singles, single_weight,  \
                      block, block_weight, out);                                                           \
    }                                                                                                      \
    TARGET std::int64_t draw_level_##SUFFIX(float* energies, std::int64_t width, float beta,               \
                                            float uniform) {                                               \
        return draw_level_body(energies, width, beta, uniform);                                            \
    }                                                                                                      \
    constexpr Kernels kernels_##SUFFIX{energies_##SUFFIX, draw_level_##SUFFIX};

COVLOSS_WRAP(, baseline)
#if COVLOSS_HAS_AVX2_LEVEL
COVLOSS_WRAP(COVLOSS_TARGET_AVX2, avx2)
#endif
#undef COVLOSS_WRAP

const Kernels& kernels() {
#if COVLOSS_HAS_AVX2_LEVEL
    if (simd_level() == SimdLevel::avx2) return kernels_avx2;
#endif
    return kernels_baseline;
}

// ---- the fit ------------------------------------------------------------------------------------------

// In (0, 1), a multiple of 2^-25.
float to_uniform(std::uint32_t word) { return (static_cast<float>(word >> 8) + 0.5f) * (1.0f / (1 << 24)); }

class CategoricalFit {
  public:
    CategoricalFit(std::uint16_t* codes, const std::vector<std::int32_t>& sizes, std::int64_t m,
                   const CategoricalTargets& targets, const FitOptions& options, const StreamKey& key);
    std::vector<SweepRecord> run(double* mean_pairs);

  private:
    std::int32_t* row(std::int64_t i) { return rows_.data() + i * q_; }
    const std::int32_t* block_of(std::int64_t i) const {
        return targets_.labels == nullptr ? nullptr : blocks_.row(targets_.labels[i]);
    }
    std::int64_t n_blocks() const { return targets_.labels == nullptr ? 0 : targets_.n_blocks; }
    std::int64_t attribute_at(std::int64_t i, std::int64_t visit) const { return (i + visit) % q_; }

    void load();
    void store();
    void count();
    void set_targets();
    void energies_of(std::int64_t i, std::int64_t a, float* energies) const;
    std::int32_t gibbs_level(std::int64_t i, std::int64_t a, float uniform, float* energies) const;
    std::int32_t greedy_level(std::int64_t i, std::int64_t a, float* energies) const;
    void move(std::int64_t i, std::int64_t a, std::int32_t level);
    // Rows in the order in which a sweep visits them.
    std::vector<std::uint32_t> row_order(std::int64_t sweep) const {
        return random_order(m_, key_, static_cast<std::uint64_t>(sweep));
    }
    std::int64_t serial_sweep(std::int64_t sweep);
    std::int64_t batched_sweep(std::int64_t sweep);
    void count_batch(std::int64_t first_attribute, std::int64_t end_attribute, const std::uint32_t* batch,
                     std::int64_t n_batch, const std::int32_t* before);
    template <class Visit>
    void for_each_cell(const Visit& visit) const;
    SweepRecord measure(std::int64_t n_moves) const;

    const Kernels& kernel_;
    std::uint16_t* codes_;
    const std::vector<std::int32_t>& sizes_;
    std::int64_t q_;
    std::int64_t m_;
    const CategoricalTargets& targets_;
    const FitOptions& options_;
    const StreamKey& key_;
    std::vector<std::int32_t> offsets_;  // first place of an attribute in the tables, whole vectors each
    std::vector<std::int32_t> level_offsets_;  // and in the targets
    std::int64_t n_levels_;
    std::int64_t stride_;
    std::int64_t widest_ = 0;
    std::vector<std::vector<Neighbour>> neighbours_;
    std::vector<float> single_weights_;
    std::vector<float> selves_;  // sum of the weights that an attribute has a part in
    float block_weight_;
    std::vector<std::int32_t> rows_;  // [row][attribute]: place of its level in the tables
    Discrepancies pairs_;
    Discrepancies singles_;
    Discrepancies blocks_;
};

std::int32_t padded_width(std::int32_t size) { return (size + kVector - 1) / kVector * kVector; }

std::vector<std::int32_t> cumulative(const std::vector<std::int32_t>& sizes, bool padded) {
    std::vector<std::int32_t> offsets{0};
    for (const std::int32_t size : sizes)
        offsets.push_back(offsets.back() + (padded ? padded_width(size) : size));
    return offsets;
}

CategoricalFit::CategoricalFit(std::uint16_t* codes, const std::vector<std::int32_t>& sizes, std::int64_t m,
                               const CategoricalTargets& targets, const FitOptions& options,
                               const StreamKey& key)
    : kernel_(kernels()),
      codes_(codes),
      sizes_(sizes),
      q_(static_cast<std::int64_t>(sizes.size())),
      m_(m),
      targets_(targets),
      options_(options),
      key_(key),
      offsets_(cumulative(sizes, true)),
      level_offsets_(cumulative(sizes, false)),
      n_levels_(level_offsets_.back()),
      stride_(offsets_.back()),
      neighbours_(sizes.size()),
      block_weight_(static_cast<float>(targets.block_weight)),

      rows_(static_cast<std::size_t>(m * q_)),
      pairs_(stride_, stride_),
      singles_(1, stride_),
      blocks_(n_blocks(), stride_) {
    for (std::int64_t a = 0; a < q_; ++a) {
        widest_ = std::max<std::int64_t>(widest_, padded_width(sizes[static_cast<std::size_t>(a)]));
        double self = targets.single_weights[a] + (targets.labels == nullptr ? 0.0 : targets.block_weight);
        for (std::int64_t b = 0; b < q_; ++b) {
            const double weight = targets.pair_weights[a * q_ + b];
            if (b == a || weight == 0) continue;
            neighbours_[static_cast<std::size_t>(a)].push_back(
                {static_cast<std::int32_t>(b), static_cast<float>(weight)});
            self += weight;
        }
        single_weights_.push_back(static_cast<float>(targets.single_weights[a]));
        selves_.push_back(static_cast<float>(self));
    }
    load();
    count();
    set_targets();
}

void CategoricalFit::load() {
    parallel_for((m_ + kMaxRowsPerBatch - 1) / kMaxRowsPerBatch, options_.n_threads,
                 [this](std::int64_t task) {
                     const std::int64_t end = std::min(m_, (task + 1) * kMaxRowsPerBatch);
                     for (std::int64_t a = 0; a < q_; ++a)
                         for (std::int64_t i = task * kMaxRowsPerBatch; i < end; ++i)
                             row(i)[a] = offsets_[static_cast<std::size_t>(a)] + codes_[a * m_ + i];
                 });
}

void CategoricalFit::store() {
    parallel_for(q_, options_.n_threads, [this](std::int64_t a) {
        for (std::int64_t i = 0; i < m_; ++i)
            codes_[a * m_ + i] =
                static_cast<std::uint16_t>(row(i)[a] - offsets_[static_cast<std::size_t>(a)]);
    });
}

void CategoricalFit::count() {
    parallel_for(q_, options_.n_threads, [this](std::int64_t a) {
        for (std::int64_t i = 0; i < m_; ++i) {
            const std::int32_t* levels = row(i);
            ++singles_.row(0)[levels[a]];
            if (targets_.labels != nullptr) ++blocks_.row(targets_.labels[i])[levels[a]];
            std::int32_t* counts = pairs_.row(levels[a]);
            for (std::int64_t b = 0; b < q_; ++b) counts[levels[b]] += b != a;
        }
    });
}

// Calls visit(attribute, place, level) for every level, in order: its place in the tables, in the targets.
template <class Visit>
void CategoricalFit::for_each_cell(const Visit& visit) const {
    for (std::size_t a = 0; a < sizes_.size(); ++a)
        for (std::int32_t u = 0; u < sizes_[a]; ++u)
            visit(static_cast<std::int64_t>(a), offsets_[a] + u, level_offsets_[a] + u);
}

void CategoricalFit::set_targets() {
    for_each_cell([this](std::int64_t a, std::int32_t place, std::int32_t level) {
        singles_.row(0)[place] -= static_cast<std::int32_t>(std::llrint(targets_.singles[level]));
        for (std::int64_t j = 0; j < n_blocks(); ++j)
            blocks_.row(j)[place] -=
                static_cast<std::int32_t>(std::llrint(targets_.block_counts[j * n_levels_ + level]));
        for_each_cell([&](std::int64_t b, std::int32_t other_place, std::int32_t other_level) {
            if (a != b)
                pairs_.row(place)[other_place] -=
                    static_cast<std::int32_t>(std::llrint(targets_.pairs[level * n_levels_ + other_level]));
        });
    });
}

// The energy of the level that the row has is lowered by `self`, so that differences are those of a move.
void CategoricalFit::energies_of(std::int64_t i, std::int64_t a, float* energies) const {
    const auto k = static_cast<std::size_t>(a);
    const std::int32_t* levels = rows_.data() + i * q_;
    const std::int64_t width = offsets_[k + 1] - offsets_[k];
    kernel_.energies(pairs_.row(0), stride_, levels, neighbours_[k].data(),
                     static_cast<std::int64_t>(neighbours_[k].size()), offsets_[k], width, singles_.row(0),
                     single_weights_[k], block_of(i), block_weight_, energies);
    energies[levels[a] - offsets_[k]] -= selves_[k];
    std::fill(energies + sizes_[k], energies + width, std::numeric_limits<float>::infinity());
}

std::int32_t CategoricalFit::gibbs_level(std::int64_t i, std::int64_t a, float uniform,
                                         float* energies) const {
    const auto k = static_cast<std::size_t>(a);
    energies_of(i, a, energies);
    const std::int64_t level = kernel_.draw_level(energies, offsets_[k + 1] - offsets_[k],
                                                  static_cast<float>(options_.beta), uniform);
    return offsets_[k] + static_cast<std::int32_t>(level);
}

std::int32_t CategoricalFit::greedy_level(std::int64_t i, std::int64_t a, float* energies) const {
    const auto k = static_cast<std::size_t>(a);
    energies_of(i, a, energies);
    std::int32_t best = rows_[static_cast<std::size_t>(i * q_ + a)] - offsets_[k];
    for (std::int32_t u = 0; u < sizes_[k]; ++u)
        if (energies[u] < energies[best]) best = u;
    return offsets_[k] + best;
}

void CategoricalFit::move(std::int64_t i, std::int64_t a, std::int32_t level) {
    std::int32_t* levels = row(i);
    const std::int32_t old_level = levels[a];
    std::int32_t* old_counts = pairs_.row(old_level);
    std::int32_t* counts = pairs_.row(level);
    for (std::int64_t b = 0; b < q_; ++b) {
        if (b == a) continue;
        --old_counts[levels[b]];
        ++counts[levels[b]];
        std::int32_t* others = pairs_.row(levels[b]);
        --others[old_level];
        ++others[level];
    }
    --singles_.row(0)[old_level];
    ++singles_.row(0)[level];
    if (targets_.labels != nullptr) {
        std::int32_t* block = blocks_.row(targets_.labels[i]);
        --block[old_level];
        ++block[level];
    }
    levels[a] = level;
}

std::int64_t CategoricalFit::serial_sweep(std::int64_t sweep) {
    const bool greedy = sweep >= options_.n_sweeps;
    WordStream draws(key_, StreamDomain::moves, static_cast<std::uint64_t>(sweep));
    Aligned<float> energies(static_cast<std::size_t>(widest_));
    std::int64_t n_moves = 0;
    for (const std::int64_t i : row_order(sweep)) {
        if (i % 64 == 0) poll_interrupt();
        for (std::int64_t visit = 0; visit < q_; ++visit) {
            const std::int64_t a = attribute_at(i, visit);
            const std::int32_t level =
                greedy ? greedy_level(i, a, energies.data())
                       : gibbs_level(i, a, to_uniform(draws.at(i * q_ + visit)), energies.data());
            if (level == row(i)[a]) continue;
            move(i, a, level);
            ++n_moves;
        }
    }
    return n_moves;
}

// The counts of attributes first_attribute .. end_attribute - 1 after the rows of a batch have moved.
void CategoricalFit::count_batch(std::int64_t first_attribute, std::int64_t end_attribute,
                                 const std::uint32_t* batch, std::int64_t n_batch,
                                 const std::int32_t* before) {
    std::vector<std::int64_t> moved;
    for (std::int64_t position = 0; position < n_batch; ++position) {
        const std::int64_t i = batch[position];
        const std::int32_t* old_levels = before + position * q_;
        const std::int32_t* levels = row(i);
        moved.clear();
        for (std::int64_t b = 0; b < q_; ++b)
            if (old_levels[b] != levels[b]) moved.push_back(b);
        if (moved.empty()) continue;
        for (std::int64_t a = first_attribute; a < end_attribute; ++a) {
            if (old_levels[a] == levels[a]) {
                std::int32_t* counts = pairs_.row(levels[a]);
                for (const std::int64_t b : moved) {
                    --counts[old_levels[b]];
                    ++counts[levels[b]];
                }
                continue;
            }
            std::int32_t* old_counts = pairs_.row(old_levels[a]);
            std::int32_t* counts = pairs_.row(levels[a]);
            for (std::int64_t b = 0; b < q_; ++b) {
                if (b == a) continue;
                --old_counts[old_levels[b]];
                ++counts[levels[b]];
            }
            --singles_.row(0)[old_levels[a]];
            ++singles_.row(0)[levels[a]];
            if (targets_.labels == nullptr) continue;
            std::int32_t* block = blocks_.row(targets_.labels[i]);
            --block[old_levels[a]];
            ++block[levels[a]];
        }
    }
}

std::int64_t CategoricalFit::batched_sweep(std::int64_t sweep) {
    const std::int64_t per_batch = options_.rows_per_batch;
    const std::int64_t n_tasks = (per_batch + kRowsPerTask - 1) / kRowsPerTask;
    const std::int64_t n_shares = std::min<std::int64_t>(q_, 8);
    std::vector<std::unique_ptr<Aligned<float>>> energies;
    std::vector<WordStream> draws;
    for (std::int64_t t = 0; t < n_tasks; ++t) {
        energies.push_back(std::make_unique<Aligned<float>>(static_cast<std::size_t>(widest_)));
        draws.emplace_back(key_, StreamDomain::moves, static_cast<std::uint64_t>(sweep));
    }
    std::vector<std::int32_t> before(static_cast<std::size_t>(per_batch * q_));
    std::vector<std::int64_t> moves(static_cast<std::size_t>(n_tasks), 0);
    const std::vector<std::uint32_t> order = row_order(sweep);
    for (std::int64_t first = 0; first < m_; first += per_batch) {
        const std::uint32_t* batch = order.data() + first;
        const std::int64_t n_batch = std::min(per_batch, m_ - first);
        for (std::int64_t i = 0; i < n_batch; ++i)
            std::copy(row(batch[i]), row(batch[i]) + q_, before.begin() + i * q_);
        parallel_for((n_batch + kRowsPerTask - 1) / kRowsPerTask, options_.n_threads, [&](std::int64_t t) {
            const auto slot = static_cast<std::size_t>(t);
            for (std::int64_t k = t * kRowsPerTask; k < std::min(n_batch, (t + 1) * kRowsPerTask); ++k) {
                const std::int64_t i = batch[k];
                for (std::int64_t visit = 0; visit < q_; ++visit) {
                    const std::int64_t a = attribute_at(i, visit);
                    const float uniform = to_uniform(draws[slot].at(i * q_ + visit));
                    const std::int32_t level = gibbs_level(i, a, uniform, energies[slot]->data());
                    moves[slot] += level != row(i)[a];
                    row(i)[a] = level;
                }
            }
        });
        parallel_for(n_shares, options_.n_threads, [&](std::int64_t share) {
            count_batch(share * q_ / n_shares, (share + 1) * q_ / n_shares, batch, n_batch, before.data());
        });
    }
    std::int64_t n_moves = 0;
    for (const std::int64_t n : moves) n_moves += n;
    return n_moves;
}

SweepRecord CategoricalFit::measure(std::int64_t n_moves) const {
    const auto square = [](std::int64_t d) { return static_cast<double>(d) * static_cast<double>(d); };
    double pairs = 0;
    double singles = 0;
    double blocks = 0;
    std::int64_t n_cells = 0;
    for_each_cell([&](std::int64_t a, std::int32_t place, std::int32_t) {
        singles += square(singles_.value(0, place));
        for (std::int64_t j = 0; j < n_blocks(); ++j) blocks += square(blocks_.value(j, place));
        for (const Neighbour& neighbour : neighbours_[static_cast<std::size_t>(a)]) {
            const auto b = static_cast<std::size_t>(neighbour.attribute);
            if (neighbour.attribute < a) continue;
            for (std::int32_t v = 0; v < sizes_[b]; ++v)
                pairs += square(pairs_.value(place, offsets_[b] + v));
            n_cells += sizes_[b];
        }
    });
    const auto root_mean = [](double sum, std::int64_t n) {
        return n == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(n));
    };
    return {root_mean(pairs, n_cells), root_mean(singles, n_levels_),
            root_mean(blocks, n_levels_ * n_blocks()), n_moves};
}

std::vector<SweepRecord> CategoricalFit::run(double* mean_pairs) {
    std::vector<SweepRecord> history{measure(0)};
    const int first_averaged = options_.n_sweeps / 2;
    if (mean_pairs != nullptr) std::fill(mean_pairs, mean_pairs + n_levels_ * n_levels_, 0.0);
    const auto add_to_mean = [&](double share) {
        for_each_cell([&](std::int64_t a, std::int32_t place, std::int32_t level) {
            for_each_cell([&](std::int64_t b, std::int32_t other_place, std::int32_t other_level) {
                const std::int64_t cell = level * n_levels_ + other_level;
                if (a != b)
                    mean_pairs[cell] += share * (static_cast<double>(pairs_.value(place, other_place)) +
                                                 std::rint(targets_.pairs[cell]));
            });
        });
    };
    for (int sweep = 0; sweep < options_.n_sweeps; ++sweep) {
        if (sweep != 0)
            for (Discrepancies* d : {&pairs_, &singles_, &blocks_}) d->raise_multipliers();
        history.push_back(measure(options_.rows_per_batch == 0 ? serial_sweep(sweep) : batched_sweep(sweep)));
        if (mean_pairs != nullptr && sweep >= first_averaged)
            add_to_mean(1.0 / static_cast<double>(options_.n_sweeps - first_averaged));
    }
    for (Discrepancies* d : {&pairs_, &singles_, &blocks_}) d->drop_multipliers();
    for (int sweep = 0; sweep < options_.n_greedy_sweeps; ++sweep)
        history.push_back(measure(serial_sweep(options_.n_sweeps + sweep)));
    store();
    return history;
}

}  // namespace

std::vector<SweepRecord> fit_rows_categorical(std::uint16_t* codes, const std::vector<std::int32_t>& sizes,
                                              std::int64_t m, const CategoricalTargets& targets,
                                              const FitOptions& options, const StreamKey& key,
                                              double* mean_pairs) {
    FitOptions chosen = options;
    if (chosen.rows_per_batch < 0) {
        const std::int64_t bound = rows_per_batch_bound(m, static_cast<std::int64_t>(sizes.size()));
        chosen.rows_per_batch = bound < 2 * kRowsPerTask ? 0 : std::min(bound, kMaxRowsPerBatch);
    }
    return CategoricalFit(codes, sizes, m, targets, chosen, key).run(mean_pairs);
}

void quota_columns(const double* probabilities, const std::vector<std::int32_t>& sizes, std::int64_t m,
                   const StreamKey& key, int n_threads, std::uint16_t* codes) {
    const std::vector<std::int32_t> offsets = cumulative(sizes, false);
    parallel_for(static_cast<std::int64_t>(sizes.size()), n_threads, [&](std::int64_t a) {
        const auto k = static_cast<std::size_t>(a);
        const double* p = probabilities + offsets[k];
        std::vector<std::int64_t> counts;
        std::vector<double> rest;
        std::int64_t n_left = m;
        for (std::int32_t u = 0; u < sizes[k]; ++u) {
            const double exact = p[u] * static_cast<double>(m);
            counts.push_back(std::min(static_cast<std::int64_t>(exact), n_left));
            rest.push_back(std::max(0.0, exact - static_cast<double>(counts.back())));
            n_left -= counts.back();
        }
        WordStream draws(key, StreamDomain::quotas, static_cast<std::uint64_t>(a));
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
            // Probabilities that add to less than 1 by rounding can leave a row over: it goes to the
            // likeliest.
            if (level == rest.size()) level = static_cast<std::size_t>(std::max_element(p, p + sizes[k]) - p);
            ++counts[level];
            rest[level] = 0;
            --n_left;
        }
        std::uint16_t* column = codes + a * m;
        for (std::size_t u = 0; u < counts.size(); ++u)
            column = std::fill_n(column, counts[u], static_cast<std::uint16_t>(u));
        column = codes + a * m;
        for (std::int64_t i = m - 1; i > 0; --i)
            std::swap(column[i], column[draws.next() * (static_cast<std::uint64_t>(i) + 1) >> 32]);
    });
}

}  // namespace covloss
