// SPDX-License-Identifier: Apache-2.0
/// Fuzz target: the reader of YAML that all readers of YAML share.
///
/// Input: a document. Rules: it is one or a fault; it is nested no deeper than the limit, and what its aliases stand
/// for can be walked; each value of a text in UTF-8 can be written as YAML on one line and read again.
#include "tb/fuzz/text_rules.h"

#include "weft/core/escape.h"
#include "weft/core/nesting.h"
#include "weft/yaml/section.h"

namespace {

using namespace weft;

/// All that is within \p node, aliases followed.
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
  yaml_faults faults("fuzz");
  const std::optional<YAML::Node> root = parse_yaml(fuzz::text_of(data, size), faults);
  fuzz::require(root.has_value() != faults.any(), "a text is a document or has a fault");
  for (const diagnostic& d : faults.found()) fuzz::check_message(d.message);
  if (!root || !root->IsDefined()) return 0;
  walk(*root, 0);
  yaml_faults others("fuzz");
  const yaml_section section(others, *root, "", {"name", "size", "list", "network"}, "document");
  section.number("size", 1, 9, 1);
  section.text("name");
  section.numbers("list", 100);
  for (const diagnostic& d : others.found()) fuzz::check_message(d.message);
  fuzz::check_message("value " + shown(*root));
  const std::string text = fuzz::text_of(data, size);
  if (root->IsMap() && valid_utf8(text) == text)  // other bytes are replaced by more, which may be too many for aliases
    for (const auto& entry : *root) {
      yaml_faults again("fuzz");
      fuzz::require(parse_yaml(flow_text(entry.second), again).has_value(), "a value on one line is YAML");
    }
  return 0;
}
