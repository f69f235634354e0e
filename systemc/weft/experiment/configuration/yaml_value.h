// SPDX-License-Identifier: Apache-2.0
/// The value of one key in YAML, checked against the type of the key.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "weft/experiment/configuration/keys.h"
#include "weft/yaml/faults.h"

namespace weft::experiment {

class yaml_value {
 public:
  /// \param base of relative paths
  yaml_value(yaml_faults& faults, const std::filesystem::path& base) : m_faults(faults), m_base(base) {}

  /// \p node as a value of key \p path; a fault at \p at, and nothing, if it does not fit.
  std::optional<json> read(const std::string& path, const value_type& type, const YAML::Node& node,
                           const YAML::Mark& at) const;

 private:
  std::optional<json> wrong(const std::string& path, const value_type& type, const YAML::Node& node,
                            const YAML::Mark& at) const;
  std::optional<json> scalar(const value_type& type, const YAML::Node& node) const;
  std::optional<json> list(const std::string& path, const value_type& type, const YAML::Node& node,
                           const YAML::Mark& at) const;
  std::optional<json> weights(const std::string& path, const value_type& type, const YAML::Node& node,
                              const YAML::Mark& at) const;

  std::optional<json> axes(const std::string& path, const value_type& type, const YAML::Node& node,
                           const YAML::Mark& at) const;

  yaml_faults& m_faults;
  const std::filesystem::path& m_base;
};

}  // namespace weft::experiment
