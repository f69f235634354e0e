/// Counts instructions without a counter of the processor, which virtual machines often lack, and whatever they are: callgrind
/// knows no AVX-512. The processor stops after each of them. That takes long: 20 µs an instruction, or so.
#pragma once

#include <csignal>
#include <cstdint>
#include <stdexcept>

/// Of the thread that starts it; one at a time.
class instruction_counter {
 public:
  /// \throws std::runtime_error on a machine that cannot
  static void start() {
#if defined(__x86_64__) && defined(__linux__)
    s_count = 0;
    std::signal(SIGTRAP, [](int) { s_count = s_count + 1; });
    // The trap flag. What lies below the stack pointer may be in use.
    asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                     : "memory", "cc");
#else
    throw std::runtime_error("WEFT_BENCH_STEP needs Linux on x86-64");
#endif
  }

  /// \return instructions since start(), and a few of its own
  static std::uint64_t stop() {
#if defined(__x86_64__) && defined(__linux__)
    asm volatile("lea -128(%%rsp), %%rsp\n\tpushfq\n\tandq $-257, (%%rsp)\n\tpopfq\n\tlea 128(%%rsp), %%rsp" ::
                     : "memory", "cc");
    std::signal(SIGTRAP, SIG_DFL);
#endif
    return s_count;
  }

 private:
  static inline volatile std::uint64_t s_count = 0;
};
