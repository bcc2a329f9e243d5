// Which block a record is in: exact integers throughout, so that a record's block depends on that record and
// on released values alone, bit for bit, whatever the batch, the order, the instruction set or the number of
// threads. A floating-point matrix product would not do: its rounding changes with the shape of the batch, so
// that adding one record could move another to a different block and break the sensitivity.
//
// Bounds are checked on the map and the points, before any record is read: no error depends on a record.
#pragma once

#include <cstdint>
#include <vector>

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
// product. Throws std::invalid_argument if a coordinate could reach 2^62.
void project(const BitMatrix& bits, const IntegerMap& map, std::int64_t* coordinates, int n_threads);

// Block of every record: the nearest of k points (row-major k x t), ties to the lowest index. Throws
// std::invalid_argument unless t (2 bound)^2 < 2^63, bound the largest coordinate that a record or point can
// have. Where even t (2 bound)^2 < 2^31 and bound < 2^14, distances take 32 bits and a fraction of the time;
// the labels are those of the exact distances in either case.
void assign_nearest(const BitMatrix& bits, const IntegerMap& map, const std::int64_t* points, std::int64_t k,
                    std::int32_t* labels, int n_threads);

// The same for coordinates (row-major n x t) that were made before. Here the bound is that of the values
// given.
void nearest_point(const std::int64_t* coordinates, std::int64_t n, std::int64_t t,
                   const std::int64_t* points, std::int64_t k, std::int32_t* labels, int n_threads);

// Bit l of a label is the value of bit columns[l] of the record. At most 30 columns.
void pin(const BitMatrix& bits, const std::vector<std::int64_t>& columns, std::int32_t* labels,
         int n_threads);

// Bit l of a label says whether coordinate l is at least 0. At most 30 directions.
void sign_cells(const BitMatrix& bits, const IntegerMap& map, std::int32_t* labels, int n_threads);

// The cell of every coordinate on a grid of `cells` intervals of length `spacing`, centred about 0, the
// outermost open to the outside; a label is the number of the cell in lexicographic order. At most 2^30 cells
// in all.
void lattice_cells(const BitMatrix& bits, const IntegerMap& map, std::int64_t spacing, std::int64_t cells,
                   std::int32_t* labels, int n_threads);

// The same for coordinates (row-major n x t) that were made before.
void lattice_cells(const std::int64_t* coordinates, std::int64_t n, std::int64_t t, std::int64_t spacing,
                   std::int64_t cells, std::int32_t* labels, int n_threads);

}  // namespace covloss
