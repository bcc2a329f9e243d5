// The course of a fit, the same for both engines: Gibbs sweeps and all greedy sweeps but one on shards, then
// one greedy sweep over all rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "core/parallel.hpp"
#include "core/restoration.hpp"
#include "core/restoration_moves.hpp"

namespace covloss {

// The block targets of a range: its share of the rows of each block.
class BlockShares {
  public:
    BlockShares(const std::int32_t* labels, std::int64_t m, std::int64_t n_blocks)
        : labels_(labels), sizes_(sizes({0, m, 0, false}, n_blocks)) {}

    std::int64_t n_blocks() const { return static_cast<std::int64_t>(sizes_.size()); }
    std::vector<double> of(const RowRange& range) const {
        std::vector<double> shares = sizes(range, n_blocks());
        for (std::size_t j = 0; j < shares.size(); ++j)
            shares[j] = sizes_[j] == 0 ? 1 : shares[j] / sizes_[j];
        return shares;
    }

  private:
    std::vector<double> sizes(const RowRange& range, std::int64_t n_blocks) const {
        if (labels_ == nullptr) return {};
        std::vector<double> counts(static_cast<std::size_t>(n_blocks), 0.0);
        for (std::int64_t i = range.first; i < range.first + range.n_rows; ++i)
            ++counts[static_cast<std::size_t>(labels_[i])];
        return counts;
    }

    const std::int32_t* labels_;
    std::vector<double> sizes_;
};

// Adds D to Lambda, and Lambda to D. Lambda is kept within 2^29, far from where the integers or the floats
// would overflow.
inline void raise_multipliers(Aligned<std::int32_t>& multipliers, Aligned<std::int32_t>& d) {
    constexpr std::int32_t kBound = 1 << 29;
    for (std::size_t k = 0; k < d.size(); ++k) {
        multipliers[k] = std::clamp(multipliers[k] + d[k], -kBound, kBound);
        d[k] += multipliers[k];
    }
}

inline void drop_multipliers(const Aligned<std::int32_t>& multipliers, Aligned<std::int32_t>& d) {
    for (std::size_t k = 0; k < multipliers.size(); ++k) d[k] -= multipliers[k];
}

// An engine's Problem is what a fit reads; it has
//   zero()                          Discrepancies of the right shape,
//   add_targets(sign, range, d)     targets of a range of rows, rounded to integers,
//   measure(d, n_moves)             a record,
//   Rows(problem, range, d, n_threads)  moves its own copy of these rows and keeps d up to date, with
//   count(), gibbs_sweep(sweep), greedy_sweep(sweep), store(n_threads).
// average(range, d), if it is not empty, is called after each Gibbs sweep of the last half, one call at a
// time.
template <class Problem>
std::vector<SweepRecord> fit_in_shards(
    const Problem& problem, std::int64_t m, const FitOptions& options,
    const std::function<void(const RowRange&, const Discrepancies&)>& average) {
    using Rows = typename Problem::Rows;
    // With one shard the greedy sweeps go over all rows as they lie.
    const int n_shard_greedy = options.n_shards > 1 ? std::max(options.n_greedy_sweeps - 1, 0) : 0;
    const RowRange all{0, m, options.n_shards, false};
    Discrepancies before = problem.zero();
    problem.add_targets(-1, all, before);
    std::vector<Discrepancies> after;  // the Gibbs sweeps, and each greedy sweep of the shards
    std::vector<std::int64_t> n_moves(static_cast<std::size_t>(1 + n_shard_greedy), 0);
    for (int k = 0; k <= n_shard_greedy; ++k) {
        after.push_back(problem.zero());
        problem.add_targets(-1, all, after.back());
    }
    std::mutex mutex;  // of these, and of average: sums of integers, which may be added in any order
    parallel_for(options.n_shards, options.n_threads, [&](std::int64_t shard) {
        const std::int64_t first = shard * m / options.n_shards;
        const RowRange range{first, (shard + 1) * m / options.n_shards - first, static_cast<int>(shard),
                             true};
        if (range.n_rows == 0) return;
        Discrepancies d = problem.zero();
        Rows rows(problem, range, d, 1);
        rows.count();
        {
            const std::lock_guard lock(mutex);
            before.add(d);
        }
        problem.add_targets(-1, range, d);
        const auto keep = [&](int k, std::int64_t n_shard_moves) {
            problem.add_targets(1, range, d);
            {
                const std::lock_guard lock(mutex);
                after[static_cast<std::size_t>(k)].add(d);
                n_moves[static_cast<std::size_t>(k)] += n_shard_moves;
            }
            problem.add_targets(-1, range, d);
        };
        std::int64_t n_gibbs_moves = 0;
        {
            Aligned<std::int32_t> multipliers(options.n_sweeps > 1 ? d.values().size() : 0);
            for (int sweep = 0; sweep < options.n_sweeps; ++sweep) {
                if (sweep != 0) raise_multipliers(multipliers, d.values());
                n_gibbs_moves += rows.gibbs_sweep(sweep);
                drop_multipliers(multipliers, d.values());
                if (!average || sweep < options.n_sweeps / 2) continue;
                const std::lock_guard lock(mutex);
                average(range, d);
            }
        }
        keep(0, n_gibbs_moves);
        for (int k = 0; k < n_shard_greedy; ++k) keep(k + 1, rows.greedy_sweep(options.n_sweeps + k));
        rows.store(1);
    });
    std::vector<SweepRecord> history{problem.measure(before, 0)};
    for (std::size_t k = 0; k < after.size(); ++k) history.push_back(problem.measure(after[k], n_moves[k]));
    if (options.n_greedy_sweeps == 0) return history;
    Rows rows(problem, all, after.back(), options.n_threads);
    for (int sweep = n_shard_greedy; sweep < options.n_greedy_sweeps; ++sweep) {
        const std::int64_t n_sweep_moves = rows.greedy_sweep(sweep);
        history.push_back(problem.measure(after.back(), n_sweep_moves));
    }
    rows.store(options.n_threads);
    return history;
}

}  // namespace covloss
