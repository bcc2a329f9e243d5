#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "bindings/register.hpp"
#include "core/memory.hpp"
#include "core/parallel.hpp"
#include "core/simd.hpp"

namespace py = pybind11;

namespace covloss::bindings {
namespace {

std::string compiler() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#else
    return "unknown";
#endif
}

std::vector<std::string> level_names() {
    std::vector<std::string> names;
    for (const SimdLevel level : available_simd_levels()) names.push_back(simd_level_name(level));
    return names;
}

}  // namespace

void register_config(py::module_& parent) {
    auto m = parent.def_submodule("config", "How this extension was built and what it uses.");
    m.def("compiler", &compiler, "Name and version of the compiler.");
    m.def("has_openmp", &has_openmp, "Whether the build uses OpenMP.");
    m.def("simd_level", [] { return simd_level_name(simd_level()); }, "Instruction-set level in use.");
    m.def("available_simd_levels", &level_names, "Levels that this build has and this processor runs.");
    m.def(
        "force_simd_level", [](const std::string& name) { force_simd_level(simd_level_from_name(name)); },
        py::arg("level"), "For tests: use another available level from now on.");
    m.def("give_back_freed_memory", &give_back_freed_memory, "Return freed pages of the heap to the system.",
          py::call_guard<py::gil_scoped_release>());
    m.def(
        "parallel_for_throwing",
        [](std::int64_t n_tasks, int n_threads, std::int64_t throw_at) {
            const py::gil_scoped_release release;
            parallel_for(n_tasks, n_threads, [throw_at](std::int64_t i) {
                if (i >= throw_at) throw std::invalid_argument("thrown by task " + std::to_string(i));
            });
        },
        py::arg("n_tasks"), py::arg("n_threads"), py::arg("throw_at"),
        "For tests: a parallel loop whose tasks from throw_at on throw.");
}

}  // namespace covloss::bindings
