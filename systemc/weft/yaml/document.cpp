// SPDX-License-Identifier: Apache-2.0
#include "weft/yaml/document.h"

#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include "weft/core/nesting.h"
#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/core/suggest.h"
#include "weft/file/read_bytes.h"

namespace weft {
namespace {

constexpr std::uint64_t MostRepeated = 1'000'000;  // values that aliases add to a document
constexpr std::size_t BytesOfValue = 16;           // a longer text counts as several values

/// A list with more elements than allowed.
class long_list : public std::invalid_argument {
 public:
  long_list(const YAML::Mark& mark, const std::string& path, std::size_t most, std::size_t found)
      : std::invalid_argument(fmt::format("{}: expected at most {} elements, got {}; remove duplicates", abridged(path),
                                          grouped(most), grouped(found))),
        m_mark(mark) {}
  const YAML::Mark& mark() const { return m_mark; }

 private:
  YAML::Mark m_mark;
};

/// Scans the events of a text before its nodes are created: where documents start (YAML::LoadAll() would provide them,
/// but does not terminate for some texts, such as ","), the nesting depth, and the growth by aliases.
class outline final : public YAML::EventHandler {
 public:
  explicit outline(const list_limits& limits) : m_limits(limits) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (m_documents++ > 0) throw YAML::ParserException(mark, "a second document begins here; expected one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t anchor) override {
    count(nullptr);
    add(anchor, 1);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    expect_no_tag(mark, tag);
    count(&text);
    add(anchor, 1 + text.size() / BytesOfValue);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = m_size_of.find(anchor);
    if (found == m_size_of.end())
      throw YAML::ParserException(mark, "the alias is part of the value that it refers to; write the value out");
    m_repeated += found->second;
    if (m_repeated > MostRepeated)
      throw YAML::ParserException(mark, fmt::format("aliases repeat more than {} values; write shorter lists, or files "
                                                    "without aliases",
                                                    grouped(MostRepeated)));
    count(nullptr);
    add(0, found->second);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    expect_no_tag(mark, tag);
    begin(mark, anchor, true);
  }
  void OnSequenceEnd() override {
    const collection& list = m_open.back();
    if (list.most && list.elements > *list.most) throw long_list(list.mark, path(), *list.most, list.elements);
    end();
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    expect_no_tag(mark, tag);
    begin(mark, anchor, false);
  }
  void OnMapEnd() override { end(); }

 private:
  struct collection {
    YAML::anchor_t anchor;
    bool is_list;
    YAML::Mark mark;
    std::uint64_t size = 1;             ///< number of values; an alias counts as the value of its anchor
    std::size_t elements = 0;           ///< in a map: names and values
    std::optional<std::size_t> most{};  ///< most elements of a list
    std::string name{};                 ///< in a map: the last name
  };

  /// Rejects tags such as `!include`, which would have a meaning of their own. The parser gives untagged values "?" or
  /// "!".
  static void expect_no_tag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!")
      throw YAML::ParserException(
          mark, fmt::format("the tag {} has no meaning in Weft's files; leave it out", in_quotes(tag)));
  }

  void add(YAML::anchor_t anchor, std::uint64_t size) {
    if (anchor != 0) m_size_of[anchor] = size;
    if (!m_open.empty()) m_open.back().size += size;
  }
  /// Counts an element of the open collection. \param text text of a scalar, otherwise null
  void count(const std::string* text) {
    if (m_open.empty()) return;
    collection& around = m_open.back();
    if (!around.is_list && around.elements % 2 == 0) around.name = text == nullptr ? "" : *text;
    ++around.elements;
  }
  /// Path of the open collection; a nested list has the path of the outer list.
  std::string path() const {
    std::string all;
    for (const collection& c : m_open)
      if (!c.is_list) all += (all.empty() ? "" : ".") + c.name;
    return all;
  }
  void begin(const YAML::Mark& mark, YAML::anchor_t anchor, bool is_list) {
    count(nullptr);
    if (m_open.size() == MostNested)
      throw YAML::ParserException(
          mark, fmt::format("lists and maps are nested more than {} deep; nest them less", MostNested));
    m_open.push_back({anchor, is_list, mark});
    if (is_list && m_limits) m_open.back().most = m_limits(path());
  }
  void end() {
    const collection closed = m_open.back();
    m_open.pop_back();
    add(closed.anchor, closed.size);
  }

  const list_limits& m_limits;
  unsigned m_documents = 0;
  std::vector<collection> m_open;
  std::unordered_map<YAML::anchor_t, std::uint64_t> m_size_of;  ///< size of each completed anchor
  std::uint64_t m_repeated = 0;
};

/// Rejects control characters, of which YAML allows only tabs and line ends; yaml-cpp takes some for the end of the
/// text. Texts in UTF-16 and UTF-32, which begin with a byte order mark, are left to yaml-cpp.
/// \throws YAML::Exception at the first one
void expect_no_control_characters(const std::string& text) {
  if (text.compare(0, 2, "\xff\xfe") == 0 || text.compare(0, 2, "\xfe\xff") == 0 ||
      text.compare(0, 4, std::string("\0\0\xfe\xff", 4)) == 0)
    return;
  YAML::Mark mark;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f)
      throw YAML::ParserException(mark, fmt::format("a control character (byte {:#04x}), expected text; write it as "
                                                    "\"\\x{:02x}\"",
                                                    byte, byte));
    ++mark.column;
    if (c == '\n') ++mark.line, mark.column = 0;
  }
}

/// \throws YAML::Exception
YAML::Node load_document(const std::string& text, const list_limits& limits) {
  expect_no_control_characters(text);
  std::istringstream in(text);
  YAML::Parser parser(in);
  outline handler(limits);
  if (parser.HandleNextDocument(handler)) parser.HandleNextDocument(handler);
  return YAML::Load(text);
}

/// The message of yaml-cpp for an error in \p text, and a remedy.
std::string syntax_error(const YAML::Exception& e, const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i <= e.mark.line; ++i) std::getline(lines, line);
  const std::size_t indented = line.find_first_not_of(" \t");
  const bool by_tab = line.substr(0, indented).find('\t') != std::string::npos;
  return abridged(e.msg) + (by_tab ? "; indent with spaces, because YAML does not allow tabs for it" : "");
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

std::optional<YAML::Node> parse_yaml(const std::string& text, yaml_errors& errors, const list_limits& limits) {
  try {
    return load_document(text, limits);
  } catch (const YAML::Exception& e) {
    errors.add(e.mark, "YAML syntax: " + syntax_error(e, text));
    return std::nullopt;
  } catch (const long_list& e) {
    errors.add(e.mark(), e.what());
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
  if (node.IsScalar()) return in_quotes(node.Scalar());
  return std::string(node.size() == 0 ? "an empty " : "a ") + (node.IsSequence() ? "list" : "map");
}

std::string quotes_hint(const YAML::Node& node) {
  const bool would_do = node.IsScalar() && (parse_number<double>(node.Scalar()) || boolean_named(node.Scalar()));
  return would_do && is_quoted(node) ? "; a value in quotes is a text, so leave the quotes out" : "";
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
