// Bootstrapping and randomized rounding (paper, Section 4): block means become records.
//
// A row first draws a block with the probabilities of the weights, then each attribute on its own: a bit
// equals 1 with the probability that the block's mean says, an attribute of more levels takes one level of
// its group. So the product of any bits of distinct attributes has the expectation that the block means give
// it (unbiased off the diagonal), and a marginal over m rows has a variance of at most 1/(4m).
//
// Probabilities are quantised once: the cumulative weights to integers that end at exactly 2^63, cumulative
// levels and bit means to multiples of 2^-31. A bit's bias is at most 2^-32, a level's at most 2^-31; a block
// or a level of probability zero is never drawn, one of probability one always.
#pragma once

#include <cstdint>
#include <vector>

#include "core/chacha_stream.hpp"

namespace covloss {

// Weights and means of blocks, quantised. Attributes of size 2 are one bit, others a one-hot group.
class QuantisedBlocks {
  public:
    // weights (k), means (k, n_bits) C order, sizes (q). Throws std::invalid_argument, naming block and bit,
    // if a weight or mean is negative or not finite, a bit's mean is above 1, or a group's means add to zero.
    // A group's means are normalised by their sum.
    QuantisedBlocks(const double* weights, std::int64_t n_blocks, const double* means, std::int64_t n_bits,
                    std::vector<std::int32_t> sizes, int n_threads);

    // Rows first_row .. first_row + n_rows - 1, as codes (q, n_rows) in C order. Each row is a function of
    // the key and its own number alone. Code is the smallest unsigned type that holds every level.
    template <class Code>
    void round_rows(Code* codes, std::int64_t n_rows, const StreamKey& key, std::uint64_t first_row,
                    const std::int32_t* labels, int n_threads) const;

    std::int32_t largest_size() const noexcept;

  private:
    struct Group {
        std::int32_t attribute;
        std::int32_t n_limits;   // levels - 1
        std::int64_t first_bit;  // in the means
        std::int64_t first_limit;
    };

    void quantise_block(std::int64_t block, const double* means);
    std::int64_t draw_block(std::uint64_t random63) const noexcept;

    std::int64_t n_bits_;
    std::vector<std::int32_t> sizes_;
    std::vector<std::int64_t> offsets_;      // first bit of each attribute
    std::vector<Group> groups_;              // attributes of another size than 2
    std::vector<std::uint64_t> cumulative_;  // of the weights, in units of 2^-63
    int n_word_groups_;                      // groups of 128 random words that a row needs
    std::vector<std::int32_t> bit_limits_;   // [block][word]: the bit is 1 if random31 <= limit
    std::int64_t n_limits_ = 0;
    std::vector<std::int32_t> level_limits_;  // [block][limit]: the level is the number of limits < random31
};

// Words of one stream, by the kernel of the level in use: out has 128 n_groups words. An even number of
// rounds.
void chacha_words(const StreamKey& key, int rounds, std::uint32_t domain, std::uint64_t index,
                  std::uint32_t first_block, int n_groups, std::uint32_t* out);

}  // namespace covloss
