// SPDX-License-Identifier: Apache-2.0
/// A hart behind a TLM-2.0 socket. An instruction takes one clock cycle plus the time of its accesses.
#pragma once

#include "memory_map.h"
#include "rv32im.h"
#include <cstdint>
#include <string>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

/// It runs ahead of the simulated time by up to the global quantum. Before and after an access to a device it
/// synchronizes, so that devices and interrupt wires have no time offset.
class processor final : public sc_core::sc_module, private hart_bus {
 public:
  tlm_utils::simple_initiator_socket<processor, 32> socket{"socket"};
  sc_core::sc_in<bool> software_i{"software_i"}, timer_i{"timer_i"}, external_i{"external_i"};

  /// \param dmi whether to request DMI pointers if a target offers them
  processor(const sc_core::sc_module_name& name, std::uint32_t id, const sc_core::sc_time& period, bool dmi);

  void start_at(std::uint32_t address) { m_hart.start_at(address); }
  const rv32im& hart() const { return m_hart; }
  /// Accesses that went through the socket, and those by pointers.
  std::uint64_t transactions() const { return m_transactions; }
  std::uint64_t direct_accesses() const { return m_direct_accesses; }

 private:
  void run();
  void synchronise();
  void sample_wires();

  bool fetch(std::uint32_t address, std::uint32_t& value) override;
  bool load(std::uint32_t address, unsigned bytes, std::uint32_t& value) override;
  bool store(std::uint32_t address, unsigned bytes, std::uint32_t value) override;
  std::uint64_t cycles() const override;

  bool access(tlm::tlm_command command, std::uint32_t address, unsigned bytes, std::uint32_t& value);
  bool access_directly(tlm::tlm_command command, std::uint32_t address, unsigned bytes, std::uint32_t& value);
  void request_dmi();
  void invalidate_pointers(sc_dt::uint64 first, sc_dt::uint64 last);

  const sc_core::sc_time m_period;
  const bool m_dmi;
  rv32im m_hart;
  tlm_utils::tlm_quantumkeeper m_keeper;
  tlm::tlm_generic_payload m_transaction;
  std::vector<tlm::tlm_dmi> m_pointers;
  std::uint64_t m_transactions = 0, m_direct_accesses = 0;
};
