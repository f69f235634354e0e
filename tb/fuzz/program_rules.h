// SPDX-License-Identifier: Apache-2.0
/// Rules that the readers of external traces must meet for every input: each program of messages that they return is
///       valid.
#pragma once

#include "tb/fuzz/finding.h"
#include <optional>
#include <string>
#include <utility>

#include "weft/mpi/replay/replay_program.h"
#include "weft/workload/error.h"

namespace weft::fuzz {

/// Checks that a replay can simulate the program: its ranks exist, messages wait only for messages that exist, and no
///        message waits for itself.
inline void check_program(const replay_program& p) {
  require(!p.messages.empty(), "a program has messages");
  for (const listed_message& m : p.messages) {
    require(m.source < p.ranks.size() && m.destination < p.ranks.size(), "a message goes from rank to rank");
    require(m.bytes <= MostListedBytes, "a message is not longer than a replay supports");
    require(m.cycle <= Never / 2, "a message has a time that a replay can reach");
    for (const std::uint32_t other : m.after)
      require(other < p.messages.size(), "a message waits for existing messages");
  }
  require(waiting_circle(p.messages).empty(), "no message waits for itself");
}

/// Calls \p read and checks the program that it returns.
/// \return the program, or nothing if \p read throws its own error, which must name \p name
template <typename Read>
std::optional<replay_program> program_of(Read read, const std::string& name) {
  try {
    std::optional<replay_program> p = read();
    check_program(*p);
    return p;
  } catch (const workload_error& e) {
    require(std::string(e.what()).rfind(name, 0) == 0 && e.what()[name.size()] != '\0', "an error has a message");
    return std::nullopt;
  }
}

}  // namespace weft::fuzz
