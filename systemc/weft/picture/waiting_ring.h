// SPDX-License-Identifier: Apache-2.0
/// Reads the ring of waiting packets of a deadlock from a stored run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/picture/stored.h"

namespace weft::experiment {

/// A packet that waits for the next one in the ring.
struct waiting_packet {
  std::uint64_t packet = 0;
  std::uint32_t router = 0;
  std::string place;      ///< position of its first flit, as in "router 5, +x, VC 0"
  std::string waits_for;  ///< what it waits for, as in "a credit of +y, VC 0"
};

/// The packets of the ring in order; empty if there is no ring.
std::vector<waiting_packet> waiting_ring_of(const stored_result& run);

}  // namespace weft::experiment
