#include "core/parallel.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>

#ifdef COVLOSS_HAS_OPENMP
#include <omp.h>
#endif

namespace covloss {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool (*)()> interrupt_hook{nullptr};

class InterruptPoll {
  public:
    bool requested() {
        const auto now = Clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return false;
        last_ = now;
        bool (*hook)() = interrupt_hook.load(std::memory_order_relaxed);
        return hook != nullptr && hook();
    }

  private:
    Clock::time_point last_ = Clock::now();
};

}  // namespace

void set_interrupt_hook(bool (*hook)()) { interrupt_hook.store(hook); }

void poll_interrupt() {
    thread_local InterruptPoll poll;
    if (poll.requested()) throw Interrupted{};
}

bool has_openmp() noexcept {
#ifdef COVLOSS_HAS_OPENMP
    return true;
#else
    return false;
#endif
}

void parallel_for(std::int64_t n_tasks, int n_threads, const std::function<void(std::int64_t)>& task) {
    if (n_threads < 1) throw std::invalid_argument("the number of threads must be at least 1");
    if (n_tasks <= 0) return;
    if (n_threads == 1 || n_tasks == 1) {
        InterruptPoll poll;
        for (std::int64_t i = 0; i < n_tasks; ++i) {
            if (poll.requested()) throw Interrupted{};
            task(i);
        }
        return;
    }

    std::atomic<std::int64_t> next{0};
    std::atomic<bool> stop{false};
    std::atomic<bool> interrupted{false};
    std::mutex mutex;
    std::exception_ptr error;
    std::int64_t error_task = std::numeric_limits<std::int64_t>::max();

    const auto worker = [&](bool is_caller) {
        InterruptPoll poll;
        while (!stop.load(std::memory_order_relaxed)) {
            if (is_caller && poll.requested()) {
                interrupted.store(true);
                stop.store(true);
                return;
            }
            const std::int64_t i = next.fetch_add(1, std::memory_order_relaxed);
            if (i >= n_tasks) return;
            try {
                task(i);
            } catch (...) {
                const std::lock_guard<std::mutex> lock(mutex);
                if (i < error_task) {
                    error_task = i;
                    error = std::current_exception();
                }
                stop.store(true);
            }
        }
    };

#ifdef COVLOSS_HAS_OPENMP
    const int team = static_cast<int>(n_tasks < n_threads ? n_tasks : n_threads);
#pragma omp parallel num_threads(team)
    worker(omp_get_thread_num() == 0);
#else
    worker(true);
#endif

    if (error) std::rethrow_exception(error);
    if (interrupted.load()) throw Interrupted{};
}

}  // namespace covloss
