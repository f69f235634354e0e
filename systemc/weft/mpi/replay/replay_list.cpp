// SPDX-License-Identifier: Apache-2.0
/// Replays message lists: determines when each message is sent.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "weft/mpi/replay/replay_state.h"

namespace weft {

void replay_traffic::begin_list() {
  const std::vector<listed_message>& all = m_program.messages;
  m_list_entries.resize(all.size());
  m_list_entries_left = all.size();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    m_list_entries[i].waits = static_cast<std::uint32_t>(all[i].after.size());
    for (const std::uint32_t other : all[i].after) {
      const bool received = all[i].waits_for_arrival || all[other].destination == all[i].source;
      (received ? m_list_entries[other].at_arrival : m_list_entries[other].at_departure).push_back(i);
    }
  }
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].after.empty()) m_to_send.push_back(i);
  release({}, 0, {});
}

cycle_t replay_traffic::computing_of(const listed_message& entry) const {
  return static_cast<cycle_t>(std::llround(static_cast<double>(entry.computing) * m_options.cycles_per_nanosecond));
}

/// Returns the departure cycle of a message whose dependencies are complete.
cycle_t replay_traffic::departure_of(std::uint32_t number) const {
  const listed_message& entry = m_program.messages[number];
  const cycle_t ready = m_list_entries[number].ready;
  return (entry.waits_first ? ready + entry.cycle : std::max(ready, entry.cycle)) + computing_of(entry);
}

/// Sends a message whose dependencies are complete.
void replay_traffic::send_list_entry(std::uint32_t number) {
  const listed_message& entry = m_program.messages[number];
  const list_entry& state = m_list_entries[number];
  const cycle_t at = departure_of(number);
  message& m = *m_parts->messages.take();
  m.key = {0, 0, entry.source, entry.destination, 0};
  m.list_number = number + 1;
  m.send_order = number;
  m.bytes = entry.bytes;
  m.type = entry.type;
  apply_truncation_rule(m, {entry.type, AnyTag, std::nullopt, entry.bytes});
  m.payload_at = made_payload(entry.source, entry.destination, 0, number + 1);
  replay_rank_metrics& source = m_metrics[entry.source];
  source.computing += computing_of(entry);
  if (!entry.stays) {
    ++source.messages;
    source.bytes += entry.bytes;
  }
  m.began = at;
  m.path = state.path;
  m.path.computing += at - state.ready;
  begin_data(m, at, false);
}

/// Records that a dependency of the \p waiting messages is complete, so that they may continue in cycle \p at.
void replay_traffic::release(const std::vector<std::uint32_t>& waiting, cycle_t at, const replay_path& path) {
  for (const std::uint32_t number : waiting) {
    list_entry& next = m_list_entries[number];
    // If two dependencies end in the same cycle, the path must not depend on their order.
    const auto rank = [](cycle_t cycle, const replay_path& p) { return std::tuple(cycle, p.computing, p.messages); };
    if (rank(at, path) > rank(next.ready, next.path)) {
      next.ready = at;
      next.path = path;
    }
    if (--next.waits == 0) m_to_send.push_back(number);
  }
  if (m_sending) return;  // prevents recursion: a local message completes immediately
  m_sending = true;
  while (!m_to_send.empty()) {
    const std::uint32_t number = m_to_send.front();
    m_to_send.pop_front();
    send_list_entry(number);
  }
  m_sending = false;
}

void replay_traffic::listed_left(message& m, cycle_t at) {
  replay_path path = m.path;
  path.network += at - m.began;
  ++path.messages;
  release(m_list_entries[m.list_number - 1].at_departure, at, path);
}

void replay_traffic::listed_arrived(message& m, cycle_t at) {
  const listed_message& entry = m_program.messages[m.list_number - 1];
  if (entry.source == entry.destination) listed_left(m, at);
  replay_path path = m.path;
  path.network += at - m.began;
  ++path.messages;
  m_data_bytes += m.bytes;
  --m_list_entries_left;
  for (const std::uint32_t rank : {entry.source, entry.destination})
    m_metrics[rank].end = std::max(m_metrics[rank].end, std::optional(at));
  const auto rank = [](cycle_t cycle, const replay_path& p) { return std::tuple(cycle, p.computing, p.messages); };
  if (rank(at, path) > rank(m_list_end, m_list_path)) {
    m_list_end = at;
    m_list_path = path;
  }
  const std::vector<std::uint32_t> waiting = m_list_entries[m.list_number - 1].at_arrival;
  m_parts->messages.give_back(&m);
  release(waiting, at, path);
}

}  // namespace weft
