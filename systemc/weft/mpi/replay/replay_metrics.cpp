// SPDX-License-Identifier: Apache-2.0
/// The results of a replay.
#include <algorithm>

#include "weft/mpi/replay/replay_state.h"

namespace weft {

/// Adjusts the metrics \p own of a rank that may not have ended by \p now.
void replay_traffic::end_early(replay_rank_metrics& own, const activity& a, cycle_t now) const {
  if (own.end && *own.end <= now) return;
  own.end.reset();
  if (a.time > now) {
    own.computing -= a.time - now;  // only computation can be ahead of the network, because all waits depend on it
    return;
  }
  const auto waits_for = [&a](bool sends) {
    return std::any_of(a.awaited.begin(), a.awaited.end(),
                       [sends](const request* r) { return r->done == Never && r->sends == sends; });
  };
  if (waits_for(false))
    own.receiving += now - a.time;
  else if (waits_for(true))
    own.sending += now - a.time;
}

std::vector<replay_rank_metrics> replay_traffic::ranks_until(cycle_t now) const {
  std::vector<replay_rank_metrics> until = m_metrics;
  for (std::uint32_t number = 0; number < m_list_entries.size(); ++number) {
    const listed_message& entry = m_program.messages[number];
    until[entry.source].end.reset();
    until[entry.destination].end.reset();
    const cycle_t at = m_list_entries[number].waits == 0 ? departure_of(number) : 0;
    if (at > now) until[entry.source].computing -= std::min(computing_of(entry), at - now);
  }
  if (m_list_entries.empty())
    for (std::size_t rank = 0; rank < until.size(); ++rank) end_early(until[rank], *m_activities[rank], now);
  return until;
}

cycle_t replay_traffic::makespan() const {
  cycle_t end = 0;
  for (const replay_rank_metrics& f : m_metrics) end = std::max(end, f.end.value_or(0));
  return end;
}

cycle_t replay_traffic::last_time() const {
  cycle_t last = makespan();
  for (const activity* const a : m_activities) last = std::max(last, a->time);
  return last;
}

replay_path replay_traffic::critical_path() const {
  if (!m_list_entries.empty()) return m_list_path;
  const activity* last = m_activities.front();
  for (std::size_t rank = 0; rank < m_metrics.size(); ++rank)
    if (m_activities[rank]->time > last->time) last = m_activities[rank];
  return last->path;
}

}  // namespace weft
