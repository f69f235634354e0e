// SPDX-License-Identifier: Apache-2.0
// Files of store and forward: round trips, their errors, and the conversion of algorithms to step schedules.
#include "forwarding_networks.h"
#include "support/warnings.h"
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/forwarding/chakra_file.h"
#include "weft/collectives/schedule/forwarding/count_file.h"
#include "weft/collectives/schedule/forwarding/link_file.h"
#include "weft/collectives/schedule/forwarding/sccl_file.h"
#include "weft/collectives/schedule/forwarding/solve.h"
#include "weft/collectives/schedule/forwarding/to_step_schedule.h"

namespace weft::schedule {
namespace {

void expect_equal(const link_graph& a, const link_graph& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.nodes, b.nodes);
  ASSERT_EQ(a.links.size(), b.links.size());
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    EXPECT_EQ(a.links[i].from, b.links[i].from);
    EXPECT_EQ(a.links[i].to, b.links[i].to);
    EXPECT_EQ(a.links[i].bandwidth, b.links[i].bandwidth);
  }
  ASSERT_EQ(a.shared.size(), b.shared.size());
  for (std::size_t i = 0; i < a.shared.size(); ++i) {
    EXPECT_EQ(a.shared[i].name, b.shared[i].name);
    EXPECT_EQ(a.shared[i].from, b.shared[i].from);
    EXPECT_EQ(a.shared[i].to, b.shared[i].to);
    EXPECT_EQ(a.shared[i].bandwidth, b.shared[i].bandwidth);
  }
}

/// The error message of \p read, or "none".
template <class Read>
std::string error_in(Read read) {
  try {
    read();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

std::string error_of(const std::string& text) {
  return error_in([&] { links_from_json(text); });
}

/// A copy of \p whole with \p value at \p place.
nlohmann::json with_value(nlohmann::json whole, const char* place, const nlohmann::json& value) {
  whole[nlohmann::json::json_pointer(place)] = value;
  return whole;
}

TEST(unit_schedule_link_file, survives_round_trip) {
  const link_graph graph = with_ports(dgx1(), 5);
  expect_equal(links_from_json(links_to_json(graph)), graph);
}

TEST(unit_schedule_link_file, skips_byte_order_mark) {
  const link_graph graph = links_of(ring(4));
  expect_equal(links_from_json("\xef\xbb\xbf" + links_to_json(graph)), graph);
  EXPECT_EQ(error_of("\xef\xbb\xbf{\n\"format\": \"weft-links/1\",\n\"speed\": 1}").substr(0, 15), "line 3: speed: ");
}

TEST(unit_schedule_link_file, expands_bidirectional_links) {
  const link_graph graph = links_from_json(R"({"format": "weft-links/1", "name": "pair", "nodes": 2,
    "links": [{"from": 0, "to": 1, "bandwidth": 3, "both": true}]})");
  ASSERT_EQ(graph.links.size(), 2U);
  EXPECT_EQ(graph.links[1].from, 1U);
  EXPECT_EQ(graph.links[1].bandwidth, 3U);
}

TEST(unit_schedule_link_file, errors_name_the_faulty_key) {
  const auto with = [](const std::string& links) {
    return R"({"format": "weft-links/1", "name": "x", "nodes": 2, "links": [)" + links + "]}";
  };
  EXPECT_NE(error_of("{").find("not JSON"), std::string::npos);
  EXPECT_NE(error_of("{\"nodes\": 1e999}").find("not JSON: number overflow parsing '1e999'"), std::string::npos);
  EXPECT_EQ(error_of("\"a\x7f\""), "line 1: the document: \"a\\x7f\", expected an object with format");
  EXPECT_LT(error_of("{\"a\": \"'; expected" + std::string(5000, 'x') + "\xff\"}").size(), 500U);
  EXPECT_NE(error_of("{}").find("format is missing"), std::string::npos);
  EXPECT_NE(error_of(with(R"({"from": 0, "to": 2, "bandwidth": 1})")).find("links[0].to: 2"), std::string::npos);
  EXPECT_NE(error_of(with(R"({"from": 0, "to": 1})")).find("links[0].bandwidth is missing"), std::string::npos);
  EXPECT_NE(error_of(with(R"({"from": 0, "to": 1, "bandwidth": 0})")).find("links[0].bandwidth: 0"), std::string::npos);
  EXPECT_NE(error_of(with(R"({"from": 0, "to": 1, "bandwidth": 1, "both": 1})")).find("links[0].both"),
            std::string::npos);
  EXPECT_NE(error_of(R"({"msccl_type": "algorithm"})").find("topology"), std::string::npos);
}

TEST(unit_schedule_link_file, rejects_unknown_keys_with_line_and_path) {
  EXPECT_EQ(
      error_of("{\"format\": \"weft-links/1\", \"name\": \"a\", \"nodes\": 3,\n\"switches\": [2], \"links\": []}"),
      "line 2: switches: unknown key; expected one of format, name, nodes, links, shared, comment");
  EXPECT_EQ(
      error_of("{\"format\": \"weft-links/1\", \"name\": \"a\", \"nodes\": 3,\n\"links\": [\n{\"from\": 0, \"to\": 1, "
               "\"bandwidth\": 1},\n{\"from\": 0, \"to\": 2, \"bandwidth\": 1, \"latency\": 500}]}"),
      "line 4: links[1].latency: unknown key; expected one of from, to, bandwidth, both");
  EXPECT_EQ(error_of(R"({"format": "weft-links/1", "name": "a", "nodes": 2, "comment": "", "links": [],
                         "shared": [{"name": "s", "from": [0], "to": [1], "bandwith": 1}]})"),
            "line 2: shared[0].bandwith: unknown key; did you mean 'bandwidth'?");
  EXPECT_EQ(error_of(R"({"msccl_type": "topology", "name": "x", "switches": [], "links": [[0]], "alpha": 1})"),
            "line 1: alpha: unknown key; expected one of msccl_type, name, switches, links");
}

TEST(unit_schedule_link_file, value_errors_have_line_numbers) {
  const auto with = [](const std::string& links) {
    return "{\"format\": \"weft-links/1\",\n\"name\": \"x\",\n\"nodes\": 2\n,\"links\": [\n" + links + "\n]}";
  };
  const std::string good = R"({"from": 0, "to": 1, "bandwidth": 1})";
  EXPECT_EQ(error_of(with(good + ",\n{\"from\": 1,\n\"to\": 2\n, \"bandwidth\": 1}")),
            "line 7: links[1].to: 2, expected a whole number from 0 to 1");
  EXPECT_EQ(error_of(with("{\"from\": 0, \"to\":\n1}")), "line 5: links[0].bandwidth is missing");
  EXPECT_EQ(error_of(with(good + ",\n" + good)),
            "line 6: links[1]: the link 0 -> 1 is given twice; give one link the bandwidth of both");
  EXPECT_EQ(error_of(with("{\"from\": 1,\n\"to\": 1,\n\"bandwidth\": 1}")),
            "line 6: links[0].to: 1, expected a node other than from");
  EXPECT_EQ(error_of(with("{\"from\": 1,\n\"to\": 0,\n\"to\": 0}")),
            "line 7: links[0].to: the key is given twice; give it once");
  EXPECT_EQ(
      error_of("{\"msccl_type\": \"topology\", \"name\": \"x\", \"switches\": [],\n\"links\": [[0, 1],\n[1, 2]]}"),
      "line 3: links[1][1]: 2, expected 0, because a link joins two different nodes");
  EXPECT_EQ(error_of("7"), "line 1: the document: 7, expected an object with format");
}

TEST(unit_schedule_count_file, value_errors_have_line_numbers) {
  const auto error = [](const std::string& text) { return error_in([&] { counts_from_json(text, 2, "f"); }); };
  EXPECT_EQ(error("[[0, 1],\n[-1, 0]]"), "line 2: [1][0]: -1, expected a whole number from 0 to 1048576");
  EXPECT_EQ(error("[[0, 1],\n\n[0]]"), "line 3: [1]: a list of 1, expected 2 numbers, one for each node that receives");
  EXPECT_EQ(error("\n[]"), "line 2: the document: a list of 0, expected 2 rows, one for each node that sends");
}

TEST(unit_schedule_count_file, requires_one_row_per_sender) {
  const caught_warnings warnings;
  EXPECT_EQ(counts_from_json("[[0, 2], [1, 0]]", 2, "f"), (std::vector<std::vector<unsigned>>{{0, 2}, {1, 0}}));
  EXPECT_EQ(warnings.text(), "");
  for (const char* const wrong : {"", "{}", "[[0, 2]]", "[[0], [1]]", "[[0, -2], [1, 0]]", "[[0, 2], [1, 0.5]]"})
    EXPECT_THROW(counts_from_json(wrong, 2, "f"), std::invalid_argument) << wrong;
}

TEST(unit_schedule_count_file, warns_about_chunks_from_a_node_to_itself) {
  const caught_warnings warnings;
  counts_from_json("[[0, 2, 0], [1, 4, 0], [0, 0, 1]]", 3, "--counts f.json");
  EXPECT_EQ(warnings.text(),
            "--counts f.json: [1][1]: warning: chunks of a node for itself are left out (2 times, first here); they "
            "cross no link; give 0\n");
}

TEST(unit_schedule_forwarding_problem, is_compared_by_node_demands) {
  const forwarding_problem p = make_forwarding(dgx1(), collective_kind::Alltoall, 2);
  forwarding_problem q = p;
  std::reverse(q.list.begin(), q.list.end());
  q.list.push_back({{3}, {3}, false});  // from a node to itself
  EXPECT_TRUE(same_demands(p, q));
  q.list.front().receivers = {0};
  EXPECT_FALSE(same_demands(p, q));
  EXPECT_FALSE(same_demands(p, make_forwarding(dgx1(), collective_kind::Alltoall, 1)));
  EXPECT_THROW(make_forwarding(dgx1(), collective_kind::Alltoall, 1 << 20), std::invalid_argument);
}

TEST(unit_schedule_sccl_file, survives_round_trip) {
  for (const auto what : {collective_kind::Allgather, collective_kind::Alltoall, collective_kind::ReduceScatter,
                          collective_kind::Allreduce, collective_kind::Broadcast}) {
    const forwarding_problem p = make_forwarding(with_ports(dgx1(), 6), what, 2);
    const forwarding_algorithm a = solve_forwarding(p).found;
    const sccl_algorithm back = from_sccl_json(to_sccl_json(p, a));
    expect_equal(back.problem.graph, p.graph);
    EXPECT_EQ(back.problem.chunks, 2U);
    ASSERT_EQ(back.problem.list.size(), p.list.size());
    for (std::size_t c = 0; c < p.list.size(); ++c) {
      EXPECT_EQ(back.problem.list[c].holders, p.list[c].holders);
      EXPECT_EQ(back.problem.list[c].receivers, p.list[c].receivers);
      EXPECT_EQ(back.problem.list[c].summed, p.list[c].summed);
    }
    EXPECT_EQ(back.algorithm.rounds(), a.rounds());
    EXPECT_EQ(back.algorithm.steps.size(), a.steps.size());
    EXPECT_EQ(violations_of(back.problem, back.algorithm), "") << name_of(what);
    expect_equal(links_from_json(to_sccl_json(p, a)), p.graph);
  }
}

/// The file has the format of SCCL's tools. It describes an allgather of two nodes with C = 2 and contains keys that
/// Weft ignores.
TEST(unit_schedule_sccl_file, reads_files_of_sccl_tools) {
  const char* text = R"text({"msccl_type": "algorithm", "name": "Allgather(n=2)-Line",
    "instance": {"msccl_type": "instance", "steps": 1, "extra_rounds": 1, "chunks": 2, "pipeline": null,
                 "extra_memory": null, "allow_exchange": false},
    "input_map": {"0": [0, 1], "1": [2, 3]}, "output_map": {"0": [0, 1, 2, 3], "1": [0, 1, 2, 3]},
    "steps": [{"msccl_type": "step", "rounds": 2, "sends": [[0, 0, 1], [1, 0, 1], [2, 1, 0], [3, 1, 0]]}],
    "collective": {"msccl_type": "collective", "name": "Allgather(n=2)", "nodes": 2, "triggers": {},
      "runtime_name": "allgather",
      "chunks": [{"msccl_type": "chunk", "pre": [0], "post": [0, 1], "addr": 0},
                 {"msccl_type": "chunk", "pre": [1], "post": [0, 1], "addr": 1}]},
    "topology": {"msccl_type": "topology", "name": "Line", "switches": [], "links": [[0, 1], [1, 0]]}})text";
  const sccl_algorithm read = from_sccl_json(text);
  EXPECT_EQ(read.problem.list.size(), 4U);
  EXPECT_EQ(read.algorithm.rounds(), 2U);
  EXPECT_TRUE(check_file(read).empty());
  std::string broken = text;
  broken.replace(broken.find("\"rounds\": 2"), 11, "\"rounds\": 3");
  const auto violations = check_file(from_sccl_json(broken));
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations.front().text,
            "instance: steps and extra_rounds give 2 rounds, expected 3, the rounds of all steps");
  broken = text;
  broken.replace(broken.find("[3, 1, 0]"), 9, "[4, 1, 0]");
  EXPECT_THROW(from_sccl_json(broken), std::invalid_argument);
}

TEST(unit_schedule_sccl_file, value_errors_have_line_numbers) {
  const forwarding_problem p = make_forwarding(links_of(ring(4)), collective_kind::Allgather, 2);
  const auto whole = nlohmann::json::parse(to_sccl_json(p, solve_forwarding(p).found));
  const auto rejection_with = [&whole](const char* place, const nlohmann::json& value) {
    const std::string text = with_value(whole, place, value).dump(1), marked = error_in([&] { from_sccl_json(text); });
    const auto at = static_cast<std::ptrdiff_t>(text.find(value.dump()));  // the value occurs once
    const auto line = 1 + std::count(text.begin(), text.begin() + at, '\n');
    const std::string begin = "line " + std::to_string(line) + ": ";
    return marked.rfind(begin, 0) == 0 ? marked.substr(begin.size()) : marked;
  };
  EXPECT_EQ(rejection_with("/steps/1/sends/0/2", 77), "steps[1].sends[0][2]: 77, expected a whole number from 0 to 3");
  EXPECT_EQ(rejection_with("/steps/1/rounds", "all"),
            "steps[1].rounds: \"all\", expected a whole number from 1 to 1048576");
  EXPECT_EQ(rejection_with("/collective/chunks/2/pre/0", 99),
            "collective.chunks[2].pre[0]: 99, expected a whole number from 0 to 3");
}

TEST(unit_schedule_sccl_file, rejects_duplicates_in_lists) {
  const auto rejection = [](collective_kind what, const char* place, const char* value) {
    const forwarding_problem p = make_forwarding(links_of(ring(4)), what, 1);
    const auto file = nlohmann::json::parse(to_sccl_json(p, solve_forwarding(p).found));
    return error_in([&] { from_sccl_json(with_value(file, place, nlohmann::json::parse(value)).dump()); });
  };
  EXPECT_EQ(rejection(collective_kind::Allgather, "/collective/chunks/0/pre", "[0, 0]"),
            "line 1: collective.chunks[0].pre[1]: 0, expected each node once");
  EXPECT_EQ(rejection(collective_kind::Allgather, "/collective/chunks/1/post", "[0, 1, 2, 3, 1]"),
            "line 1: collective.chunks[1].post[4]: 1, expected each node once");
  EXPECT_EQ(rejection(collective_kind::Allgather, "/input_map/2", "[2, 2]"),
            "line 1: input_map.2[1]: 2, expected each address once");
  EXPECT_EQ(rejection(collective_kind::Allgather, "/topology/switches", R"([[[0, 1, 0], [1], 1, "port"]])"),
            "line 1: topology.switches[0][0][2]: 0, expected each node once");
  EXPECT_EQ(rejection(collective_kind::ReduceScatter, "/collective/chunks/1/pre", "[0]"),
            "line 1: collective.chunks[1].pre: a list of 1, expected a node that no other part of the sum has");
  EXPECT_EQ(rejection(collective_kind::ReduceScatter, "/collective/chunks/0/pre", "[0, 1]"),
            "line 1: collective.chunks[1].addr: 0, expected another address, because the chunk there starts at several "
            "nodes and cannot be part of a sum");
}

TEST(unit_schedule_sccl_file, rejects_unknown_keys_and_contradictions) {
  const forwarding_problem p = make_forwarding(links_of(ring(4)), collective_kind::Allgather, 2);
  const auto whole = nlohmann::json::parse(to_sccl_json(p, solve_forwarding(p).found));
  const auto rejection_with = [&whole](const char* place, const nlohmann::json& value) {
    return error_in([&] { from_sccl_json(with_value(whole, place, value).dump()); });
  };
  for (const char* const place : {"/alpha", "/instance/alpha", "/steps/0/alpha", "/collective/alpha",
                                  "/collective/chunks/3/alpha", "/topology/alpha"}) {
    const std::string rejection = rejection_with(place, 1);
    EXPECT_EQ(rejection.rfind("line 1: ", 0), 0U) << place;
    EXPECT_NE(rejection.find("alpha: unknown key; "), std::string::npos) << rejection;
  }
  for (const char* const place : {"/instance/msccl_type", "/steps/0/msccl_type", "/collective/msccl_type",
                                  "/collective/chunks/3/msccl_type", "/topology/msccl_type"})
    EXPECT_NE(rejection_with(place, "other").find("msccl_type: \"other\", expected "), std::string::npos) << place;
  EXPECT_EQ(rejection_with("/collective/nodes", 5), "line 1: collective.nodes: 5, expected 4");
  EXPECT_EQ(rejection_with("/input_map/1", {2, 4}),
            "line 1: input_map.1: a list of 2, expected the addresses of the collective's chunks: 2, 3");
  EXPECT_EQ(rejection_with("/output_map", nlohmann::json::object()),
            "line 1: output_map: an object, expected addresses of node 0: 0, 1, 2, 3, 4, 5, 6, 7");
  for (const char* const place :
       {"/name", "/collective/name", "/collective/runtime_name", "/instance/extra_memory", "/instance/allow_exchange"})
    EXPECT_EQ(rejection_with(place, "any"), "none") << place << " changes nothing";
}

TEST(unit_schedule_chakra_file, records_each_send_at_both_ends) {
  const forwarding_problem p = make_forwarding(links_of(ring(4)), collective_kind::Allgather);
  const forwarding_algorithm a = solve_forwarding(p).found;
  std::size_t all = 0;
  for (const forwarding_step& step : a.steps) all += step.sends.size();
  std::size_t sends = 0, receives = 0, waits = 0;
  for (const std::string& text : chakra_traces(p, a, 1024)) {
    const auto trace = nlohmann::json::parse(text);
    for (const auto& node : trace["workload_graph"]) {
      sends += node["NodeType"] == 5 ? 1 : 0;
      receives += node["NodeType"] == 6 ? 1 : 0;
      waits += node["data_deps"].size();
      for (const auto& before : node["data_deps"]) EXPECT_LT(before, node["Id"]);
      EXPECT_EQ(node["comm_size"], 1024);
    }
  }
  EXPECT_EQ(sends, all);
  EXPECT_EQ(receives, all);
  EXPECT_GE(waits, 4U);  // chunks that cross two links
}

TEST(unit_schedule_step_conversion, converted_algorithm_passes_the_schedule_check) {
  const topology t = mesh({3, 3});
  const step_network network(t, {port_rule::kind::All, 1});
  for (const auto what : {collective_kind::Alltoall, collective_kind::Allgather}) {
    const forwarding_problem p = make_forwarding(links_of(t), what);
    const forwarding_algorithm a = solve_forwarding(p).found;
    const step_schedule s = to_step_schedule(network, p, a);
    EXPECT_EQ(s.start_ups(), a.rounds());
    const problem requested{
        network,
        all_to_all(what == collective_kind::Alltoall ? operation::Scatter : operation::Broadcast, network.nodes())};
    const auto violations = check(requested, s);
    EXPECT_TRUE(violations.empty()) << violations.front().text;
  }
}

TEST(unit_schedule_step_conversion, rejects_too_few_ports_or_indistinguishable_chunks) {
  const topology t = mesh({3, 3});
  const forwarding_problem p = make_forwarding(links_of(t), collective_kind::Allgather);
  const forwarding_algorithm a = solve_forwarding(p).found;
  EXPECT_THROW(to_step_schedule(step_network(t), p, a), std::invalid_argument);
  const forwarding_problem two = make_forwarding(links_of(t), collective_kind::Allgather, 2);
  const step_network all(t, {port_rule::kind::All, 1});
  EXPECT_THROW(to_step_schedule(all, two, solve_forwarding(two).found), std::invalid_argument);
}

}  // namespace
}  // namespace weft::schedule
