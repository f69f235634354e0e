// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/page_view.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/picture/packets.h"
#include "weft/picture/page_text.h"
#include "weft/picture/waiting_ring.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/analysis/zero_load.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

namespace {

constexpr std::size_t MostPackets = 2000;

json routers_of(const network_map& map) {
  json list = json::array();
  for (router_id r = 0; r < map.graph.routers.size(); ++r) {
    const drawing_point at = map.drawing.routers.routers[r];
    list.push_back({{"name", router_name(map.graph, r)},
                    {"x", std::round(at.x * 10) / 10},
                    {"y", std::round(at.y * 10) / 10},
                    {"rows", json::array()}});
  }
  for (std::size_t i = 0; i < map.rows.size(); ++i)
    list.at(map.rows[i].at("router").get<std::size_t>())["rows"].push_back(i);
  return list;
}

/// The text for the other end of an output port: "router 3, -x" or "node 5".
std::string end_text(const json& to) {
  if (to.contains("node")) return fmt::format("node {}", compact_text(to["node"]));
  return fmt::format("router {}, {}", compact_text(to.at("router")), to.at("port").get<std::string>());
}

json rows_of_ports(const network_map& map) {
  json list = json::array();
  for (const json& c : map.rows)
    list.push_back({{"port", c.at("port")},
                    {"to", end_text(c.at("to"))},
                    {"flits", c.at("flits")},
                    {"utilisation", c.at("utilisation")}});
  return list;
}

json links_of(const network_map& map) {
  json list = json::array();
  for (const mapped_channel& m : map.channels) {
    const channel& c = map.graph.channels[m.channel];
    list.push_back({{"name", full_name(map.graph, c)}, {"from", c.from.router}, {"to", c.to.router}, {"row", m.row}});
  }
  return list;
}

/// The time series of \p run as JSON for page.js; null if it has none.
json series_of_time(const stored_result& run) {
  const auto found = run.content.find("time_series");
  if (found == run.content.end() || found->at("start").empty()) return nullptr;
  const auto window = run.content.at("cycles").at("window_first").get<cycle_t>();
  std::size_t first = 0;
  while (first < found->at("start").size() && found->at("start")[first].get<cycle_t>() < window) ++first;
  json made = {{"start", found->at("start")},
               {"interval", found->at("interval")},
               {"first", first < found->at("start").size() ? first : 0},
               {"channels", json::array()},
               {"occupancy", nullptr}};
  for (const json& c : found->at("channels")) made["channels"].push_back(c.at("utilisation"));
  for (const json& r : found->at("routers")) made["occupancy"].push_back(r.at("occupancy"));  // null if unknown
  return made;
}

/// The text for the source of an input port: "router 3, +x" or "node 5".
std::string begin_text(const topology& graph, const port_end& begin) {
  if (begin.what != port_end::kind::Channel) return fmt::format("node {}", begin.index);
  const port_ref from = graph.channels[begin.index].from;
  return fmt::format("router {}, {}", from.router, port_name(graph, from));
}

/// The queues of all routers over time as JSON for page.js; null if the run has none.
json queues_of_time(const stored_result& run, const topology& graph) {
  const json::json_pointer place("/time_series/queues");
  if (!run.content.contains(place) || run.content["time_series"].at("start").empty()) return nullptr;
  json inputs = run.content[place];
  const wiring wires(graph);
  std::size_t next_input = 0;
  for (router_id r = 0; r < graph.routers.size(); ++r) {
    for (unsigned port = 0; port < graph.routers[r].ports; ++port) {
      const port_end begin = wires.input({r, port});
      if (begin.what == port_end::kind::Nothing) continue;
      if (next_input == inputs.size())
        reject_without(run, "queues of " + full_name(graph, port_ref{r, port}),
                       "its network differs from that of its configuration");
      inputs[next_input++]["from"] = begin_text(graph, begin);
    }
  }
  return {{"depth", run.content.at(json::json_pointer("/configuration/network/router/depth"))},
          {"inputs", std::move(inputs)}};
}

/// Whether the source and the destination of a packet determine its path.
bool has_fixed_paths(const topology& graph) {
  return std::none_of(graph.routing.begin(), graph.routing.end(), [](const route_rule& r) { return r.adaptive(); }) &&
         std::none_of(graph.nodes.begin(), graph.nodes.end(), [](const node_attachment& n) {
           return n.path_ids.drawn() || !n.path_ids.send_sequence.empty() || n.ports.size() > 1;
         });
}

/// The indices of the links on the path from \p source to \p destination.
json path_of(const network_map& map, const std::vector<std::size_t>& link_of, node_id source, node_id destination) {
  json links = json::array();
  for (const std::size_t c : route_channels(map.graph, source, destination)) links.push_back(link_of[c]);
  return links;
}

json packets_of(const stored_result& run, const network_map& map) {
  std::filesystem::path log = run.file;
  log.replace_extension(".events");
  json made = {{"which", "there is no event log"}, {"list", json::array()}, {"paths", json::object()}};
  std::error_code error;
  if (!std::filesystem::exists(log, error)) return made;
  const logged_packets packets = read_packets(log, MostPackets);
  made["which"] = packets.all > packets.slowest.size()
                      ? fmt::format("the {} slowest of {}", packets.slowest.size(), packets.all)
                      : fmt::format("all {}", packets.all);
  const bool fixed = has_fixed_paths(map.graph);
  router_parameters router;
  const json& keys = run.content.at(json::json_pointer("/configuration/network/router"));
  keys.at("pipeline").get_to(router.pipeline);
  if (keys.at("flow_control") == "store_and_forward") router.flow = flow_control::StoreAndForward;
  std::vector<std::size_t> link_of(map.graph.channels.size());
  for (std::size_t i = 0; i < map.channels.size(); ++i) link_of[map.channels[i].channel] = i;
  for (const logged_packet& p : packets.slowest) {
    json alone;
    if (fixed) {
      json& path = made["paths"][fmt::format("{}-{}", p.source, p.destination)];
      if (path.is_null()) path = path_of(map, link_of, p.source, p.destination);
      alone = zero_load_latency(map.graph, router, p.source, p.destination, p.flits) - (p.flits - 1);
    }
    made["list"].push_back(
        {p.id, p.source, p.destination, p.vc, p.flits, p.head_in, p.tail_in, p.head_out, p.tail_out, alone});
  }
  return made;
}

json data_of(const stored_result& run, const network_map& map) {
  json data = {{"routers", routers_of(map)},
               {"nodes", json::array()},
               {"queued", json::array()},
               {"links", links_of(map)},
               {"rows", rows_of_ports(map)}};
  for (const node_attachment& n : map.graph.nodes) data["nodes"].push_back({{"router", n.ports.front().router}});
  for (const json& n : run.content.at("nodes")) data["queued"].push_back(n.at("queued"));
  data["series"] = series_of_time(run);
  data["queues"] = queues_of_time(run, map.graph);
  data["ring"] = json::array();
  for (const waiting_packet& w : waiting_ring_of(run))
    data["ring"].push_back(
        {{"packet", w.packet}, {"router", w.router}, {"place", w.place}, {"waits_for", w.waits_for}});
  data["packets"] = packets_of(run, map);
  return data;
}

std::string path_text(const points& course) {
  std::string text;
  for (const drawing_point at : course) text += fmt::format("{}{:.1f},{:.1f}", text.empty() ? "M" : " L", at.x, at.y);
  return text;
}

std::string drawing_of(const network_map& map) {
  constexpr double Around = 14, MostZoom = 1.6;
  const network_drawing& d = map.drawing;
  const drawing_point size = d.high - d.low + drawing_point{2 * Around, 2 * Around};
  std::string svg = fmt::format(
      "<svg viewBox=\"{:.1f} {:.1f} {:.1f} {:.1f}\" style=\"max-width: {:.0f}px\" role=\"img\" aria-label=\"the "
      "network\">\n"
      "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"6\" refY=\"4\" markerWidth=\"5\" markerHeight=\"5\" "
      "orient=\"auto\"><path d=\"M0,0.5 L8,4 L0,7.5 z\" fill=\"#0072b2\"/></marker></defs>\n",
      d.low.x - Around, d.low.y - Around, size.x, size.y, MostZoom * size.x);
  for (node_id n = 0; n < map.graph.nodes.size(); ++n)
    for (const port_ref port : map.graph.nodes[n].ports)
      svg += fmt::format("<path class=\"local\" d=\"{}\"/>\n", path_text({d.nodes[n], d.routers.routers[port.router]}));
  for (const mapped_channel& m : map.channels)
    svg += fmt::format("<path class=\"link\" d=\"{}\"><title>{}</title></path>\n", path_text(m.course),
                       html(full_name(map.graph, map.graph.channels[m.channel])));
  for (router_id r = 0; r < map.graph.routers.size(); ++r) {
    const drawing_point at = d.routers.routers[r];
    svg += fmt::format(
        "<rect class=\"router\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" rx=\"4\"><title>{}</title></rect>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        at.x - HalfRouter, at.y - HalfRouter, 2 * HalfRouter, 2 * HalfRouter, html(router_name(map.graph, r)), at.x,
        at.y + 3.5, r);
  }
  for (node_id n = 0; n < map.graph.nodes.size(); ++n)
    svg += fmt::format(
        "<circle class=\"node\" cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"{2}\"><title>node {3}</title></circle>"
        "<text class=\"small\" x=\"{0:.1f}\" y=\"{4:.1f}\">{3}</text>\n",
        d.nodes[n].x, d.nodes[n].y, NodeRadius - 1.5, n, d.nodes[n].y + 3);
  return svg + "<g class=\"over\"></g>\n</svg>\n";
}

std::string controls_of(const json& data) {
  const json& series = data.at("series");
  const std::size_t steps = series.is_null() ? 0 : series.at("start").size();
  std::string text = fmt::format(
      "<div class=\"controls\">\n<label class=\"time\">time <input type=\"range\" name=\"time\" min=\"0\" max=\"{0}\" "
      "value=\"0\"{1}><output></output></label>\n<button name=\"play\"{1}>play</button>\n",
      steps, steps == 0 ? " disabled" : "");
  text += "<label>routers by <select name=\"by\"><option value=\"utilisation\">utilisation</option>";
  if (steps > 0 && !series.at("occupancy").is_null()) text += "<option value=\"occupancy\">flits buffered</option>";
  if (!data.at("queues").is_null()) text += "<option value=\"queues\">flits in queues</option>";
  text += "</select></label>\n";
  const json& packets = data.at("packets");
  if (!packets.at("list").empty())
    text += fmt::format(
        "<label>packet <input type=\"number\" name=\"packet\" min=\"0\" value=\"{}\"></label>"
        "<span class=\"soft\">{}</span>\n",
        packets["list"][0][0].get<packet_id>(), html(packets.at("which").get<std::string>()));
  if (!data.at("ring").empty()) text += "<button name=\"ring\">show the deadlock</button>\n";
  text += "<span>save as <button name=\"svg\">SVG</button> <button name=\"png\">PNG</button></span>\n";
  text += "</div>\n";
  if (steps == 0)
    text += "<p class=\"soft hint\">No time series: output.interval: CYCLES in the configuration records one.</p>\n";
  else if (data.at("queues").is_null())
    text += "<p class=\"soft hint\">No queues: output.queues: true in the configuration records them.</p>\n";
  return text;
}

}  // namespace

std::string network_view(const stored_result& run, const network_map& map) {
  const json data = data_of(run, map);
  return fmt::format(
      "<section class=\"view\" data-name=\"{}\">\n{}<div class=\"key\"></div>\n<div class=\"both\">\n<div "
      "class=\"map\">\n{}</div>\n"
      "<div class=\"side\"></div>\n</div>\n<script type=\"application/json\">{}</script>\n</section>\n",
      html(run.content.value("name", "run")), controls_of(data), drawing_of(map), script_json(data));
}

}  // namespace weft::experiment
