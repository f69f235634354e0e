// SPDX-License-Identifier: Apache-2.0
/// All that packets may do in a network: the search that the checks of check.h make.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "weft/core/allocation.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/wiring.h"

namespace weft {

/// \p count nodes spread over the network, or all where it has no more.
inline std::vector<node_id> sampled_nodes(const topology& t, std::size_t count) {
  const std::size_t nodes = t.nodes.size();
  std::vector<node_id> sample(std::min(count, nodes));
  // Steps by the golden section, which fall on no row or column of a grid too often.
  std::size_t step = count >= nodes ? 1 : nodes * 618 / 1000 + 1;
  while (std::gcd(step, nodes) != 1) ++step;
  for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = static_cast<node_id>(i * step % nodes);
  return sample;
}

/// All that packets to one destination may do, depth first over the (channel, VC) pairs they may hold. Time is linear
/// in the pairs reached, whatever the number of sources: what one source explored, the next one skips.
///
/// Of the ways that a source may draw, a few stand for all where routing functions say so by their way_use. O1TURN has
/// two. Of Valiant's routing, packets by way of their own router begin with the second part everywhere; those by way of
/// the routers behind that of the destination take the first part to them, and all destinations together show the first
/// part to all routers, for destinations of odd and even number, by which routers choose VCs. Of the steps from the
/// first part to the second they show some: as none leads back, no cycle has one in it. In a fat tree, all parents.
/// Elsewhere every way is followed.
class route_search {
 public:
  /// Ways that are followed, at most, where none stands for others.
  static constexpr std::uint64_t MaxWays = 4096;
  /// Three numbers in a row, the last of an odd number of routers followed by the first, are odd and even ones.
  static constexpr router_id RoutersBehind = 3;

  /// What a packet asks for: VCs of an output port.
  struct request {
    node_id source;
    const channel_vc* holder;  ///< what it holds, nullptr in the injection port
    router_id router;
    unsigned port;
    vc_set vcs;
    bool by_choice;  ///< it has a sure offer as well, and need not wait for this one
    port_end end;    ///< what the port leads to
  };

  /// \throws std::invalid_argument where nodes draw from more ways than can be followed
  route_search(const topology& t, unsigned vcs) : m_topology(t), m_vcs(vcs), m_wires(t), m_use(use_of_ways(t)) {
    if (m_use != way_use::Layer && m_use != way_use::Each) return;
    for (node_id n = 0; n < t.nodes.size(); ++n) {
      const way_rule& ways = t.nodes[n].ways;
      if (ways.drawn() && ways.count > MaxWays)
        throw std::invalid_argument(
            fmt::format("topology: node {} draws one of {} ways, which may all differ; give at "
                        "most {}, which can be checked",
                        n, ways.count, MaxWays));
    }
  }

  /// Calls \p on_request(request) for every request a packet may make, and \p on_return(source, pair) where a packet
  /// may come to hold a pair a second time; after each pair \p on_leave(pair), when all that follows it has been
  /// explored.
  template <class OnRequest, class OnReturn, class OnLeave>
  void run(node_id destination, OnRequest on_request, OnReturn on_return, OnLeave on_leave) {
    forget();
    const auto ask = [&](node_id source, std::uint64_t way, const channel_vc* holder, port_ref in, unsigned in_vc) {
      const route_rule& rule = m_topology.routing[in.router];
      const route asked = rule.for_all_ways({in.port, in_vc, destination, way});
      const std::uint64_t rest = rule.uses_up_way() ? source_path::rest(way) : way;
      const auto offer = [&](unsigned port, vc_set vcs, bool by_choice) {
        const port_end end = m_wires.output({in.router, port});
        on_request(request{source, holder, in.router, port, vcs, by_choice, end});
        if (end.what != port_end::kind::Channel) return;
        for_each_member(vcs & ~m_done[end.index] & first_vcs(m_vcs), [&](unsigned v) {
          m_stack.push_back({{end.index, v}, rest, false});
        });
      };
      if (asked.vcs != 0 || !asked.adaptive()) offer(asked.port, asked.vcs, false);
      for_each_member(asked.choices, [&](unsigned port) { offer(port, asked.choice_vcs, asked.vcs != 0); });
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
        } else if (open & bit) {  // open are just the pairs on the way from the source to here
          on_return(source, now.pair);
        } else if (!(done & bit)) {
          open |= bit;
          m_stack.push_back({now.pair, now.way, true});
          ask(source, now.way, &now.pair, m_topology.channels[now.pair.channel].to, now.pair.vc);
        }
      }
    };

    for_each_way(destination, [&](node_id source, std::uint64_t way) {
      for (const port_ref in : m_topology.nodes[source].ports) {
        for (unsigned in_vc = 0; in_vc < m_vcs; ++in_vc) {
          ask(source, way, nullptr, in, in_vc);
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
    std::uint64_t way;
    bool leaving;  ///< all that follows the pair has been explored
  };

  void forget() {
    m_open.assign(m_topology.channels.size(), 0);
    m_done.assign(m_topology.channels.size(), 0);
  }

  router_id router_of(node_id node) const { return m_topology.nodes[node].ports.front().router; }

  /// Calls \p follow(source, way) for the ways that show all, of every source; forgets between those that go on as they
  /// like on the same VCs.
  template <class Follow>
  void for_each_way(node_id destination, Follow follow) {
    const auto sources = static_cast<node_id>(m_topology.nodes.size());
    if (m_use == way_use::Router) {
      for (node_id source = 0; source < sources; ++source) follow(source, router_of(source));
      for (router_id behind = 1; behind <= RoutersBehind; ++behind) {
        forget();
        const auto by = static_cast<router_id>((router_of(destination) + behind) % m_topology.routers.size());
        for (node_id source = 0; source < sources; ++source) follow(source, by);
      }
      return;
    }
    for (node_id source = 0; source < sources; ++source) {
      for (const std::uint64_t way : ways(source, destination)) {
        if (m_use == way_use::Each) forget();
        follow(source, way);
      }
    }
  }

  std::vector<std::uint64_t> ways(node_id source, node_id destination) const {
    const way_rule& rule = m_topology.nodes[source].ways;
    if (!rule.drawn()) return {rule(destination, 0)};
    if (m_use == way_use::Nothing) return {0};
    if (m_use == way_use::IsZero) return {0, 1};
    std::vector<std::uint64_t> all(rule.count);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }

  /// Of all routers; Each where they differ, or where some router cannot be drawn.
  static way_use use_of_ways(const topology& t) {
    const way_use all = t.routing.front().use_of_way();
    const auto other = [all](const route_rule& rule) { return rule.use_of_way() != all; };
    if (std::any_of(t.routing.begin(), t.routing.end(), other)) return way_use::Each;
    const auto draws_routers = [&t](const node_attachment& n) {
      return n.ways.by_destination.empty() && n.ways.count == t.routers.size();
    };
    const bool routers = std::all_of(t.nodes.begin(), t.nodes.end(), draws_routers);
    return all == way_use::Router && !routers ? way_use::Each : all;
  }

  const topology& m_topology;
  const unsigned m_vcs;
  const wiring m_wires;
  const way_use m_use;
  std::vector<step> m_stack;
  std::vector<vc_set> m_open;  ///< of each channel
  std::vector<vc_set> m_done;
};

}  // namespace weft
