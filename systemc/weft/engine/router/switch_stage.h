// SPDX-License-Identifier: Apache-2.0
/// Switch allocation and switch traversal in a region: selects the flits that leave, and sends them and their credits.
///
/// With few events, the requesting VCs and then the granted VCs are processed one by one (sparse_switch). With many
/// events, all routers are processed together (dense_switch), and flits leave through channel bundles. Both give the
/// same results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weft/core/types.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/dense_switch.h"
#include "weft/engine/decisions/sparse_switch.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/in_flight.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/vc_flow_state.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class switch_stage {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using region_t = region<RouterVcs, Shift>;

  switch_stage(const fabric_parameters& fabric, numbers number, in_flight<RouterVcs>& channels)
      : m_number(number),
        m_ports(fabric.ports),
        m_stages(fabric.stages),
        m_longest(fabric.longest),
        m_uniform(fabric.uniform),
        m_fits_dense(RouterVcs == 32 && fabric.ports <= dense_switch::MaxPorts && number.stride() == dense_switch::Vcs),
        m_channels(channels),
        m_sparse(number, fabric.ports) {}

  /// Groups the channels of a region into bundles. To be called when its channels are known.
  void build_channel_bundles(region_t& region) const {
    if constexpr (RouterVcs == 32) {
      if (!m_fits_dense) return;
      region.of_flits.emplace_back(region.flits, m_vectors);
      region.of_credits.emplace_back(region.credits, m_vectors);
    }
  }

  /// Selects the input VCs that send in this cycle.
  void allocate(region_t& region) {
    vc_flow_state<RouterVcs>& flow = region.flow;
    if (flow.may_send == 0) return;
    if (!region.is_dense) {
      m_sparse.allocate(flow.may_send, flow.occupied, flow.able, region.held.data(), region.pointers);
    } else if constexpr (RouterVcs == 32) {
      region.dense.allocate(flow.occupied, flow.able, flow.ending, region.size, m_ports, m_leaving);
    }
  }

  /// The selected VCs whose flits have not been sent yet: a list of input VCs of the region. If the region uses
  /// dense_switch, they are sets by router instead.
  const bounded_list<std::uint16_t>& winners() const { return m_sparse.granted(); }
  const typename numbers::sets& dense_winners() const { return m_leaving.winners; }

  /// Sends the flits of the selected VCs in cycle \p now.
  void move(region_t& region, cycle_t now) {
    if (region.flow.may_send == 0 || (!region.is_dense && m_sparse.granted().size() == 0)) return;
    std::uint64_t senders = ~std::uint64_t{0} >> (RegionRouters - region.size);
    if (region.is_dense)
      send_together(region, now);
    else
      senders = run_on_bits(m_vectors, [this, &region, now](auto) {
        return m_uniform ? send<true>(region, now) : send<false>(region, now);
      });
    m_channels.expect_credits_until(now + 1 + m_longest + 1);
    if (region.parking != 0) note_freed(region);
    if (region.flow.depart(m_leaving, senders)) region.note_credits();
  }

  /// The regions that changed to dense_switch here, minus those that changed back, modulo 2^64. The sum over the
  /// switch stages of all threads is the number of regions that use dense_switch.
  std::size_t dense_regions() const { return m_dense_regions; }

  /// Updates the state for a packet that went from VC \p in of the region to VC \p out and has left, but was not
  /// simulated.
  void note_passed(region_t& region, unsigned in, unsigned out) const {
    const unsigned shift = m_number.shift(), in_index = in & VcIndexMask, out_index = out & VcIndexMask;
    if (!region.is_dense) return region.pointers.pass(in_index, in >> shift, out_index, out >> shift, shift);
    const unsigned router = in >> VcIndexBits, in_port = in_index >> shift, out_port = out_index >> shift;
    dense_switch::pointers of_input = region.dense.pointers_of(router, in_port);
    of_input.output_of_input = out_port + 1;
    of_input.vc_of_input = (in_index & m_number.stride_mask()) + 1;
    region.dense.set_pointers(router, in_port, of_input);
    dense_switch::pointers of_output = region.dense.pointers_of(router, out_port);
    of_output.input_of_output = in_port + 1;
    region.dense.set_pointers(router, out_port, of_output);
  }

  /// Ends a cycle of a region. At regular intervals, selects the switch implementation that would have been faster in
  /// the past interval.
  void end_cycle(region_t& region) {
    if (++region.cycles == CyclesOfForm) choose_form(region);
  }

 private:
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;
  static constexpr unsigned CyclesOfForm = 256;  ///< interval in cycles at which a region re-evaluates its
                                                 ///< implementation
  static constexpr std::uint64_t MuchFlits = 2;  ///< number of flits per cycle in a region above which vectors are
                                                 ///< faster

  [[gnu::noinline]] void choose_form(region_t& region) {
    const bool was_dense = region.is_dense;
    const std::uint64_t sent = region.sent_in_all(), sent_now = sent - std::exchange(region.sent_then, sent);
    region.is_dense = m_fits_dense && sent_now >= CyclesOfForm * region.size * region.dense.worthwhile();
    region.flow.expects_much = region.is_dense || sent_now >= CyclesOfForm * MuchFlits;
    region.cycles = 0;
    if (was_dense == region.is_dense) return;
    was_dense ? --m_dense_regions : ++m_dense_regions;
    region.dense.clear();
    for (unsigned i = 0; i < region.size; ++i) was_dense ? copy_from_dense(region, i) : copy_to_dense(region, i);
  }

  /// Copies the pointers of router \p i.
  void copy_from_dense(region_t& region, unsigned i) const {
    for (unsigned port = 0; port < m_ports; ++port) {
      const unsigned first = port << m_number.shift(), p = (i << VcIndexBits | first) >> m_number.shift();
      const dense_switch::pointers now = region.dense.pointers_of(i, port);
      region.pointers.at[p] = {to_byte(first + now.vc_of_input), to_byte(now.output_of_input),
                               to_byte(now.input_of_output)};
    }
  }
  /// Copies the pointers and the held output VCs of router \p i.
  void copy_to_dense(region_t& region, unsigned i) const {
    for (unsigned port = 0; port < m_ports; ++port) {
      const unsigned first = port << m_number.shift(), p = (i << VcIndexBits | first) >> m_number.shift();
      const auto from = region.pointers.at[p];
      region.dense.set_pointers(
          i, port, {value(from.output_of_input), value(from.vc_of_input_port) - first, value(from.input_of_output)});
    }
    for_each_vc(region.flow.holding[i], [&](unsigned vc_index) {
      region.dense.hold(i, vc_index, value(region.held[i << VcIndexBits | vc_index].output));
    });
  }

  /// Marks those routers with parked input VCs in which output VCs become free.
  void note_freed(region_t& region) const {
    const std::uint64_t freed = which_have_any(m_leaving.ended_outputs.data()) & region.parking;
    for_each_of(freed, [&](unsigned i) {
      region.freed_output_vcs[i] = region.freed_output_vcs[i] | m_leaving.ended_outputs[i];
    });
    region.freed |= freed;
  }

  /// Sends the flits in m_leaving, which `dense` has selected.
  void send_together(region_t& region, cycle_t now) {
    if constexpr (RouterVcs == 32) {
      region.of_flits.front().carry(m_leaving, m_leaving.sent, region.flits, m_channels.flits, now);
      region.of_credits.front().carry(m_leaving, m_leaving.winners, region.credits, m_channels.credits, now);
    }
  }

  /// Sends the flits that `m_sparse` has selected, one by one.
  /// \tparam Uniform whether all channels have the same latency
  /// \return the routers that sent flits
  template <bool Uniform>
  std::uint64_t send(region_t& region, cycle_t now) {
    std::uint64_t senders = 0;
    departures<RouterVcs>& leaving = m_leaving;
    const unsigned port_shift = m_number.shift(), vc_mask = m_number.stride_mask();
    auto flits = m_channels.flits.at(now + 1 + m_stages + m_longest);
    auto credits = m_channels.credits.at(now + 1 + m_longest);
    for (const std::uint16_t in : m_sparse.granted()) {
      const unsigned i = in >> VcIndexBits, in_index = in & VcIndexMask;
      const unsigned out_index = value(region.held[in].output), out = (in & ~VcIndexMask) + out_index;
      const unsigned in_port = in >> port_shift, out_port = out >> port_shift;
      const vc_id to = region.flits.to[out_port] + (out_index & vc_mask);
      if constexpr (!Uniform) flits = m_channels.flits.at(now + region.flits.cycles[out_port]);
      flits.insert(to >> VcIndexBits, to & VcIndexMask);
      const vc_id freed = region.credits.to[in_port] + (in_index & vc_mask);
      if constexpr (!Uniform) credits = m_channels.credits.at(now + region.credits.cycles[in_port]);
      credits.insert(freed >> VcIndexBits, freed & VcIndexMask);

      senders |= std::uint64_t{1} << i;
      leaving.winners[i].insert(in_index);
      leaving.sent[i].insert(out_index);
      leaving.ended_outputs[i].insert_if(region.flow.ending[i].contains(in_index), out_index);
      region.pointers.pass(in_index, in_port, out_index, out_port, port_shift);
    }
    m_sparse.clear();
    return senders;
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const unsigned m_ports, m_stages, m_longest;
  const bool m_uniform;
  const bool m_fits_dense;  ///< whether dense_switch supports these routers
  in_flight<RouterVcs>& m_channels;
  sparse_switch<RouterVcs, Shift> m_sparse;
  departures<RouterVcs> m_leaving;
  std::size_t m_dense_regions = 0;
};

}  // namespace weft::engine
