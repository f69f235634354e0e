// SPDX-License-Identifier: Apache-2.0
#include "weft/file/form.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <vector>

namespace weft {
namespace {

constexpr std::size_t MaxExamined = 65536;

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

bool is_packed(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr std::array Magics = {"\x1f\x8b"sv, "BZh"sv,
                                 "\xfd"
                                 "7zXZ"sv,
                                 "PK\x03\x04"sv, "\x28\xb5\x2f\xfd"sv};
  return std::any_of(Magics.begin(), Magics.end(), [&](std::string_view magic) { return begins(bytes, magic); });
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' && std::string_view("\t\n\r\f\v\x1b").find(c) == std::string_view::npos;
}

/// \p text without leading blanks.
std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

/// \p text without leading blanks and comments (of C or the shell).
std::string_view behind_comments(std::string_view text) {
  text = without_byte_order_mark(text);
  for (text = without_blanks(text);; text = without_blanks(text)) {
    std::string_view end;
    if (begins(text, "//") || begins(text, "#"))
      end = "\n";
    else if (begins(text, "/*"))
      end = "*/";
    else
      return text;
    const std::size_t at = text.find(end);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }
}

/// The first words, at most four, of the first line of \p text.
std::vector<std::string_view> first_words(std::string_view text) {
  std::vector<std::string_view> words;
  std::string_view line = text.substr(0, text.find('\n'));
  while (words.size() < 4) {
    line = without_blanks(line);
    if (line.empty()) break;
    words.push_back(line.substr(0, line.find_first_of(" \t\r{")));
    if (words.back().empty()) words.back() = line.substr(0, 1);
    line.remove_prefix(words.back().size());
  }
  return words;
}

bool is_number(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_dot(const std::vector<std::string_view>& words) {
  const std::size_t first = words.front() == "strict" ? 1 : 0;
  if (words.size() <= first || (words[first] != "graph" && words[first] != "digraph")) return false;
  return words.size() == first + 1 || words[first + 1] == "{" || (words.size() > first + 2 && words[first + 2] == "{");
}

/// Recognizes "router 0 node 0" and "node 0 router 0".
bool is_booksim_network(const std::vector<std::string_view>& words) {
  const auto is_end = [](std::string_view word) { return word == "router" || word == "node"; };
  return words.size() == 4 && is_end(words[0]) && is_number(words[1]) && is_end(words[2]) && is_number(words[3]);
}

/// Recognizes "name = value;", which is not YAML: that has `name: value`.
bool is_booksim_configuration(std::string_view text) {
  const std::size_t name = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  if (name == 0 || name == std::string_view::npos) return false;
  const std::string_view rest = without_blanks(text.substr(name));
  return begins(rest, "=") && rest.find(';') != std::string_view::npos;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view Mark = "\xef\xbb\xbf";
  return begins(text, Mark) ? text.substr(Mark.size()) : text;
}

file_form form_of(std::string_view bytes) {
  if (is_packed(bytes)) return file_form::Packed;
  const std::string_view head = bytes.substr(0, MaxExamined);
  if (std::any_of(head.begin(), head.end(), is_control)) return file_form::Binary;
  const std::string_view text = behind_comments(head);
  if (begins(text, "<")) return head.find("<graphml") == std::string_view::npos ? file_form::Xml : file_form::GraphMl;
  const std::vector<std::string_view> words = first_words(text);
  if (words.empty()) return file_form::Other;
  if (is_dot(words)) return file_form::Dot;
  if (is_booksim_network(words)) return file_form::BookSimNetwork;
  return is_booksim_configuration(text) ? file_form::BookSimConfiguration : file_form::Other;
}

std::string name_of(file_form form) {
  switch (form) {
    case file_form::Packed:
      return "a packed file";
    case file_form::Binary:
      return "binary data";
    case file_form::Xml:
      return "XML";
    case file_form::GraphMl:
      return "GraphML";
    case file_form::Dot:
      return "Graphviz DOT";
    case file_form::BookSimConfiguration:
      return "a configuration of BookSim2";
    case file_form::BookSimNetwork:
      return "a network of BookSim2 (anynet)";
    case file_form::Other:
      break;
  }
  return "";
}

}  // namespace weft
