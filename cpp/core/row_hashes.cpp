#include "core/row_hashes.hpp"

#include <algorithm>

#include "core/hashing.hpp"
#include "core/parallel.hpp"

namespace covloss {

void mix_column(const std::uint64_t* column, std::int64_t n, int n_threads, std::uint64_t* first,
                std::uint64_t* second) {
    constexpr std::int64_t kPerTask = 65536;
    parallel_for((n + kPerTask - 1) / kPerTask, n_threads, [&](std::int64_t task) {
        for (std::int64_t i = task * kPerTask; i < std::min(n, (task + 1) * kPerTask); ++i) {
            first[i] = hash64(first[i] ^ column[i]);
            second[i] = hash64(second[i] + 0xd1342543de82ef95ULL * column[i]);
        }
    });
}

}  // namespace covloss
