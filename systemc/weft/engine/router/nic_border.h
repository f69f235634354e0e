// SPDX-License-Identifier: Apache-2.0
/// The border between routers and NICs: flits that are injected, flits and credits that reach NICs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/lane_set.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/in_flight.h"

namespace weft::engine {

template <unsigned Lanes, int Shift>
class nic_border {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  using view = typename head_fifos<Lanes, Shift>::view;

  nic_border(const fabric_parameters& fabric, numbers number, view fifos, in_flight<Lanes>& channels,
             const packet_pool& packets)
      : m_number(number),
        m_fifos(fifos),
        m_channels(channels),
        m_packets(packets),
        m_regions(fabric.first_nic / RegionRouters),
        m_first(fabric.first_nic << LaneBits),
        m_to_come(fabric.nic_ports << number.shift()),
        m_nic_at((std::size_t{fabric.first_nic} << LaneBits) >> number.shift()),
        m_ejected(fabric.nic_ports) {}

  /// The next NIC port leads to the router's port whose lanes begin at \p first.
  /// \return its number
  nic_port add(lane_id first) {
    const auto port = static_cast<nic_port>(m_inlets.size());
    m_nic_at[first >> m_number.shift()] = port;
    m_inlets.push_back({first, {}});
    return port;
  }

  /// Where flits of a NIC port arrive in the router.
  lane_id inlet_of(nic_port_vc nic) const { return m_inlets[nic.port()].first + nic.vc(); }
  /// The NIC port's VC at the other end of a router's lane.
  nic_port_vc nic_at(lane_id lane) const {
    return {m_nic_at[lane >> m_number.shift()] << nic_port_vc::VcBits | (lane & m_number.stride_mask())};
  }

  bool is_nic(lane_id lane) const { return lane >= m_first; }
  /// The lane of a NIC, as seen from the lane of the router at the other end of the channel, and back.
  lane_id nic_of_router(lane_id lane) const { return lane + m_first; }
  lane_id router_of_nic(lane_id lane) const { return lane - m_first; }
  /// The FIFO of VC 0 of a NIC port; those of the other VCs follow.
  lane_id fifo_of(nic_port port) const { return m_first + (port << m_number.shift()); }

  /// The flit arrives in the router at \p from in \p cycle.
  /// \param settled all credits of the VC were back before this flit was sent
  void inject(nic_port from, unsigned vc, stored_flit flit, cycle_t cycle, bool settled) {
    ++m_inside;
    inlet& at = m_inlets[from];
    if (flit.head()) {
      asking_head<slot_index> head;
      head.flit = flit;
      m_fifos.find_slot(head, at.first + vc, settled, at.newest[vc]);
      view::write(head);
    }
    m_channels.flits.at(cycle).insert(at.first >> LaneBits, (at.first + vc) & LaneMask);
  }

  /// The router at \p from may use a slot of VC \p vc of its ejection buffer again, from \p cycle on.
  void return_credit(nic_port from, unsigned vc, cycle_t cycle) {
    const lane_id first = m_inlets[from].first;
    m_channels.credits.at(cycle).insert(first >> LaneBits, (first + vc) & LaneMask);
    m_channels.expect_credits_until(cycle + 1);
  }

  /// Something may reach NICs in \p cycle.
  bool has_events(cycle_t cycle) const {
    const auto flits = m_channels.flits.at(cycle), credits = m_channels.credits.at(cycle);
    std::uint64_t touched = 0;
    for (std::size_t i = m_regions; i < 2 * m_regions; ++i) touched |= flits.touched[i] | credits.touched[i];
    return touched != 0;
  }

  /// Finds what reaches NICs in \p cycle: flits, for ejected(), and credits. What reached them before is forgotten.
  /// \param note_flit, take_credit are called with the VC (nic_port_vc) of every flit and of every credit
  template <typename F, typename C>
  void receive(cycle_t cycle, F note_flit, C take_credit) {
    forget_ejected();
    if (!has_events(cycle)) return;
    take(m_channels.flits.at(cycle), [&](nic_port_vc nic) {
      note_flit(nic);
      m_ejected.push({nic, arriving(nic)});
    });
    take(m_channels.credits.at(cycle), take_credit);
  }

  /// Flits that reach NICs in this cycle.
  const bounded_list<moving_flit>& ejected() const { return m_ejected; }
  void forget_ejected() {
    m_inside -= m_ejected.size();
    m_ejected.clear();
  }

  /// Flits that have been injected and have not reached a NIC.
  std::uint64_t inside() const { return m_inside; }

 private:
  using set = typename numbers::set;
  using slot_index = typename numbers::slot_index;
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;

  /// Where a NIC's flits come into the router.
  struct inlet {
    lane_id first;                            ///< lane of VC 0
    std::array<slot_index, MaxVcs> newest{};  ///< slots of the last heads that were sent there
  };

  /// Calls \p f(NIC port's VC) for all events at NICs.
  template <typename F>
  void take(const typename set_wheel<Lanes>::cycle_events& events, F f) const {
    for (std::size_t number = 0; number < m_regions; ++number) {
      set* const sets_there = &events.sets[(m_regions + number) * RegionRouters];
      std::uint64_t touched = events.take_touched(m_regions + number);
      if (touched == ~std::uint64_t{0}) touched = which_have_any(sets_there);
      for_each_of(touched, [&](unsigned i) {
        const lane_id router = static_cast<lane_id>(number * RegionRouters + i) << LaneBits;
        for_each_lane(std::exchange(sets_there[i], set()), [&](unsigned lane) { f(nic_at(router | lane)); });
      });
    }
  }

  /// The flit that arrives at a NIC.
  stored_flit arriving(nic_port_vc nic) {
    std::uint32_t& to_come = m_to_come[(nic.port() << m_number.shift()) + nic.vc()];
    const lane_id fifo = fifo_of(nic.port()) + nic.vc();
    if (to_come != 0) return m_fifos.last(fifo).next(--to_come == 0);
    const stored_flit head = m_fifos.front(fifo);
    view::pop(m_fifos.read[fifo]);
    if (!head.tail()) to_come = m_packets[head.packet()].travels - 1;
    return head;
  }

  const numbers m_number;
  const view m_fifos;
  in_flight<Lanes>& m_channels;
  const packet_pool& m_packets;
  const std::size_t m_regions;
  const lane_id m_first;                 ///< the first lane of NICs, and the FIFO of the first NIC port
  std::vector<std::uint32_t> m_to_come;  ///< by VC of NIC ports: flits of its packet that have not arrived
  std::vector<nic_port> m_nic_at;        ///< by port of routers
  large_array<inlet> m_inlets;           ///< by NIC port
  bounded_list<moving_flit> m_ejected;   ///< in this cycle
  std::uint64_t m_inside = 0;
};

}  // namespace weft::engine
