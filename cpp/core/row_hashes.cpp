#include "core/row_hashes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/hashing.hpp"
#include "core/parallel.hpp"

namespace covloss {
namespace {

constexpr std::uint64_t kFactor = 0xd1342543de82ef95ULL;
constexpr std::uint64_t kNaN = 0x7ff8000000000000ULL;  // what all of them count as

}  // namespace

void mix_column(const std::uint64_t* column, std::int64_t n, int n_threads, std::uint64_t* first,
                std::uint64_t* second) {
    constexpr std::int64_t kPerTask = 65536;
    parallel_for((n + kPerTask - 1) / kPerTask, n_threads, [&](std::int64_t task) {
        for (std::int64_t i = task * kPerTask; i < std::min(n, (task + 1) * kPerTask); ++i) {
            first[i] = hash64(first[i] ^ column[i]);
            second[i] = hash64(second[i] + kFactor * column[i]);
        }
    });
}

void mix_rows(const double* rows, std::int64_t n, std::int64_t width, int n_threads, std::uint64_t* first,
              std::uint64_t* second) {
    constexpr std::int64_t kPerTask = 4096;
    parallel_for((n + kPerTask - 1) / kPerTask, n_threads, [&](std::int64_t task) {
        for (std::int64_t i = task * kPerTask; i < std::min(n, (task + 1) * kPerTask); ++i) {
            for (std::int64_t j = 0; j < width; ++j) {
                const double x = rows[i * width + j];
                const auto word = std::isnan(x) ? kNaN : std::bit_cast<std::uint64_t>(x + 0.0);  // one zero
                first[i] = hash64(first[i] ^ word);
                second[i] = hash64(second[i] + kFactor * word);
            }
        }
    });
}

}  // namespace covloss
