// The extension module: one submodule for each area of the core, nothing else.
#include "bindings/register.hpp"
#include "core/parallel.hpp"

namespace py = pybind11;

namespace {

// Called by the core, without the GIL, from the thread that entered it: has Ctrl-C been pressed?
bool interrupt_requested() {
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() == 0) return false;
    return true;  // the pending KeyboardInterrupt stays set and is raised by the translator below
}

}  // namespace

// Not declared to do without the GIL: a free-threaded Python switches it on for this module. The core holds
// no mutable state of its own, but the Python above it (ledgers, fitted objects) is not made for concurrent
// use.
PYBIND11_MODULE(_core, m) {
    m.doc() = "Compiled core of covloss_fast.";
    covloss::set_interrupt_hook(&interrupt_requested);
    py::register_exception_translator([](std::exception_ptr error) {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const covloss::Interrupted&) {
            if (PyErr_Occurred() == nullptr) PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
    using namespace covloss::bindings;
    register_config(m);
    register_bits(m);
    register_partition(m);
    register_noise(m);
    register_rounding(m);
    register_restoration(m);
    register_microaggregation(m);
    register_vectors(m);
}
