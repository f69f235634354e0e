// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/recorder/memory.h"

#include <cstdint>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace weft::recorder {

namespace {

/// Whether the word at \p address is writable. FUTEX_WAKE_OP performs an atomic read-modify-write, which adds zero
/// here, and returns an error where a store would end the program. It exists in every kernel and in every sandbox in
/// which threads run. No thread waits at either word.
bool is_writable(std::uintptr_t address) {
  constexpr std::uintptr_t WordMask = ~std::uintptr_t{3};
  std::uint32_t nobody = 0;
  constexpr int AddNothing = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_NE, 0);
  return syscall(SYS_futex, &nobody, FUTEX_WAKE_OP_PRIVATE, 0, nullptr, address & WordMask, AddNothing) >= 0;
}

}  // namespace

bool is_writable(const char* first, std::size_t count) {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(first);
  for (std::uintptr_t at = begin; at < begin + count; at = at / page * page + page)
    if (!is_writable(at)) return false;
  return true;
}

}  // namespace weft::recorder
