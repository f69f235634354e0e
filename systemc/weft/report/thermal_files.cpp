// SPDX-License-Identifier: Apache-2.0
#include "weft/report/thermal_files.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/report/energy_statistics.h"
#include "weft/topology/files/drawing.h"

namespace weft::experiment {

namespace {

/// Whether no two tiles have the same place.
bool are_distinct(const std::vector<drawing_point>& tiles) {
  std::set<std::pair<double, double>> places;
  for (const drawing_point& tile : tiles) places.insert({tile.x, tile.y});
  return places.size() == tiles.size();
}

/// The columns and rows of the tiles, from the lower left corner.
std::vector<drawing_point> tiles_of(const topology& graph) {
  const drawing_layout layout = lay_out(graph);
  std::vector<drawing_point> tiles;
  if (layout.grid) {
    double lowest = 0;
    for (const drawing_point& p : layout.routers) lowest = std::max(lowest, p.y);
    for (const drawing_point& p : layout.routers)
      tiles.push_back({std::round(p.x / Pitch), std::round((lowest - p.y) / Pitch)});
    if (are_distinct(tiles)) return tiles;
    tiles.clear();
  }
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(graph.routers.size()))));
  for (std::size_t r = 0; r < graph.routers.size(); ++r) {
    const std::size_t row = r / side;
    tiles.push_back({static_cast<double>(r % side), static_cast<double>(row)});
  }
  return tiles;
}

}  // namespace

std::string floor_plan(const topology& graph, double pitch) {
  const double width = pitch * 1e-3;
  std::string text = "# unit width height left-x bottom-y, in meters\n";
  const std::vector<drawing_point> tiles = tiles_of(graph);
  for (std::size_t r = 0; r < tiles.size(); ++r)
    text += fmt::format("router_{}\t{:.6g}\t{:.6g}\t{:.6g}\t{:.6g}\n", r, width, width, tiles[r].x * width,
                        tiles[r].y * width);
  return text;
}

std::string power_trace(const run_summary& r) {
  std::string text;
  for (std::size_t id = 0; id < r.graph.routers.size(); ++id)
    text += fmt::format("{}router_{}", id == 0 ? "" : "\t", id);
  text += "\n";
  for (const time_series::entry& e : r.result.series) {
    for (std::size_t id = 0; id < e.energy.size(); ++id)
      text += fmt::format("{}{:.6g}", id == 0 ? "" : "\t",
                          1e-3 * milliwatts(e.energy[id], *r.config.output.interval, *r.result.energy->cost));
    text += "\n";
  }
  return text;
}

}  // namespace weft::experiment
