// SPDX-License-Identifier: Apache-2.0
/// A network_observer that records every event as text, for comparing two runs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

/// The events of a run as text in an order that does not depend on the order of calls: by cycle, kind, node,
/// VC, packet and flit. A line is `cycle kind node vc packet sequence [payload words]`, kind `inject` or
/// `eject`, or `cycle deliver node packet source flits created routers`.
class event_log final : public weft::network_observer {
 public:
  enum class detail {
    Network,     ///< events at the border of the network, and deliveries
    Nodes,       ///< also events at the node: lines `create`, `send`, `receive`
    Everything,  ///< also where packets waited
  };

  /// \param payload_words 64-bit words per flit
  explicit event_log(unsigned payload_words = 1, detail level_of_detail = detail::Network)
      : m_words(payload_words), m_detail(level_of_detail) {}

  void created(const weft::packet& p) override;
  void sent(weft::packet_id id, weft::node_id node, weft::cycle_t cycle) override;
  void received(const weft::flit_event& e, const std::uint64_t* payload) override;
  void injected(const weft::flit_event& e, const weft::header&) override;
  void ejected(const weft::flit_event& e, const std::uint64_t* payload) override;
  bool needs_waits() const override { return m_detail == detail::Everything; }
  void waited(weft::packet_id id, const weft::router_waits& waits, weft::cycle_t left) override;
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) override;

  /// Events of cycles before \p end.
  std::string text(weft::cycle_t end = weft::Never) const;
  /// Returns the same and removes them, to compare a run piece by piece.
  std::string pop(weft::cycle_t end);
  /// Number of all events, including removed ones.
  std::size_t events() const { return m_removed + m_entries.size(); }

 private:
  enum class kind { Inject, Eject, Deliver, Create, Send, Receive };
  struct entry {
    weft::cycle_t cycle;
    kind what;
    weft::node_id node;
    std::uint32_t vc;
    weft::packet_id id;
    std::uint32_t sequence;
    std::string rest;
  };

  std::string words(const std::uint64_t* payload) const;

  unsigned m_words;
  detail m_detail;
  std::vector<entry> m_entries;
  std::map<weft::packet_id, std::string> m_waits;  ///< of packets that are not delivered yet
  std::size_t m_removed = 0;
};

/// Where two texts differ first: the line number and both lines. Empty if they are equal.
std::string first_difference(const std::string& a, const std::string& b);
