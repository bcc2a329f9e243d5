#pragma once

#include <pybind11/pybind11.h>

namespace covloss::bindings {

void register_config(pybind11::module_& m);
void register_bits(pybind11::module_& m);
void register_partition(pybind11::module_& m);
void register_noise(pybind11::module_& m);
void register_rounding(pybind11::module_& m);
void register_restoration(pybind11::module_& m);
void register_microaggregation(pybind11::module_& m);
void register_vectors(pybind11::module_& m);

}  // namespace covloss::bindings
