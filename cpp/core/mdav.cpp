#include "core/mdav.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/squared_distance.hpp"

namespace covloss {
namespace {

class Mdav {
  public:
    Mdav(const double* rows, std::int64_t width, const Members& ids, std::int64_t min_size)
        : rows_(rows), width_(width), min_size_(static_cast<std::size_t>(min_size)), left_(ids) {}

    std::vector<Members> run() {
        while (left_.size() >= 3 * min_size_) {
            const std::int32_t far = farthest(mean().data());
            const std::int32_t opposite = farthest(row(far));
            take_nearest(row(far));
            take_nearest(row(opposite));
        }
        if (left_.size() >= 2 * min_size_) take_nearest(row(farthest(mean().data())));
        if (!left_.empty()) blocks_.push_back(std::move(left_));
        return std::move(blocks_);
    }

  private:
    const double* row(std::int32_t id) const { return rows_ + id * width_; }

    void measure(const double* point) {
        distances_.resize(left_.size());
        distance_kernels().to_ids(point, rows_, left_.data(), static_cast<std::int64_t>(left_.size()), width_,
                                  distances_.data());
    }

    std::vector<double> mean() const {
        std::vector<double> sum(static_cast<std::size_t>(width_), 0.0);
        for (const std::int32_t id : left_) {
            for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += row(id)[j];
        }
        for (double& s : sum) s /= static_cast<double>(left_.size());
        return sum;
    }

    std::int32_t farthest(const double* point) {
        measure(point);
        return left_[static_cast<std::size_t>(std::max_element(distances_.begin(), distances_.end()) -
                                              distances_.begin())];
    }

    void take_nearest(const double* point) {
        measure(point);
        nearest_.resize(left_.size());
        for (std::size_t i = 0; i < left_.size(); ++i) nearest_[i] = {distances_[i], left_[i]};
        const auto border = nearest_.begin() + static_cast<std::ptrdiff_t>(min_size_);
        if (border != nearest_.end()) std::nth_element(nearest_.begin(), border, nearest_.end());
        Members block;
        for (auto it = nearest_.begin(); it != border; ++it) block.push_back(it->second);
        std::sort(block.begin(), block.end());
        Members rest;
        std::set_difference(left_.begin(), left_.end(), block.begin(), block.end(), std::back_inserter(rest));
        left_ = std::move(rest);
        blocks_.push_back(std::move(block));
    }

    const double* rows_;
    std::int64_t width_;
    std::size_t min_size_;
    Members left_;
    std::vector<Members> blocks_;
    std::vector<double> distances_;
    std::vector<std::pair<double, std::int32_t>> nearest_;
};

}  // namespace

std::vector<Members> mdav(const double* rows, std::int64_t width, const Members& ids, std::int64_t min_size) {
    return Mdav(rows, width, ids, min_size).run();
}

}  // namespace covloss
