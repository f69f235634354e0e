// SPDX-License-Identifier: Apache-2.0
/// A plain bus for comparison with networks: one transfer at a time. Its sockets have the names of those of weft::noc.
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "weft/tlm/address_map.h"

/// A transfer takes one cycle for its address and one for every four bytes, and holds the bus until its target has
/// responded. The order in which waiting initiators get the bus is not fixed.
class bus final : public sc_core::sc_module {
 public:
  using target_socket = tlm_utils::passthrough_target_socket_tagged_optional<bus, 32>;
  using initiator_socket = tlm_utils::simple_initiator_socket_tagged_optional<bus, 32>;
  sc_core::sc_vector<target_socket> from_initiator;
  sc_core::sc_vector<initiator_socket> to_target;

  bus(const sc_core::sc_module_name& name, unsigned nodes, std::vector<weft::tlm2::mapped_range> map,
      const sc_core::sc_time& period)
      : sc_module(name),
        from_initiator("from_initiator", nodes),
        to_target("to_target", nodes),
        m_map(std::move(map), nodes),
        m_period(period) {
    for (int n = 0; n < static_cast<int>(nodes); ++n) {
      const auto i = static_cast<std::size_t>(n);
      from_initiator[i].register_b_transport(this, &bus::transport, n);
      from_initiator[i].register_get_direct_mem_ptr(this, &bus::give_pointer, n);
      to_target[i].register_invalidate_direct_mem_ptr(this, &bus::invalidate, n);
    }
  }

 private:
  /// Holds the bus for one access. It also frees the bus if the target throws, or if the initiator's thread is reset or
  /// killed.
  class use_of_bus {
   public:
    use_of_bus(bus& b, tlm::tlm_generic_payload& t) : m_bus(b), m_t(t), m_address(t.get_address()) { b.m_busy = true; }
    ~use_of_bus() {
      m_t.set_address(m_address);
      m_bus.m_busy = false;
      m_bus.m_free.notify();
    }
    use_of_bus(const use_of_bus&) = delete;
    use_of_bus& operator=(const use_of_bus&) = delete;

   private:
    bus& m_bus;
    tlm::tlm_generic_payload& m_t;
    const std::uint64_t m_address;
  };

  sc_core::sc_time duration(const tlm::tlm_generic_payload& t) const {
    const unsigned words = (t.get_data_length() + 3) / 4;
    return m_period * (1 + words);
  }

  void transport(int, tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    const weft::tlm2::mapped_range* const where = m_map.find(t.get_address());
    if (where == nullptr) return t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    while (m_busy) sc_core::wait(m_free);
    const use_of_bus use(*this, t);
    t.set_address(t.get_address() - where->base);
    sc_core::sc_time taken = duration(t);
    to_target[where->node]->b_transport(t, taken);
    sc_core::wait(taken);
  }

  bool give_pointer(int, tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
    const weft::tlm2::mapped_range* const where = m_map.find(t.get_address());
    if (where == nullptr || !to_target[where->node]->get_direct_mem_ptr(t, dmi)) return false;
    dmi.set_start_address(where->base + dmi.get_start_address());
    dmi.set_end_address(where->base + dmi.get_end_address());
    dmi.set_read_latency(dmi.get_read_latency() + m_period * 2 / 4);  // a byte's share of address and word
    dmi.set_write_latency(dmi.get_write_latency() + m_period * 2 / 4);
    return true;
  }

  void invalidate(int node, sc_dt::uint64 first, sc_dt::uint64 last) {
    for (const weft::tlm2::mapped_range& r : m_map.mapped_ranges())
      if (static_cast<int>(r.node) == node)
        for (auto& initiator : from_initiator)
          if (initiator.get_base_port().bind_count() > 0)
            initiator->invalidate_direct_mem_ptr(r.base + first, r.base + last);
  }

  const weft::tlm2::address_map m_map;
  const sc_core::sc_time m_period;
  bool m_busy = false;
  sc_core::sc_event m_free{"free"};
};
