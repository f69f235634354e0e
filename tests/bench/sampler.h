// SPDX-License-Identifier: Apache-2.0
/// A profiler: samples the program counter a thousand times per second of CPU time, or as often as the
/// kernel can.
#pragma once

#include <cstddef>

/// Numbers of samples by the code that was running.
struct time_shares {
  std::size_t kernel = 0;  ///< SystemC: its library, and its templates compiled into this program
  std::size_t weft = 0;    ///< Weft's code
  std::size_t other = 0;   ///< the C library and others
  std::size_t total() const { return kernel + weft + other; }
};

/// Samples from construction to stop(). At most one per process at a time.
class sampler {
 public:
  sampler();
  ~sampler();
  time_shares stop();
};
