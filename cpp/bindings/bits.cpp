#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "core/bit_matrix.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

BitMatrix from_array(const py::array& array, int n_threads) {
    if (array.ndim() != 2) throw std::invalid_argument("expected a two-dimensional array");
    if (!py::isinstance<py::array_t<bool>>(array) && !py::isinstance<py::array_t<std::uint8_t>>(array))
        throw std::invalid_argument("expected an array of bool or uint8");
    const auto* data = static_cast<const std::uint8_t*>(array.data());
    const py::ssize_t n = array.shape(0), p = array.shape(1), down = array.strides(0),
                      across = array.strides(1);
    const py::gil_scoped_release release;  // the array is held by the caller and only read
    return pack(data, n, p, down, across, n_threads);
}

BitMatrix from_codes(const std::vector<py::array>& columns, const std::vector<std::int64_t>& sizes,
                     int n_threads) {
    if (columns.size() != sizes.size()) throw std::invalid_argument("as many sizes as columns are needed");
    std::vector<CodeColumn> views;
    const py::ssize_t n = columns.empty() ? 0 : columns.front().size();
    for (std::size_t a = 0; a < columns.size(); ++a) {
        const py::array& column = columns[a];
        const bool is_code = py::isinstance<py::array_t<std::uint8_t>>(column) ||
                             py::isinstance<py::array_t<std::uint16_t>>(column) ||
                             py::isinstance<py::array_t<std::uint32_t>>(column);
        if (!is_code || column.ndim() != 1 || (column.flags() & py::array::c_style) == 0)
            throw std::invalid_argument(
                "attribute " + std::to_string(a) +
                ": expected a contiguous one-dimensional array of uint8, uint16 or uint32");
        if (column.size() != n)
            throw std::invalid_argument("attribute " + std::to_string(a) + ": expected " + std::to_string(n) +
                                        " codes, got " + std::to_string(column.size()));
        views.push_back({column.data(), static_cast<int>(column.itemsize()), sizes[a]});
    }
    const py::gil_scoped_release release;  // the columns are held by the caller and only read
    return pack_codes(views, n, n_threads);
}

UInt8Array to_array(const BitMatrix& bits, int n_threads) {
    UInt8Array out({bits.n_rows(), bits.n_columns()});
    std::uint8_t* data = out.mutable_data();
    const py::gil_scoped_release release;  // the output is not known to anyone else yet
    unpack(bits, data, n_threads);
    return out;
}

UInt8Array column(const BitMatrix& bits, std::int64_t index) {
    UInt8Array out(bits.n_rows());
    unpack_column(bits, index, out.mutable_data());
    return out;
}

}  // namespace

void register_bits(py::module_& parent) {
    auto m = parent.def_submodule("bits", "Bit-packed Boolean columns and exact counts over them.");
    py::class_<BitMatrix>(m, "BitMatrix", "Bit-packed Boolean columns.")
        .def_static("from_array", &from_array, py::arg("array"), py::arg("n_threads"),
                    "Pack a bool or uint8 array of zeros and ones, of any strides.")
        .def_static(
            "from_codes", &from_codes, py::arg("columns"), py::arg("sizes"), py::arg("n_threads"),
            "Pack columns of codes: one bit for an attribute of two levels, else a bit for each level.")
        .def_static(
            "concatenate",
            [](const std::vector<const BitMatrix*>& parts, int n_threads) {
                const py::gil_scoped_release release;  // bit matrices are never changed after they are made
                return concatenate(parts, n_threads);
            },
            py::arg("parts"), py::arg("n_threads") = 1, "Rows of several matrices, one after the other.")
        .def_property_readonly("n_rows", &BitMatrix::n_rows)
        .def_property_readonly("n_columns", &BitMatrix::n_columns)
        .def_property_readonly("nbytes", &BitMatrix::n_bytes)
        .def("to_array", &to_array, py::arg("n_threads") = 1,
             "The bits as a uint8 array (n_rows, n_columns).")
        .def("column", &column, py::arg("index"), "One column as a uint8 array (n_rows,).");
}

}  // namespace covloss::bindings
