#include "bindings/register.hpp"

namespace covloss::bindings {

void register_restoration(pybind11::module_& parent) {
    auto m = parent.def_submodule("restoration");
    (void)m;
}

}  // namespace covloss::bindings
