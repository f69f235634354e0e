// SPDX-License-Identifier: Apache-2.0
/// Import hints for the keys of other simulators: the table, the documentation page and the messages.
#include "weft/configuration/import_hints.h"

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

#include "weft/configuration/configuration.h"
#include "weft/configuration/keys.h"
#include "weft/topology/files/read_topology.h"

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;

const key* find_key(const std::vector<key>& table, const std::string& path) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const key& k) { return k.path == path; });
  return at == table.end() ? nullptr : &*at;
}

/// The line of the documentation page for hint \p w.
std::string row_of(const import_hint& w) {
  const std::string key = w.key, ours = w.ours;
  const std::string weft =
      ours.empty() ? "no counterpart" : fmt::format("`{}`", key.empty() ? ours : fmt::format("{}: {}", key, ours));
  return fmt::format("| {}`{}` | {} | {} |", key.empty() ? "" : "value ", w.word, weft, w.note);
}

/// Table rows of the documentation page without their headers, each with the simulator of the last heading.
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

TEST(unit_experiment_import_hints, page_matches_the_table_row_by_row) {
  std::vector<std::pair<std::string, std::string>> expected;
  for (const import_hint& w : import_hints()) expected.emplace_back(w.simulator, row_of(w));
  EXPECT_EQ(rows_of_page(), expected);
}

TEST(unit_experiment_import_hints, every_weft_name_in_the_table_exists) {
  configuration c;
  const std::vector<key> table = keys(c);
  for (const import_hint& w : import_hints()) {
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

TEST(unit_experiment_import_hints, every_entry_is_unique_and_has_a_counterpart_or_a_note) {
  std::set<std::string> seen;
  for (const import_hint& w : import_hints()) {
    EXPECT_TRUE(*w.ours != '\0' || *w.note != '\0') << w.word;
    EXPECT_TRUE(seen.insert(fmt::format("{} {} {}", w.simulator, w.key, w.word)).second) << w.word;
  }
}

/// A name that is also a key of Weft must lead to this key if it stands in the wrong section.
TEST(unit_experiment_import_hints, words_shared_with_weft_map_to_that_key) {
  configuration c;
  for (const import_hint& w : import_hints()) {
    bool has = false;
    for (const key& k : keys(c)) has = has || name_of(k.path) == w.word;
    for (const section& s : sections()) has = has || name_of(s.path) == w.word;
    if (has && *w.key == '\0') {
      EXPECT_THAT(w.ours, HasSubstr(std::string(".") + w.word)) << w.word;
    }
  }
}

/// A hint names the first simulator that has the word, so the word must have the same meaning in both.
TEST(unit_experiment_import_hints, words_shared_by_simulators_have_one_translation) {
  for (const import_hint& a : import_hints()) {
    for (const import_hint& b : import_hints()) {
      if (std::string(a.word) == b.word && std::string(a.key) == b.key) {
        EXPECT_STREQ(a.ours, b.ours) << a.word;
      }
    }
  }
}

TEST(unit_experiment_import_hints, keys_of_other_simulators_get_hints) {
  EXPECT_EQ(error_of_text("num_vcs: 8\n"),
            "run.yaml:1:1: error: unknown key 'num_vcs'; BookSim2's num_vcs is network.router.vcs");
  EXPECT_EQ(error_of_text("network:\n  router: {buffer_depth: 4}\n"),
            "run.yaml:2:12: error: unknown key 'buffer_depth' in network.router; Noxim's buffer_depth is "
            "network.router.depth");
  EXPECT_THAT(error_of_text("workload: {injection_rate: 0.1}\n"),
              HasSubstr("unknown key 'injection_rate' in workload; BookSim2's injection_rate is "
                        "workload.injection.load: in flits"));
  EXPECT_EQ(error_of_text("subnets: 2\n"),
            "run.yaml:1:1: error: unknown key 'subnets'; BookSim2's subnets has no counterpart: an experiment has one "
            "network");
  EXPECT_EQ(error_of_text("network: {router: {wait_for_tail_credit: 1}}\n"),
            "run.yaml:1:20: error: unknown key 'wait_for_tail_credit' in network.router; BookSim2's "
            "wait_for_tail_credit is network.router.vc_reallocation: 1 is after_tail_credit");
}

/// The table contains every key of a configuration of Noxim.
TEST(unit_experiment_import_hints, every_key_of_noxim_has_a_hint) {
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

TEST(unit_experiment_import_hints, booksim_files_are_recognized) {
  const std::string message =
      "run.yaml: error: is a configuration of BookSim2; expected a configuration, in YAML; "
      "`weft import` converts it";
  EXPECT_EQ(
      error_of_text("// A line of a licence: with a colon\n//\n// Another one\ntopology = mesh;\nk = 8;\nn = 2;\n"),
      message);
  EXPECT_EQ(error_of_text("topology = mesh;\nk = 8;\nnum_vcs = 4;\n"), message);
  EXPECT_EQ(error_of_text("/* all\n of it */\n\n  injection_rate  = {0.1,0.2};\n"), message);
  EXPECT_EQ(error_of_text("router 0 node 0 node 1 router 1\nrouter 1 node 2 node 3\n"),
            "run.yaml: error: is a network of BookSim2 (anynet); expected a configuration, in YAML; "
            "`weft import` converts it");
}

/// BookSim2's k, n and c are parameters of its topology; in other sections a single letter is another misspelling.
TEST(unit_experiment_import_hints, single_letter_keys_get_hints_only_near_topology) {
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

TEST(unit_experiment_import_hints, a_kind_in_place_of_a_section_gets_a_hint) {
  EXPECT_THAT(error_of_text("network: {topology: MESH}\n"), HasSubstr("got 'MESH'; Noxim's MESH is mesh"));
  EXPECT_THAT(error_of_text("network: {topology: {kind: TORUS}}\n"), HasSubstr("got 'TORUS'; did you mean 'torus'?"));
  EXPECT_THAT(error_of_text("network: {topology: fly}\n"), HasSubstr("got 'fly'; BookSim2's fly is k_ary_n_fly: "));
  EXPECT_THAT(error_of_text("network: {router: virtual_cut_through}\n"),
              HasSubstr("; did you mean 'network.router.flow_control: virtual_cut_through'?"));
  EXPECT_THAT(error_of_text("network: {topology: 7}\n"), testing::EndsWith("got '7'"));
}

TEST(unit_experiment_import_hints, values_of_other_simulators_get_hints) {
  EXPECT_THAT(error_of_text("network: {routing: dor}\n"), HasSubstr("got 'dor'; BookSim2's dor is dimension_order"));
  EXPECT_THAT(error_of_text("workload: {pattern: bitcomp}\n"),
              HasSubstr("got 'bitcomp'; BookSim2's bitcomp is bit_complement"));
  EXPECT_THAT(error_of_text("network: {routing: XY}\n"), HasSubstr("got 'XY'; Noxim's XY is dimension_order"));
  EXPECT_THAT(error_of_text("workload: {pattern: dor}\n"), testing::Not(HasSubstr("BookSim2")));
}

TEST(unit_experiment_import_hints, command_line_settings_get_the_same_hints) {
  try {
    parse_configuration("", "run.yaml", {parse_setting("num_vcs=8")});
    FAIL() << "no error";
  } catch (const configuration_error& e) {
    EXPECT_STREQ(e.what(), "--set num_vcs=8: error: unknown key 'num_vcs'; BookSim2's num_vcs is network.router.vcs");
  }
}

TEST(unit_experiment_import_hints, examples_on_the_page_are_valid) {
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
