// SPDX-License-Identifier: Apache-2.0
/// `weft import` of traffic tables of Noxim.
#include "cli/command.h"
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace weft::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class cli_import_table : public command_test {
 protected:
  /// Packets of 4 flits on average, by a table beside the configuration.
  cli_import_table() {
    write("noxim/in.yaml",
          "mesh_dim_x: 4\nmesh_dim_y: 2\nmin_packet_size: 2\nmax_packet_size: 6\npacket_injection_rate: 0.01\n"
          "reset_time: 1000\nsimulation_time: 9000\ntraffic_distribution: TRAFFIC_TABLE_BASED\n"
          "traffic_table_filename: table.txt\n");
  }

  command_result import_table(const std::string& table) {
    write("noxim/table.txt", table);
    return weft({"import", "noxim/in.yaml", "-o", "out.yaml"});
  }

  static std::string with_title(const std::string& lines) {
    return "# Converted by weft import from the traffic table noxim/table.txt of Noxim.\n"
           "# source destination rate, in flits per cycle\n" +
           lines;
  }
};

/// A line has the rate pir in packets per cycle, or packet_injection_rate. Several lines of a pair add up.
TEST_F(cli_import_table, rates_are_flits_per_cycle) {
  const command_result r = import_table("% a comment\n1 2 0.02\n0 5\n0 5 0.03 0.03\n\n7 7 0.1 % to itself\n");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(read("out_matrix.txt"), with_title("0 5 0.16\n1 2 0.08\n7 7 0.4\n"));
  const std::string out = read("out.yaml");
  EXPECT_THAT(out, HasSubstr("  pattern:\n    kind: matrix\n    file: out_matrix.txt\n    rates: absolute\n"));
  EXPECT_THAT(out, Not(HasSubstr("    load:")));
  EXPECT_THAT(out, Not(HasSubstr("table.txt: the rates")));
  EXPECT_THAT(out, Not(HasSubstr("traffic_distribution")));
  EXPECT_EQ(weft({"run", "out.yaml", "-q", "--set", "simulation.measure=1000"}).status, 0);
}

/// With por = 0.5 after a packet and pir = 0.1 otherwise, the cycles with a packet are a Markov chain: a node creates a
/// packet in 0.1 / (1 - 0.5 + 0.1) = 1/6 of the cycles. The second source has two destinations: packets in
/// 0.3 / (1 - 0.1 + 0.3) = 1/4 of the cycles, with pir of 0.1 and 0.2 in the others, and por of 0.1 and 0 after them.
TEST_F(cli_import_table, rates_after_a_packet_count_in_the_mean) {
  const command_result r = import_table("2 3 0.1 0.5\n4 5 0.1 0.1\n4 6 0.2 0\n");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(read("out_matrix.txt"), with_title("2 3 0.666666666667\n4 5 0.4\n4 6 0.6\n"));
  constexpr const char* Bursts =
      "traffic_table_filename = table.txt: the mean rates of packets are the same, but without the bursts of por, the "
      "rate after a packet";
  EXPECT_THAT(r.err, HasSubstr(std::string("noxim/in.yaml:9:1: warning: Weft differs from Noxim: ") + Bursts));
  EXPECT_THAT(read("out.yaml"), HasSubstr(std::string("# noxim/in.yaml:9:1: ") + Bursts + "\n"));
}

/// A node compares one random number with the cumulative rates, so a rate beyond 1 has no effect.
TEST_F(cli_import_table, rates_of_a_source_above_1_are_cut_off) {
  EXPECT_EQ(import_table("0 1 0.75\n0 2 0.75\n0 3 0.75\n").status, 0);
  EXPECT_EQ(read("out_matrix.txt"), with_title("0 1 3\n0 2 1\n0 3 0\n"));
}

/// A line applies in the cycles c with t_on < c mod t_period < t_off. Without t_off, it applies to the end.
TEST_F(cli_import_table, periods_become_means_over_time) {
  const command_result r =
      import_table("0 1 0.1 0.1 0 251 1000\n1 0 0.1 0.1 999 5000\n2 0 0.1 0.1 4999\n3 0 0.1 0.1 0\n");
  EXPECT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(read("out_matrix.txt"), with_title("0 1 0.1\n1 0 0.16\n2 0 0.2\n3 0 0.4\n"));
  EXPECT_THAT(r.err,
              HasSubstr("traffic_table_filename = table.txt: the rates are means over time; Weft has no counterpart "
                        "of t_on, t_off and t_period"));
  EXPECT_THAT(import_table("0 1 0.1\n").err, Not(HasSubstr("means over time")));
}

/// Bursts begin anew in each period: with pir 0.1 and por 0.9, 247.5 packets of 4 flits in the 499 cycles of a period.
TEST_F(cli_import_table, bursts_end_with_their_period) {
  EXPECT_EQ(import_table("0 1 0.1 0.9 0 500 1000\n").status, 0);
  EXPECT_EQ(read("out_matrix.txt"), with_title("0 1 0.99\n"));
  EXPECT_EQ(import_table("0 1 0.1 0.9 0 500 1000\n0 2 0.1 0.9 500 1000 1001\n").status, 0);
  EXPECT_EQ(import_table("0 1 0 1 0 500 1000\n0 2 0.5 0.5\n").status, 0);
}

TEST_F(cli_import_table, time_before_the_measurement_is_not_converted) {
  EXPECT_EQ(import_table("0 1 0.1\n").status, 0);
  EXPECT_THAT(read("out.yaml"), HasSubstr("reset_time = 1000"));
}

TEST_F(cli_import_table, keys_without_effect_are_not_converted) {
  write("noxim/in.yaml", read("noxim/in.yaml") + "probability_of_retransmission: 0.3\n");
  EXPECT_EQ(import_table("0 1 0.1\n").status, 0);
  const std::string out = read("out.yaml");
  EXPECT_THAT(out, HasSubstr("packet_injection_rate = 0.01: every line of the traffic table has its own rate\n"));
  EXPECT_THAT(out, HasSubstr("probability_of_retransmission = 0.3: Noxim uses it only without TRAFFIC_TABLE_BASED\n"));
  EXPECT_EQ(import_table("0 1\n").status, 0);
  EXPECT_THAT(read("out.yaml"), Not(HasSubstr("packet_injection_rate")));
}

TEST_F(cli_import_table, errors_name_the_line) {
  const command_result r = import_table(
      "0 8 0.1\nx 1 0.1\n0\n0 1 1.5\n0 1 0.1 -1\n0 1 0.1 0.1 50 50\n0 1 0.1 0.1 0 500 500\n0 1 0.1 0.1 0 500 600 7\n");
  EXPECT_EQ(r.status, 2);
  EXPECT_EQ(
      r.err,
      "noxim/table.txt:1: error: column 2 (destination): expected a node from 0 to 7, found '8'\n"
      "noxim/table.txt:2: error: column 1 (source): expected a node from 0 to 7, found 'x'\n"
      "noxim/table.txt:3: error: expected 2 to 7 columns 'source destination pir por t_on t_off t_period', found 1\n"
      "noxim/table.txt:4: error: column 3 (pir): expected a probability from 0 to 1, found '1.5'\n"
      "noxim/table.txt:5: error: column 4 (por): expected a probability from 0 to 1, found '-1'\n"
      "noxim/table.txt:6: error: expected t_off above t_on (50), found 50\n"
      "noxim/table.txt:7: error: expected t_period above t_off (500), found 500\n"
      "noxim/table.txt:8: error: expected 2 to 7 columns 'source destination pir por t_on t_off t_period', found 8\n");
  EXPECT_THAT(files_in("."), testing::ElementsAre("noxim"));
  EXPECT_EQ(import_table("% empty\n").err,
            "noxim/in.yaml:9:1: error: traffic_table_filename = table.txt, min_packet_size = 2, max_packet_size = 6: "
            "workload.pattern.file: noxim/table.txt: the matrix has no rate above 0; expected at least one\n");
}

TEST_F(cli_import_table, errors_name_missing_files) {
  EXPECT_EQ(weft({"import", "noxim/in.yaml", "-o", "out.yaml"}).err,
            "noxim/in.yaml:9:1: traffic_table_filename noxim/table.txt: error: cannot be opened: No such file or "
            "directory\n");
  write("noxim/table.txt", "0 1 0.1\n");
  EXPECT_EQ(weft({"import", "noxim/in.yaml"}).err,
            "noxim/in.yaml:8:1: error: the traffic matrix needs a file of its own; add -o FILE to write both files\n");
  EXPECT_EQ(weft({"import", "noxim/in.yaml", "-o", "noxim/table.txt"}).status, 2) << "would overwrite the table";
  write("noxim/in.yaml", "mesh_dim_x: 4\ntraffic_distribution: TRAFFIC_TABLE_BASED\n");
  EXPECT_EQ(weft({"import", "noxim/in.yaml", "-o", "out.yaml"}).err,
            "noxim/in.yaml:2:1: error: traffic_table_filename: expected the file of the traffic table, got none\n");
}

}  // namespace
}  // namespace weft::cli
