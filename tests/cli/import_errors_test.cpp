// SPDX-License-Identifier: Apache-2.0
/// `weft import`: wrong values are errors at the settings of the input, and nothing is written.
#include "cli/command.h"
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::cli {
namespace {

using testing::HasSubstr;

class cli_import_errors : public command_test {
 protected:
  static constexpr const char* Mesh = "topology = mesh;\nrouting_function = dor;\n";
  using settings_and_errors = std::vector<std::pair<std::string, std::string>>;

  /// The error of the file \p file with \p text. Nothing must be written.
  std::string error_of(const std::string& file, const std::string& text, const std::vector<std::string>& more = {}) {
    write(file, text);
    std::vector<std::string> arguments = {"import", file, "-o", "out.yaml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const command_result r = weft(arguments);
    EXPECT_EQ(r.status, 2) << text << r.err;
    EXPECT_FALSE(std::filesystem::exists(m_directory / "out.yaml")) << text;
    EXPECT_FALSE(std::filesystem::exists(m_directory / "out_network.yaml")) << text;
    return r.err;
  }
};

/// The range of each key of BookSim2 is checked when its file is read.
TEST_F(cli_import_errors, booksim_values_out_of_range) {
  const settings_and_errors wrong = {
      {"num_vcs = 0;", "num_vcs: expected an integer from 1 to 16, got '0'"},
      {"num_vcs = 17;", "num_vcs: expected an integer from 1 to 16, got '17'"},
      {"vc_buf_size = -1;", "vc_buf_size: expected an integer from 1 to 512, got '-1'"},
      {"k = 0;", "k: expected an integer from 1 to 262144, got '0'"},
      {"n = 21;", "n: expected an integer from 1 to 20, got '21'"},
      {"packet_size = 0;", "packet_size: expected an integer from 1 to 1000000, got '0'"},
      {"packet_size = {{0,5}};", "packet_size: expected numbers of at least 1, got '0'"},
      {"packet_size = five;",
       "packet_size: expected an integer from 1 to 1000000, or a list of numbers in braces, got 'five'"},
      {"injection_rate = 2.0;",
       "injection_rate: expected a number from 0 to 1 (packets per node and cycle, at most one packet), got 2"},
      {"injection_rate = -0.1;", "injection_rate: expected a number of at least 0, got '-0.1'"},
      {"sim_type = foo;", "sim_type: expected one of latency, throughput, batch, got 'foo'"},
      {"priority = ages;",
       "priority: expected one of none, class, age, network_age, local_age, queue_length, hop_count, "
       "sequence, got 'ages'; did you mean 'age'?"},
      {"seed = foo;", "seed: expected an integer of at least 0, or time, got 'foo'"},
      {"speculative = 2;", "speculative: expected 0 or 1, got '2'"},
      {"sample_period = 0;", "sample_period: expected an integer of at least 1, got '0'"},
      {"max_samples = 3;",
       "max_samples: expected more than 3 (warmup_periods), because BookSim2 counts the periods of the "
       "warm-up among the samples, got 3"},
      {"input_speedup = 0;", "input_speedup: expected an integer of at least 1, got '0'"},
      {"num_vcs = 4; buffer_policy = shared; buf_size = 8; private_buf_size = 3;",
       "private_buf_size: expected at most 2 flits, the size of the buffer divided by its private buffers, got 3"},
      {"burst_alpha = 2.0;", "burst_alpha: expected a number from -1 to 1, got '2.0'"},
      {"latency_thres = high;",
       "latency_thres: expected a number of at least -1, or a list of numbers in braces, got 'high'"},
      {"traffic = foo;",
       "`weft import` does not convert the traffic 'foo'; expected one of uniform, bitcomp, bitrev, "
       "transpose, shuffle, tornado, neighbor, hotspot(N)"},
      {"vc_allocator = separable_input_first(foo);",
       "Weft has no arbiter 'foo'; expected round_robin, matrix or tree(N,round_robin)"},
      {"injection_process = on_off({0.1,0.3,0.2});",
       "on_off: expected exactly one negative number among burst_alpha, burst_beta and burst_r1, which BookSim2 "
       "computes "
       "from the other two, got 0.1, 0.3 and 0.2"},
      {"traffic = uni form;", "traffic: expected a value without blanks, as BookSim2 does, got 'uni form'"},
  };
  for (const auto& [statement, message] : wrong)
    EXPECT_EQ(error_of("in.cfg", Mesh + statement + "\n"), "in.cfg:3: error: " + message + "\n");
}

/// BookSim2 stores integers, numbers and texts separately, and rejects a value of another form.
TEST_F(cli_import_errors, booksim_values_of_another_form) {
  const settings_and_errors wrong = {
      {"injection_rate = 1;",
       "injection_rate: expected a number of at least 0, got '1'; BookSim2 requires a decimal point in this number: "
       "write 1.0"},
      {"latency_thres = 500;",
       "latency_thres: expected a number of at least -1, got '500'; BookSim2 requires a decimal point in this number: "
       "write "
       "500.0"},
      {"num_vcs = 4.0;", "num_vcs: expected an integer from 1 to 16, got '4.0'"},
      {"packet_size = 2.0;", "packet_size: expected an integer from 1 to 1000000, got '2.0'"},
      {"traffic = 5;", "traffic: expected a name, got '5'"},
  };
  for (const auto& [statement, message] : wrong)
    EXPECT_EQ(error_of("in.cfg", Mesh + statement + "\n"), "in.cfg:3: error: " + message + "\n");
}

/// What `weft run` would reject in the written file is reported at the setting of the input.
TEST_F(cli_import_errors, values_that_weft_rejects_name_their_settings) {
  const settings_and_errors wrong = {
      {"k = 1;", "k = 1, n = 2 (default): network.topology: expected 2 to 262144 nodes in all, got 1"},
      {"vc_buf_size = 64;",
       "vc_buf_size = 64, num_vcs = 16 (default): network.router: expected vcs · depth of at most 512 "
       "flits, got 16 · 64 = 1024"},
      {"buf_size = 8;",
       "buf_size = 8, num_vcs = 16 (default): network.router.depth: expected an integer from 1 to 512, got '0'"},
      {"vc_allocator = islip(0);",
       "vc_allocator = islip(0): network.router.vc_allocator.iterations: expected an integer from 1 to 8, got '0'"},
      {"routing_delay = 9;", "routing_delay = 9: network.router.pipeline: expected an integer from 2 to 9, got '12'"},
      {"traffic = hotspot(99);", "traffic = hotspot(99): pattern hotspot: node 99 does not exist; expected 0…63"},
      {"injection_rate = 0.5; packet_size = 5;",
       "injection_rate = 0.5, packet_size = 5: workload.injection.load: expected at most 1 (one flit per cycle and "
       "port of "
       "a node), got 2.5"},
      {"sim_count = 100000;",
       "sim_count = 100000: sweep.replicates: expected an integer from 1 to 10000, got '100000'"},
  };
  for (const auto& [statement, message] : wrong)
    EXPECT_EQ(error_of("in.cfg", Mesh + statement + "\n"), "in.cfg:3: error: " + message + "\n");
  EXPECT_EQ(error_of("in.cfg", "topology = mesh;\nrouting_function = min_adapt;\nnum_vcs = 1;\n"),
            "in.cfg:3: error: num_vcs = 1: topology: vcs is 1; minimal_adaptive routing in a mesh needs at least 2\n");
  EXPECT_EQ(
      error_of("in.cfg", Mesh, {"k=1"}),
      "argument k=1: error: k = 1, n = 2 (default): network.topology: expected 2 to 262144 nodes in all, got 1\n");
}

/// A setting that a later one replaces may be out of range.
TEST_F(cli_import_errors, only_the_last_setting_must_be_in_range) {
  write("in.cfg", std::string(Mesh) + "num_vcs = 0;\nnum_vcs = 2;\n");
  EXPECT_EQ(weft({"import", "in.cfg"}).status, 0);
  EXPECT_EQ(weft({"import", "in.cfg", "num_vcs=0"}).status, 2);
}

TEST_F(cli_import_errors, a_missing_routing_function_names_the_file) {
  EXPECT_EQ(
      error_of("in.cfg", "topology = mesh;\n"),
      "in.cfg: error: routing_function is missing, and BookSim2 has no default; add a line such as routing_function = "
      "dor; (one of dor, dim_order, xy_yx, valiant, romm, min_adapt, planar_adapt with the "
      "topology mesh)\n");
  EXPECT_EQ(error_of("in.cfg", "topology = anynet;\nrouting_function = min;\n"),
            "in.cfg:1: error: the topology anynet requires network_file; add network_file = FILE;\n");
}

TEST_F(cli_import_errors, are_in_the_order_of_the_file) {
  EXPECT_EQ(error_of("in.cfg", std::string(Mesh) + "router = chaos;\nnum_vcs = 0;\nlimit = 4;\n"),
            "in.cfg:3: error: `weft import` does not convert the router 'chaos'; expected iq\n"
            "in.cfg:4: error: num_vcs: expected an integer from 1 to 16, got '0'\n"
            "in.cfg:5: error: BookSim2 has no key 'limit'; remove it\n");
}

/// The first statement of a file may be the wrong one.
TEST_F(cli_import_errors, statements_without_an_equals_sign_have_a_line) {
  EXPECT_EQ(error_of("in.cfg", "// a mesh\ntopology mesh;\nrouting_function = dor;\n"),
            "in.cfg:2: error: expected a statement of the form name = value;, got 'topology mesh'\n");
}

TEST_F(cli_import_errors, noxim_values_out_of_range) {
  const settings_and_errors wrong = {
      {"n_virtual_channels: 0", "n_virtual_channels: expected an integer from 1 to 16, got '0'"},
      {"buffer_depth: -4", "buffer_depth: expected an integer from 1 to 512, got '-4'"},
      {"mesh_dim_y: 1", "mesh_dim_y: expected an integer from 2 to 262144, got '1'"},
      {"min_packet_size: 0", "min_packet_size: expected an integer from 2 to 1000000, got '0'"},
      {"min_packet_size: 9", "max_packet_size: expected at least 9 (min_packet_size), got 8"},
      {"packet_injection_rate: 2", "packet_injection_rate: expected a number from 0 to 1, got '2'"},
      {"packet_injection_rate: 0", "packet_injection_rate: expected a number above 0 and up to 1, got 0"},
      {"probability_of_retransmission: 1.5", "probability_of_retransmission: expected a number from 0 to 1, got '1.5'"},
      {"simulation_time: 1000", "simulation_time: expected more than 1000 (stats_warm_up_time), got 1000"},
      {"clock_period_ps: 0", "clock_period_ps: expected an integer of at least 1, got '0'"},
      {"selection_strategy: BEST", "selection_strategy: expected one of RANDOM, BUFFER_LEVEL, NOP, got 'BEST'"},
      {"use_winoc: maybe", "use_winoc: expected true or false, got 'maybe'"},
      {"routing_algorithm: DELTA",
       "`weft import` does not convert the routing_algorithm 'DELTA'; expected one of XY, "
       "WEST_FIRST, NORTH_LAST, NEGATIVE_FIRST, ODD_EVEN, DYAD"},
      {"mesh_dim_x: 4", "mesh_dim_x is set already at in.yaml:1:1; remove one of the two"},
  };
  for (const auto& [line, message] : wrong) {
    const std::string err = error_of("in.yaml", "mesh_dim_x: 4\n" + line + "\n");
    EXPECT_THAT(err, HasSubstr("error: " + message + "\n")) << line;
    EXPECT_THAT(err, HasSubstr("in.yaml")) << line;
  }
  EXPECT_EQ(error_of("in.yaml", "mesh_dim_x: 4\nmesh_dim_y: 4\nbuffer_depth: 512\nn_virtual_channels: 2\n"),
            "in.yaml:3:1: error: buffer_depth = 512, n_virtual_channels = 2: network.router: expected vcs · depth of "
            "at most 512 flits, got "
            "2 · 512 = 1024\n");
  EXPECT_THAT(
      error_of("in.yaml", "mesh_dim_x: 4\npacket_injection_rate: 0.5\n"),
      HasSubstr("in.yaml:2:1: error: packet_injection_rate = 0.5: workload.injection.load: expected at most 1"));
}

TEST_F(cli_import_errors, syntax_errors_of_yaml_have_a_line) {
  EXPECT_THAT(error_of("in.yaml", "mesh_dim_x: 4\nmesh_dim_y: [4\nbuffer_depth: 4\n"), HasSubstr("in.yaml:3:"));
  EXPECT_THAT(error_of("in.yaml", "mesh_dim_x: 4\n\tmesh_dim_y: 4\n"), HasSubstr("in.yaml:2:"));
  EXPECT_THAT(error_of("in.yaml", "neither: [of them\n"),
              HasSubstr("in.yaml: error: expected a configuration of BookSim2 or Noxim"));
}

TEST_F(cli_import_errors, of_a_network_name_its_file) {
  write("net", "router 0 node 0 router 1\nrouter 1 node 1\nrouter 2 node 2\nrouter 3 node 3 router 2\n");
  EXPECT_EQ(error_of("in.cfg", "topology = anynet;\nrouting_function = min;\nnetwork_file = net;\n"),
            "net: error: routing: node 0 cannot be reached from router 2 (r2); add a link\n");
  std::string star = "router 0 node 0";
  for (int i = 1; i < 40; ++i) star += " router " + std::to_string(i);
  for (int i = 1; i < 40; ++i) star += "\nrouter " + std::to_string(i) + " node " + std::to_string(i);
  const std::string big = error_of("net", star + "\n");
  EXPECT_THAT(big, HasSubstr("net: error: "));
  EXPECT_THAT(big, testing::Not(HasSubstr("weft_import_")));
}

/// In a file, the path of the network is relative to the file, and on the command line to the working directory.
TEST_F(cli_import_errors, network_files_of_arguments_are_relative_to_the_working_directory) {
  std::filesystem::create_directory(m_directory / "folder");
  write("folder/in.cfg", "topology = anynet;\nrouting_function = min;\nnetwork_file = inner;\n");
  write("folder/inner", "router 0 node 0 router 1\nrouter 1 node 1\n");
  write("outer", "router 0 node 0 router 1\nrouter 1 node 1 node 2\n");
  EXPECT_EQ(weft({"import", "folder/in.cfg", "-o", "a.yaml"}).status, 0);
  EXPECT_THAT(read("a_network.yaml"), testing::Not(HasSubstr("node 2")));
  EXPECT_EQ(weft({"import", "folder/in.cfg", "-o", "b.yaml", "network_file=outer"}).status, 0);
  EXPECT_THAT(read("b_network.yaml"), HasSubstr("node 2"));
  EXPECT_THAT(error_of("folder/in.cfg", "topology = anynet;\nrouting_function = min;\n", {"network_file=inner"}),
              HasSubstr("argument network_file=inner: network_file"));
}

/// `//` within a path is no comment in BookSim2.
TEST_F(cli_import_errors, slashes_in_paths_begin_no_comment) {
  write("net", "router 0 node 0 router 1\nrouter 1 node 1\n");
  write("in.cfg",
        "topology = anynet;// a comment\nrouting_function = min;\nnum_vcs = 2;//another\nnetwork_file = .//net;\n");
  EXPECT_EQ(weft({"import", "in.cfg", "-o", "out.yaml"}).status, 0);
}

}  // namespace
}  // namespace weft::cli
