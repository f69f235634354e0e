// SPDX-License-Identifier: Apache-2.0
/// Checks for which packets an urgent packet waits at its node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

/// Records when packets are created and when their heads leave the source queue, and checks this order for NICs with
/// one port. An urgent packet may wait for urgent packets that were created before it, and for the packet that the node
/// was offering when it was created. Ordinary packets must leave in the order of their creation.
class urgent_checker final : public weft::network_observer {
 public:
  bool needs_payload() const override { return false; }
  weft::network_events event_interest() const override {
    return {weft::network_event::Created, weft::network_event::Sent};
  }
  void created(const weft::packet& p) override {
    m_place[p.id] = {p.source, m_nodes[p.source].size()};
    m_nodes[p.source].push_back({p, weft::Never});
  }
  void sent(weft::packet_id id, weft::node_id, weft::cycle_t cycle) override {
    const place& at = m_place.at(id);
    m_nodes[at.node][at.number].sent = cycle;
  }

  /// Returns a description of the first packet that left in wrong order, or an empty string.
  std::string broken() const {
    for (const auto& [node, packets] : m_nodes) {
      for (std::size_t i = 0; i < packets.size(); ++i)
        if (const std::string fault = find_violation(packets, i); !fault.empty())
          return fmt::format("node {}, packet {}, created in {}, sent in {}: {}", node, packets[i].what.id,
                             packets[i].what.created, packets[i].sent, fault);
    }
    return "";
  }

  /// Number of urgent packets.
  std::uint64_t urgent() const {
    std::uint64_t count = 0;
    for (const auto& [node, packets] : m_nodes)
      count += static_cast<std::uint64_t>(
          std::count_if(packets.begin(), packets.end(), [](const record& r) { return r.what.urgent; }));
    return count;
  }

  /// Number of urgent packets that left before a packet that was created earlier.
  std::uint64_t overtakings() const {
    std::uint64_t count = 0;
    for (const auto& node : m_nodes)
      for (auto urgent = node.second.begin(); urgent != node.second.end(); ++urgent)
        count += urgent->what.urgent && std::any_of(node.second.begin(), urgent, [urgent](const record& other) {
                   return other.sent > urgent->sent;
                 });
    return count;
  }

 private:
  struct record {
    weft::packet what;
    weft::cycle_t sent;
  };
  struct place {
    weft::node_id node;
    std::size_t number;
  };

  /// \param packets packets of one node, in the order of their creation
  std::string find_violation(const std::vector<record>& packets, std::size_t number) const {
    const record& p = packets[number];
    unsigned others = 0;  // ordinary packets that leave before an urgent packet
    for (std::size_t i = 0; i < packets.size(); ++i) {
      const record& other = packets[i];
      if (other.what.urgent == p.what.urgent) {
        if (i < number && other.sent > p.sent) return fmt::format("overtakes packet {} of its kind", other.what.id);
      } else if (p.what.urgent) {
        others += other.sent >= p.what.created && other.sent < p.sent;
      }
    }
    return others > 1 ? fmt::format("waits for {} packets that are not urgent", others) : "";
  }

  std::map<weft::packet_id, place> m_place;
  std::map<weft::node_id, std::vector<record>> m_nodes;
};
