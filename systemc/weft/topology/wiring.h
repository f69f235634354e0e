// SPDX-License-Identifier: Apache-2.0
/// A look-up table from ports to the channels and nodes connected to them. The topology itself has only lists of
/// channels and nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

/// What is connected to one side of a port.
struct port_end {
  enum class kind : std::uint8_t { Nothing, Channel, Node };
  kind what = kind::Nothing;
  std::uint32_t index = 0;  ///< into topology::channels or topology::nodes
};

/// The connections of both sides of every port. Built once, in time linear in the network. It contains only indices, so
/// it stays valid as long as the routers, channels and nodes of the topology do not change.
class wiring {
 public:
  /// All port references of \p t must be in range, which check_structure() guarantees.
  explicit wiring(const topology& t);

  /// The channel or node that receives the flits leaving by \p port. Nothing is connected to a port that does not
  /// exist.
  port_end output(port_ref port) const { return look_up(m_outputs, port); }
  /// The channel or node that the flits entering by \p port come from. Nothing is connected to a port that does not
  /// exist.
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

/// One line of a drawing: a single channel, or two channels in opposite directions that connect the same two ports with
/// the same latency and width.
struct link_line {
  std::uint32_t channel = 0;  ///< index of the first or only channel
  bool two_way = false;
};

/// All lines of \p t, in the order of their first channels.
std::vector<link_line> lines_between(const topology& t);

}  // namespace weft
