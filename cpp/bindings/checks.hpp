// Checks of arguments that rounding and restoration share.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bindings/arrays.hpp"
#include "core/chacha_stream.hpp"

namespace covloss::bindings {

inline StreamKey read_key(const pybind11::bytes& key) {
    const std::string_view bytes = key;
    if (bytes.size() != 32)
        throw std::invalid_argument("a key has 32 bytes, got " + std::to_string(bytes.size()));
    return stream_key_from_bytes(reinterpret_cast<const unsigned char*>(bytes.data()));
}

inline void check_dimensions(const pybind11::array& array, pybind11::ssize_t expected, const char* name) {
    if (array.ndim() != expected)
        throw std::invalid_argument(std::string(name) + " must have " + std::to_string(expected) +
                                    " dimensions, got " + std::to_string(array.ndim()));
}

inline void check_shape(const pybind11::array& array, std::initializer_list<pybind11::ssize_t> shape,
                        const char* name) {
    check_dimensions(array, static_cast<pybind11::ssize_t>(shape.size()), name);
    pybind11::ssize_t axis = 0;
    for (const pybind11::ssize_t n : shape) {
        if (array.shape(axis) != n)
            throw std::invalid_argument(std::string(name) + " must have " + std::to_string(n) +
                                        " entries along axis " + std::to_string(axis) + ", got " +
                                        std::to_string(array.shape(axis)));
        ++axis;
    }
}

// The labels of n_rows rows, each in [0, n_blocks).
inline const std::int32_t* checked_labels(const Int32Array& labels, std::int64_t n_rows,
                                          std::int64_t n_blocks) {
    check_shape(labels, {n_rows}, "labels");
    const std::int32_t* values = labels.data();
    for (std::int64_t i = 0; i < n_rows; ++i)
        if (values[i] < 0 || values[i] >= n_blocks)
            throw std::invalid_argument("the label of row " + std::to_string(i) + " is " +
                                        std::to_string(values[i]) + "; there are " +
                                        std::to_string(n_blocks) + " blocks");
    return values;
}

}  // namespace covloss::bindings
