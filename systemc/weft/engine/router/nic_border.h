// SPDX-License-Identifier: Apache-2.0
/// The interface between routers and NICs. It transfers flits and credits in both directions.
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

  /// Adds the next NIC port. It is connected to the router port whose VC 0 is \p first.
  /// \return the number of the NIC port
  nic_port add(vc_id first) {
    const auto port = static_cast<nic_port>(m_inlets.size());
    m_nic_at[first >> m_number.shift()] = port;
    m_inlets.push_back({first, {}});
    return port;
  }

  /// The input VC of the router that receives the flits of \p nic, a VC of a NIC port.
  vc_id inlet_of(nic_port_vc nic) const { return m_inlets[nic.port()].first + nic.vc(); }
  /// The VC of a NIC port at the other end of \p id, a VC of a router.
  nic_port_vc nic_at(vc_id id) const {
    return {m_nic_at[id >> m_number.shift()] << nic_port_vc::VcBits | (id & m_number.stride_mask())};
  }

  bool is_nic(vc_id id) const { return id >= m_first; }
  /// Converts the id of a router's VC to the id of the NIC's VC at the other end of the channel (nic_of_router), and
  /// back.
  vc_id nic_of_router(vc_id id) const { return id + m_first; }
  vc_id router_of_nic(vc_id id) const { return id - m_first; }
  /// VC 0 of the router port to which NIC port \p port is connected.
  vc_id inlet_of(nic_port port) const { return m_inlets[port].first; }
  /// The FIFO of VC 0 of a NIC port. The FIFOs of its other VCs follow.
  vc_id fifo_of(nic_port port) const { return m_first + (port << m_number.shift()); }

  /// Sends a flit from NIC port \p from to its router, where it arrives in \p cycle.
  /// \param drained whether all credits of the VC were back before this flit was sent
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

  /// Returns a credit for VC \p vc of the ejection buffer of \p from to its router, which can use it from \p cycle on.
  void return_credit(nic_port from, unsigned vc, cycle_t cycle) {
    const vc_id first = m_inlets[from].first;
    m_channels.credits.at(cycle).insert(first >> VcIndexBits, (first + vc) & VcIndexMask);
    m_channels.expect_credits_until(cycle + 1);
  }

  /// Whether flits or credits may reach NICs in \p cycle.
  bool has_events(cycle_t cycle) const {
    bool found = false;
    m_channels.for_each_thread([&](const in_flight<RouterVcs>& channels) {
      found |= channels.flits.may_have_events(cycle, m_regions, 2 * m_regions) ||
               channels.credits.may_have_events(cycle, m_regions, 2 * m_regions);
    });
    return found;
  }

  /// Collects the flits and the credits that reach NICs in \p cycle; ejected() returns the flits. The results of the
  /// previous call are discarded.
  /// \param note_flit      is called with the VC (nic_port_vc) of every flit
  /// \param receive_credit is called with the VC (nic_port_vc) of every credit
  template <typename F, typename C>
  void receive(cycle_t cycle, F note_flit, C receive_credit) {
    clear_ejected();
    if (!has_events(cycle)) return;
    for (std::size_t number = 0; number < m_regions; ++number) {
      consume(m_channels.pop_flits(m_regions + number, cycle), number, [&](nic_port_vc nic) {
        note_flit(nic);
        m_ejected.push({nic, arriving(nic)});
      });
    }
    for (std::size_t number = 0; number < m_regions; ++number)
      consume(m_channels.pop_credits(m_regions + number, cycle), number, receive_credit);
  }

  /// The flits that reach NICs in this cycle.
  const bounded_list<moving_flit>& ejected() const { return m_ejected; }
  void clear_ejected() {
    m_inside -= m_ejected.size();
    m_ejected.clear();
  }

  /// Number of flits that have been injected and have not reached a NIC yet.
  std::uint64_t inside() const { return m_inside; }

 private:
  using set = typename numbers::set;
  using slot_index = typename numbers::slot_index;
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;

  /// The input port of a router at which the flits of a NIC port arrive.
  struct inlet {
    vc_id first;                              ///< id of VC 0 of the port
    std::array<slot_index, MaxVcs> newest{};  ///< by VC: slot of the last head that was sent there
  };

  /// Calls \p f(VC of a NIC port) for all events at the NICs of region \p number.
  template <typename F>
  void consume(const region_events<RouterVcs>& events, std::size_t number, F f) const {
    const bool are_all_marked = events.touched == ~std::uint64_t{0};
    for_each_of(are_all_marked ? which_have_any(events.sets) : events.touched, [&](unsigned i) {
      const vc_id router = static_cast<vc_id>(number * RegionRouters + i) << VcIndexBits;
      for_each_vc(std::exchange(events.sets[i], set()), [&](unsigned vc_index) { f(nic_at(router | vc_index)); });
    });
  }

  /// Returns the flit that arrives at a VC of a NIC port.
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
  const vc_id m_first;                   ///< id of the first VC of NICs, and number of the FIFO of VC 0 of the first
                                         ///< NIC port
  std::vector<std::uint32_t> m_to_come;  ///< by VC of NIC ports: number of flits of the arriving packet that have not
                                         ///< arrived
  std::vector<nic_port> m_nic_at;        ///< by router port
  large_array<inlet> m_inlets;           ///< by NIC port
  bounded_list<moving_flit> m_ejected;   ///< flits that arrive in this cycle
  std::uint64_t m_inside = 0;
};

}  // namespace weft::engine
