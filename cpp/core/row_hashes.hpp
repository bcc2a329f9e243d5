// Hashes of records, for counting the equal ones without bringing them together.
#pragma once

#include <cstdint>

namespace covloss {

// Works one more column, as 64-bit words, into two independent hashes of each record; start from distinct
// constants. Two different records agree in both hashes with a probability of about 2^-128 for each pair.
void mix_column(const std::uint64_t* column, std::int64_t n, int n_threads, std::uint64_t* first,
                std::uint64_t* second);

// The same for all columns of a table of doubles, which is read once: equal numbers are equal words (both
// zeros, and all NaN).
void mix_rows(const double* rows, std::int64_t n, std::int64_t width, int n_threads, std::uint64_t* first,
              std::uint64_t* second);

}  // namespace covloss
