// SPDX-License-Identifier: Apache-2.0
#include "weft/report/results.h"

#include <string>

#include <fmt/format.h>

#include "weft/core/printable.h"
#include "weft/report/format.h"
#include "weft/report/group_statistics.h"
#include "weft/report/run_assessment.h"
#include "weft/report/statistic_views.h"

namespace weft::experiment {

namespace {

std::string outcome_text(const run_summary& r) {
  switch (r.result.how) {
    case outcome::Complete:
      return "complete";
    case outcome::Saturated:
      return "SATURATED: the network accepts less than the offered load; source queues and latency grow without limit";
    case outcome::Undecided:
      return "UNDECIDED: source queues grew, but the window is too short to decide whether they grow without limit";
    case outcome::Interrupted:
      return "INTERRUPTED: results up to the interruption";
    case outcome::NotDrained:
      return fmt::format("NOT DRAINED: {} packets still in flight after {} cycles",
                         grouped(r.measured.measured_under_way()), grouped(r.config.simulation.drain));
    case outcome::Deadlock:
      return "DEADLOCK: packets wait for each other";
    case outcome::Undelivered:
      return "UNDELIVERED: nodes lack data that they should have";
    case outcome::Empty:
      return "NOTHING MEASURED: no packet was created in the window";
    case outcome::Corrupt:
      break;
  }
  return "CORRUPT: a flit did not arrive as it was sent";
}

std::string distribution_header() {
  std::string text = fmt::format("\n  {:<18}{:>17}{:>9}", "latency in cycles", "mean", "min");
  for (const double p : Percentiles) text += fmt::format("{:>7g} %", p);
  return text + fmt::format("{:>9}\n", "max");
}

std::string distribution_row(const std::string& label, const json& value) {
  std::optional<double> half_width;
  if (!value["half_width"].is_null()) half_width = value["half_width"].get<double>();
  const auto whole = [](const json& number) { return grouped(number.get<std::uint64_t>()); };
  std::string text = fmt::format("  {:<18}{:>17}{:>9}", label, plus_minus(value["mean"].get<double>(), half_width, 2),
                                 whole(value["min"]));
  for (const json& percentile : value["percentiles"]) text += fmt::format("{:>9}", whole(percentile));
  return text + fmt::format("{:>9}\n", whole(value["max"]));
}

}  // namespace

json to_json(const run_summary& r) { return json_of(run_statistics(), r); }

std::string to_csv(const run_summary& r) { return csv_of(run_statistics(), r, group_cells(r)); }

std::string to_table(const run_summary& r) {
  const configuration& c = r.config;
  std::string text = fmt::format("{}: {}, {}, seed {}\n\n", printable(c.output.name), describe(r.graph),
                                 describe(c.router), c.simulation.seed);
  text += rows_of(run_statistics(), r, 17);
  if (r.measured.latency().count() > 0) {
    text += distribution_header();
    for (const statistic<run_summary>& s : run_statistics().statistics())
      if (s.is_distribution && (!s.written || s.written(r)) && s.value(r).at("count") > 0)
        text += distribution_row(s.label, s.value(r));
  }
  text += group_rows(r);
  text += fmt::format("\n  {}\n", outcome_text(r));
  for (const std::string& line : warnings_of(r)) text += fmt::format("  warning: {}\n", line);
  for (const std::string& line : r.result.explanation) text += fmt::format("    {}\n", printable(line));
  return text;
}

}  // namespace weft::experiment
