#include "core/marginal_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

#include "core/kernels.hpp"
#include "core/parallel.hpp"
#include "core/parallel_sums.hpp"

namespace covloss {
namespace {

// Sets of a task, and of a batch whose counts are held at once.
constexpr std::int64_t kSetsPerTask = 8192;
constexpr std::int64_t kSetsPerBatch = 32 * kSetsPerTask;

// Sets that share all but their last bit: {prefix..., c} for first <= c < last.
struct Run {
    std::int64_t first_set;
    std::int32_t first, last;
};

// Runs in order, and their prefixes one after the other.
struct Runs {
    std::size_t prefix_length;
    std::vector<std::int32_t> prefixes;
    std::vector<Run> runs;
    std::int64_t n_sets = 0;

    void add(const std::int32_t* prefix, std::int32_t first, std::int32_t last) {
        prefixes.insert(prefixes.end(), prefix, prefix + prefix_length);
        runs.push_back({n_sets, first, last});
        n_sets += last - first;
    }
    void clear() {
        prefixes.clear();
        runs.clear();
        n_sets = 0;
    }
    const std::int32_t* prefix(std::size_t run) const { return prefixes.data() + run * prefix_length; }
};

// The conjunctions of the first 1, 2, ... columns of a prefix in one row block.
class Conjunctions {
  public:
    Conjunctions(const BitMatrix& bits, std::size_t length)
        : bits_(bits), length_(length), words_(length + 1) {
        words_.front().fill(~std::uint64_t{0});
    }

    // The conjunction of a whole prefix; `shared` of its columns are those of the prefix asked for before.
    const std::uint64_t* of(const std::int32_t* prefix, std::size_t shared, std::int64_t row_block,
                            const BitKernels& kernels) {
        if (length_ == 0) return words_.front().data();
        const std::uint64_t* so_far = shared < 2 ? bits_.block(row_block, prefix[0]) : words_[shared].data();
        for (std::size_t k = std::max<std::size_t>(shared, 1); k < length_; ++k) {
            kernels.and_words(so_far, bits_.block(row_block, prefix[k]), bits_.words_in_block(row_block),
                              words_[k + 1].data());
            so_far = words_[k + 1].data();
        }
        return so_far;
    }

  private:
    struct alignas(64) Words : std::array<std::uint64_t, kWordsPerBlock> {};
    const BitMatrix& bits_;
    std::size_t length_;
    std::vector<Words> words_;  // [k]: of the first k columns; [1] is the column itself and stays unused
};

void count(const BitMatrix& bits, const Runs& sets, std::int64_t* counts, int n_threads) {
    const BitKernels& kernels = bit_kernels();
    std::vector<std::size_t> cuts{0};  // tasks: runs cuts[t] .. cuts[t + 1]
    for (std::size_t run = 1; run < sets.runs.size(); ++run)
        if (sets.runs[run].first_set - sets.runs[cuts.back()].first_set >= kSetsPerTask) cuts.push_back(run);
    const auto n_parts = static_cast<std::int64_t>(cuts.size());
    cuts.push_back(sets.runs.size());
    std::fill_n(counts, sets.n_sets, 0);
    parallel_for(n_block_groups(bits) * n_parts, n_threads, [&](std::int64_t task) {
        const std::size_t begin = cuts[static_cast<std::size_t>(task % n_parts)];
        const std::size_t end = cuts[static_cast<std::size_t>(task % n_parts) + 1];
        const std::int64_t first_set = sets.runs[begin].first_set;
        const std::int64_t end_set = end < sets.runs.size() ? sets.runs[end].first_set : sets.n_sets;
        std::vector<std::uint32_t> part(static_cast<std::size_t>(end_set - first_set), 0);
        std::vector<const std::uint64_t*> columns(static_cast<std::size_t>(bits.n_columns()));
        Conjunctions conjunctions(bits, sets.prefix_length);
        const std::int64_t first_block = task / n_parts * kBlocksPerTask;
        const std::int64_t end_block = std::min(bits.n_row_blocks(), first_block + kBlocksPerTask);
        for (std::int64_t block = first_block; block < end_block; ++block) {
            for (std::size_t j = 0; j < columns.size(); ++j)
                columns[j] = bits.block(block, static_cast<std::int64_t>(j));
            for (std::size_t r = begin; r < end; ++r) {
                const Run& run = sets.runs[r];
                const std::int32_t* prefix = sets.prefix(r);
                std::size_t shared = 0;
                if (r > begin)
                    while (shared < sets.prefix_length && prefix[shared] == sets.prefix(r - 1)[shared])
                        ++shared;
                kernels.and_counts(conjunctions.of(prefix, shared, block, kernels),
                                   columns.data() + run.first, static_cast<std::size_t>(run.last - run.first),
                                   bits.words_in_block(block), part.data() + (run.first_set - first_set));
            }
        }
        add_exactly(counts + first_set, part.data(), part.size());
    });
}

// All prefixes of `degree` - 1 bits of distinct groups that some bit of a later group completes, in order.
class AllSets {
  public:
    AllSets(const std::vector<std::int32_t>& groups, std::size_t degree)
        : n_bits_(static_cast<std::int32_t>(groups.size())), prefix_(degree - 1), next_group_(groups.size()) {
        // n_later[j]: groups after that of bit j.
        std::vector<std::size_t> n_later(groups.size(), 0);
        for (std::size_t j = groups.size(); j-- > 0;) {
            const bool last_of_group = j + 1 == groups.size() || groups[j + 1] != groups[j];
            next_group_[j] = last_of_group ? static_cast<std::int32_t>(j + 1) : next_group_[j + 1];
            if (j + 1 < groups.size()) n_later[j] = n_later[j + 1] + (last_of_group ? 1 : 0);
        }
        // The k-th bit must leave degree - 1 - k groups after its own.
        for (std::size_t k = 0; k + 1 < degree; ++k) {
            std::size_t end = groups.size();
            while (end > 0 && n_later[end - 1] < degree - 1 - k) --end;
            ends_.push_back(static_cast<std::int32_t>(end));
        }
        for (std::size_t k = 0; k < prefix_.size(); ++k)
            prefix_[k] = k == 0 ? 0 : next_group_[static_cast<std::size_t>(prefix_[k - 1])];
    }

    // Fills runs with up to about kSetsPerBatch sets; false if none are left.
    bool next_batch(Runs& runs) {
        runs.clear();
        while (!done_ && runs.n_sets < kSetsPerBatch) {
            const std::int32_t first =
                prefix_.empty() ? 0 : next_group_[static_cast<std::size_t>(prefix_.back())];
            runs.add(prefix_.data(), first, n_bits_);
            advance();
        }
        return !runs.runs.empty();
    }

  private:
    void advance() {
        std::size_t k = prefix_.size();
        while (k > 0 && prefix_[k - 1] + 1 >= ends_[k - 1]) --k;
        if (k == 0) {
            done_ = true;
            return;
        }
        ++prefix_[k - 1];
        for (; k < prefix_.size(); ++k) prefix_[k] = next_group_[static_cast<std::size_t>(prefix_[k - 1])];
    }

    std::int32_t n_bits_;
    std::vector<std::int32_t> prefix_;
    std::vector<std::int32_t> next_group_;  // [j]: first bit after the group of bit j
    std::vector<std::int32_t> ends_;
    bool done_ = false;
};

}  // namespace

void marginal_counts(const BitMatrix& bits, const std::int32_t* sets, std::int64_t n_sets,
                     std::int64_t degree, std::int64_t* counts, int n_threads) {
    if (degree < 1) throw std::invalid_argument("a marginal needs at least one bit");
    for (std::int64_t i = 0; i < n_sets * degree; ++i)
        if (sets[i] < 0 || sets[i] >= bits.n_columns())
            throw std::invalid_argument("set " + std::to_string(i / degree) + ": there is no column " +
                                        std::to_string(sets[i]));
    Runs runs{static_cast<std::size_t>(degree - 1), {}, {}};
    for (std::int64_t first = 0; first < n_sets; first += kSetsPerBatch) {
        runs.clear();
        for (std::int64_t s = first; s < std::min(n_sets, first + kSetsPerBatch); ++s) {
            const std::int32_t* prefix = sets + s * degree;
            const std::int32_t last = prefix[degree - 1];
            if (!runs.runs.empty() && runs.runs.back().last == last &&
                std::equal(prefix, prefix + runs.prefix_length, runs.prefix(runs.runs.size() - 1))) {
                ++runs.runs.back().last;
                ++runs.n_sets;
            } else {
                runs.add(prefix, last, last + 1);
            }
        }
        count(bits, runs, counts + first, n_threads);
    }
}

MarginalErrorSums marginal_error(const BitMatrix& first, const BitMatrix& second,
                                 const std::vector<std::int32_t>& groups, std::int64_t degree,
                                 int n_threads) {
    const auto n_columns = static_cast<std::int64_t>(groups.size());
    if (first.n_columns() != n_columns || second.n_columns() != n_columns)
        throw std::invalid_argument("the tables have " + std::to_string(first.n_columns()) + " and " +
                                    std::to_string(second.n_columns()) + " columns, the groups " +
                                    std::to_string(n_columns));
    if (first.n_rows() == 0 || second.n_rows() == 0)
        throw std::invalid_argument("a table without records has no marginals");
    if (!std::is_sorted(groups.begin(), groups.end()))
        throw std::invalid_argument("the columns of a group must lie one after the other");
    std::int64_t n_groups = 0;
    for (std::size_t j = 0; j < groups.size(); ++j) n_groups += j == 0 || groups[j] != groups[j - 1];
    if (degree < 1 || degree > n_groups)
        throw std::invalid_argument("the degree must be from 1 to " + std::to_string(n_groups) + ", got " +
                                    std::to_string(degree));

    const auto n = static_cast<double>(first.n_rows()), m = static_cast<double>(second.n_rows());
    AllSets all(groups, static_cast<std::size_t>(degree));
    Runs runs{static_cast<std::size_t>(degree - 1), {}, {}};
    std::vector<std::int64_t> counts, others;
    MarginalErrorSums sums{0.0, 0.0, 0};
    while (all.next_batch(runs)) {
        counts.resize(static_cast<std::size_t>(runs.n_sets));
        others.resize(counts.size());
        count(first, runs, counts.data(), n_threads);
        count(second, runs, others.data(), n_threads);
        double sum = 0.0;
        for (std::size_t s = 0; s < counts.size(); ++s) {
            const double difference = static_cast<double>(counts[s]) / n - static_cast<double>(others[s]) / m;
            sum += difference * difference;
            sums.max = std::max(sums.max, std::abs(difference));
        }
        sums.sum_of_squares += sum;
        sums.n_sets += runs.n_sets;
    }
    return sums;
}

}  // namespace covloss
