// SPDX-License-Identifier: Apache-2.0
/// What a replay has measured.
#include <algorithm>

#include "weft/workload/replay/replay_state.h"

namespace weft {

/// \p own of a rank that may not have ended by \p now.
void replay_traffic::end_early(replay_rank_figures& own, const activity& a, cycle_t now) const {
  if (own.end && *own.end <= now) return;
  own.end.reset();
  if (a.time > now) {
    own.computing -= a.time - now;  // what it waits for is of the network, so it is ahead of that by computing alone
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

std::vector<replay_rank_figures> replay_traffic::ranks_until(cycle_t now) const {
  std::vector<replay_rank_figures> until = m_figures;
  for (std::uint32_t number = 0; number < m_listed.size(); ++number) {
    const listed_message& asked = m_program.messages[number];
    until[asked.source].end.reset();
    until[asked.destination].end.reset();
    const cycle_t at = m_listed[number].waits == 0 ? departure_of(number) : 0;
    if (at > now) until[asked.source].computing -= std::min(computing_of(asked), at - now);
  }
  if (m_listed.empty())
    for (std::size_t rank = 0; rank < until.size(); ++rank) end_early(until[rank], *m_activities[rank], now);
  return until;
}

cycle_t replay_traffic::makespan() const {
  cycle_t end = 0;
  for (const replay_rank_figures& f : m_figures) end = std::max(end, f.end.value_or(0));
  return end;
}

cycle_t replay_traffic::last_time() const {
  cycle_t last = makespan();
  for (const activity* const a : m_activities) last = std::max(last, a->time);
  return last;
}

replay_path replay_traffic::critical_path() const {
  if (!m_listed.empty()) return m_list_path;
  const activity* last = m_activities.front();
  for (std::size_t rank = 0; rank < m_figures.size(); ++rank)
    if (m_activities[rank]->time > last->time) last = m_activities[rank];
  return last->path;
}

}  // namespace weft
