// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/sccl_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "weft/collectives/schedule/files/json_place.h"
#include "weft/collectives/schedule/forwarding/link_file.h"

namespace weft::schedule {
namespace {

using nlohmann::json;

bool alike(const forwarding_chunk& a, const forwarding_chunk& b) {
  return a.holders == b.holders && a.receivers == b.receivers && a.summed == b.summed;
}

/// Returns the chunks for C = 1. A sum becomes one SCCL chunk for each summand, all at the same address.
json collective_of(const forwarding_problem& p) {
  json chunks = json::array();
  for (std::size_t c = 0; c < p.list.size(); c += p.chunks) {
    const forwarding_chunk& chunk = p.list[c];
    for (std::size_t i = c; i < c + p.chunks; ++i) {
      if (i < p.list.size() && alike(p.list[i], chunk)) continue;
      throw std::invalid_argument(fmt::format(
          "chunk {}: expected the same nodes as chunk {}, because there are {} copies of each chunk", i, c, p.chunks));
    }
    const std::size_t address = c / p.chunks;
    const auto add = [&](const std::vector<node_id>& holders) {
      chunks.push_back({{"msccl_type", "chunk"}, {"pre", holders}, {"post", chunk.receivers}, {"addr", address}});
    };
    if (!chunk.summed) add(chunk.holders);
    for (std::size_t i = 0; chunk.summed && i < chunk.holders.size(); ++i) add({chunk.holders[i]});
  }
  return {{"msccl_type", "collective"}, {"name", fmt::format("{}(n={})", name_of(p.what), p.graph.nodes)},
          {"nodes", p.graph.nodes},     {"chunks", chunks},
          {"triggers", json::object()}, {"runtime_name", nullptr}};
}

/// Returns, for each node, the addresses of the chunks that it holds or must receive.
json addresses_by_node(const forwarding_problem& p, std::vector<node_id> forwarding_chunk::*side) {
  std::map<std::string, std::vector<chunk_id>> map;
  for (chunk_id c = 0; c < p.list.size(); ++c) {
    for (const node_id node : p.list[c].*side) map[std::to_string(node)].push_back(c);
  }
  return map;
}

/// Checks that \p map, if the document has it, lists for each node the addresses of the chunks that it holds or must
/// receive.
void expect_addresses(const json_place& root, const char* map, const json& expected) {
  if (!root.has(map)) return;
  const json_place place = root.at(map);
  std::map<std::string, std::set<std::uint64_t>> found, right;
  for (const std::string& node : place.keys())
    for (const std::uint64_t address : place.at(node).distinct_numbers(0, UINT32_MAX, "address"))
      found[node].insert(address);
  for (const auto& [node, addresses] : expected.items()) right[node] = addresses.get<std::set<std::uint64_t>>();
  for (const auto& [node, addresses] : found)
    if (addresses != right[node])
      place.at(node).fail(fmt::format("the addresses of the collective's chunks: {}", fmt::join(right[node], ", ")));
  for (const auto& [node, addresses] : right)
    if (!addresses.empty() && found.count(node) == 0)
      place.fail(fmt::format("addresses of node {}: {}", node, fmt::join(addresses, ", ")));
}

/// Returns the chunks of the problem, which consist of the parts at each address.
std::vector<forwarding_chunk> chunks_at(const json_place& collective, std::size_t nodes, unsigned copies) {
  std::map<std::uint64_t, std::vector<forwarding_chunk>> by_address;
  std::map<std::uint64_t, std::set<std::uint64_t>> holders;  // nodes that hold the parts, by address
  const auto nodes_of = [&](const json_place& place) {
    const std::vector<std::uint64_t> given = place.distinct_numbers(0, nodes - 1, "node");
    if (given.empty()) place.fail("at least one node");
    std::vector<node_id> list(given.begin(), given.end());
    std::sort(list.begin(), list.end());
    return list;
  };
  for (const json_place& chunk : collective.at("chunks").elements()) {
    expect_sccl_type(chunk, "chunk");
    const std::uint64_t address = chunk.at("addr").number(0, UINT32_MAX);
    auto& parts = by_address[address];
    parts.push_back({nodes_of(chunk.at("pre")), nodes_of(chunk.at("post")), false});
    if (parts.front().receivers != parts.back().receivers)
      chunk.at("post").fail("the receivers of the other parts of the sum");
    if (parts.size() > 1 && parts.back().holders.size() != 1) chunk.at("pre").fail("one node for each part of a sum");
    if (parts.size() > 1 && parts.front().holders.size() != 1)
      chunk.at("addr").fail(
          "another address, because the chunk there starts at several nodes and cannot be part of a sum");
    const bool is_new = holders[address].insert(parts.back().holders.front()).second;
    if (!is_new) chunk.at("pre").fail("a node that no other part of the sum has");
  }
  constexpr std::size_t MostHolders = std::size_t{1} << 23;  // (chunk, node) pairs; the checker has a set for each
  if (by_address.size() * copies > MostHolders / std::max<std::size_t>(nodes, 1))
    collective.at("chunks").fail(
        fmt::format("at most {} pairs of a chunk and a node, all copies counted", MostHolders));
  std::vector<forwarding_chunk> list;
  for (auto& [address, parts] : by_address) {
    if (address * copies != list.size()) collective.at("chunks").fail("addresses 0, 1, … without gaps");
    forwarding_chunk whole = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) whole.holders.push_back(parts[i].holders.front());
    whole.summed = parts.size() > 1;
    std::sort(whole.holders.begin(), whole.holders.end());
    list.insert(list.end(), copies, whole);
  }
  return list;
}

/// Sets `add` for sends of incomplete sums.
void find_sums(const forwarding_problem& p, forwarding_algorithm& a) {
  std::vector<std::vector<std::set<node_id>>> parts(p.list.size(), std::vector<std::set<node_id>>(p.graph.nodes));
  for (std::size_t c = 0; c < p.list.size(); ++c) {
    for (const node_id node : p.list[c].holders) parts[c][node].insert(node);
  }
  for (forwarding_step& now : a.steps) {
    std::vector<std::pair<const chunk_send*, std::set<node_id>>> sent;
    for (chunk_send& send : now.sends) {
      if (!p.list[send.chunk].summed) continue;
      const std::set<node_id>& have = parts[send.chunk][send.from];
      send.add = have.size() < p.list[send.chunk].holders.size();
      sent.emplace_back(&send, have);
    }
    for (const auto& [send, have] : sent) parts[send->chunk][send->to].insert(have.begin(), have.end());
  }
}

}  // namespace

std::string to_sccl_json(const forwarding_problem& p, const forwarding_algorithm& a) {
  json steps = json::array();
  for (const forwarding_step& now : a.steps) {
    json sends = json::array();
    for (const chunk_send& send : now.sends) sends.push_back({send.chunk, send.from, send.to});
    steps.push_back({{"msccl_type", "step"}, {"rounds", now.rounds}, {"sends", sends}});
  }
  const json instance{
      {"msccl_type", "instance"}, {"steps", a.steps.size()}, {"extra_rounds", a.rounds() - a.steps.size()},
      {"chunks", p.chunks},       {"pipeline", nullptr},     {"extra_memory", nullptr},
      {"allow_exchange", false}};
  const std::string name = fmt::format("{}(n={})-{}-steps{}.rounds{}.chunks{}", name_of(p.what), p.graph.nodes,
                                       p.graph.name, a.steps.size(), a.rounds(), p.chunks);
  const json document{{"msccl_type", "algorithm"},
                      {"name", name},
                      {"instance", instance},
                      {"input_map", addresses_by_node(p, &forwarding_chunk::holders)},
                      {"output_map", addresses_by_node(p, &forwarding_chunk::receivers)},
                      {"steps", steps},
                      {"collective", collective_of(p)},
                      {"topology", sccl_topology(p.graph)}};
  return document.dump() + "\n";
}

namespace {

sccl_algorithm algorithm_at(const json_place& root, const json& document, const std::string& text) {
  constexpr unsigned Most = 1 << 20;
  if (root.at("msccl_type").text() != "algorithm") root.at("msccl_type").fail("algorithm");
  check_sccl_keys(text, "algorithm");
  sccl_algorithm result;
  forwarding_problem& p = result.problem;
  p.graph = links_of_sccl(document.value("topology", json()), "topology");
  p.chunks = static_cast<unsigned>(root.at("instance").at("chunks").number(1, Most));
  result.rounds =
      root.at("instance").at("steps").number(0, Most) + root.at("instance").at("extra_rounds").number(0, Most);
  const json_place collective = root.at("collective");
  expect_sccl_type(root.at("instance"), "instance");
  expect_sccl_type(collective, "collective");
  if (collective.has("nodes")) collective.at("nodes").number(p.graph.nodes, p.graph.nodes);
  p.list = chunks_at(collective, p.graph.nodes, p.chunks);
  if (!document["collective"].value("triggers", json()).empty()) collective.at("triggers").fail("none");
  if (!document["instance"].value("pipeline", json()).is_null()) root.at("instance").at("pipeline").fail("null");
  p = collective.at("chunks").attempt([&] { return checked(std::move(p)); });
  expect_addresses(root, "input_map", addresses_by_node(p, &forwarding_chunk::holders));
  expect_addresses(root, "output_map", addresses_by_node(p, &forwarding_chunk::receivers));
  for (const json_place& place : root.at("steps").elements()) {
    forwarding_step& now = result.algorithm.steps.emplace_back();
    expect_sccl_type(place, "step");
    now.rounds = static_cast<unsigned>(place.at("rounds").number(1, Most));
    for (const json_place& send : place.at("sends").elements()) {
      const auto parts = send.elements();
      if (parts.size() != 3) send.fail("address, source and destination");
      const auto node = [&](std::size_t i) { return static_cast<node_id>(parts[i].number(0, p.graph.nodes - 1)); };
      now.sends.push_back({static_cast<chunk_id>(parts[0].number(0, p.list.size() - 1)), node(1), node(2), false});
    }
  }
  find_sums(p, result.algorithm);
  return result;
}

}  // namespace

sccl_algorithm from_sccl_json(const std::string& text) {
  const json document = parse_json(text);
  return with_lines(text, [&] { return algorithm_at(json_place(document), document, text); });
}

std::vector<forwarding_violation> check_file(const sccl_algorithm& file) {
  auto violations = check_forwarding(file.problem, file.algorithm);
  const std::size_t rounds = file.algorithm.rounds();
  if (rounds != file.rounds) {
    violations.push_back(
        {forwarding_violation::kind::Rounds, 0,
         fmt::format("instance: steps and extra_rounds give {} rounds, expected {}, the rounds of all steps",
                     file.rounds, rounds)});
  }
  return violations;
}

}  // namespace weft::schedule
