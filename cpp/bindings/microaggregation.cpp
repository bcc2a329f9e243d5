#include "bindings/register.hpp"

namespace covloss::bindings {

void register_microaggregation(pybind11::module_& parent) {
    auto m = parent.def_submodule("microaggregation");
    (void)m;
}

}  // namespace covloss::bindings
