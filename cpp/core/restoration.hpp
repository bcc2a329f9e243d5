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
// Determinism. Random numbers are addressed by (sweep, rows, attribute), floats are added in a fixed order by
// the same operations at every instruction-set level. Two modes, chosen by the data alone: in the serial one
// each move sees the counts as they are; in the batched one the rows of a batch see them as they stood before
// the batch, so that threads may share it. The result is the same for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "core/chacha_stream.hpp"

namespace covloss {

struct FitOptions {
    int n_sweeps = 15;
    int n_greedy_sweeps = 3;
    double beta = 0;
    // Rows of a batch in Gibbs sweeps: 0 the serial mode, -1 chosen from the data.
    std::int64_t rows_per_batch = -1;
    int n_threads = 1;
};

// Before a sweep, and after the last: root mean squares of the discrepancies, and the moves of the sweep
// before.
struct SweepRecord {
    double pairs = 0;
    double singles = 0;
    double blocks = 0;
    std::int64_t n_moves = 0;
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
};

// codes: (p, m) of 0 and 1, in and out; E = (beta / 2)(sum_{a<b} D_ab^2 + w1 sum D_a^2 + wB sum D_ja^2).
// Returns a record of the start and of each sweep.
std::vector<SweepRecord> fit_rows_binary(std::uint8_t* codes, std::int64_t p, std::int64_t m,
                                         const BinaryTargets& targets, const FitOptions& options,
                                         const StreamKey& key);

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
};

// codes: (q, m), codes[a, i] < sizes[a], in and out; E = (beta / 2) sum over pairs of attributes, attributes
// and blocks of weight times the sum of D^2 over their cells. mean_pairs: null, or (n_levels, n_levels),
// which gets the pair counts averaged over the states after the last half of the Gibbs sweeps.
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

}  // namespace covloss
