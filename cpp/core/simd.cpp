#include "core/simd.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace covloss {
namespace {

bool runs_avx2() noexcept {
#if COVLOSS_HAS_AVX2_LEVEL
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

// An unknown or unavailable name in the environment falls back to the best level: a forgotten variable must
// not make an import fail. show_config() tells what is in use.
SimdLevel initial_level() {
    const SimdLevel best = runs_avx2() ? SimdLevel::avx2 : SimdLevel::baseline;
    const char* forced = std::getenv("COVLOSS_FAST_SIMD");
    if (forced != nullptr && std::string(forced) == "baseline") return SimdLevel::baseline;
    return best;
}

std::atomic<SimdLevel>& current() {
    static std::atomic<SimdLevel> level{initial_level()};
    return level;
}

}  // namespace

SimdLevel simd_level() noexcept { return current().load(std::memory_order_relaxed); }

std::vector<SimdLevel> available_simd_levels() {
    std::vector<SimdLevel> levels{SimdLevel::baseline};
    if (runs_avx2()) levels.push_back(SimdLevel::avx2);
    return levels;
}

void force_simd_level(SimdLevel level) {
    const auto levels = available_simd_levels();
    if (std::find(levels.begin(), levels.end(), level) == levels.end())
        throw std::invalid_argument("this machine does not run the level '" + simd_level_name(level) + "'");
    current().store(level);
}

std::string simd_level_name(SimdLevel level) { return level == SimdLevel::avx2 ? "avx2" : "baseline"; }

SimdLevel simd_level_from_name(const std::string& name) {
    if (name == "baseline") return SimdLevel::baseline;
    if (name == "avx2") return SimdLevel::avx2;
    throw std::invalid_argument("unknown instruction-set level '" + name + "'; known: baseline, avx2");
}

}  // namespace covloss
