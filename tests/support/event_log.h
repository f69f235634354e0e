// SPDX-License-Identifier: Apache-2.0
/// A network_observer that writes down every event: what is compared when two runs must agree.
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
    Network,     ///< what crosses the border of the network, and what is delivered
    Nodes,       ///< what happens at the node, too: lines `create`, `send`, `receive`
    Everything,  ///< and where packets waited
  };

  /// \p payload_words of a flit, of 64 bits.
  explicit event_log(unsigned payload_words = 1, detail wanted = detail::Network)
      : m_words(payload_words), m_detail(wanted) {}

  void created(const weft::packet& p) override;
  void sent(weft::packet_id id, weft::node_id node, weft::cycle_t cycle) override;
  void received(const weft::flit_event& e, const std::uint64_t* payload) override;
  void injected(const weft::flit_event& e, const weft::header&) override;
  void ejected(const weft::flit_event& e, const std::uint64_t* payload) override;
  bool wants_waits() const override { return m_detail == detail::Everything; }
  void waited(weft::packet_id id, const weft::router_waits& waits, weft::cycle_t left) override;
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) override;

  /// Events of cycles before \p end.
  std::string text(weft::cycle_t end = weft::Never) const;
  /// The same, and forgets them: to compare a run piece by piece.
  std::string take(weft::cycle_t end);
  /// All events, those taken among them.
  std::size_t events() const { return m_taken + m_entries.size(); }

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
  std::map<weft::packet_id, std::string> m_waits;  ///< of packets that have not been delivered
  std::size_t m_taken = 0;
};

/// Where two texts differ first: the line number and both lines. Empty where they do not.
std::string first_difference(const std::string& a, const std::string& b);
