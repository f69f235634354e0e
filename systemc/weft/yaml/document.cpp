// SPDX-License-Identifier: Apache-2.0
#include "weft/yaml/document.h"

#include <fstream>
#include <sstream>
#include <vector>

#include <yaml-cpp/eventhandler.h>

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

bool is_quoted(const YAML::Node& node) { return node.Tag() == "!"; }

template <class T>
std::optional<T> parsed(const YAML::Node& node) {
  return node.IsScalar() && !is_quoted(node) ? parse_number<T>(node.Scalar()) : std::nullopt;
}

}  // namespace

std::string read_yaml_file(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw input_error({{file.string(), "is a directory; expected a YAML file"}});
  std::ifstream in(file, std::ios::binary);
  if (!in) throw input_error({{file.string(), "cannot be opened; expected a YAML file"}});
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::optional<YAML::Node> parse_yaml(const std::string& text, yaml_faults& faults) {
  try {
    return load_document(text);
  } catch (const YAML::Exception& e) {
    faults.add(e.mark, "YAML syntax: " + e.msg);
    return std::nullopt;
  }
}

bool is_nothing(const YAML::Node& node) { return !node.IsDefined() || node.IsNull(); }

std::string shown(const YAML::Node& node) {
  if (is_nothing(node)) return "nothing";
  if (node.IsScalar()) return "'" + node.Scalar() + "'";
  return node.IsSequence() ? "a list" : "a map";
}

std::optional<std::uint64_t> whole_number_in(const YAML::Node& node) { return parsed<std::uint64_t>(node); }

std::optional<double> number_in(const YAML::Node& node) { return parsed<double>(node); }

std::optional<bool> boolean_in(const YAML::Node& node) {
  if (!node.IsScalar() || is_quoted(node)) return std::nullopt;
  if (node.Scalar() == "true") return true;
  return node.Scalar() == "false" ? std::optional(false) : std::nullopt;
}

std::optional<std::string> text_in(const YAML::Node& node) {
  return node.IsScalar() && !node.Scalar().empty() ? std::optional(node.Scalar()) : std::nullopt;
}

}  // namespace weft
