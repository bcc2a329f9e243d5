// MDAV, "maximum distance to average vector" (Domingo-Ferrer and Torra 2005): the field's standard heuristic
// for microaggregation. Quadratic, so it serves here as a start inside small groups of records alone.
#pragma once

#include <cstdint>
#include <vector>

namespace covloss {

using Members = std::vector<std::int32_t>;  // indices of rows, ascending

// Blocks of at least `min_size` of the given rows (one block if there are fewer than twice as many). Ties of
// distances go to the lowest index.
std::vector<Members> mdav(const double* rows, std::int64_t width, const Members& ids, std::int64_t min_size);

}  // namespace covloss
