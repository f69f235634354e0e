// SPDX-License-Identifier: Apache-2.0
/// The routers of a network file: by name, or by index in the file's list.
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

/// "; did you mean 'hub'?", or, if no name is similar and there are few names, a list of them.
std::string names_hint(const std::string& name, const std::vector<std::string>& names);

class router_names {
 public:
  explicit router_names(yaml_errors& errors) : m_errors(errors) {}

  /// Adds the next router. \p name "": no name.
  void add(const std::string& name);
  std::optional<router_id> called(const std::string& name) const;
  /// names_hint() for \p name, which no router has. Empty after a number of errors, because each hint compares all
  /// names.
  std::string hint(const std::string& name) const;

  /// The router that \p n at \p path names; records an error if there is none.
  std::optional<router_id> read(const YAML::Node& n, const std::string& path) const;

 private:
  yaml_errors& m_errors;
  std::vector<std::string> m_names;
  std::unordered_map<std::string, router_id> m_first;  ///< the first router of each name
};

/// Reads a list of VCs; returns \p otherwise if the section has no such key.
vc_set read_vcs(const yaml_section& section, const std::string& key, vc_set otherwise);

}  // namespace weft
