// Local improvement of a partition into blocks of at least `min_size` records.
//
// What is minimised is the scatter (SSE): the weighted sum of squared distances of records from their block's
// mean. Every change is taken only if it lowers the scatter by more than `tolerance`, so the search ends, and
// its result is never worse than its start. Changes, from the cheapest: move a record to another block or
// swap two (the exact change of the scatter follows from four distances and the distance of the two), cut a
// block that has grown to 2 min_size, dissolve a block among its neighbours. Only a few nearest blocks are
// tried, and a pair that offered nothing is not tried again until one of the two has changed.
//
// Everything is ordered: blocks by slot, records by index, ties by (value, index); sums run in index order.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/mdav.hpp"
#include "core/squared_distance.hpp"

namespace covloss {

// Records of one search: rows zero-padded to `width` (squared_distance.hpp).
struct RecordView {
    const double* rows;
    const double* weights;      // null: every record weighs 1
    const std::int32_t* names;  // what identifies each record outside of this search
    std::int64_t width;
};

struct SearchRule {
    std::int64_t min_size;
    double tolerance;
};

struct Block {
    Members members;
    std::vector<std::uint32_t> settled;  // signatures of blocks with which no exchange helps
};

class LocalSearch {
  public:
    LocalSearch(const RecordView& records, const SearchRule& rule);

    void add(Block block);

    // Improves until nothing of what is tried helps.
    void run();

    // `n_passes` times for each block: pools it with a few neighbours, partitions the pool anew, improves
    // that, and keeps it if it is better.
    void rebuild_neighbourhoods(int n_passes, std::uint64_t seed);

    double scatter() const;

    // The blocks, in order of slots, and, unless null, their means; the search is empty afterwards.
    std::vector<Block> take(std::vector<double>* means);

  private:
    struct Slot {
        Block block;
        std::vector<double> distances;  // of each member from the block's mean
        double scatter = 0.0;
        double weight = 0.0;
        std::uint32_t signature = 0;  // hash of the members' names
        bool alive = false;
        bool queued = false;
        bool uniform = false;  // all members are the same point
    };

    // An exchange between two blocks: `out` goes from the first to the second, `in` the other way; -1: none.
    struct Exchange {
        double change = 0.0;
        std::int32_t out = -1;
        std::int32_t in = -1;
        bool exists() const { return out >= 0 || in >= 0; }
    };

    struct Neighbour {
        double distance;
        std::int32_t slot;
        auto operator<=>(const Neighbour&) const = default;
    };

    // A record that may be swapped: what its going over costs, before the means have moved.
    struct Candidate {
        double cost;
        std::size_t index;  // among its block's members
    };

    // What dissolving a block would make of one that takes its records.
    struct Receiver {
        std::int32_t slot;
        Members members;  // at first the new ones alone
        std::vector<double> mean;
        double weight;
    };

    const double* row(std::int32_t id) const { return records_.rows + id * records_.width; }
    double weight(std::int32_t id) const { return records_.weights == nullptr ? 1.0 : records_.weights[id]; }
    Slot& slot(std::int32_t g) { return slots_[static_cast<std::size_t>(g)]; }
    const Slot& slot(std::int32_t g) const { return slots_[static_cast<std::size_t>(g)]; }
    double* mean(std::int32_t g) { return means_.data() + g * records_.width; }
    std::size_t min_size() const { return static_cast<std::size_t>(rule_.min_size); }

    std::int32_t insert(Block block);
    void remove(std::int32_t g);
    void enqueue(std::int32_t g);
    void recompute(std::int32_t g);
    void replace_members(std::int32_t g, Members members);
    double weighted_mean(const Members& members, double* mean) const;
    double scatter_of(const Members& members) const;

    void place_in_tile(std::int32_t g);
    void find_neighbours(std::int32_t g, std::size_t n_wanted);
    void add_neighbour(const Neighbour& candidate);
    bool same_point(const Slot& a, const Slot& b) const;

    void improve(std::int32_t g);
    bool exchange_with_neighbours(std::int32_t g);
    bool redivide_with_neighbours(std::int32_t g);
    bool is_settled(std::int32_t g, std::int32_t h) const;
    void settle(std::int32_t g, std::int32_t h);
    Exchange best_exchange(std::int32_t g, std::int32_t h);
    void best_move(const Slot& from, const Slot& to, const std::vector<double>& cross, bool outward,
                   Exchange& best) const;
    void best_swap(const Slot& g, const Slot& h, Exchange& best);
    static void exchange_members(const Exchange& exchange, Members& a, Members& b);
    bool apply(std::int32_t g, std::int32_t h, const Exchange& exchange);  // whether it did help

    void cut_if_large(std::int32_t g);
    std::pair<Members, Members> cut(const Members& members) const;
    std::pair<Members, Members> divide(const Members& members, std::vector<double> left_centre,
                                       std::vector<double> right_centre) const;

    void dissolve(std::int32_t g);
    bool rebuild(std::int32_t g, std::uint64_t seed, bool by_mdav);
    std::vector<Members> grow_from_seeds(const Members& pool, std::uint64_t seed) const;

    RecordView records_;
    SearchRule rule_;
    const DistanceKernels* kernels_;
    std::vector<Slot> slots_;
    std::vector<double> means_;  // one row for each slot
    std::vector<double> tiles_;  // the same in tiles (squared_distance.hpp); infinite where no block is
    std::vector<std::int32_t> free_;
    std::vector<std::int32_t> queue_;
    std::size_t queue_head_ = 0;

    // Scratch space, kept to save allocations.
    std::vector<double> slot_distances_, sorted_distances_;
    std::vector<std::int32_t> within_;
    std::vector<Neighbour> candidates_, neighbours_;
    std::vector<double> cross_out_, cross_in_;
    std::vector<Candidate> candidates_out_, candidates_in_;
};

}  // namespace covloss
