// SPDX-License-Identifier: Apache-2.0
/// Packets in an event log: where and when each entered and left the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "weft/core/types.h"

namespace weft::experiment {

struct logged_packet {
  packet_id id = 0;
  node_id source = 0, destination = 0;
  unsigned vc = 0;  ///< of its head, as it entered
  std::uint32_t flits = 0;
  cycle_t head_in = 0, tail_in = 0, head_out = 0, tail_out = 0;
};

struct logged_packets {
  std::vector<logged_packet> slowest;  ///< in the network, from head in to tail out, the slowest first
  std::size_t all = 0;                 ///< that left the network
};

/// The \p most slowest packets of the event log \p file. \throws configuration_error if it is none
logged_packets read_packets(const std::filesystem::path& file, std::size_t most);

}  // namespace weft::experiment
