// SPDX-License-Identifier: Apache-2.0
/// Finds the routers of a network file by their name or by their index in the file's list.
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

/// A hint for a wrong \p name: "; did you mean 'hub'?", or a list of \p names if none is similar and there are only a
/// few.
std::string names_hint(const std::string& name, const std::vector<std::string>& names);

class router_names {
 public:
  explicit router_names(yaml_errors& errors) : m_errors(errors) {}

  /// Adds the next router. An empty \p name means that the router has no name.
  void add(const std::string& name);
  std::optional<router_id> called(const std::string& name) const;
  /// A hint for \p name, which no router has: see names_hint(). Empty after a number of errors, because each hint
  /// compares the name with all others.
  std::string hint(const std::string& name) const;

  /// Reads the router that \p n names. If there is none, records an error at \p path and returns nothing.
  std::optional<router_id> read(const YAML::Node& n, const std::string& path) const;

 private:
  yaml_errors& m_errors;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, router_id> m_first;  ///< the first router of each name
};

/// Reads a list of VCs. Returns \p otherwise if the section has no \p key.
vc_set read_vcs(const yaml_section& section, const std::string& key, vc_set otherwise);

}  // namespace weft
