#include "bindings/register.hpp"

namespace covloss::bindings {

void register_rounding(pybind11::module_& parent) {
    auto m = parent.def_submodule("rounding");
    (void)m;
}

}  // namespace covloss::bindings
