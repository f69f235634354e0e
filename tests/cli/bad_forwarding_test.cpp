// SPDX-License-Identifier: Apache-2.0
/// Input that `weft forwarding` rejects, each with the whole message.
#include "cli/rejected_call.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using nlohmann::json;
using ::testing::StartsWith;

class cli_bad_forwarding : public rejected_call_test {};

TEST_P(cli_bad_forwarding, is_rejected) {
  write("mesh.yaml", "network: {topology: {shape: [2, 2]}}\n");
  write("text.json", "no JSON");
  write("form.json", R"({"format": "weft-links/2"})");
  write("node.json",
        R"({"format": "weft-links/1", "name": "x", "nodes": 2, "links": [{"from": 0, "to": 2, "bandwidth": 1}]})");
  write("one_way.json",
        R"({"format": "weft-links/1", "name": "x", "nodes": 2, "links": [{"from": 0, "to": 1, "bandwidth": 1}]})");
  write("single.json", R"({"format": "weft-links/1", "name": "x", "nodes": 1, "links": []})");
  write("rows.json", "[[0, 1], [1, 0]]");
  write("row.json", "[[0, 1], [1, 0], [0], []]");
  write("negative.json", "[[0, -1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]");
  write("pairs.json", "[[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]");
  write("nothing.json", "[[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]");
  expect_rejection_of("forwarding");
}

const rejected_call BadForwardings[] = {
    {"no_network",
     {"--collective", "allgather"},
     "weft forwarding: error: expected one network (CONFIG, --links FILE or --known NAME), got 0\n"},
    {"two_networks",
     {"mesh.yaml", "--known", "dgx1", "--collective", "allgather"},
     "weft forwarding: error: expected one network (CONFIG, --links FILE or --known NAME), got 2\n"},
    {"unknown_network", {"--known", "dgx2", "--collective", "allgather"}, "weft: error: --known: dgx2 not in {dgx1}"},
    {"no_file", {"none.yaml", "--collective", "allgather"}, "none.yaml"},
    {"no_links",
     {"--links", "none.json", "--collective", "allgather"},
     "--links none.json: error: cannot be opened: No such file or directory\n"},
    {"links_file_is_a_directory", {"--links", ".", "--collective", "allgather"}, "--links .: error: is a directory\n"},
    {"links_not_json",
     {"--links", "text.json", "--collective", "allgather"},
     "--links text.json: error: not JSON: parse error at line 1, column "},
    {"links_format_unknown",
     {"--links", "form.json", "--collective", "allgather"},
     "--links form.json: error: line 1: format: \"weft-links/2\", expected weft-links/1\n"},
    {"link_to_unknown_node",
     {"--links", "node.json", "--collective", "allgather"},
     "--links node.json: error: line 1: links[0].to: 2, expected a whole number from 0 to 1\n"},
    {"node_unreachable",
     {"--links", "one_way.json", "--collective", "allgather"},
     "--collective allgather: error: chunk 1: no path of links leads from node 1 to node 0; add links, or request "
     "less\n"},
    {"one_node",
     {"--links", "single.json", "--collective", "allgather"},
     "--collective allgather: error: x: 1 node, expected at least 2\n"},
    {"set_without_a_file",
     {"--known", "dgx1", "--set", "network.router.vcs=8", "--collective", "allgather"},
     "--set network.router.vcs=8: error: needs a configuration file, CONFIG\n"},
    {"no_collective",
     {"mesh.yaml"},
     "weft forwarding: error: --collective is missing; expected one of allgather, alltoall, broadcast, scatter, "
     "gather, "
     "reduce, reduce-scatter, allreduce, alltoallv\n"},
    {"unknown_collective",
     {"mesh.yaml", "--collective", "reduce_scatter"},
     "--collective reduce_scatter: error: expected one of allgather, alltoall, broadcast, scatter, gather, reduce, "
     "reduce-scatter, allreduce, alltoallv; did you mean 'reduce-scatter'?\n"},
    {"unknown_root",
     {"mesh.yaml", "--collective", "broadcast", "--root", "4"},
     "--root 4: error: expected a node from 0 to 3\n"},
    {"root_without_effect",
     {"mesh.yaml", "--collective", "allgather", "--root", "3"},
     "--root 3: error: has no effect unless --collective is broadcast, scatter, gather or reduce\n"},
    {"root_not_a_number", {"mesh.yaml", "--collective", "broadcast", "--root", "a"}, "weft: error: "},
    {"no_chunks", {"mesh.yaml", "--collective", "allgather", "--chunks", "0"}, "weft: error: --chunks: "},
    {"too_many_chunks",
     {"mesh.yaml", "--collective", "alltoall", "--chunks", "1048576"},
     "--collective alltoall: error: the problem needs at least 12582912 sends, one for each chunk and receiver, "
     "expected at most "
     "1048576; use fewer chunks\n"},
    {"no_steps", {"mesh.yaml", "--collective", "allgather", "--steps", "0"}, "weft: error: --steps: "},
    {"negative_rounds", {"mesh.yaml", "--collective", "allgather", "--rounds", "-1"}, "weft: error: "},
    {"negative_time", {"mesh.yaml", "--collective", "allgather", "--seconds", "-1"}, "weft: error: --seconds: "},
    {"seed_not_a_number",
     {"--known", "dgx1", "--collective", "allgather", "--seed", "x"},
     "--seed x: error: simulation.seed: expected an integer from 0 to 18446744073709551615, got 'x'\n"},
    {"alltoallv_without_counts",
     {"mesh.yaml", "--collective", "alltoallv"},
     "--collective alltoallv: error: needs --counts FILE, the number of chunks from node to node\n"},
    {"counts_without_alltoallv",
     {"mesh.yaml", "--collective", "alltoall", "--counts", "rows.json"},
     "--counts rows.json: error: has no effect unless --collective is alltoallv\n"},
    {"counts_with_too_few_rows",
     {"mesh.yaml", "--collective", "alltoallv", "--counts", "rows.json"},
     "--counts rows.json: error: line 1: the document: a list of 2, expected 4 rows, one for each node that sends\n"},
    {"counts_with_short_row",
     {"mesh.yaml", "--collective", "alltoallv", "--counts", "row.json"},
     "--counts row.json: error: line 1: [0]: a list of 2, expected 4 numbers, one for each node that receives\n"},
    {"negative_count",
     {"mesh.yaml", "--collective", "alltoallv", "--counts", "negative.json"},
     "--counts negative.json: error: line 1: [0][1]: -1, expected a whole number from 0 to 1048576\n"},
    {"all_counts_zero",
     {"mesh.yaml", "--collective", "alltoallv", "--counts", "nothing.json"},
     "--counts nothing.json: error: alltoallv: no chunk between different nodes, expected at least one\n"},
    {"chunks_with_counts",
     {"mesh.yaml", "--collective", "alltoallv", "--counts", "nothing.json", "--chunks", "2"},
     "--chunks 2: error: has no effect with alltoallv; --counts gives the number of chunks\n"},
    {"frontier_with_output",
     {"mesh.yaml", "--collective", "allgather", "--frontier", "-o", "found.json"},
     "weft: error: --frontier excludes --output\n"},
    {"bytes_without_traces",
     {"mesh.yaml", "--collective", "allgather", "--bytes", "4"},
     "weft: error: --bytes requires --chakra\n"},
    {"output_not_writable",
     {"mesh.yaml", "--collective", "allgather", "-q", "-o", "mesh.yaml/found.json"},
     "-o mesh.yaml/found.json: error: "},
    {"traces_not_writable",
     {"mesh.yaml", "--collective", "allgather", "-q", "--chakra", "mesh.yaml/trace"},
     "--chakra mesh.yaml/trace.0.json: error: "},
    {"proof_not_writable",
     {"--known", "dgx1", "--collective", "allgather", "--chunks", "3", "--steps", "2", "--rounds", "4", "--proof",
      "mesh.yaml/refuted"},
     "--proof mesh.yaml/refuted: error: cannot make directory mesh.yaml: Not a directory\n"},
    {"proof_without_a_solver",
     {"mesh.yaml", "--collective", "allgather", "--seconds", "0", "--proof", "refuted"},
     "--proof refuted: error: has no effect with --seconds 0, because no solver runs\n"},
    {"ccsched_without_configuration",
     {"--known", "dgx1", "--collective", "allgather", "--ccsched", "steps.json"},
     "weft: error: --ccsched requires CONFIG\n"},
    {"ccsched_of_allreduce",
     {"mesh.yaml", "--collective", "allreduce", "--ccsched", "steps.json"},
     "--ccsched steps.json: error: chunk 0: expected one node that holds all of it at the start\n"},
    {"ccsched_of_several_chunks",
     {"mesh.yaml", "--collective", "allgather", "--chunks", "2", "--ccsched", "steps.json"},
     "--ccsched steps.json: error: chunk 1: another chunk has the same nodes, expected one (C = 1)\n"},
    {"ccsched_of_some_pairs",
     {"mesh.yaml", "--collective", "alltoallv", "--counts", "pairs.json", "--ccsched", "steps.json"},
     "--ccsched steps.json: error: chunks: expected that each sender has one chunk for all receivers, or "
     "one for each receiver\n"},
    {"check_of_missing_file",
     {"--check", "none.json"},
     "--check none.json: error: cannot be opened: No such file or directory\n"},
    {"check_of_non_json_file", {"--check", "text.json"}, "--check text.json: error: not JSON: "},
    {"check_of_links_file",
     {"--check", "one_way.json"},
     "--check one_way.json: error: line 1: msccl_type is missing\n"},
    {"steps_with_check", {"--check", "none.json", "--steps", "3"}, "weft: error: --steps excludes --check\n"},
    {"root_with_check",
     {"--check", "none.json", "--root", "3"},
     "--root 3: error: needs --collective in addition to --check\n"},
    {"two_networks_with_check",
     {"mesh.yaml", "--known", "dgx1", "--check", "none.json"},
     "--check none.json: error: expected at most one network (CONFIG, --links FILE or --known NAME)\n"},
};

INSTANTIATE_TEST_SUITE_P(all, cli_bad_forwarding, testing::ValuesIn(BadForwardings),
                         [](const auto& test) { return test.param.name; });

class cli_bad_forwarding_file : public command_test {
 protected:
  cli_bad_forwarding_file() {
    write("ring.yaml", "network: {topology: {kind: ring, shape: [4]}}\n");
    const command_result r = weft({"forwarding", "ring.yaml", "--collective", "allgather", "-o", "good.json"});
    EXPECT_EQ(r.status, 0) << r.err;
  }

  /// Expects the message for a file.
  std::string rejection(const std::string& text, std::vector<std::string> further = {}) {
    write("bad.json", text);
    std::vector<std::string> arguments{"forwarding", "--check", "bad.json"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_EQ(r.out, "");
    return r.err;
  }
};

TEST_F(cli_bad_forwarding_file, error_gives_path_to_the_bad_value) {
  const struct {
    const char* pointer;
    json value;
    const char* message;
  } cases[] = {
      {"/msccl_type", "program", R"(msccl_type: "program", expected algorithm)"},
      {"/instance/chunks", 0, "instance.chunks: 0, expected a whole number from 1 to 1048576"},
      {"/instance/pipeline", 2, "instance.pipeline: 2, expected null"},
      {"/steps", 2, "steps: 2, expected a list"},
      {"/steps/0/rounds", 0, "steps[0].rounds: 0, expected a whole number from 1 to 1048576"},
      {"/steps/1/sends/0", json{0, 1}, "steps[1].sends[0]: a list of 2, expected address, source and destination"},
      {"/steps/1/sends/0/1", 4, "steps[1].sends[0][1]: 4, expected a whole number from 0 to 3"},
      {"/topology/links/2", json{0, 1}, "topology.links[2]: a list of 2, expected as many numbers as there are rows"},
  };
  const json file = json::parse(read("good.json"));
  for (const auto& bad : cases) {
    json changed = file;
    changed[json::json_pointer(bad.pointer)] = bad.value;
    EXPECT_EQ(rejection(changed.dump()), std::string("--check bad.json: error: line 1: ") + bad.message + "\n");
  }
}

TEST_F(cli_bad_forwarding_file, rejects_file_for_other_network_or_collective) {
  const std::string file = read("good.json");
  EXPECT_EQ(rejection(file, {"--known", "dgx1"}),
            "--check bad.json: error: the algorithm is for 4 nodes, but the network has 8 nodes\n");
  EXPECT_EQ(rejection(file, {"--collective", "alltoall"}),
            "--check bad.json: error: the chunks of the algorithm differ from the chunks of the collective alltoall "
            "with C = 1\n");
}

}  // namespace
}  // namespace weft::cli
