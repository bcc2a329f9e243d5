// Hashed random numbers for searches whose result must not depend on the order of evaluation: the number is a
// function of what it is for, not of how many were drawn before. Not for noise: nothing here is secret.
#pragma once

#include <cstdint>

namespace covloss {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words.
constexpr std::uint64_t hash64(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

constexpr std::uint64_t hash64(std::uint64_t a, std::uint64_t b) { return hash64(hash64(a) ^ b); }

// Uniform on [-1, 1), from the top 53 bits.
constexpr double signed_unit(std::uint64_t hash) { return static_cast<double>(hash >> 11) * 0x1.0p-52 - 1.0; }

}  // namespace covloss
