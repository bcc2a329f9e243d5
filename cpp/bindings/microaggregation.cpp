#include "core/microaggregation.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "core/equal_blocks.hpp"
#include "core/nearest_row.hpp"
#include "core/real_projection.hpp"
#include "core/row_hashes.hpp"
#include "core/squared_distance.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

void check_min_block_size(std::int64_t min_block_size) {
    if (min_block_size < 1) {
        throw std::invalid_argument("min_block_size must be at least 1, got " +
                                    std::to_string(min_block_size));
    }
}

void check_records(py::ssize_t n, const std::optional<Float64Array>& weights, const Int32Array& strata,
                   std::int32_t n_strata, std::int64_t min_block_size) {
    if (n > std::numeric_limits<std::int32_t>::max()) {
        throw std::invalid_argument("at most 2147483647 records, got " + std::to_string(n));
    }
    if (strata.ndim() != 1 || strata.size() != n ||
        (weights && (weights->ndim() != 1 || weights->size() != n))) {
        throw std::invalid_argument("weights and strata must hold one entry for each of the " +
                                    std::to_string(n) + " records");
    }
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(std::max(n_strata, 0)), 0);
    for (py::ssize_t i = 0; i < n; ++i) {
        const std::int32_t stratum = strata.data()[i];
        if (stratum < 0 || stratum >= n_strata) {
            throw std::invalid_argument("stratum " + std::to_string(stratum) + " of record " +
                                        std::to_string(i) + " is not in [0, " + std::to_string(n_strata) +
                                        ")");
        }
        ++sizes[static_cast<std::size_t>(stratum)];
    }
    for (std::size_t s = 0; s < sizes.size(); ++s) {
        if (sizes[s] < min_block_size) {
            throw std::invalid_argument(
                "stratum " + std::to_string(s) + " has " + std::to_string(sizes[s]) +
                " records, fewer than min_block_size = " + std::to_string(min_block_size));
        }
    }
}

void check_levels(py::ssize_t n, const UInt8Array& codes, const Int32Array& n_levels,
                  const Int32Array& widths, const Float64Array& coordinates) {
    const py::ssize_t q = codes.ndim() == 2 ? codes.shape(1) : -1;
    if (q < 0 || codes.shape(0) != n || n_levels.ndim() != 1 || n_levels.size() != q || widths.ndim() != 1 ||
        widths.size() != q || coordinates.ndim() != 1) {
        throw std::invalid_argument(
            "codes (n, q), n_levels (q,), widths (q,) and coordinates do not fit together");
    }
    std::int64_t size = 0;
    for (py::ssize_t f = 0; f < q; ++f) {
        if (n_levels.data()[f] < 1 || widths.data()[f] < 1) {
            throw std::invalid_argument("every attribute must have levels and coordinates");
        }
        size += static_cast<std::int64_t>(n_levels.data()[f]) * widths.data()[f];
    }
    if (size != coordinates.size()) {
        throw std::invalid_argument("expected " + std::to_string(size) + " coordinates of levels, got " +
                                    std::to_string(coordinates.size()));
    }
    const std::uint8_t* code = codes.data();
    for (py::ssize_t i = 0; i < n; ++i) {
        for (py::ssize_t f = 0; f < q; ++f, ++code) {
            if (*code >= n_levels.data()[f]) {
                throw std::invalid_argument("code " + std::to_string(*code) + " of record " +
                                            std::to_string(i) + " is not below the number of levels, " +
                                            std::to_string(n_levels.data()[f]));
            }
        }
    }
}

Int32Array minimum_size(const Float64Array& numbers, const UInt8Array& codes, const Int32Array& n_levels,
                        const Int32Array& widths, const Float64Array& coordinates,
                        const std::optional<Float64Array>& weights, const Int32Array& strata,
                        std::int32_t n_strata, std::int64_t min_block_size, int n_rounds, int n_passes,
                        std::uint64_t seed, int n_threads) {
    if (numbers.ndim() != 2) throw std::invalid_argument("numbers must have two dimensions");
    const std::int64_t n = numbers.shape(0);
    check_min_block_size(min_block_size);
    check_records(n, weights, strata, n_strata, min_block_size);
    check_levels(n, codes, n_levels, widths, coordinates);
    const RowTable rows(numbers.data(), numbers.shape(1),
                        {codes.data(), codes.shape(1), n_levels.data(), widths.data(), coordinates.data()});
    if (rows.width() == 0) throw std::invalid_argument("needs at least one coordinate");
    Int32Array labels(n);
    const MinimumSizeTask task{rows,          n,        weights ? weights->data() : nullptr,
                               strata.data(), n_strata, min_block_size,
                               n_rounds,      n_passes, seed};
    std::int32_t* out = labels.mutable_data();
    {
        // Safe without the GIL: the arrays are held by the caller and by `labels`, and no Python object is
        // touched.
        const py::gil_scoped_release release;
        minimum_size_partition(task, n_threads, out);
    }
    return labels;
}

Int32Array univariate(const Float64Array& values, const std::optional<Float64Array>& weights,
                      const Int32Array& strata, std::int32_t n_strata, std::int64_t min_block_size,
                      int n_threads) {
    if (values.ndim() != 1) throw std::invalid_argument("values must have one dimension");
    check_min_block_size(min_block_size);
    check_records(values.shape(0), weights, strata, n_strata, min_block_size);
    Int32Array labels(values.shape(0));
    const double* w = weights ? weights->data() : nullptr;
    std::int32_t* out = labels.mutable_data();
    {
        // Safe without the GIL: as above.
        const py::gil_scoped_release release;
        univariate_partition(values.data(), values.shape(0), w, strata.data(), n_strata, min_block_size,
                             n_threads, out);
    }
    return labels;
}

Int32Array equal(const Float64Array& coordinates, const Int32Array& cells, std::int32_t n_cells,
                 std::int64_t n_blocks, int n_threads) {
    if (coordinates.ndim() != 2 || coordinates.shape(1) == 0) {
        throw std::invalid_argument("coordinates must have two dimensions and at least one column");
    }
    const std::int64_t n = coordinates.shape(0);
    if (n_blocks < 1 || n_blocks > n) {
        throw std::invalid_argument("n_blocks must be from 1 to the number of records, " + std::to_string(n) +
                                    ", got " + std::to_string(n_blocks));
    }
    check_records(n, std::nullopt, cells, n_cells, 0);
    Int32Array labels(n);
    std::int32_t* out = labels.mutable_data();
    {
        // Safe without the GIL: as above.
        const py::gil_scoped_release release;
        equal_blocks(coordinates.data(), n, coordinates.shape(1), cells.data(), n_cells, n_blocks, n_threads,
                     out);
    }
    return labels;
}

Float64Array second_moment_of(const Float64Array& rows, int n_threads) {
    if (rows.ndim() != 2) throw std::invalid_argument("rows must have two dimensions");
    Float64Array moment({rows.shape(1), rows.shape(1)});
    double* out = moment.mutable_data();
    {
        // Safe without the GIL: as above.
        const py::gil_scoped_release release;
        real_second_moment(rows.data(), rows.shape(0), rows.shape(1), n_threads, out);
    }
    return moment;
}

Float64Array project_rows(const Float64Array& rows, const Float64Array& directions, int n_threads) {
    if (rows.ndim() != 2 || directions.ndim() != 2 || directions.shape(0) != rows.shape(1)) {
        throw std::invalid_argument("rows (n, width) and directions (width, t) do not fit together");
    }
    Float64Array projected({rows.shape(0), directions.shape(1)});
    double* out = projected.mutable_data();
    {
        // Safe without the GIL: as above.
        const py::gil_scoped_release release;
        real_project(rows.data(), rows.shape(0), rows.shape(1), directions.data(), directions.shape(1),
                     n_threads, out);
    }
    return projected;
}

py::tuple nearest_other(const Float64Array& queries, const Int32Array& own, const Float64Array& limits,
                        const Float64Array& rows, int n_threads) {
    if (rows.ndim() != 2 || rows.shape(1) != padded_width(rows.shape(1)) || rows.shape(1) == 0) {
        throw std::invalid_argument("rows must have two dimensions and a positive multiple of 4 columns");
    }
    if (queries.ndim() != 2 || queries.shape(1) != rows.shape(1) || own.ndim() != 1 ||
        own.size() != queries.shape(0) || limits.ndim() != 1 || limits.size() != queries.shape(0)) {
        throw std::invalid_argument("queries (n, width), own (n,) and limits (n,) do not fit together");
    }
    if (rows.shape(0) > std::numeric_limits<std::int32_t>::max()) {
        throw std::invalid_argument("at most 2147483647 rows, got " + std::to_string(rows.shape(0)));
    }
    const py::ssize_t n = queries.shape(0);
    std::vector<Neighbour> found(static_cast<std::size_t>(n));
    {
        // Safe without the GIL: as above.
        const py::gil_scoped_release release;
        nearest_other_rows(queries.data(), own.data(), limits.data(), n, rows.data(), rows.shape(0),
                           rows.shape(1), n_threads, found.data());
    }
    Int32Array index(n);
    Float64Array squares(n);
    for (py::ssize_t i = 0; i < n; ++i) {
        index.mutable_data()[i] = found[static_cast<std::size_t>(i)].row;
        squares.mutable_data()[i] = found[static_cast<std::size_t>(i)].square;
    }
    return py::make_tuple(index, squares);
}

void mix(const UInt64Array& column, UInt64Array& hashes, int n_threads) {
    if (column.ndim() != 1 || hashes.ndim() != 2 || hashes.shape(0) != 2 ||
        hashes.shape(1) != column.size()) {
        throw std::invalid_argument("hashes must have shape (2, n) for a column of n entries");
    }
    std::uint64_t* first = hashes.mutable_data();
    {
        // Safe without the GIL: the caller alone holds `hashes`.
        const py::gil_scoped_release release;
        mix_column(column.data(), column.size(), n_threads, first, first + column.size());
    }
}

void mix_table(const Float64Array& rows, UInt64Array& hashes, int n_threads) {
    if (rows.ndim() != 2 || hashes.ndim() != 2 || hashes.shape(0) != 2 || hashes.shape(1) != rows.shape(0)) {
        throw std::invalid_argument("hashes must have shape (2, n) for a table of n rows");
    }
    std::uint64_t* first = hashes.mutable_data();
    {
        // Safe without the GIL: the caller alone holds `hashes`.
        const py::gil_scoped_release release;
        mix_rows(rows.data(), rows.shape(0), rows.shape(1), n_threads, first, first + rows.shape(0));
    }
}

}  // namespace

void register_microaggregation(py::module_& parent) {
    auto m = parent.def_submodule("microaggregation", "Partitions into blocks of at least a given size.");
    m.def("minimum_size_partition", &minimum_size, py::arg("numbers").noconvert(),
          py::arg("codes").noconvert(), py::arg("n_levels").noconvert(), py::arg("widths").noconvert(),
          py::arg("coordinates").noconvert(), py::arg("weights").noconvert().none(true),
          py::arg("strata").noconvert(), py::arg("n_strata"), py::arg("min_block_size"), py::arg("n_rounds"),
          py::arg("n_passes"), py::arg("seed"), py::arg("n_threads"),
          "Block of each record; blocks of at least min_block_size, by local search.");
    m.def("univariate_partition", &univariate, py::arg("values").noconvert(),
          py::arg("weights").noconvert().none(true), py::arg("strata").noconvert(), py::arg("n_strata"),
          py::arg("min_block_size"), py::arg("n_threads"), "The same for one column: exact.");
    m.def("equal_blocks", &equal, py::arg("coordinates").noconvert(), py::arg("cells").noconvert(),
          py::arg("n_cells"), py::arg("n_blocks"), py::arg("n_threads"),
          "Exactly n_blocks blocks, sizes differing by at most one, that refine cells except at their "
          "borders.");
    m.def("second_moment", &second_moment_of, py::arg("rows").noconvert(), py::arg("n_threads"),
          "Sum of x x^T over real records, the same bits for any number of threads.");
    m.def("project", &project_rows, py::arg("rows").noconvert(), py::arg("directions").noconvert(),
          py::arg("n_threads"), "Real records times directions, the same bits for any number of threads.");
    m.def("nearest_other", &nearest_other, py::arg("queries").noconvert(), py::arg("own").noconvert(),
          py::arg("limits").noconvert(), py::arg("rows").noconvert(), py::arg("n_threads"),
          "Nearest row other than its own within a limit, or -1, and its squared distance, for each query.");
    m.def("mix_column", &mix, py::arg("column").noconvert(), py::arg("hashes").noconvert(),
          py::arg("n_threads"), "Works a column of 64-bit words into two hashes of each record, in place.");
    m.def("mix_rows", &mix_table, py::arg("rows").noconvert(), py::arg("hashes").noconvert(),
          py::arg("n_threads"), "Works all columns of a table of doubles into two hashes of each record.");
}

}  // namespace covloss::bindings
