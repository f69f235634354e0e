// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/to_step_schedule.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace weft::schedule {
namespace {

/// The channels by which a router's node enters and leaves the network.
struct attached_node {
  node_id node = 0;
  channel_id injection = 0, ejection = 0;
};

std::vector<attached_node> nodes_of_routers(const step_network& network, std::size_t routers) {
  if (network.routers() != routers || network.nodes() != routers) {
    throw std::invalid_argument(fmt::format("network: {} nodes on {} routers, expected one node at each of {} routers",
                                            network.nodes(), network.routers(), routers));
  }
  std::vector<attached_node> result(routers);
  std::set<vertex_id> taken;
  for (node_id node = 0; node < network.nodes(); ++node) {
    const std::vector<channel_id>&out = network.out(node), &in = network.in(node);
    const vertex_id at = out.empty() ? vertex_id{node} : network.channels()[out.front()].to;
    if (out.size() != 1 || in.empty() || at < network.router(0) || at >= network.router(0) + routers ||
        !taken.insert(at).second) {
      throw std::invalid_argument(fmt::format("node {}: expected a router of its own", network.name(node)));
    }
    result[at - network.router(0)] = {node, out.front(), in.front()};
  }
  return result;
}

std::vector<message> messages_of(const forwarding_problem& p, const std::vector<attached_node>& nodes) {
  std::vector<message> messages;
  std::set<message> known;
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    const forwarding_chunk& chunk = p.list[c];
    if (chunk.summed || chunk.holders.size() != 1) {
      throw std::invalid_argument(fmt::format("chunk {}: expected one node that holds all of it at the start", c));
    }
    message m{nodes[chunk.holders.front()].node};
    if (chunk.receivers.size() == 1) m.destination = nodes[chunk.receivers.front()].node;
    if (!known.insert(m).second)
      throw std::invalid_argument(fmt::format("chunk {}: another chunk has the same nodes, expected one (C = 1)", c));
    messages.push_back(m);
  }
  return messages;
}

void check_ports(const step_network& network, const step& s, std::size_t round) {
  std::map<node_id, unsigned> sent, received;
  for (const transfer& t : s) {
    if (++sent[t.from] > network.ports_out(t.from) || ++received[t.to] > network.ports_in(t.to)) {
      throw std::invalid_argument(
          fmt::format("round {}: too few ports for the transfer {} -> {}; give the nodes all ports", round + 1,
                      network.name(t.from), network.name(t.to)));
    }
  }
}

bool less(const demand& a, const demand& b) { return a.what < b.what || (a.what == b.what && a.receiver < b.receiver); }

}  // namespace

collective collective_of_problem(const step_network& network, const forwarding_problem& p) {
  const auto nodes = nodes_of_routers(network, p.graph.nodes);
  const auto messages = messages_of(p, nodes);
  std::vector<demand> expected;
  std::set<node_id> senders, receivers;
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    senders.insert(messages[c].origin);
    for (const node_id router : p.list[c].receivers) {
      const node_id to = nodes[router].node;
      receivers.insert(to);
      if (to != messages[c].origin) expected.push_back({messages[c], to});
    }
  }
  std::sort(expected.begin(), expected.end(), less);
  const bool broadcast = messages.front().destination == message::Everyone;
  collective result = checked({broadcast ? operation::Broadcast : operation::Scatter,
                               {senders.begin(), senders.end()},
                               {receivers.begin(), receivers.end()}},
                              network);
  std::vector<demand> result_demands = demands_of(result);
  std::sort(result_demands.begin(), result_demands.end(), less);
  const auto same = [](const demand& a, const demand& b) { return !less(a, b) && !less(b, a); };
  if (!std::equal(expected.begin(), expected.end(), result_demands.begin(), result_demands.end(), same))
    throw std::invalid_argument(
        "chunks: expected that each sender has one chunk for all receivers, or one for each receiver");
  return result;
}

step_schedule to_step_schedule(const step_network& network, const forwarding_problem& p,
                               const forwarding_algorithm& a) {
  const auto nodes = nodes_of_routers(network, p.graph.nodes);
  const auto messages = messages_of(p, nodes);
  std::map<std::pair<vertex_id, vertex_id>, channel_id> links;
  for (channel_id c = 0; c < network.channels().size(); ++c) {
    links[{network.channels()[c].from, network.channels()[c].to}] = c;
  }
  step_schedule result;
  for (const forwarding_step& round : in_unit_steps(p, a).steps) {
    step& s = result.steps.emplace_back();
    for (const chunk_send& send : round.sends) {
      const auto link = links.find({network.router(send.from), network.router(send.to)});
      if (link == links.end()) {
        throw std::invalid_argument(fmt::format("link {} -> {}: not in the network", send.from, send.to));
      }
      s.push_back({nodes[send.from].node,
                   nodes[send.to].node,
                   {messages[send.chunk]},
                   {nodes[send.from].injection, link->second, nodes[send.to].ejection}});
    }
    check_ports(network, s, result.steps.size() - 1);
  }
  return result;
}

}  // namespace weft::schedule
