// What tasks of a parallel loop do together: integer sums, and the lowest position that any of them found.
// Neither depends on the order of the tasks.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/bit_matrix.hpp"

namespace covloss {

// Row blocks of a task: 262,144 records, so that counts of a task fit 32 bits and tasks last milliseconds.
inline constexpr std::int64_t kBlocksPerTask = 16;

inline std::int64_t n_block_groups(const BitMatrix& bits) {
    return (bits.n_row_blocks() + kBlocksPerTask - 1) / kBlocksPerTask;
}

// sum += part, from many tasks at once. Exact, therefore the same for any order. (A library as late as 2024
// had no std::atomic_ref.)
inline void add_exactly(std::int64_t& sum, std::int64_t part) {
    __atomic_fetch_add(&sum, part, __ATOMIC_RELAXED);
}

// sums[i] += part[i]
inline void add_exactly(std::int64_t* sums, const std::uint32_t* part, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        if (part[i] != 0) add_exactly(sums[i], part[i]);
}

// lowest = min(lowest, position)
inline void keep_lowest(std::atomic<std::int64_t>& lowest, std::int64_t position) {
    std::int64_t seen = lowest.load();
    while (position < seen && !lowest.compare_exchange_weak(seen, position)) {
    }
}

}  // namespace covloss
