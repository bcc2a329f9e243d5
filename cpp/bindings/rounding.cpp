#include "core/rounding.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/checks.hpp"
#include "bindings/register.hpp"
#include "core/metric_projection.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

template <class Code>
py::array rounded(const QuantisedBlocks& blocks, std::int64_t n_attributes, std::int64_t n_rows,
                  const StreamKey& key, std::uint64_t first_row, const std::int32_t* labels, int n_threads) {
    Array<Code> codes({n_attributes, n_rows});
    Code* out = codes.mutable_data();
    {
        // Safe: the loop touches plain C++, the labels, which the caller's reference keeps alive, and
        // `codes`, which nobody else has seen yet.
        const py::gil_scoped_release release;
        blocks.round_rows(out, n_rows, key, first_row, labels, n_threads);
    }
    return codes;
}

py::array round_rows(const Float64Array& weights, const Float64Array& means, const Int32Array& sizes,
                     std::int64_t n_rows, const py::bytes& key, std::uint64_t first_row,
                     const std::optional<Int32Array>& row_labels, int n_threads) {
    check_dimensions(weights, 1, "weights");
    check_dimensions(means, 2, "means");
    check_dimensions(sizes, 1, "sizes");
    if (weights.shape(0) != means.shape(0))
        throw std::invalid_argument("there are " + std::to_string(weights.shape(0)) +
                                    " weights and means of " + std::to_string(means.shape(0)) + " blocks");
    if (n_rows < 0) throw std::invalid_argument("the number of rows is negative: " + std::to_string(n_rows));
    if (first_row > UINT64_MAX - static_cast<std::uint64_t>(n_rows))
        throw std::invalid_argument("row numbers must stay below 2^64");
    const std::int32_t* labels = row_labels ? checked_labels(*row_labels, n_rows, means.shape(0)) : nullptr;
    const StreamKey stream_key = read_key(key);
    const QuantisedBlocks blocks(weights.data(), means.shape(0), means.data(), means.shape(1),
                                 {sizes.data(), sizes.data() + sizes.shape(0)}, n_threads);
    const std::int64_t q = sizes.shape(0);
    if (blocks.largest_size() <= 256)
        return rounded<std::uint8_t>(blocks, q, n_rows, stream_key, first_row, labels, n_threads);
    if (blocks.largest_size() <= 65536)
        return rounded<std::uint16_t>(blocks, q, n_rows, stream_key, first_row, labels, n_threads);
    return rounded<std::uint32_t>(blocks, q, n_rows, stream_key, first_row, labels, n_threads);
}

template <void (*project)(double*, std::int64_t, std::int64_t, int)>
Float64Array projected(const Float64Array& rows, int n_threads) {
    check_dimensions(rows, 2, "rows");
    Float64Array out({rows.shape(0), rows.shape(1)});
    std::copy(rows.data(), rows.data() + rows.size(), out.mutable_data());
    double* values = out.mutable_data();
    const py::ssize_t n_rows = out.shape(0);
    const py::ssize_t width = out.shape(1);
    // Safe: the loop touches only the new array.
    const py::gil_scoped_release release;
    project(values, n_rows, width, n_threads);
    return out;
}

UInt32Array stream_words(const py::bytes& key, int rounds, std::uint32_t domain, std::uint64_t index,
                         int n_groups) {
    if (rounds != 8 && rounds != 12 && rounds != 20)
        throw std::invalid_argument("rounds must be 8, 12 or 20, got " + std::to_string(rounds));
    if (n_groups < 0) throw std::invalid_argument("the number of groups is negative");
    UInt32Array out(static_cast<py::ssize_t>(n_groups) * kStreamGroup);
    chacha_words(read_key(key), rounds, domain, index, 0, n_groups, out.mutable_data());
    return out;
}

}  // namespace

void register_rounding(py::module_& parent) {
    auto m = parent.def_submodule("rounding", "Block means to records; metric projection.");
    m.def("round_rows", &round_rows, py::arg("weights").noconvert(), py::arg("means").noconvert(),
          py::arg("sizes").noconvert(), py::arg("n_rows"), py::arg("key"), py::arg("first_row"),
          py::arg("labels").noconvert(), py::arg("n_threads"),
          "Codes (q, n_rows): bootstrapped and independently rounded rows.");
    m.def("project_cube", &projected<project_cube>, py::arg("rows").noconvert(), py::arg("n_threads"),
          "Nearest points of the cube [0, 1]^s.");
    m.def("project_simplex", &projected<project_simplex>, py::arg("rows").noconvert(), py::arg("n_threads"),
          "Nearest points of the probability simplex, one for each row.");
    m.def("stream_words", &stream_words, py::arg("key"), py::arg("rounds"), py::arg("domain"),
          py::arg("index"), py::arg("n_groups"), "For tests: 128 n_groups words of one ChaCha stream.");
}

}  // namespace covloss::bindings
