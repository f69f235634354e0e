// SPDX-License-Identifier: Apache-2.0
/// Reads the two formats of traffic matrices.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/workload/error.h"
#include "weft/workload/rates.h"
#include "weft/workload/text_lines.h"
#include "weft/workload/text_table.h"
#include "weft/workload/traffic_matrix.h"

namespace weft {

namespace {

/// Removes the first cell of a row from \p line, and returns it.
std::string_view take_cell(std::string_view& line) {
  const std::size_t comma = line.find(',');
  const std::string_view cell = line.substr(0, comma);
  line = comma == std::string_view::npos ? std::string_view() : line.substr(comma + 1);
  return cell;
}

class matrix_reader {
 public:
  matrix_reader(std::string_view text, const std::string& name, std::uint32_t nodes)
      : m_lines(
            text, name,
            fmt::format("lines 'source destination rate', or {0} rows of {0} rates with commas between them", nodes)),
        m_name(name),
        m_nodes(nodes) {}

  std::vector<traffic_matrix::pair_rate> read() {
    std::optional<bool> in_rows;
    std::string_view line;
    while (m_lines.next(line)) {
      line = trimmed(line);
      if (line.empty()) continue;
      if (!in_rows) in_rows = line.find(',') != std::string_view::npos;
      if (*in_rows ? read_row(line) : read_pair(line)) m_lines.accept();
    }
    m_lines.throw_if_any();
    if (in_rows == true && m_rows < m_nodes)
      m_lines.fail(fmt::format("the file ends after {} row{}; expected {} rows, one for each source", m_rows,
                               m_rows == 1 ? "" : "s", m_nodes));
    if (in_rows != true) sort_pairs();
    if (m_pairs.empty())
      throw workload_error(fmt::format("{}: the matrix has no rate above 0; expected at least one", m_name));
    return std::move(m_pairs);
  }

 private:
  /// Reads a line `source destination rate`. Returns whether it is valid.
  bool read_pair(std::string_view line) {
    constexpr std::size_t Columns = 3;
    std::vector<std::string_view> tokens;
    for (auto token = take_token(line); !token.empty(); token = take_token(line)) tokens.push_back(token);
    if (tokens.size() != Columns)
      return wrong(fmt::format("expected 3 columns 'source destination rate', found {}{}", tokens.size(),
                               tokens.size() == m_nodes ? "; a row of a matrix has commas between its rates" : ""));
    const std::optional<node_id> source = node_in(tokens[0], 1, " (source)");
    if (!source) return false;
    const std::optional<node_id> destination = node_in(tokens[1], 2, " (destination)");
    if (!destination) return false;
    const std::optional<double> rate = rate_in(tokens[2], 3, " (rate)");
    if (!rate) return false;
    m_pairs.push_back({*source, *destination, *rate, m_lines.line()});
    return true;
  }

  /// Reads the rates of one source. Returns whether they are valid.
  bool read_row(std::string_view line) {
    const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
    if (count != m_nodes) return wrong_row(count);
    if (m_rows == m_nodes) m_lines.fail(fmt::format("expected {} rows, one for each source, found more", m_nodes));
    const auto source = static_cast<node_id>(m_rows++);
    bool valid = true;
    for (node_id destination = 0; destination < m_nodes; ++destination) {
      const std::string_view cell = trimmed(take_cell(line));
      if (m_rows == 1 && is_text(cell)) fail_at_text(cell, destination);
      const std::optional<double> rate = rate_in(cell, destination + 1);
      valid &= rate.has_value();
      if (rate && *rate > 0) m_pairs.push_back({source, destination, *rate, m_lines.line()});
    }
    return valid;
  }

  /// Whether \p cell may be the name of a column.
  static bool is_text(std::string_view cell) {
    constexpr std::string_view InNumbers = "+-.0123456789";
    return !cell.empty() && InNumbers.find(cell.front()) == std::string_view::npos && !number_in<double>(cell);
  }

  [[noreturn]] void fail_at_text(std::string_view cell, node_id destination) {
    m_lines.fail(expected_rate(cell, destination + 1, "") + "; remove lines with names, or begin them with #");
  }

  bool wrong_row(std::size_t count) {
    const char* const hint = count == m_nodes + 1 ? "; remove names of rows, and commas at the ends of lines"
                             : count == 3         ? "; a list of 'source destination rate' has blanks instead of commas"
                                                  : "";
    const std::string message =
        fmt::format("expected {} rates, one for each destination, found {}{}", m_nodes, count, hint);
    if (m_rows == 0) m_lines.fail(message);
    ++m_rows;
    return wrong(message);
  }

  std::optional<node_id> node_in(std::string_view text, unsigned column, const char* name) {
    const std::optional<std::uint64_t> node = number_in<std::uint64_t>(text);
    if (node && *node < m_nodes) return static_cast<node_id>(*node);
    wrong(fmt::format("column {}{}: expected a node from 0 to {}, found {}{}", column, name, m_nodes - 1,
                      in_quotes(std::string(text)), node ? "" : "; begin comments with #"));
    return std::nullopt;
  }

  std::optional<double> rate_in(std::string_view text, unsigned column, const char* name = "") {
    const std::optional<double> rate = weft::rate_in(text);
    if (!rate) wrong(expected_rate(text, column, name));
    return rate;
  }

  static std::string expected_rate(std::string_view found, unsigned column, const char* name) {
    return fmt::format("column {}{}: {}", column, name, weft::expected_rate(found));
  }

  bool wrong(const std::string& message) {
    m_lines.wrong(message);
    return false;
  }

  /// Sorts the pairs of a list, reports those that occur twice, and removes those with the rate 0.
  void sort_pairs() {
    using pair_rate = traffic_matrix::pair_rate;
    std::sort(m_pairs.begin(), m_pairs.end(), [](const pair_rate& a, const pair_rate& b) {
      return std::tie(a.source, a.destination, a.line) < std::tie(b.source, b.destination, b.line);
    });
    std::vector<pair_rate> kept;
    std::vector<std::pair<pair_rate, pair_rate>> repeated;
    for (std::size_t i = 1; i < m_pairs.size(); ++i)
      if (m_pairs[i].source == m_pairs[i - 1].source && m_pairs[i].destination == m_pairs[i - 1].destination)
        repeated.emplace_back(m_pairs[i], m_pairs[i - 1]);
    std::sort(repeated.begin(), repeated.end(),
              [](const auto& a, const auto& b) { return a.first.line < b.first.line; });
    for (const auto& [pair, earlier] : repeated)
      m_lines.wrong_at(pair.line, fmt::format("source {} already has a rate to destination {}, in line {}; give each "
                                              "pair one rate",
                                              pair.source, pair.destination, earlier.line));
    m_lines.throw_if_any();
    m_pairs.erase(std::remove_if(m_pairs.begin(), m_pairs.end(), [](const pair_rate& pair) { return pair.rate == 0; }),
                  m_pairs.end());
  }

  text_lines m_lines;
  std::string m_name;
  std::uint32_t m_nodes;
  std::size_t m_rows = 0;  ///< rows read so far
  std::vector<traffic_matrix::pair_rate> m_pairs;
};

}  // namespace

traffic_matrix read_traffic_matrix(const std::filesystem::path& file, std::uint32_t nodes) {
  const std::string text = read_file(file);
  return {nodes, matrix_reader(text, file.string(), nodes).read()};
}

}  // namespace weft
