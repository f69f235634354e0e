// SPDX-License-Identifier: Apache-2.0
/// What urgent packets may wait for at their node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

/// Notes when packets are created and when their heads leave the source queue, and says whether that was in order,
/// where NICs have one port: an urgent packet waits for urgent ones that were created before it, and besides for no
/// more than the packet that was offered when it came. Others leave in the order of their creation.
class urgent_law final : public weft::network_observer {
 public:
  bool wants_payload() const override { return false; }
  weft::network_events wanted() const override { return {weft::network_event::Created, weft::network_event::Sent}; }
  void created(const weft::packet& p) override {
    m_place[p.id] = {p.source, m_nodes[p.source].size()};
    m_nodes[p.source].push_back({p, weft::Never});
  }
  void sent(weft::packet_id id, weft::node_id, weft::cycle_t cycle) override {
    const place& at = m_place.at(id);
    m_nodes[at.node][at.number].sent = cycle;
  }

  /// The first packet that was wronged; empty if none was.
  std::string broken() const {
    for (const auto& [node, packets] : m_nodes) {
      for (std::size_t i = 0; i < packets.size(); ++i)
        if (const std::string fault = fault_of(packets, i); !fault.empty())
          return fmt::format("node {}, packet {}, created in {}, sent in {}: {}", node, packets[i].what.id,
                             packets[i].what.created, packets[i].sent, fault);
    }
    return "";
  }

  /// Urgent packets.
  std::uint64_t urgent() const {
    std::uint64_t count = 0;
    for (const auto& [node, packets] : m_nodes)
      count += static_cast<std::uint64_t>(
          std::count_if(packets.begin(), packets.end(), [](const record& r) { return r.what.urgent; }));
    return count;
  }

  /// Those that left before one that was there when they came.
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

  /// \param packets of a node, in the order of their creation
  std::string fault_of(const std::vector<record>& packets, std::size_t number) const {
    const record& p = packets[number];
    unsigned others = 0;  // that are not urgent, before one that is
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
