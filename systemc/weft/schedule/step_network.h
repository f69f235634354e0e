// SPDX-License-Identifier: Apache-2.0
/// A network as a schedule in steps sees it: directed channels that serve so many transfers a step, those between nodes
/// and routers included (the model of RINGS, FATTREE and OCTAGON).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/topology/topology.h"

namespace weft::schedule {

using vertex_id = std::uint32_t;
using channel_id = std::uint32_t;
/// Channels in the order in which a message takes them: an injection channel, links, an ejection channel.
using channel_path = std::vector<channel_id>;

enum class channel_kind : std::uint8_t { Link, Injection, Ejection };

struct step_channel {
  channel_kind kind = channel_kind::Link;
  vertex_id from = 0;
  vertex_id to = 0;
  unsigned capacity = 1;  ///< transfers that it serves in a step: parallel channels, or ports of a node
  /// A link between routers: the channels of the topology that it stands for, as many as `capacity`. Else empty.
  std::vector<std::size_t> members{};
};

/// How many transfers a node sends, and receives, in a step.
struct port_rule {
  enum class kind : std::uint8_t {
    AsBuilt,  ///< as many as it has attachments
    All,      ///< with one node at each router, as many as links of the router; else as built (FATTREE)
    Number,   ///< `number`, and no more than All
  };
  kind rule = kind::AsBuilt;
  unsigned number = 1;  ///< ≥ 1
};

struct limited_network;

/// Vertices are nodes 0…nodes()-1, then routers, then two hubs for each node that may use fewer ports than it has
/// routers that it is attached to: its ports lead to the one hub and come from the other, and links join those to the
/// routers. So every limit is the capacity of a channel.
class step_network {
 public:
  /// \throws std::invalid_argument for a network without nodes, or ports.number of 0
  explicit step_network(const topology& t, port_rule ports = {});
  /// From channels, as a file lists them. \p names of the vertices, each once, the nodes first; what else there is
  /// counts as routers.
  /// \throws std::invalid_argument for a channel whose kind and ends do not agree, or of capacity 0
  step_network(std::size_t nodes, const std::vector<std::string>& names, std::vector<step_channel> channels);

  std::size_t nodes() const { return m_nodes; }
  std::size_t routers() const { return m_routers; }
  std::size_t vertices() const { return m_out.size(); }
  bool is_node(vertex_id v) const { return v < m_nodes; }
  vertex_id router(router_id r) const { return static_cast<vertex_id>(m_nodes + r); }

  const std::vector<step_channel>& channels() const { return m_channels; }
  const std::vector<channel_id>& out(vertex_id v) const { return m_out[v]; }
  const std::vector<channel_id>& in(vertex_id v) const { return m_in[v]; }

  /// Transfers that \p node can send, and receive, in a step.
  unsigned ports_out(node_id node) const { return capacity_of(m_out[node]); }
  unsigned ports_in(node_id node) const { return capacity_of(m_in[node]); }

  /// "n3", the name of a router or "r3", "n3.out" and "n3.in" for hubs; each once, if need be by a "'" behind it.
  const std::string& name(vertex_id v) const { return m_names[v]; }
  /// "n3 -> r1".
  std::string name(const step_channel& c) const { return m_names[c.from] + " -> " + m_names[c.to]; }

  friend limited_network with_ports(const step_network& whole, unsigned ports);

 private:
  step_network() = default;
  channel_id add(step_channel c);
  vertex_id add_vertex(std::string name);
  /// At most \p most ports, of as many as the node has attachments (\p as_built), or else as its router has links.
  void attach(const topology& t, node_id node, bool as_built, unsigned most);
  unsigned capacity_of(const std::vector<channel_id>& ids) const;
  unsigned links_among(const std::vector<channel_id>& ids) const;

  std::size_t m_nodes = 0;
  std::size_t m_routers = 0;
  std::vector<step_channel> m_channels;
  std::vector<std::vector<channel_id>> m_out, m_in;  // of each vertex
  std::vector<std::string> m_names;
  std::set<std::string> m_taken;  // names
};

/// A network with fewer ports, and the channel of the whole network that each of its channels stands for: none for
/// those between a node and its hubs, which the whole network may lack.
struct limited_network {
  step_network network;
  std::vector<std::optional<channel_id>> original;
};

/// \p whole, where a node sends, and receives, at most \p ports ≥ 1 transfers in a step: as step_network makes it with
/// that port_rule::Number.
limited_network with_ports(const step_network& whole, unsigned ports);

/// Which paths a transfer may take.
enum class path_rule : std::uint8_t {
  Minimal,  ///< shortest ones only
  Any,      ///< any simple path through routers
};

/// Channels from each vertex to \p node on a shortest path through no other node; Unreached where none leads there.
std::vector<std::uint32_t> distances_to(const step_network& network, node_id node);

/// Paths from \p from to \p to, the shortest first, then in the order of channels; at most \p most of them, ≥ 1.
/// \p detour: channels by which a path may be longer than the shortest.
std::vector<channel_path> find_paths(const step_network& network, node_id from, node_id to, std::uint32_t detour,
                                     std::size_t most);

/// "n0 -> r0 -> r1 -> n1".
std::string to_string(const step_network& network, const channel_path& path);

}  // namespace weft::schedule
