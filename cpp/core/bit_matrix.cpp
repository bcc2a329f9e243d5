// (to be filled)
#include "core/simd.hpp"
