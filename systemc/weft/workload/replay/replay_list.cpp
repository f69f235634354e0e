// SPDX-License-Identifier: Apache-2.0
/// Messages of a list: which one is sent when.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "weft/workload/replay/replay_state.h"

namespace weft {

void replay_traffic::begin_list() {
  const std::vector<listed_message>& all = m_program.messages;
  m_listed.resize(all.size());
  m_listed_left = all.size();
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    m_listed[i].waits = static_cast<std::uint32_t>(all[i].after.size());
    for (const std::uint32_t other : all[i].after) {
      const bool received = all[i].waits_for_arrival || all[other].destination == all[i].source;
      (received ? m_listed[other].at_arrival : m_listed[other].at_departure).push_back(i);
    }
  }
  for (std::uint32_t i = 0; i < all.size(); ++i)
    if (all[i].after.empty()) m_to_send.push_back(i);
  release({}, 0, {});
}

cycle_t replay_traffic::computing_of(const listed_message& asked) const {
  return static_cast<cycle_t>(std::llround(static_cast<double>(asked.computing) * m_options.cycles_per_nanosecond));
}

/// Of a message that waits for nothing any more.
cycle_t replay_traffic::departure_of(std::uint32_t number) const {
  const listed_message& asked = m_program.messages[number];
  const cycle_t ready = m_listed[number].ready;
  return (asked.waits_first ? ready + asked.cycle : std::max(ready, asked.cycle)) + computing_of(asked);
}

/// All that it waits for is over.
void replay_traffic::send_listed(std::uint32_t number) {
  const listed_message& asked = m_program.messages[number];
  const listed& state = m_listed[number];
  const cycle_t at = departure_of(number);
  message& m = *m_parts->messages.take();
  m.key = {0, 0, asked.source, asked.destination, 0};
  m.listed = number + 1;
  m.send_order = number;
  m.bytes = asked.bytes;
  m.type = asked.type;
  choose_cut(m, {asked.type, AnyTag, std::nullopt, asked.bytes});
  m.payload_at = made_payload(asked.source, asked.destination, 0, number + 1);
  replay_rank_figures& source = m_figures[asked.source];
  source.computing += computing_of(asked);
  if (!asked.stays) {
    ++source.messages;
    source.bytes += asked.bytes;
  }
  m.began = at;
  m.path = state.path;
  m.path.computing += at - state.ready;
  begin_data(m, at, false);
}

/// What it had those wait for is over, and they may go on in cycle \p at.
void replay_traffic::release(const std::vector<std::uint32_t>& waiting, cycle_t at, const replay_path& path) {
  for (const std::uint32_t number : waiting) {
    listed& next = m_listed[number];
    // Of two that end together the path is the same in whatever order they come.
    const auto rank = [](cycle_t cycle, const replay_path& p) { return std::tuple(cycle, p.computing, p.messages); };
    if (rank(at, path) > rank(next.ready, next.path)) {
      next.ready = at;
      next.path = path;
    }
    if (--next.waits == 0) m_to_send.push_back(number);
  }
  if (m_sending) return;  // by one that stays in its rank, which is over at once: no call within a call
  m_sending = true;
  while (!m_to_send.empty()) {
    const std::uint32_t number = m_to_send.front();
    m_to_send.pop_front();
    send_listed(number);
  }
  m_sending = false;
}

void replay_traffic::listed_left(message& m, cycle_t at) {
  replay_path path = m.path;
  path.network += at - m.began;
  ++path.messages;
  release(m_listed[m.listed - 1].at_departure, at, path);
}

void replay_traffic::listed_arrived(message& m, cycle_t at) {
  const listed_message& asked = m_program.messages[m.listed - 1];
  if (asked.source == asked.destination) listed_left(m, at);
  replay_path path = m.path;
  path.network += at - m.began;
  ++path.messages;
  m_data_bytes += m.bytes;
  --m_listed_left;
  for (const std::uint32_t rank : {asked.source, asked.destination})
    m_figures[rank].end = std::max(m_figures[rank].end, std::optional(at));
  const auto rank = [](cycle_t cycle, const replay_path& p) { return std::tuple(cycle, p.computing, p.messages); };
  if (rank(at, path) > rank(m_list_end, m_list_path)) {
    m_list_end = at;
    m_list_path = path;
  }
  const std::vector<std::uint32_t> waiting = m_listed[m.listed - 1].at_arrival;
  m_parts->messages.give_back(&m);
  release(waiting, at, path);
}

}  // namespace weft
