// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/step_methods.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/schedule/forwarding/solve.h"
#include "weft/collectives/schedule/forwarding/spreading.h"

namespace weft::schedule {
namespace {

/// The node at a router, and its channels.
struct node_port {
  node_id node = 0;
  channel_id injection = 0, ejection = 0;
};

/// For each router, its node; nothing unless each router has a node of its own.
std::optional<std::vector<node_port>> nodes_at_routers(const step_network& network) {
  if (network.nodes() != network.routers()) return std::nullopt;
  std::vector<std::optional<node_port>> at(network.routers());
  for (node_id node = 0; node < network.nodes(); ++node) {
    if (network.out(node).size() != 1 || network.in(node).size() != 1) return std::nullopt;
    const node_port port{node, network.out(node).front(), network.in(node).front()};
    const vertex_id router = network.channels()[port.injection].to;
    if (router < network.router(0) || router >= network.router(0) + network.routers()) return std::nullopt;
    if (network.channels()[port.ejection].from != router) return std::nullopt;
    std::optional<node_port>& here = at[router - network.router(0)];
    if (here) return std::nullopt;
    here = port;
  }
  std::vector<node_port> all;
  for (const std::optional<node_port>& port : at) all.push_back(*port);
  return all;
}

std::string unfit_for_forwarding(const problem& p) {
  constexpr std::size_t Most = 16'384;  // same limit as for searches
  if (p.combining) return "it sends messages one by one and does not combine them";
  if (!nodes_at_routers(p.network)) return "it needs one node at each router";
  const std::size_t messages = demands_of(p.requested).size();
  if (messages > Most)
    return fmt::format("{} pairs of message and receiver are too many, expected at most {}", messages, Most);
  return "";
}

/// A problem for schedules in steps, converted to a problem for nodes that store and forward.
class step_forwarding {
 public:
  explicit step_forwarding(const problem& p) : m_network(p.network), m_nodes(*nodes_at_routers(p.network)) {
    m_problem.graph = graph();
    std::vector<node_id> router(m_nodes.size());
    for (node_id r = 0; r < m_nodes.size(); ++r) router[m_nodes[r].node] = r;
    std::map<message, std::vector<node_id>> receivers;
    for (const demand& d : demands_of(p.requested)) receivers[d.what].push_back(router[d.receiver]);
    for (auto& [what, to] : receivers) {
      m_messages.push_back(what);
      m_problem.list.push_back({{router[what.origin]}, std::move(to), false});
    }
    m_problem = checked(std::move(m_problem));
  }

  const forwarding_problem& question() const { return m_problem; }

  step_schedule schedule(const forwarding_algorithm& a) const {
    step_schedule result;
    for (const forwarding_step& round : in_unit_steps(m_problem, a).steps) {
      step& s = result.steps.emplace_back();
      std::map<channel_id, unsigned> load;
      for (const chunk_send& send : round.sends) {
        const node_port &from = m_nodes[send.from], &to = m_nodes[send.to];
        const std::vector<channel_id>& links = m_links.at({send.from, send.to});
        const auto free = std::find_if(links.begin(), links.end(),
                                       [&](channel_id c) { return load[c] < m_network.channels()[c].capacity; });
        ++load[*free];
        s.push_back({from.node, to.node, {m_messages[send.chunk]}, {from.injection, *free, to.ejection}});
      }
    }
    return result;
  }

 private:
  /// Returns the graph of routers and links. The ports of a node become a shared limit of the links of its router.
  link_graph graph() {
    link_graph graph{"steps", m_nodes.size(), {}, {}};
    for (channel_id c = 0; c < m_network.channels().size(); ++c) {
      const step_channel& channel = m_network.channels()[c];
      if (channel.kind != channel_kind::Link) continue;
      m_links[{channel.from - m_network.router(0), channel.to - m_network.router(0)}].push_back(c);
    }
    std::vector<unsigned> out(m_nodes.size(), 0), in(m_nodes.size(), 0);
    std::vector<node_id> all;
    for (const auto& [ends, channels] : m_links) {
      unsigned bandwidth = 0;
      for (const channel_id c : channels) bandwidth += m_network.channels()[c].capacity;
      graph.links.push_back({ends.first, ends.second, bandwidth});
      out[ends.first] += bandwidth;
      in[ends.second] += bandwidth;
    }
    for (node_id r = 0; r < m_nodes.size(); ++r) all.push_back(r);
    for (node_id r = 0; r < m_nodes.size(); ++r) {
      const unsigned ports_out = m_network.ports_out(m_nodes[r].node), ports_in = m_network.ports_in(m_nodes[r].node);
      if (ports_out < out[r]) graph.shared.push_back({fmt::format("out of {}", r), {r}, all, ports_out});
      if (ports_in < in[r]) graph.shared.push_back({fmt::format("into {}", r), all, {r}, ports_in});
    }
    return graph;
  }

  const step_network& m_network;
  const std::vector<node_port> m_nodes;  // by router
  std::map<std::pair<node_id, node_id>, std::vector<channel_id>> m_links;
  std::vector<message> m_messages;  // by chunk
  forwarding_problem m_problem;
};

search_result as_steps(const step_forwarding& forwarding, const std::optional<forwarding_algorithm>& found) {
  if (!found) return {};
  return {forwarding.schedule(*found), 0, {}, {}};
}

/// A proof would be about a different model.
search_control without_proof(search_control control) {
  control.proof = nullptr;
  return control;
}

}  // namespace

const method& store_and_forward() {
  static const method it{
      "store_and_forward", "from node to next node, by routes, greedy matching or spanning trees",
      method::kind::Construction, unfit_for_forwarding, [](const problem& p, const search_control& control) {
        const step_forwarding forwarding(p);
        return as_steps(forwarding,
                        construct_forwarding(forwarding.question(), control.enough, without_proof(control)));
      }};
  return it;
}

const method& store_and_forward_sat() {
  static const method it{"store_and_forward_sat", "from node to next node, by CaDiCaL", method::kind::Search,
                         unfit_for_forwarding, [](const problem& p, const search_control& control) {
                           const step_forwarding forwarding(p);
                           forwarding_result result =
                               solve_forwarding(forwarding.question(), {}, without_proof(control));
                           if (result.answer != forwarding_result::status::Found) return search_result{};
                           return as_steps(forwarding, std::move(result.found));
                         }};
  return it;
}

}  // namespace weft::schedule
