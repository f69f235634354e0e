// SPDX-License-Identifier: Apache-2.0
/// A network for schedules in steps: directed channels that serve a given number of transfers per step, including those
/// between nodes and routers (the model of RINGS, FATTREE and OCTAGON).
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

using vertex_id = std::uint32_t;
using channel_id = std::uint32_t;
/// Channels in the order in which a message takes them: an injection channel, links, an ejection channel.
using channel_path = std::vector<channel_id>;

enum class channel_kind : std::uint8_t { Link, Injection, Ejection };

struct step_channel {
  channel_kind kind = channel_kind::Link;
  vertex_id from = 0;
  vertex_id to = 0;
  unsigned capacity = 1;  ///< transfers per step: number of parallel channels, or of ports of a node
  /// For a link between routers, the topology channels that it represents, as many as `capacity`. Otherwise empty.
  std::vector<std::size_t> members{};
};

struct limited_network;

/// Vertices are the nodes 0…nodes()-1, then the routers, then two hubs for each node that may use fewer ports than it
/// has routers: its ports lead to one hub and come from the other, and links connect the hubs to the routers. Thus
/// every limit is the capacity of a channel.
class step_network {
 public:
  /// \throws std::invalid_argument for a network without nodes, and for ports.number of 0
  explicit step_network(const topology& t, port_rule ports = {});
  /// Makes a network from channels as a file lists them. \param names distinct names of the vertices, nodes first; the
  /// others count as routers
  /// \throws std::invalid_argument for a channel whose kind and ends do not agree, or with capacity 0
  step_network(std::size_t nodes, const std::vector<std::string>& names, std::vector<step_channel> channels);

  std::size_t nodes() const { return m_nodes; }
  std::size_t routers() const { return m_routers; }
  std::size_t vertices() const { return m_out.size(); }
  bool is_node(vertex_id v) const { return v < m_nodes; }
  vertex_id router(router_id r) const { return static_cast<vertex_id>(m_nodes + r); }

  const std::vector<step_channel>& channels() const { return m_channels; }
  const std::vector<channel_id>& out(vertex_id v) const { return m_out[v]; }
  const std::vector<channel_id>& in(vertex_id v) const { return m_in[v]; }

  /// Transfers that \p node can send, or receive, in a step.
  unsigned ports_out(node_id node) const { return capacity_of(m_out[node]); }
  unsigned ports_in(node_id node) const { return capacity_of(m_in[node]); }

  /// "n3", the name of a router or "r3", "n3.out" and "n3.in" for hubs; distinct, with a trailing "'" if necessary.
  const std::string& name(vertex_id v) const { return m_names[v]; }
  /// "n3 -> r1".
  std::string name(const step_channel& c) const { return m_names[c.from] + " -> " + m_names[c.to]; }

  friend limited_network with_ports(const step_network& whole, unsigned ports);

 private:
  step_network() = default;
  channel_id add(step_channel c);
  vertex_id add_vertex(std::string name);
  /// Connects \p node with as many ports as it has attachments (\p as_built), or otherwise as its router has links, but
  /// with at most \p most.
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

/// A copy of a network with fewer ports per node. `original` maps each of its channels to that of the full network. It
/// is empty for channels between a node and its hubs, which the full network may lack.
struct limited_network {
  step_network network;
  std::vector<std::optional<channel_id>> original;
};

/// \p whole, in which a node sends and receives at most \p ports ≥ 1 transfers per step, as step_network makes it with
/// port_rule::Number.
limited_network with_ports(const step_network& whole, unsigned ports);

/// Number of channels from each vertex to \p node on a shortest path that passes through no other node; Unreached if
/// there is none.
std::vector<std::uint32_t> distances_to(const step_network& network, node_id node);

/// At most \p most ≥ 1 paths from \p from to \p to, by length, then in the order of channels.
/// \param detour channels by which a path may exceed the shortest
std::vector<channel_path> find_paths(const step_network& network, node_id from, node_id to, std::uint32_t detour,
                                     std::size_t most);

/// "n0 -> r0 -> r1 -> n1".
std::string to_string(const step_network& network, const channel_path& path);

}  // namespace weft::schedule
