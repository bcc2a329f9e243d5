// Which block a record is in: exact integers throughout, so that a record's block depends on that record and
// on released values alone, bit for bit, whatever the batch, the order, the instruction set or the number of
// threads. A floating-point matrix product would not do: its rounding changes with the shape of the batch, so
// that adding one record could move another to a different block and break the sensitivity.
#pragma once

#include <cstdint>

#include "core/bit_matrix.hpp"

namespace covloss {

// An affine integer map from the bits of a record to t coordinates: offset + sum over the set bits b of row
// b.
struct IntegerMap {
    const std::int32_t* directions;  // n_columns x t, row-major
    const std::int64_t* offset;      // t
    std::int64_t t;
};

// Coordinates of every record, row-major (n_rows x t). Bytes of a row index tables of partial sums: no
// product. Throws std::invalid_argument if a coordinate could leave 31 bits.
void project(const BitMatrix& bits, const IntegerMap& map, std::int32_t* coordinates, int n_threads);

// Block of every record: the nearest of k points (row-major k x t), ties to the lowest index. Throws
// std::invalid_argument unless t (2 bound)^2 < 2^63, bound the largest coordinate that a record or point can
// have. O(n (p / 8 + k) t) additions and products.
void assign_nearest(const BitMatrix& bits, const IntegerMap& map, const std::int64_t* points, std::int64_t k,
                    std::int32_t* labels, int n_threads);

}  // namespace covloss
