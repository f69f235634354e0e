// SPDX-License-Identifier: Apache-2.0
#include "weft/python/hand_source.h"

#include <algorithm>
#include <utility>

namespace weft::python {

hand_source::hand_source(std::unique_ptr<packet_source> workload, std::uint32_t nodes,
                         const payload_parameters& payload, std::uint64_t seed)
    : m_workload(std::move(workload)), m_waiting(nodes), m_payload(payload, seed, 1, MaxFlits) {}

packet_id hand_source::add(packet p) {
  p.id = m_next++;
  p.type = m_payload.type();
  std::deque<packet>& queue = m_waiting[p.source];
  const auto later = [](const packet& a, const packet& b) { return a.created < b.created; };
  queue.insert(std::upper_bound(queue.begin(), queue.end(), p, later), p);
  return p.id;
}

cycle_t hand_source::next_creation(node_id node) const {
  const cycle_t own = m_waiting[node].empty() ? Never : m_waiting[node].front().created;
  return std::min(own, m_workload->next_creation(node));
}

packet hand_source::pop(node_id node) {
  std::deque<packet>& queue = m_waiting[node];
  if (queue.empty() || m_workload->next_creation(node) <= queue.front().created) return m_workload->pop(node);
  const packet p = queue.front();
  queue.pop_front();
  return p;
}

void hand_source::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const {
  if (p.id < FirstInjectedId) return m_workload->payload(p, sequence, payload_bits, words);
  m_payload(p.id - FirstInjectedId, sequence, payload_bits, words);
}

}  // namespace weft::python
