#include "bindings/register.hpp"

namespace covloss::bindings {

void register_partition(pybind11::module_& parent) {
    auto m = parent.def_submodule("partition");
    (void)m;
}

}  // namespace covloss::bindings
