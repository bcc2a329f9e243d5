#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/register.hpp"
#include "core/bit_matrix.hpp"
#include "core/marginal_error.hpp"
#include "core/second_moment.hpp"

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

// A column of codes, read in place; `what` names it in messages.
CodeColumn code_column(const py::array& column, std::int64_t size, const std::string& what) {
    const bool is_code = py::isinstance<py::array_t<std::uint8_t>>(column) ||
                         py::isinstance<py::array_t<std::uint16_t>>(column) ||
                         py::isinstance<py::array_t<std::uint32_t>>(column);
    if (!is_code || column.ndim() != 1 || (column.flags() & py::array::c_style) == 0)
        throw std::invalid_argument(
            what + ": expected a contiguous one-dimensional array of uint8, uint16 or uint32");
    return {column.data(), static_cast<int>(column.itemsize()), size};
}

std::vector<CodeColumn> code_columns(const std::vector<py::array>& columns,
                                     const std::vector<std::int64_t>& sizes, std::int64_t n) {
    if (columns.size() != sizes.size()) throw std::invalid_argument("as many sizes as columns are needed");
    std::vector<CodeColumn> views;
    for (std::size_t a = 0; a < columns.size(); ++a) {
        const std::string what = "attribute " + std::to_string(a);
        views.push_back(code_column(columns[a], sizes[a], what));
        if (columns[a].size() != n)
            throw std::invalid_argument(what + ": expected " + std::to_string(n) + " codes, got " +
                                        std::to_string(columns[a].size()));
    }
    return views;
}

std::int64_t length_of(const std::vector<py::array>& columns) {
    return columns.empty() ? 0 : columns.front().size();
}

BitMatrix from_codes(const std::vector<py::array>& columns, const std::vector<std::int64_t>& sizes,
                     int n_threads) {
    const std::int64_t n = length_of(columns);
    const std::vector<CodeColumn> views = code_columns(columns, sizes, n);
    const py::gil_scoped_release release;  // the columns are held by the caller and only read
    return pack_codes(views, n, n_threads);
}

// Of parts that are made one by one, so that never all of their codes are held.
BitMatrix from_parts(const py::iterable& parts, std::int64_t n_rows, const std::vector<std::int64_t>& sizes,
                     int n_threads) {
    std::int64_t n_bits = 0;
    for (const std::int64_t size : sizes) n_bits += CodeColumn{nullptr, 1, size}.n_bits();
    BitMatrix bits(n_rows, n_bits);
    std::int64_t first = 0;
    for (const py::handle part : parts) {
        const auto columns = part.cast<std::vector<py::array>>();
        const std::int64_t n = length_of(columns);
        const std::vector<CodeColumn> views = code_columns(columns, sizes, n);
        const py::gil_scoped_release release;  // the part is held here and only read; nobody has seen `bits`
        pack_codes(views, n, bits, first, n_threads);
        first += n;
    }
    if (first != n_rows)
        throw std::invalid_argument("the parts have " + std::to_string(first) + " rows, not " +
                                    std::to_string(n_rows));
    return bits;
}

UInt64Array to_words(const BitMatrix& bits) {
    UInt64Array out(bits.n_bytes() / 8);
    if (bits.n_bytes() > 0) std::memcpy(out.mutable_data(), bits.words(), bits.n_bytes());
    return out;
}

std::int64_t n_words(std::int64_t n_rows, std::int64_t n_columns) {
    if (n_rows < 0 || n_columns < 0) throw std::invalid_argument("expected sizes of at least 0");
    constexpr auto kWords = static_cast<std::int64_t>(kWordsPerBlock);
    const std::int64_t blocks = n_rows / kRowsPerBlock + (n_rows % kRowsPerBlock != 0);
    if (blocks != 0 && n_columns > std::numeric_limits<std::int64_t>::max() / kWords / blocks)
        throw std::length_error("the packed table does not fit into memory");
    return blocks * n_columns * kWords;
}

BitMatrix from_words(const UInt64Array& words, std::int64_t n_rows, std::int64_t n_columns) {
    if (words.ndim() != 1 || words.size() != n_words(n_rows, n_columns))
        throw std::invalid_argument("the words are not those of " + std::to_string(n_rows) + " rows and " +
                                    std::to_string(n_columns) + " columns");
    const std::uint64_t* data = words.data();
    const py::gil_scoped_release release;  // the words are held by the caller and only read
    return BitMatrix::from_words(data, n_rows, n_columns);
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

UInt8Array rows_of_columns(const BitMatrix& bits, std::int64_t first, std::int64_t stop, int n_threads) {
    if (first < 0 || stop < first || stop > bits.n_rows())
        throw std::out_of_range("there are no rows " + std::to_string(first) + " to " + std::to_string(stop));
    UInt8Array out({bits.n_columns(), stop - first});
    std::uint8_t* data = out.mutable_data();
    const py::gil_scoped_release release;  // the output is not known to anyone else yet
    unpack_columns(bits, first, stop - first, data, n_threads);
    return out;
}

Int64Array counts_of_columns(const BitMatrix& bits, int n_threads) {
    Int64Array out(bits.n_columns());
    std::int64_t* data = out.mutable_data();
    const py::gil_scoped_release release;  // the output is not known to anyone else yet
    column_counts(bits, data, n_threads);
    return out;
}

Int64Array moment(const BitMatrix& bits, int n_threads,
                  const std::optional<std::vector<std::int64_t>>& chosen) {
    std::vector<std::int64_t> columns;
    if (chosen) {
        columns = *chosen;
        for (const std::int64_t column : columns)
            if (column < 0 || column >= bits.n_columns())
                throw std::out_of_range("there is no column " + std::to_string(column));
    } else {
        columns.resize(static_cast<std::size_t>(bits.n_columns()));
        std::iota(columns.begin(), columns.end(), 0);
    }
    Int64Array out({columns.size(), columns.size()});
    std::int64_t* data = out.mutable_data();
    const py::gil_scoped_release release;  // the output is not known to anyone else yet
    second_moment(bits, columns, data, n_threads);
    return out;
}

Int64Array histogram(const py::array& codes_a, const py::array& codes_b, std::int64_t size_a,
                     std::int64_t size_b, int n_threads) {
    const CodeColumn a = code_column(codes_a, size_a, "codes_a"), b = code_column(codes_b, size_b, "codes_b");
    if (codes_a.size() != codes_b.size())
        throw std::invalid_argument("codes_a and codes_b have " + std::to_string(codes_a.size()) + " and " +
                                    std::to_string(codes_b.size()) + " codes");
    check_pair_table(size_a, size_b);
    Int64Array out({size_a, size_b});
    std::int64_t* data = out.mutable_data();
    const py::ssize_t n = codes_a.size();
    const py::gil_scoped_release release;  // the columns are only read, the output is not known to others yet
    pair_histogram(a, b, n, data, n_threads);
    return out;
}

Int64Array counts_of_sets(const BitMatrix& bits, const Int32Array& sets, int n_threads) {
    if (sets.ndim() != 2) throw std::invalid_argument("expected sets as a two-dimensional array");
    const py::ssize_t n_sets = sets.shape(0), degree = sets.shape(1);
    Int64Array out(n_sets);
    const std::int32_t* chosen = sets.data();
    std::int64_t* data = out.mutable_data();
    const py::gil_scoped_release release;  // the sets are only read, the output is not known to others yet
    marginal_counts(bits, chosen, n_sets, degree, data, n_threads);
    return out;
}

py::tuple error_of_all_sets(const BitMatrix& first, const BitMatrix& second, const Int32Array& groups,
                            std::int64_t degree, int n_threads) {
    if (groups.ndim() != 1) throw std::invalid_argument("expected groups as a one-dimensional array");
    const std::vector<std::int32_t> attributes(groups.data(), groups.data() + groups.size());
    MarginalErrorSums sums{};
    {
        const py::gil_scoped_release release;  // bit matrices are never changed after they are made
        sums = marginal_error(first, second, attributes, degree, n_threads);
    }
    return py::make_tuple(sums.sum_of_squares, sums.max, sums.n_sets);
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
        .def_static("from_parts", &from_parts, py::arg("parts"), py::arg("n_rows"), py::arg("sizes"),
                    py::arg("n_threads"),
                    "Pack parts, each a list of columns of codes; all but the last of whole row blocks.")
        .def_static(
            "concatenate",
            [](const std::vector<const BitMatrix*>& parts, int n_threads) {
                const py::gil_scoped_release release;  // bit matrices are never changed after they are made
                return concatenate(parts, n_threads);
            },
            py::arg("parts"), py::arg("n_threads") = 1, "Rows of several matrices, one after the other.")
        .def("head", &first_rows, py::arg("n_rows"), "The first rows.")
        .def_property_readonly("n_rows", &BitMatrix::n_rows)
        .def_property_readonly("n_columns", &BitMatrix::n_columns)
        .def_property_readonly("nbytes", &BitMatrix::n_bytes)
        .def_static("from_words", &from_words, py::arg("words").noconvert(), py::arg("n_rows"),
                    py::arg("n_columns"), "A matrix from what to_words gave.")
        .def_static("n_words", &n_words, py::arg("n_rows"), py::arg("n_columns"),
                    "The length of what to_words gives.")
        .def("to_words", &to_words, "A copy of all words of 64 rows, as they lie in memory.")
        .def("to_array", &to_array, py::arg("n_threads") = 1,
             "The bits as a uint8 array (n_rows, n_columns).")
        .def("column", &column, py::arg("index"), "One column as a uint8 array (n_rows,).")
        .def("columns", &rows_of_columns, py::arg("first"), py::arg("stop"), py::arg("n_threads") = 1,
             "Rows first to stop - 1 of all columns as a uint8 array (n_columns, stop - first).");
    m.def("column_counts", &counts_of_columns, py::arg("bits"), py::arg("n_threads"), "Ones in each column.");
    m.def("second_moment", &moment, py::arg("bits"), py::arg("n_threads"), py::arg("columns") = py::none(),
          "Records in which both of two bits are 1, for all pairs of all or of the given columns.");
    m.def("pair_histogram", &histogram, py::arg("codes_a").noconvert(), py::arg("codes_b").noconvert(),
          py::arg("size_a"), py::arg("size_b"), py::arg("n_threads"), "Records with each pair of codes.");
    m.def("marginal_counts", &counts_of_sets, py::arg("bits"), py::arg("sets").noconvert(),
          py::arg("n_threads"), "Records in which all bits of a set are 1, for each row of sets.");
    m.def("marginal_error", &error_of_all_sets, py::arg("first"), py::arg("second"),
          py::arg("groups").noconvert(), py::arg("degree"), py::arg("n_threads"),
          "Differences over all sets of bits of distinct groups: (sum of squares, maximum, number of sets).");
}

}  // namespace covloss::bindings
