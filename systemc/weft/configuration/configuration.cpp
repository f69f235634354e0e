// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/configuration.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "weft/configuration/configuration_reader.h"
#include "weft/configuration/keys.h"
#include "weft/configuration/network.h"
#include "weft/configuration/other_form.h"
#include "weft/configuration/replayed_keys.h"
#include "weft/configuration/traffic_sections.h"
#include "weft/workload/workload.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace {

/// Resets keys of a collective, a schedule, a replay or a matrix that have no effect, for example because an override
/// selects another algorithm. Without an override, check_configuration() rejects such keys.
void drop_unused(configuration& c) {
  configuration defaults = defaults_like(c);
  const std::vector<key> table = keys(c), fresh = keys(defaults);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const bool used = std::all_of(table[i].needs.begin(), table[i].needs.end(),
                                  [&](const condition& needed) { return holds(needed, table); });
    const std::string& path = table[i].path;
    const bool drops = within(path, "collective") || within(path, "schedule") || path == "workload.trace" ||
                       within(path, "workload.replay") || (within(path, "workload") && name_of(path) == "rates");
    if (drops && !used) table[i].set(fresh[i].get());
  }
}

void place_axes(configuration& c) {
  const auto place = [&c](std::vector<sweep_axis>& axes, const char* key) {
    for (sweep_axis& axis : axes) axis.place = c.where(key);
  };
  place(c.sweep.over, "sweep.over");
  place(c.sweep.linked, "sweep.linked");
  place(c.sweep.sample, "sweep.sample");
}

}  // namespace

void complete(configuration& c) {
  c.workload.program = program_kind_of(c);
  drop_unused(c);
  drop_unused_replayed_keys(c);
  place_axes(c);
  // Decompressor, XOR decoder and nodes with finite queues may stall the network, so the ejector needs a buffer.
  if ((c.nic.compression.in_hardware() || c.nic.coding.enabled || has_queues(c.workload)) &&
      c.given_by("nic.ejection_depth") == origin::kind::Default)
    c.nic.ejection_depth = c.router.depth;
  // Without a given length, a choice that saves a cycle shortens the pipeline.
  if (c.given_by("network.router.pipeline") == origin::kind::Default)
    c.router.pipeline = router_parameters().pipeline - (c.router.lookahead_routing ? 1 : 0) -
                        (c.router.speculation != speculation_kind::None ? 1 : 0);
  // An override may have removed the latency that the ratio needs.
  if (!c.nic.compression.latency) c.nic.compression.ratio.reset();
  if (c.output.name.empty()) c.output.name = c.file.stem().string();
  complete_network(c);
  complete_load(c);
  if (c.overrides("workload.replay.map", "workload.replay.nodes")) c.workload.replay.nodes.clear();
  if (c.collective.algorithm) c.collective.what.algorithm = *c.collective.algorithm;
  c.collective.what.lengths =
      c.collective.lengths.empty() ? std::vector<std::uint32_t>{c.collective.length} : c.collective.lengths;
  if (!c.workload.packet_list.empty()) {
    c.simulation.until.reset();  // an override may have set the packet list
    if (c.given_by("simulation.warmup") == origin::kind::Default) c.simulation.warmup = 0;
    if (c.given_by("simulation.measure") == origin::kind::Default) c.simulation.measure = 0;
  }
}

std::string configuration::where(const std::string& key) const {
  for (std::string path = key; !path.empty(); path = parent_of(path))
    if (const auto at = given.find(path); at != given.end()) return at->second.place;
  return file.string() + ":1:1";
}

std::string configuration::where_last(const std::vector<std::string>& keys) const {
  return where(*std::max_element(keys.begin(), keys.end(),
                                 [this](const std::string& a, const std::string& b) { return overrides(b, a); }));
}

std::string configuration::where(std::initializer_list<const char*> keys) const {
  return where_last({keys.begin(), keys.end()});
}

origin::kind configuration::given_by(const std::string& key) const {
  const auto at = given.find(key);
  return at == given.end() ? origin::kind::Default : at->second.from;
}

bool configuration::overrides(const std::string& a, const std::string& b) const {
  const auto rank = [this](const std::string& key) {
    const auto at = given.find(key);
    return at == given.end() ? std::pair(origin::kind::Default, 0U) : std::pair(at->second.from, at->second.layer);
  };
  return rank(a) > rank(b);
}

std::uint64_t configuration::nodes() const { return count_nodes(*this); }

std::filesystem::path configuration::result_file(const std::string& suffix) const {
  return output.directory / (output.name + suffix);
}

nic_parameters nic_parameters_of(const configuration& c) {
  nic_parameters nic;
  nic.window = c.nic.window;
  nic.buckets = c.nic.buckets;
  nic.ejection_depth = c.nic.ejection_depth;
  nic.ejection_credits = c.nic.ejection_credits;
  nic.queues = c.nic.queues;
  nic.compression = c.nic.compression;
  nic.coding = c.nic.coding;
  nic.accepts_by_class = has_queues(c.workload);
  return nic;
}

setting parse_setting(const std::string& text) {
  const std::string place = "--set " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw configuration_error({{place, "expected KEY=VALUE, as in network.router.vcs=8"}});
  return {text.substr(0, equals), text.substr(equals + 1), place};
}

configuration parse_unchecked(const std::string& text, const std::filesystem::path& file,
                              const std::vector<setting>& settings) {
  configuration c;
  c.file = file;
  yaml_errors errors(file.string());
  configuration_reader reader(c, errors);
  const std::optional<YAML::Node> root = parse_yaml(text, errors, reader.limits());
  if (const std::string other = other_form(root, text); !other.empty())
    throw configuration_error({{file.string(), other}});
  if (root) reader.read_file(*root);
  for (const setting& s : settings) reader.read_setting(s);
  // Keys with invalid values have their defaults, so it would be meaningless to check whether the values fit together.
  errors.throw_if_any();
  complete(c);
  return c;
}

configuration parse_configuration(const std::string& text, const std::filesystem::path& file,
                                  const std::vector<setting>& settings) {
  configuration c = parse_unchecked(text, file, settings);
  std::vector<diagnostic> errors = check_configuration(c);
  if (!errors.empty()) throw configuration_error(std::move(errors));
  return c;
}

configuration load_configuration(const std::filesystem::path& file, const std::vector<setting>& settings) {
  return parse_configuration(read_yaml_file(file), file, settings);
}

configuration load_unchecked(const std::filesystem::path& file, const std::vector<setting>& settings) {
  return parse_unchecked(read_yaml_file(file), file, settings);
}

void require_flowing_traffic(const configuration& c) {
  const auto reject = [&c](const char* key, const char* why) { throw configuration_error({{c.where(key), why}}); };
  if (c.collective.algorithm)
    reject("collective.algorithm", "this experiment is a collective; simulate it with `weft collective`");
  if (!c.workload.trace.empty())
    reject("workload.trace", "this experiment is a recorded program; simulate it with `weft replay`");
}

bool has_pattern(const configuration& c) {
  return c.workload.packet_list.empty() && c.workload.flows.file.empty() && c.workload.trace.empty() &&
         !c.collective.algorithm && (c.workload.traffics.empty() || !is_closed_loop(c.workload));
}

void check_key_of(const setting& s) {
  configuration c = defaults_with(s.key);
  yaml_errors errors("");
  configuration_reader(c, errors).check_key_of(s);
  errors.throw_if_any();
}

}  // namespace weft::experiment
