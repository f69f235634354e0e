// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/core/printable.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

using kind_of_collective = forwarding_collective;

constexpr std::array<std::pair<kind_of_collective, const char*>, 9> Names{
    {{kind_of_collective::Allgather, "allgather"},
     {kind_of_collective::Alltoall, "alltoall"},
     {kind_of_collective::Broadcast, "broadcast"},
     {kind_of_collective::Scatter, "scatter"},
     {kind_of_collective::Gather, "gather"},
     {kind_of_collective::Reduce, "reduce"},
     {kind_of_collective::ReduceScatter, "reduce-scatter"},
     {kind_of_collective::Allreduce, "allreduce"},
     {kind_of_collective::Custom, "custom"}}};

std::vector<node_id> all_nodes(std::size_t nodes) {
  std::vector<node_id> all(nodes);
  std::iota(all.begin(), all.end(), node_id{0});
  return all;
}

/// Returns the kinds of chunks. Each kind has C copies.
std::vector<forwarding_chunk> kinds_of_chunks(std::size_t nodes, kind_of_collective what, node_id root) {
  std::vector<forwarding_chunk> list;
  const std::vector<node_id> all = all_nodes(nodes);
  if (what == kind_of_collective::Broadcast) return {{{root}, all, false}};
  if (what == kind_of_collective::Reduce) return {{all, {root}, true}};
  for (node_id node = 0; node < nodes; ++node) {
    switch (what) {
      case kind_of_collective::Allgather:
        list.push_back({{node}, all, false});
        break;
      case kind_of_collective::ReduceScatter:
        list.push_back({all, {node}, true});
        break;
      case kind_of_collective::Allreduce:
        list.push_back({all, all, true});
        break;
      case kind_of_collective::Scatter:
        if (node != root) list.push_back({{root}, {node}, false});
        break;
      case kind_of_collective::Gather:
        if (node != root) list.push_back({{node}, {root}, false});
        break;
      default:
        for (node_id to = 0; to < nodes; ++to) {
          if (to != node) list.push_back({{node}, {to}, false});
        }
    }
  }
  return list;
}

/// Returns the chunks that nodes must receive and do not hold, in a canonical order.
auto sorted_demands(const forwarding_problem& p) {
  std::vector<std::tuple<std::vector<node_id>, std::vector<node_id>, bool>> demands;
  for (const forwarding_chunk& chunk : p.list) {
    std::vector<node_id> receivers;
    for (const node_id node : chunk.receivers) {
      if (chunk.summed || !has_node(chunk.holders, node)) receivers.push_back(node);
    }
    if (!receivers.empty()) demands.emplace_back(chunk.holders, std::move(receivers), chunk.summed);
  }
  std::sort(demands.begin(), demands.end());
  return demands;
}

/// Returns the minimum number of links that the chunk must cross.
std::size_t least_sends(const forwarding_chunk& chunk) {
  if (chunk.summed) return std::max(chunk.holders.size(), chunk.receivers.size());
  return static_cast<std::size_t>(std::count_if(chunk.receivers.begin(), chunk.receivers.end(),
                                                [&](node_id node) { return !has_node(chunk.holders, node); }));
}

/// Rejects problems with too many sends, for which the algorithm alone would take gigabytes.
void check_sends(std::size_t sends) {
  constexpr std::size_t Most = 1 << 20;
  if (sends > Most) {
    throw std::invalid_argument(fmt::format(
        "the problem needs at least {} sends, one for each chunk and receiver, expected at most {}; use fewer chunks",
        sends, Most));
  }
}

void check_nodes(std::size_t nodes, std::size_t chunk, const char* side, std::vector<node_id>& list) {
  if (list.empty()) throw std::invalid_argument(fmt::format("chunk {}: no {}s, expected at least one", chunk, side));
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  if (list.back() >= nodes) {
    throw std::invalid_argument(
        fmt::format("chunk {}: {} {}: expected nodes 0 to {}", chunk, side, list.back(), nodes - 1));
  }
}

/// Checks whether receivers can be reached. Chunks with the same holders must follow one another.
class reach_check {
 public:
  explicit reach_check(const link_graph& graph) : m_graph(graph) {}

  void check(std::size_t chunk, const std::vector<node_id>& holders, const std::vector<node_id>& receivers) {
    if (holders != m_holders) {
      m_holders = holders;
      m_distance = hops_from(m_graph, holders);
    }
    for (const node_id to : receivers) {
      if (m_distance[to] == Unreached) {
        throw std::invalid_argument(
            fmt::format("chunk {}: no path of links leads from node {} to node {}; add links, or request less", chunk,
                        fmt::join(holders, ", "), to));
      }
    }
  }

 private:
  const link_graph& m_graph;
  std::vector<node_id> m_holders;
  std::vector<std::uint32_t> m_distance;
};

}  // namespace

bool same_demands(const forwarding_problem& a, const forwarding_problem& b) {
  return sorted_demands(a) == sorted_demands(b);
}

const char* name_of(forwarding_collective what) {
  return std::find_if(Names.begin(), Names.end(), [&](const auto& entry) { return entry.first == what; })->second;
}

forwarding_collective forwarding_collective_of(const std::string& name) {
  std::vector<std::string> known;
  for (const auto& [what, text] : Names) {
    if (name == text) return what;
    known.emplace_back(text);
  }
  throw std::invalid_argument(fmt::format("collective {}: expected {}", in_quotes(name), fmt::join(known, ", ")));
}

forwarding_problem make_forwarding(link_graph graph, forwarding_collective what, unsigned chunks, node_id root) {
  if (what == kind_of_collective::Custom) throw std::invalid_argument("collective custom: give its chunks one by one");
  if (chunks == 0) throw std::invalid_argument("chunks: 0, expected at least 1");
  if (graph.nodes < 2) throw std::invalid_argument(fmt::format("{}: 1 node, expected at least 2", graph.name));
  if (root >= graph.nodes) {
    throw std::invalid_argument(fmt::format("root {}: expected a node from 0 to {}", root, graph.nodes - 1));
  }
  forwarding_problem p{std::move(graph), what, chunks, {}};
  const std::vector<forwarding_chunk> kinds = kinds_of_chunks(p.graph.nodes, what, root);
  std::size_t sends = 0;
  for (const forwarding_chunk& one : kinds) sends += least_sends(one) * chunks;
  check_sends(sends);
  for (const forwarding_chunk& one : kinds) {
    for (unsigned i = 0; i < chunks; ++i) p.list.push_back(one);
  }
  return checked(std::move(p));
}

forwarding_problem make_alltoallv(link_graph graph, const std::vector<std::vector<unsigned>>& count) {
  const std::size_t nodes = graph.nodes;
  const bool square = count.size() == nodes &&
                      std::all_of(count.begin(), count.end(), [&](const auto& row) { return row.size() == nodes; });
  if (!square) {
    throw std::invalid_argument(fmt::format("alltoallv: expected {} rows of {} numbers of chunks each", nodes, nodes));
  }
  std::size_t number = 0;
  for (const std::vector<unsigned>& row : count) number = std::accumulate(row.begin(), row.end(), number);
  check_sends(number);
  forwarding_problem p{std::move(graph), kind_of_collective::Custom, 1, {}};
  for (node_id from = 0; from < nodes; ++from) {
    for (node_id to = 0; to < nodes; ++to) {
      for (unsigned i = 0; from != to && i < count[from][to]; ++i) p.list.push_back({{from}, {to}, false});
    }
  }
  if (p.list.empty()) throw std::invalid_argument("alltoallv: no chunk between different nodes, expected at least one");
  return checked(std::move(p));
}

forwarding_problem checked(forwarding_problem p) {
  p.graph = checked(std::move(p.graph));
  if (p.list.empty()) throw std::invalid_argument("no chunks, expected at least one");
  reach_check reach(p.graph);
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    forwarding_chunk& chunk = p.list[c];
    check_nodes(p.graph.nodes, c, "holder", chunk.holders);
    check_nodes(p.graph.nodes, c, "receiver", chunk.receivers);
    const bool repeated = c > 0 && chunk.holders == p.list[c - 1].holders && chunk.receivers == p.list[c - 1].receivers;
    if (repeated) continue;
    if (!chunk.summed) {
      reach.check(c, chunk.holders, chunk.receivers);
      continue;
    }
    for (const node_id holder : chunk.holders) reach.check(c, {holder}, chunk.receivers);
  }
  return p;
}

}  // namespace weft::schedule
