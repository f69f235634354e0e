// SPDX-License-Identifier: Apache-2.0
/// What the source decides about a packet's route: its way, a number that travels in the head flit. O1TURN draws the
/// order of the dimensions, Valiant's routing an intermediate router, a fat tree its ascent; layered routing looks up
/// the layer, source routing the whole path.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weft/core/random.h"
#include "weft/core/types.h"

namespace weft {

/// How a NIC chooses the way of a packet. A pure function, so that all levels choose alike.
struct way_rule {
  std::uint64_t count = 1;                    ///< each packet draws one of 0…count-1, ≥ 1
  std::uint64_t seed = 0;                     ///< of the draws; each node has its own
  std::vector<std::uint64_t> by_destination;  ///< if not empty, the way to each node is fixed and nothing is drawn

  bool drawn() const { return by_destination.empty() && count > 1; }
  /// \param number of the packet among those of its NIC
  std::uint64_t operator()(node_id destination, std::uint64_t number) const {
    if (!by_destination.empty()) return by_destination[destination];
    return count == 1 ? 0 : splitmix64(seed, number) % count;
  }
};

/// What a routing function reads from a way that was drawn: from this follows which ways show all that packets may do.
/// Each rule has a function use_of_way() that says it.
enum class way_use : std::uint8_t {
  Nothing,  ///< nothing, or for_all_ways() answers for all together
  IsZero,   ///< whether it is 0; packets of either kind have VCs of their own
  Router,   ///< a router to go by, on VCs of their own until they are there
  Layer,    ///< the number of a layer; packets of each have VCs of their own
  Each,     ///< any two may differ, on the same VCs
};

/// A path in 64 bits: up to eight segments of eight bits, the first lowest. A segment is an output port (low four bits)
/// and how often in a row it is taken, less one. The last segment is the output port to the node.
class source_path {
 public:
  static constexpr unsigned MaxSegments = 8, MaxRepeats = 16;

  /// The path through output \p ports, one for each router, the one to the node last.
  /// \throws std::length_error if it has more segments than fit
  static std::uint64_t pack(const std::vector<unsigned>& ports) {
    std::uint64_t path = 0;
    unsigned segments = 0;
    for (std::size_t i = 0; i < ports.size();) {
      std::size_t end = i + 1;
      while (end < ports.size() && ports[end] == ports[i] && end - i < MaxRepeats) ++end;
      if (segments == MaxSegments) throw std::length_error("a path has at most 8 straight segments of 16 routers");
      path |= (std::uint64_t{ports[i]} | (end - i - 1) << 4) << 8 * segments++;
      i = end;
    }
    return path;
  }

  /// The output port that \p path takes at the router it has come to.
  static unsigned port(std::uint64_t path) { return static_cast<unsigned>(path & 0xf); }
  /// What is left of it behind that router.
  static std::uint64_t rest(std::uint64_t path) { return (path & 0xf0) != 0 ? path - 0x10 : path >> 8; }
};
static_assert(MaxPorts <= 16, "a segment of a source_path has four bits for the port");

}  // namespace weft
