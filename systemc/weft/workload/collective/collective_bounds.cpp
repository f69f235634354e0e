// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/collective/collective_bounds.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/workload/collective/collective_generators.h"
#include "weft/workload/collective/collective_hops.h"

namespace weft {
namespace {

std::uint64_t divided_up(std::uint64_t flits, std::uint64_t by) { return (flits + by - 1) / by; }

/// What is to be sent, seen from outside.
class demand {
 public:
  demand(const collective_parameters& p, const collective_network& network)
      : m_p(p), m_network(network), m_receives(network.nodes, false), m_starts(network.nodes, 0) {
    for (std::size_t s = 0; s < p.sources.size(); ++s) {
      m_starts[p.sources[s]] = std::uint64_t{p.lengths[p.lengths.size() == 1 ? 0 : s]} * p.packets;
    }
    for (const node_id r : p.receivers) m_receives[r] = true;
    for (const std::uint64_t flits : m_starts) m_all += flits;
  }

  std::uint64_t sent_by(node_id source) const {
    const std::uint64_t others = m_p.receivers.size() - (m_receives[source] ? 1 : 0);
    return m_starts[source] * (personal() ? others : std::min<std::uint64_t>(others, 1));
  }

  std::uint64_t received_by(node_id receiver) const {
    if (!sums()) return m_all - m_starts[receiver];
    return m_all > m_starts[receiver] ? m_p.lengths.front() : 0;
  }

  std::uint64_t flit_hops() const {
    if (sums()) return from_summands();
    return personal() ? to_receivers() : from_neighbours();
  }

  /// Flits that must go from the side where `beyond` is \p from to the other.
  std::uint64_t across(const std::vector<bool>& beyond, bool from) const {
    std::uint64_t flits = 0, receivers = 0;
    for (node_id n = 0; n < m_network.nodes; ++n) {
      if (beyond[n] == from) flits += m_starts[n];
      if (beyond[n] != from && m_receives[n]) ++receivers;
    }
    if (receivers == 0 || flits == 0) return 0;
    return sums() ? m_p.lengths.front() : flits * (personal() ? receivers : 1);
  }

 private:
  bool personal() const { return m_p.operation == collective_operation::Scatter; }
  bool sums() const {
    return m_p.operation == collective_operation::Reduce || m_p.operation == collective_operation::AllReduce;
  }

  /// Least of the distances between \p node and another, as \p distance(other) gives it.
  template <class Distance>
  std::uint64_t nearest(node_id node, const Distance& distance) const {
    if (!m_network.shape.empty()) return 1;
    std::uint32_t hops = std::numeric_limits<std::uint16_t>::max();
    for (node_id n = 0; n < m_network.nodes; ++n) {
      if (n != node) hops = std::min(hops, distance(n));
    }
    return hops;
  }

  std::uint64_t from_neighbours() const {
    std::uint64_t hops = 0;
    for (const node_id r : m_p.receivers) {
      if (received_by(r) == 0) continue;
      hops += received_by(r) * nearest(r, [&](node_id from) { return m_network.distance(from, r); });
    }
    return hops;
  }

  /// All sources but one send.
  std::uint64_t from_summands() const {
    std::uint64_t hops = 0;
    for (const node_id s : m_p.sources) {
      if (s == m_p.receivers.front()) continue;
      hops += m_p.lengths.front() * nearest(s, [&](node_id to) { return m_network.distance(s, to); });
    }
    return hops;
  }

  std::uint64_t to_receivers() const {
    collective_parameters all_at_once;
    all_at_once.sources = m_p.sources;
    all_at_once.packets = m_p.packets;
    const bool everyone = m_p.receivers.size() == m_network.nodes;
    if (everyone && m_p.lengths.size() == 1 && has_closed_form(all_at_once, m_network)) {
      return total(collective_hops(all_at_once, m_network)).hops * m_p.lengths.front();
    }
    std::uint64_t hops = 0;
    for (const node_id s : m_p.sources) {
      for (const node_id r : m_p.receivers) hops += m_starts[s] * m_network.distance(s, r);
    }
    return hops;
  }

  const collective_parameters& m_p;
  const collective_network& m_network;
  std::vector<bool> m_receives;
  std::vector<std::uint64_t> m_starts;  ///< flits by node; of a scatter, for each receiver
  std::uint64_t m_all = 0;
};

void check_cut(const network_cut& cut, std::uint32_t nodes) {
  if (cut.beyond.size() != nodes) {
    throw std::invalid_argument(fmt::format("cut: {} nodes, expected {}", cut.beyond.size(), nodes));
  }
}

std::uint64_t cycles_across(const char* direction, std::uint64_t flits, std::uint64_t channels) {
  if (flits > 0 && channels == 0) {
    throw std::invalid_argument(
        fmt::format("cut: no channel {}, expected at least one for {} flits", direction, flits));
  }
  return flits == 0 ? 0 : divided_up(flits, channels);
}

}  // namespace

std::uint64_t collective_floors::cycles() const { return std::max({injection, ejection, bisection}); }

collective_floors collective_bounds(const collective_parameters& parameters, const collective_network& network,
                                    unsigned ports, const std::vector<network_cut>& cuts) {
  const collective_parameters p = checked(parameters, network);
  if (ports == 0) throw std::invalid_argument("ports: 0 at a node, expected at least 1");
  const demand asked(p, network);
  collective_floors floors;
  floors.flit_hops = asked.flit_hops();
  for (const node_id s : p.sources) floors.injection = std::max(floors.injection, asked.sent_by(s));
  for (const node_id r : p.receivers) floors.ejection = std::max(floors.ejection, asked.received_by(r));
  floors.injection = divided_up(floors.injection, ports);
  floors.ejection = divided_up(floors.ejection, ports);
  for (const network_cut& cut : cuts) {
    check_cut(cut, network.nodes);
    floors.bisection = std::max({floors.bisection, cycles_across("there", asked.across(cut.beyond, false), cut.there),
                                 cycles_across("back", asked.across(cut.beyond, true), cut.back)});
  }
  return floors;
}

}  // namespace weft
