// Memory for large tables, zeroed, on a 64-byte border.
//
// Large pieces come straight from the system and go straight back: what a fit leaves is nobody's, however
// often a process fits. Their whole huge pages are asked for as such: rows of a table that are visited in no
// order else spend most of their time in the translation of addresses.
#pragma once

#include <cstddef>

namespace covloss {

inline constexpr std::size_t kMemoryBorder = 64;

class Memory {
  public:
    // Throws std::bad_alloc.
    explicit Memory(std::size_t n_bytes);
    ~Memory();
    Memory(Memory&& other) noexcept;
    Memory& operator=(Memory&& other) noexcept;
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    void* data() const noexcept { return data_; }

  private:
    void* data_;
    std::size_t n_mapped_;  // bytes that came from the system; 0: from the heap
};

// Gives pages of the heap that hold nothing back to the system, where the C library keeps them.
void give_back_freed_memory() noexcept;

}  // namespace covloss
