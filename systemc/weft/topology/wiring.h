// SPDX-License-Identifier: Apache-2.0
/// The lookup that a topology, a list of channels and nodes, does not give by itself: what hangs on a port.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// What one side of a port is connected to.
struct port_end {
  enum class kind : std::uint8_t { Nothing, Channel, Node };
  kind what = kind::Nothing;
  std::uint32_t index = 0;  ///< into topology::channels or topology::nodes
};

/// Both sides of every port. Built once in time linear in the network; a copy of nothing but indices, so it
/// stays valid as long as the topology's routers, channels and nodes do not change.
class wiring {
 public:
  /// \p t with every port reference in range, as check_structure() assures.
  explicit wiring(const topology& t);

  /// What flits that leave by \p port reach. Nothing for a port the router does not have.
  port_end output(port_ref port) const { return look_up(m_outputs, port); }
  /// Where flits that enter by \p port come from. Nothing for a port the router does not have.
  port_end input(port_ref port) const { return look_up(m_inputs, port); }

 private:
  port_end look_up(const std::vector<port_end>& ends, port_ref port) const {
    const std::size_t i = m_first[port.router] + port.port;
    return i < m_first[port.router + 1] ? ends[i] : port_end{};
  }

  std::vector<std::size_t> m_first;  ///< ports of router r are m_first[r] … m_first[r + 1] - 1
  std::vector<port_end> m_outputs;
  std::vector<port_end> m_inputs;
};

/// What a drawing has as one line: a channel, or two that lead there and back between the same two ports in the same
/// time.
struct link_line {
  std::uint32_t channel = 0;  ///< index of the first, or only, one
  bool two_way = false;
};

/// All of \p t, in the order of their first channels.
std::vector<link_line> lines_between(const topology& t);

}  // namespace weft
