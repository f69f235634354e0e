// SPDX-License-Identifier: Apache-2.0
/// Reads the packets of an event log: where and when each one entered and left the network.
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
  unsigned vc = 0;  ///< VC of its head at injection
  std::uint32_t flits = 0;
  /// Cycles in which its head and tail were injected and ejected.
  cycle_t head_in = 0, tail_in = 0, head_out = 0, tail_out = 0;
};

struct logged_packets {
  std::vector<logged_packet> slowest;  ///< in descending order of tail_out - head_in
  std::size_t all = 0;                 ///< number of packets that left the network
};

/// Returns the slowest packets of the event log \p file, at most \p most. \throws input_error if it is not an event log
logged_packets read_packets(const std::filesystem::path& file, std::size_t most);

}  // namespace weft::experiment
