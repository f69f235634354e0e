// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm_yaml/platform.h"

#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/configuration.h"
#include "weft/configuration/configuration_reader.h"
#include "weft/configuration/network.h"
#include "weft/configuration/other_form.h"
#include "weft/tlm/address_map.h"
#include "weft/tlm_yaml/tlm_section.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace {

/// A section or key of experiments that has no effect in a platform.
struct ignored_key {
  const char* path;
  const char* why;
};

constexpr ignored_key IgnoredKeys[] = {
    {"workload", "its initiators generate the traffic"},
    {"collective", "its initiators generate the traffic"},
    {"schedule", "it does not execute schedules"},
    {"simulation", "sc_start() determines how long it runs"},
    {"output", "it writes no results"},
    {"network.routing.allow_deadlock", "a network that can deadlock is always rejected"},
    {"network.router.implementation", "the engine has no modules that RTL could replace"},
    {"network.router.rtl_routers", "the engine has no modules that RTL could replace"},
    {"nic.coding", "its packets do not identify data to combine"},
    {"nic.compression.size", "an assumed size has no bits to deliver"},
    {"nic.implementation", "the engine has no modules that RTL could replace"},
    {"nic.rtl_nodes", "the engine has no modules that RTL could replace"},
    {"nic.compression.implementation", "the engine has no modules that RTL could replace"},
    {"nic.compression.rtl_nodes", "the engine has no modules that RTL could replace"},
};

/// Reads the network and its NICs. \throws input_error
configuration read_hardware(const YAML::Node& root, const std::filesystem::path& file, yaml_errors& errors) {
  configuration c;
  c.file = file;
  c.simulation.level = abstraction_level::Engine;
  configuration_reader(c, errors, {"tlm"}).read_file(root);
  std::vector<diagnostic> found = errors.found();
  for (const ignored_key& key : IgnoredKeys)
    if (c.given_by(key.path) != origin::kind::Default)
      found.push_back({c.where(key.path), fmt::format("{} has no effect in a virtual platform, because {}; remove it",
                                                      key.path, key.why)});
  if (found.empty()) {
    complete(c);
    found = check_hardware(c);
  }
  if (!found.empty()) throw input_error(std::move(found));
  return c;
}

/// Checks whether the values fit together. \throws input_error
void check(const tlm2::noc_parameters& p, const configuration& c, const yaml_section& section) {
  std::vector<diagnostic> found;
  for (const parameter_error& f : find_parameter_errors(p, "network.")) {
    const std::string& key = f.keys.front();
    const bool of_section = key.find('.') == std::string::npos;
    found.push_back({of_section ? section.errors().place(section.mark_of(key)) : c.where_last(f.keys), f.message});
  }
  if (!found.empty()) throw input_error(std::move(found));
  try {
    tlm2::address_map(p.map, p.graph.nodes.size());
  } catch (const std::invalid_argument& e) {
    section.errors().add(section.mark_of("map"), fmt::format("tlm.map: {}", e.what()));
    section.errors().throw_if_any();
  }
}

}  // namespace

tlm2::noc_parameters parse_platform(const std::string& text, const std::filesystem::path& file) {
  yaml_errors errors(file.string());
  const auto root = parse_yaml(text, errors);
  if (const std::string other = other_form(root, text); !other.empty()) throw input_error({{file.string(), other}});
  errors.throw_if_any();
  const configuration c = read_hardware(*root, file, errors);
  const YAML::Node own = value_in(*root, "tlm");
  if (!own.IsDefined()) {
    errors.add({}, "section tlm is missing; add it with at least a map: [{base: 0, size: 64 KiB, node: 0}]");
    errors.throw_if_any();
  }

  tlm2::noc_parameters p;
  p.graph = build_network(c);
  p.router = c.router;
  p.nic = nic_parameters_of(c);
  if (c.given_by("nic.ejection_depth") == origin::kind::Default) p.nic.ejection_depth = c.router.depth;
  p.payload_bits = c.flit.payload_bits;
  const yaml_section section = tlm_section(errors, own);
  read_tlm_section(section, p);
  errors.throw_if_any();
  check(p, c, section);
  return p;
}

tlm2::noc_parameters load_platform(const std::filesystem::path& file) {
  return parse_platform(read_yaml_file(file), file);
}

}  // namespace weft::experiment
