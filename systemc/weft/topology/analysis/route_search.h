// SPDX-License-Identifier: Apache-2.0
/// A search over all routes that packets may take in a network. The checks in check.h use it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "weft/core/members.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/wiring.h"

namespace weft {

/// Returns \p count nodes that are spread over the network, or all nodes if there are fewer.
inline std::vector<node_id> sampled_nodes(const topology& t, std::size_t count) {
  const std::size_t nodes = t.nodes.size();
  std::vector<node_id> sample(std::min(count, nodes));
  // Golden-section steps avoid hitting the same row or column of a grid too often.
  std::size_t step = count >= nodes ? 1 : nodes * 618 / 1000 + 1;
  while (std::gcd(step, nodes) != 1) ++step;
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = static_cast<node_id>(i * step % nodes);
  return sample;
}

/// Explores what packets to one destination may do, depth first over the (channel, VC) pairs that they may hold. The
/// time is linear in the number of pairs reached, whatever the number of sources: a pair explored from one source is
/// skipped for the next.
/// The routing functions declare by their path_id_use which path ids are equivalent, so that the search follows only a
/// few of them:
/// - O1TURN has two path ids.
/// - For Valiant's routing and UGAL, the search follows packets whose intermediate router or node is at their own
///   router, which start with the second part everywhere, and packets whose intermediate router or node is one of those
///   that follow the destination, which take the first part to these. All destinations together then cover the first
///   part to all routers and nodes, in a grid for destinations of odd and of even number, because these use different
///   VCs. The search covers only some transitions from the first part to the second. This is sufficient, because no
///   dependency leads back, so no cycle contains a transition. Sources of ROMM draw only routers on shortest paths; the
///   search follows packets over other routers, too, so it finds all their dependencies and some more.
/// - In a fat tree, the search follows all parents.
/// - In other networks, it follows every path id.
class route_search {
 public:
  /// Maximum number of path ids that the search follows if each of them may have its own routes.
  static constexpr std::uint64_t MaxPathIds = 4096;
  /// Number of intermediate routers or nodes that the search follows. Three consecutive numbers include an odd and an
  /// even number, even if they wrap around an odd number of routers.
  static constexpr std::uint32_t IntermediatesBehind = 3;

  /// A request of a packet for VCs of an output port.
  struct request {
    node_id source;
    const channel_vc* holder;  ///< the pair that the packet holds; nullptr in the injection port
    router_id router;
    unsigned port;
    vc_set vcs;
    bool by_choice;  ///< the packet also has an escape offer and need not wait for this one
    port_end end;    ///< what the port leads to
  };

  /// \throws std::invalid_argument if nodes draw from more path ids than MaxPathIds
  route_search(const topology& t, unsigned vcs) : m_topology(t), m_vcs(vcs), m_wires(t), m_use(use_of_path_ids(t)) {
    if (m_use != path_id_use::Layer && m_use != path_id_use::Each) return;
    for (node_id n = 0; n < t.nodes.size(); ++n) {
      const path_selector& path_ids = t.nodes[n].path_ids;
      if (path_ids.drawn() && path_ids.count > MaxPathIds)
        throw std::invalid_argument(
            fmt::format("topology: node {} draws one of {} path ids, which are too many to check; give at most {}", n,
                        path_ids.count, MaxPathIds));
    }
  }

  /// Calls \p on_request(request) for every request that a packet may make, \p on_return(source, pair) if a packet may
  /// hold a pair a second time, and \p on_leave(pair) when all routes that continue from the pair have been explored.
  template <class OnRequest, class OnReturn, class OnLeave>
  void run(node_id destination, OnRequest on_request, OnReturn on_return, OnLeave on_leave) {
    clear_visited();
    const auto query_route = [&](node_id source, std::uint64_t path_id, const channel_vc* holder, port_ref in,
                                 unsigned in_vc) {
      const route_rule& rule = m_topology.routing[in.router];
      const route requested = rule.for_all_path_ids({in.port, in_vc, destination, path_id});
      const std::uint64_t rest = rule.consumes_path() ? source_path::advance(path_id) : path_id;
      const auto offer = [&](unsigned port, vc_set vcs, bool by_choice) {
        const port_end end = m_wires.output({in.router, port});
        on_request(request{source, holder, in.router, port, vcs, by_choice, end});
        if (end.what != port_end::kind::Channel) return;
        for_each_member(vcs & ~m_done[end.index] & first_vcs(m_vcs), [&](unsigned v) {
          m_stack.push_back({{end.index, v}, rest, false});
        });
      };
      if (requested.vcs != 0 || !requested.adaptive()) offer(requested.port, requested.vcs, false);
      for_each_member(requested.choices, [&](unsigned port) { offer(port, requested.choice_vcs, requested.vcs != 0); });
    };

    const auto explore = [&](node_id source) {
      while (!m_stack.empty()) {
        const step now = m_stack.back();
        m_stack.pop_back();
        const vc_set bit = vc_set{1} << now.pair.vc;
        vc_set& open = m_open[now.pair.channel];
        vc_set& done = m_done[now.pair.channel];
        if (now.leaving) {
          open &= ~bit;
          done |= bit;
          on_leave(now.pair);
        } else if (open & bit) {  // the open pairs are those on the path from the source to this pair
          on_return(source, now.pair);
        } else if (!(done & bit)) {
          open |= bit;
          m_stack.push_back({now.pair, now.path_id, true});
          query_route(source, now.path_id, &now.pair, m_topology.channels[now.pair.channel].to, now.pair.vc);
        }
      }
    };

    for_each_path_id(destination, [&](node_id source, std::uint64_t path_id) {
      for (const port_ref in : m_topology.nodes[source].ports) {
        for (unsigned in_vc = 0; in_vc < m_vcs; ++in_vc) {
          query_route(source, path_id, nullptr, in, in_vc);
          explore(source);
        }
      }
    });
  }
  template <class OnRequest, class OnReturn>
  void run(node_id destination, OnRequest on_request, OnReturn on_return) {
    run(destination, on_request, on_return, [](const channel_vc&) {});
  }

 private:
  struct step {
    channel_vc pair;
    std::uint64_t path_id;
    bool leaving;  ///< everything that follows the pair has been explored
  };

  void clear_visited() {
    m_open.assign(m_topology.channels.size(), 0);
    m_done.assign(m_topology.channels.size(), 0);
  }

  router_id router_of(node_id node) const { return m_topology.nodes[node].ports.front().router; }

  /// Calls \p follow(source, path_id) for the representative path ids of every source. If the path ids of a source use
  /// the same VCs but lead to different routes, it clears the visited pairs before the next path id.
  template <class Follow>
  void for_each_path_id(node_id destination, Follow follow) {
    const auto sources = static_cast<node_id>(m_topology.nodes.size());
    if (m_use == path_id_use::Router || m_use == path_id_use::Node) {
      const bool routers = m_use == path_id_use::Router;
      const std::size_t count = routers ? m_topology.routers.size() : sources;
      for (node_id source = 0; source < sources; ++source) follow(source, routers ? router_of(source) : source);
      for (std::uint32_t behind = 1; behind <= IntermediatesBehind; ++behind) {
        clear_visited();
        const std::uint64_t by = ((routers ? router_of(destination) : destination) + behind) % count;
        for (node_id source = 0; source < sources; ++source) follow(source, by);
      }
      return;
    }
    for (node_id source = 0; source < sources; ++source) {
      for (const std::uint64_t path_id : path_ids(source, destination)) {
        if (m_use == path_id_use::Each) clear_visited();
        follow(source, path_id);
      }
    }
  }

  std::vector<std::uint64_t> path_ids(node_id source, node_id destination) const {
    const path_selector& rule = m_topology.nodes[source].path_ids;
    if (!rule.drawn()) return {rule(destination, 0)};
    if (m_use == path_id_use::Nothing) return {0};
    if (m_use == path_id_use::IsZero) return {0, 1};
    std::vector<std::uint64_t> all(rule.count);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }

  /// The path_id_use that all routers have; Each if routers differ, or if a source cannot draw some intermediate router
  /// or node.
  static path_id_use use_of_path_ids(const topology& t) {
    const path_id_use all = t.routing.front().use_of_path_id();
    const auto other = [all](const route_rule& rule) { return rule.use_of_path_id() != all; };
    if (std::any_of(t.routing.begin(), t.routing.end(), other)) return path_id_use::Each;
    if (all != path_id_use::Router && all != path_id_use::Node) return all;
    const std::size_t intermediates = all == path_id_use::Router ? t.routers.size() : t.nodes.size();
    const bool draw_them = std::all_of(t.nodes.begin(), t.nodes.end(), [intermediates](const node_attachment& n) {
      return n.path_ids.by_destination.empty() && n.path_ids.count == intermediates;
    });
    return draw_them ? all : path_id_use::Each;
  }

  const topology& m_topology;
  const unsigned m_vcs;
  const wiring m_wires;
  const path_id_use m_use;
  std::vector<step> m_stack;
  std::vector<vc_set> m_open;  ///< for each channel
  std::vector<vc_set> m_done;
};

}  // namespace weft
