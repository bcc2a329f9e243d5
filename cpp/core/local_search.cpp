#include "core/local_search.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include "core/hashing.hpp"
#include "core/parallel.hpp"
#include "core/squared_distance.hpp"

namespace covloss {
namespace {

constexpr std::size_t kNeighbours = 10;     // blocks tried for an exchange
constexpr std::size_t kSwapCandidates = 8;  // of each of the two blocks
constexpr std::size_t kMaxSettled = 20;     // remembered pairs of a block
constexpr int kDivisionSteps = 6;           // of the constrained 2-means
// Above this minimum size records do not change their blocks one by one, but two blocks are divided anew, if
// that lowers their scatter by the fraction below: a change would cost as much as a division.
constexpr std::int64_t kSingleExchanges = 512;
constexpr double kWorthwhileDivision = 1e-4;
constexpr double kHopelessDissolution = 1.6;    // static cost over scatter, above which none ever succeeded
constexpr std::uint64_t kPooledNeighbours = 4;  // a rebuilt neighbourhood has 2 to 1 + this many neighbours

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::int64_t length(const Members& members) { return static_cast<std::int64_t>(members.size()); }

// Insertion sort: what std::sort does with few elements, without its calls.
template <class T>
void sort_few(std::vector<T>& values) {
    constexpr std::size_t kFew = 40;
    if (values.size() > kFew) {
        std::sort(values.begin(), values.end());
        return;
    }
    for (std::size_t i = 1; i < values.size(); ++i) {
        const T value = values[i];
        std::size_t k = i;
        for (; k > 0 && value < values[k - 1]; --k) values[k] = values[k - 1];
        values[k] = value;
    }
}

void erase_member(Members& members, std::int32_t id) {
    members.erase(std::lower_bound(members.begin(), members.end(), id));
}

void insert_member(Members& members, std::int32_t id) {
    members.insert(std::lower_bound(members.begin(), members.end(), id), id);
}

// What a record at squared distance d from the mean takes away from a block of weight W when it leaves, and
// adds to one when it enters.
double gain_of_leaving(double W, double w, double d) { return W * w / (W - w) * d; }
double cost_of_entering(double W, double w, double d) { return W * w / (W + w) * d; }

// Change of the scatter of a block of weight W if x (weight w_x, squared distance d_x from the mean) is
// replaced by y: constant + slope * |x - y|^2, the slope at most 0.
struct Replacement {
    double constant;
    double slope;
};

Replacement replacement(double W, double w_x, double d_x, double w_y, double d_y) {
    const double after = W - w_x + w_y;
    const double moved = w_x * w_x * d_x + w_y * w_y * d_y - w_x * w_y * (d_x + d_y);
    return {w_y * d_y - w_x * d_x - moved / after, -w_x * w_y / after};
}

}  // namespace

LocalSearch::LocalSearch(const RecordView& records, const SearchRule& rule)
    : records_(records), rule_(rule), kernels_(&distance_kernels()) {}

void LocalSearch::add(Block block) { enqueue(insert(std::move(block))); }

double LocalSearch::scatter() const {
    double total = 0.0;
    for (const Slot& s : slots_) total += s.alive ? s.scatter : 0.0;
    return total;
}

std::vector<Block> LocalSearch::take(std::vector<double>* means) {
    std::vector<Block> blocks;
    blocks.reserve(slots_.size() - free_.size());
    if (means != nullptr) means->reserve(blocks.capacity() * static_cast<std::size_t>(records_.width));
    for (std::size_t g = 0; g < slots_.size(); ++g) {
        Slot& s = slots_[g];
        if (!s.alive) continue;
        if (means != nullptr) {
            const double* own = mean(static_cast<std::int32_t>(g));
            means->insert(means->end(), own, own + records_.width);
        }
        s.block.settled.shrink_to_fit();  // there may be hundreds of thousands of blocks
        blocks.push_back(std::move(s.block));
    }
    slots_.clear();
    means_.clear();
    tiles_.clear();
    free_.clear();
    return blocks;
}

void LocalSearch::run() {
    while (queue_head_ < queue_.size()) {
        poll_interrupt();  // with large blocks one search lasts seconds
        const std::int32_t g = queue_[queue_head_++];
        slot(g).queued = false;
        improve(g);
    }
    queue_.clear();
    queue_head_ = 0;
}

// --- slots ---

std::int32_t LocalSearch::insert(Block block) {
    std::int32_t g;
    if (free_.empty()) {
        g = static_cast<std::int32_t>(slots_.size());
        slots_.emplace_back();
        means_.resize(means_.size() + static_cast<std::size_t>(records_.width));
        if (g % kChunkRows == 0) {
            tiles_.resize(tiles_.size() + static_cast<std::size_t>(kChunkRows * records_.width), kInfinity);
        }
    } else {
        g = free_.back();
        free_.pop_back();
    }
    std::vector<std::uint32_t> settled = std::move(block.settled);
    slot(g).alive = true;
    slot(g).block.members = std::move(block.members);
    recompute(g);
    slot(g).block.settled = std::move(settled);
    return g;
}

void LocalSearch::remove(std::int32_t g) {
    slot(g).alive = false;
    slot(g).block.members.clear();
    std::fill_n(mean(g), records_.width, kInfinity);
    place_in_tile(g);
    free_.push_back(g);
}

void LocalSearch::enqueue(std::int32_t g) {
    if (slot(g).queued) return;
    slot(g).queued = true;
    queue_.push_back(g);
}

double LocalSearch::weighted_mean(const Members& members, double* mean) const {
    const auto width = static_cast<std::size_t>(records_.width);
    std::fill(mean, mean + width, 0.0);
    double total = 0.0;
    for (const std::int32_t id : members) {
        const double* x = row(id);
        const double w = weight(id);
        total += w;
        for (std::size_t j = 0; j < width; ++j) mean[j] += w * x[j];
    }
    for (std::size_t j = 0; j < width; ++j) mean[j] /= total;
    return total;
}

double LocalSearch::scatter_of(const Members& members) const {
    std::vector<double> mean(static_cast<std::size_t>(records_.width));
    weighted_mean(members, mean.data());
    double total = 0.0;
    for (const std::int32_t id : members) {
        total += weight(id) * kernels_->pair(row(id), mean.data(), records_.width);
    }
    return total;
}

void LocalSearch::recompute(std::int32_t g) {
    Slot& s = slot(g);
    const Members& members = s.block.members;
    const auto row_bytes = static_cast<std::size_t>(records_.width) * sizeof(double);
    const double* first = row(members.front());
    s.uniform = std::all_of(members.begin() + 1, members.end(),
                            [&](std::int32_t id) { return std::memcmp(row(id), first, row_bytes) == 0; });
    s.weight = weighted_mean(members, mean(g));
    // The rounded mean of equal numbers may differ from them: the scatter of equal points must be exactly 0.
    if (s.uniform) std::memcpy(mean(g), first, row_bytes);
    place_in_tile(g);
    s.distances.resize(members.size());
    kernels_->to_ids(mean(g), records_.rows, members.data(), length(members), records_.width,
                     s.distances.data());
    s.scatter = 0.0;
    std::uint64_t signature = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        s.scatter += weight(members[i]) * s.distances[i];
        signature = hash64(signature, static_cast<std::uint64_t>(records_.names[members[i]]));
    }
    s.signature = static_cast<std::uint32_t>(signature);
    s.block.settled.clear();
}

void LocalSearch::replace_members(std::int32_t g, Members members) {
    slot(g).block.members = std::move(members);
    recompute(g);
    enqueue(g);
}

// --- neighbours ---

bool LocalSearch::same_point(const Slot& a, const Slot& b) const {
    return a.uniform && b.uniform &&
           std::memcmp(row(a.block.members.front()), row(b.block.members.front()),
                       static_cast<std::size_t>(records_.width) * sizeof(double)) == 0;
}

void LocalSearch::place_in_tile(std::int32_t g) {
    double* tile = tiles_.data() + g / kTileRows * kTileRows * records_.width + g % kTileRows;
    for (std::int64_t j = 0; j < records_.width; ++j) tile[j * kTileRows] = mean(g)[j];
}

// The blocks with the nearest means, nearest first. Of blocks that all sit at one point only the largest is
// kept: it can give as much as any of them, and many copies of a record would otherwise fill the list.
void LocalSearch::find_neighbours(std::int32_t g, std::size_t n_wanted) {
    const std::size_t n_chunks = (slots_.size() + kChunkRows - 1) / kChunkRows;
    std::vector<double>& distances = slot_distances_;
    distances.resize(n_chunks * kChunkRows);
    double minima[kChunkRows];
    kernels_->to_tiles(mean(g), tiles_.data(), static_cast<std::int64_t>(n_chunks), records_.width,
                       distances.data(), minima);
    distances[static_cast<std::size_t>(g)] = kInfinity;
    // Of different blocks n_wanted, besides g itself, are certainly no farther than so many of the minima.
    static_assert(kChunkRows > kNeighbours && kChunkRows > kPooledNeighbours + 1);
    std::nth_element(minima, minima + n_wanted, minima + kChunkRows);
    double limit = minima[n_wanted];
    for (std::size_t n_within = n_wanted;; n_within *= 4) {
        limit =
            std::min(limit, std::numeric_limits<double>::max());  // where no block is it is infinitely far
        within_.resize(distances.size() + 1);
        const std::int64_t count = kernels_->within(
            distances.data(), static_cast<std::int64_t>(distances.size()), limit, within_.data());
        candidates_.clear();
        for (std::int64_t i = 0; i < count; ++i) {
            const std::int32_t k = within_[static_cast<std::size_t>(i)];
            candidates_.push_back({distances[static_cast<std::size_t>(k)], k});
        }
        sort_few(candidates_);
        neighbours_.clear();
        for (const Neighbour& candidate : candidates_) {
            if (neighbours_.size() < n_wanted || candidate.distance == neighbours_.back().distance)
                add_neighbour(candidate);
        }
        if (neighbours_.size() >= n_wanted || n_within >= distances.size()) break;
        // Too many of them are alike.
        sorted_distances_ = distances;
        const auto last = sorted_distances_.begin() + static_cast<std::ptrdiff_t>(n_within);
        std::nth_element(sorted_distances_.begin(), last, sorted_distances_.end());
        limit = *last;
    }
    if (neighbours_.size() > n_wanted) neighbours_.resize(n_wanted);
}

void LocalSearch::add_neighbour(const Neighbour& candidate) {
    const Slot& s = slot(candidate.slot);
    for (auto twin = neighbours_.rbegin();
         s.uniform && twin != neighbours_.rend() && twin->distance == candidate.distance; ++twin) {
        if (!same_point(slot(twin->slot), s)) continue;
        if (s.block.members.size() > slot(twin->slot).block.members.size()) twin->slot = candidate.slot;
        return;
    }
    neighbours_.push_back(candidate);
}

// --- improvement ---

// Exchanges with the nearest blocks until none helps; a block that has no use for exchanges may be dissolved.
void LocalSearch::improve(std::int32_t g) {
    if (!slot(g).alive) return;
    find_neighbours(g, kNeighbours);
    if (exchange_with_neighbours(g)) {
        while (exchange_with_neighbours(g)) poll_interrupt();
        enqueue(g);  // its mean has moved: other blocks may be nearer now
        return;
    }
    dissolve(g);
}

bool LocalSearch::is_settled(std::int32_t g, std::int32_t h) const {
    const auto& settled = slot(g).block.settled;
    return std::find(settled.begin(), settled.end(), slot(h).signature) != settled.end();
}

void LocalSearch::settle(std::int32_t g, std::int32_t h) {
    for (const auto& [a, b] : {std::pair(g, h), std::pair(h, g)}) {
        auto& settled = slot(a).block.settled;
        if (settled.size() < kMaxSettled) settled.push_back(slot(b).signature);
    }
}

bool LocalSearch::exchange_with_neighbours(std::int32_t g) {
    if (rule_.min_size > kSingleExchanges) return redivide_with_neighbours(g);
    Exchange best;
    std::int32_t partner = -1;
    for (const Neighbour& neighbour : neighbours_) {
        const std::int32_t h = neighbour.slot;
        if (is_settled(g, h)) continue;
        const Exchange exchange = best_exchange(g, h);
        if (!exchange.exists()) {
            settle(g, h);
        } else if (partner < 0 || exchange.change < best.change) {
            best = exchange;
            partner = h;
        }
    }
    return partner >= 0 && apply(g, partner, best);
}

bool LocalSearch::redivide_with_neighbours(std::int32_t g) {
    bool any = false;
    const std::vector<Neighbour> neighbours = neighbours_;
    for (const Neighbour& neighbour : neighbours) {
        const std::int32_t h = neighbour.slot;
        if (is_settled(g, h)) continue;
        const Members& a = slot(g).block.members;
        const Members& b = slot(h).block.members;
        Members pool;
        std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(pool));
        auto [left, right] =
            divide(pool, {mean(g), mean(g) + records_.width}, {mean(h), mean(h) + records_.width});
        const double before = slot(g).scatter + slot(h).scatter;
        if (scatter_of(left) + scatter_of(right) >= before * (1.0 - kWorthwhileDivision) - rule_.tolerance) {
            settle(g, h);
            continue;
        }
        slot(g).block.members = std::move(left);
        recompute(g);
        replace_members(h, std::move(right));
        cut_if_large(h);
        cut_if_large(g);
        any = true;
    }
    return any;
}

LocalSearch::Exchange LocalSearch::best_exchange(std::int32_t g, std::int32_t h) {
    const Slot& a = slot(g);
    const Slot& b = slot(h);
    cross_out_.resize(a.block.members.size());
    cross_in_.resize(b.block.members.size());
    kernels_->to_ids(mean(h), records_.rows, a.block.members.data(), length(a.block.members), records_.width,
                     cross_out_.data());
    kernels_->to_ids(mean(g), records_.rows, b.block.members.data(), length(b.block.members), records_.width,
                     cross_in_.data());
    Exchange best;
    best.change = -rule_.tolerance;
    best_move(a, b, cross_out_, true, best);
    best_move(b, a, cross_in_, false, best);
    best_swap(a, b, best);
    return best;
}

void LocalSearch::best_move(const Slot& from, const Slot& to, const std::vector<double>& cross, bool outward,
                            Exchange& best) const {
    const Members& members = from.block.members;
    if (members.size() <= min_size()) return;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const double w = weight(members[i]);
        const double change =
            cost_of_entering(to.weight, w, cross[i]) - gain_of_leaving(from.weight, w, from.distances[i]);
        if (change < best.change) {
            best.change = change;
            best.out = outward ? members[i] : -1;
            best.in = outward ? -1 : members[i];
        }
    }
}

void LocalSearch::best_swap(const Slot& g, const Slot& h, Exchange& best) {
    // Candidates: the records that want most to be in the other block.
    const auto choose = [this](const Slot& s, const std::vector<double>& cross,
                               std::vector<Candidate>& candidates) {
        candidates.clear();
        for (std::size_t i = 0; i < cross.size(); ++i) {
            candidates.push_back({weight(s.block.members[i]) * (cross[i] - s.distances[i]), i});
        }
        if (candidates.size() > kSwapCandidates) {
            const auto order = [](const Candidate& a, const Candidate& b) {
                return std::pair(a.cost, a.index) < std::pair(b.cost, b.index);
            };
            std::partial_sort(candidates.begin(), candidates.begin() + kSwapCandidates, candidates.end(),
                              order);
            candidates.resize(kSwapCandidates);
        }
    };
    choose(g, cross_out_, candidates_out_);
    choose(h, cross_in_, candidates_in_);
    const auto try_pair = [&](std::size_t i, std::size_t j, double constant, double slope) {
        // |x - y|^2 <= 2 |x - m|^2 + 2 |y - m|^2 for either mean m: most pairs end here.
        const double bound = 2.0 * std::min(g.distances[i] + cross_in_[j], h.distances[j] + cross_out_[i]);
        if (constant + slope * bound >= best.change) return;
        const std::int32_t x = g.block.members[i];
        const std::int32_t y = h.block.members[j];
        const double change = constant + slope * kernels_->pair(row(x), row(y), records_.width);
        if (change < best.change) best = {change, x, y};
    };
    if (records_.weights == nullptr) {
        const double slope = -(1.0 / g.weight + 1.0 / h.weight);
        for (const Candidate& x : candidates_out_) {
            for (const Candidate& y : candidates_in_) try_pair(x.index, y.index, x.cost + y.cost, slope);
        }
        return;
    }
    for (const Candidate& x : candidates_out_) {
        const double w_x = weight(g.block.members[x.index]);
        for (const Candidate& y : candidates_in_) {
            const double w_y = weight(h.block.members[y.index]);
            const Replacement in_g =
                replacement(g.weight, w_x, g.distances[x.index], w_y, cross_in_[y.index]);
            const Replacement in_h =
                replacement(h.weight, w_y, h.distances[y.index], w_x, cross_out_[x.index]);
            try_pair(x.index, y.index, in_g.constant + in_h.constant, in_g.slope + in_h.slope);
        }
    }
}

void LocalSearch::exchange_members(const Exchange& exchange, Members& a, Members& b) {
    if (exchange.out >= 0) {
        erase_member(a, exchange.out);
        insert_member(b, exchange.out);
    }
    if (exchange.in >= 0) {
        erase_member(b, exchange.in);
        insert_member(a, exchange.in);
    }
}

bool LocalSearch::apply(std::int32_t g, std::int32_t h, const Exchange& exchange) {
    // Where one record weighs nearly as much as its block the formulas take the difference of the two, and
    // what they promise can be rounding alone: without this check the search need not end.
    if (records_.weights != nullptr) {
        Members a = slot(g).block.members;
        Members b = slot(h).block.members;
        exchange_members(exchange, a, b);
        const double before = slot(g).scatter + slot(h).scatter;
        if (!(scatter_of(a) + scatter_of(b) < before - 0.5 * rule_.tolerance)) {
            settle(g, h);
            return false;
        }
    }
    exchange_members(exchange, slot(g).block.members, slot(h).block.members);
    recompute(g);
    recompute(h);
    enqueue(h);
    cut_if_large(h);
    cut_if_large(g);
    return true;
}

// --- cutting ---

void LocalSearch::cut_if_large(std::int32_t g) {
    if (slot(g).block.members.size() < 2 * min_size()) return;
    auto [left, right] = cut(slot(g).block.members);
    replace_members(g, std::move(left));
    const std::int32_t h = insert({std::move(right), {}});
    enqueue(h);
    cut_if_large(g);
    cut_if_large(h);
}

// Into two, from a farthest pair of records.
std::pair<Members, Members> LocalSearch::cut(const Members& members) const {
    const auto width = static_cast<std::size_t>(records_.width);
    std::vector<double> centre(width), distances(members.size());
    weighted_mean(members, centre.data());
    const auto farthest = [&](const std::vector<double>& point) {
        kernels_->to_ids(point.data(), records_.rows, members.data(), length(members), records_.width,
                         distances.data());
        const double* x = row(members[static_cast<std::size_t>(
            std::max_element(distances.begin(), distances.end()) - distances.begin())]);
        return std::vector<double>(x, x + width);
    };
    std::vector<double> left = farthest(centre);
    std::vector<double> right = farthest(left);
    return divide(members, std::move(left), std::move(right));
}

// Constrained 2-means: sorts by the difference of the distances from the two centres and divides where the
// scatter of the two sides is least. With sums taken from the common mean those of the two sides are
// opposite, and the scatter is a constant minus |sum|^2 (1 / left weight + 1 / right weight).
std::pair<Members, Members> LocalSearch::divide(const Members& members, std::vector<double> left_centre,
                                                std::vector<double> right_centre) const {
    const auto width = static_cast<std::size_t>(records_.width);
    const std::size_t n = members.size();
    std::vector<double> mean(width), sum(width), best_sum(width);
    weighted_mean(members, mean.data());

    std::vector<double> left_distances(n), right_distances(n);
    std::vector<std::pair<double, std::int32_t>> order(n);
    std::vector<double> weight_from(n + 1, 0.0);  // summed from the end: as a difference it might be 0
    Members left, right;
    double gained = -1.0;
    for (int step = 0; step < kDivisionSteps; ++step) {
        kernels_->to_ids(left_centre.data(), records_.rows, members.data(), length(members), records_.width,
                         left_distances.data());
        kernels_->to_ids(right_centre.data(), records_.rows, members.data(), length(members), records_.width,
                         right_distances.data());
        for (std::size_t i = 0; i < n; ++i) order[i] = {left_distances[i] - right_distances[i], members[i]};
        std::sort(order.begin(), order.end());
        for (std::size_t i = n; i-- > 0;) weight_from[i] = weight_from[i + 1] + weight(order[i].second);
        std::fill(sum.begin(), sum.end(), 0.0);
        double left_weight = 0.0, best_weight = 0.0, most = -1.0;
        std::size_t n_left = 0;
        for (std::size_t i = 0; i < n - min_size(); ++i) {
            const double* x = row(order[i].second);
            const double w = weight(order[i].second);
            left_weight += w;
            double square = 0.0;
            for (std::size_t j = 0; j < width; ++j) {
                sum[j] += w * (x[j] - mean[j]);
                square += sum[j] * sum[j];
            }
            const double gain = square * (1.0 / left_weight + 1.0 / weight_from[i + 1]);
            if (i + 1 >= min_size() && gain > most) {
                most = gain;
                n_left = i + 1;
                best_sum = sum;
                best_weight = left_weight;
            }
        }
        if (step > 0 && most <= gained + rule_.tolerance) break;
        gained = most;
        left.clear();
        right.clear();
        for (std::size_t i = 0; i < n; ++i) (i < n_left ? left : right).push_back(order[i].second);
        for (std::size_t j = 0; j < width; ++j) {
            left_centre[j] = mean[j] + best_sum[j] / best_weight;
            right_centre[j] = mean[j] - best_sum[j] / weight_from[n_left];
        }
    }
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    return {std::move(left), std::move(right)};
}

// --- dissolving ---

void LocalSearch::dissolve(std::int32_t g) {
    const Slot& s = slot(g);
    if (neighbours_.empty()) return;
    const double limit = s.scatter - rule_.tolerance;

    double static_cost = 0.0;
    for (const std::int32_t id : s.block.members) {
        double cheapest = kInfinity;
        for (const Neighbour& n : neighbours_) {
            cheapest =
                std::min(cheapest, cost_of_entering(slot(n.slot).weight, weight(id),
                                                    kernels_->pair(row(id), mean(n.slot), records_.width)));
        }
        static_cost += cheapest;
        if (static_cost > kHopelessDissolution * limit) return;
    }

    // One record after the other to the cheapest block, whose mean then moves.
    std::vector<Receiver> receivers;
    for (const Neighbour& n : neighbours_) {
        receivers.push_back({n.slot, {}, {mean(n.slot), mean(n.slot) + records_.width}, slot(n.slot).weight});
    }
    double cost = 0.0;
    for (const std::int32_t id : s.block.members) {
        const double w = weight(id);
        double cheapest = kInfinity;
        Receiver* chosen = nullptr;
        for (Receiver& r : receivers) {
            const double enter =
                cost_of_entering(r.weight, w, kernels_->pair(row(id), r.mean.data(), records_.width));
            if (enter < cheapest) {
                cheapest = enter;
                chosen = &r;
            }
        }
        cost += cheapest;
        chosen->members.push_back(id);
        chosen->weight += w;
        for (std::size_t j = 0; j < chosen->mean.size(); ++j) {
            chosen->mean[j] += w / chosen->weight * (row(id)[j] - chosen->mean[j]);
        }
    }
    std::erase_if(receivers, [](const Receiver& r) { return r.members.empty(); });
    for (Receiver& r : receivers) {
        const Members& own = slot(r.slot).block.members;
        const auto middle = r.members.insert(r.members.end(), own.begin(), own.end());
        std::inplace_merge(r.members.begin(), middle, r.members.end());
    }

    if (cost >= limit) {
        // Receivers that have grown to twice the minimum are cut: that may still pay.
        double change = 0.0;
        bool any_cut = false;
        for (const Receiver& r : receivers) {
            change -= slot(r.slot).scatter;
            if (r.members.size() >= 2 * min_size()) {
                const auto [left, right] = cut(r.members);
                change += scatter_of(left) + scatter_of(right);
                any_cut = true;
            } else {
                change += scatter_of(r.members);
            }
        }
        if (!any_cut || change >= limit) return;
    }
    remove(g);
    for (Receiver& r : receivers) replace_members(r.slot, std::move(r.members));
    for (const Receiver& r : receivers) cut_if_large(r.slot);
}

// --- rebuilding ---

void LocalSearch::rebuild_neighbourhoods(int n_passes, std::uint64_t seed) {
    for (int pass = 0; pass < n_passes; ++pass) {
        const auto n_slots = static_cast<std::int32_t>(slots_.size());
        for (std::int32_t g = 0; g < n_slots; ++g) {
            if (!slot(g).alive) continue;
            poll_interrupt();
            const std::uint64_t draw =
                hash64(hash64(seed, static_cast<std::uint64_t>(pass)), static_cast<std::uint64_t>(g));
            // MDAV gives one answer for a pool: worth a first pass, and later for pools that have changed.
            if (rebuild(g, draw, pass == 0 || draw % 4 == 0)) run();
        }
    }
}

bool LocalSearch::rebuild(std::int32_t g, std::uint64_t seed, bool by_mdav) {
    find_neighbours(g, 2 + static_cast<std::size_t>((seed >> 8) % kPooledNeighbours));
    std::vector<std::int32_t> pooled{g};
    for (const Neighbour& n : neighbours_) pooled.push_back(n.slot);
    Members pool;
    double before = 0.0;
    for (const std::int32_t h : pooled) {
        pool.insert(pool.end(), slot(h).block.members.begin(), slot(h).block.members.end());
        before += slot(h).scatter;
    }
    if (before <= rule_.tolerance) return false;
    std::sort(pool.begin(), pool.end());

    const auto width = static_cast<std::size_t>(records_.width);
    std::vector<double> rows(pool.size() * width);
    std::vector<double> weights;
    std::vector<std::int32_t> names(pool.size());
    for (std::size_t i = 0; i < pool.size(); ++i) {
        std::copy_n(row(pool[i]), width, rows.begin() + static_cast<std::ptrdiff_t>(i * width));
        names[i] = records_.names[pool[i]];
        if (records_.weights != nullptr) weights.push_back(weight(pool[i]));
    }
    LocalSearch inner(
        {rows.data(), records_.weights == nullptr ? nullptr : weights.data(), names.data(), records_.width},
        rule_);
    Members all(pool.size());
    std::iota(all.begin(), all.end(), 0);
    for (Members& members : by_mdav ? mdav(rows.data(), records_.width, all, rule_.min_size)
                                    : inner.grow_from_seeds(all, seed)) {
        inner.add({std::move(members), {}});
    }
    inner.run();
    if (inner.scatter() >= before - rule_.tolerance) return false;
    for (const std::int32_t h : pooled) remove(h);
    std::sort(free_.begin(), free_.end(), std::greater<>());
    for (Block& block : inner.take(nullptr)) {
        for (std::int32_t& id : block.members) id = pool[static_cast<std::size_t>(id)];
        enqueue(insert(std::move(block)));
    }
    return true;
}

// Blocks of the records nearest to hashed seeds; fewer than 2 min_size records are left for the last block.
std::vector<Members> LocalSearch::grow_from_seeds(const Members& pool, std::uint64_t seed) const {
    std::vector<Members> blocks;
    Members left = pool;
    std::vector<std::pair<double, std::int32_t>> nearest;
    while (left.size() >= 2 * min_size()) {
        seed = hash64(seed);
        const double* centre = row(left[static_cast<std::size_t>(seed % left.size())]);
        nearest.clear();
        for (const std::int32_t id : left) {
            nearest.emplace_back(kernels_->pair(row(id), centre, records_.width), id);
        }
        std::nth_element(nearest.begin(), nearest.begin() + rule_.min_size, nearest.end());
        Members block;
        for (std::size_t i = 0; i < min_size(); ++i) block.push_back(nearest[i].second);
        std::sort(block.begin(), block.end());
        Members rest;
        std::set_difference(left.begin(), left.end(), block.begin(), block.end(), std::back_inserter(rest));
        left = std::move(rest);
        blocks.push_back(std::move(block));
    }
    blocks.push_back(std::move(left));
    return blocks;
}

}  // namespace covloss
