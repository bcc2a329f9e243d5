// Equipartition: exactly n_blocks blocks whose sizes differ by at most one, from any partition.
#pragma once

#include <cstdint>

namespace covloss {

// Order the records by (label, row) and give position r the block floor(r n_blocks / n). At most one block
// for each border between labels straddles it, which bounds what is lost (Theorem 1.2, "moreover"). The
// blocks depend on all records: for anonymity only, never for differential privacy.
void equipartition(const std::int32_t* labels, std::int64_t n, std::int64_t n_blocks, std::int32_t* blocks);

}  // namespace covloss
