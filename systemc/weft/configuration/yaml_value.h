// SPDX-License-Identifier: Apache-2.0
/// Reads the value of a key from YAML and checks it against the type of the key.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "weft/configuration/keys.h"
#include "weft/yaml/errors.h"

namespace weft::experiment {

class yaml_value {
 public:
  /// \param base base directory of relative paths
  yaml_value(yaml_errors& errors, const std::filesystem::path& base) : m_errors(errors), m_base(base) {}

  /// Returns \p node as a value of key \p path. If the value does not fit \p type, records an error at \p at and
  /// returns nothing.
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

  yaml_errors& m_errors;
  const std::filesystem::path& m_base;
};

}  // namespace weft::experiment
