// SPDX-License-Identifier: Apache-2.0
/// Where the time goes: samples the program counter, a thousand times a second of CPU time or as often as the
/// kernel can.
#pragma once

#include <cstddef>

/// Samples by whose code was running.
struct time_shares {
  std::size_t kernel = 0;  ///< SystemC: its library, and its templates compiled into this program
  std::size_t weft = 0;    ///< ours
  std::size_t other = 0;   ///< the C library and the like
  std::size_t total() const { return kernel + weft + other; }
};

/// Samples from construction to stop(). One at a time in a process.
class sampler {
 public:
  sampler();
  ~sampler();
  time_shares stop();
};
