// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/collective_algorithms.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/collectives/communication/collective_generators.h"

namespace weft {
namespace {

const char* name_of(collective_operation o) { return CollectiveOperationNames[static_cast<std::size_t>(o)]; }
const char* name_of(collective_algorithm a) { return CollectiveAlgorithmNames[static_cast<std::size_t>(a)]; }

template <class... Arguments>
[[noreturn]] void reject(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument(fmt::format(text, std::forward<Arguments>(arguments)...));
}

std::vector<node_id> nodes_named(const char* what, const std::vector<node_id>& named, std::uint32_t nodes) {
  if (named.empty()) {
    std::vector<node_id> all(nodes);
    std::iota(all.begin(), all.end(), node_id{0});
    return all;
  }
  std::vector<node_id> sorted = named;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.back() >= nodes) {
    reject("{}: node {} is not in the network, expected 0…{}", what, sorted.back(), nodes - 1);
  }
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) reject("{}: node {} is given twice, expected every node once", what, *twice);
  return named;
}

void check_network(const collective_network& network) {
  std::uint64_t nodes = 1;
  for (const std::uint32_t side : network.shape) nodes *= side;
  if (network.nodes == 0) reject("network: no nodes, expected at least one");
  if (!network.shape.empty() && nodes != network.nodes) {
    reject("network: a grid of {} has {} nodes, expected {}", fmt::join(network.shape, "x"), nodes, network.nodes);
  }
  if (network.shape.empty() && network.hops.size() != std::size_t{network.nodes} * network.nodes) {
    reject("network: {} distances, expected {} for {} nodes that form no grid", network.hops.size(),
           std::size_t{network.nodes} * network.nodes, network.nodes);
  }
}

void check_shape(const char* what, const std::vector<std::uint32_t>& shape, const std::vector<std::uint32_t>& around) {
  if (shape.size() != around.size()) {
    reject("{}: {} has {} sides, expected {} for a {}", what, fmt::join(shape, "x"), shape.size(), around.size(),
           around.size() == 1 ? "list of nodes" : "grid");
  }
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0 || shape[d] > around[d]) {
      reject("{}: the side {} of {} is out of range, expected 1…{}", what, shape[d], fmt::join(shape, "x"), around[d]);
    }
  }
}

void check_lists(const std::vector<std::vector<node_id>>& groups, std::uint32_t nodes) {
  std::vector<unsigned> times(nodes, 0);
  for (const std::vector<node_id>& group : groups) {
    if (group.empty()) reject("groups: a group is empty, expected at least one node in each");
    for (const node_id n : group) {
      if (n >= nodes) reject("groups: node {} is not in the network, expected 0…{}", n, nodes - 1);
      if (++times[n] > 1) reject("groups: node {} is given twice, expected every node in one group", n);
    }
  }
  const auto missing = std::find(times.begin(), times.end(), 0u);
  if (missing != times.end()) {
    reject("groups: node {} is in no group, expected every node in one group", missing - times.begin());
  }
}

void check_groups(const collective_parameters& p, const collective_network& network) {
  if (p.group.empty() == p.groups.empty()) {
    reject("{}: expected either `group`, the shape of a group, or `groups`, the nodes of each group",
           name_of(p.algorithm));
  }
  if (!p.subgroups.empty() && p.algorithm != collective_algorithm::NetworkCoding) {
    reject("{}: only network_coding supports groups inside groups; leave `subgroups` out", name_of(p.algorithm));
  }
  if (!p.groups.empty()) check_lists(p.groups, network.nodes);
  const std::vector<std::uint32_t> all = network.shape.empty() ? std::vector{network.nodes} : network.shape;
  if (!p.group.empty()) check_shape("group", p.group, all);
  std::vector<std::uint32_t> around = p.group;
  if (around.empty()) around = {static_cast<std::uint32_t>(p.groups.front().size())};
  for (const std::vector<std::uint32_t>& shape : p.subgroups) {
    check_shape("subgroups", shape, around);
    around = shape;
  }
  for (const collective_algorithm part : {p.inner, p.outer}) {
    if (!is_broadcast_tree(part)) {
      reject("{}: {} does not broadcast inside or between groups; expected all_at_once, ring or one of the trees",
             name_of(p.algorithm), name_of(part));
    }
  }
}

bool can_do(collective_algorithm a, collective_operation o) {
  using algorithm = collective_algorithm;
  switch (o) {
    case collective_operation::Broadcast:
      return true;
    case collective_operation::Scatter:
      return is_broadcast_tree(a) || a == algorithm::Combining || a == algorithm::Schedule;
    case collective_operation::Gather:
    case collective_operation::Reduce:
      return is_broadcast_tree(a) || a == algorithm::Combining;
    case collective_operation::AllReduce:
      return is_broadcast_tree(a) || a == algorithm::RecursiveDoubling;
  }
  return false;
}

bool power_of_two(std::uint32_t n) { return n != 0 && (n & (n - 1)) == 0; }

void check_operation(const collective_parameters& p, const collective_network& network) {
  using algorithm = collective_algorithm;
  using operation = collective_operation;
  const bool sums = p.operation == operation::Reduce || p.operation == operation::AllReduce;
  const bool everyone = p.receivers.size() == network.nodes;
  const bool all_send = p.sources.size() == network.nodes;
  if (!can_do(p.algorithm, p.operation)) {
    reject("{} does not support {}; use {}", name_of(p.algorithm), name_of(p.operation),
           p.operation == operation::AllReduce ? "recursive_doubling or one of the trees"
                                               : "combining, all_at_once, ring or one of the trees");
  }
  if ((p.operation == operation::Gather || p.operation == operation::Reduce) && p.receivers.size() != 1) {
    reject("{}: {} receivers, expected one", name_of(p.operation), p.receivers.size());
  }
  if (p.operation == operation::AllReduce && !(everyone && all_send)) {
    reject("all_reduce: expected all nodes as sources and as receivers; leave both out");
  }
  if (sums && p.packets != 1) reject("{}: {} packets per source, expected 1", name_of(p.operation), p.packets);
  if (sums && p.lengths.size() != 1)
    reject("{}: data of different lengths, expected a single length", name_of(p.operation));
  if (p.operation == operation::Broadcast && has_groups(p.algorithm) && !everyone) {
    reject("{}: {} receivers, expected all {} nodes; leave `receivers` out or take one of the trees",
           name_of(p.algorithm), p.receivers.size(), network.nodes);
  }
  if (p.algorithm == algorithm::RecursiveDoubling) {
    if (!everyone || !all_send || p.packets != 1) {
      reject("recursive_doubling: expected all nodes as sources and receivers, one packet each");
    }
    const std::vector<std::uint32_t> all = network.shape.empty() ? std::vector{network.nodes} : network.shape;
    for (const std::uint32_t side : all) {
      if (!power_of_two(side)) reject("recursive_doubling: {} nodes in a row, expected a power of two", side);
    }
  }
}

void check_butterfly(const collective_parameters& p) {
  const bool shape = p.sources.size() == 2 && p.receivers.size() == 2 && (p.relays.size() == 1 || p.relays.size() == 2);
  if (!shape) {
    reject(
        "{}: {} sources, {} receivers, {} relays; expected 2 sources, 2 receivers and 1 or 2 relays, the ends of the "
        "shared path",
        name_of(p.algorithm), p.sources.size(), p.receivers.size(), p.relays.size());
  }
  std::vector<node_id> all = p.sources;
  all.insert(all.end(), p.receivers.begin(), p.receivers.end());
  all.insert(all.end(), p.relays.begin(), p.relays.end());
  std::sort(all.begin(), all.end());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end()) {
    reject("{}: node {} has two roles, expected different sources, receivers and relays", name_of(p.algorithm), *twice);
  }
}

void add_data(collective_builder& builder, const collective_parameters& p) {
  for (std::size_t s = 0; s < p.sources.size(); ++s) {
    const std::uint32_t flits = p.lengths[p.lengths.size() == 1 ? 0 : s];
    for (std::uint32_t i = 0; i < p.packets; ++i) builder.add_datum(p.sources[s], flits);
  }
}

/// Adds the goals: every receiver needs all data except its own, or their sum.
void add_goals(collective_builder& builder, const collective_parameters& p) {
  const bool sum = p.operation == collective_operation::Reduce || p.operation == collective_operation::AllReduce;
  std::vector<collective_goal> goals;
  for (const node_id r : p.receivers) {
    collective_goal goal;
    goal.node = r;
    goal.sum = sum;
    for (datum_id d = 0; d < builder.data().size(); ++d) {
      if (sum || builder.data()[d].owner != r) goal.data.push_back(d);
    }
    if (!goal.data.empty()) goals.push_back(std::move(goal));
  }
  builder.set_goals(std::move(goals));
}

void broadcast(collective_builder& builder, const collective_parameters& p, const collective_network& network) {
  switch (p.algorithm) {
    case collective_algorithm::RecursiveDoubling:
      return exchange_by_doubling(builder, payload_form::Join, network);
    case collective_algorithm::Hierarchy:
    case collective_algorithm::Combining:
    case collective_algorithm::NetworkCoding:
    case collective_algorithm::NetworkCodingDirect:
      return broadcast_by_hierarchy(builder, p, network);
    case collective_algorithm::SpreadIntermediates:
      return broadcast_by_counterparts(builder, p, network);
    case collective_algorithm::Butterfly:
    case collective_algorithm::ButterflyUncoded:
      return broadcast_by_butterfly(builder, p);
    case collective_algorithm::Parity:
      return broadcast_with_parity(builder, p);
    default:
      return broadcast_by_trees(builder, p, network);
  }
}

/// Returns an upper estimate of the number of messages, which some algorithms do not reach.
std::uint64_t messages_of(const collective_parameters& p, std::uint32_t nodes) {
  const std::uint64_t data = std::uint64_t{p.sources.size()} * p.packets;
  const bool to_one = p.operation == collective_operation::Gather || p.operation == collective_operation::Reduce;
  return to_one ? data : data * nodes;
}

void check_size(const collective_parameters& p, std::uint32_t nodes) {
  const std::uint64_t messages = messages_of(p, nodes);
  if (messages > MaxCollectiveMessages) {
    reject(
        "{}: {} data for {} nodes need about {} messages, expected at most {}; use fewer sources, fewer packets or a "
        "smaller network, or only count hops, which needs no messages",
        name_of(p.algorithm), std::uint64_t{p.sources.size()} * p.packets, nodes, messages, MaxCollectiveMessages);
  }
}

}  // namespace

collective_parameters checked(collective_parameters p, const collective_network& network) {
  check_network(network);
  p.sources = nodes_named("sources", p.sources, network.nodes);
  p.receivers = nodes_named("receivers", p.receivers, network.nodes);
  if (!p.relays.empty()) nodes_named("relays", p.relays, network.nodes);
  if (p.lengths.size() != 1 && p.lengths.size() != p.sources.size()) {
    reject("lengths: {} numbers, expected one, or one for each of the {} sources", p.lengths.size(), p.sources.size());
  }
  for (const std::uint32_t length : p.lengths) {
    if (length == 0) reject("lengths: 0 flits, expected at least 1");
  }
  if (p.packets == 0) reject("packets: 0 packets per source, expected at least 1");
  if (p.parity == 0) reject("parity: 0 data in one XOR, expected at least 1");
  check_operation(p, network);
  if (has_groups(p.algorithm)) {
    check_groups(p, network);
  } else if (!p.group.empty() || !p.groups.empty() || !p.subgroups.empty()) {
    reject("{}: this algorithm has no groups; leave them out", name_of(p.algorithm));
  }
  if (p.algorithm == collective_algorithm::Butterfly || p.algorithm == collective_algorithm::ButterflyUncoded) {
    check_butterfly(p);
  }
  return p;
}

collective make_collective(const collective_parameters& parameters, const collective_network& network) {
  const collective_parameters p = checked(parameters, network);
  if (p.algorithm == collective_algorithm::Schedule)
    reject("schedule: the messages of a schedule come from a file, not from parameters");
  check_size(p, network.nodes);
  collective_builder builder(name_of(p.algorithm), network.nodes);
  if (p.operation == collective_operation::Scatter) {
    if (p.algorithm == collective_algorithm::Combining) {
      scatter_by_combining(builder, p, network);
    } else {
      scatter_by_trees(builder, p, network);
    }
    return builder.take();
  }
  add_data(builder, p);
  add_goals(builder, p);
  switch (p.operation) {
    case collective_operation::Gather:
      collect_by_tree(builder, p, payload_form::Join, network);
      break;
    case collective_operation::AllReduce:
      if (p.algorithm == collective_algorithm::RecursiveDoubling) {
        exchange_by_doubling(builder, payload_form::Sum, network);
        break;
      }
      [[fallthrough]];
    case collective_operation::Reduce:
      collect_by_tree(builder, p, payload_form::Sum, network);
      break;
    default:
      builder.begin();
      broadcast(builder, p, network);
  }
  return builder.take();
}

}  // namespace weft
