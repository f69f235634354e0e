// SPDX-License-Identifier: Apache-2.0
#include "weft/import/noxim_table.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"

namespace weft::experiment {

namespace {

/// A line of the table.
struct communication {
  std::uint64_t source, destination;
  double pir, por;    ///< probabilities of a packet in a cycle after one without a packet, and after one with a packet
  double active = 1;  ///< share of the cycles in which the line applies
};

constexpr const char* ColumnNames[] = {"source", "destination", "pir", "por", "t_on", "t_off", "t_period"};
constexpr std::size_t Least = 2, Most = std::size(ColumnNames);

class table_reader {
 public:
  table_reader(imported_settings& in, std::string file, std::uint64_t nodes)
      : m_file(std::move(file)),
        m_nodes(nodes),
        m_default_pir(in.setting_of("packet_injection_rate").value),
        m_all_cycles(std::to_string(in.whole("reset_time") + in.whole("simulation_time"))) {}

  std::vector<communication> read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++m_line;
      std::istringstream words(line.substr(0, line.find('%')));
      const std::vector<std::string> columns{std::istream_iterator<std::string>(words), {}};
      if (!columns.empty()) read_line(columns);
    }
    if (!m_errors.empty()) throw input_error(m_errors);
    return m_lines;
  }

  bool needs_default_pir() const { return m_needs_default_pir; }
  bool has_periods() const { return m_has_periods; }

 private:
  void read_line(std::vector<std::string> columns) {
    if (columns.size() < Least || columns.size() > Most)
      return error(fmt::format("expected {} to {} columns '{}', found {}", Least, Most,
                               fmt::join(std::begin(ColumnNames), std::end(ColumnNames), " "), columns.size()));
    const std::size_t before = m_errors.size(), given = columns.size();
    if (given < 3) columns.push_back(m_default_pir);
    communication c{node_in(columns, 0), node_in(columns, 1), chance_in(columns, 2), 0};
    c.por = given < 4 ? c.pir : chance_in(columns, 3);
    columns.resize(std::max<std::size_t>(given, 4));
    if (given < 5) columns.emplace_back("0");
    while (columns.size() < Most) columns.push_back(m_all_cycles);
    const std::uint64_t on = cycles_in(columns, 4), off = cycles_in(columns, 5), period = cycles_in(columns, 6);
    if (m_errors.size() > before) return;
    if (off <= on) return error(fmt::format("expected t_off above t_on ({}), found {}", on, off));
    if (given == Most && period <= off)
      return error(fmt::format("expected t_period above t_off ({}), found {}", off, period));
    m_needs_default_pir |= given < 3;
    if (given >= 6 || on > 0) {
      m_has_periods = true;
      c.active = static_cast<double>(std::min(off, period) - on - 1) / static_cast<double>(period);
    }
    m_lines.push_back(c);
  }

  std::uint64_t node_in(const std::vector<std::string>& columns, std::size_t i) {
    const auto node = parse_number<std::uint64_t>(columns[i]);
    if (node && *node < m_nodes) return *node;
    expect(columns, i, fmt::format("a node from 0 to {}", m_nodes - 1));
    return 0;
  }

  double chance_in(const std::vector<std::string>& columns, std::size_t i) {
    const auto chance = parse_number<double>(columns[i]);
    if (chance && *chance >= 0 && *chance <= 1) return *chance;
    expect(columns, i, "a probability from 0 to 1");
    return 0;
  }

  std::uint64_t cycles_in(const std::vector<std::string>& columns, std::size_t i) {
    constexpr std::uint64_t MostCycles = 2'000'000'000;
    const auto cycles = parse_number<std::uint64_t>(columns[i]);
    if (cycles && *cycles <= MostCycles) return *cycles;
    expect(columns, i, fmt::format("a number of cycles from 0 to {}", MostCycles));
    return 0;
  }

  void expect(const std::vector<std::string>& columns, std::size_t i, const std::string& what) {
    error(fmt::format("column {} ({}): expected {}, found {}", i + 1, ColumnNames[i], what, in_quotes(columns[i])));
  }

  void error(const std::string& message) {
    constexpr std::size_t MostErrors = 10;
    m_errors.push_back({fmt::format("{}:{}", m_file, m_line), message});
    if (m_errors.size() == MostErrors) throw input_error(m_errors);
  }

  std::string m_file;
  std::uint64_t m_nodes;
  std::string m_default_pir;
  std::string m_all_cycles;  ///< default of t_off and t_period
  std::size_t m_line = 0;
  bool m_needs_default_pir = false, m_has_periods = false;
  std::vector<communication> m_lines;
  std::vector<diagnostic> m_errors;
};

/// Adds the mean packets per cycle of the lines from \p first to \p last, which have the same source, to \p rates.
/// A node draws one number in a cycle and compares it with the cumulative probabilities, so only their part below 1
/// counts. The cycles with a packet are a Markov chain.
void add_rates(const communication* first, const communication* last,
               std::map<std::pair<std::uint64_t, std::uint64_t>, double>& rates) {
  const auto part_below_1 = [](double& sum, double chance) {
    const double before = std::min(sum, 1.0);
    sum += chance;
    return std::min(sum, 1.0) - before;
  };
  double after_none = 0, after_packet = 0;
  for (const communication* c = first; c != last; ++c) {
    part_below_1(after_none, c->pir * c->active);
    part_below_1(after_packet, c->por * c->active);
  }
  after_none = std::min(after_none, 1.0);
  after_packet = std::min(after_packet, 1.0);
  const double with_packet = after_none > 0 ? after_none / (1 - after_packet + after_none) : 0;
  double pir = 0, por = 0;
  for (const communication* c = first; c != last; ++c)
    rates[{c->source, c->destination}] +=
        (1 - with_packet) * part_below_1(pir, c->pir * c->active) + with_packet * part_below_1(por, c->por * c->active);
}

}  // namespace

std::string import_noxim_table(imported_settings& in, const std::string& text, const std::string& file,
                               std::uint64_t nodes, double length) {
  constexpr const char* Table = "traffic_table_filename";
  table_reader reader(in, file, nodes);
  std::vector<communication> lines = reader.read(text);
  if (!reader.needs_default_pir()) in.lack("packet_injection_rate", "every line of the traffic table has its own rate");
  if (reader.has_periods())
    in.differ(Table, "the rates are means over time; Weft has no counterpart of t_on, t_off and t_period");
  if (std::any_of(lines.begin(), lines.end(), [](const communication& c) { return c.pir != c.por; }))
    in.differ(Table, "the mean rates of packets are the same, but without the bursts of por, the rate after a packet");
  std::stable_sort(lines.begin(), lines.end(),
                   [](const communication& a, const communication& b) { return a.source < b.source; });
  std::map<std::pair<std::uint64_t, std::uint64_t>, double> rates;
  for (std::size_t first = 0, last = 0; first < lines.size(); first = last) {
    while (last < lines.size() && lines[last].source == lines[first].source) ++last;
    add_rates(lines.data() + first, lines.data() + last, rates);
  }
  std::string matrix = fmt::format(
      "# Converted by weft import from the traffic table {} of Noxim.\n# source destination rate, in flits per cycle\n",
      printable(file));
  for (const auto& [pair, packets] : rates)
    matrix += fmt::format("{} {} {:.12g}\n", pair.first, pair.second, packets * length);
  return matrix;
}

}  // namespace weft::experiment
