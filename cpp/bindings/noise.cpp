#include "bindings/register.hpp"

namespace covloss::bindings {

void register_noise(pybind11::module_& parent) {
    auto m = parent.def_submodule("noise");
    (void)m;
}

}  // namespace covloss::bindings
