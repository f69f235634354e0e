// SPDX-License-Identifier: Apache-2.0
/// Counts instructions of any kind without a hardware counter, which virtual machines often lack; callgrind does not
/// support AVX-512. The processor traps after each instruction, which takes about 20 µs.
#pragma once

#include <csignal>
#include <cstdint>

/// Counts the instructions of the calling thread; one counter at a time.
class instruction_counter {
 public:
#if defined(__x86_64__) && defined(__linux__)
  static constexpr bool IsAvailable = true;
#else
  static constexpr bool IsAvailable = false;
#endif

  static void start() {
    s_count = 0;
    std::signal(SIGTRAP, [](int) { s_count = s_count + 1; });
    toggle_trap_flag();
  }

  /// \return instructions since start(), and a few of its own
  static std::uint64_t stop() {
    toggle_trap_flag();
    std::signal(SIGTRAP, SIG_DFL);
    return s_count;
  }

 private:
  static void toggle_trap_flag() {
#if defined(__x86_64__)
    // Skip the red zone below the stack pointer, which may be in use.
    asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\txorq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                     : "memory", "cc");
#endif
  }

  static inline volatile std::uint64_t s_count = 0;
};
