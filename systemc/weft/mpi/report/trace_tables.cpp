// SPDX-License-Identifier: Apache-2.0
/// Writes the contents of a trace as tables and as JSON.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/mpi/report/trace_results.h"
#include "weft/report/format.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

namespace {

constexpr std::size_t MostRows = 32;  ///< ranks and pairs in the table; JSON contains all

const char* name_of(trace_ending how) {
  switch (how) {
    case trace_ending::Complete:
      return "complete";
    case trace_ending::Open:
      return "not ended";
    case trace_ending::Truncated:
      break;
  }
  return "cut off";
}

std::string seconds(std::uint64_t nanoseconds) { return fmt::format("{:.6f}", static_cast<double>(nanoseconds) / 1e9); }

/// The sizes in a size class: "4 to 7 bytes".
std::string size_range(unsigned bits) {
  if (bits < 2) return bits == 0 ? "0 bytes" : "1 byte";
  return fmt::format("{} to {} bytes", std::uint64_t{1} << (bits - 1), (std::uint64_t{2} << (bits - 1)) - 1);
}

/// Original bits divided by coded bits; nothing if nothing is coded.
std::optional<double> compression(const payload_metrics& p, std::uint64_t bits) {
  if (bits == 0) return std::nullopt;
  return 32.0 * static_cast<double>(p.words) / static_cast<double>(bits);
}

std::string ratio_cell(const payload_metrics& p, std::uint64_t bits) {
  const std::optional<double> value = compression(p, bits);
  return value ? fmt::format("{:.3f}", *value) : "";
}

std::string head(const trace_summary& r) {
  std::string text = fmt::format("{}: {} on {} rank{}", printable(r.path), printable(r.about.program), r.ranks.size(),
                                 r.ranks.size() == 1 ? "" : "s");
  text += fmt::format(", payload {}", TracePayloadNames[static_cast<std::size_t>(r.about.payload)]);
  if (r.about.payload == trace_payload::Sampled) text += fmt::format(" (1 message of {})", r.about.sample);
  if (r.about.cut != truncation_point::None)
    text += fmt::format(", up to {} bits of doubles cut at the {}{}", r.about.cut_bits,
                        TruncationPointNames[static_cast<std::size_t>(r.about.cut)],
                        r.about.truncation_rules.empty() ? "" : " by `" + printable(r.about.truncation_rules) + "`");
  return text + fmt::format(", {} clock\n", TraceClockNames[static_cast<std::size_t>(r.about.clock)]);
}

std::string rank_table(const trace_summary& r) {
  text_columns t(1);
  t.row({"rank", "calls", "computing s", "in MPI s", "computing", "messages", "message bytes", "collectives",
         "collective bytes", "end"});
  const auto row = [&t](const std::string& name, const rank_metrics& f, const std::string& end) {
    t.row({name, std::to_string(f.calls), seconds(f.computing), seconds(f.inside),
           percent(f.computing, f.computing + f.inside), std::to_string(f.sent.number), std::to_string(f.sent.bytes),
           std::to_string(f.contributed.number), std::to_string(f.contributed.bytes), end});
  };
  for (std::size_t i = 0; i < std::min(r.ranks.size(), MostRows); ++i)
    row(std::to_string(i), r.ranks[i], name_of(r.ranks[i].ending));
  if (r.ranks.size() > MostRows) t.row({fmt::format("… {} more", r.ranks.size() - MostRows)});
  row("all", r.total(), "");
  return t.text();
}

std::string call_table(const trace_summary& r) {
  text_columns t(1);
  t.row({"function", "calls", "bytes sent"});
  for (std::size_t f = 0; f < r.calls.size(); ++f) {
    const auto function = static_cast<mpi_function>(f);
    const bool sends = !is_receive(function) && !is_matched_probe(function) && !is_completion(function);
    if (r.calls[f] > 0 && is_recorded(function))
      t.row({MpiFunctionNames[f], std::to_string(r.calls[f]), sends ? std::to_string(r.sent[f]) : ""});
  }
  return t.text();
}

std::string message_tables(const trace_summary& r) {
  text_columns sizes(1), pairs(1), types(1);
  sizes.row({"messages of", "number", "bytes"});
  for (const auto& [bits, of_size] : r.sizes)
    sizes.row({size_range(bits), std::to_string(of_size.number), std::to_string(of_size.bytes)});
  pairs.row({"from", "to", "messages", "bytes"});
  std::size_t shown = 0;
  for (const auto& [pair, between] : r.pairs)
    if (shown++ < MostRows)
      pairs.row({std::to_string(pair.first), std::to_string(pair.second), std::to_string(between.number),
                 std::to_string(between.bytes)});
  types.row({"type", "messages and collectives", "bytes"});
  for (const auto& [name, of_type] : r.elements)
    types.row({name, std::to_string(of_type.number), std::to_string(of_type.bytes)});
  std::string text;
  if (!r.sizes.empty()) text += "\n" + sizes.text() + "\n" + pairs.text();
  if (r.pairs.size() > MostRows)
    text += fmt::format("  … {} more pairs; --json has them all\n", r.pairs.size() - MostRows);
  return text + (r.elements.empty() ? "" : "\n" + types.text());
}

std::string payload_table(const trace_summary& r) {
  if (r.payload.empty()) return "";
  text_columns t(1);
  t.row({"payload of", "messages", "bytes", "Table I", "tuned", "classic", fmt::format("LSB-cut of {}", r.cut),
         "best run lengths"});
  for (const auto& [name, p] : r.payload)
    t.row({name, std::to_string(p.messages.number), std::to_string(p.messages.bytes), ratio_cell(p, p.table),
           ratio_cell(p, p.tuned), ratio_cell(p, p.classic), ratio_cell(p, p.lsb_cut),
           fmt::format("{}", fmt::join(p.best.runs, ","))});
  return "\n" + t.text();
}

std::string notes(const trace_summary& r) {
  std::string text;
  for (std::size_t f = 0; f < r.calls.size(); ++f)
    if (r.calls[f] > 0 && !is_recorded(static_cast<mpi_function>(f)))
      text += fmt::format("  Not covered, data not in the trace: {} ({}).\n", MpiFunctionNames[f], r.calls[f]);
  for (std::size_t i = 0; i < r.ranks.size(); ++i) {
    if (r.ranks[i].threads > 1)
      text += fmt::format("  Rank {}: {} threads called MPI; a replay keeps the order of their calls.\n", i,
                          r.ranks[i].threads);
    if (r.ranks[i].ending == trace_ending::Open)
      text += fmt::format("  Rank {} did not reach MPI_Finalize: its last calls may be missing.\n", i);
    if (r.ranks[i].ending == trace_ending::Truncated)
      text += fmt::format("  Rank {} is cut off within a block: {} bytes are left out.\n", i, r.ranks[i].lost_bytes);
  }
  const bool complete = std::all_of(r.ranks.begin(), r.ranks.end(),
                                    [](const rank_metrics& f) { return f.ending == trace_ending::Complete; });
  if (r.total().calls == 0)
    text += complete ? "  No call was recorded: functions called from Fortran are not seen.\n"
                     : "  No call was recorded: the program ended before its first calls were written.\n";
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string to_table(const trace_summary& r) {
  return head(r) + "\n" + rank_table(r) + "\n" + call_table(r) + message_tables(r) + payload_table(r) + notes(r);
}

json to_json(const trace_summary& r) {
  json ranks = json::array(), calls = json::object(), uncovered = json::object(), sizes = json::array(),
       pairs = json::array(), types = json::object(), payload = json::object();
  for (const rank_metrics& f : r.ranks)
    ranks.push_back({{"calls", f.calls},
                     {"threads", f.threads},
                     {"computing_ns", f.computing},
                     {"in_mpi_ns", f.inside},
                     {"messages", f.sent.number},
                     {"message_bytes", f.sent.bytes},
                     {"collectives", f.contributed.number},
                     {"collective_bytes", f.contributed.bytes},
                     {"ending", name_of(f.ending)},
                     {"lost_bytes", f.lost_bytes}});
  for (std::size_t f = 0; f < r.calls.size(); ++f) {
    if (r.calls[f] == 0) continue;
    const auto function = static_cast<mpi_function>(f);
    if (!is_recorded(function))
      uncovered[MpiFunctionNames[f]] = r.calls[f];
    else
      calls[MpiFunctionNames[f]] = {{"calls", r.calls[f]}, {"bytes", r.sent[f]}};
  }
  for (const auto& [bits, of_size] : r.sizes)
    sizes.push_back({{"from", bits == 0 ? 0 : std::uint64_t{1} << (bits - 1)},
                     {"messages", of_size.number},
                     {"bytes", of_size.bytes}});
  for (const auto& [pair, between] : r.pairs)
    pairs.push_back(
        {{"from", pair.first}, {"to", pair.second}, {"messages", between.number}, {"bytes", between.bytes}});
  for (const auto& [name, of_type] : r.elements) types[name] = {{"number", of_type.number}, {"bytes", of_type.bytes}};
  for (const auto& each : r.payload) {
    const auto& p = each.second;
    json j = {{"messages", p.messages.number}, {"bytes", p.messages.bytes}, {"tuned_runs", p.best.runs}};
    const auto add = [&](const char* key, std::uint64_t bits) {
      if (const std::optional<double> value = compression(p, bits)) j[key] = *value;
    };
    add("table_ratio", p.table);
    add("tuned_ratio", p.tuned);
    add("classic_ratio", p.classic);
    add("lsb_cut_ratio", p.lsb_cut);
    payload[each.first] = std::move(j);
  }
  return {{"trace", r.path},
          {"program", r.about.program},
          {"payload_kept", TracePayloadNames[static_cast<std::size_t>(r.about.payload)]},
          {"sample", r.about.sample},
          {"cut_at", TruncationPointNames[static_cast<std::size_t>(r.about.cut)]},
          {"cut_bits", r.about.cut_bits},
          {"cuts", r.about.truncation_rules},
          {"clock", TraceClockNames[static_cast<std::size_t>(r.about.clock)]},
          {"computing_share", ratio(r.total().computing, r.total().computing + r.total().inside)},
          {"ranks", std::move(ranks)},
          {"calls", std::move(calls)},
          {"not_covered", std::move(uncovered)},
          {"message_sizes", std::move(sizes)},
          {"pairs", std::move(pairs)},
          {"types", std::move(types)},
          {"lsb_cut", r.cut},
          {"payload", std::move(payload)}};
}

}  // namespace weft::experiment
