// The one parallel primitive of the project.
//
// Work is cut into tasks whose number and borders depend on the data alone, never on the number of
// threads; each task writes to its own slot, and partial results are combined in task order. So results
// have the same bits for any number of threads. Exceptions thrown inside a task are carried out of the
// OpenMP region and rethrown in the caller; of several, the one of the lowest task.
#pragma once

#include <cstdint>
#include <functional>

namespace covloss {

// Runs task(0) .. task(n_tasks - 1), each exactly once, on up to n_threads threads (at least 1).
// The calling thread takes part, and polls the interrupt hook. If the hook says so, or if a task throws, no
// new task starts, and those that run end at their next poll_interrupt(): tasks that last longer than some
// milliseconds should call it.
void parallel_for(std::int64_t n_tasks, int n_threads, const std::function<void(std::int64_t)>& task);

struct Interrupted {};

// Set once by the bindings: returns true if the user asked to stop (Ctrl-C). Called from threads
// that run tasks, at most about twenty times a second by each; only Python's main thread ever gets a yes.
void set_interrupt_hook(bool (*hook)());

// For long serial loops and tasks: throws Interrupted if the user asked to stop, or if another task of the
// same parallel_for has thrown. Cheap: looks at the clock first.
void poll_interrupt();

bool has_openmp() noexcept;

}  // namespace covloss
