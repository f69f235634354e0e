// SPDX-License-Identifier: Apache-2.0
/// Switch allocation and traversal in a region: which flits leave, and where they and their credits arrive.
///
/// Where little happens the lanes that ask, and then those that were granted the switch, are looked at one by one
/// (sparse_switch). Where much does, all routers are decided together (dense_switch), and what leaves goes through
/// cables. Which form is in use changes no result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weft/core/types.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/dense_switch.h"
#include "weft/engine/decisions/sparse_switch.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/in_flight.h"
#include "weft/engine/router/lane_flow.h"
#include "weft/engine/router/region.h"

namespace weft::engine {

template <unsigned Lanes, int Shift>
class switch_stage {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  using region_t = region<Lanes, Shift>;

  switch_stage(const fabric_parameters& fabric, numbers number, in_flight<Lanes>& channels)
      : m_number(number),
        m_ports(fabric.ports),
        m_stages(fabric.stages),
        m_longest(fabric.longest),
        m_uniform(fabric.uniform),
        m_fits_dense(Lanes == 32 && fabric.ports <= dense_switch::MaxPorts && number.stride() == dense_switch::Vcs),
        m_channels(channels),
        m_sparse(number, fabric.ports) {}

  /// The channels of a region are known now.
  void lay_cables(region_t& here) const {
    if constexpr (Lanes == 32) {
      if (!m_fits_dense) return;
      here.of_flits.emplace_back(here.flits, m_vectors);
      here.of_credits.emplace_back(here.credits, m_vectors);
    }
  }

  /// Chooses the lanes that send in this cycle.
  void allocate(region_t& here) {
    lane_flow<Lanes>& flow = here.flow;
    if (flow.may_send == 0) return;
    if (!here.is_dense) {
      m_sparse.allocate(flow.may_send, flow.occupied, flow.able, here.held.data(), here.pointers);
    } else if constexpr (Lanes == 32) {
      here.dense.allocate(flow.occupied, flow.able, flow.ending, here.size, m_ports, m_leaving);
    }
  }

  /// Those that were chosen and have not left: input lanes of the region; or, where it is dense, by router.
  const bounded_list<std::uint16_t>& winners() const { return m_sparse.granted(); }
  const typename numbers::sets& dense_winners() const { return m_leaving.winners; }

  /// The flits of those that were chosen leave in cycle \p now.
  void move(region_t& here, cycle_t now) {
    if (here.flow.may_send == 0 || (!here.is_dense && m_sparse.granted().size() == 0)) return;
    std::uint64_t senders = ~std::uint64_t{0} >> (RegionRouters - here.size);
    if (here.is_dense)
      send_together(here, now);
    else
      senders = run_on_bits(
          m_vectors, [this, &here, now](auto) { return m_uniform ? send<true>(here, now) : send<false>(here, now); });
    m_channels.expect_credits_until(now + 1 + m_longest + 1);
    if (here.parking != 0) note_freed(here);
    if (here.flow.depart(m_leaving, senders)) here.note_credits();
  }

  /// No region has the form for many lanes.
  bool all_sparse() const { return m_dense_regions == 0; }

  /// A packet has gone from lane \p in of the region to lane \p out, and is no longer there.
  void note_passed(region_t& here, unsigned in, unsigned out) const {
    const unsigned shift = m_number.shift(), in_lane = in & LaneMask, out_lane = out & LaneMask;
    if (!here.is_dense) return here.pointers.pass(in_lane, in >> shift, out_lane, out >> shift, shift);
    const unsigned router = in >> LaneBits, in_port = in_lane >> shift, out_port = out_lane >> shift;
    dense_switch::pointers of_input = here.dense.pointers_of(router, in_port);
    of_input.output_of_input = out_port + 1;
    of_input.vc_of_input = (in_lane & m_number.stride_mask()) + 1;
    here.dense.set_pointers(router, in_port, of_input);
    dense_switch::pointers of_output = here.dense.pointers_of(router, out_port);
    of_output.input_of_output = in_port + 1;
    here.dense.set_pointers(router, out_port, of_output);
  }

  /// Ends a cycle of a region. Once in a while it goes over to the form that would have been cheaper in the cycles
  /// past.
  void end_cycle(region_t& here) {
    if (++here.cycles == CyclesOfForm) choose_form(here);
  }

 private:
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;
  static constexpr unsigned CyclesOfForm = 256;  ///< after so many cycles a region looks at how much goes on in it
  static constexpr std::uint64_t MuchFlits = 2;  ///< a cycle: so many in a region make vectors worthwhile

  [[gnu::noinline]] void choose_form(region_t& here) {
    const bool was_dense = here.is_dense;
    const std::uint64_t sent = here.sent_in_all(), sent_now = sent - std::exchange(here.sent_then, sent);
    here.is_dense = m_fits_dense && sent_now >= CyclesOfForm * here.size * here.dense.worthwhile();
    here.flow.expects_much = here.is_dense || sent_now >= CyclesOfForm * MuchFlits;
    here.cycles = 0;
    if (was_dense == here.is_dense) return;
    was_dense ? --m_dense_regions : ++m_dense_regions;
    here.dense.let_all_go();
    for (unsigned i = 0; i < here.size; ++i) was_dense ? take_from_dense(here, i) : give_to_dense(here, i);
  }

  /// The pointers of router \p i go over.
  void take_from_dense(region_t& here, unsigned i) const {
    for (unsigned port = 0; port < m_ports; ++port) {
      const unsigned own = port << m_number.shift(), p = (i << LaneBits | own) >> m_number.shift();
      const dense_switch::pointers now = here.dense.pointers_of(i, port);
      here.pointers.at[p] = {to_byte(own + now.vc_of_input), to_byte(now.output_of_input),
                             to_byte(now.input_of_output)};
    }
  }
  /// The same, and which lanes hold what.
  void give_to_dense(region_t& here, unsigned i) const {
    for (unsigned port = 0; port < m_ports; ++port) {
      const unsigned own = port << m_number.shift(), p = (i << LaneBits | own) >> m_number.shift();
      const auto from = here.pointers.at[p];
      here.dense.set_pointers(
          i, port, {value(from.output_of_input), value(from.lane_of_input) - own, value(from.input_of_output)});
    }
    for_each_lane(here.flow.holding[i],
                  [&](unsigned lane) { here.dense.hold(i, lane, value(here.held[i << LaneBits | lane].output)); });
  }

  /// Output VCs come free where input lanes are parked.
  void note_freed(region_t& here) const {
    const std::uint64_t freed = which_have_any(m_leaving.ended_outputs.data()) & here.parking;
    for_each_of(freed, [&](unsigned i) { here.freed_lanes[i] = here.freed_lanes[i] | m_leaving.ended_outputs[i]; });
    here.freed |= freed;
  }

  /// Those that `dense` has chosen: they stand in m_leaving.
  void send_together(region_t& here, cycle_t now) {
    if constexpr (Lanes == 32) {
      here.of_flits.front().carry(m_leaving, m_leaving.sent, here.flits, m_channels.flits, now);
      here.of_credits.front().carry(m_leaving, m_leaving.winners, here.credits, m_channels.credits, now);
    }
  }

  /// Those that `m_sparse` has chosen, one by one.
  /// \tparam Uniform all channels take as long
  /// \return the routers that sent something
  template <bool Uniform>
  std::uint64_t send(region_t& here, cycle_t now) {
    std::uint64_t senders = 0;
    departures<Lanes>& leaving = m_leaving;
    const unsigned port_shift = m_number.shift(), vc_mask = m_number.stride_mask();
    auto flits = m_channels.flits.at(now + 1 + m_stages + m_longest);
    auto credits = m_channels.credits.at(now + 1 + m_longest);
    for (const std::uint16_t in : m_sparse.granted()) {
      const unsigned i = in >> LaneBits, in_lane = in & LaneMask;
      const unsigned out_lane = value(here.held[in].output), out = (in & ~LaneMask) + out_lane;
      const unsigned in_port = in >> port_shift, out_port = out >> port_shift;
      const lane_id to = here.flits.to[out_port] + (out_lane & vc_mask);
      if constexpr (!Uniform) flits = m_channels.flits.at(now + here.flits.cycles[out_port]);
      flits.insert(to >> LaneBits, to & LaneMask);
      const lane_id freed = here.credits.to[in_port] + (in_lane & vc_mask);
      if constexpr (!Uniform) credits = m_channels.credits.at(now + here.credits.cycles[in_port]);
      credits.insert(freed >> LaneBits, freed & LaneMask);

      senders |= std::uint64_t{1} << i;
      leaving.winners[i].insert(in_lane);
      leaving.sent[i].insert(out_lane);
      leaving.ended_outputs[i].insert_if(here.flow.ending[i].contains(in_lane), out_lane);
      here.pointers.pass(in_lane, in_port, out_lane, out_port, port_shift);
    }
    m_sparse.clear();
    return senders;
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const unsigned m_ports, m_stages, m_longest;
  const bool m_uniform;
  const bool m_fits_dense;  ///< dense_switch can do it
  in_flight<Lanes>& m_channels;
  sparse_switch<Lanes, Shift> m_sparse;
  departures<Lanes> m_leaving;
  std::size_t m_dense_regions = 0;
};

}  // namespace weft::engine
