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

/// A line of the table. It applies in the cycles c with on < c mod period < off, or in all cycles if the period is 0.
struct communication {
  std::uint64_t source, destination;
  double pir, por;  ///< probabilities of a packet in a cycle after one without a packet, and after one with a packet
  std::uint64_t on = 0, off = 0, period = 0;

  bool applies_in(std::uint64_t cycle) const {
    const std::uint64_t within = period == 0 ? 0 : cycle % period;
    return period == 0 || (within > on && within < off);
  }
  /// The number of cycles from \p cycle on, at most \p most, in which the line applies or in which it does not.
  std::uint64_t unchanged_from(std::uint64_t cycle, std::uint64_t most) const {
    if (period == 0) return most;
    const std::uint64_t within = cycle % period;
    const std::uint64_t change = within <= on ? on + 1 : within < off ? std::min(off, period) : period;
    return std::min(most, change - within);
  }
};

constexpr const char* ColumnNames[] = {"source", "destination", "pir", "por", "t_on", "t_off", "t_period"};
constexpr std::size_t Least = 2, Most = std::size(ColumnNames);

class table_reader {
 public:
  table_reader(imported_settings& in, std::string file, std::uint64_t nodes)
      : m_file(std::move(file)),
        m_nodes(nodes),
        m_default_pir(in.setting_of("packet_injection_rate").value),
        m_all_cycles(parse_number<std::uint64_t>(in.setting_of("reset_time").value).value_or(0) +
                     in.whole("simulation_time")) {}

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
  std::uint64_t all_cycles() const { return m_all_cycles; }

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
    while (columns.size() < Most) columns.push_back(std::to_string(m_all_cycles));
    const std::uint64_t on = cycles_in(columns, 4), off = cycles_in(columns, 5), period = cycles_in(columns, 6);
    if (m_errors.size() > before) return;
    if (off <= on) return error(fmt::format("expected t_off above t_on ({}), found {}", on, off));
    if (given == Most && period <= off)
      return error(fmt::format("expected t_period above t_off ({}), found {}", off, period));
    m_needs_default_pir |= given < 3;
    if (given >= 6 || on > 0) {
      m_has_periods = true;
      c.on = on;
      c.off = off;
      c.period = period;
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
  std::uint64_t m_all_cycles;  ///< cycles of a run of Noxim, the default of t_off and t_period
  std::size_t m_line = 0;
  bool m_needs_default_pir = false, m_has_periods = false;
  std::vector<communication> m_lines;
  std::vector<diagnostic> m_errors;
};

/// Mean packets per cycle of each pair of nodes.
using packet_rates = std::map<std::pair<std::uint64_t, std::uint64_t>, double>;

/// Follows the packets of one source, which a node of Noxim creates as follows: it draws one number in a cycle and
/// compares it with the cumulative probabilities of the lines that apply, so only their part below 1 counts. The cycles
/// with a packet are a Markov chain.
class source_traffic {
 public:
  /// The lines from \p first to \p last, which have the same source.
  source_traffic(const communication* first, const communication* last)
      : m_first(first), m_last(last), m_packets(static_cast<std::size_t>(last - first)) {}

  /// Adds the means over a run of \p cycles cycles to \p rates. The state at the end of such a run precedes it.
  void add_rates(std::uint64_t cycles, packet_rates& rates) {
    run(cycles);
    std::fill(m_packets.begin(), m_packets.end(), 0.0);
    const std::uint64_t counted = run(cycles);
    for (const communication* c = m_first; c != m_last; ++c)
      rates[{c->source, c->destination}] +=
          m_packets[static_cast<std::size_t>(c - m_first)] / static_cast<double>(counted);
  }

 private:
  /// Simulates at most \p cycles cycles, fewer if the lines change very often. Returns their number.
  std::uint64_t run(std::uint64_t cycles) {
    constexpr unsigned MostChanges = 1'000'000;
    std::uint64_t now = 0;
    for (unsigned changes = 0; now < cycles && changes < MostChanges; ++changes) {
      std::uint64_t unchanged = cycles - now;
      for (const communication* c = m_first; c != m_last; ++c) unchanged = c->unchanged_from(now, unchanged);
      advance(now, unchanged);
      now += unchanged;
    }
    return now;
  }

  /// Simulates \p count cycles from \p now on, in which the same lines apply.
  void advance(std::uint64_t now, std::uint64_t count) {
    double after_none = 0, after_packet = 0;
    for_each_line(now, [&](std::size_t, double pir, double por) {
      after_none += pir;
      after_packet += por;
    });
    // The probability of a packet in the cycle before tends to `limit`, by the factor `step` in each cycle.
    const double step = after_packet - after_none, cycles = static_cast<double>(count), rest = power(step, count);
    const double limit = step < 1 ? after_none / (1 - step) : m_before;
    const double with_packet = step < 1 ? cycles * limit + (m_before - limit) * (1 - rest) / (1 - step)
                                        : cycles * m_before;  // cycles that follow a packet
    m_before = limit + rest * (m_before - limit);
    for_each_line(now, [&](std::size_t line, double pir, double por) {
      m_packets[line] += (cycles - with_packet) * pir + with_packet * por;
    });
  }

  /// Calls \p use(line, pir, por) for the lines that apply in cycle \p now, with the parts of their probabilities that
  /// count.
  template <class Use>
  void for_each_line(std::uint64_t now, Use use) const {
    const auto part_below_1 = [](double& sum, double chance) {
      const double before = std::min(sum, 1.0);
      sum += chance;
      return std::min(sum, 1.0) - before;
    };
    double pir = 0, por = 0;
    for (const communication* c = m_first; c != m_last; ++c)
      if (c->applies_in(now)) {
        const double of_pir = part_below_1(pir, c->pir), of_por = part_below_1(por, c->por);
        use(static_cast<std::size_t>(c - m_first), of_pir, of_por);
      }
  }

  static double power(double base, std::uint64_t exponent) {
    double result = 1;
    for (; exponent != 0; exponent >>= 1, base *= base)
      if ((exponent & 1) != 0) result *= base;
    return result;
  }

  const communication* m_first;
  const communication* m_last;
  double m_before = 0;            ///< probability of a packet in the cycle before
  std::vector<double> m_packets;  ///< expected number of packets of each line
};

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
  packet_rates rates;
  for (std::size_t first = 0, last = 0; first < lines.size(); first = last) {
    while (last < lines.size() && lines[last].source == lines[first].source) ++last;
    source_traffic(lines.data() + first, lines.data() + last).add_rates(reader.all_cycles(), rates);
  }
  std::string matrix = fmt::format(
      "# Converted by weft import from the traffic table {} of Noxim.\n# source destination rate, in flits per cycle\n",
      printable(file));
  for (const auto& [pair, packets] : rates)
    matrix += fmt::format("{} {} {:.12g}\n", pair.first, pair.second, packets * length);
  return matrix;
}

}  // namespace weft::experiment
