#include "core/microaggregation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/grouping.hpp"
#include "core/hashing.hpp"
#include "core/local_search.hpp"
#include "core/mdav.hpp"
#include "core/median_split.hpp"
#include "core/parallel.hpp"
#include "core/univariate_blocks.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kSuperBlock = 4096;     // records; a smaller stratum is searched as a whole
constexpr std::int64_t kBlocksPerSearch = 50;  // a super-block holds at least this many minimum blocks
constexpr std::size_t kPrefetched = 12;        // rows
constexpr double kRelativeTolerance =
    1e-10;  // of the mean scatter of a record: what counts as an improvement

class MinimumSizePartition {
  public:
    MinimumSizePartition(const MinimumSizeTask& task, int n_threads, std::int32_t* labels)
        : task_(task),
          n_threads_(n_threads),
          labels_(labels),
          rule_{task.min_block_size, kRelativeTolerance * total_scatter() / static_cast<double>(task.n)},
          super_block_(std::max(kSuperBlock, kBlocksPerSearch * task.min_block_size)) {}

    void run() {
        start();
        for (int round = 0; !blocks_.empty(); ++round) improve(round);
        number_by_first_record(labels_, task_.n, n_finished_);
    }

  private:
    struct Found {
        std::vector<Block> blocks;
        std::vector<double> means;
    };

    double weight(std::int64_t id) const { return task_.weights == nullptr ? 1.0 : task_.weights[id]; }

    double total_scatter() const {
        const auto width = static_cast<std::size_t>(task_.rows.width());
        std::vector<double> mean(width, 0.0), space(width);
        double total_weight = 0.0;
        for (std::int32_t i = 0; i < task_.n; ++i) {
            const double* x = task_.rows.row(i, space.data());
            total_weight += weight(i);
            for (std::size_t j = 0; j < width; ++j) mean[j] += weight(i) * x[j];
        }
        for (double& m : mean) m /= total_weight;
        double scatter = 0.0;
        for (std::int32_t i = 0; i < task_.n; ++i) {
            const double* x = task_.rows.row(i, space.data());
            for (std::size_t j = 0; j < width; ++j) {
                const double z = x[j] - mean[j];
                scatter += weight(i) * z * z;
            }
        }
        return scatter;
    }

    // Blocks of min_block_size to 2 min_block_size - 1 records by splits on principal axes; all but the last
    // few cuts fall on multiples of min_block_size, so that most blocks are as small as they may be.
    void start() {
        GroupedOrder strata = order_by_group(task_.strata, task_.n, task_.n_strata);
        const std::int64_t r = task_.min_block_size;
        const std::vector<Range> leaves = median_split(
            task_.rows, strata.order, strata.ranges,
            [r](const Range& range) { return range.size() < 2 * r ? 0 : range.size() / 2 / r * r; }, 0,
            n_threads_);
        blocks_.resize(leaves.size());
        std::size_t stratum = 0;
        std::int64_t first = 0;
        for (std::size_t k = 0; k < leaves.size(); ++k) {
            blocks_[k].members.assign(strata.order.begin() + leaves[k].begin,
                                      strata.order.begin() + leaves[k].end);
            if (leaves[k].end == strata.ranges[stratum].end) {
                segments_.push_back({first, static_cast<std::int64_t>(k) + 1});
                first = static_cast<std::int64_t>(k) + 1;
                ++stratum;
            }
        }
    }

    std::int64_t n_records(const std::vector<std::int32_t>& order, const Range& range) const {
        std::int64_t n = 0;
        for (std::int64_t k = range.begin; k < range.end; ++k) {
            n += static_cast<std::int64_t>(
                blocks_[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])].members.size());
        }
        return n;
    }

    // One round: cuts the strata into super-blocks, searches each, and keeps what needs no further round.
    void improve(int round) {
        std::vector<std::int32_t> order(blocks_.size());
        std::iota(order.begin(), order.end(), 0);
        std::vector<Range> whole, large;
        for (const Range& segment : segments_) {
            (n_records(order, segment) <= super_block_ ? whole : large).push_back(segment);
        }
        std::vector<Range> parts;
        if (!large.empty()) {
            if (round == 0) means_ = means_at_start();
            parts = median_split(
                RowTable(means_.data(), task_.rows.width()), order, large,
                [&](const Range& range) {
                    return n_records(order, range) <= super_block_ || range.size() < 2 ? 0 : range.size() / 2;
                },
                round == 0 ? 0 : hash64(task_.seed, static_cast<std::uint64_t>(round)), n_threads_);
        }
        const std::size_t n_whole = whole.size();
        std::vector<Range> searches = std::move(whole);
        searches.insert(searches.end(), parts.begin(), parts.end());
        means_ = {};
        std::vector<Found> results(searches.size());
        parallel_for(static_cast<std::int64_t>(searches.size()), n_threads_, [&](std::int64_t k) {
            const auto index = static_cast<std::size_t>(k);
            std::vector<Block> blocks;
            for (std::int64_t i = searches[index].begin; i < searches[index].end; ++i) {
                blocks.push_back(
                    std::move(blocks_[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]));
            }
            const bool is_stratum = index < n_whole;
            const int n_passes = is_stratum || round + 1 >= task_.n_rounds ? task_.n_passes : 0;
            results[index] = search(std::move(blocks), is_stratum, n_passes, hash64(task_.seed, index + 1));
        });

        const bool is_last = round + 1 >= task_.n_rounds;
        for (std::size_t k = 0; k < (is_last ? results.size() : n_whole); ++k) finish(results[k]);
        blocks_.clear();
        segments_.clear();
        if (is_last) return;
        std::size_t k = n_whole;
        std::size_t n_means = 0;
        for (std::size_t i = n_whole; i < results.size(); ++i) n_means += results[i].means.size();
        means_.reserve(n_means);
        for (const Range& segment : large) {
            const auto first = static_cast<std::int64_t>(blocks_.size());
            for (; k < searches.size() && searches[k].end <= segment.end; ++k) {
                for (Block& block : results[k].blocks) blocks_.push_back(std::move(block));
                means_.insert(means_.end(), results[k].means.begin(), results[k].means.end());
                results[k] = {};
            }
            segments_.push_back({first, static_cast<std::int64_t>(blocks_.size())});
        }
    }

    // Labels of records whose blocks will not change any more.
    void finish(Found& found) {
        for (const Block& block : found.blocks) {
            for (const std::int32_t id : block.members) labels_[id] = n_finished_;
            ++n_finished_;
        }
        found = {};
    }

    // Before the first search; a search returns those of its blocks.
    std::vector<double> means_at_start() const {
        const auto width = static_cast<std::size_t>(task_.rows.width());
        std::vector<double> means(blocks_.size() * width, 0.0);
        constexpr std::int64_t kPerTask = 1024;
        const auto n_blocks = static_cast<std::int64_t>(blocks_.size());
        parallel_for((n_blocks + kPerTask - 1) / kPerTask, n_threads_, [&](std::int64_t part) {
            std::vector<double> space(width);
            for (std::int64_t k = part * kPerTask; k < std::min(n_blocks, (part + 1) * kPerTask); ++k) {
                double* mean = means.data() + k * task_.rows.width();
                const Members& members = blocks_[static_cast<std::size_t>(k)].members;
                for (const std::int32_t id : members) {
                    const double* x = task_.rows.row(id, space.data());
                    for (std::size_t j = 0; j < width; ++j) mean[j] += x[j];
                }
                for (std::size_t j = 0; j < width; ++j) mean[j] /= static_cast<double>(members.size());
            }
        });
        return means;
    }

    // Improves the given blocks among themselves, on a contiguous copy of their records. MDAV as a second
    // start makes a stratum of one super-block certainly no worse than MDAV; elsewhere a further round gives
    // more.
    Found search(std::vector<Block> blocks, bool is_stratum, int n_passes, std::uint64_t seed) const {
        std::vector<std::int32_t> names;
        for (const Block& block : blocks)
            names.insert(names.end(), block.members.begin(), block.members.end());
        std::sort(names.begin(), names.end());
        const std::size_t n = names.size();
        const std::int64_t width = task_.rows.width();
        std::vector<double> rows(n * static_cast<std::size_t>(width)), weights;
        for (std::size_t i = 0; i < n; ++i) {
            if (i + kPrefetched < n) task_.rows.prefetch(names[i + kPrefetched]);
            task_.rows.copy_row(names[i], rows.data() + static_cast<std::int64_t>(i) * width);
            if (task_.weights != nullptr) weights.push_back(task_.weights[names[i]]);
        }
        const RecordView records{rows.data(), task_.weights == nullptr ? nullptr : weights.data(),
                                 names.data(), width};
        LocalSearch best(records, rule_);
        for (Block& block : blocks) {
            for (std::int32_t& id : block.members) {
                id = static_cast<std::int32_t>(std::lower_bound(names.begin(), names.end(), id) -
                                               names.begin());
            }
            best.add(std::move(block));
        }
        best.run();
        if (is_stratum) {
            LocalSearch other(records, rule_);
            Members all(n);
            std::iota(all.begin(), all.end(), 0);
            for (Members& members : mdav(rows.data(), width, all, task_.min_block_size)) {
                other.add({std::move(members), {}});
            }
            other.run();
            if (other.scatter() < best.scatter()) best = std::move(other);
        }
        best.rebuild_neighbourhoods(n_passes, seed);
        Found result;
        result.blocks = best.take(&result.means);
        for (Block& block : result.blocks) {
            for (std::int32_t& id : block.members) id = names[static_cast<std::size_t>(id)];
        }
        return result;
    }

    MinimumSizeTask task_;
    int n_threads_;
    std::int32_t* labels_;
    SearchRule rule_;
    std::int64_t super_block_;
    std::vector<Block> blocks_;    // of the strata that still need rounds
    std::vector<double> means_;    // of these blocks
    std::vector<Range> segments_;  // of blocks_, one for each of these strata
    std::int32_t n_finished_ = 0;  // blocks
};

}  // namespace

void minimum_size_partition(const MinimumSizeTask& task, int n_threads, std::int32_t* labels) {
    MinimumSizePartition(task, n_threads, labels).run();
}

void univariate_partition(const double* values, std::int64_t n, const double* weights,
                          const std::int32_t* strata, std::int32_t n_strata, std::int64_t min_block_size,
                          int n_threads, std::int32_t* labels) {
    GroupedOrder sorted = order_by_group(strata, n, n_strata);
    std::vector<std::vector<std::int64_t>> starts(sorted.ranges.size());
    parallel_for(static_cast<std::int64_t>(sorted.ranges.size()), n_threads, [&](std::int64_t task) {
        const auto s = static_cast<std::size_t>(task);
        const Range& range = sorted.ranges[s];
        const auto begin = sorted.order.begin() + range.begin;
        std::sort(begin, sorted.order.begin() + range.end, [values](std::int32_t a, std::int32_t b) {
            return std::pair(values[a], a) < std::pair(values[b], b);
        });
        std::vector<double> sorted_values, sorted_weights;
        for (auto id = begin; id != begin + range.size(); ++id) {
            sorted_values.push_back(values[*id]);
            if (weights != nullptr) sorted_weights.push_back(weights[*id]);
        }
        starts[s] =
            univariate_blocks(sorted_values.data(), weights == nullptr ? nullptr : sorted_weights.data(),
                              range.size(), min_block_size);
    });
    std::int32_t n_blocks = 0;
    for (std::size_t s = 0; s < starts.size(); ++s) {
        const Range& range = sorted.ranges[s];
        for (std::size_t k = 0; k < starts[s].size(); ++k) {
            const std::int64_t end = k + 1 < starts[s].size() ? starts[s][k + 1] : range.size();
            for (std::int64_t i = starts[s][k]; i < end; ++i) {
                labels[sorted.order[static_cast<std::size_t>(range.begin + i)]] = n_blocks;
            }
            ++n_blocks;
        }
    }
    number_by_first_record(labels, n, n_blocks);
}

}  // namespace covloss
