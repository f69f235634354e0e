// SPDX-License-Identifier: Apache-2.0
/// `weft import`: configurations of BookSim2 and Noxim.
#include "cli/command.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class cli_import : public command_test {
 protected:
  cli_import() {
    std::filesystem::copy(WEFT_SOURCE_DIR "/examples/import", m_directory / "import",
                          std::filesystem::copy_options::recursive);
  }

  /// The converted configuration of BookSim2's default router in a mesh, with the statements \p more.
  std::string converted(const std::string& more) {
    write("in.cfg", "topology = mesh;\nrouting_function = dor;\n" + more);
    const command_result r = weft({"import", "in.cfg"});
    EXPECT_EQ(r.status, 0) << r.err;
    return r.out;
  }

  std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
    write("in.cfg", text);
    std::vector<std::string> arguments = {"import", "in.cfg"};
    arguments.insert(arguments.end(), overrides.begin(), overrides.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2) << r.out;
    return r.err;
  }
};

constexpr const char* Mesh = "topology = mesh;\nrouting_function = dor;\n";

TEST_F(cli_import, converts_a_booksim_mesh) {
  const command_result r = weft({"import", "import/mesh.cfg"});
  EXPECT_EQ(r.status, 0);
  EXPECT_EQ(r.out,
            "# Converted by weft import from the BookSim2 configuration mesh.cfg\n"
            "network:\n"
            "  topology:\n"
            "    kind: mesh\n"
            "    shape: [8, 8]\n"
            "  link:\n"
            "    cycles: 1\n"
            "  routing:\n"
            "    algorithm: dimension_order\n"
            "  router:\n"
            "    vcs: 4\n"
            "    depth: 8\n"
            "    pipeline: 4\n"
            "    vc_allocator:\n"
            "      kind: separable_input_first\n"
            "    switch_allocator:\n"
            "      kind: islip\n"
            "      iterations: 2\n"
            "    vc_reallocation: after_tail_credit\n"
            "nic:\n"
            "  ejection_credits: 8\n"
            "workload:\n"
            "  pattern:\n"
            "    kind: transpose\n"
            "  length:\n"
            "    kind: weighted\n"
            "    choices: {1: 2, 5: 1}\n"
            "  injection:\n"
            "    load: 0.116666666667\n"
            "simulation:\n"
            "  level: engine\n"
            "  warmup: 2000\n"
            "  measure: 3000\n"
            "  seed: 0\n"
            "\n"
            "# Not converted:\n"
            "# import/mesh.cfg:22: latency_thres = 500.0: Weft detects saturation by the growth of source queues, not "
            "by a latency\n");
  EXPECT_EQ(r.err,
            "weft: import/mesh.cfg: 1 of its settings is not converted; comments at the end of the output give the "
            "reasons\n");
}

TEST_F(cli_import, converted_examples_run) {
  for (const char* const name : {"mesh.cfg", "two_routers.cfg", "noxim.yaml"}) {
    EXPECT_EQ(weft({"import", std::string("import/") + name, "-o", "new.yaml"}).status, 0) << name;
    const command_result r = weft({"run", "new.yaml", "-q", "--set", "simulation.measure=1000"});
    EXPECT_EQ(r.status, 0) << name << "\n" << r.err;
  }
}

TEST_F(cli_import, writes_the_network_of_anynet_beside_the_configuration) {
  EXPECT_EQ(weft({"import", "import/two_routers.cfg", "-o", "out.yaml"}).status, 0);
  EXPECT_THAT(read("out.yaml"), HasSubstr("    kind: file\n    file: out_network.yaml\n"));
  const std::string network =
      "format: weft-topology-1\nkind: anynet\nrouters:\n  - r0\n  - r1\nlinks:\n"
      "  - {between: [r0, r1], cycles: 3}\nnodes:\n  - r0  # node 0\n  - r0  # node 1\n  - r1  # node 2\n"
      "  - r1  # node 3\n";
  EXPECT_EQ(read("out_network.yaml"), network);
  EXPECT_EQ(weft({"import", "import/two_routers.anynet"}).out, network);
}

/// BookSim2's paths are those of the least latency.
TEST_F(cli_import, paths_of_anynet_have_the_least_latency) {
  write("import/two_routers.anynet",
        "router 0 node 0 router 1 1 router 2 10\nrouter 1 node 1 router 0 1 router 2 1\n"
        "router 2 node 2 router 0 10 router 1 1\n");
  EXPECT_EQ(weft({"import", "import/two_routers.cfg", "-o", "out.yaml"}).status, 0);
  EXPECT_THAT(read("out.yaml"), HasSubstr("    weight: cycles\n    algorithm: shortest\n"));
  EXPECT_THAT(weft({"topology", "out.yaml"}).out, HasSubstr("mean route               1.333  hops"));
}

TEST_F(cli_import, routings_of_noxim_have_the_selection_of_dyad) {
  write("in.yaml",
        "mesh_dim_x: 5\nrouting_algorithm: ODD_EVEN\nselection_strategy: BUFFER_LEVEL\ndyad_threshold: 0.3\n");
  const command_result odd_even = weft({"import", "in.yaml", "-o", "out.yaml"});
  EXPECT_THAT(read("out.yaml"), AllOf(HasSubstr("    algorithm: odd_even\n"), Not(HasSubstr("selection:"))));
  EXPECT_THAT(read("out.yaml"), HasSubstr("dyad_threshold = 0.3: Noxim uses it only with DYAD\n"));
  write("in.yaml", "mesh_dim_x: 5\nrouting_algorithm: DYAD\ndyad_threshold: 0.29\n");
  const command_result dyad = weft({"import", "in.yaml", "-o", "out.yaml"});
  EXPECT_EQ(dyad.status, 0);
  EXPECT_THAT(read("out.yaml"),
              HasSubstr("    algorithm: odd_even\n    selection: when_congested\n    congestion: 29\n"));
  EXPECT_THAT(dyad.err, HasSubstr("a router of Noxim is congested if the buffer behind any of its ports is"));
}

TEST_F(cli_import, romm_and_planar_adaptive_are_routings_of_both) {
  const std::string mesh = "topology = mesh;\nk = 4;\nn = 2;\nnum_vcs = 6;\nrouting_function = ";
  write("in.cfg", mesh + "romm;\n");
  EXPECT_EQ(weft({"import", "in.cfg", "-o", "out.yaml"}).err, "");
  EXPECT_THAT(read("out.yaml"), HasSubstr("    algorithm: romm\n"));
  write("in.cfg", mesh + "planar_adapt;\n");
  EXPECT_THAT(weft({"import", "in.cfg", "-o", "out.yaml"}).err, HasSubstr("BookSim2 has three VC classes"));
  EXPECT_THAT(read("out.yaml"), HasSubstr("    algorithm: planar_adaptive\n"));
}

/// In anynet, a link has a length in each direction; the direction that no line gives takes one cycle.
TEST_F(cli_import, links_of_anynet_have_a_length_in_each_direction) {
  write("net", "router 7 node 0 router 9 4\nrouter 9 node 1\n");
  const std::string network = weft({"import", "net"}).out;
  EXPECT_THAT(network, HasSubstr("  - {from: r7, to: r9, cycles: 4}\n  - {from: r9, to: r7, cycles: 1}\n"));
}

TEST_F(cli_import, overrides_replace_statements) {
  const command_result r = weft({"import", "import/mesh.cfg", "num_vcs=2", "traffic=bitcomp"});
  EXPECT_EQ(r.status, 0);
  EXPECT_THAT(r.out, HasSubstr("    vcs: 2\n"));
  EXPECT_THAT(r.out, HasSubstr("    kind: bit_complement\n"));
  EXPECT_THAT(r.out, HasSubstr("# import/mesh.cfg:8: num_vcs = 4: replaced by num_vcs = 2 (argument num_vcs=2)\n"));
}

TEST_F(cli_import, settings_that_are_absent_have_the_defaults_of_booksim) {
  const std::string mesh = converted("");
  EXPECT_THAT(mesh, HasSubstr("    vcs: 16\n    depth: 8\n"));
  EXPECT_THAT(mesh, HasSubstr("      kind: islip\n"));
  EXPECT_THAT(mesh, HasSubstr("    flits: 1\n"));
  EXPECT_THAT(mesh, HasSubstr("    load: 0.1\n"));
  EXPECT_THAT(mesh, HasSubstr("  warmup: 3000\n  measure: 7000\n"));
  EXPECT_THAT(mesh, Not(HasSubstr("# Not converted")));
}

TEST_F(cli_import, routers_are_converted_choice_by_choice) {
  const std::vector<std::pair<std::string, std::string>> choices = {
      {"routing_delay = 0;", "    pipeline: 3\n    lookahead_routing: true\n"},
      {"buf_size = 64;", "    vcs: 16\n    depth: 4\n"},
      {"buffer_policy = shared; buf_size = 64;",
       "    depth: 4\n    buffer:\n      policy: shared\n      reserved: 1\n"},
      {"buffer_policy = shared; private_buf_size = 2;", "      policy: shared\n      reserved: 2\n"},
      {"buffer_policy = shared; private_buf_size = -1;", "      policy: shared\n      reserved: 8\n"},
      {"buffer_policy = shared; private_bufs = 1; private_buf_size = 2;", "      policy: shared\n      reserved: 0\n"},
      {"buffer_policy = limited; max_held_slots = 12;", "      reserved: 1\n      limit: 12\n"},
      {"speculative = 1;", "    pipeline: 3\n    speculation: prioritized\n"},
      {"speculative = 1; spec_sw_allocator = islip;", "    speculation: masked_by_grants\n"},
      {"speculative = 1; spec_sw_allocator = islip; spec_mask_by_reqs = 1;", "    speculation: masked_by_requests\n"},
      {"vc_allocator = separable_output_first(matrix);",
       "    vc_allocator:\n      kind: separable_output_first\n      arbiter: matrix\n"},
      {"sw_allocator = separable_input_first(matrix);",
       "    switch_allocator:\n      kind: separable_input_first\n      arbiter: matrix\n"},
      {"vc_allocator = separable_input_first(tree(5,round_robin));", "      arbiter: tree\n      groups: 5\n"},
      {"vc_allocator = pim(3);", "      kind: pim\n      iterations: 3\n"},
      {"vc_allocator = rr_wavefront;", "      kind: wavefront_fair\n"},
      {"vc_allocator = loa; sw_allocator = max_size;", "      kind: maximum_matching\n"},
      {"priority = local_age; vc_allocator = wavefront;", "    priority: local_age\n"},
      {"vc_busy_when_full = 1;", "    vc_busy_when_full: true\n"},
      {"hold_switch_for_packet = 1;", "    hold_switch: true\n"},
      {"num_vcs = 6; input_speedup = 3;", "    input_speedup: 3\n"},
      {"vc_prioritize_empty = 1; vc_allocator = wavefront;", "    vc_prefer_empty: true\n"},
  };
  for (const auto& [statements, expected] : choices) {
    const std::string text = converted(statements);
    EXPECT_THAT(text, HasSubstr(expected)) << statements;
    EXPECT_THAT(text, Not(HasSubstr("# Not converted"))) << statements;
  }
}

TEST_F(cli_import, workloads_are_converted) {
  const std::vector<std::pair<std::string, std::string>> workloads = {
      {"injection_rate = 0.2; injection_rate_uses_flits = 1; packet_size = 5;", "    load: 0.2\n"},
      {"injection_rate = 0.02; packet_size = 5;", "    load: 0.1\n"},
      {"traffic = hotspot({{3,60}});", "    kind: hotspot\n    hotspots: [3, 60]\n    share: 1\n    to_self: true\n"},
      {"injection_process = on_off({0.1,0.3});",
       "    load: 0.1\n    process: on_off\n    peak: 0.4\n    mean_burst: 3.33333333333\n"},
      {"sim_count = 3;", "sweep:\n  replicates: 3\n"},
      {"warmup_periods = 0;", "  warmup: auto\n"},
  };
  for (const auto& [statements, expected] : workloads)
    EXPECT_THAT(converted(statements), HasSubstr(expected)) << statements;
}

TEST_F(cli_import, other_networks_are_converted) {
  write("in.cfg", "topology = torus; k = 4; n = 3; routing_function = dim_order;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out,
              HasSubstr("    kind: torus\n    shape: [4, 4, 4]\n  link:\n    cycles: 2\n"));
  write("in.cfg", "topology = cmesh; k = 4; n = 2; c = 4; routing_function = dor_no_express;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out, HasSubstr("    nodes_per_router: 4\n"));
  write("in.cfg", "topology = cmesh; k = 4; n = 2; c = 4; routing_function = dor;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out,
              AllOf(HasSubstr("    kind: express_mesh\n    shape: [4, 4]\n    nodes_per_router: 4\n"),
                    HasSubstr("    express_cycles: 4\n"), HasSubstr("    algorithm: express_order\n")));
  write("in.cfg", "topology = fly; k = 4; n = 3; routing_function = dest_tag;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out, AllOf(HasSubstr("    kind: k_ary_n_fly\n    arity: 4\n    stages: 3\n"),
                                                    HasSubstr("    algorithm: destination_tag\n")));
  write("in.cfg", "topology = fattree; k = 4; n = 3; routing_function = nca;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out, HasSubstr("    children: [4, 4, 4]\n    parents: [1, 4, 4]\n"));
  write("in.cfg", "topology = flatfly; k = 4; n = 2; c = 4; routing_function = ran_min; use_noc_latency = 0;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out,
              HasSubstr("    kind: flattened_butterfly\n    shape: [4, 4]\n    nodes_per_router: 4\n"));
  write("in.cfg", "topology = dragonflynew; k = 2; n = 1; routing_function = min; num_vcs = 2;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out,
              AllOf(HasSubstr("    kind: dragonfly\n    group_routers: 4\n    global_links: 2\n"),
                    HasSubstr("    algorithm: minimal\n"), HasSubstr("    cycles: 10\n"),
                    HasSubstr("    global_cycles: 100\n"), HasSubstr("    arrangement: consecutive\n")));
  write("in.cfg", "topology = dragonflynew; k = 2; n = 1; routing_function = ugal; num_vcs = 3;\n");
  EXPECT_THAT(weft({"import", "in.cfg"}).out,
              AllOf(HasSubstr("    threshold: 30\n    algorithm: ugal\n"), HasSubstr("    vcs: 4\n")));
}

TEST_F(cli_import, settings_without_a_counterpart_become_comments) {
  const std::string text = converted("print_activity = 1;\noutput_speedup = 1;\nlatency_thres = 200.0;\n");
  EXPECT_THAT(text, HasSubstr("# Not converted:\n# in.cfg:3: print_activity = 1: Weft has no counterpart\n"));
  EXPECT_THAT(text, Not(HasSubstr("output_speedup")));
  EXPECT_THAT(text, HasSubstr("# in.cfg:5: latency_thres = 200.0: Weft detects saturation by "));
}

TEST_F(cli_import, rejects_what_weft_lacks) {
  EXPECT_EQ(error_of("topology = fly;\nrouting_function = dor;\n"),
            "in.cfg:2: error: `weft import` does not convert the routing function 'dor'; BookSim2's dor is "
            "dimension_order: in a mesh; express_order in a cmesh; expected one of dest_tag with the topology fly\n");
  EXPECT_EQ(error_of("topology = mesh;\nrouting_function = chaos;\n"),
            "in.cfg:2: error: `weft import` does not convert the routing function 'chaos'; BookSim2's chaos has no "
            "counterpart: it needs routers that misroute packets; expected one of dor, dim_order, xy_yx, valiant, "
            "romm, min_adapt, planar_adapt with the topology mesh\n");
  EXPECT_EQ(error_of("topology = dragonflynew;\nk = 2;\nn = 1;\nrouting_function = ugal;\nnum_vcs = 5;\n"),
            "in.cfg:5: error: num_vcs is 5; BookSim2 needs 3 in a dragonfly\n");
  EXPECT_EQ(error_of("topology = dragonflynew;\nk = 2;\nn = 2;\nrouting_function = min;\n"),
            "in.cfg:3: error: n is 2; BookSim2 makes dragonflies only with n = 1\n");
  EXPECT_THAT(error_of(std::string(Mesh) + "traffic = diagonal;\nclasses = 2;\n"),
              HasSubstr("in.cfg:3: error: `weft import` does not convert the traffic 'diagonal'; "));
  EXPECT_THAT(error_of(std::string(Mesh) + "router = chaos;\n"), HasSubstr("the router 'chaos'; expected iq"));
  EXPECT_THAT(error_of(std::string(Mesh) + "vc_allocator = first;\n"), HasSubstr("the allocator 'first'"));
  EXPECT_THAT(error_of(std::string(Mesh) + "subnets = 2;\n"),
              HasSubstr("in.cfg:3: error: an experiment of Weft has one"));
  EXPECT_THAT(error_of(std::string(Mesh) + "link_failures = 1;\n"), HasSubstr("in.cfg:3: error: "));
  EXPECT_THAT(error_of(std::string(Mesh) + "use_read_write = 1;\n"),
              HasSubstr("in.cfg:3: error: requests with replies"));
  EXPECT_THAT(error_of(std::string(Mesh) + "traffic = hotspot;\n"), HasSubstr("as in hotspot(5)"));
  EXPECT_THAT(error_of(std::string(Mesh) + "sim_type = batch;\n"), HasSubstr("in.cfg:3: error: batches have no"));
  write("wireless.yaml", "mesh_dim_x: 4\nuse_winoc: Yes\n");
  EXPECT_EQ(weft({"import", "wireless.yaml"}).err,
            "wireless.yaml:2:1: error: wireless networks have no counterpart in Weft; with use_winoc: false, the "
            "network has wires only\n");
}

TEST_F(cli_import, overwrites_no_input) {
  const std::string network = read("import/two_routers.anynet");
  EXPECT_EQ(weft({"import", "import/two_routers.cfg", "-o", "import/two_routers.anynet"}).status, 2);
  EXPECT_EQ(weft({"import", "import/two_routers.cfg", "-o", "import/two_routers.cfg"}).status, 2);
  EXPECT_EQ(read("import/two_routers.anynet"), network);
}

TEST_F(cli_import, names_of_networks_are_quoted) {
  EXPECT_EQ(weft({"import", "import/two_routers.cfg", "-o", "a: b.yaml"}).status, 0);
  EXPECT_EQ(weft({"check", "a: b.yaml"}).status, 0);
}

TEST_F(cli_import, settings_that_booksim_does_not_use_become_comments) {
  const std::string text = converted("alloc_iters = 4;\narb_type = matrix;\n");
  EXPECT_THAT(text, Not(HasSubstr("iterations:")));
  EXPECT_THAT(text, Not(HasSubstr("arbiter:")));
  EXPECT_THAT(text, HasSubstr("# in.cfg:3: alloc_iters = 4: BookSim2's allocators use only"));
}

TEST_F(cli_import, rejects_wrong_files) {
  EXPECT_EQ(error_of(std::string(Mesh) + "num_vc = 4;\n"),
            "in.cfg:3: error: BookSim2 has no key 'num_vc'; did you mean 'num_vcs'?\n");
  EXPECT_EQ(error_of(std::string(Mesh) + "num_vcs = many;\n"),
            "in.cfg:3: error: num_vcs: expected an integer from 1 to 16, got 'many'\n");
  EXPECT_EQ(error_of(std::string(Mesh) + "num_vcs 4;\nk = 4\n"),
            "in.cfg:3: error: expected a statement of the form name = value;, got 'num_vcs 4'\n"
            "in.cfg:4: error: expected ; at the end of 'k = 4'\n");
  EXPECT_EQ(error_of(Mesh, {"num_vcs"}),
            "argument num_vcs: error: expected NAME=VALUE without blanks, as on BookSim2's command line, such as "
            "num_vcs=8\n");
  EXPECT_EQ(error_of("network: {}\n"),
            "in.cfg: error: expected a configuration of BookSim2 or Noxim, or a network of BookSim2 (anynet)\n");
  EXPECT_THAT(error_of("router 0 node 0 router 0\n"),
              HasSubstr("in.cfg:1: error: router 0 cannot be its own neighbor"));
  EXPECT_THAT(error_of("router 0 node 1 router 1\n"), HasSubstr("in.cfg: error: there is no node 0; "));
  EXPECT_EQ(weft({"import", "import/two_routers.cfg"}).err,
            "import/two_routers.cfg:3: error: the network needs a file of its own; add -o FILE to write both files\n");
  EXPECT_EQ(weft({"import", "import/noxim.yaml", "num_vcs=2"}).err,
            "argument num_vcs=2: error: only a configuration of BookSim2 can have overrides\n");
}

// ---- BookSim2's answers

/// A router of the data folder `oracle_kinds`, with the statements in which it differs from its default router.
struct oracle_router {
  const char* name;
  const char* statements;
};

constexpr const char* OracleDefault =
    "topology = mesh; k = 8; n = 2; routing_function = dor; num_vcs = 4; vc_buf_size = 8; packet_size = {{1,5}};\n"
    "vc_allocator = separable_input_first; sw_allocator = separable_input_first; credit_delay = 0;\n";

class cli_import_oracle : public command_test, public testing::WithParamInterface<oracle_router> {
 protected:
  /// The lines of \p file, a name in the test's directory.
  std::set<std::string> lines_of(const std::string& file) {
    std::istringstream text(read(file));
    std::set<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.insert(line);
    return lines;
  }

  /// Writes the decompressed \p packed to \p file in the test's directory.
  void unpack(const std::string& packed, const std::string& file) {
    ASSERT_EQ(std::system(fmt::format("gzip -dc '{}' > '{}'", packed, (m_directory / file).string()).c_str()), 0);
  }
};

TEST_P(cli_import_oracle, every_packet_arrives_in_the_cycle_of_booksim2) {
  const std::string stem = std::string(WEFT_SHARED_DATA "/oracle_kinds/") + GetParam().name + ".6";
  if (!std::filesystem::exists(stem + ".ret.gz")) GTEST_SKIP() << stem << ".ret.gz is absent";
  write("in.cfg", std::string(OracleDefault) + GetParam().statements);
  const command_result imported = weft({"import", "in.cfg"});
  ASSERT_EQ(imported.status, 0) << imported.err;
  // The packets are those of a list.
  const std::size_t workload = imported.out.find("workload:\n"), simulation = imported.out.find("  level: engine\n");
  ASSERT_LT(workload, simulation);
  unpack(stem + ".gen.gz", "packets");
  unpack(stem + ".ret.gz", "expected");
  write("in.yaml", imported.out.substr(0, workload) + "workload: {packet_list: packets}\n" +
                       "simulation: {level: engine}\noutput: {directory: out, answers: true}\n");
  const command_result run = weft({"run", "in.yaml", "-q"});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::set<std::string> expected = lines_of("expected"), answers = lines_of("out/in.answers");
  ASSERT_GE(expected.size(), 3000u);
  std::vector<std::string> missing;
  std::set_difference(expected.begin(), expected.end(), answers.begin(), answers.end(), std::back_inserter(missing));
  EXPECT_THAT(missing, testing::IsEmpty());
}

constexpr oracle_router OracleRouters[] = {
    {"default", ""},
    {"output_first", "vc_allocator = separable_output_first; sw_allocator = separable_output_first;"},
    {"islip2", "vc_allocator = islip(2); sw_allocator = islip(2);"},
    {"rr_wavefront", "vc_allocator = rr_wavefront; sw_allocator = rr_wavefront;"},
    {"loa", "vc_allocator = loa; sw_allocator = loa;"},
    {"max_size", "vc_allocator = max_size; sw_allocator = max_size;"},
    {"matrix", "vc_allocator = separable_input_first(matrix); sw_allocator = separable_input_first(matrix);"},
    {"tree", "vc_allocator = separable_input_first(tree(4,round_robin));"},
    {"tail_credit", "wait_for_tail_credit = 1;"},
    {"prioritize_empty", "vc_prioritize_empty = 1;"},
    {"busy_when_full", "vc_busy_when_full = 1;"},
    {"lookahead", "routing_delay = 0;"},
    {"age", "priority = age;"},
    {"queue_length", "priority = queue_length;"},
    {"speculative", "speculative = 1;"},
    {"speculative_masked", "speculative = 1; spec_sw_allocator = separable_input_first; spec_mask_by_reqs = 1;"},
};
INSTANTIATE_TEST_SUITE_P(router, cli_import_oracle, testing::ValuesIn(OracleRouters),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace weft::cli
