// SPDX-License-Identifier: Apache-2.0
/// Rules for every program of messages that a reader of external traces returns, for any input.
#pragma once

#include "tb/fuzz/finding.h"
#include <optional>
#include <string>
#include <utility>

#include "weft/mpi/replay/replay_program.h"
#include "weft/workload/error.h"

namespace weft::fuzz {

/// Checks that a replay can simulate the program: its ranks exist, the messages that others wait for exist, and no
/// message waits for itself.
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

/// Calls \p read and checks its program. \return nothing if it throws its own error, which must name \p name
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
