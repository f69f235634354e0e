// SPDX-License-Identifier: Apache-2.0
/// Builds the table of keys. Each file …_keys.cpp adds the keys of one part.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/fields.h"
#include "weft/configuration/keys.h"

namespace weft::experiment {

inline constexpr std::uint64_t MaxFlits = 1'000'000;  ///< flits of the longest packet

/// The condition of keys that apply only if no collective is configured.
inline condition other_traffic() {
  condition c{"collective.algorithm", "none"};
  c.otherwise = "on a collective, which collective.algorithm selects; leave it out";
  return c;
}

/// The conditions of keys that apply only to continuous traffic, which is neither a collective nor a recorded program.
inline std::vector<condition> flowing_traffic() { return {other_traffic(), {"workload.trace", ""}}; }

/// The condition of keys that apply only to networks that Weft generates. \param what the property that a network file
/// specifies itself, for the message
inline condition made_network(const std::string& what) {
  condition c{"network.topology.kind", "file", true};
  c.otherwise = "on a network from a file, which specifies " + what + "; set it in that file, and leave the key out";
  return c;
}

class key_table {
 public:
  /// \param bound the configuration that the keys read and write
  explicit key_table(configuration& bound) : c(bound) {}

  /// \param default_text description of a default that depends on other keys; without it, the field's value is shown
  void add(const std::string& path, field f, const std::string& unit, const std::string& description,
           std::vector<condition> needs = {}, const std::string& default_text = {}) {
    key k;
    k.path = path;
    k.type = std::move(f.type);
    k.set = std::move(f.set);
    k.get = std::move(f.get);
    k.unit = unit;
    k.description = description;
    k.needs = std::move(needs);
    k.default_text = default_text;
    keys.push_back(std::move(k));
  }

  /// Adds the key `implementation` to \p section, and the key \p list, which selects modules that use RTL.
  /// \param places what the numbers in the list denote: "routers" or "nodes"
  /// \param which the description of the key \p list
  void add_implementation(const std::string& section, implementation_choice& chosen, const std::string& list,
                          const std::string& places, const std::string& which, std::vector<condition> needs) {
    needs.push_back({"simulation.level", "pin"});
    add(section + ".implementation",
        choice(chosen.kind, {{"systemc", implementation_kind::SystemC}, {"rtl", implementation_kind::Rtl}}), "",
        "`systemc` selects the SystemC modules of the pin level, and `rtl` the SystemVerilog modules, compiled by "
        "Verilator.",
        std::move(needs));
    field some = list_or_none(chosen.places, integer_type(0, 0xffff'ffff));
    some.type.if_empty = fmt::format(
        "; leave the key out to select all {}, or set {}.implementation: systemc to select none", places, section);
    add(section + "." + list, std::move(some), places, which, {{section + ".implementation", "rtl"}}, "all");
  }

  configuration& c;
  std::vector<key> keys{};
};

// The parts of the table. The file network_keys.cpp defines add_network_keys(), and so on.
void add_network_keys(key_table& t);
void add_nic_keys(key_table& t);
void add_workload_keys(key_table& t);
void add_collective_keys(key_table& t);
void add_schedule_keys(key_table& t);
void add_sweep_keys(key_table& t);
void add_explore_keys(key_table& t);
void add_run_keys(key_table& t);

}  // namespace weft::experiment
