#include "core/linear_algebra.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/parallel.hpp"

namespace covloss {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::int64_t kStripe = 8;           // columns whose means are one task: a cache line
constexpr std::int64_t kRowsPerChunk = 2048;  // rows of a rank update
constexpr std::int64_t kMostRanges = 16;
constexpr std::int64_t kLongEigen =
    256;  // from so many columns on, eigenvectors take more than some milliseconds
constexpr std::chrono::milliseconds kPatience{20};

using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;

// The iteration cannot be asked to stop, so a thread of its own does it while this one polls. If the user
// asks to stop, it is left alone with its copy of the matrix, and ends when it has done.
Solver solve_interruptibly(Eigen::MatrixXd matrix) {
    auto work = std::make_shared<std::packaged_task<Solver()>>(
        [matrix = std::move(matrix)] { return Solver(matrix); });
    std::future<Solver> solver = work->get_future();
    std::thread thread([work] { (*work)(); });
    try {
        while (solver.wait_for(kPatience) != std::future_status::ready) poll_interrupt();
    } catch (...) {
        thread.detach();
        throw;
    }
    thread.join();
    return solver.get();
}

// Means of the blocks, k x p; empty blocks give zeros.
std::vector<double> block_means(const double* rows, const std::int32_t* labels, std::int64_t n,
                                std::int64_t p, std::int64_t k, int n_threads) {
    std::vector<double> counts(static_cast<std::size_t>(k));
    for (std::int64_t i = 0; i < n; ++i) ++counts[static_cast<std::size_t>(labels[i])];
    std::vector<double> means(static_cast<std::size_t>(k * p));
    parallel_for((p + kStripe - 1) / kStripe, n_threads, [&](std::int64_t stripe) {
        const std::int64_t first = stripe * kStripe;
        const std::int64_t last = std::min(p, first + kStripe);
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t c = first; c < last; ++c)
                means[static_cast<std::size_t>(labels[i] * p + c)] += rows[i * p + c];
        for (std::int64_t j = 0; j < k; ++j)
            for (std::int64_t c = first; c < last; ++c)
                means[static_cast<std::size_t>(j * p + c)] /=
                    std::max(1.0, counts[static_cast<std::size_t>(j)]);
    });
    return means;
}

}  // namespace

void symmetric_eigen(const double* matrix, std::int64_t p, double* values, double* vectors) {
    if (p == 0) return;
    const Eigen::Map<const RowMajor> a(matrix, p, p);
    if (!a.allFinite()) throw std::invalid_argument("the matrix has entries that are not finite");
    const Solver solver = p < kLongEigen ? Solver(a) : solve_interruptibly(a);
    if (solver.info() != Eigen::Success)
        throw std::runtime_error("the eigenvalue iteration did not converge");
    for (Eigen::Index j = 0; j < p; ++j) {
        const Eigen::Index from = p - 1 - j;  // Eigen sorts ascending
        values[j] = solver.eigenvalues()[from];
        const auto vector = solver.eigenvectors().col(from);
        Eigen::Index largest = 0;
        for (Eigen::Index i = 1; i < p; ++i)
            if (std::abs(vector[i]) > std::abs(vector[largest])) largest = i;
        const double sign = vector[largest] < 0 ? -1.0 : 1.0;
        for (Eigen::Index i = 0; i < p; ++i) vectors[i * p + j] = sign * vector[i];
    }
}

void lost_moment(const std::int64_t* second, const std::int64_t* counts, const std::int64_t* sums,
                 std::int64_t k, std::int64_t p, double* lost, int n_threads) {
    for (std::int64_t j = 0; j < k; ++j)
        if (counts[j] < 0 || counts[j] >= std::int64_t{1} << 31)
            throw std::invalid_argument("block " + std::to_string(j) + " has 2^31 records or more");
    parallel_for(p, n_threads, [&](std::int64_t a) {
        std::vector<std::int64_t> whole(static_cast<std::size_t>(p));
        std::vector<double> fraction(static_cast<std::size_t>(p));
        for (std::int64_t j = 0; j < k; ++j) {
            const std::int64_t* row = sums + j * p;
            const std::int64_t mine = row[a];
            if (mine == 0) continue;
            const double inverse = 1.0 / static_cast<double>(counts[j]);
            for (std::int64_t b = a; b < p; ++b) {
                // The quotient is at most 2^31, so the rounded one is too small by at most 1 where the
                // division leaves no rest; this is put right.
                const std::int64_t product = mine * row[b];
                auto quotient = static_cast<std::int64_t>(static_cast<double>(product) * inverse);
                const std::int64_t rest = product - quotient * counts[j];
                quotient += rest >= counts[j];
                whole[static_cast<std::size_t>(b)] += quotient;
                fraction[static_cast<std::size_t>(b)] +=
                    static_cast<double>(product - quotient * counts[j]) * inverse;
            }
        }
        for (std::int64_t b = a; b < p; ++b)  // entries (a, b) and (b, a) belong to this task alone
            lost[a * p + b] = lost[b * p + a] =
                static_cast<double>(second[a * p + b] - whole[static_cast<std::size_t>(b)]) -
                fraction[static_cast<std::size_t>(b)];
    });
}

void residual_moment(const double* rows, const std::int32_t* labels, std::int64_t n, std::int64_t p,
                     std::int64_t k, double* lost, int n_threads) {
    for (std::int64_t i = 0; i < n; ++i)
        if (labels[i] < 0 || labels[i] >= k)
            throw std::invalid_argument("row " + std::to_string(i) + ": the label is outside the blocks");
    for (std::int64_t i = 0; i < n * p; ++i)
        if (!std::isfinite(rows[i]))
            throw std::invalid_argument("row " + std::to_string(i / p) + ", column " + std::to_string(i % p) +
                                        ": the value is not finite");
    const std::vector<double> means = block_means(rows, labels, n, p, k, n_threads);
    const std::int64_t n_chunks = (n + kRowsPerChunk - 1) / kRowsPerChunk;
    const std::int64_t n_ranges = std::clamp<std::int64_t>(n_chunks, 1, kMostRanges);
    std::vector<Eigen::MatrixXd> partial(static_cast<std::size_t>(n_ranges));
    parallel_for(n_ranges, n_threads, [&](std::int64_t range) {
        Eigen::MatrixXd& sum = partial[static_cast<std::size_t>(range)];
        sum.setZero(p, p);
        RowMajor residual;
        for (std::int64_t chunk = range * n_chunks / n_ranges; chunk < (range + 1) * n_chunks / n_ranges;
             ++chunk) {
            const std::int64_t first = chunk * kRowsPerChunk;
            const std::int64_t here = std::min(kRowsPerChunk, n - first);
            residual.resize(here, p);
            for (std::int64_t i = 0; i < here; ++i)
                for (std::int64_t c = 0; c < p; ++c)
                    residual(i, c) = rows[(first + i) * p + c] -
                                     means[static_cast<std::size_t>(labels[first + i] * p + c)];
            sum.selfadjointView<Eigen::Lower>().rankUpdate(residual.transpose());
        }
    });
    for (std::int64_t range = 1; range < n_ranges; ++range)
        partial.front() += partial[static_cast<std::size_t>(range)];
    for (std::int64_t a = 0; a < p; ++a)
        for (std::int64_t b = 0; b <= a; ++b) lost[a * p + b] = lost[b * p + a] = partial.front()(a, b);
}

}  // namespace covloss
