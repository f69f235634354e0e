// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/traffic_sections.h"

#include <algorithm>

#include "weft/workload/traffic_loads.h"

namespace weft::experiment {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::string section_of_traffic(const std::string& name) { return std::string(TrafficsSection) + "." + name; }

std::optional<std::string> traffic_in(const std::string& path) {
  const std::string start = section_of_traffic("");
  if (path.compare(0, start.size(), start) != 0) return std::nullopt;
  return path.substr(start.size(), path.find('.', start.size()) - start.size());
}

bool is_traffic_name(const std::string& name) {
  return !name.empty() && is_letter(name.front()) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
  });
}

void add_traffic(configuration& c, const std::string& name) {
  std::vector<named_traffic>& all = c.workload.traffics;
  if (std::any_of(all.begin(), all.end(), [&name](const named_traffic& t) { return t.name == name; })) return;
  all.emplace_back();
  all.back().name = name;
}

configuration defaults_like(const configuration& c) {
  configuration defaults;
  for (const named_traffic& t : c.workload.traffics) add_traffic(defaults, t.name);
  return defaults;
}

configuration defaults_with(const std::string& path) {
  configuration defaults;
  if (const std::optional<std::string> name = traffic_in(path); name && is_traffic_name(*name))
    add_traffic(defaults, *name);
  return defaults;
}

std::vector<section> sections_of_traffic(const std::string& name) {
  const std::string path = section_of_traffic(name);
  return {{path, "One of several traffics. Its name appears in the results.", "", {}},
          {path + ".pattern", "The destinations of its packets.", path + ".pattern.kind", {}},
          {path + ".injection", "When its packets are created.", path + ".injection.load", {}},
          {path + ".length", "How long its packets are.", path + ".length.flits", {}},
          {path + ".payload", "The payload bits of its packets.", path + ".payload.kind", {}}};
}

void complete_load(configuration& c) {
  workload_parameters& w = c.workload;
  if (w.traffics.empty()) return;
  const bool is_set = c.given_by(LoadKey) != origin::kind::Default &&
                      std::none_of(w.traffics.begin(), w.traffics.end(), [&c](const named_traffic& t) {
                        return c.overrides(section_of_traffic(t.name) + ".injection.load", LoadKey);
                      });
  if (is_set) return;
  // Without `sources`, the sum is the same for any number of nodes, and counting them may require reading a file.
  std::uint64_t nodes = 1;
  if (std::any_of(w.traffics.begin(), w.traffics.end(), [](const named_traffic& t) { return !t.sources.empty(); })) {
    try {
      nodes = c.nodes();
    } catch (const configuration_error&) {  // check_configuration() reports it
    }
  }
  w.injection.load = sum_of_loads(w, static_cast<std::uint32_t>(nodes));
}

}  // namespace weft::experiment
