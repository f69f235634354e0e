// SPDX-License-Identifier: Apache-2.0
/// Pictures of a run's network: its heat map, and the ring of a deadlock.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/picture/chart.h"
#include "weft/picture/network_map.h"
#include "weft/picture/picture.h"
#include "weft/picture/waiting_ring.h"
#include "weft/topology/names.h"

namespace weft::experiment {

namespace {

constexpr double Scale = 140;  ///< width in pixels of the color scale with its numbers and label

/// A canvas for the area between \p low and \p high, with space for the color scale.
picture canvas(const std::string& title, drawing_point low, drawing_point high) {
  constexpr double MostPixels = 1000, LeastPixels = 360, LeastHeight = 300, Around = 24, Heading = 40;
  const drawing_point size = high - low + drawing_point{2 * Around, 2 * Around};
  const double zoom = std::min(MostPixels / std::max(size.x, size.y), std::max(1.0, LeastPixels / size.x));
  const title_above lines = title_over(title, static_cast<unsigned>(zoom * size.x));
  const double above = Heading + lines.room;
  picture p{title, static_cast<unsigned>(zoom * size.x + Scale),
            static_cast<unsigned>(std::max(LeastHeight, zoom * size.y + above)), ""};
  p.script = fmt::format(
      "{}unset key\nunset border\nunset tics\nset size ratio -1\n"
      "set margins at screen 0.01, screen {:.5f}, screen 0.01, screen {:.5f}\nset xrange [{}:{}]\nset yrange [{}:{}]\n",
      lines.command, 1 - Scale / p.width, 1 - above / p.height, low.x - Around, high.x + Around, high.y + Around,
      low.y - Around);
  return p;
}

std::string line_data(const network_map& map) {
  std::string data = "$links << EOD\n";
  for (const mapped_channel& c : map.channels) {
    const auto value = map.rows[c.row].at("utilisation").get<double>();
    for (const drawing_point at : c.course) data += fmt::format("{:.2f} {:.2f} {}\n", at.x, at.y, value);
    data += "\n";
  }
  return data + "EOD\n";
}

}  // namespace

picture network_heat(const stored_results& stored, const picture_request& request) {
  std::vector<stored_result> all = stored.runs;
  for (const auto* more : {&stored.collectives, &stored.replays}) all.insert(all.end(), more->begin(), more->end());
  const stored_result& run = only_one(all, stored, "network", "result");
  const network_map map = map_of(run);
  const std::vector<double> routers = router_utilisation(map);
  double high = *std::max_element(routers.begin(), routers.end());
  for (const mapped_channel& c : map.channels) high = std::max(high, map.rows[c.row].at("utilisation").get<double>());

  const std::string title = request.title.empty() ? "Utilisation of links and routers" : request.title;
  picture p = canvas(title, map.drawing.low, map.drawing.high);
  p.script += heat_scale("utilisation, flits/cycle", 0, high);
  p.script +=
      fmt::format("set cbtics\nset colorbox user origin screen {:.5f}, screen 0.1 size screen {:.5f}, screen 0.75\n",
                  1 - (Scale - 15) / p.width, 14.0 / p.width);
  p.script += line_data(map) + "$routers << EOD\n";
  for (router_id r = 0; r < routers.size(); ++r)
    p.script += fmt::format("{:.2f} {:.2f} {} {} {}\n", map.drawing.routers.routers[r].x,
                            map.drawing.routers.routers[r].y, routers[r], r, routers[r] > 0.55 * high ? 0xffffff : 0);
  p.script += fmt::format(
      "EOD\nset style fill solid 1 border lc rgb '#444444'\nplot $links using 1:2:3 with lines lw 3 lc palette "
      "notitle, "
      "$routers using 1:2:({0}):({0}):3 with boxxyerror lc palette notitle, "
      "$routers using 1:2:4:5 with labels font ',9' tc rgb variable notitle\n",
      HalfRouter);
  return p;
}

picture deadlock_ring(const stored_results& stored, const picture_request& request) {
  const stored_result& run = only_run(stored, "deadlock");
  const std::vector<waiting_packet> ring = waiting_ring_of(run);
  if (ring.empty())
    reject_without(run, "ring of waiting packets", "the run did not end in a deadlock with such a ring");
  ring_chart chart{request.title.empty() ? "Packets that wait for each other" : request.title, {}};
  for (const waiting_packet& w : ring)
    chart.members.push_back({fmt::format("packet {}, {}", w.packet, w.place), w.waits_for});
  return to_picture(chart);
}

}  // namespace weft::experiment
