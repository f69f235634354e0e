// SPDX-License-Identifier: Apache-2.0
#include "weft/yaml/document.h"

#include <sstream>
#include <vector>

#include <yaml-cpp/eventhandler.h>

#include "weft/core/suggest.h"
#include "weft/file/read_bytes.h"

namespace weft {
namespace {

/// Finds where documents start. YAML::LoadAll() would give them, but does not end for some texts (",").
class document_starts final : public YAML::EventHandler {
 public:
  std::vector<YAML::Mark> found;

  void OnDocumentStart(const YAML::Mark& mark) override { found.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// \throws YAML::Exception
YAML::Node load_document(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  document_starts starts;
  if (parser.HandleNextDocument(starts)) parser.HandleNextDocument(starts);
  if (starts.found.size() > 1) throw YAML::ParserException(starts.found[1], "a second document, expected one");
  return YAML::Load(text);
}

/// What yaml-cpp says of a fault in \p text, and what helps.
std::string syntax_fault(const YAML::Exception& e, const std::string& text) {
  if (e.msg == YAML::ErrorMsg::BAD_FILE)
    return "lists or maps within one another, too deep for the reader: nest them less";
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i <= e.mark.line; ++i) std::getline(lines, line);
  const std::size_t indented = line.find_first_not_of(" \t");
  const bool by_tab = line.substr(0, indented).find('\t') != std::string::npos;
  return e.msg + (by_tab ? "; a tab does not indent: use spaces" : "");
}

std::optional<bool> boolean_named(const std::string& text) {
  if (text == "true") return true;
  return text == "false" ? std::optional(false) : std::nullopt;
}

template <class T>
std::optional<T> parsed(const YAML::Node& node) {
  return node.IsScalar() && !is_quoted(node) ? parse_number<T>(node.Scalar()) : std::nullopt;
}

}  // namespace

bool is_quoted(const YAML::Node& node) { return node.Tag() == "!"; }

std::string read_yaml_file(const std::filesystem::path& file) {
  try {
    return read_bytes(file);
  } catch (const file_error& e) {
    throw input_error({{file.string(), std::string(e.what()) + "; expected a YAML file"}});
  }
}

std::optional<YAML::Node> parse_yaml(const std::string& text, yaml_faults& faults) {
  try {
    return load_document(text);
  } catch (const YAML::Exception& e) {
    faults.add(e.mark, "YAML syntax: " + syntax_fault(e, text));
    return std::nullopt;
  }
}

YAML::Node value_in(const YAML::Node& map, const std::string& name) {
  if (map.IsMap())
    for (const auto& entry : map)
      if (entry.first.IsScalar() && entry.first.Scalar() == name) return entry.second;
  return YAML::Node(YAML::NodeType::Undefined);
}

bool is_nothing(const YAML::Node& node) { return !node.IsDefined() || node.IsNull(); }

std::string shown(const YAML::Node& node) {
  if (is_nothing(node)) return "nothing";
  if (node.IsScalar()) {
    std::string text = "'";
    for (const char c : node.Scalar()) text += c == '\0' ? "\\x00" : std::string(1, c);  // messages end at a NUL
    return text + "'";
  }
  return std::string(node.size() == 0 ? "an empty " : "a ") + (node.IsSequence() ? "list" : "map");
}

std::string quotes_hint(const YAML::Node& node) {
  const bool would_do = node.IsScalar() && (parse_number<double>(node.Scalar()) || boolean_named(node.Scalar()));
  return would_do && is_quoted(node) ? "; in quotes it is a text: leave the quotes out" : "";
}

std::string name_hint(const YAML::Node& node, const std::vector<std::string>& names) {
  return node.IsScalar() ? did_you_mean(node.Scalar(), names) : "";
}

std::string flow_text(const YAML::Node& node) {
  if (node.IsScalar() && !is_quoted(node)) return node.Scalar();
  YAML::Emitter out;
  out.SetMapFormat(YAML::Flow);
  out.SetSeqFormat(YAML::Flow);
  if (node.IsScalar())
    out << YAML::SingleQuoted << node.Scalar();
  else
    out << node;
  return out.c_str();
}

std::optional<std::uint64_t> whole_number_in(const YAML::Node& node) { return parsed<std::uint64_t>(node); }

std::optional<double> number_in(const YAML::Node& node) { return parsed<double>(node); }

std::optional<bool> boolean_in(const YAML::Node& node) {
  return node.IsScalar() && !is_quoted(node) ? boolean_named(node.Scalar()) : std::nullopt;
}

std::optional<std::string> text_in(const YAML::Node& node) {
  return node.IsScalar() && !node.Scalar().empty() ? std::optional(node.Scalar()) : std::nullopt;
}

}  // namespace weft
