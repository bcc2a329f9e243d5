#include <pybind11/numpy.h>

#include "bindings/arrays.hpp"
#include "bindings/checks.hpp"
#include "bindings/register.hpp"
#include "core/integer_rows.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

void check_shift(int shift) {
    if (shift < 0 || shift > 30) throw std::invalid_argument("shift must be from 0 to 30");
}

Int64Array second_moment(const Int32Array& rows, int shift, int n_threads) {
    check_dimensions(rows, 2, "rows");
    check_shift(shift);
    const py::ssize_t n = rows.shape(0), p = rows.shape(1);
    Int64Array out({p, p});
    const std::int32_t* row_data = rows.data();
    std::int64_t* data = out.mutable_data();
    // Here and below: inputs are held by the caller and only read, outputs are not known to anyone yet.
    const py::gil_scoped_release release;
    integer_second_moment(row_data, n, p, shift, n_threads, data);
    return out;
}

Int64Array project(const Int32Array& rows, int shift, const Int32Array& directions, int n_threads) {
    check_dimensions(rows, 2, "rows");
    check_dimensions(directions, 2, "directions");
    check_shift(shift);
    const py::ssize_t n = rows.shape(0), p = rows.shape(1), t = directions.shape(1);
    check_shape(directions, {p, t}, "directions");
    Int64Array out({n, t});
    const std::int32_t *row_data = rows.data(), *direction_data = directions.data();
    std::int64_t* data = out.mutable_data();
    const py::gil_scoped_release release;  // as above
    integer_project(row_data, n, p, shift, direction_data, t, n_threads, data);
    return out;
}

py::tuple block_sums(const Int32Array& rows, const Int32Array& labels, std::int64_t n_blocks, int n_threads) {
    check_dimensions(rows, 2, "rows");
    const py::ssize_t n = rows.shape(0), p = rows.shape(1);
    check_shape(labels, {n}, "labels");
    if (n_blocks < 1) throw std::invalid_argument("n_blocks must be at least 1");
    Int64Array counts(n_blocks);
    Int64Array sums({static_cast<py::ssize_t>(n_blocks), p});
    const std::int32_t *row_data = rows.data(), *label_data = labels.data();
    std::int64_t *count_data = counts.mutable_data(), *sum_data = sums.mutable_data();
    {
        const py::gil_scoped_release release;  // as above
        integer_block_sums(row_data, n, p, label_data, n_blocks, n_threads, count_data, sum_data);
    }
    return py::make_tuple(counts, sums);
}

}  // namespace

void register_vectors(py::module_& parent) {
    auto m = parent.def_submodule("vectors", "Exact statistics of records that are rows of integers.");
    m.def("second_moment", &second_moment, py::arg("rows").noconvert(), py::arg("shift"),
          py::arg("n_threads"), "Sum of x x^T over rows x, divided by 2^shift towards 0.");
    m.def("project", &project, py::arg("rows").noconvert(), py::arg("shift"),
          py::arg("directions").noconvert(), py::arg("n_threads"), "Integer coordinates of every row.");
    m.def("block_sums", &block_sums, py::arg("rows").noconvert(), py::arg("labels").noconvert(),
          py::arg("n_blocks"), py::arg("n_threads"), "Exact counts and sums of every block.");
}

}  // namespace covloss::bindings
