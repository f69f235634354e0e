// SPDX-License-Identifier: Apache-2.0
#include "weft/study/point.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/keys.h"
#include "weft/file/read_bytes.h"
#include "weft/report/format.h"
#include "weft/report/results.h"
#include "weft/report/run_assessment.h"
#include "weft/study/other_experiments.h"
#include "weft/study/sha256.h"
#include "weft/workload/error.h"

namespace weft::experiment {

namespace {

/// The files that \p file stands for: all files of a folder, the files of all ranks of a Chakra trace, or the file
/// itself.
std::vector<std::filesystem::path> files_of(const std::filesystem::path& file) {
  std::error_code none;  // ignored here; reading the file reports errors
  if (std::vector<std::filesystem::path> ranks = chakra_files_of(file); !ranks.empty()) return ranks;
  if (!std::filesystem::is_directory(file, none)) return {file};
  std::vector<std::filesystem::path> all;
  for (auto i = std::filesystem::directory_iterator(file, none); i != std::filesystem::directory_iterator() && !none;
       i.increment(none))
    all.push_back(i->path());
  return all;
}

/// Hash of the contents of \p file. If \p file stands for several files, their names are hashed, too.
std::string hash_of_file(const std::filesystem::path& file, const std::string& key, const std::string& place) {
  try {
    const std::vector<std::filesystem::path> files = files_of(file);
    if (files == std::vector{file}) return sha256(read_bytes(file));
    std::map<std::string, std::string> parts;
    for (const std::filesystem::path& part : files) parts[part.filename().string()] = sha256(read_bytes(part));
    return sha256(fmt::format("{}", fmt::join(parts, "\n")));
  } catch (const workload_error& e) {
    throw configuration_error({{place, fmt::format("{}: {}", key, e.what())}});
  } catch (const file_error& e) {
    throw configuration_error({{place, fmt::format("{}: {} {}", key, file.string(), e.what())}});
  }
}

/// The reason why a run is neither complete nor saturated; empty for complete and saturated runs.
std::string reason_of(outcome how, const std::vector<std::string>& explanation) {
  if (how == outcome::Complete || how == outcome::Saturated) return "";
  if (how == outcome::Empty) return "no packet was created in the window";
  if (how == outcome::NotDrained) return "measured packets were under way at the end of the drain limit";
  return explanation.empty() ? "" : explanation.front();
}

point_result simulate_traffic(const configuration& c, const rtl_provider& rtl, const run_hooks& hooks) {
  experiment work(c, nullptr, {}, rtl);
  const run_result result = work.run(hooks);
  work.tear_down();
  const run_summary r{c, work.graph(), work.measured(), result, 0};
  point_result recorded = result_of(result.how, result.explanation, to_csv(r), to_json(r));
  if (result.how == outcome::Undecided) recorded.error = window_text(r);
  return recorded;
}

}  // namespace

std::string id_of(const configuration& c) {
  json decides = to_json(c);
  if (decides.contains("simulation")) decides["simulation"].erase("threads");  // it changes no result
  configuration copy = c;
  for (const key& k : keys(copy)) {
    const json::json_pointer at = pointer_to(k.path);
    if (k.type.what == value_type::kind::Path && decides.contains(at))
      decides[at] = hash_of_file(c.file.parent_path() / k.get().get<std::string>(), k.path, c.where(k.path));
  }
  return sha256(fmt::format("weft {}\n{}\n", version(), compact_text(decides)));
}

bool is_final(const point_result& r) { return r.outcome != "failed" && r.outcome != name_of(outcome::Interrupted); }

bool is_failure(const point_result& r) { return !has_whole_window(r.outcome) && r.outcome != "infeasible"; }

point_result result_of(outcome how, const std::vector<std::string>& explanation, std::string csv, const json& file) {
  return {name_of(how), reason_of(how, explanation), std::move(csv), compact_text(file)};
}

point_result without_result(const std::string& outcome, std::string message) {
  for (std::size_t at = 0; (at = message.find('\n', at)) != std::string::npos;) message.replace(at, 1, "; ");
  return {outcome, std::move(message), "", ""};
}

point_result run_point(configuration c, const rtl_provider& rtl, const run_hooks& hooks) {
  try {
    if (c.collective.algorithm) return run_collective_point(c, rtl, hooks);
    if (!c.workload.trace.empty()) return run_replay_point(c, rtl, hooks);
    return simulate_traffic(c, rtl, hooks);
  } catch (const configuration_error& e) {
    return without_result("infeasible", e.what());
  }
}

std::string packed(const point_result& r) { return compact_text(json::array({r.outcome, r.error, r.csv, r.json})); }

point_result unpacked(const std::string& text) {
  const json j = json::parse(text, nullptr, false);
  if (!j.is_array() || j.size() != 4) return without_result("failed", "its process died");
  return {j[0], j[1], j[2], j[3]};
}

void check_sweepable(const configuration& c) {
  const auto reject = [&c](const char* key, bool requested) {
    if (requested)
      throw configuration_error({{c.where(key), fmt::format("{} has no effect here; a sweep or comparison writes no "
                                                            "such file",
                                                            key)}});
  };
  reject("output.event_log", c.output.event_log);
  reject("output.answers", c.output.answers);
  reject("output.vcd", !c.output.vcd.empty());
}

}  // namespace weft::experiment
