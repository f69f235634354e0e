// SPDX-License-Identifier: Apache-2.0
/// The platform without its interconnect: cores with local memories, shared memory and devices on the nodes of a 3x3
/// mesh.
#pragma once

#include "devices.h"
#include "elf.h"
#include "processor.h"
#include "traffic_tap.h"
#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "weft/tlm/address_map.h"

struct platform_options {
  unsigned cores = 4;       ///< 1 to MostCores
  std::uint32_t size = 16;  ///< rows of the matrices; the program reads it from the system controller
  bool shared = false;      ///< programs and data lie in shared memory, and there is no DMA
  bool dmi = false;
  std::string traffic_file{};  ///< a list of packets; empty: none
};

/// Clock of cores and network.
inline const sc_core::sc_time ClockPeriod{1, sc_core::SC_NS};
inline constexpr unsigned Nodes = 9;

class platform {
 public:
  /// \throws std::runtime_error if the traffic file cannot be written
  platform(const platform_options& options, std::ostream& console);

  /// Loads a copy of \p program for each core into its local memory or into shared memory.
  /// \throws elf_error if it is linked for another address
  void load(const elf_program& program, const std::string& name);

  /// Address ranges, for a network.
  const std::vector<weft::tlm2::mapped_range>& map() const { return m_map.mapped_ranges(); }

  /// Binds all modules to the sockets of \p network.
  template <typename Interconnect>
  void connect(Interconnect& network) {
    for (unsigned c = 0; c < m_cores.size(); ++c) {
      connect_initiator(m_cores[c]->socket, CoreNodes[c], network);
      network.to_target[CoreNodes[c]].bind(m_locals[c]->socket);
    }
    connect_initiator(m_dma.master, DmaNode, network);
    network.to_target[SharedNode].bind(m_shared.socket);
    network.to_target[UartNode].bind(m_uart.socket);
    network.to_target[ControllerNode].bind(m_controller.socket);
    network.to_target[DmaNode].bind(m_dma.socket);
    network.to_target[MailboxNode].bind(m_mailbox.socket);
  }

  const std::vector<std::unique_ptr<processor>>& cores() const { return m_cores; }
  const system_controller& controller() const { return m_controller; }
  /// \throws std::runtime_error if the traffic file could not be written
  void finish_traffic();

 private:
  void connect_interrupts();
  /// Where the copy of core \p c begins.
  std::uint32_t program_base(unsigned c) const;
  template <typename Socket, typename Interconnect>
  void connect_initiator(Socket& socket, std::uint32_t node, Interconnect& network) {
    if (!m_traffic.is_open()) return socket.bind(network.from_initiator[node]);
    m_taps.push_back(std::make_unique<traffic_tap>(("tap_" + std::to_string(node)).c_str(), node, m_map, ClockPeriod,
                                                   m_traffic, m_next_packet));
    socket.bind(m_taps.back()->from_initiator);
    m_taps.back()->to_network.bind(network.from_initiator[node]);
  }

  const platform_options m_options;
  const weft::tlm2::address_map m_map;
  std::vector<std::unique_ptr<processor>> m_cores;
  std::vector<std::unique_ptr<memory>> m_locals;
  memory m_shared;
  uart m_uart;
  system_controller m_controller;
  mailbox m_mailbox{"mailbox"};
  dma_engine m_dma{"dma"};
  sc_core::sc_vector<sc_core::sc_signal<bool>> m_software{"software", MostCores}, m_timer{"timer", MostCores},
      m_external{"external", MostCores};
  std::ofstream m_traffic;
  std::uint64_t m_next_packet = 0;
  std::vector<std::unique_ptr<traffic_tap>> m_taps;
};
