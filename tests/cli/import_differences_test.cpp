// SPDX-License-Identifier: Apache-2.0
/// `weft import`: where flits behave differently in Weft, the output has a comment, and standard error a warning.
#include "cli/command.h"
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class cli_import_differences : public command_test {
 protected:
  static constexpr const char* Mesh = "topology = mesh;\nrouting_function = dor;\n";
  static constexpr const char* Torus = "topology = torus;\nrouting_function = dim_order;\n";

  /// How often \p part occurs in \p text.
  static int count(const std::string& text, const std::string& part) {
    int times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
    return times;
  }

  command_result import_file(const std::string& file, const std::string& text) {
    write(file, text);
    const command_result r = weft({"import", file});
    EXPECT_EQ(r.status, 0) << text << r.err;
    return r;
  }
};

TEST_F(cli_import_differences, each_gives_one_comment_and_one_warning) {
  const std::string mesh = Mesh, torus = Torus;
  const std::vector<std::pair<std::string, std::string>> differences = {
      {"topology = mesh;\nrouting_function = min_adapt;\n",
       "in.cfg:2: routing_function = min_adapt: Weft selects the output port with the most free buffers"},
      {"routing_function = min_adapt;\ntopology = torus;\n",
       "in.cfg:1: routing_function = min_adapt: of the VCs that are no escape VCs, BookSim2 uses only VC 3"},
      {torus, "in.cfg:1: topology = torus: each ring of Weft's torus has two datelines"},
      {torus + "num_vcs = 3;\n", "in.cfg:3: num_vcs = 3: if it is not a multiple of 2, BookSim2's VC classes share"},
      {"topology = torus;\nrouting_function = valiant;\nnum_vcs = 6;\n",
       "in.cfg:3: num_vcs = 6: if it is not a multiple of 4"},
      {"topology = mesh;\nrouting_function = xy_yx;\nnum_vcs = 5;\n",
       "in.cfg:3: num_vcs = 5: if it is not a multiple of 2"},
      {"topology = fattree;\nk = 4;\nn = 3;\nrouting_function = anca;\n",
       "in.cfg:4: routing_function = anca: Weft compares the loads of all parents, BookSim2 those of two random ones"},
      {"topology = fattree;\nk = 4;\nn = 3;\nrouting_function = nca;\n",
       "in.cfg:4: routing_function = nca: Weft draws the whole ascent"},
      {"topology = flatfly;\nk = 4;\nn = 2;\nrouting_function = ran_min;\nuse_noc_latency = 1;\n",
       "in.cfg:5: use_noc_latency = 1: in Weft, all links take a cycle; in BookSim2, a link takes as many cycles as"},
      {"topology = flatfly;\nk = 4;\nn = 2;\nrouting_function = valiant;\n",
       "in.cfg:4: routing_function = valiant: BookSim2 draws another coordinate in each dimension in which source and"},
      {"topology = flatfly;\nk = 4;\nn = 2;\nrouting_function = ugal;\n",
       "in.cfg:4: routing_function = ugal: BookSim2 multiplies the flits behind whole output ports by the hops of "
       "both"},
      {"topology = flatfly;\nk = 4;\nn = 2;\nrouting_function = ran_min;\ntraffic = tornado;\n",
       "in.cfg:5: traffic = tornado: Weft computes the pattern from the coordinates of routers"},
      {"topology = dragonflynew;\nk = 2;\nn = 1;\nrouting_function = ugal;\nnum_vcs = 3;\n",
       "in.cfg:4: routing_function = ugal: BookSim2 decides once for each packet, Weft in each cycle in which the "
       "head"},
      {"topology = dragonflynew;\nk = 2;\nn = 1;\nrouting_function = min;\n",
       "in.cfg:4: routing_function = min: of each link, BookSim2 uses one VC for each part of a path, and Weft uses "
       "all"},
      {"topology = dragonflynew;\nk = 2;\nn = 1;\nrouting_function = ugal;\nnum_vcs = 3;\n",
       "in.cfg:5: num_vcs = 3: UGAL needs two VCs for each part of a path; 4 replaces it"},
      {mesh + "st_final_delay = 2;\n", "in.cfg:3: st_final_delay = 2: the zero-load latency is the same; under load, "},
      {mesh + "st_prepare_delay = 1;\n", "in.cfg:3: st_prepare_delay = 1: the zero-load latency is the same; "},
      {mesh + "vc_alloc_delay = 2;\n", "in.cfg:3: vc_alloc_delay = 2: in Weft, this stage takes one cycle, "},
      {mesh + "routing_delay = 2;\n", "in.cfg:3: routing_delay = 2: in Weft, this stage takes one cycle, "},
      {mesh + "credit_delay = 2;\n", "in.cfg:3: credit_delay = 2: credits take network.link.cycles"},
      {mesh + "num_vcs = 4; input_speedup = 3;\n",
       "in.cfg:3: input_speedup = 3: Weft supports only divisors of num_vcs"},
      {mesh + "num_vcs = 8; input_speedup = 8;\n",
       "in.cfg:3: input_speedup = 8: Weft supports only divisors of num_vcs"},
      {mesh + "output_speedup = 2;\n",
       "in.cfg:3: output_speedup = 2: an output port receives at most one flit per cycle "},
      {mesh + "internal_speedup = 1.5;\n", "in.cfg:3: internal_speedup = 1.5: routers and channels have one clock"},
      {mesh + "buffer_policy = dynamic;\n", "in.cfg:3: buffer_policy = dynamic: in Weft, the limit of a VC does not "},
      {mesh + "buffer_policy = shared; buf_size = 50;\n",
       "in.cfg:3: buf_size = 50: in Weft, the buffer is a multiple of num_vcs; 48 replaces it"},
      {mesh + "buffer_policy = shared; private_bufs = 2;\n",
       "in.cfg:3: private_bufs = 2: Weft reserves the same number"},
      {mesh + "buffer_policy = shared; private_buf_size = {1,2};\n",
       "in.cfg:3: private_buf_size = {1,2}: Weft reserves the same number"},
      {mesh + "buffer_policy = shared; private_buf_start_vc = 0;\n",
       "in.cfg:3: private_buf_start_vc = 0: Weft reserves the same number"},
      {mesh + "buffer_policy = limited; private_buf_size = 4; max_held_slots = 3;\n",
       "in.cfg:3: max_held_slots = 3: in Weft, a limit exceeds the reserved flits; no limit replaces it"},
      {mesh + "priority = sequence;\n", "in.cfg:3: priority = sequence: Weft has no such priority"},
      {mesh + "vc_allocator = select(3);\n", "in.cfg:3: vc_allocator = select(3): separable_output_first replaces it"},
      {mesh + "traffic = hotspot({{3,60},{1,2}});\n", "in.cfg:3: traffic = hotspot({{3,60},{1,2}}): in Weft, all"},
      {mesh + "speculative = 1; spec_sw_allocator = loa;\n", "in.cfg:3: spec_sw_allocator = loa: the allocator for"},
  };
  for (const auto& [text, difference] : differences) {
    const command_result r = import_file("in.cfg", text);
    EXPECT_THAT(r.out, HasSubstr("\n# Differences from BookSim2:\n")) << text;
    EXPECT_EQ(count(r.out, "# " + difference), 1) << text << r.out;
    const std::size_t place = difference.find(": ");
    EXPECT_EQ(
        count(r.err, difference.substr(0, place) + ": warning: Weft differs from BookSim2" + difference.substr(place)),
        1)
        << text << r.err;
  }
}

TEST_F(cli_import_differences, equal_routers_have_none) {
  for (const char* const text :
       {"", "num_vcs = 3;\n", "credit_delay = 0;\n", "priority = class;\n", "traffic = hotspot(5);\n",
        "buffer_policy = shared; buf_size = 64;\n", "wait_for_tail_credit = 1; vc_busy_when_full = 1;\n"}) {
    const command_result r = import_file("in.cfg", std::string(Mesh) + text);
    EXPECT_THAT(r.out, Not(HasSubstr("# Differences"))) << text;
    EXPECT_THAT(r.err, Not(HasSubstr("warning"))) << text;
  }
}

/// The default topology of BookSim2 has no line.
TEST_F(cli_import_differences, name_defaults_at_the_file) {
  const command_result r = import_file("in.cfg", "routing_function = dim_order;\n");
  EXPECT_THAT(r.out, HasSubstr("# in.cfg: topology = torus (default): each ring"));
  EXPECT_THAT(r.err, HasSubstr("in.cfg: warning: Weft differs from BookSim2: topology = torus (default): each ring"));
}

/// BookSim2 stores numbers and lists of a key separately, and prefers the list wherever it stands.
TEST_F(cli_import_differences, lists_precede_numbers_as_in_booksim) {
  const std::string list = std::string(Mesh) + "injection_rate = {0.2};\n";
  command_result r = import_file("in.cfg", list + "injection_rate = 0.3;\n");
  EXPECT_THAT(r.out, HasSubstr("    load: 0.2\n"));
  EXPECT_THAT(r.out,
              HasSubstr("# in.cfg:4: injection_rate = 0.3: BookSim2 ignores this number because of injection_rate = "
                        "{0.2} (in.cfg:3)"));
  EXPECT_THAT(r.err, HasSubstr("in.cfg:4: warning: injection_rate = 0.3: BookSim2 ignores this number"));
  r = weft({"import", "in.cfg", "injection_rate={0.1}"});
  EXPECT_THAT(r.out, HasSubstr("    load: 0.1\n"));
  EXPECT_THAT(r.out, HasSubstr("# in.cfg:3: injection_rate = {0.2}: replaced by injection_rate = {0.1} (argument "
                               "injection_rate={0.1})\n"));
  r = import_file("in.cfg", std::string(Mesh) + "injection_rate = 0.3;\ninjection_rate = {0.2};\n");
  EXPECT_THAT(r.out, HasSubstr("    load: 0.2\n"));
  EXPECT_THAT(r.err, Not(HasSubstr("warning")));
  r = import_file("in.cfg", std::string(Mesh) + "seed = time;\nseed = 5;\n");
  EXPECT_THAT(r.out, Not(HasSubstr("seed: 5\n")));
}

TEST_F(cli_import_differences, a_list_for_several_classes_gives_a_warning) {
  const command_result r = import_file("in.cfg", std::string(Mesh) + "packet_size = {2,5};\n");
  EXPECT_THAT(r.out, HasSubstr("    flits: 2\n"));
  EXPECT_THAT(r.err, HasSubstr("in.cfg:3: warning: packet_size = {2,5}: 2 elements for as many classes of traffic"));
}

TEST_F(cli_import_differences, classes_of_booksim_become_traffics) {
  const command_result r = import_file(
      "in.cfg", std::string(Mesh) +
                    "classes = 3;\ninjection_rate_uses_flits = 1;\ninjection_rate = {0.1,0.02};\npacket_size = "
                    "{{1,5},{1,5},3};\ntraffic = {transpose,uniform};\n");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_THAT(r.err,
              HasSubstr("in.cfg:3: warning: Weft differs from BookSim2: classes = 3: each class becomes a traffic"));
  write("in.yaml", r.out);
  EXPECT_EQ(weft({"run", "in.yaml", "-q", "--set", "simulation.measure=2000"}).status, 0);
  const nlohmann::json traffics =
      nlohmann::json::parse(read("results/in.json"))["configuration"]["workload"]["traffics"];
  ASSERT_EQ(traffics.size(), 3u);
  EXPECT_EQ(traffics["class0"]["pattern"]["kind"], "transpose");
  EXPECT_EQ(traffics["class1"]["pattern"]["kind"], "uniform");
  EXPECT_EQ(traffics["class2"]["pattern"]["kind"], "uniform") << "the last element holds for all further classes";
  EXPECT_EQ(traffics["class0"]["length"]["choices"], nlohmann::json({{"1", 1.0}, {"5", 1.0}}));
  EXPECT_EQ(traffics["class2"]["length"]["flits"], 3);
  EXPECT_EQ(traffics["class0"]["injection"]["load"], 0.1);
  EXPECT_EQ(traffics["class2"]["injection"]["load"], 0.02);
}

/// A number that a later one replaces is named with the place of both.
TEST_F(cli_import_differences, replaced_settings_name_the_replacement) {
  const command_result r = import_file("in.cfg", std::string(Mesh) + "num_vcs = 4;\nnum_vcs = 8;\n");
  EXPECT_THAT(r.out, HasSubstr("# in.cfg:3: num_vcs = 4: replaced by num_vcs = 8 (in.cfg:4)\n"));
}

/// In Noxim, probability_of_retransmission is the rate in the cycle after a packet.
TEST_F(cli_import_differences, bursts_of_noxim_have_its_rate) {
  const std::string noxim = "mesh_dim_x: 4\nmesh_dim_y: 4\nmin_packet_size: 4\nmax_packet_size: 4\n";
  command_result r =
      import_file("in.yaml", noxim + "packet_injection_rate: 0.05\nprobability_of_retransmission: 0.05\n");
  EXPECT_THAT(r.out, HasSubstr("    load: 0.2\n"));
  EXPECT_THAT(r.out, Not(HasSubstr("process:")));
  EXPECT_THAT(import_file("in.yaml", noxim + "packet_injection_rate: 0.05\n").out, HasSubstr("    load: 0.2\n"));
  // On periods of 1 / (1 - 0.5) cycles with a packet in each, and pauses of 1 / 0.05 cycles.
  r = import_file("in.yaml", noxim + "packet_injection_rate: 0.05\nprobability_of_retransmission: 0.5\n");
  EXPECT_THAT(r.out, HasSubstr("    load: 0.363636363636\n    process: on_off\n    peak: 4\n    mean_burst: 2\n"));
  r = import_file("in.yaml",
                  "mesh_dim_x: 4\nmin_packet_size: 40\nmax_packet_size: 40\npacket_injection_rate: 0.005\n"
                  "probability_of_retransmission: 0.5\n");
  EXPECT_THAT(r.out, HasSubstr("    load: 0.39603960396\n"));
  EXPECT_THAT(r.err,
              HasSubstr("in.yaml:5:1: warning: Weft differs from Noxim: probability_of_retransmission = 0.5: the mean "
                        "rate of packets is the same, but without bursts"));
}

TEST_F(cli_import_differences, of_noxim_are_named) {
  const command_result r = import_file(
      "in.yaml", "mesh_dim_x: 4\nrouting_algorithm: NORTH_LAST\ntraffic_distribution: TRAFFIC_TRANSPOSE2\n");
  EXPECT_THAT(r.err, HasSubstr("in.yaml: warning: Weft differs from Noxim: topology = MESH (default): the pipeline"));
  EXPECT_THAT(r.err, HasSubstr("in.yaml:2:1: warning: Weft differs from Noxim: routing_algorithm = NORTH_LAST: Weft's "
                               "routing is a mirror image"));
  EXPECT_THAT(r.err, HasSubstr("selection_strategy = RANDOM (default): Weft selects the output port"));
}

}  // namespace
}  // namespace weft::cli
