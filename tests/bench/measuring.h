// SPDX-License-Identifier: Apache-2.0
/// Clocks and durations of measurements.
#pragma once

#include <cstdlib>

#include <sys/resource.h>

/// The number in an environment variable, or \p otherwise.
inline double number_from(const char* variable, double otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atof(text);
}

/// CPU seconds per measurement.
inline double seconds_each() { return number_from("WEFT_BENCH_SECONDS", 1); }

/// User CPU time of this process so far.
inline double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}
