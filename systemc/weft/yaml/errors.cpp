// SPDX-License-Identifier: Apache-2.0
#include "weft/yaml/errors.h"

#include <utility>

#include <fmt/format.h>

#include "weft/yaml/document.h"

namespace weft {

namespace {

constexpr std::size_t MaxReported = 50;  // in a file of another kind, every line is wrong
constexpr std::size_t MostKept = 100;

}  // namespace

void yaml_errors::read_file(std::string file) {
  m_name = std::move(file);
  m_has_lines = true;
}

void yaml_errors::read_value(std::string place) {
  m_name = std::move(place);
  m_has_lines = false;
}

void yaml_errors::add(const YAML::Mark& at, const std::string& message) {
  if (m_found.size() < MostKept)
    m_found.push_back({place(at), message});
  else
    ++m_more;
}

void yaml_errors::wrong(const YAML::Mark& at, const std::string& path, const std::string& expected,
                        const YAML::Node& got, const std::string& hint) {
  add(at, fmt::format("{}: expected {}, got {}{}", path, expected, shown(got), hint));
}

std::string yaml_errors::place(const YAML::Mark& at) const {
  return m_has_lines ? fmt::format("{}:{}:{}", m_name, at.line + 1, at.column + 1) : m_name;
}

void yaml_errors::throw_if_any() const {
  if (!any()) return;
  std::vector<diagnostic> shown_errors = m_found;
  if (shown_errors.size() > MaxReported) {
    shown_errors.resize(MaxReported);
    shown_errors.push_back({m_found[MaxReported].place, fmt::format("an error here and {} later errors are not shown",
                                                                    m_found.size() + m_more - MaxReported - 1)});
  }
  throw input_error(shown_errors);
}

}  // namespace weft
