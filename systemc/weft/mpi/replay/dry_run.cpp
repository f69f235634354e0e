// SPDX-License-Identifier: Apache-2.0
/// A replay without a network, which finds deadlocks.
#include <algorithm>

#include "weft/mpi/replay/replay_state.h"

namespace weft {

bool replay_traffic::dry_run() {
  while (!m_dry_run_creations.empty()) {
    const creation made = m_dry_run_creations.front();
    m_dry_run_creations.pop_front();
    message& m = *made.of;
    begun(made);
    switch (made.kind) {
      case packet_kind::Request:
        m.came_at = made.at;
        both_there(m);
        break;
      case packet_kind::Clear:
        begin_data(m, made.at, false);
        break;
      case packet_kind::Data:
        arrived(m, made.at);
        break;
    }
  }
  return finished();
}

namespace {

/// Whether the order of a collective in \p program affects the dependencies between ranks.
bool has_choice_of_order(const replay_program& program) {
  return std::any_of(program.ranks.begin(), program.ranks.end(), [](const replay_rank& rank) {
    return std::any_of(rank.calls.begin(), rank.calls.end(), [&rank](const replay_call& call) {
      return call.kind == call_kind::Collective && !joins_all(call, rank.collectives[call.more]);
    });
  });
}

}  // namespace

bool needs_direct_order(const replay_program& program, std::uint32_t nodes, replay_options options) {
  if (!has_choice_of_order(program)) return false;
  options.is_dry_run = true;
  options.cycles_per_nanosecond = 0;
  options.payload = {};
  options.truncation_rules.clear();
  options.arrived = nullptr;
  options.order = collective_order::Usual;
  if (replay_traffic(program, nodes, options).dry_run()) return false;
  options.order = collective_order::Direct;
  return replay_traffic(program, nodes, options).dry_run();
}

}  // namespace weft
