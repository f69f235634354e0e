// SPDX-License-Identifier: Apache-2.0
/// Pictures over time: runs by intervals, collectives by steps, and programs by ranks.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/picture/chart.h"
#include "weft/picture/picture.h"

namespace weft::experiment {

namespace {

/// The samples of \p column of the time series, one for each interval that has a value.
std::vector<sample> time_samples(const stored_result& run, const char* column) {
  const auto found = run.content.find("time_series");
  if (found == run.content.end() || !found->contains(column))
    reject_without(run, "time_series", "set output.interval: CYCLES in its configuration and run it again");
  const json &starts = found->at("start"), &values = found->at(column);
  std::vector<sample> samples;
  for (std::size_t i = 0; i < std::min(starts.size(), values.size()); ++i)
    if (values[i].is_number()) samples.push_back({starts[i].get<double>(), values[i].get<double>(), std::nullopt});
  if (samples.empty())
    reject_without(run, std::string("time_series.") + column,
                   "no interval has a value; make output.interval shorter, or the load higher, and run it again");
  return samples;
}

/// The shares of packets that were compressed, over the time of their creation.
std::vector<sample> compressed_samples(const stored_result& run) {
  const json::json_pointer place("/compression/over_time");
  if (!run.content.contains(place))
    reject_without(run, "compression.over_time", "set nic.compression.mode and run it again");
  std::vector<sample> samples;
  for (const json& interval : run.content.at(place))
    if (const auto packets = interval.at("packets").get<double>(); packets > 0)
      samples.push_back(
          {interval.at("first").get<double>(), interval.at("compressed").get<double>() / packets, std::nullopt});
  if (samples.empty()) reject_without(run, "compression.over_time", "no packet was measured; run it again");
  return samples;
}

picture over_time(const stored_results& stored, const picture_request& request, const char* kind, const char* title,
                  const char* y_label, const samples_of_run& samples) {
  return to_picture(curve_chart{request.title.empty() ? title : request.title, "time, cycles", y_label,
                                series_of_runs(stored, request, kind, samples)});
}

}  // namespace

picture accepted_over_time(const stored_results& stored, const picture_request& request) {
  return over_time(stored, request, "accepted-time", "Accepted load over time", "accepted load, flits/node/cycle",
                   [](const stored_result& run) { return time_samples(run, "accepted"); });
}

picture latency_over_time(const stored_results& stored, const picture_request& request) {
  return over_time(stored, request, "latency-time", "Latency over time", "mean packet latency, cycles",
                   [](const stored_result& run) { return time_samples(run, "latency"); });
}

picture power_over_time(const stored_results& stored, const picture_request& request) {
  return over_time(stored, request, "power-time", "Power over time", "mean power, mW", [](const stored_result& run) {
    const auto series = run.content.find("time_series");
    if (series != run.content.end() && !series->contains("power"))
      reject_without(run, "time_series.power", "set output.energy: TECHNOLOGY in its configuration and run it again");
    return time_samples(run, "power");
  });
}

picture compressed_over_time(const stored_results& stored, const picture_request& request) {
  return over_time(stored, request, "compressed-time", "Packets compressed", "packets compressed, share of all",
                   compressed_samples);
}

picture steps_of_collective(const stored_results& stored, const picture_request& request) {
  const stored_result& collective = only_one(stored.collectives, stored, "steps", "collective");
  const json& content = collective.content;
  span_chart chart{request.title, "time, cycles", {}};
  if (chart.title.empty()) chart.title = "Steps of " + content.value("name", "the collective");
  for (const json& step : content.at("steps"))
    if (step.at("begin").is_number() && step.at("end").is_number())
      chart.spans.push_back(
          {"step " + step.at("step").get<std::string>(), step["begin"].get<double>(), step["end"].get<double>()});
  if (chart.spans.empty()) reject_without(collective, "steps", "no message arrived");
  return to_picture(chart);
}

picture time_of_ranks(const stored_results& stored, const picture_request& request) {
  constexpr std::size_t MostNamed = 32;
  const stored_result& replay = only_one(stored.replays, stored, "ranks", "replay");
  const json& ranks = replay.content.at("ranks");
  bar_chart chart{request.title, "cycles", {}, {"computing", "waiting for messages", "sending"}, {}};
  if (chart.title.empty()) chart.title = "What the ranks of " + replay.content.value("program", "the program") + " did";
  const std::size_t between = ranks.size() / MostNamed + 1;
  for (const json& rank : ranks) {
    const std::size_t number = chart.bars.size();
    chart.bars.push_back(number % between == 0 ? fmt::format("rank {}", number) : "");
    chart.heights.emplace_back();
    for (const char* part : {"computing", "receiving", "sending"})
      chart.heights.back().push_back(rank.at(part).get<double>());
  }
  if (chart.bars.empty()) reject_without(replay, "ranks", "it replays a list of messages, which has none");
  return to_picture(chart);
}

}  // namespace weft::experiment
