// SPDX-License-Identifier: Apache-2.0
#include "weft/yaml/key_at.h"

#include <utility>

#include <yaml-cpp/yaml.h>

#include "weft/yaml/document.h"
#include "weft/yaml/errors.h"

namespace weft {

namespace {

/// Follows \p node to the last key that begins at or before \p place, and appends the names of the keys to \p path.
void follow(const YAML::Node& node, const std::pair<int, int>& place, std::string& path) {
  if (!node.IsMap()) return;
  YAML::Node inner;
  std::string name;
  bool found = false;
  for (const auto& entry : node) {
    const YAML::Mark at = entry.first.Mark();
    if (!entry.first.IsScalar() || std::pair(at.line + 1, at.column + 1) > place) continue;
    name = entry.first.Scalar();
    inner.reset(entry.second);
    found = true;
  }
  if (!found) return;
  path += (path.empty() ? "" : ".") + name;
  follow(inner, place, path);
}

}  // namespace

std::string key_at(const std::string& text, int line, int column) {
  yaml_errors ignored("");
  std::string path;
  if (const auto root = parse_yaml(text, ignored)) follow(*root, {line, column}, path);
  return path;
}

}  // namespace weft
