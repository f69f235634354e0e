// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/network_map.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "weft/configuration/network.h"
#include "weft/report/channels.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

namespace {

/// Checks that the network file that the configuration of \p run names, if any, exists. Its path is relative to the
/// result.
void require_file(const stored_result& run, const json& settings) {
  const json::json_pointer named("/network/topology/file");
  if (!settings.contains(named)) return;
  const std::filesystem::path folder = std::filesystem::path(run.file).parent_path();
  const std::filesystem::path file = (folder / settings.at(named).get<std::string>()).lexically_normal();
  if (std::error_code error; !std::filesystem::exists(file, error))
    reject_without(run, fmt::format("topology file {}", file.string()),
                   "copy the file there, or draw the picture where the result was made");
}

/// Rebuilds the network of \p run without the other parts of the simulation, which were checked before the run.
topology network_of(const stored_result& run) {
  const json& settings = run.content.at("configuration");
  require_file(run, settings);
  json kept = {{"network", settings.at("network")}};
  for (const char* key : {"ports", "link_cycles"})
    if (settings.contains("nic") && settings["nic"].contains(key)) kept["nic"][key] = settings["nic"][key];
  configuration c = parse_unchecked(kept.dump(), run.file, {});
  c.routing.allow_deadlock = true;
  return build_network(c);
}

/// Moves \p course by \p distance pixels to the right, seen in its direction.
points moved_aside(const points& course, double distance) {
  points moved;
  for (std::size_t i = 0; i < course.size(); ++i) {
    const drawing_point along = course[std::min(i + 1, course.size() - 1)] - course[i == 0 ? 0 : i - 1];
    moved.push_back(course[i] - distance * turned(unit(along)));
  }
  return moved;
}

/// The list `channels` of the result \p run; if it is empty, all channels with 0 flits.
json rows_of(const stored_result& run, const topology& graph) {
  json channels = run.content.value("channels", json::array());
  if (!channels.empty()) return channels;
  std::vector<channel_count> none;
  for (router_id r = 0; r < graph.routers.size(); ++r)
    for (unsigned port = 0; port < graph.routers[r].ports; ++port) none.push_back({r, port, 0});
  return channels_json(graph, none, 1);
}

using indices_by_port = std::map<std::pair<router_id, std::string>, std::size_t>;

indices_by_port indices_of(const json& rows) {
  indices_by_port indices;
  for (std::size_t i = 0; i < rows.size(); ++i)
    indices[{rows[i].at("router").get<router_id>(), rows[i].at("port").get<std::string>()}] = i;
  return indices;
}

}  // namespace

network_map map_of(const stored_result& run) {
  constexpr double Aside = 3.2;
  network_map map{network_of(run), {}, {}, {}};
  map.drawing = draw_network(map.graph);
  map.rows = rows_of(run, map.graph);
  const indices_by_port rows = indices_of(map.rows);
  const wiring wires(map.graph);
  const auto add = [&](std::uint32_t index, const points& course) {
    const channel& c = map.graph.channels[index];
    const auto row = rows.find({c.from.router, port_name(map.graph, c.from)});
    if (row == rows.end())
      reject_without(run, full_name(map.graph, c), "its network file has changed since the run; run it again");
    map.channels.push_back({index, row->second, course});
  };
  const std::vector<link_line> lines = lines_between(map.graph);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const points& course = map.drawing.curves[i].course;
    const std::uint32_t there = lines[i].channel;
    add(there, lines[i].two_way ? moved_aside(course, Aside) : course);
    if (!lines[i].two_way) continue;
    const std::uint32_t back = wires.output(map.graph.channels[there].to).index;
    add(back, moved_aside({course.rbegin(), course.rend()}, Aside));
  }
  return map;
}

std::vector<double> router_utilisation(const network_map& map) {
  std::vector<double> sums(map.graph.routers.size());
  std::vector<int> ports(map.graph.routers.size());
  for (const json& c : map.rows) {
    const auto router = c.at("router").get<router_id>();
    if (router >= sums.size()) continue;
    sums[router] += c.at("utilisation").get<double>();
    ++ports[router];
  }
  for (std::size_t r = 0; r < sums.size(); ++r)
    if (ports[r] > 0) sums[r] /= ports[r];
  return sums;
}

}  // namespace weft::experiment
