// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/configuration.h"

#include "support/temporary_directory.h"
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/configuration/keys.h"
#include "weft/workload/pattern.h"

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

configuration parse(const std::string& text, const std::vector<std::string>& sets = {}) {
  std::vector<setting> settings;
  for (const std::string& s : sets) settings.push_back(parse_setting(s));
  return parse_configuration(text, "dir/run.yaml", settings);
}

/// All errors of an invalid configuration.
std::string errors_of(const std::string& text, const std::vector<std::string>& sets = {}) {
  try {
    parse(text, sets);
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "";
}

TEST(unit_experiment_configuration, omitted_keys_have_their_defaults) {
  for (const char* const text : {"", "# nothing\n", "network:\nworkload:\n  length:\n", "{}"}) {
    const configuration c = parse(text);
    EXPECT_THAT(c.topology.shape, ElementsAre(8, 8));
    EXPECT_THAT(c.routing.order, ElementsAre(0, 1));
    EXPECT_EQ(c.router.vcs, 4u);
    EXPECT_EQ(c.simulation.measure, 10'000u);
    EXPECT_EQ(c.output.name, "run");
    EXPECT_EQ(c.result_file(".json"), "results/run.json");
  }
}

TEST(unit_experiment_configuration, every_section_is_read) {
  const configuration c = parse(R"(
network:
  topology: {kind: mesh, shape: [4, 3, 2]}
  routing: {algorithm: dimension_order, order: [z, x, y]}
  router: {vcs: 2, depth: 16, pipeline: 3, flow_control: virtual_cut_through}
  link: {cycles: 2}
  flit: {payload_bits: 128}
nic: {ports: 2, link_cycles: 3, window: 500}
workload:
  pattern: {kind: hotspot, hotspots: [0, 5], share: 0.5, to_self: true}
  injection: {process: on_off, load: 0.25, peak: 0.75, mean_burst: 40}
  length: {kind: weighted, choices: {16: 1, 1: 3.5}}
  payload: {kind: small_integers}
simulation:
  {level: pin, seed: 18446744073709551615, warmup: 0, measure: 5, drain: 6, deadlock_after: 700, clock_gating: false}
output:
  directory: out
  name: other
  json: false
  csv: false
  event_log: true
  answers: true
  vcd: ["network.router_1*", x]
  progress: never
)");
  EXPECT_THAT(c.topology.shape, ElementsAre(4, 3, 2));
  EXPECT_THAT(c.routing.order, ElementsAre(2, 0, 1));
  EXPECT_EQ(c.router.vcs, 2u);
  EXPECT_EQ(c.router.depth, 16u);
  EXPECT_EQ(c.router.pipeline, 3u);
  EXPECT_EQ(c.router.flow, flow_control::VirtualCutThrough);
  EXPECT_EQ(c.link.cycles, 2u);
  EXPECT_EQ(c.flit.payload_bits, 128u);
  EXPECT_EQ(c.nic.ports, 2u);
  EXPECT_EQ(c.nic.link_cycles, 3u);
  EXPECT_EQ(c.nic.window, 500u);
  EXPECT_EQ(c.workload.pattern.kind->name, "hotspot");
  EXPECT_THAT(c.workload.pattern.hotspots, ElementsAre(0, 5));
  EXPECT_EQ(c.workload.pattern.hotspot_share, 0.5);
  EXPECT_TRUE(c.workload.pattern.to_self);
  EXPECT_EQ(c.workload.injection.kind, injection_kind::OnOff);
  EXPECT_EQ(c.workload.injection.load, 0.25);
  EXPECT_EQ(c.workload.injection.peak, 0.75);
  EXPECT_EQ(c.workload.injection.mean_burst, 40);
  ASSERT_EQ(c.workload.length.choices.size(), 2u);
  EXPECT_EQ(c.workload.length.choices[0].flits, 1u);
  EXPECT_EQ(c.workload.length.choices[0].weight, 3.5);
  EXPECT_EQ(c.workload.length.choices[1].flits, 16u);
  EXPECT_EQ(c.workload.payload.kind, payload_kind::SmallIntegers);
  EXPECT_EQ(c.simulation.seed, 18446744073709551615u);
  EXPECT_EQ(c.simulation.warmup, 0u);
  EXPECT_EQ(c.simulation.measure, 5u);
  EXPECT_EQ(c.simulation.drain, 6u);
  EXPECT_EQ(c.simulation.deadlock_after, 700u);
  EXPECT_FALSE(c.simulation.clock_gating);
  EXPECT_EQ(c.result_file(".csv"), "dir/out/other.csv");
  EXPECT_FALSE(c.output.json);
  EXPECT_FALSE(c.output.csv);
  EXPECT_TRUE(c.output.event_log);
  EXPECT_TRUE(c.output.answers);
  EXPECT_THAT(c.output.vcd, ElementsAre("network.router_1*", "x"));
  EXPECT_EQ(c.output.progress, progress_kind::Never);
}

TEST(unit_experiment_configuration, every_key_of_compression_is_read) {
  const configuration c = parse(R"(
nic:
  window: 1000
  buckets: 8
  compression:
    mode: selective
    length_threshold: 50
    received_threshold: 7
    queue_threshold: 2
    integer_code: table
    table: [32, 28, 25, 23, 22, 21]
    cut: 14
    exact: false
    buffer: 128
    implementation: rtl
    rtl_nodes: [3, 1]
network: {router: {depth: 6}}
workload: {payload: {type: double_complex}}
)");
  EXPECT_EQ(c.nic.buckets, 8u);
  const compression_parameters& p = c.nic.compression;
  EXPECT_EQ(p.selection.mode, selection_mode::Selective);
  EXPECT_EQ(p.selection.length_threshold, 50u);
  EXPECT_EQ(p.selection.received_threshold, 7u);
  EXPECT_EQ(p.selection.queue_threshold, 2u);
  EXPECT_THAT(p.codec.table.runs, ElementsAre(32, 28, 25, 23, 22, 21));
  EXPECT_FALSE(p.codec.classic);
  EXPECT_EQ(p.codec.cut, 14u);
  EXPECT_FALSE(p.codec.exact);
  EXPECT_EQ(p.depth, 128u);
  EXPECT_FALSE(p.latency);
  EXPECT_TRUE(c.nic.compression_stages.rtl());
  EXPECT_THAT(c.nic.compression_stages.places, ElementsAre(3, 1));
  EXPECT_EQ(c.workload.payload.type, declared_type::DoubleComplex);
  EXPECT_EQ(c.nic.ejection_depth, 6u) << "a decompressor needs a buffer; like the router's by default";
}

TEST(unit_experiment_configuration, every_key_of_coding_is_read) {
  const configuration c = parse("nic: {coding: {enabled: true, entries: 100, depth: 24, overhead: 35}}");
  EXPECT_TRUE(c.nic.coding.enabled);
  EXPECT_EQ(c.nic.coding.entries, 100u);
  EXPECT_EQ(c.nic.coding.depth, 24u);
  EXPECT_EQ(c.nic.coding.overhead, 35u);
  EXPECT_EQ(c.nic.ejection_depth, c.router.depth) << "a XOR decoder needs a buffer";
  EXPECT_FALSE(parse("nic: {coding: false}").nic.coding.enabled);
}

TEST(unit_experiment_configuration, latency_and_size_accept_names_or_numbers) {
  const compression_parameters given =
      parse("nic: {compression: {mode: always, latency: 100, size: 2.5}}").nic.compression;
  EXPECT_EQ(given.latency, cycle_t{100});
  EXPECT_EQ(given.ratio, 2.5);
  const configuration named = parse("nic: {compression: {mode: always, latency: 9, size: actual}}");
  EXPECT_EQ(named.nic.compression.latency, cycle_t{9});
  EXPECT_FALSE(named.nic.compression.ratio);
  EXPECT_EQ(named.nic.ejection_depth, 0u) << "no decompressor, no buffer";
  EXPECT_FALSE(parse("nic: {compression: {mode: always, latency: rtl}}").nic.compression.latency);
}

TEST(unit_experiment_configuration, setting_latency_to_rtl_disables_the_given_size) {
  const std::string text = "nic: {compression: {mode: always, latency: 100, size: 2}}";
  EXPECT_FALSE(parse(text, {"nic.compression.latency=rtl"}).nic.compression.ratio);
}

TEST(unit_experiment_configuration, short_forms_stand_for_a_section) {
  const configuration c = parse(
      "network: {link: 3, flit: 32, routing: dimension_order}\n"
      "workload: {pattern: transpose, injection: 0.3, length: 7, payload: zero}\n");
  EXPECT_EQ(c.link.cycles, 3u);
  EXPECT_EQ(c.flit.payload_bits, 32u);
  EXPECT_EQ(c.workload.pattern.kind->name, "transpose");
  EXPECT_EQ(c.workload.injection.load, 0.3);
  EXPECT_EQ(c.workload.length.flits, 7u);
  EXPECT_EQ(c.workload.payload.kind, payload_kind::Zero);
}

TEST(unit_experiment_configuration, settings_override_the_file) {
  const configuration c = parse("network: {router: {vcs: 2}}\nsimulation: {seed: 3}\n",
                                {"network.router.vcs=8", "simulation={seed: 4, warmup: 5}", "simulation.seed=6",
                                 "network.topology.shape=[4, 4]"});
  EXPECT_EQ(c.router.vcs, 8u);
  EXPECT_EQ(c.simulation.seed, 6u);
  EXPECT_EQ(c.simulation.warmup, 5u);
  EXPECT_THAT(c.topology.shape, ElementsAre(4, 4));
}

TEST(unit_experiment_configuration, setting_a_short_form_resets_other_keys_of_the_section) {
  const std::string file =
      "workload: {pattern: {kind: hotspot, hotspots: [1], share: 0.7}, length: {kind: uniform, max: 3}}";
  const configuration c = parse(file, {"workload.pattern=tornado", "workload.length=2"});
  EXPECT_EQ(c.workload.pattern.kind->name, "tornado");
  EXPECT_TRUE(c.workload.pattern.hotspots.empty());
  EXPECT_EQ(c.workload.length.kind, length_kind::Fixed);
  EXPECT_EQ(c.workload.length.flits, 2u);
}

TEST(unit_experiment_configuration, only_a_command_line_setting_may_disable_keys_of_the_file) {
  const std::string file = "workload:\n  length: {kind: uniform, max: 3}\n";
  EXPECT_EQ(errors_of(file, {"workload.length.kind=fixed"}), "");
  EXPECT_EQ(errors_of("workload:\n  length: {max: 3}\n"),
            "dir/run.yaml:2:17: error: workload.length.max has no effect unless workload.length.kind is uniform");
  EXPECT_EQ(errors_of(file, {"workload.length.flits=3"}),
            "--set workload.length.flits=3: error: workload.length.flits has no effect unless "
            "workload.length.kind is "
            "fixed");
}

TEST(unit_experiment_configuration, paths_are_relative_to_their_file_or_the_working_directory) {
  const temporary_directory directory;
  std::filesystem::create_directories(directory / "sub");
  std::ofstream(directory / "sub" / "p.txt") << "0 0 1 2 3\n";
  std::ofstream(directory / "sub" / "a.yaml") << "workload: {packet_list: p.txt}\noutput: {directory: ../out}\n";
  const configuration c = load_configuration(directory / "sub" / "a.yaml");
  EXPECT_EQ(c.workload.packet_list, directory / "sub" / "p.txt");
  EXPECT_EQ(c.output.directory, directory / "out");
  EXPECT_EQ(c.simulation.measure, 0u);
  EXPECT_EQ(to_json(c)["workload"]["packet_list"], "p.txt");
  const configuration here = load_configuration(directory / "sub" / "a.yaml", {parse_setting("output.directory=x")});
  EXPECT_EQ(here.output.directory, "x");
}

TEST(unit_experiment_configuration, reports_all_errors_at_once) {
  EXPECT_EQ(errors_of("network:\n  router:\n    vcs: 99\n    dept: 4\nsimulation: {seed: x}\n", {"nic.port=2"}),
            "dir/run.yaml:3:10: error: network.router.vcs: expected an integer from 1 to 16, got '99'\n"
            "dir/run.yaml:4:5: error: unknown key 'dept' in network.router; did you mean 'depth'?\n"
            "dir/run.yaml:5:20: error: simulation.seed: expected an integer from 0 to 18446744073709551615, got "
            "'x'\n"
            "--set nic.port=2: error: unknown key 'port' in nic; did you mean 'ports'?");
}

TEST(unit_experiment_configuration, reports_a_conflict_at_the_key_that_causes_it) {
  EXPECT_EQ(errors_of("network: {router: {vcs: 16,\n depth: 64}}"),
            "dir/run.yaml:2:9: error: network.router: expected vcs · depth of at most 512 flits, got 16 · 64 "
            "= 1024");
  EXPECT_EQ(errors_of("network: {router: {depth: 64}}", {"network.router.vcs=16"}),
            "--set network.router.vcs=16: error: network.router: expected vcs · depth of at most 512 flits, "
            "got 16 · 64 "
            "= 1024");
}

TEST(unit_experiment_configuration, rejects_malformed_numbers_and_booleans) {
  for (const char* const text : {"1.5", "-1", "0x10", "1e3", "\"4\"", "4 4", "four", "[4]", "~", "", "true"})
    EXPECT_THAT(errors_of(std::string("network: {router: {vcs: ") + text + "}}"),
                HasSubstr("expected an integer from 1 to 16, got "))
        << text;
  for (const char* const text : {"nan", ".nan", "inf", "-0.1", "1.1", "'0.5'", "0.5x", "{}"})
    EXPECT_THAT(errors_of(std::string("workload: {pattern: {kind: hotspot, hotspots: [1], share: ") + text + "}}"),
                HasSubstr("expected a number from 0 to 1, got "))
        << text;
  for (const char* const text : {"yes", "on", "1", "True", "'true'"})
    EXPECT_THAT(errors_of(std::string("output: {json: ") + text + "}"), HasSubstr("expected true or false, got "))
        << text;
}

TEST(unit_experiment_configuration, resolved_configuration_round_trips) {
  const std::vector<std::string> texts = {"",
                                          "workload: {pattern: {kind: hotspot, hotspots: [1, 2]}, length: "
                                          "{kind: weighted, choices: {1: 2, 10: 1}}}",
                                          "workload: {injection: {process: on_off}, length: {kind: uniform}}",
                                          "network: {topology: {shape: [2, 3, 4]}}",
                                          "{network: {router: {implementation: rtl}}, nic: {implementation: rtl}}"};
  for (const std::string& text : texts) {
    const json resolved = to_json(parse(text));
    EXPECT_EQ(to_json(parse(resolved.dump())), resolved) << text;
  }
}

TEST(unit_experiment_configuration, key_table_is_consistent) {
  configuration c;
  for (const key& k : keys(c)) {
    EXPECT_FALSE(k.description.empty()) << k.path;
    EXPECT_EQ(k.description.back(), '.') << k.path;
    std::size_t holders = 0;
    for (const section& s : sections()) holders += s.path == parent_of(k.path);
    EXPECT_EQ(holders, 1u) << k.path;
    const json before = k.get();
    k.set(before);
    EXPECT_EQ(k.get(), before) << k.path;
  }
}

RC_GTEST_PROP(unit_experiment_configuration, random_text_parses_or_yields_errors_naming_the_file,
              (const std::string& noise)) {
  // Any text gives either a configuration or an error that names the file.
  const std::vector<std::string> pieces = {"network", "workload", ":",      ": ",     "\n",  "\n  ", "{",  "}",   "[",
                                           "]",       ",",        "length", "router", "vcs", "4",    "- ", "&a ", "*a",
                                           "!",       "|",        "\"",     "'",      "#",   "~",    "\t"};
  std::string text = noise;
  for (const std::size_t i : *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 25)))
    text += pieces[i];
  const std::string errors = errors_of(text);
  RC_ASSERT(errors.empty() || errors.rfind("dir/run.yaml:", 0) == 0);
}

}  // namespace
}  // namespace weft::experiment
