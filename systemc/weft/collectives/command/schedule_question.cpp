// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/command/schedule_question.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/configuration/network.h"
#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"

namespace weft::experiment {

namespace {

using schedule::collective;
using schedule::operation;
using schedule::step_network;

std::vector<node_id> all_nodes(const step_network& network) {
  std::vector<node_id> nodes(network.nodes());
  std::iota(nodes.begin(), nodes.end(), node_id{0});
  return nodes;
}

std::vector<node_id> nodes_of(const topology& graph, router_id router) {
  std::vector<node_id> nodes;
  for (node_id n = 0; n < graph.nodes.size(); ++n) {
    const auto& ports = graph.nodes[n].ports;
    if (std::any_of(ports.begin(), ports.end(), [&](port_ref p) { return p.router == router; })) nodes.push_back(n);
  }
  return nodes;
}

/// The nodes of "3" or "0-7"; nothing if \p text has another form.
std::optional<std::vector<node_id>> by_number(const std::string& text, const step_network& network) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto first = parse_number<node_id>(text.substr(0, dash));
  const auto last = dash == text.size() ? first : parse_number<node_id>(text.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  if (*first > *last) throw std::invalid_argument(fmt::format("expected an ascending range, got {}", in_quotes(text)));
  if (*last >= network.nodes())
    throw std::invalid_argument(fmt::format("there is no node {}, expected 0 to {}", *last, network.nodes() - 1));
  std::vector<node_id> nodes(*last - *first + 1);
  std::iota(nodes.begin(), nodes.end(), *first);
  return nodes;
}

/// The node or router with the name \p text. If there is none, "r2" is router 2.
std::optional<schedule::vertex_id> vertex_named(const std::string& text, const topology& graph,
                                                const step_network& network) {
  const auto vertices = static_cast<schedule::vertex_id>(network.nodes() + graph.routers.size());
  for (schedule::vertex_id v = 0; v < vertices; ++v)
    if (network.name(v) == text) return v;
  const auto number = text.rfind('r', 0) == 0 ? parse_number<router_id>(text.substr(1)) : std::nullopt;
  return number && *number < graph.routers.size() ? std::optional(network.router(*number)) : std::nullopt;
}

/// The node "n3", or all nodes of the router \p text.
std::vector<node_id> by_name(const std::string& text, const topology& graph, const step_network& network) {
  const std::optional<schedule::vertex_id> v = vertex_named(text, graph, network);
  if (!v)
    throw std::invalid_argument(
        fmt::format("{} is not a node, range or router: nodes are written 0 to {} or n0 to n{}, a range is written "
                    "0-1, and routers have names such as {}",
                    in_quotes(text), network.nodes() - 1, network.nodes() - 1, network.name(network.router(0))));
  if (network.is_node(*v)) return {*v};
  std::vector<node_id> nodes = nodes_of(graph, static_cast<router_id>(*v - network.nodes()));
  if (nodes.empty()) throw std::invalid_argument(fmt::format("router {} has no nodes", text));
  return nodes;
}

/// Calls \p make, and reports its errors at \p key.
template <class Make>
auto with_error_keys(const configuration& c, const char* key, Make make) {
  try {
    return make();
  } catch (const configuration_error&) {
    throw;
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{c.where(key), fmt::format("{}: {}", key, e.what())}});
  }
}

std::vector<node_id> list_of(const configuration& c, const char* key, const std::vector<std::string>& list,
                             const topology& graph, const step_network& network) {
  if (list.empty()) return all_nodes(network);
  return with_error_keys(c, key, [&] {
    std::vector<node_id> nodes = nodes_named(list, graph, network), sorted = nodes;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) throw std::invalid_argument(fmt::format("node {} is named twice", *twice));
    return nodes;
  });
}

collective collective_of(const configuration& c, const topology& graph, const step_network& network) {
  if (!c.schedule.collective)
    throw configuration_error({diagnostic{"weft schedule",
                                          "--collective is missing; expected oab, aab, oas, aas, mnb or mns, "
                                          "here or in schedule.collective"}});
  const step_collective requested = *c.schedule.collective;
  const bool scatter =
      requested == step_collective::Oas || requested == step_collective::Aas || requested == step_collective::Mns;
  collective made;
  made.what = scatter ? operation::Scatter : operation::Broadcast;
  made.senders = all_nodes(network);
  made.receivers = made.senders;
  if (requested == step_collective::Oab || requested == step_collective::Oas) {
    made.senders = with_error_keys(c, "schedule.root", [&] {
      std::vector<node_id> nodes = nodes_named({c.schedule.root}, graph, network);
      if (nodes.size() == 1) return nodes;
      throw std::invalid_argument(fmt::format("{} denotes {} nodes, expected one", c.schedule.root, nodes.size()));
    });
  } else if (requested == step_collective::Mnb || requested == step_collective::Mns) {
    made.senders = list_of(c, "schedule.senders", c.schedule.senders, graph, network);
    made.receivers = list_of(c, "schedule.receivers", c.schedule.receivers, graph, network);
  }
  return with_error_keys(c, "schedule.collective", [&] { return schedule::checked(std::move(made), network); });
}

}  // namespace

std::vector<node_id> nodes_named(const std::vector<std::string>& list, const topology& graph,
                                 const step_network& network) {
  std::vector<node_id> nodes;
  for (const std::string& text : list) {
    std::optional<std::vector<node_id>> found = by_number(text, network);
    if (!found) found = by_name(text, graph, network);
    nodes.insert(nodes.end(), found->begin(), found->end());
  }
  return nodes;
}

step_network step_network_of(const configuration& c, const topology& graph) {
  return with_error_keys(c, "schedule.ports", [&] { return step_network(graph, c.schedule.ports); });
}

schedule_question question_of(const configuration& c) {
  topology graph = build_channels(c);
  step_network network = step_network_of(c, graph);
  collective requested = collective_of(c, graph, network);
  return {std::move(graph), std::move(network), std::move(requested), c.schedule.paths, c.schedule.combining};
}

}  // namespace weft::experiment
