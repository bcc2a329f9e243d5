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
#include "core/squared_distance.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

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
    if (min_block_size < 1) {
        throw std::invalid_argument("min_block_size must be at least 1, got " +
                                    std::to_string(min_block_size));
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

Int32Array minimum_size(const Float64Array& rows, const std::optional<Float64Array>& weights,
                        const Int32Array& strata, std::int32_t n_strata, std::int64_t min_block_size,
                        int n_rounds, int n_passes, std::uint64_t seed, int n_threads) {
    if (rows.ndim() != 2 || rows.shape(1) != padded_width(rows.shape(1)) || rows.shape(1) == 0) {
        throw std::invalid_argument("rows must have two dimensions and a positive multiple of 4 columns");
    }
    check_records(rows.shape(0), weights, strata, n_strata, min_block_size);
    Int32Array labels(rows.shape(0));
    const MinimumSizeTask task{
        rows.data(),   rows.shape(0), rows.shape(1),  weights ? weights->data() : nullptr,
        strata.data(), n_strata,      min_block_size, n_rounds,
        n_passes,      seed};
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

}  // namespace

void register_microaggregation(py::module_& parent) {
    auto m = parent.def_submodule("microaggregation", "Partitions into blocks of at least a given size.");
    m.def("minimum_size_partition", &minimum_size, py::arg("rows").noconvert(),
          py::arg("weights").noconvert().none(true), py::arg("strata").noconvert(), py::arg("n_strata"),
          py::arg("min_block_size"), py::arg("n_rounds"), py::arg("n_passes"), py::arg("seed"),
          py::arg("n_threads"), "Block of each record; blocks of at least min_block_size, by local search.");
    m.def("univariate_partition", &univariate, py::arg("values").noconvert(),
          py::arg("weights").noconvert().none(true), py::arg("strata").noconvert(), py::arg("n_strata"),
          py::arg("min_block_size"), py::arg("n_threads"), "The same for one column: exact.");
}

}  // namespace covloss::bindings
