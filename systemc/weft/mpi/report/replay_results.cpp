// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/report/replay_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/configuration/network.h"
#include "weft/core/printable.h"
#include "weft/report/format.h"
#include "weft/report/statistic_views.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

namespace {

std::string ranks_table(const replay_digest& d) {
  constexpr std::size_t MostRanks = 32;
  const std::vector<replay_rank_metrics>& ranks = d.ranks;
  text_columns t(1);
  t.row({"rank", "node", "computing", "receiving", "sending", "end", "messages", "bytes", "compressed", "flits saved"});
  for (std::size_t r = 0; r < std::min(ranks.size(), MostRanks); ++r) {
    const replay_rank_metrics& own = ranks[r];
    const cycle_t cycles = own.end.value_or(d.summary.result.cycles);
    t.row({std::to_string(r), std::to_string(d.summary.work.nodes()[r]), percent(own.computing, cycles),
           percent(own.receiving, cycles), percent(own.sending, cycles), own.end ? grouped(*own.end) : "-",
           grouped(own.messages), grouped(own.bytes), grouped(own.compressed), percent(own.flits_saved, own.flits)});
  }
  if (ranks.size() > MostRanks) t.row({fmt::format("… {} more", ranks.size() - MostRanks)});
  return t.text();
}

std::string ending_of(const replay_summary& r) {
  switch (r.result.how) {
    case outcome::Complete:
      return r.work.program().messages.empty() ? "complete: every rank did its last call"
                                               : "complete: every message arrived";
    case outcome::Interrupted:
      return "INTERRUPTED: results up to the interruption";
    case outcome::Deadlock:
      return "DEADLOCK: packets wait for each other";
    default:
      return "UNDELIVERED: some calls have no matching call";
  }
}

}  // namespace

json to_json(const replay_summary& r) { return json_of(replay_statistics(), replay_digest(r)); }

std::string to_csv(const replay_summary& r) { return csv_of(replay_statistics(), replay_digest(r)); }

std::string to_table(const replay_summary& r) {
  const configuration& c = r.config;
  std::string text =
      fmt::format("{}: {} on {} ranks\n{}, {}, seed {}\n\n", printable(c.output.name), printable(r.work.program().name),
                  r.work.program().ranks.size(), describe(r.work.graph()), describe(c.router), c.simulation.seed);
  const replay_digest digest(r);
  text += rows_of(replay_statistics(), digest, 14);
  text += "\n" + ranks_table(digest);
  text += fmt::format("\n  {}\n", ending_of(r));
  for (const std::string& line : warnings_of(r)) text += fmt::format("  warning: {}\n", line);
  for (const std::string& line : r.result.explanation) text += fmt::format("    {}\n", printable(line));
  return text;
}

std::string comparison_of_replays(const std::vector<compared_run>& modes) {
  std::uint64_t first = 0;
  return comparison_table(
      {"compression", "makespan", "speed-up", "path computing", "path network", "path messages", "flits", "flit hops",
       "outcome"},
      modes, [&first](const named_cells& cells) -> std::vector<std::string> {
        const auto number = [&](const char* name) {
          return cells.text(name).empty() ? "-" : grouped(cells.number(name));
        };
        const bool has_ended = !cells.text("makespan").empty();
        if (has_ended && first == 0) first = cells.number("makespan");
        const std::string speed_up = has_ended ? fmt::format("{:.3f}", ratio(first, cells.number("makespan"))) : "-";
        return {number("makespan"),      speed_up,        number("path_computing"), number("path_network"),
                number("path_messages"), number("flits"), number("flit_hops"),      cells.text("outcome")};
      });
}

}  // namespace weft::experiment
