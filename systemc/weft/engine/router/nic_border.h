// SPDX-License-Identifier: Apache-2.0
/// The interface between routers and NICs: flits and credits in both directions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/router_vc_set.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/in_flight.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class nic_border {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using view = typename head_fifos<RouterVcs, Shift>::view;

  nic_border(const fabric_parameters& fabric, numbers number, view fifos, in_flight<RouterVcs>& channels,
             const packet_pool& packets)
      : m_number(number),
        m_fifos(fifos),
        m_channels(channels),
        m_packets(packets),
        m_regions(fabric.first_nic / RegionRouters),
        m_first(fabric.first_nic << VcIndexBits),
        m_to_come(fabric.nic_ports << number.shift()),
        m_nic_at((std::size_t{fabric.first_nic} << VcIndexBits) >> number.shift()),
        m_ejected(fabric.nic_ports) {}

  /// Adds the next NIC port, which is connected to the router port whose VC 0 is \p first.
  /// \return its number
  nic_port add(vc_id first) {
    const auto port = static_cast<nic_port>(m_inlets.size());
    m_nic_at[first >> m_number.shift()] = port;
    m_inlets.push_back({first, {}});
    return port;
  }

  /// The input VC of the router that receives the flits of a NIC port's VC.
  vc_id inlet_of(nic_port_vc nic) const { return m_inlets[nic.port()].first + nic.vc(); }
  /// The NIC port's VC at the other end of a router's VC.
  nic_port_vc nic_at(vc_id id) const {
    return {m_nic_at[id >> m_number.shift()] << nic_port_vc::VcBits | (id & m_number.stride_mask())};
  }

  bool is_nic(vc_id id) const { return id >= m_first; }
  /// The id of a NIC's VC, from the id of the router's VC at the other end of the channel, and back.
  vc_id nic_of_router(vc_id id) const { return id + m_first; }
  vc_id router_of_nic(vc_id id) const { return id - m_first; }
  /// VC 0 of the router port that a NIC port is connected to.
  vc_id inlet_of(nic_port port) const { return m_inlets[port].first; }
  /// The FIFO of VC 0 of a NIC port; those of the other VCs follow.
  vc_id fifo_of(nic_port port) const { return m_first + (port << m_number.shift()); }

  /// The flit arrives at the router of NIC port \p from in \p cycle.
  /// \param drained all credits of the VC were back before this flit was sent
  void inject(nic_port from, unsigned vc, stored_flit flit, cycle_t cycle, bool drained) {
    ++m_inside;
    inlet& at = m_inlets[from];
    if (flit.head()) {
      requesting_head<slot_index> head;
      head.flit = flit;
      m_fifos.find_slot(head, at.first + vc, drained, at.newest[vc]);
      view::write(head);
    }
    m_channels.flits.at(cycle).insert(at.first >> VcIndexBits, (at.first + vc) & VcIndexMask);
  }

  /// Returns a credit for VC \p vc of the ejection buffer to the router of \p from, usable from \p cycle on.
  void return_credit(nic_port from, unsigned vc, cycle_t cycle) {
    const vc_id first = m_inlets[from].first;
    m_channels.credits.at(cycle).insert(first >> VcIndexBits, (first + vc) & VcIndexMask);
    m_channels.expect_credits_until(cycle + 1);
  }

  /// Whether flits or credits may reach NICs in \p cycle.
  bool has_events(cycle_t cycle) const {
    const auto flits = m_channels.flits.at(cycle), credits = m_channels.credits.at(cycle);
    std::uint64_t touched = 0;
    for (std::size_t i = m_regions; i < 2 * m_regions; ++i) touched |= flits.touched[i] | credits.touched[i];
    return touched != 0;
  }

  /// Collects the flits, for ejected(), and credits that reach NICs in \p cycle, and discards the previous ones.
  /// \param note_flit, receive_credit called with the VC (nic_port_vc) of every flit and of every credit
  template <typename F, typename C>
  void receive(cycle_t cycle, F note_flit, C receive_credit) {
    clear_ejected();
    if (!has_events(cycle)) return;
    consume(m_channels.flits.at(cycle), [&](nic_port_vc nic) {
      note_flit(nic);
      m_ejected.push({nic, arriving(nic)});
    });
    consume(m_channels.credits.at(cycle), receive_credit);
  }

  /// Flits that reach NICs in this cycle.
  const bounded_list<moving_flit>& ejected() const { return m_ejected; }
  void clear_ejected() {
    m_inside -= m_ejected.size();
    m_ejected.clear();
  }

  /// Number of flits that have been injected and have not reached a NIC.
  std::uint64_t inside() const { return m_inside; }

 private:
  using set = typename numbers::set;
  using slot_index = typename numbers::slot_index;
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;

  /// The router input at which a NIC's flits arrive.
  struct inlet {
    vc_id first;                              ///< VC id of VC 0
    std::array<slot_index, MaxVcs> newest{};  ///< slots of the last heads sent there
  };

  /// Calls \p f(VC of a NIC port) for all events at NICs.
  template <typename F>
  void consume(const typename set_wheel<RouterVcs>::cycle_events& events, F f) const {
    for (std::size_t number = 0; number < m_regions; ++number) {
      set* const sets_there = &events.sets[(m_regions + number) * RegionRouters];
      std::uint64_t touched = events.pop_touched(m_regions + number);
      if (touched == ~std::uint64_t{0}) touched = which_have_any(sets_there);
      for_each_of(touched, [&](unsigned i) {
        const vc_id router = static_cast<vc_id>(number * RegionRouters + i) << VcIndexBits;
        for_each_vc(std::exchange(sets_there[i], set()), [&](unsigned vc_index) { f(nic_at(router | vc_index)); });
      });
    }
  }

  /// The flit that arrives at a NIC.
  stored_flit arriving(nic_port_vc nic) {
    std::uint32_t& to_come = m_to_come[(nic.port() << m_number.shift()) + nic.vc()];
    const vc_id fifo = fifo_of(nic.port()) + nic.vc();
    if (to_come != 0) return m_fifos.last(fifo).next(--to_come == 0);
    const stored_flit head = m_fifos.front(fifo);
    view::pop(m_fifos.read[fifo]);
    if (!head.tail()) to_come = m_packets[head.packet()].travels - 1;
    return head;
  }

  const numbers m_number;
  const view m_fifos;
  in_flight<RouterVcs>& m_channels;
  const packet_pool& m_packets;
  const std::size_t m_regions;
  const vc_id m_first;                   ///< the first VC of NICs, and the FIFO of the first NIC port
  std::vector<std::uint32_t> m_to_come;  ///< by VC of NIC ports: flits of its packet that have not arrived
  std::vector<nic_port> m_nic_at;        ///< by router port
  large_array<inlet> m_inlets;           ///< by NIC port
  bounded_list<moving_flit> m_ejected;   ///< arrivals in this cycle
  std::uint64_t m_inside = 0;
};

}  // namespace weft::engine
