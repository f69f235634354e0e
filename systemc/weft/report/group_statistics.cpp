// SPDX-License-Identifier: Apache-2.0
#include "weft/report/group_statistics.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "weft/report/format.h"
#include "weft/report/run_assessment.h"
#include "weft/report/run_details.h"
#include "weft/report/statistic_views.h"

namespace weft::experiment {

namespace {

/// A group of packets with the names that it has in the results.
struct named_group {
  json identity;  ///< first members of its JSON object
  bool has_replies = false;
  const packet_group& packets;
};

std::vector<named_group> traffics_of(const run_summary& r) {
  std::vector<named_group> groups;
  const std::vector<packet_group>& measured = r.measured.by_traffic();
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const measured_traffic& t = r.measured.traffics()[i];
    json identity = {{"name", t.name}, {"class", t.message_class}};
    if (t.reply_class) identity["reply_class"] = *t.reply_class;
    groups.push_back({std::move(identity), t.reply_class.has_value(), measured[i]});
  }
  return groups;
}

std::vector<named_group> classes_of(const run_summary& r) {
  std::vector<named_group> groups;
  const std::vector<packet_group>& measured = r.measured.by_class();
  for (std::size_t i = 0; i < measured.size(); ++i) groups.push_back({{{"class", i}}, false, measured[i]});
  return groups;
}

/// \p estimated, unless the run of \p r has no interval of this kind: \p of_all is that of all packets.
interval unless_unsteady(const interval& of_all, const interval& estimated) {
  return of_all.half_width || of_all.none == nullptr ? estimated : of_all;
}

interval latency_interval(const run_summary& r, const packet_group& group) {
  return unless_unsteady(latency_interval(r), group.latency_interval(r.measured.window_end()));
}

rate offered(const run_summary& r, const packet_group& group) {
  return with_interval(r, group.offered(r.measured.window_end()));
}

rate accepted(const run_summary& r, const packet_group& group) {
  return with_interval(r, group.accepted(r.measured.window_end()));
}

json to_json(const run_summary& r, const named_group& named) {
  const packet_group& group = named.packets;
  const cycle_t end = r.measured.window_end();
  json j = named.identity;
  j["measured"] = group.measured();
  j["delivered"] = group.latency().count();
  j["offered"] = rate_json(offered(r, group));
  j["accepted"] = rate_json(accepted(r, group));
  j["latency"] = distribution_json(group.latency(), latency_interval(r, group));
  j["network_latency"] = distribution_json(
      group.network_latency(), unless_unsteady(network_latency_interval(r), group.network_latency_interval(end)));
  if (named.has_replies)
    j["round_trip"] =
        distribution_json(group.round_trips(), unless_unsteady(latency_interval(r), group.round_trip_interval(end)));
  return j;
}

json to_json(const run_summary& r, const std::vector<named_group>& groups) {
  json list = json::array();
  for (const named_group& group : groups) list.push_back(to_json(r, group));
  return list;
}

/// Adds the columns of \p group, an element of the statistic `traffics` or `classes`. \param start of the columns
void add_cells(const json& group, const std::string& start, std::vector<std::pair<std::string, std::string>>& cells) {
  const auto add = [&](const char* column, const char* part) {
    const json::json_pointer place(part);
    cells.emplace_back(start + column, group.contains(place) ? csv_text_of(group.at(place)) : "");
  };
  add("_packets", "/delivered");
  add("_offered", "/offered/mean");
  add("_accepted", "/accepted/mean");
  add("_latency_mean", "/latency/mean");
  add("_latency_half_width", "/latency/half_width");
  add("_latency_p50", "/latency/percentiles/50");
  add("_latency_p99", "/latency/percentiles/99");
  add("_latency_max", "/latency/max");
  add("_in_network_mean", "/network_latency/mean");  // no end of a column may be the end of another
  if (group.contains("round_trip")) add("_round_trip_mean", "/round_trip/mean");
}

std::string row_of(const run_summary& r, const named_group& named) {
  const packet_group& group = named.packets;
  const histogram& latency = group.latency();
  std::string text = fmt::format("  {:<18}{:>9.4f}{:>10.4f}", name_of_group(named.identity), offered(r, group).mean,
                                 accepted(r, group).mean);
  if (latency.count() == 0) return text + fmt::format("{:>17}\n", "-");
  text += fmt::format("{:>17}", plus_minus(latency.mean(), latency_interval(r, group).half_width, 2));
  for (const double p : {50., 99.}) text += fmt::format("{:>9}", grouped(latency.percentile(p)));
  text += fmt::format("{:>9}", grouped(latency.max()));
  if (group.round_trips().count() > 0) text += fmt::format("  round trip {:.2f}", group.round_trips().mean());
  return text + "\n";
}

}  // namespace

std::string name_of_group(const json& group) {
  return group.contains("name") ? group["name"].get<std::string>() : "class " + group.at("class").dump();
}

void add_groups(statistic_table<run_summary>& t) {
  t.add("traffics", "",
        "for each of several traffics, or each flow: its `name` and message `class` (also the `reply_class` of a "
        "closed loop), how "
        "many of its packets were created in the window (`measured`) and how many of these were `delivered`, the "
        "`offered` and `accepted` throughput, and the distributions of `latency` and `network_latency` (also of the "
        "`round_trip`) with the members described above. The throughput is in flits per cycle and node of the whole "
        "network, so that the values of all traffics add up to that of the network",
        [](const run_summary& r) { return to_json(r, traffics_of(r)); })
      .in_json_if([](const run_summary& r) { return !r.measured.by_traffic().empty(); });
  t.add("classes", "", "the same for each message `class`, present only if `network.router.classes` is above 1",
        [](const run_summary& r) { return to_json(r, classes_of(r)); })
      .in_json_if([](const run_summary& r) { return !r.measured.by_class().empty(); });
}

std::vector<std::pair<std::string, std::string>> group_cells(const json& result) {
  std::vector<std::pair<std::string, std::string>> cells;
  for (const json& group : result.value("traffics", json::array()))
    add_cells(group, "traffic_" + group.at("name").get<std::string>(), cells);
  for (const json& group : result.value("classes", json::array()))
    add_cells(group, "class_" + group.at("class").dump(), cells);
  return cells;
}

std::vector<std::pair<std::string, std::string>> group_cells(const run_summary& r) {
  return group_cells(json{{"traffics", to_json(r, traffics_of(r))}, {"classes", to_json(r, classes_of(r))}});
}

std::string group_rows(const run_summary& r) {
  std::string rows;
  for (const named_group& group : traffics_of(r)) rows += row_of(r, group);
  for (const named_group& group : classes_of(r)) rows += row_of(r, group);
  if (rows.empty()) return rows;
  return fmt::format("\n  {:<18}{:>9}{:>10}{:>17}{:>9}{:>9}{:>9}\n", "packets of", "offered", "accepted",
                     "mean latency", "50 %", "99 %", "max") +
         rows;
}

}  // namespace weft::experiment
