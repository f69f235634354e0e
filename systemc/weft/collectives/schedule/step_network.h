// SPDX-License-Identifier: Apache-2.0
/// The network model for schedules in steps, from RINGS, FATTREE and OCTAGON. The network consists of directed channels
/// between routers and between nodes and routers. Each channel serves a given number of transfers per step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weft/topology/topology.h"
#include "weft/workload/schedule_parameters.h"

namespace weft::schedule {

using weft::path_rule;
using weft::port_rule;

using vertex_id = std::uint32_t;
using channel_id = std::uint32_t;
/// The channels of a path in order: an injection channel, links, and an ejection channel.
using channel_path = std::vector<channel_id>;

enum class channel_kind : std::uint8_t { Link, Injection, Ejection };

struct step_channel {
  channel_kind kind = channel_kind::Link;
  vertex_id from = 0;
  vertex_id to = 0;
  unsigned capacity = 1;  ///< transfers per step: the number of parallel channels, or of ports of a node
  /// For a link between routers, the channels of the topology that the link represents. Their number is `capacity`.
  /// Otherwise empty.
  std::vector<std::size_t> members{};
};

struct limited_network;

/// The vertices are the nodes 0…nodes()-1, then the routers, then the hubs. A node that may use fewer ports than it has
/// routers has two hubs. Its injection channel leads to one hub and its ejection channel comes from the other, and
/// links connect the hubs to its routers. In this way, every limit is the capacity of a channel.
class step_network {
 public:
  /// \throws std::invalid_argument for a network without nodes, and for ports.number of 0
  explicit step_network(const topology& t, port_rule ports = {});
  /// Makes a network from channels as a file lists them.
  /// \param names distinct names of the vertices, nodes first; all other vertices count as routers
  /// \throws std::invalid_argument for a channel whose kind does not fit its ends, and for capacity 0
  step_network(std::size_t nodes, const std::vector<std::string>& names, std::vector<step_channel> channels);

  std::size_t nodes() const { return m_nodes; }
  std::size_t routers() const { return m_routers; }
  std::size_t vertices() const { return m_out.size(); }
  bool is_node(vertex_id v) const { return v < m_nodes; }
  vertex_id router(router_id r) const { return static_cast<vertex_id>(m_nodes + r); }

  const std::vector<step_channel>& channels() const { return m_channels; }
  const std::vector<channel_id>& out(vertex_id v) const { return m_out[v]; }
  const std::vector<channel_id>& in(vertex_id v) const { return m_in[v]; }

  /// Number of transfers that \p node can send, and number that it can receive, in a step.
  unsigned ports_out(node_id node) const { return capacity_of(m_out[node]); }
  unsigned ports_in(node_id node) const { return capacity_of(m_in[node]); }

  /// Returns the name of a vertex: "n3" for a node, the name of a router or "r3" without one, "n3.out" and "n3.in" for
  /// hubs. Names are distinct; a "'" is appended where necessary.
  const std::string& name(vertex_id v) const { return m_names[v]; }
  /// Returns the names of both ends, such as "n3 -> r1".
  std::string name(const step_channel& c) const { return m_names[c.from] + " -> " + m_names[c.to]; }

  friend limited_network with_ports(const step_network& whole, unsigned ports);

 private:
  step_network() = default;
  channel_id add(step_channel c);
  vertex_id add_vertex(std::string name);
  /// Adds the channels of \p node. The node gets as many ports as it has attachments if \p as_built is set, otherwise
  /// as many as its router has links, but at most \p most.
  void attach(const topology& t, node_id node, bool as_built, unsigned most);
  unsigned capacity_of(const std::vector<channel_id>& ids) const;
  unsigned links_among(const std::vector<channel_id>& ids) const;

  std::size_t m_nodes = 0;
  std::size_t m_routers = 0;
  std::vector<step_channel> m_channels;
  std::vector<std::vector<channel_id>> m_out, m_in;  // channels that leave, and that enter, each vertex
  std::vector<std::string> m_names;
  std::set<std::string> m_taken;  // names in use
};

/// A copy of a network with fewer ports per node. `original` maps each channel of the copy to the corresponding channel
/// of the full network. The entry is empty for channels between a node and its hubs, because the full network may lack
/// them.
struct limited_network {
  step_network network;
  std::vector<std::optional<channel_id>> original;
};

/// Returns a copy of \p whole in which a node sends and receives at most \p ports ≥ 1 transfers per step, as with
/// port_rule::Number.
limited_network with_ports(const step_network& whole, unsigned ports);

/// Returns, for each vertex, the number of channels on a shortest path to \p node that passes through no other node.
/// Unreached if there is no such path.
std::vector<std::uint32_t> distances_to(const step_network& network, node_id node);

/// Returns at most \p most ≥ 1 paths from \p from to \p to. Shorter paths come first; paths of the same length are
/// sorted by their channels.
/// \param detour maximum number of channels by which a path may exceed a shortest path
std::vector<channel_path> find_paths(const step_network& network, node_id from, node_id to, std::uint32_t detour,
                                     std::size_t most);

/// Returns the names of the vertices on \p path, such as "n0 -> r0 -> r1 -> n1".
std::string to_string(const step_network& network, const channel_path& path);

}  // namespace weft::schedule
