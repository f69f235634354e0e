// SPDX-License-Identifier: Apache-2.0
/// The words of other simulators: the table, the page, the hints.
#include "weft/experiment/configuration/coming_from.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/topology/files/read_topology.h"

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;

const key* find_key(const std::vector<key>& table, const std::string& path) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const key& k) { return k.path == path; });
  return at == table.end() ? nullptr : &*at;
}

/// The line of the page for \p w.
std::string row_of(const foreign_word& w) {
  const std::string key = w.key, ours = w.ours;
  const std::string weft =
      ours.empty() ? "no counterpart" : fmt::format("`{}`", key.empty() ? ours : fmt::format("{}: {}", key, ours));
  return fmt::format("| {}`{}` | {} | {} |", key.empty() ? "" : "value ", w.word, weft, w.note);
}

/// Rows of the tables of the page, without their heads, each with the simulator that the last heading names.
std::vector<std::pair<std::string, std::string>> rows_of_page() {
  std::ifstream page(WEFT_SOURCE_DIR "/docs/02_user/coming_from.md");
  std::vector<std::pair<std::string, std::string>> rows;
  std::string simulator, line;
  while (std::getline(page, line)) {
    if (line.rfind("## ", 0) == 0) simulator = line.substr(3);
    if (line.rfind("| `", 0) == 0 || line.rfind("| value ", 0) == 0) rows.emplace_back(simulator, line);
  }
  return rows;
}

std::string error_of_text(const std::string& text) {
  try {
    parse_configuration(text, "run.yaml");
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "no error";
}

TEST(unit_experiment_coming_from, the_page_has_the_table_row_by_row) {
  std::vector<std::pair<std::string, std::string>> expected;
  for (const foreign_word& w : foreign_words()) expected.emplace_back(w.simulator, row_of(w));
  EXPECT_EQ(rows_of_page(), expected);
}

TEST(unit_experiment_coming_from, every_word_of_ours_exists) {
  configuration c;
  const std::vector<key> table = keys(c);
  for (const foreign_word& w : foreign_words()) {
    const std::string of = w.key, ours = w.ours;
    if (of.empty()) {
      EXPECT_TRUE(ours.empty() || find_key(table, ours)) << w.word << ": " << ours;
      continue;
    }
    const key* const k = find_key(table, of);
    ASSERT_NE(k, nullptr) << of;
    EXPECT_EQ(std::count(k->type.names.begin(), k->type.names.end(), w.word), 0) << w.word;
    EXPECT_TRUE(ours.empty() || std::count(k->type.names.begin(), k->type.names.end(), ours) == 1)
        << w.word << ": " << ours;
  }
}

TEST(unit_experiment_coming_from, words_without_counterpart_have_a_reason_and_none_stands_twice) {
  std::set<std::string> seen;
  for (const foreign_word& w : foreign_words()) {
    EXPECT_TRUE(*w.ours != '\0' || *w.note != '\0') << w.word;
    EXPECT_TRUE(seen.insert(fmt::format("{} {} {}", w.simulator, w.key, w.word)).second) << w.word;
  }
}

/// A name of Weft's own in the wrong section must lead to a key of that name.
TEST(unit_experiment_coming_from, words_that_weft_has_too_mean_the_same) {
  configuration c;
  for (const foreign_word& w : foreign_words()) {
    bool has = false;
    for (const key& k : keys(c)) has = has || name_of(k.path) == w.word;
    for (const section& s : sections()) has = has || name_of(s.path) == w.word;
    if (has && *w.key == '\0') {
      EXPECT_THAT(w.ours, HasSubstr(std::string(".") + w.word)) << w.word;
    }
  }
}

/// The same word of two simulators: a hint names the first, so both must mean the same.
TEST(unit_experiment_coming_from, simulators_agree_on_words_that_both_have) {
  for (const foreign_word& a : foreign_words()) {
    for (const foreign_word& b : foreign_words()) {
      if (std::string(a.word) == b.word && std::string(a.key) == b.key) {
        EXPECT_STREQ(a.ours, b.ours) << a.word;
      }
    }
  }
}

TEST(unit_experiment_coming_from, keys_are_hints) {
  EXPECT_EQ(error_of_text("num_vcs: 8\n"),
            "run.yaml:1:1: error: unknown key 'num_vcs'; BookSim2's num_vcs is network.router.vcs");
  EXPECT_EQ(error_of_text("network:\n  router: {buffer_depth: 4}\n"),
            "run.yaml:2:12: error: unknown key 'buffer_depth' in network.router; Noxim's buffer_depth is "
            "network.router.depth");
  EXPECT_THAT(error_of_text("workload: {injection_rate: 0.1}\n"),
              HasSubstr("unknown key 'injection_rate' in workload; BookSim2's injection_rate is "
                        "workload.injection.load: in flits"));
  EXPECT_EQ(error_of_text("priority: age\n"),
            "run.yaml:1:1: error: unknown key 'priority'; BookSim2's priority has no counterpart: packets have no "
            "priorities");
}

/// All keys that a configuration of Noxim may have are known.
TEST(unit_experiment_coming_from, every_key_of_noxim_has_a_hint) {
  for (const char* const key : {"topology",
                                "mesh_dim_x",
                                "mesh_dim_y",
                                "n_delta_tiles",
                                "buffer_depth",
                                "flit_size",
                                "r2r_link_length",
                                "r2h_link_length",
                                "n_virtual_channels",
                                "routing_algorithm",
                                "routing_table_filename",
                                "dyad_threshold",
                                "selection_strategy",
                                "Hubs",
                                "Channels",
                                "RadioChannels",
                                "clock_period_ps",
                                "reset_time",
                                "simulation_time",
                                "stats_warm_up_time",
                                "rnd_generator_seed",
                                "detailed",
                                "max_volume_to_be_drained",
                                "show_buffer_stats",
                                "use_winoc",
                                "winoc_dst_hops",
                                "use_wirxsleep",
                                "use_powermanager",
                                "verbose_mode",
                                "trace_mode",
                                "trace_filename",
                                "min_packet_size",
                                "max_packet_size",
                                "packet_injection_rate",
                                "probability_of_retransmission",
                                "traffic_distribution",
                                "traffic_table_filename",
                                "traffic_hardcoded_filename"})
    EXPECT_THAT(error_of_text(fmt::format("{}: 1\n", key)), testing::ContainsRegex("; (BookSim2|Noxim)'s ")) << key;
}

TEST(unit_experiment_coming_from, files_of_booksim_are_named) {
  const std::string told =
      "run.yaml: error: is a configuration of BookSim2; expected a configuration, in YAML: "
      "docs/02_user/coming_from.md translates its keys";
  EXPECT_EQ(error_of_text("// A line of a licence: with a colon\ntopology = mesh;\nk = 8;\nn = 2;\n"), told);
  EXPECT_EQ(error_of_text("topology = mesh;\nk = 8;\nnum_vcs = 4;\n"), told);
  EXPECT_EQ(error_of_text("/* all\n of it */\n\n  injection_rate  = {0.1,0.2};\n"), told);
  EXPECT_EQ(error_of_text("router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3\n"),
            "run.yaml: error: is a network of BookSim2 (anynet); expected a configuration, in YAML: "
            "docs/02_user/coming_from.md shows how to write it for Weft");
}

/// BookSim2's k, n and c are parameters of its topology; in other sections they are misspellings of something else.
TEST(unit_experiment_coming_from, letters_are_hints_around_their_key_only) {
  for (const char* const letter : {"k", "n", "c"}) {
    for (const char* const there : {"{}: 3\n", "network: {{{}: 3}}\n", "network: {{topology: {{{}: 3}}}}\n"})
      EXPECT_THAT(error_of_text(fmt::format(fmt::runtime(there), letter)), HasSubstr("BookSim2's")) << letter << there;
    for (const section& s : sections()) {
      if (s.path != "network" && s.path != "network.topology") {
        EXPECT_EQ(key_hint(s.path, letter), "") << s.path;
      }
    }
  }
  EXPECT_THAT(error_of_text("network: {router: {k: 3}}\n"),
              testing::AllOf(HasSubstr("unknown key 'k' in network.router"), testing::Not(HasSubstr("BookSim2"))));
}

TEST(unit_experiment_coming_from, a_kind_in_place_of_a_section_is_a_hint) {
  EXPECT_THAT(error_of_text("network: {topology: MESH}\n"), HasSubstr("got 'MESH'; Noxim's MESH is mesh"));
  EXPECT_THAT(error_of_text("network: {topology: {kind: TORUS}}\n"), HasSubstr("got 'TORUS'; did you mean 'torus'?"));
  EXPECT_THAT(error_of_text("network: {topology: fly}\n"), HasSubstr("got 'fly'; BookSim2's fly has no counterpart: "));
  EXPECT_THAT(error_of_text("network: {router: virtual_cut_through}\n"),
              HasSubstr("; did you mean 'network.router.flow_control: virtual_cut_through'?"));
  EXPECT_THAT(error_of_text("network: {topology: 7}\n"), testing::EndsWith("got '7'"));
}

TEST(unit_experiment_coming_from, values_are_hints) {
  EXPECT_THAT(error_of_text("network: {routing: dor}\n"), HasSubstr("got 'dor'; BookSim2's dor is dimension_order"));
  EXPECT_THAT(error_of_text("workload: {pattern: bitcomp}\n"),
              HasSubstr("got 'bitcomp'; BookSim2's bitcomp is bit_complement"));
  EXPECT_THAT(error_of_text("network: {routing: XY}\n"), HasSubstr("got 'XY'; Noxim's XY is dimension_order"));
  EXPECT_THAT(error_of_text("workload: {pattern: dor}\n"), testing::Not(HasSubstr("BookSim2")));
}

TEST(unit_experiment_coming_from, settings_have_the_hints_too) {
  try {
    parse_configuration("", "run.yaml", {parse_setting("num_vcs=8")});
    FAIL() << "no error";
  } catch (const configuration_error& e) {
    EXPECT_STREQ(e.what(), "--set num_vcs=8: error: unknown key 'num_vcs'; BookSim2's num_vcs is network.router.vcs");
  }
}

TEST(unit_experiment_coming_from, the_example_of_the_page_is_right) {
  std::ifstream page(WEFT_SOURCE_DIR "/docs/02_user/coming_from.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::size_t from = text.find("```yaml\n"), end = text.find("```", from + 8);
  ASSERT_NE(from, std::string::npos);
  EXPECT_EQ(error_of_text(text.substr(from + 8, end - from - 8)), "no error");
  const std::size_t network = text.find("```yaml\nformat: ", end), network_end = text.find("```", network + 8);
  ASSERT_NE(network, std::string::npos);
  const topology t = read_topology(text.substr(network + 8, network_end - network - 8), "two.yaml");
  EXPECT_EQ(t.nodes.size(), 4U);
  EXPECT_EQ(t.channels[0].cycles, 3U);
}

}  // namespace
}  // namespace weft::experiment
