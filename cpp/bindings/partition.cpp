#include "core/partition.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "core/block_statistics.hpp"
#include "core/covering.hpp"
#include "core/equipartition.hpp"
#include "core/linear_algebra.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

IntegerMap integer_map(const BitMatrix& bits, const Int32Array& directions, const Int64Array& offset) {
    if (directions.ndim() != 2 || directions.shape(0) != bits.n_columns())
        throw std::invalid_argument("directions must have one row for each bit");
    if (offset.ndim() != 1 || offset.shape(0) != directions.shape(1))
        throw std::invalid_argument("offset must have one entry for each direction");
    return {directions.data(), offset.data(), directions.shape(1)};
}

Int64Array project_rows(const BitMatrix& bits, const Int32Array& directions, const Int64Array& offset,
                        int n_threads) {
    const IntegerMap map = integer_map(bits, directions, offset);
    Int64Array out({static_cast<py::ssize_t>(bits.n_rows()), static_cast<py::ssize_t>(map.t)});
    std::int64_t* data = out.mutable_data();
    // Here and below: inputs are held by the caller and only read, outputs are not known to anyone yet.
    const py::gil_scoped_release release;
    project(bits, map, data, n_threads);
    return out;
}

Int32Array assign(const BitMatrix& bits, const Int32Array& directions, const Int64Array& offset,
                  const Int64Array& points, int n_threads) {
    const IntegerMap map = integer_map(bits, directions, offset);
    if (points.ndim() != 2 || points.shape(1) != map.t)
        throw std::invalid_argument("points must have one column for each direction");
    Int32Array labels(bits.n_rows());
    std::int32_t* data = labels.mutable_data();
    const std::int64_t* point_data = points.data();
    const py::ssize_t k = points.shape(0);
    const py::gil_scoped_release release;  // as above
    assign_nearest(bits, map, point_data, k, data, n_threads);
    return labels;
}

Int32Array nearest(const Int64Array& coordinates, const Int64Array& points, int n_threads) {
    if (coordinates.ndim() != 2 || points.ndim() != 2 || points.shape(1) != coordinates.shape(1))
        throw std::invalid_argument("coordinates and points must have as many columns");
    const py::ssize_t n = coordinates.shape(0), t = coordinates.shape(1), k = points.shape(0);
    Int32Array labels(n);
    std::int32_t* data = labels.mutable_data();
    const std::int64_t* coordinate_data = coordinates.data();
    const std::int64_t* point_data = points.data();
    const py::gil_scoped_release release;  // as above
    nearest_point(coordinate_data, n, t, point_data, k, data, n_threads);
    return labels;
}

Int32Array pinned(const BitMatrix& bits, const std::vector<std::int64_t>& columns, int n_threads) {
    Int32Array labels(bits.n_rows());
    std::int32_t* data = labels.mutable_data();
    const py::gil_scoped_release release;  // as above
    pin(bits, columns, data, n_threads);
    return labels;
}

Int32Array signs(const BitMatrix& bits, const Int32Array& directions, const Int64Array& offset,
                 int n_threads) {
    const IntegerMap map = integer_map(bits, directions, offset);
    Int32Array labels(bits.n_rows());
    std::int32_t* data = labels.mutable_data();
    const py::gil_scoped_release release;  // as above
    sign_cells(bits, map, data, n_threads);
    return labels;
}

Int32Array lattice(const BitMatrix& bits, const Int32Array& directions, const Int64Array& offset,
                   std::int64_t spacing, std::int64_t cells, int n_threads) {
    const IntegerMap map = integer_map(bits, directions, offset);
    Int32Array labels(bits.n_rows());
    std::int32_t* data = labels.mutable_data();
    const py::gil_scoped_release release;  // as above
    lattice_cells(bits, map, spacing, cells, data, n_threads);
    return labels;
}

Int32Array lattice_of(const Int64Array& coordinates, std::int64_t spacing, std::int64_t cells,
                      int n_threads) {
    if (coordinates.ndim() != 2) throw std::invalid_argument("coordinates must be two-dimensional");
    const py::ssize_t n = coordinates.shape(0), t = coordinates.shape(1);
    Int32Array labels(n);
    std::int32_t* data = labels.mutable_data();
    const std::int64_t* coordinate_data = coordinates.data();
    const py::gil_scoped_release release;  // as above
    lattice_cells(coordinate_data, n, t, spacing, cells, data, n_threads);
    return labels;
}

py::tuple statistics(const BitMatrix& bits, const Int32Array& labels, std::int64_t n_blocks, int n_threads) {
    if (labels.ndim() != 1 || labels.shape(0) != bits.n_rows())
        throw std::invalid_argument("labels must have one entry for each record");
    if (n_blocks < 1) throw std::invalid_argument("n_blocks must be at least 1");
    Int64Array counts(n_blocks);
    Int64Array sums({static_cast<py::ssize_t>(n_blocks), static_cast<py::ssize_t>(bits.n_columns())});
    std::int64_t* count_data = counts.mutable_data();
    std::int64_t* sum_data = sums.mutable_data();
    const std::int32_t* label_data = labels.data();
    {
        const py::gil_scoped_release release;  // as above
        block_statistics(bits, label_data, n_blocks, count_data, sum_data, n_threads);
    }
    return py::make_tuple(counts, sums);
}

Int32Array equal_blocks(const Int32Array& labels, std::int64_t n_blocks) {
    if (labels.ndim() != 1) throw std::invalid_argument("labels must be one-dimensional");
    Int32Array blocks(labels.shape(0));
    std::int32_t* data = blocks.mutable_data();
    const std::int32_t* label_data = labels.data();
    const py::ssize_t n = labels.shape(0);
    const py::gil_scoped_release release;  // as above
    equipartition(label_data, n, n_blocks, data);
    return blocks;
}

Float64Array covering_points(std::int64_t t, double alpha, std::int64_t max_points) {
    const std::vector<double> points = covering(t, alpha, max_points);
    Float64Array out(
        {static_cast<py::ssize_t>(points.size()) / static_cast<py::ssize_t>(t), static_cast<py::ssize_t>(t)});
    std::copy(points.begin(), points.end(), out.mutable_data());
    return out;
}

py::tuple eigen(const Float64Array& matrix) {
    if (matrix.ndim() != 2 || matrix.shape(0) != matrix.shape(1))
        throw std::invalid_argument("the matrix must be square");
    const py::ssize_t p = matrix.shape(0);
    Float64Array values(p);
    Float64Array vectors({p, p});
    double* value_data = values.mutable_data();
    double* vector_data = vectors.mutable_data();
    const double* data = matrix.data();
    {
        const py::gil_scoped_release release;  // as above
        symmetric_eigen(data, p, value_data, vector_data);
    }
    return py::make_tuple(values, vectors);
}

Float64Array lost(const Int64Array& second, const Int64Array& counts, const Int64Array& sums, int n_threads) {
    const py::ssize_t k = counts.size();
    if (counts.ndim() != 1 || sums.ndim() != 2 || sums.shape(0) != k || second.ndim() != 2 ||
        second.shape(0) != sums.shape(1) || second.shape(1) != sums.shape(1))
        throw std::invalid_argument("second (p, p), counts (k,) and sums (k, p) do not fit together");
    const py::ssize_t p = sums.shape(1);
    Float64Array out({p, p});
    double* data = out.mutable_data();
    const std::int64_t *second_data = second.data(), *count_data = counts.data(), *sum_data = sums.data();
    const py::gil_scoped_release release;  // as above
    lost_moment(second_data, count_data, sum_data, k, p, data, n_threads);
    return out;
}

Float64Array residual(const Float64Array& rows, const Int32Array& labels, std::int64_t n_blocks,
                      int n_threads) {
    if (rows.ndim() != 2 || labels.ndim() != 1 || labels.shape(0) != rows.shape(0))
        throw std::invalid_argument("labels must have one entry for each row");
    const py::ssize_t n = rows.shape(0), p = rows.shape(1);
    Float64Array out({p, p});
    double* data = out.mutable_data();
    const double* row_data = rows.data();
    const std::int32_t* label_data = labels.data();
    const py::gil_scoped_release release;  // as above
    residual_moment(row_data, label_data, n, p, n_blocks, data, n_threads);
    return out;
}

}  // namespace

void register_partition(py::module_& parent) {
    auto m = parent.def_submodule("partition", "Which block a record is in, and what the blocks hold.");
    m.def("project", &project_rows, py::arg("bits"), py::arg("directions").noconvert(),
          py::arg("offset").noconvert(), py::arg("n_threads"), "Integer coordinates of every record.");
    m.def("assign_nearest", &assign, py::arg("bits"), py::arg("directions").noconvert(),
          py::arg("offset").noconvert(), py::arg("points").noconvert(), py::arg("n_threads"),
          "The nearest point to every record, ties to the lowest index.");
    m.def("nearest_point", &nearest, py::arg("coordinates").noconvert(), py::arg("points").noconvert(),
          py::arg("n_threads"), "The same for coordinates made before.");
    m.def("pin", &pinned, py::arg("bits"), py::arg("columns"), py::arg("n_threads"),
          "The values of a few bits as the bits of a label.");
    m.def("sign_cells", &signs, py::arg("bits"), py::arg("directions").noconvert(),
          py::arg("offset").noconvert(), py::arg("n_threads"),
          "Which coordinates are at least 0, as the bits of a label.");
    m.def("lattice_cells", &lattice, py::arg("bits"), py::arg("directions").noconvert(),
          py::arg("offset").noconvert(), py::arg("spacing"), py::arg("cells"), py::arg("n_threads"),
          "The cell of a grid, in lexicographic order.");
    m.def("lattice_cells_of", &lattice_of, py::arg("coordinates").noconvert(), py::arg("spacing"),
          py::arg("cells"), py::arg("n_threads"), "The same for coordinates made before.");
    m.def("block_statistics", &statistics, py::arg("bits"), py::arg("labels").noconvert(),
          py::arg("n_blocks"), py::arg("n_threads"), "Exact counts and sums of every block.");
    m.def("equipartition", &equal_blocks, py::arg("labels").noconvert(), py::arg("n_blocks"),
          "Exactly n_blocks blocks whose sizes differ by at most one.");
    m.def("covering", &covering_points, py::arg("t"), py::arg("alpha"), py::arg("max_points"),
          "A lattice alpha-covering of the unit ball.");
    m.def("symmetric_eigen", &eigen, py::arg("matrix").noconvert(),
          "Eigenvalues in descending order and eigenvectors in columns.");
    m.def("lost_moment", &lost, py::arg("second").noconvert(), py::arg("counts").noconvert(),
          py::arg("sums").noconvert(), py::arg("n_threads"),
          "second - sum of sums sums^T / count over blocks, from exact integers.");
    m.def("residual_moment", &residual, py::arg("rows").noconvert(), py::arg("labels").noconvert(),
          py::arg("n_blocks"), py::arg("n_threads"),
          "Sum of (x - block mean)(x - block mean)^T over rows of real numbers.");
}

}  // namespace covloss::bindings
