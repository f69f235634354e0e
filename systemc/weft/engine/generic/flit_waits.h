// SPDX-License-Identifier: Apache-2.0
/// Records the waits of all flits in generic_routers, flit by flit. It exists if an observer needs the waits.
/// core/wait_accounts.h defines how waits are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "weft/core/types.h"
#include "weft/core/wait_accounts.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"

namespace weft::engine {

class flit_waits {
 public:
  /// The waits of a packet in the routers.
  struct account {
    router_waits waits;
    cycle_t left = 0;  ///< cycle in which its tail was put on the channel to the node
  };

  /// \param ports      number of all input ports of routers
  /// \param vcs        number of VCs of a port
  /// \param nic_ports  number of channels between nodes and routers
  /// \param catches_up see cycles_to_switch()
  flit_waits(std::size_t ports, unsigned vcs, std::size_t nic_ports, std::uint32_t catches_up)
      : m_catches_up(catches_up), m_channels(ports), m_vcs(ports * vcs), m_nics(nic_ports) {}

  /// A flit leaves NIC port \p from in cycle \p now on the channel to input port \p to. It was stalled as described at
  /// waits_in_nic::leave().
  void inject(nic_port from, std::size_t to, bool is_head, cycle_t now, std::optional<std::uint32_t> stalled) {
    m_nics[from].leave(is_head, now, stalled);
    m_channels[to].push_back(m_nics[from].waits());
  }
  /// The next flit on the channel to input port \p port arrives in input VC \p vc in cycle \p now.
  void arrive(std::size_t port, std::size_t vc, cycle_t now) {
    m_vcs[vc].arrive(m_channels[port].front(), now, m_catches_up);
    m_channels[port].pop_front();
  }
  /// The head at the front of \p vc may request the switch from cycle \p now on.
  void begin(std::size_t vc, cycle_t now) { m_vcs[vc].begin(now); }
  /// The flit at the front of \p vc requests the switch in this cycle and is not granted it.
  void lose(std::size_t vc) { m_vcs[vc].lose(); }
  /// The flit at the front of \p vc is granted the switch in cycle \p now.
  /// \return the waits of the flit so far
  router_waits grant(std::size_t vc, bool is_head, cycle_t now) { return m_vcs[vc].grant(is_head, now, m_catches_up); }
  /// A flit with the waits \p waits leaves on the channel to input port \p port.
  void forward(std::size_t port, const router_waits& waits) { m_channels[port].push_back(waits); }
  /// The tail of \p packet leaves for its node.
  void leave(packet_handle packet, const router_waits& waits) {
    if (packet >= m_packets.size()) m_packets.resize(packet + std::size_t{1});
    m_packets[packet].waits = waits;
  }
  /// The tail of \p packet reaches its NIC in cycle \p arrival, through a channel of \p cycles cycles.
  void note_end(packet_handle packet, cycle_t arrival, unsigned cycles) { m_packets[packet].left = arrival - cycles; }

  /// Returns the account of a packet whose tail has left the routers. The other parameters are those of
  /// wait_recorder::of().
  account of(packet_handle packet, std::uint32_t /*flits*/, std::uint32_t /*routers*/) const {
    return m_packets[packet];
  }

 private:
  const std::uint32_t m_catches_up;
  std::vector<std::deque<router_waits>> m_channels;  ///< by input port: waits of the flits on the channel to it
  std::vector<waits_in_input_vc> m_vcs;
  std::vector<waits_in_nic> m_nics;
  std::vector<account> m_packets;  ///< by handle
};

}  // namespace weft::engine
