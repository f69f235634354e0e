// SPDX-License-Identifier: Apache-2.0
/// Memory for the arrays of large networks. It uses huge pages if the system supports them, because they avoid
/// page-table walks.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace weft::engine {

/// An allocator for std::vector. It allocates large arrays in huge pages, and small arrays as usual but aligned to a
/// cache line.
template <typename T>
struct huge_page_allocator {
  using value_type = T;

  huge_page_allocator() = default;
  template <typename Other>
  huge_page_allocator(const huge_page_allocator<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* const room = ::operator new(bytes, alignment(bytes));
#ifdef MADV_HUGEPAGE
    if (bytes >= PageBytes) madvise(room, bytes, MADV_HUGEPAGE);  // advisory: failure has no effect
#endif
    return static_cast<T*>(room);
  }
  void deallocate(T* room, std::size_t count) { ::operator delete(room, alignment(count * sizeof(T))); }

  friend bool operator==(const huge_page_allocator&, const huge_page_allocator&) { return true; }
  friend bool operator!=(const huge_page_allocator&, const huge_page_allocator&) { return false; }

 private:
  static constexpr std::size_t PageBytes = std::size_t{1} << 21, LineBytes = 64;
  static_assert(alignof(T) <= LineBytes);
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= PageBytes ? PageBytes : LineBytes};
  }
};

/// An array that may be large, in huge pages if they are supported.
template <typename T>
using large_array = std::vector<T, huge_page_allocator<T>>;

}  // namespace weft::engine
