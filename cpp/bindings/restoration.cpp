#include "core/restoration.hpp"

#include <pybind11/stl.h>

#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/checks.hpp"
#include "bindings/register.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

// Counts and sums are 32-bit integers inside, with room for multipliers.
constexpr std::int64_t kMaxRows = std::int64_t{1} << 28;
// Tables over all levels, padded to whole vectors, two of 32-bit integers.
constexpr std::int64_t kMaxCells = std::int64_t{1} << 28;

void check_targets(const Float64Array& targets, std::int64_t n_rows, const char* name) {
    const double* values = targets.data();
    for (py::ssize_t i = 0; i < targets.size(); ++i)
        if (!(std::abs(values[i]) <= static_cast<double>(n_rows) + 1))
            throw std::invalid_argument(std::string(name) + " must lie within the number of rows, " +
                                        std::to_string(n_rows) + "; entry " + std::to_string(i) + " is " +
                                        std::to_string(values[i]));
}

void check_weights(const Float64Array& weights, const char* name) {
    const double* values = weights.data();
    for (py::ssize_t i = 0; i < weights.size(); ++i)
        if (!(values[i] >= 0) || !std::isfinite(values[i]))
            throw std::invalid_argument(std::string(name) + " must be finite and not negative; entry " +
                                        std::to_string(i) + " is " + std::to_string(values[i]));
}

void check_weight(double weight, const char* name) {
    if (!(weight >= 0) || !std::isfinite(weight))
        throw std::invalid_argument(std::string(name) + " must be finite and not negative, got " +
                                    std::to_string(weight));
}

FitOptions read_options(int n_sweeps, int n_greedy_sweeps, double beta, int n_shards, int n_threads) {
    for (const int n : {n_sweeps, n_greedy_sweeps})
        if (n < 0 || n > kMaxSweeps)
            throw std::invalid_argument("the numbers of sweeps must lie in 0 to " +
                                        std::to_string(kMaxSweeps) + ", got " + std::to_string(n));
    if (!(beta >= 0) || !std::isfinite(beta))
        throw std::invalid_argument("beta must be finite and not negative, got " + std::to_string(beta));
    if (n_shards < 1 || n_shards > kMaxShards)
        throw std::invalid_argument("the number of shards must lie in 1 to " + std::to_string(kMaxShards) +
                                    ", got " + std::to_string(n_shards));
    return {n_sweeps, n_greedy_sweeps, beta, n_shards, n_threads};
}

void check_rows(std::int64_t n_rows) {
    if (n_rows > kMaxRows)
        throw std::invalid_argument("at most " + std::to_string(kMaxRows) + " rows can be fitted, got " +
                                    std::to_string(n_rows));
}

// Rows (attribute, level, attribute, level) of structural zeros; none: no zeros.
template <class SizeOf>
ForbiddenPairs read_forbidden(const std::optional<Int32Array>& forbidden, std::int64_t n_attributes,
                              const SizeOf& size_of) {
    if (!forbidden) return {nullptr, 0};
    check_dimensions(*forbidden, 2, "forbidden pairs");
    const std::int64_t n = forbidden->shape(0);
    check_shape(*forbidden, {n, 4}, "forbidden pairs");
    for (std::int64_t i = 0; i < n; ++i) {
        const std::int32_t* row = forbidden->data() + 4 * i;
        const auto is_level = [&](std::int64_t a, std::int64_t level) {
            return a >= 0 && a < n_attributes && level >= 0 && level < size_of(a);
        };
        if (!is_level(row[0], row[1]) || !is_level(row[2], row[3]) || row[0] == row[2])
            throw std::invalid_argument("forbidden pair " + std::to_string(i) +
                                        " is not two levels of two attributes");
    }
    return {forbidden->data(), n};
}

// The caller's codes stay as they are: the fit works on a copy.
template <class Code, class SizeOf>
Array<Code> checked_copy(const Array<Code>& codes, const SizeOf& size_of) {
    Array<Code> copy({codes.shape(0), codes.shape(1)});
    const py::ssize_t n_rows = codes.shape(1);
    Code* out = copy.mutable_data();
    for (py::ssize_t a = 0; a < codes.shape(0); ++a) {
        const std::int64_t size = size_of(a);
        const Code* column = codes.data() + a * n_rows;
        for (py::ssize_t i = 0; i < n_rows; ++i) {
            if (column[i] >= size)
                throw std::invalid_argument("the code of attribute " + std::to_string(a) + ", row " +
                                            std::to_string(i) + " is not below its size " +
                                            std::to_string(size));
            out[a * n_rows + i] = column[i];
        }
    }
    return copy;
}

// (n_records, 4): root mean squares of pairs, singles, blocks; moves.
Float64Array history_array(const std::vector<SweepRecord>& history) {
    Float64Array out({static_cast<py::ssize_t>(history.size()), py::ssize_t{4}});
    double* values = out.mutable_data();
    for (const SweepRecord& record : history) {
        *values++ = record.pairs;
        *values++ = record.singles;
        *values++ = record.blocks;
        *values++ = static_cast<double>(record.n_moves);
    }
    return out;
}

// Packed rows, changed in place: a copy would be half of what a fit holds.
Float64Array fit_bits(BitMatrix& bits, const Float64Array& pairs, const Float64Array& singles,
                      double single_weight, const std::optional<Int32Array>& labels,
                      const Float64Array& block_sums, double block_weight,
                      const std::optional<Int32Array>& forbidden, int n_sweeps, int n_greedy_sweeps,
                      double beta, const py::bytes& key, int n_shards, int n_threads) {
    const std::int64_t p = bits.n_columns();
    const std::int64_t m = bits.n_rows();
    check_rows(m);
    if (p < 1) throw std::invalid_argument("there must be at least one attribute");
    check_shape(pairs, {p, p}, "pair targets");
    check_shape(singles, {p}, "one-way targets");
    check_dimensions(block_sums, 2, "block targets");
    check_shape(block_sums, {block_sums.shape(0), p}, "block targets");
    check_targets(pairs, m, "pair targets");
    check_targets(singles, m, "one-way targets");
    check_targets(block_sums, m, "block targets");
    check_weight(single_weight, "the weight of one-way targets");
    check_weight(block_weight, "the weight of block targets");
    const BinaryTargets targets{
        pairs.data(),        singles.data(),
        single_weight,       labels ? checked_labels(*labels, m, block_sums.shape(0)) : nullptr,
        block_sums.shape(0), block_sums.data(),
        block_weight,        read_forbidden(forbidden, p, [](std::int64_t) { return 2; })};
    const FitOptions options = read_options(n_sweeps, n_greedy_sweeps, beta, n_shards, n_threads);
    const StreamKey stream_key = read_key(key);
    std::vector<SweepRecord> history;
    {
        // Safe as long as the caller shows `bits` to nobody else, as the stub says; all else is only read,
        // and kept alive by the caller's references.
        const py::gil_scoped_release release;
        history = fit_rows_binary(targets, options, stream_key, bits);
    }
    return history_array(history);
}

py::tuple fit_categorical(const UInt16Array& codes, const std::vector<std::int32_t>& sizes,
                          const Float64Array& pairs, const Float64Array& singles,
                          const Float64Array& pair_weights, const Float64Array& single_weights,
                          const std::optional<Int32Array>& labels, const Float64Array& block_counts,
                          double block_weight, const std::optional<Int32Array>& forbidden, int n_sweeps,
                          int n_greedy_sweeps, double beta, const py::bytes& key, int n_shards, bool average,
                          int n_threads) {
    check_dimensions(codes, 2, "codes");
    const std::int64_t q = codes.shape(0);
    const std::int64_t m = codes.shape(1);
    check_rows(m);
    if (q < 1) throw std::invalid_argument("there must be at least one attribute");
    if (static_cast<std::int64_t>(sizes.size()) != q)
        throw std::invalid_argument("there are " + std::to_string(q) + " attributes and " +
                                    std::to_string(sizes.size()) + " sizes");
    std::int64_t n_levels = 0;
    std::int64_t n_places = 0;
    for (std::size_t a = 0; a < sizes.size(); ++a) {
        if (sizes[a] < 1 || sizes[a] > 65536)
            throw std::invalid_argument("the size of attribute " + std::to_string(a) + " is " +
                                        std::to_string(sizes[a]) + "; rows are fitted for 1 to 65536 levels");
        n_levels += sizes[a];
        n_places += (sizes[a] + 7) / 8 * 8;
    }
    if (n_places * n_places > kMaxCells)
        throw std::invalid_argument("the pair tables have " + std::to_string(n_places * n_places) +
                                    " cells, more than " + std::to_string(kMaxCells));
    check_shape(pairs, {n_levels, n_levels}, "pair targets");
    check_shape(singles, {n_levels}, "one-way targets");
    check_shape(pair_weights, {q, q}, "pair weights");
    check_shape(single_weights, {q}, "one-way weights");
    check_dimensions(block_counts, 2, "block targets");
    check_shape(block_counts, {block_counts.shape(0), n_levels}, "block targets");
    check_targets(pairs, m, "pair targets");
    check_targets(singles, m, "one-way targets");
    check_targets(block_counts, m, "block targets");
    check_weights(pair_weights, "pair weights");
    check_weights(single_weights, "one-way weights");
    check_weight(block_weight, "the weight of block targets");
    const auto size_of = [&](std::int64_t a) { return sizes[static_cast<std::size_t>(a)]; };
    const CategoricalTargets targets{pairs.data(),
                                     singles.data(),
                                     pair_weights.data(),
                                     single_weights.data(),
                                     labels ? checked_labels(*labels, m, block_counts.shape(0)) : nullptr,
                                     block_counts.shape(0),
                                     block_counts.data(),
                                     block_weight,
                                     read_forbidden(forbidden, q, size_of)};
    const FitOptions options = read_options(n_sweeps, n_greedy_sweeps, beta, n_shards, n_threads);
    const StreamKey stream_key = read_key(key);
    UInt16Array fitted = checked_copy(codes, size_of);
    const py::ssize_t n_mean = average ? n_levels : 0;
    Float64Array mean_pairs({n_mean, n_mean});
    std::uint16_t* out = fitted.mutable_data();
    double* mean_out = average ? mean_pairs.mutable_data() : nullptr;
    std::vector<SweepRecord> history;
    {
        // Safe: the fit writes to new arrays alone and reads arrays that the caller's references keep alive.
        const py::gil_scoped_release release;
        history = fit_rows_categorical(out, sizes, m, targets, options, stream_key, mean_out);
    }
    return py::make_tuple(fitted, history_array(history), mean_pairs);
}

UInt16Array quotas(const Float64Array& probabilities, const std::vector<std::int32_t>& sizes,
                   std::int64_t n_rows, const py::bytes& key, int n_threads) {
    py::ssize_t n_levels = 0;
    for (const std::int32_t size : sizes) {
        if (size < 1 || size > 65536) throw std::invalid_argument("sizes must lie in 1 to 65536");
        n_levels += size;
    }
    check_shape(probabilities, {n_levels}, "probabilities");
    check_weights(probabilities, "probabilities");
    if (n_rows < 0) throw std::invalid_argument("the number of rows is negative: " + std::to_string(n_rows));
    check_rows(n_rows);
    const StreamKey stream_key = read_key(key);
    UInt16Array codes({static_cast<std::int64_t>(sizes.size()), n_rows});
    std::uint16_t* out = codes.mutable_data();
    // Safe: the loop writes to the new array and reads one that the caller's reference keeps alive.
    const py::gil_scoped_release release;
    quota_columns(probabilities.data(), sizes, n_rows, stream_key, n_threads, out);
    return codes;
}

BitMatrix quotas_of_bits(const Float64Array& probabilities, std::int64_t n_rows, const py::bytes& key,
                         int n_threads) {
    check_dimensions(probabilities, 2, "probabilities");
    check_shape(probabilities, {probabilities.shape(0), 2}, "probabilities");
    check_weights(probabilities, "probabilities");
    if (n_rows < 0) throw std::invalid_argument("the number of rows is negative: " + std::to_string(n_rows));
    check_rows(n_rows);
    const StreamKey stream_key = read_key(key);
    const std::int64_t p = probabilities.shape(0);
    // Safe: the loop reads an array that the caller's reference keeps alive.
    const py::gil_scoped_release release;
    return quota_bits(probabilities.data(), p, n_rows, stream_key, n_threads);
}

}  // namespace

void register_restoration(py::module_& parent) {
    auto m = parent.def_submodule("restoration", "Fitting rows to released counts.");
    m.def("fit_rows_binary", &fit_bits, py::arg("bits"), py::arg("pairs").noconvert(),
          py::arg("singles").noconvert(), py::arg("single_weight"), py::arg("labels").noconvert(),
          py::arg("block_sums").noconvert(), py::arg("block_weight"), py::arg("forbidden").noconvert(),
          py::arg("n_sweeps"), py::arg("n_greedy_sweeps"), py::arg("beta"), py::arg("key"),
          py::arg("n_shards"), py::arg("n_threads"),
          "Fits rows of bits, in place, to targets in z = 2 x - 1; returns the history.");
    m.def("fit_rows_categorical", &fit_categorical, py::arg("codes").noconvert(), py::arg("sizes"),
          py::arg("pairs").noconvert(), py::arg("singles").noconvert(), py::arg("pair_weights").noconvert(),
          py::arg("single_weights").noconvert(), py::arg("labels").noconvert(),
          py::arg("block_counts").noconvert(), py::arg("block_weight"), py::arg("forbidden").noconvert(),
          py::arg("n_sweeps"), py::arg("n_greedy_sweeps"), py::arg("beta"), py::arg("key"),
          py::arg("n_shards"), py::arg("average"), py::arg("n_threads"),
          "Codes (q, m) fitted to targets over all levels, the history, mean pair counts.");
    m.def("quota_columns", &quotas, py::arg("probabilities").noconvert(), py::arg("sizes"), py::arg("n_rows"),
          py::arg("key"), py::arg("n_threads"),
          "Shuffled columns with counts as near to n p as integers are.");
    m.def("quota_bits", &quotas_of_bits, py::arg("probabilities").noconvert(), py::arg("n_rows"),
          py::arg("key"), py::arg("n_threads"), "The same for attributes of two levels, packed.");
}

}  // namespace covloss::bindings
