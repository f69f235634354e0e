// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/program/program_results.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/experiment/report/format.h"
#include "weft/experiment/report/text_columns.h"

namespace weft::experiment {

namespace {

std::string ranks_text(const program_figures& f) {
  constexpr std::size_t MostRanks = 32;
  text_columns t(1);
  t.row({"rank", "node", "computing", "receiving", "sending", "end", "messages", "bytes"});
  for (std::size_t r = 0; r < std::min(f.ranks.size(), MostRanks); ++r) {
    const replay_rank_figures& own = f.ranks[r];
    t.row({std::to_string(r), std::to_string(f.nodes[r]), percent(own.computing, own.end),
           percent(own.receiving, own.end), percent(own.sending, own.end), std::to_string(own.end),
           std::to_string(own.messages), std::to_string(own.bytes)});
  }
  if (f.ranks.size() > MostRanks) t.row({fmt::format("… {} more", f.ranks.size() - MostRanks)});
  return t.text();
}

}  // namespace

std::string to_table(const program_report& r) {
  const program_figures& first = r.replays.front().figures;
  std::string text =
      fmt::format("{}: {} on {} ranks, on the network of {}, {}\n\n", r.trace, r.program.name, r.program.ranks.size(),
                  r.config.file.string(), r.config.simulation.level == level_kind::Tlm ? "tlm" : "pin");
  text_columns t(1);
  t.row({"compression", "makespan", "speed-up", "path computing", "path network", "path messages", "packets", "flits",
         "flit hops"});
  for (const named_replay& one : r.replays) {
    const program_figures& f = one.figures;
    t.row({one.compression, std::to_string(f.makespan), fmt::format("{:.3f}", ratio(first.makespan, f.makespan)),
           std::to_string(f.path.computing), std::to_string(f.path.network), std::to_string(f.path.messages),
           std::to_string(f.packets), std::to_string(f.flits), std::to_string(f.flit_hops)});
  }
  text += t.text() + "\n" + ranks_text(r.replays.back().figures);
  if (r.program.uncovered > 0)
    text += fmt::format("\n  {} calls carried data that the trace does not have.\n", r.program.uncovered);
  for (const named_replay& one : r.replays)
    for (const std::string& line : one.figures.explanation) text += "  " + line + "\n";
  return text;
}

json to_json(const program_report& r) {
  json replays = json::array();
  for (const named_replay& one : r.replays) {
    const program_figures& f = one.figures;
    json ranks = json::array();
    for (std::size_t i = 0; i < f.ranks.size(); ++i)
      ranks.push_back({{"node", f.nodes[i]},
                       {"computing", f.ranks[i].computing},
                       {"receiving", f.ranks[i].receiving},
                       {"sending", f.ranks[i].sending},
                       {"end", f.ranks[i].end},
                       {"messages", f.ranks[i].messages},
                       {"bytes", f.ranks[i].bytes}});
    replays.push_back({{"compression", one.compression},
                       {"outcome", name_of(f.how)},
                       {"explanation", f.explanation},
                       {"makespan", f.makespan},
                       {"critical_path",
                        {{"computing", f.path.computing}, {"network", f.path.network}, {"messages", f.path.messages}}},
                       {"mapping_cost", f.mapping_cost},
                       {"packets", f.packets},
                       {"flits", f.flits},
                       {"flit_hops", f.flit_hops},
                       {"bytes", f.bytes},
                       {"changed_flits", f.changed_flits},
                       {"ranks", std::move(ranks)}});
  }
  return {{"trace", r.trace},
          {"program", r.program.name},
          {"configuration", r.config.file.string()},
          {"version", version()},
          {"seed", r.config.simulation.seed},
          {"map", r.choices.map},
          {"computing", r.choices.computing},
          {"gigahertz", r.choices.gigahertz},
          {"eager_bytes", r.choices.eager},
          {"packet_flits", r.choices.packet},
          {"calls_not_covered", r.program.uncovered},
          {"replays", std::move(replays)}};
}

}  // namespace weft::experiment
