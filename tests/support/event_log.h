// SPDX-License-Identifier: Apache-2.0
/// A network_observer that records every event as text, so that two runs can be compared.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"

/// The events of a run as text. The order of the lines does not depend on the order of calls: they are sorted by cycle,
/// kind, node, VC, packet and flit. A line is `cycle kind node vc packet sequence [payload words]` for the kinds
/// `inject` and `eject`, or `cycle deliver node packet source flits created routers`.
class event_log final : public weft::network_observer {
 public:
  enum class detail {
    Network,  ///< events at the border of the network, and deliveries
    Nodes,    ///< in addition, events at the node: the lines `create`, `send` and `receive`; the network also records
              ///< its activity
    Everything,  ///< in addition, the waits of packets
  };

  /// \param payload_words number of 64-bit words in a flit
  explicit event_log(unsigned payload_words = 1, detail level_of_detail = detail::Network)
      : m_words(payload_words), m_detail(level_of_detail) {}

  void created(const weft::packet& p) override;
  void sent(weft::packet_id id, weft::node_id node, weft::cycle_t cycle) override;
  void received(const weft::flit_event& e, const std::uint64_t* payload) override;
  void injected(const weft::flit_event& e, const weft::header&) override;
  void ejected(const weft::flit_event& e, const std::uint64_t* payload) override;
  bool needs_waits() const override { return m_detail == detail::Everything; }
  bool needs_activity() const override { return m_detail != detail::Network; }
  void waited(weft::packet_id id, const weft::router_waits& waits, weft::cycle_t left) override;
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) override;

  /// Returns the events of all cycles before \p end.
  std::string text(weft::cycle_t end = weft::Never) const;
  /// Returns the events of all cycles before \p end and removes them, so that a run can be compared piece by piece.
  std::string pop(weft::cycle_t end);
  /// Number of all events, including those that were removed.
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
  std::map<weft::packet_id, std::string> m_waits;  ///< waits of the packets that are not delivered yet
  std::size_t m_removed = 0;
};

/// Returns the number of the first line in which two texts differ, with both lines. Returns an empty string if the
/// texts are equal.
std::string first_difference(const std::string& a, const std::string& b);
