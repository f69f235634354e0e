// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the common YAML reader.
///
/// Input: a document. Rules: the reader returns a document or reports an error; the document is not nested deeper than
/// the limit, and its aliases can be followed; each value of a UTF-8 text can be written as YAML on one line and read
/// again.
#include "tb/fuzz/text_rules.h"

#include "weft/core/escape.h"
#include "weft/core/nesting.h"
#include "weft/yaml/section.h"

namespace {

using namespace weft;

/// Number of values in \p node, with aliases followed.
std::size_t walk(const YAML::Node& node, unsigned depth) {
  fuzz::require(depth <= MostNested, "values are nested no deeper than the limit");
  std::size_t count = 1;
  if (node.IsSequence())
    for (const YAML::Node& element : node) count += walk(element, depth + 1);
  if (node.IsMap())
    for (const auto& entry : node) count += walk(entry.first, depth + 1) + walk(entry.second, depth + 1);
  return count;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  yaml_errors errors("fuzz");
  const std::optional<YAML::Node> root = parse_yaml(fuzz::text_of(data, size), errors);
  fuzz::require(root.has_value() != errors.any(), "a text is a document or has an error");
  for (const diagnostic& d : errors.found()) fuzz::check_message(d.message);
  if (!root || !root->IsDefined()) return 0;
  walk(*root, 0);
  yaml_errors others("fuzz");
  const yaml_section section(others, *root, "", {"name", "size", "list", "network"}, "document");
  section.number("size", 1, 9, 1);
  section.text("name");
  section.numbers("list", 100);
  for (const diagnostic& d : others.found()) fuzz::check_message(d.message);
  fuzz::check_message("value " + shown(*root));
  const std::string text = fuzz::text_of(data, size);
  if (root->IsMap() && valid_utf8(text) == text)  // the replacement of other bytes may exceed a limit
    for (const auto& entry : *root) {
      yaml_errors again("fuzz");
      fuzz::require(parse_yaml(flow_text(entry.second), again).has_value(), "a value on one line is YAML");
    }
  return 0;
}
