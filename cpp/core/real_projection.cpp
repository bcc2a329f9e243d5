#include "core/real_projection.hpp"

#include <algorithm>
#include <vector>

#include "core/parallel.hpp"

namespace covloss {
namespace {

constexpr std::int64_t kRowsPerTask = 4096;
// Tasks whose partial sums are held at a time.
constexpr std::int64_t kTasksPerBatch = 8;

}  // namespace

void real_second_moment(const double* rows, std::int64_t n, std::int64_t width, int n_threads,
                        double* moment) {
    const auto cells = static_cast<std::size_t>(width * width);
    std::fill_n(moment, cells, 0.0);
    const std::int64_t n_tasks = (n + kRowsPerTask - 1) / kRowsPerTask;
    std::vector<double> partial(cells * static_cast<std::size_t>(std::min(n_tasks, kTasksPerBatch)));
    for (std::int64_t batch = 0; batch < n_tasks; batch += kTasksPerBatch) {
        const std::int64_t in_batch = std::min(kTasksPerBatch, n_tasks - batch);
        parallel_for(in_batch, n_threads, [&](std::int64_t task) {
            double* sum = partial.data() + static_cast<std::size_t>(task) * cells;
            std::fill_n(sum, cells, 0.0);
            const std::int64_t first = (batch + task) * kRowsPerTask;
            for (std::int64_t i = first; i < std::min(n, first + kRowsPerTask); ++i) {
                const double* x = rows + i * width;
                for (std::int64_t a = 0; a < width; ++a) {
                    if (x[a] == 0.0) continue;
                    for (std::int64_t b = 0; b < width; ++b) sum[a * width + b] += x[a] * x[b];
                }
            }
        });
        for (std::int64_t task = 0; task < in_batch; ++task) {
            const double* sum = partial.data() + static_cast<std::size_t>(task) * cells;
            for (std::size_t c = 0; c < cells; ++c) moment[c] += sum[c];
        }
    }
}

void real_project(const double* rows, std::int64_t n, std::int64_t width, const double* directions,
                  std::int64_t t, int n_threads, double* out) {
    parallel_for((n + kRowsPerTask - 1) / kRowsPerTask, n_threads, [&](std::int64_t task) {
        for (std::int64_t i = task * kRowsPerTask; i < std::min(n, (task + 1) * kRowsPerTask); ++i) {
            double* y = out + i * t;
            std::fill_n(y, t, 0.0);
            for (std::int64_t a = 0; a < width; ++a) {
                const double x = rows[i * width + a];
                for (std::int64_t c = 0; c < t; ++c) y[c] += x * directions[a * t + c];
            }
        }
    });
}

}  // namespace covloss
