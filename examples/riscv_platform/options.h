// SPDX-License-Identifier: Apache-2.0
/// The command line of the platform.
#pragma once

#include "platform.h"
#include <cstdint>
#include <stdexcept>
#include <string>

#include <systemc>

enum class network_kind : std::uint8_t { Bus, Loose, Contended, Cycle, Pin };

struct options {
  platform_options platform;
  network_kind network = network_kind::Cycle;
  sc_core::sc_time quantum{1000, sc_core::SC_NS};
  sc_core::sc_time limit{1000, sc_core::SC_MS};
  std::string program;
  bool help = false;
};

extern const char* const Usage;

/// The command line is wrong. The message contains the wrong part and what is expected.
class usage_error : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// \throws usage_error
options read_options(int argc, const char* const* argv);
