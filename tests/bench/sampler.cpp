// SPDX-License-Identifier: Apache-2.0
#include "bench/sampler.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include <dlfcn.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

namespace {

// Preallocated plain data, because a signal handler writes them.
std::array<std::uintptr_t, 100000> program_counters;
std::atomic<std::size_t> samples{0};

void take_sample(int, siginfo_t*, void* context) {
  const std::size_t i = samples.fetch_add(1, std::memory_order_relaxed);
  if (i >= program_counters.size()) return;
#if defined(__x86_64__)
  program_counters[i] = static_cast<std::uintptr_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  program_counters[i] = static_cast<ucontext_t*>(context)->uc_mcontext.pc;
#endif
}

void set_timer(long microseconds) {
  const itimerval every{{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_PROF, &every, nullptr);
}

void count(std::uintptr_t counter, time_shares& shares) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(counter), &info) == 0 || info.dli_fname == nullptr) {
    ++shares.other;
    return;
  }
  const std::string_view file = info.dli_fname;
  const std::string_view symbol = info.dli_sname == nullptr ? "" : info.dli_sname;
  // _ZN7sc_core… is a function of namespace sc_core; _ZThn16_N7sc_core… a thunk to one.
  const std::size_t name = symbol.find('N', 2);
  const bool of_kernel = name != std::string_view::npos && symbol.substr(name + 1).find("7sc_core") <= 1;
  if (file.find("libsystemc") != std::string_view::npos || of_kernel)
    ++shares.kernel;
  else if (file.find(".so") != std::string_view::npos)
    ++shares.other;
  else
    ++shares.weft;
}

}  // namespace

sampler::sampler() {
  samples = 0;
  struct sigaction action {};
  action.sa_sigaction = take_sample;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  set_timer(1000);
}

sampler::~sampler() { set_timer(0); }

time_shares sampler::stop() {
  set_timer(0);
  time_shares shares;
  const std::size_t taken = std::min(samples.load(), program_counters.size());
  for (std::size_t i = 0; i < taken; ++i) count(program_counters[i], shares);
  return shares;
}
