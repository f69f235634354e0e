// SPDX-License-Identifier: Apache-2.0
/// All that packets may do in a network: the search that the checks of check.h make.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

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
/// Of the ways that a source may draw, a few stand for all. O1TURN has two. Of Valiant's routing, packets by way of
/// their own router begin with the second part everywhere, and those by way of the node behind the destination take the
/// first part to it, whatever the destination; so all destinations together show all of both parts. In a fat tree, all
/// parents.
class route_search {
 public:
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

  route_search(const topology& t, unsigned vcs) : m_topology(t), m_vcs(vcs), m_wires(t) {}

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

    for (node_id source = 0; source < m_topology.nodes.size(); ++source) {
      for (const std::uint64_t way : ways(source, destination)) {
        // A path in the header goes on as it likes, whatever others do that come by.
        if (m_topology.routing.front().uses_up_way()) forget();
        for (const port_ref in : m_topology.nodes[source].ports) {
          for (unsigned in_vc = 0; in_vc < m_vcs; ++in_vc) {
            ask(source, way, nullptr, in, in_vc);
            explore(source);
          }
        }
      }
    }
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

  std::vector<std::uint64_t> ways(node_id source, node_id destination) const {
    const way_rule& rule = m_topology.nodes[source].ways;
    if (!rule.drawn()) return {rule(destination, 0)};
    if (rule.count == 2) return {0, 1};
    const auto router_of = [this](std::size_t node) {
      return m_topology.nodes[node % m_topology.nodes.size()].ports.front().router;
    };
    return {router_of(source), router_of(std::size_t{destination} + 1)};
  }

  const topology& m_topology;
  const unsigned m_vcs;
  const wiring m_wires;
  std::vector<step> m_stack;
  std::vector<vc_set> m_open;  ///< of each channel
  std::vector<vc_set> m_done;
};

}  // namespace weft
