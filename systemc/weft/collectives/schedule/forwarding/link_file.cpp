// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/link_file.h"

#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/schedule/files/json_keys.h"
#include "weft/collectives/schedule/files/json_place.h"

namespace weft::schedule {
namespace {

using nlohmann::json;

constexpr std::uint64_t MostNodes = 1 << 16, MostBandwidth = 1 << 20;

unsigned bandwidth_at(const json_place& place) { return static_cast<unsigned>(place.number(1, MostBandwidth)); }

std::vector<node_id> nodes_at(const json_place& place, std::size_t nodes) {
  const std::vector<std::uint64_t> list = place.distinct_numbers(0, nodes - 1, "node");
  return {list.begin(), list.end()};
}

bool both_ways(const json& link, const json_place& place) {
  const auto both = link.find("both");
  if (both == link.end()) return false;
  if (!both->is_boolean()) place.at("both").fail("true or false");
  return both->get<bool>();
}

/// Adds a link unless its ends are already connected.
void add_link(link_graph& graph, std::set<std::pair<node_id, node_id>>& joined, const graph_link& link,
              const json_place& place) {
  if (link.from == link.to) place.at("to").fail("a node other than from");
  if (!joined.emplace(link.from, link.to).second)
    place.reject(
        fmt::format("the link {} -> {} is given twice; give one link the bandwidth of both", link.from, link.to));
  graph.links.push_back(link);
}

link_graph weft_links(const json& document) {
  const json_place root(document);
  link_graph graph;
  graph.name = root.at("name").text();
  graph.nodes = root.at("nodes").number(1, MostNodes);
  const auto links = root.at("links").elements();
  std::set<std::pair<node_id, node_id>> joined;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const auto end = [&](const char* key) { return static_cast<node_id>(links[i].at(key).number(0, graph.nodes - 1)); };
    const graph_link link{end("from"), end("to"), bandwidth_at(links[i].at("bandwidth"))};
    add_link(graph, joined, link, links[i]);
    if (both_ways(document["links"][i], links[i]))
      add_link(graph, joined, {link.to, link.from, link.bandwidth}, links[i]);
  }
  const auto limits = root.has("shared") ? root.at("shared").elements() : std::vector<json_place>{};
  for (const json_place& limit : limits) {
    graph.shared.push_back({limit.at("name").text(), nodes_at(limit.at("from"), graph.nodes),
                            nodes_at(limit.at("to"), graph.nodes), bandwidth_at(limit.at("bandwidth"))});
  }
  return root.attempt([&] { return checked(std::move(graph)); });
}

link_graph links_at(const json_place& root, const json& document, const std::string& text) {
  if (root.has("msccl_type")) {
    const std::string type = root.at("msccl_type").text();
    if (type == "topology" || type == "algorithm") check_sccl_keys(text, type);
    if (type == "topology") return links_of_sccl(document, "");
    if (type == "algorithm") return links_of_sccl(document.value("topology", json()), "topology");
    root.at("msccl_type").fail("topology or algorithm");
  }
  if (root.at("format").text() != "weft-links/1") root.at("format").fail("weft-links/1");
  check_keys(text, {{"", {"format", "name", "nodes", "links", "shared", "comment"}},
                    {"links[]", {"from", "to", "bandwidth", "both"}},
                    {"shared[]", {"name", "from", "to", "bandwidth"}}});
  return weft_links(document);
}

}  // namespace

std::string links_to_json(const link_graph& graph) {
  json document{{"format", "weft-links/1"}, {"name", graph.name}, {"nodes", graph.nodes}, {"links", json::array()}};
  for (const graph_link& l : graph.links) {
    document["links"].push_back({{"from", l.from}, {"to", l.to}, {"bandwidth", l.bandwidth}});
  }
  for (const shared_limit& s : graph.shared) {
    document["shared"].push_back({{"name", s.name}, {"from", s.from}, {"to", s.to}, {"bandwidth", s.bandwidth}});
  }
  return document.dump(1) + "\n";
}

link_graph links_from_json(const std::string& text) {
  const json document = parse_json(text);
  return with_lines(text, [&] { return links_at(json_place(document), document, text); });
}

void check_sccl_keys(const std::string& text, const std::string& type) {
  const std::vector<std::string> topology{"msccl_type", "name", "switches", "links"};
  if (type == "topology") return check_keys(text, {{"", topology}});
  check_keys(
      text,
      {{"", {"msccl_type", "name", "instance", "input_map", "output_map", "steps", "collective", "topology"}},
       {"instance", {"msccl_type", "steps", "extra_rounds", "chunks", "pipeline", "extra_memory", "allow_exchange"}},
       {"steps[]", {"msccl_type", "rounds", "sends"}},
       {"collective", {"msccl_type", "name", "nodes", "chunks", "triggers", "runtime_name"}},
       {"collective.chunks[]", {"msccl_type", "pre", "post", "addr"}},
       {"topology", topology}});
}

void expect_sccl_type(const json_place& object, const std::string& type) {
  if (object.has("msccl_type") && object.at("msccl_type").text() != type) object.at("msccl_type").fail(type);
}

json sccl_topology(const link_graph& graph) {
  std::vector<std::vector<unsigned>> matrix(graph.nodes, std::vector<unsigned>(graph.nodes, 0));
  for (const graph_link& l : graph.links) matrix[l.to][l.from] = l.bandwidth;
  json switches = json::array();
  for (const shared_limit& s : graph.shared) switches.push_back(json::array({s.from, s.to, s.bandwidth, s.name}));
  return {{"msccl_type", "topology"}, {"name", graph.name}, {"switches", switches}, {"links", matrix}};
}

link_graph links_of_sccl(const json& topology, const std::string& path) {
  const json_place root(topology, path);
  expect_sccl_type(root, "topology");
  link_graph graph;
  graph.name = root.at("name").text();
  const auto rows = root.at("links").elements();
  graph.nodes = rows.size();
  std::vector<std::vector<unsigned>> from(rows.size(), std::vector<unsigned>(rows.size(), 0));
  for (std::size_t to = 0; to < rows.size(); ++to) {
    const auto row = rows[to].elements();
    if (row.size() != rows.size()) rows[to].fail("as many numbers as there are rows");
    for (std::size_t i = 0; i < row.size(); ++i) from[i][to] = static_cast<unsigned>(row[i].number(0, MostBandwidth));
    if (from[to][to] > 0) row[to].fail("0, because a link joins two different nodes");
  }
  for (node_id a = 0; a < from.size(); ++a) {
    for (node_id b = 0; b < from.size(); ++b) {
      if (from[a][b] > 0) graph.links.push_back({a, b, from[a][b]});
    }
  }
  for (const json_place& place : root.at("switches").elements()) {
    const auto parts = place.elements();
    if (parts.size() != 4) place.fail("senders, receivers, bandwidth and name");
    graph.shared.push_back(
        {parts[3].text(), nodes_at(parts[0], graph.nodes), nodes_at(parts[1], graph.nodes), bandwidth_at(parts[2])});
  }
  return root.attempt([&] { return checked(std::move(graph)); });
}

}  // namespace weft::schedule
