#include "bindings/register.hpp"

namespace covloss::bindings {

void register_bits(pybind11::module_& parent) {
    auto m = parent.def_submodule("bits");
    (void)m;
}

}  // namespace covloss::bindings
