#include "core/metric_projection.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/parallel.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kEntriesPerTask = 1 << 16;

template <class Project>
void for_each_row(double* values, std::int64_t n_rows, std::int64_t width, int n_threads,
                  const Project& project) {
    if (width < 1) throw std::invalid_argument("a row must have at least one entry");
    for (std::int64_t i = 0; i < n_rows * width; ++i)
        if (!std::isfinite(values[i]))
            throw std::invalid_argument("the entry at row " + std::to_string(i / width) + ", column " +
                                        std::to_string(i % width) + " is not finite");
    const std::int64_t rows_per_task = std::max<std::int64_t>(1, kEntriesPerTask / width);
    parallel_for((n_rows + rows_per_task - 1) / rows_per_task, n_threads, [&](std::int64_t task) {
        std::vector<double> sorted(static_cast<std::size_t>(width));
        const std::int64_t end = std::min(n_rows, (task + 1) * rows_per_task);
        for (std::int64_t i = task * rows_per_task; i < end; ++i) project(values + i * width, sorted);
    });
}

}  // namespace

void project_cube(double* values, std::int64_t n_rows, std::int64_t width, int n_threads) {
    for_each_row(values, n_rows, width, n_threads, [](double* row, const std::vector<double>& scratch) {
        for (std::size_t i = 0; i < scratch.size(); ++i) row[i] = std::min(1.0, std::max(0.0, row[i]));
    });
}

void project_simplex(double* values, std::int64_t n_rows, std::int64_t width, int n_threads) {
    // The nearest point is max(v - theta, 0), theta such that it adds to 1. With v sorted downwards, theta is
    // (v_1 + .. + v_r - 1) / r for the largest r with v_r > theta. Taking the largest entry off first changes
    // nothing in exact arithmetic and keeps theta accurate for large v.
    for_each_row(values, n_rows, width, n_threads, [](double* row, std::vector<double>& sorted) {
        const std::size_t n = sorted.size();
        const double largest = *std::max_element(row, row + n);
        for (std::size_t i = 0; i < n; ++i) sorted[i] = row[i] -= largest;
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        double sum = 0;
        double theta = 0;
        std::size_t n_positive = 1;
        for (std::size_t r = 0; r < n; ++r) {
            sum += sorted[r];
            const double candidate = (sum - 1) / static_cast<double>(r + 1);
            if (sorted[r] > candidate) {
                theta = candidate;
                n_positive = r + 1;
            }
        }
        // Where many entries lie far below the largest, theta is the difference of long sums: what these have
        // lost shows in the total, which is short.
        double total = 0;
        for (std::size_t i = 0; i < n; ++i) total += std::max(0.0, row[i] - theta);
        theta += (total - 1) / static_cast<double>(n_positive);
        for (std::size_t i = 0; i < n; ++i) row[i] = std::max(0.0, row[i] - theta);
    });
}

}  // namespace covloss
