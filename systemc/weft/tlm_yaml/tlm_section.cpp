// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm_yaml/tlm_section.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace weft::experiment {

namespace {

constexpr std::uint64_t AnyNumber = ~std::uint64_t{0};

struct unit {
  const char* name;
  std::uint64_t factor;
};

const std::vector<unit> Plain{{"", 1}};
const std::vector<unit> Bytes{{"", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}};
const std::vector<unit> Femtoseconds{{"fs", 1},
                                     {"ps", 1000},
                                     {"ns", 1000'000},
                                     {"us", 1000'000'000},
                                     {"ms", 1000'000'000'000},
                                     {"s", 1000'000'000'000'000}};

/// Parses a decimal or hexadecimal number followed by one of \p units.
std::optional<std::uint64_t> parse(const std::string& text, const std::vector<unit>& units) {
  const bool hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data() + (hex ? 2 : 0), end, value, hex ? 16 : 10);
  if (error != std::errc()) return std::nullopt;
  while (stop != end && *stop == ' ') ++stop;
  const std::string rest(stop, end);
  for (const unit& u : units)
    if (rest == u.name && value <= AnyNumber / u.factor) return value * u.factor;
  return std::nullopt;
}

/// The number under \p key, from \p least to \p most; records an error if it is not one.
std::optional<std::uint64_t> number(const yaml_section& s, const char* key, const std::vector<unit>& units,
                                    std::uint64_t least, std::uint64_t most, const std::string& expected) {
  if (!s.has(key)) return std::nullopt;
  const YAML::Node node = s[key];
  const auto value = node.IsScalar() ? parse(node.Scalar(), units) : std::nullopt;
  if (value && *value >= least && *value <= most) return value;
  s.errors().wrong(s.mark_of(key), s.path(key), expected, node);
  return std::nullopt;
}

void read_count(const yaml_section& s, const char* key, unsigned most, unsigned& count) {
  if (const auto n = number(s, key, Plain, 1, most, fmt::format("an integer from 1 to {}", most)))
    count = static_cast<unsigned>(*n);
}

void read_clock_period(const yaml_section& s, sc_core::sc_time& period) {
  constexpr const char* Key = "clock_period";
  constexpr std::uint64_t Second = 1'000'000'000'000'000;  // fs
  const auto fs = number(s, Key, Femtoseconds, 1, Second, "a time up to 1 s with its unit, as in '500 ps'");
  if (!fs) return;
  const sc_core::sc_time given(static_cast<double>(*fs), sc_core::SC_FS);
  if (given == sc_core::SC_ZERO_TIME)
    s.errors().wrong(s.mark_of(Key), s.path(Key),
                     "at least the resolution of SystemC, " + sc_core::sc_get_time_resolution().to_string(), s[Key]);
  else
    period = given;
}

tlm2::mapped_range read_mapped_range(const yaml_section& s, const std::string& path, std::size_t nodes) {
  tlm2::mapped_range r;
  const std::string address = "a number as in 0x8000 or '64 KiB'", most = std::to_string(nodes - 1);
  if (const auto base = number(s, "base", Bytes, 0, AnyNumber, address)) r.base = *base;
  if (const auto size = number(s, "size", Bytes, 1, AnyNumber, address + ", above 0")) r.size = *size;
  if (const auto node = number(s, "node", Plain, 0, nodes - 1, "a node from 0 to " + most))
    r.node = static_cast<node_id>(*node);
  for (const char* const key : {"base", "size", "node"})
    if (s.is_map() && !s.has(key)) s.errors().add(s.mark(), fmt::format("{}: expected a '{}'; give it", path, key));
  return r;
}

}  // namespace

yaml_section tlm_section(yaml_errors& errors, const YAML::Node& node) {
  return {errors,
          node,
          "tlm",
          {"allow_dmi", "blocking_targets", "clock_period", "contention", "contention_window", "foresee", "lenient",
           "map", "max_packet_flits", "mode", "queue_depth", "receive_depth", "translate"}};
}

void read_tlm_section(const yaml_section& section, tlm2::noc_parameters& p) {
  p.allow_dmi = section.boolean("allow_dmi", p.allow_dmi);
  p.contention = section.boolean("contention", p.contention);
  p.foresee = section.boolean("foresee", p.foresee);
  p.lenient = section.boolean("lenient", p.lenient);
  p.translate = section.boolean("translate", p.translate);
  read_count(section, "queue_depth", 4096, p.queue_depth);
  read_count(section, "receive_depth", 4096, p.receive_depth);
  read_count(section, "max_packet_flits", 16384, p.max_packet_flits);
  read_count(section, "contention_window", 1'000'000'000, p.contention_window);
  if (section.has("mode")) {
    const YAML::Node mode = section["mode"];
    const std::string text = mode.IsScalar() ? mode.Scalar() : "";
    if (text == "cycle" || text == "loose")
      p.mode = text == "cycle" ? tlm2::timing::Cycle : tlm2::timing::Loose;
    else
      section.errors().wrong(section.mark_of("mode"), "tlm.mode", "cycle or loose", mode,
                             name_hint(mode, {"cycle", "loose"}));
  }
  read_clock_period(section, p.clock_period);
  section.each("blocking_targets", "nodes", [&](const YAML::Node& n, const std::string& path) {
    const std::uint64_t nodes = p.graph.nodes.size();
    const auto node = n.IsScalar() ? parse(n.Scalar(), Plain) : std::nullopt;
    if (node && *node < nodes) return p.blocking_targets.push_back(static_cast<node_id>(*node));
    section.errors().wrong(n.Mark(), path, fmt::format("a node from 0 to {}", nodes - 1), n);
  });
  section.each("map", "regions {base, size, node}", [&](const YAML::Node& n, const std::string& path) {
    p.map.push_back(
        read_mapped_range({section.errors(), n, path, {"base", "node", "size"}}, path, p.graph.nodes.size()));
  });
}

}  // namespace weft::experiment
