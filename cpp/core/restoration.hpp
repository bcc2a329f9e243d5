// Fitting rows to released counts: what rounding lost is given back (steered rounding).
//
// Given rows and targets for their counts (pairs of attributes, single attributes, block sums), attributes of
// rows are redrawn one at a time. With D = counts - targets and the energy E = (beta / 2) sum W D^2, a sweep
// of Gibbs moves visits every attribute of every row; after each sweep D is added to the multipliers Lambda
// (augmented Lagrangian), so that the rows drift towards the table of largest entropy that meets the targets,
// not towards the nearest one to the start. Greedy sweeps, which take a move only if it lowers E, end the
// fit. Everything here reads released values alone.
//
// Targets are rounded to integers. So counts, discrepancies and multipliers are exact integers at all times,
// whatever the order in which they were added; floats appear only inside one decision.
//
// Shards. Gibbs sweeps run on n_shards contiguous ranges of the rows, apart from each other: each range has
// its own discrepancies, multipliers and random numbers, and targets scaled by its share of the rows. That is
// how threads share the work: the fit of a shard is serial. So do the greedy sweeps but the last, which runs
// over all rows with the full targets, and removes what rounding the shares has left. (With one shard all
// greedy sweeps run over all rows.) Accuracy does not suffer as long as a shard has
// thousands of rows (1,000,000 rows of 64 attributes: the same for 1 to 128 shards).
//
// Determinism. Random numbers are addressed by (shard, sweep, rows, attribute), floats are added in a fixed
// order by the same operations at every instruction-set level, and what shards share are sums of integers. So
// the result is a function of the arguments, for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/bit_matrix.hpp"
#include "core/chacha_stream.hpp"

namespace covloss {

struct FitOptions {
    int n_sweeps = 5;
    int n_greedy_sweeps = 3;
    double beta = 0;
    int n_shards = 1;
    int n_threads = 1;
};

inline constexpr int kMaxShards = 65535;
inline constexpr int kMaxSweeps = 10000;

// Of the whole table: root mean squares of its discrepancies, and how many moves led there from the record
// before.
struct SweepRecord {
    double pairs = 0;
    double singles = 0;
    double blocks = 0;
    std::int64_t n_moves = 0;
};

// Structural zeros: rows (attribute a, level u, attribute b, level v), a != b. A level is excluded for a row
// if it makes such a pair with another level of the row. Excluded levels are not taken, so that a row without
// forbidden pairs stays without. If all levels of the attribute are excluded, any of them is drawn, whatever
// its energy: so a row that starts with forbidden pairs walks until it is rid of them.
struct ForbiddenPairs {
    const std::int32_t* rows;  // (n, 4)
    std::int64_t n;

    // Calls visit(a, u, b, v) for each of them, both ways round.
    template <class Visit>
    void for_each(const Visit& visit) const {
        for (const std::int32_t* r = rows; r != rows + 4 * n; r += 4) {
            visit(r[0], r[1], r[2], r[3]);
            visit(r[2], r[3], r[0], r[1]);
        }
    }
};

// Targets of a table of bits, in z = 2x - 1; all of magnitude at most m.
struct BinaryTargets {
    const double* pairs;         // (p, p) symmetric: sums of z_a z_b over the rows; the diagonal is not read
    const double* singles;       // (p) sums of z_a
    double single_weight;        // against 1 for a pair
    const std::int32_t* labels;  // (m) the block of each row, which stays; null: no blocks
    std::int64_t n_blocks;
    const double* block_sums;  // (n_blocks, p) sums of z_a over the rows of a block
    double block_weight;
    ForbiddenPairs forbidden;
};

// bits: the rows, in and out; they are most of what a fit holds. E = (beta / 2)(sum_{a<b} D_ab^2 + w1 sum
// D_a^2 + wB sum D_ja^2). Returns a record of the start, one after the Gibbs sweeps of all shards, one after
// each greedy sweep.
std::vector<SweepRecord> fit_rows_binary(const BinaryTargets& targets, const FitOptions& options,
                                         const StreamKey& key, BitMatrix& bits);

// Targets of a table of attributes with any numbers of levels, as counts of rows, over all levels of all
// attributes: n_levels = sum of the sizes, the levels of an attribute side by side. All of magnitude at most
// m.
struct CategoricalTargets {
    const double* pairs;    // (n_levels, n_levels) symmetric; pairs of one attribute are not read
    const double* singles;  // (n_levels)
    const double*
        pair_weights;  // (q, q) symmetric, >= 0; 0: the pair has no target. The diagonal is not read
    const double* single_weights;  // (q)
    const std::int32_t* labels;    // (m) or null
    std::int64_t n_blocks;
    const double* block_counts;  // (n_blocks, n_levels)
    double block_weight;
    ForbiddenPairs forbidden;
};

// codes: (q, m), codes[a, i] < sizes[a], in and out; E = (beta / 2) sum over pairs of attributes, attributes
// and blocks of weight times the sum of D^2 over their cells. mean_pairs: null, or (n_levels, n_levels),
// which gets the pair counts of all rows, averaged over the states after the last half of the Gibbs sweeps.
std::vector<SweepRecord> fit_rows_categorical(std::uint16_t* codes, const std::vector<std::int32_t>& sizes,
                                              std::int64_t m, const CategoricalTargets& targets,
                                              const FitOptions& options, const StreamKey& key,
                                              double* mean_pairs);

// Columns of m codes each whose counts are as near to m times the probabilities as integers are: rounded
// down, and the rows that are left given to levels drawn without replacement by what rounding took from them.
// Each column is shuffled on its own. probabilities: (n_levels), adding to 1 in each attribute; codes: (q,
// m).
void quota_columns(const double* probabilities, const std::vector<std::int32_t>& sizes, std::int64_t m,
                   const StreamKey& key, int n_threads, std::uint16_t* codes);
// The same columns, packed, where all attributes have two levels.
BitMatrix quota_bits(const double* probabilities, std::int64_t n_attributes, std::int64_t m,
                     const StreamKey& key, int n_threads);

}  // namespace covloss
