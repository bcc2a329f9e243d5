// Partitions of records into blocks of at least `min_block_size`, with little scatter, at near-linear cost.
//
// The usual heuristics compare every record with every other one. Here a balanced start comes from recursive
// median splits (median_split.hpp), and quality from local search (local_search.hpp) inside super-blocks of
// about a thousand records. Rounds repeat the search with other super-blocks, cut along other axes, so that
// no border stays. A table of up to 4,096 records is one super-block; its search starts from MDAV too and
// keeps the better result, so it never ends above MDAV.
#pragma once

#include <cstdint>

#include "core/row_table.hpp"

namespace covloss {

struct MinimumSizeTask {
    RowTable rows;  // of a padded width (squared_distance.hpp), finite
    std::int64_t n;
    const double* weights;       // (n,) positive, or null: every record weighs 1
    const std::int32_t* strata;  // (n,) in [0, n_strata): no block holds records of two strata
    std::int32_t n_strata;
    std::int64_t min_block_size;  // at most the size of the smallest stratum
    int n_rounds;                 // for strata of more than one super-block
    int n_passes;                 // of rebuilt neighbourhoods, in the last search of each record
    std::uint64_t seed;
};

// Writes the block of each record; blocks are numbered by their first records. The result depends on the task
// alone, not on `n_threads`.
void minimum_size_partition(const MinimumSizeTask& task, int n_threads, std::int32_t* labels);

// The same for one column of values: exact.
void univariate_partition(const double* values, std::int64_t n, const double* weights,
                          const std::int32_t* strata, std::int32_t n_strata, std::int64_t min_block_size,
                          int n_threads, std::int32_t* labels);

}  // namespace covloss
