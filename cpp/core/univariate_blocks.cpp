#include "core/univariate_blocks.hpp"

#include <algorithm>
#include <limits>

namespace covloss {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// best[e] = min over s <= e - min_size of best[s] + cost(s, e), with cost the scatter of values s .. e-1.
//
// The cost satisfies the quadrangle inequality on sorted values, so the best s does not decrease with e, and
// a range of ends is solved by its middle first. Ends are taken in chunks of min_size: those of one chunk
// depend on earlier chunks alone, and no optimal block is longer than 2 min_size - 1 (a longer one can be
// cut). Sums run from the start of each chunk's window, centred there: over the whole column they would
// cancel to nothing.
class UnivariateSearch {
  public:
    UnivariateSearch(const double* values, const double* weights, std::int64_t n, std::int64_t min_size)
        : values_(values),
          weights_(weights),
          n_(n),
          min_size_(min_size),
          best_(static_cast<std::size_t>(n + 1), kInfinity),
          previous_(static_cast<std::size_t>(n + 1), 0) {
        best_[0] = 0.0;
    }

    std::vector<std::int64_t> run() {
        for (std::int64_t first = min_size_; first <= n_; first += min_size_) {
            const std::int64_t last = std::min(first + min_size_ - 1, n_);
            window_ = std::max<std::int64_t>(0, first - 2 * min_size_);
            sum_window(last);
            solve(first, last, window_, last - min_size_);
        }
        std::vector<std::int64_t> starts;
        for (std::int64_t end = n_; end > 0; end = previous_[static_cast<std::size_t>(end)]) {
            starts.push_back(previous_[static_cast<std::size_t>(end)]);
        }
        std::reverse(starts.begin(), starts.end());
        return starts;
    }

  private:
    struct Sums {
        double weight = 0.0, first = 0.0, second = 0.0;
    };

    void sum_window(std::int64_t last) {
        const double origin = values_[(window_ + last) / 2];
        sums_.assign(1, Sums{});
        for (std::int64_t i = window_; i < last; ++i) {
            const double w = weights_ == nullptr ? 1.0 : weights_[i];
            const double x = values_[i] - origin;
            Sums s = sums_.back();
            s.weight += w;
            s.first += w * x;
            s.second += w * x * x;
            sums_.push_back(s);
        }
    }

    double cost(std::int64_t start, std::int64_t end) const {
        const Sums& a = sums_[static_cast<std::size_t>(start - window_)];
        const Sums& b = sums_[static_cast<std::size_t>(end - window_)];
        const double first = b.first - a.first;
        return std::max(0.0, b.second - a.second - first * first / (b.weight - a.weight));
    }

    void solve(std::int64_t first, std::int64_t last, std::int64_t low, std::int64_t high) {
        if (first > last) return;
        const std::int64_t middle = (first + last) / 2;
        const auto m = static_cast<std::size_t>(middle);
        std::int64_t chosen = low;
        // Downwards and strictly smaller: of equal costs the shortest block.
        for (std::int64_t start = std::min(high, middle - min_size_); start >= low; --start) {
            const double total = best_[static_cast<std::size_t>(start)] + cost(start, middle);
            if (total < best_[m]) {
                best_[m] = total;
                chosen = start;
            }
        }
        previous_[m] = chosen;
        solve(first, middle - 1, low, chosen);
        solve(middle + 1, last, chosen, high);
    }

    const double* values_;
    const double* weights_;
    std::int64_t n_;
    std::int64_t min_size_;
    std::int64_t window_ = 0;
    std::vector<Sums> sums_;  // of values window_ .. window_ + k - 1
    std::vector<double> best_;
    std::vector<std::int64_t> previous_;
};

}  // namespace

std::vector<std::int64_t> univariate_blocks(const double* values, const double* weights, std::int64_t n,
                                            std::int64_t min_size) {
    return UnivariateSearch(values, weights, n, min_size).run();
}

}  // namespace covloss
