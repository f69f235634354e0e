#include "weft/topology/files/yaml_document.h"

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

}  // namespace

YAML::Node load_document(const std::string& text) {
  std::istringstream in(text);
  YAML::Parser parser(in);
  document_starts starts;
  if (parser.HandleNextDocument(starts)) parser.HandleNextDocument(starts);
  if (starts.found.size() > 1) throw YAML::ParserException(starts.found[1], "a second document, expected one");
  return YAML::Load(text);
}

std::string shown(const YAML::Node& node) {
  if (node.IsScalar()) return "'" + node.Scalar() + "'";
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a map";
  return "nothing";
}

}  // namespace weft
