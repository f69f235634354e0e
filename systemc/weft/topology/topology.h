// SPDX-License-Identifier: Apache-2.0
/// A network as data: routers with ports, directed channels between ports, nodes attached to ports, and the routing
/// function of every router. Generators and file readers make it. Pin level, engine, checks and drawings read it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/routing.h"
#include "weft/core/types.h"

namespace weft {

struct port_ref {
  router_id router = 0;
  std::uint32_t port = 0;
  friend bool operator==(const port_ref& a, const port_ref& b) { return a.router == b.router && a.port == b.port; }
};

inline constexpr unsigned MaxPhits = 64;

/// A directed channel from an output port to an input port. Its credits travel in the opposite direction.
struct channel {
  port_ref from;
  port_ref to;
  unsigned cycles = 1;  ///< L ≥ 1: cycles from the output register to the next input buffer
  /// k, 1…MaxPhits: number of parts into which a narrow channel cuts a flit. It carries one part per cycle, so it
  /// accepts a flit every k cycles, and the flit arrives k - 1 cycles later than on a channel as wide as the flit.
  unsigned phits = 1;
};

/// The NIC of a node. Each of its ports has one injection and one ejection channel, at the same port of the router.
struct node_attachment {
  std::vector<port_ref> ports;  ///< k ≥ 1: one-port or k-port
  unsigned cycles = 1;          ///< latency of those channels, in both directions
  path_selector path_ids;       ///< how the NIC selects the path id of a packet
};

struct router_info {
  unsigned ports = 0;                      ///< port numbers 0…ports-1; some may be unconnected (the edge of a mesh)
  std::vector<std::string> port_names;     ///< "+x", "-x", …, "local"
  std::vector<std::uint32_t> coordinates;  ///< used by drawings and traffic patterns; may be empty
  std::string name{};                      ///< in a file; may be empty
};

struct topology {
  std::string kind;                  ///< "mesh", …
  std::string algorithm;             ///< of the routing: "dimension_order", …
  std::vector<std::uint32_t> shape;  ///< sides, dimension 0 (x) first; empty where there is none
  std::vector<router_info> routers;
  std::vector<channel> channels;
  std::vector<node_attachment> nodes;  ///< node n
  std::vector<route_rule> routing;     ///< of router r
  unsigned least_vcs = 0;              ///< fewest VCs that this routing takes, if making it has shown them; else 0
};

/// Flits per cycle that a channel carries at most.
inline double capacity_of(const channel& c) { return 1.0 / c.phits; }

/// Whether some channel is narrower than a flit.
inline bool has_narrow_channels(const topology& t) {
  return std::any_of(t.channels.begin(), t.channels.end(), [](const channel& c) { return c.phits > 1; });
}

}  // namespace weft
