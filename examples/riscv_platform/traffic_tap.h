// SPDX-License-Identifier: Apache-2.0
/// Records the transactions between initiators and a network as a list of packets for `weft run`
/// (docs/02_user/packet_lists.md).
#pragma once

#include <cstdint>
#include <ostream>
#include <tlm>

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "weft/tlm/address_map.h"

/// Tap between one initiator and its socket of the network. Flits are those of docs/03_reference/tlm.md, with 64 bits.
/// A request is created when its transaction begins. A response is created after half of the time of the transaction,
/// because the exact time is not visible on this side of the network.
class traffic_tap final : public sc_core::sc_module {
 public:
  tlm_utils::passthrough_target_socket<traffic_tap, 32> from_initiator{"from_initiator"};
  tlm_utils::simple_initiator_socket<traffic_tap, 32> to_network{"to_network"};

  /// \param next_id number of the next packet; the taps of one list share it
  traffic_tap(const sc_core::sc_module_name& name, std::uint32_t node, const weft::tlm2::address_map& map,
              const sc_core::sc_time& period, std::ostream& list, std::uint64_t& next_id)
      : sc_module(name), m_node(node), m_map(map), m_period(period), m_list(list), m_next_id(next_id) {
    from_initiator.register_b_transport(this, &traffic_tap::transport);
    from_initiator.register_get_direct_mem_ptr(this, &traffic_tap::give_pointer);
    to_network.register_invalidate_direct_mem_ptr(this, &traffic_tap::invalidate);
  }

 private:
  void transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
    to_network->b_transport(t, delay);
    const weft::tlm2::mapped_range* const to = m_map.find(t.get_address());
    if (to == nullptr) return;  // it has not passed the network
    const sc_core::sc_time end = sc_core::sc_time_stamp() + delay;
    const unsigned words = (t.get_data_length() + 7) / 8;
    record(begin, m_node, to->node, 2 + (t.is_write() ? words : 0));
    record(begin + (end - begin) / 2, to->node, m_node, 1 + (t.is_read() && t.is_response_ok() ? words : 0));
  }

  void record(const sc_core::sc_time& created, std::uint32_t from, std::uint32_t to, unsigned flits) {
    m_list << m_next_id++ << ' ' << created.value() / m_period.value() << ' ' << from << ' ' << to << ' ' << flits
           << '\n';
  }

  bool give_pointer(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) { return to_network->get_direct_mem_ptr(t, dmi); }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { from_initiator->invalidate_direct_mem_ptr(first, last); }

  const std::uint32_t m_node;
  const weft::tlm2::address_map& m_map;
  const sc_core::sc_time m_period;
  std::ostream& m_list;
  std::uint64_t& m_next_id;
};
