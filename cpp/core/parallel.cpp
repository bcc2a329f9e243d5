#include "core/parallel.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <utility>

#ifdef COVLOSS_HAS_OPENMP
#include <omp.h>
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif
#endif

namespace covloss {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool (*)()> interrupt_hook{nullptr};

#ifdef COVLOSS_HAS_OPENMP
// The threads of a team do not live on in a forked child, but GNU's OpenMP waits for them there, for ever.
// Whether threads can be used: not where a parent of this process has used them. Results are the same.
bool may_use_team() {
#if __has_include(<unistd.h>)
    static std::atomic<long> used_by{0};
    const long self = static_cast<long>(getpid());
    long nobody = 0;
    return used_by.compare_exchange_strong(nobody, self) || nobody == self;
#else
    return true;
#endif
}
#endif

constexpr auto kBetweenPolls = std::chrono::milliseconds(50);

class InterruptPoll {
  public:
    bool requested() {
        const auto now = Clock::now();
        if (now - last_ < kBetweenPolls) return false;
        last_ = now;
        bool (*hook)() = interrupt_hook.load(std::memory_order_relaxed);
        return hook != nullptr && hook();
    }

  private:
    Clock::time_point last_ = Clock::now();
};

// Thrown in the middle of a task whose team has stopped: for a reason that is known already.
struct Stopped : Interrupted {};

// The stop flag of the team that this thread runs a task for.
thread_local const std::atomic<bool>* team_stop = nullptr;

}  // namespace

void set_interrupt_hook(bool (*hook)()) { interrupt_hook.store(hook); }

void poll_interrupt() {
    if (team_stop != nullptr && team_stop->load(std::memory_order_relaxed)) throw Stopped{};
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
    std::mutex mutex;  // of all that follows
    std::condition_variable thread_done;
    int n_done = 0;
    std::exception_ptr error;
    std::int64_t error_task = std::numeric_limits<std::int64_t>::max();
    bool interrupted = false;

    const auto run_tasks = [&](bool is_caller) {
        InterruptPoll poll;
        while (!stop.load(std::memory_order_relaxed)) {
            if (is_caller && poll.requested()) {
                interrupted = true;
                stop.store(true);
                return;
            }
            const std::int64_t i = next.fetch_add(1, std::memory_order_relaxed);
            if (i >= n_tasks) return;
            try {
                task(i);
            } catch (const Stopped&) {
                return;
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (i < error_task) {
                    error_task = i;
                    error = std::current_exception();
                }
                stop.store(true);
            }
        }
    };
    // The caller alone can be asked to stop: it stays awake until the last task has ended.
    const auto wait_for_others = [&](int n_others) {
        InterruptPoll poll;
        std::unique_lock lock(mutex);
        while (!thread_done.wait_for(lock, kBetweenPolls, [&] { return n_done == n_others; }))
            if (poll.requested()) {
                interrupted = true;
                stop.store(true);
            }
    };
    const auto worker = [&](bool is_caller, int n_threads_of_team) {
        const std::atomic<bool>* outer_stop = std::exchange(team_stop, &stop);
        run_tasks(is_caller);
        team_stop = outer_stop;
        if (is_caller) return wait_for_others(n_threads_of_team - 1);
        const std::lock_guard lock(mutex);
        ++n_done;
        thread_done.notify_one();
    };

#ifdef COVLOSS_HAS_OPENMP
    if (may_use_team()) {
        const int team = static_cast<int>(n_tasks < n_threads ? n_tasks : n_threads);
#pragma omp parallel num_threads(team)
        worker(omp_get_thread_num() == 0, omp_get_num_threads());
    } else {
        worker(true, 1);
    }
#else
    worker(true, 1);
#endif

    if (error) std::rethrow_exception(error);
    if (interrupted) throw Interrupted{};
}

}  // namespace covloss
