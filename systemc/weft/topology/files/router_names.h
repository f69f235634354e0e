// SPDX-License-Identifier: Apache-2.0
/// The routers of a network that a file names: by name, or by their number in its list.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/topology/topology.h"
#include "weft/yaml/document.h"
#include "weft/yaml/section.h"

namespace weft {

/// "; did you mean 'hub'?", or if no name is near and there are few, which there are.
std::string names_hint(const std::string& name, const std::vector<std::string>& names);

class router_names {
 public:
  explicit router_names(yaml_faults& faults) : m_faults(faults) {}

  /// Adds the next router. \p name "": it has none.
  void add(const std::string& name);
  std::optional<router_id> called(const std::string& name) const;
  /// names_hint() for \p name, which no router has. Empty beyond some faults: each hint compares all names.
  std::string hint(const std::string& name) const;

  /// The router that \p n at \p path names; a fault if there is none.
  std::optional<router_id> read(const YAML::Node& n, const std::string& path) const;

 private:
  yaml_faults& m_faults;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, router_id> m_first;  ///< of each name, the first router that has it
};

/// A list of VCs; \p otherwise if the section has no such key.
vc_set read_vcs(const yaml_section& section, const std::string& key, vc_set otherwise);

}  // namespace weft
