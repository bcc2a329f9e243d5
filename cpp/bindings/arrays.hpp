// The array types that cross the boundary, each named once. The stubs repeat them in the same order.
//
// c_style without forcecast: pybind11 then accepts only an array of exactly this dtype and layout, so that no
// silent cast and no hidden copy of a big table can happen. The Python layer prepares the arrays.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>

namespace covloss::bindings {

template <class T>
using Array = pybind11::array_t<T, pybind11::array::c_style>;

using BoolArray = Array<bool>;
using UInt8Array = Array<std::uint8_t>;
using UInt16Array = Array<std::uint16_t>;
using UInt32Array = Array<std::uint32_t>;
using UInt64Array = Array<std::uint64_t>;
using Int32Array = Array<std::int32_t>;
using Int64Array = Array<std::int64_t>;
using Float64Array = Array<double>;

}  // namespace covloss::bindings
