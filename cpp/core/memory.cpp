#include "core/memory.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

// Not where an address sanitizer looks after the heap.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define COVLOSS_MAPS_MEMORY 1
#include <sys/mman.h>
#else
#define COVLOSS_MAPS_MEMORY 0
#endif

namespace covloss {
namespace {

constexpr std::align_val_t kHeapBorder{kMemoryBorder};

#if COVLOSS_MAPS_MEMORY
constexpr std::size_t kPage = std::size_t{1} << 16;  // whole pages on every system
constexpr std::size_t kHugePage = std::size_t{1} << 21;
constexpr std::size_t kLeastMapped = kHugePage / 2;

// What is taken for n_bytes: the last huge page whole, where half of it would be used anyway.
std::size_t mapped_size(std::size_t n_bytes) {
    const std::size_t unit = n_bytes % kHugePage >= kHugePage / 2 ? kHugePage : kPage;
    return (n_bytes + unit - 1) / unit * unit;
}

// n_bytes, a multiple of kPage, from a border of huge pages on; null if there are not so many.
void* map(std::size_t n_bytes) {
    void* space =
        mmap(nullptr, n_bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (space == MAP_FAILED) return nullptr;
    auto* bytes = static_cast<char*>(space);
    const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(bytes) % kHugePage) % kHugePage;
    if (before != 0) munmap(bytes, before);
    bytes += before;
    munmap(bytes + n_bytes, kHugePage - before);
    madvise(bytes, n_bytes, MADV_HUGEPAGE);  // where the system has none, all is as before
    return bytes;
}
#endif

}  // namespace

Memory::Memory(std::size_t n_bytes) : data_(nullptr), n_mapped_(0) {
#if COVLOSS_MAPS_MEMORY
    if (n_bytes >= kLeastMapped) {
        if (n_bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
        n_mapped_ = mapped_size(n_bytes);
        data_ = map(n_mapped_);
        if (data_ == nullptr) throw std::bad_alloc();
        return;
    }
#endif
    data_ = ::operator new(n_bytes, kHeapBorder);
    std::memset(data_, 0, n_bytes);
}

Memory::~Memory() {
    if (data_ == nullptr) return;
#if COVLOSS_MAPS_MEMORY
    if (n_mapped_ != 0) {
        munmap(data_, n_mapped_);
        return;
    }
#endif
    ::operator delete(data_, kHeapBorder);
}

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), n_mapped_(std::exchange(other.n_mapped_, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(n_mapped_, other.n_mapped_);
    return *this;
}

void give_back_freed_memory() noexcept {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace covloss
