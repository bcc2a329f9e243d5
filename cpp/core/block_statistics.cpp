#include "core/block_statistics.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/parallel.hpp"

namespace covloss {

void block_statistics(const BitMatrix& bits, const std::int32_t* labels, std::int64_t k, std::int64_t* counts,
                      std::int64_t* sums, int n_threads) {
    const std::int64_t p = bits.n_columns();
    std::fill_n(counts, k, 0);
    for (std::int64_t row = 0; row < bits.n_rows(); ++row) {
        if (labels[row] < 0 || labels[row] >= k)
            throw std::invalid_argument("row " + std::to_string(row) + ": the label is outside the blocks");
        ++counts[labels[row]];
    }
    parallel_for(p, n_threads, [&](std::int64_t column) {
        std::vector<std::int64_t> ones(static_cast<std::size_t>(k));
        for (std::int64_t row_block = 0; row_block < bits.n_row_blocks(); ++row_block) {
            const std::uint64_t* words = bits.block(row_block, column);
            for (std::size_t w = 0; w < kWordsPerBlock; ++w) {
                const std::int32_t* here =
                    labels + row_block * kRowsPerBlock + static_cast<std::int64_t>(64 * w);
                for (std::uint64_t left = words[w]; left != 0; left &= left - 1)
                    ++ones[static_cast<std::size_t>(here[std::countr_zero(left)])];
            }
        }
        for (std::int64_t j = 0; j < k; ++j) sums[j * p + column] = ones[static_cast<std::size_t>(j)];
    });
}

}  // namespace covloss
