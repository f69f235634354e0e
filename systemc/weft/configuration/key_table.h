// SPDX-License-Identifier: Apache-2.0
/// The table of keys under construction; each part adds its keys.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/fields.h"
#include "weft/configuration/keys.h"

namespace weft::experiment {

inline constexpr std::uint64_t MaxFlits = 1'000'000;  ///< of a packet

/// For keys that apply only without a collective.
inline condition other_traffic() {
  condition c{"collective.algorithm", "none"};
  c.otherwise = "on a collective, which collective.algorithm selects; leave it out";
  return c;
}

/// For keys that apply only to traffic that is measured in steady flow: neither a collective nor a program.
inline std::vector<condition> flowing_traffic() { return {other_traffic(), {"workload.trace", ""}}; }

/// For keys that apply only if Weft makes the network. \param what the property that a network file contains instead
inline condition made_network(const std::string& what) {
  condition c{"network.topology.kind", "file", true};
  c.otherwise = "on a network from a file, which gives " + what + "; write it there, and leave the key out";
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

  /// The key `implementation` of \p section and, if there are many \p places, the key \p list.
  void add_implementation(const std::string& section, implementation_choice& chosen, const std::string& list,
                          const std::string& places, const std::string& which, std::vector<condition> needs) {
    needs.push_back({"simulation.level", "pin"});
    add(section + ".implementation",
        choice(chosen.kind, {{"systemc", implementation_kind::SystemC}, {"rtl", implementation_kind::Rtl}}), "",
        "`systemc`: the SystemC modules of the pin level; `rtl`: the SystemVerilog modules, compiled by Verilator.",
        std::move(needs));
    field some = list_or_none(chosen.places, integer_type(0, 0xffff'ffff));
    some.type.if_empty =
        fmt::format("; leave the key out for all {}, or give {}.implementation: systemc for none", places, section);
    add(section + "." + list, std::move(some), places, which, {{section + ".implementation", "rtl"}}, "all");
  }

  configuration& c;
  std::vector<key> keys{};
};

// The parts, each in a file of its name.
void add_network_keys(key_table& t);
void add_nic_keys(key_table& t);
void add_workload_keys(key_table& t);
void add_collective_keys(key_table& t);
void add_schedule_keys(key_table& t);
void add_sweep_keys(key_table& t);
void add_run_keys(key_table& t);

}  // namespace weft::experiment
