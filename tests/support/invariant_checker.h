// SPDX-License-Identifier: Apache-2.0
/// A network_observer that checks the delivery invariants of every network.
#pragma once

#include "support/network_case.h"
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/core/network_observer.h"

/// Records the first violation of an invariant. The invariants hold at the border of every network, whatever its
/// parameters are:
/// - A packet enters once, with its flits in sequence and on one VC, and not before its creation. A channel carries at
///   most one flit per cycle. If each node has one channel, packets enter one after the other and in the order of their
///   creation, separately for urgent and ordinary packets.
/// - A packet stays on the VCs of its class.
/// - A packet has the number of flits in its header in the network: its length at creation, or fewer if it is
///   compressed.
/// - A packet is delivered once and completely, and only at its destination: first its flits in sequence and on one VC,
///   then the flits of its message in sequence. The payload equals that of the source, bit for bit, except for bits
///   that LSB-cut removes. The report at its tail contains its source, destination, length and time of creation. The
///   packet has passed the routers of a shortest path, or more if the routing is not minimal. Its latency is not lower
///   than in an empty network on a path of this number of routers.
/// - On one VC of one ejection channel, packets arrive one after the other, never interleaved. If ejection is buffered,
///   this holds across all VCs of the channel.
/// - Two packets from one node to another may overtake each other, even if they are injected on the same VC, because
///   each selects a free VC at every hop. If there is one VC, and one channel per node, they cannot, and arrive in the
///   order of their creation.
class invariant_checker final : public weft::network_observer {
 public:
  explicit invariant_checker(const network_case& c) : m_case(c) { find_distances(); }
  /// Sets the source of the expected payload. To be called before the first event.
  void watch(const weft::packet_source& source) { m_source = &source; }

  void created(const weft::packet& p) override;
  void injected(const weft::flit_event& e, const weft::header&) override;
  void ejected(const weft::flit_event& e, const std::uint64_t* payload) override;
  void received(const weft::flit_event& e, const std::uint64_t* payload) override;
  void delivered(const weft::packet& p, weft::cycle_t cycle, std::uint32_t routers) override;

  /// Returns a description of the first violation, or an empty string.
  const std::string& broken() const { return m_broken; }

  std::uint64_t packets_created() const { return m_packets.size(); }
  std::uint64_t packets_delivered() const { return m_delivered; }
  std::uint64_t flits_injected() const { return m_injected; }
  std::uint64_t flits_ejected() const { return m_ejected; }
  /// Number of router outputs that the flits of all delivered packets have passed.
  std::uint64_t flit_hops() const { return m_flit_hops; }
  /// Number of router outputs that the flits of all created but not yet delivered packets will pass. If routing is not
  /// minimal, it is an upper bound.
  std::uint64_t flit_hops_due() const;

 private:
  struct flight {
    weft::packet what;
    std::uint32_t travels = 0;  ///< its length in the network in flits, according to its header
    weft::codec form = weft::codec::Raw;
    std::uint32_t injected = 0;  ///< number of flits injected
    std::uint32_t ejected = 0;   ///< number of flits ejected
    std::uint32_t received = 0;  ///< number of flits of the message received
    std::uint32_t injection_vc = 0;
    std::uint32_t ejection_vc = 0;
    bool delivered = false;
  };
  /// The flits of a node, in one direction and in one cycle.
  struct traffic {
    weft::cycle_t cycle = 0;
    unsigned flits = 0;
  };

  bool require(bool condition, const char* violation, weft::cycle_t cycle, const weft::packet& p);
  std::vector<std::uint64_t> expected_payload(const flight& f, std::uint32_t sequence) const;
  void find_distances();
  std::uint32_t least_routers(weft::node_id a, weft::node_id b) const { return m_routers[a * m_case.nodes() + b]; }
  weft::cycle_t least_latency(const flight& f, std::uint32_t routers) const;
  bool is_of_class(std::uint32_t vc, const weft::packet& p) const {
    return vc / (m_case.router.vcs / m_case.router.classes) == p.message_class;
  }
  bool channel_is_free(std::unordered_map<weft::node_id, traffic>& counts, const weft::flit_event& e) const;

  const network_case m_case;
  std::vector<std::uint32_t> m_routers;  ///< by source and destination: number of routers on the shortest path
  std::uint32_t m_most_routers = 1;      ///< maximum of these numbers
  bool m_one_path = true;                ///< two packets with the same source and destination take the same path
  unsigned m_fastest_link = 1;
  const weft::packet_source* m_source = nullptr;
  std::string m_broken;
  std::unordered_map<weft::packet_id, flight> m_packets;
  std::unordered_map<weft::node_id, traffic> m_in, m_out;
  using urgent = bool;
  /// Packets that leave the node in the order of their creation, if the node has one port.
  using queue = std::tuple<weft::node_id, urgent, unsigned>;  ///< the last one is a queue of the node
  queue queue_of(const weft::packet& p) const {
    return {p.source, p.urgent, m_case.nic.queues == weft::source_queues::PerClass ? p.message_class : 0U};
  }
  std::map<queue, std::vector<weft::packet_id>> m_order;
  std::map<queue, std::size_t> m_next_to_enter;                                            ///< index into m_order
  std::map<std::pair<weft::node_id, std::uint32_t>, std::vector<weft::packet_id>> m_open;  ///< by node and VC: packets
                                                                                           ///< of which not all flits
                                                                                           ///< have arrived
  using pair_of_nodes = std::tuple<weft::node_id, weft::node_id, urgent>;
  std::map<pair_of_nodes, std::vector<weft::packet_id>> m_arrivals;  ///< by pair of nodes: packets in the order of
                                                                     ///< their creation
  std::map<pair_of_nodes, std::size_t> m_arrived;
  std::uint64_t m_delivered = 0, m_injected = 0, m_ejected = 0, m_flit_hops = 0;
};
