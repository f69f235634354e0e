// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/report/collective_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/configuration/network.h"
#include "weft/core/printable.h"
#include "weft/report/format.h"
#include "weft/report/statistic_views.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

namespace {

std::string outcome_text(outcome how) {
  switch (how) {
    case outcome::Complete:
      return "complete: every node has exactly the data that it should have";
    case outcome::Interrupted:
      return "INTERRUPTED: results up to the interruption";
    case outcome::Deadlock:
      return "DEADLOCK: packets wait for each other";
    case outcome::Undelivered:
      return "UNDELIVERED: nodes lack data that they should have";
    default:
      return "CORRUPT: data contradict each other";
  }
}

std::string steps_table(const collective_summary& r) {
  const std::vector<collective_metrics>& steps = r.work.traffic().steps();
  text_columns table(1);
  table.row({"step", "messages", "hops", "begin", "end", "mean latency", "max latency"});
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const collective_metrics& f = steps[s];
    const bool any = f.messages > 0;
    table.row({r.work.played().steps[s], grouped(f.messages), grouped(f.hops), any ? grouped(f.begin) : "",
               any ? grouped(f.end) : "", any ? fmt::format("{:.2f}", ratio(f.latency_sum, f.messages)) : "",
               any ? grouped(f.max_latency) : ""});
  }
  return table.text();
}

}  // namespace

json to_json(const collective_summary& r) { return json_of(collective_statistics(), collective_digest(r)); }

std::string to_csv(const collective_summary& r) { return csv_of(collective_statistics(), collective_digest(r)); }

std::string to_table(const collective_summary& r) {
  const configuration& c = r.config;
  std::string text = fmt::format("{}: {} by {}, {} nodes\n{}, {}, seed {}\n\n", printable(c.output.name),
                                 operation_of(c), algorithm_of(c), grouped(r.work.played().nodes),
                                 describe(r.work.graph()), describe(c.router), c.simulation.seed);
  text += rows_of(collective_statistics(), collective_digest(r), 14);
  text += "\n" + steps_table(r);
  text += fmt::format("\n  {}\n", outcome_text(r.result.how));
  for (const std::string& line : r.result.explanation) text += fmt::format("    {}\n", printable(line));
  return text;
}

std::string comparison_of_collectives(const std::vector<compared_run>& algorithms) {
  return comparison_table(
      {"algorithm", "cycles", "at least", "sum of maxima", "messages", "hops", "busiest link", "outcome"}, algorithms,
      [](const named_cells& cells) -> std::vector<std::string> {
        const auto number = [&](const char* name) { return grouped(cells.number(name)); };
        return {number("cycles"), number("cycles_bound"), number("sum_of_step_maxima"), number("messages"),
                number("hops"),   number("busiest_link"), cells.text("outcome")};
      });
}

std::string analysis_table(const configuration& c,
                           const std::vector<std::pair<std::string, collective_counts>>& counts) {
  std::string text = fmt::format("{}: {}, {} nodes, counted without simulating\n\n", printable(c.output.name),
                                 operation_of(c), grouped(c.nodes()));
  text_columns table(1);
  table.row({"step", "messages", "hops", "hops/message"});
  const auto row = [&table](const std::string& name, const collective_count& count) {
    table.row(
        {name, grouped(count.messages), grouped(count.hops), fmt::format("{:.3f}", ratio(count.hops, count.messages))});
  };
  for (const auto& [algorithm, steps] : counts) {
    if (steps.size() > 1)
      for (const collective_count& step : steps) row(fmt::format("{}, {}", algorithm, step.step), step);
    row(algorithm, total(steps));
  }
  return text + table.text();
}

json analysis_json(const configuration& c, const std::vector<std::pair<std::string, collective_counts>>& counts,
                   const std::filesystem::path& file) {
  json list = json::array();
  for (const auto& [algorithm, steps] : counts) {
    json by_step = json::array();
    for (const collective_count& step : steps)
      by_step.push_back({{"step", step.step}, {"messages", step.messages}, {"hops", step.hops}});
    const collective_count all = total(steps);
    list.push_back(
        {{"algorithm", algorithm}, {"messages", all.messages}, {"hops", all.hops}, {"steps", std::move(by_step)}});
  }
  return {{"weft", version()}, {"configuration", to_json_in(file, c)}, {"algorithms", std::move(list)}};
}

}  // namespace weft::experiment
