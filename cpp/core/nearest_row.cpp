#include "core/nearest_row.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/median_split.hpp"
#include "core/parallel.hpp"
#include "core/squared_distance.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kLeaf = 8;
constexpr std::int64_t kQueriesPerTask = 16;
// The distance from a box is added up in another order than that from a row: relative slack for rounding.
constexpr double kSlack = 1.0 - 1e-9;

class BoxTree {
  public:
    BoxTree(const double* rows, std::int64_t n_rows, std::int64_t width, int n_threads)
        : width_(width),
          order_(static_cast<std::size_t>(n_rows)),
          sorted_(static_cast<std::size_t>(n_rows * width)),
          kernels_(distance_kernels()) {
        std::iota(order_.begin(), order_.end(), 0);
        leaves_ = median_split(
            RowTable(rows, width), order_, {{0, n_rows}},
            [](const Range& range) { return range.size() <= kLeaf ? 0 : range.size() / 2; }, 0, n_threads);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            std::copy_n(rows + order_[i] * width, width,
                        sorted_.begin() + static_cast<std::ptrdiff_t>(i) * width);
        }
        // Neighbouring nodes of one level are joined in pairs, up to the root; level 0 is that of the leaves.
        levels_.emplace_back(leaves_.size() * node_size());
        for (std::size_t k = 0; k < leaves_.size(); ++k) {
            double* box = levels_[0].data() + k * node_size();
            start(box);
            for (std::int64_t i = leaves_[k].begin; i < leaves_[k].end; ++i) {
                const double* row = sorted_.data() + i * width;
                join(box, row, row);
            }
        }
        for (std::size_t n = leaves_.size(); n > 1;) {
            const std::size_t n_parents = (n + 1) / 2;
            std::vector<double> parents(n_parents * node_size());
            for (std::size_t k = 0; k < n_parents; ++k) {
                double* box = parents.data() + k * node_size();
                start(box);
                for (std::size_t child = 2 * k; child < std::min(n, 2 * k + 2); ++child) {
                    const double* part = levels_.back().data() + child * node_size();
                    join(box, part, part + width_);
                }
            }
            levels_.push_back(std::move(parents));
            n = n_parents;
        }
    }

    Neighbour nearest(const double* query, std::int32_t own, double limit) const {
        Neighbour best{-1, limit};
        search(query, own, levels_.size() - 1, 0, 0.0, best);
        if (best.row < 0) return {};
        return best;
    }

  private:
    std::size_t node_size() const { return 2 * static_cast<std::size_t>(width_); }

    void start(double* box) const {
        std::fill_n(box, width_, std::numeric_limits<double>::infinity());
        std::fill_n(box + width_, width_, -std::numeric_limits<double>::infinity());
    }

    void join(double* box, const double* low, const double* high) const {
        for (std::int64_t j = 0; j < width_; ++j) {
            box[j] = std::min(box[j], low[j]);
            box[width_ + j] = std::max(box[width_ + j], high[j]);
        }
    }

    double square_from_box(const double* query, const double* box) const {
        double lanes[kLanes] = {0.0, 0.0, 0.0, 0.0};
        for (std::int64_t j = 0; j < width_; j += kLanes) {
            for (std::int64_t l = 0; l < kLanes; ++l) {
                const double outside =
                    std::max(0.0, std::max(box[j + l] - query[j + l], query[j + l] - box[width_ + j + l]));
                lanes[l] += outside * outside;
            }
        }
        return kSlack * ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
    }

    static bool is_better(double square, std::int32_t row, const Neighbour& best) {
        return square < best.square || (square == best.square && best.row >= 0 && row < best.row);
    }

    void search(const double* query, std::int32_t own, std::size_t level, std::size_t node, double square,
                Neighbour& best) const {
        if (square > best.square) return;
        if (level == 0) {
            const Range& leaf = leaves_[node];
            double squares[kLeaf];
            kernels_.to_rows(query, sorted_.data() + leaf.begin * width_, leaf.size(), width_, squares);
            for (std::int64_t i = 0; i < leaf.size(); ++i) {
                const std::int32_t row = order_[static_cast<std::size_t>(leaf.begin + i)];
                if (row != own && is_better(squares[i], row, best)) best = {row, squares[i]};
            }
            return;
        }
        const std::vector<double>& below = levels_[level - 1];
        const std::size_t first = 2 * node;
        const double near = square_from_box(query, below.data() + first * node_size());
        if ((first + 1) * node_size() == below.size()) {
            search(query, own, level - 1, first, near, best);
            return;
        }
        const double far = square_from_box(query, below.data() + (first + 1) * node_size());
        const std::size_t swap = far < near ? 1 : 0;
        search(query, own, level - 1, first + swap, std::min(near, far), best);
        search(query, own, level - 1, first + 1 - swap, std::max(near, far), best);
    }

    std::int64_t width_;
    std::vector<std::int32_t> order_;
    std::vector<double> sorted_;  // rows in the order of the leaves
    const DistanceKernels& kernels_;
    std::vector<Range> leaves_;
    std::vector<std::vector<double>> levels_;  // of boxes: lower ends, upper ends
};

}  // namespace

void nearest_other_rows(const double* queries, const std::int32_t* own, const double* limits, std::int64_t n,
                        const double* rows, std::int64_t n_rows, std::int64_t width, int n_threads,
                        Neighbour* out) {
    if (n_rows == 0) {
        std::fill_n(out, n, Neighbour{});
        return;
    }
    const BoxTree tree(rows, n_rows, width, n_threads);
    parallel_for((n + kQueriesPerTask - 1) / kQueriesPerTask, n_threads, [&](std::int64_t task) {
        const std::int64_t end = std::min(n, (task + 1) * kQueriesPerTask);
        for (std::int64_t i = task * kQueriesPerTask; i < end; ++i) {
            poll_interrupt();
            out[i] = tree.nearest(queries + i * width, own[i], limits[i]);
        }
    });
}

}  // namespace covloss
