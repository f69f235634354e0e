// SPDX-License-Identifier: Apache-2.0
#include "weft/report/energy_statistics.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include "weft/report/channels.h"

namespace weft::experiment {

namespace {

constexpr double PicojoulesPerFemtojoule = 1e-3, SquareMillimetres = 1e-6;

double nanojoules(double femtojoules) { return femtojoules * 1e-6; }

double power_of(const run_energy& e) { return milliwatts(e.spent.total(), e.cycles, *e.cost); }

json parts_json(const energy_view& v) {
  json parts = json::object();
  for (std::size_t i = 0; i < EnergyParts; ++i) parts[energy_part_names()[i]] = nanojoules(v.energy.spent.parts[i]);
  return parts;
}

/// The total energy for each of \p count, in pJ; nothing if there is none.
json each(const energy_view& v, double count) {
  return count > 0 ? json(v.energy.spent.total() * PicojoulesPerFemtojoule / count) : json();
}

json per_bit(const energy_view& v) { return each(v, v.flits * v.payload_bits); }

json areas_json(const network_cost& cost) {
  return {{"routers", cost.routers().area * SquareMillimetres},
          {"nics", cost.nics().area * SquareMillimetres},
          {"links", cost.links().area * SquareMillimetres}};
}

json link_energies_json(const energy_view& v) {
  json list = json::array();
  for (const std::size_t i : reported_channels(v.graph, v.counts)) {
    const channel_activity& a = v.energy.counts.channels[i];
    list.push_back({{"packets", a.packets},
                    {"payload_toggles", a.payload_toggles},
                    {"header_toggles", a.header_toggles},
                    {"length", v.energy.cost->length(i)},
                    {"energy", nanojoules(v.energy.spent.channels[i])}});
  }
  return list;
}

/// The channels from NICs, whose energy is in the input units of routers and in the injectors.
json injections_json(const energy_view& v) {
  json list = json::array();
  std::size_t next = 0;
  for (node_id node = 0; node < v.graph.nodes.size(); ++node) {
    for (std::size_t port = 0; port < v.graph.nodes[node].ports.size(); ++port) {
      const channel_activity& a = v.energy.counts.channels[v.energy.cost->injections()[next++]];
      list.push_back({{"node", node},
                      {"port", port},
                      {"flits", a.flits},
                      {"packets", a.packets},
                      {"payload_toggles", a.payload_toggles},
                      {"header_toggles", a.header_toggles}});
    }
  }
  return list;
}

json router_energies_json(const energy_view& v) {
  json list = json::array();
  for (const double spent : v.energy.spent.routers) list.push_back(nanojoules(spent));
  return list;
}

/// The largest parts of the energy, as text: "clock 61 %, buffers 20 %, links 9 %, crossbar 4 %".
std::string largest_parts(const energy_account& spent) {
  std::array<std::size_t, EnergyParts> order;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return spent.parts[a] > spent.parts[b]; });
  std::string text;
  for (std::size_t i = 0; i < 4; ++i)
    text += fmt::format("{}{} {:.0f} %", i == 0 ? "" : ", ", energy_part_names()[order[i]],
                        100 * spent.parts[order[i]] / spent.total());
  return text;
}

std::vector<csv_column> part_columns() {
  std::vector<csv_column> columns;
  for (const std::string& part : energy_part_names()) columns.push_back({"energy_" + part, "/" + part});
  return columns;
}

row_text total_row(const energy_view& v) {
  return {fmt::format("{:.4g}", nanojoules(v.energy.spent.total())),
          fmt::format("nJ in {} cycles: {}", v.energy.cycles, largest_parts(v.energy.spent))};
}

row_text bit_row(const energy_view& v) {
  if (v.flits == 0) return {};
  return {fmt::format("{:.4g}", per_bit(v).get<double>()),
          fmt::format("pJ for each payload bit received; {:.4g} pJ a flit", each(v, v.flits).get<double>())};
}

row_text power_row(const energy_view& v) {
  const network_cost& cost = *v.energy.cost;
  const std::string limit = cost.clock() > cost.reached_clock() * 1.0001
                                ? fmt::format(", more than the {:.4g} GHz that it reaches", cost.reached_clock())
                                : "";
  return {fmt::format("{:.4g}", power_of(v.energy)),
          fmt::format("mW at {:.4g} GHz and {:g} V in {}{}; {:.4g} mW without traffic", cost.clock(), cost.supply(),
                      cost.cells().name, limit, cost.static_power())};
}

row_text note_row(const energy_view& v) {
  const std::vector<std::string>& notes = v.energy.cost->notes();
  if (notes.empty()) return {};
  return {std::to_string(notes.size()), "about energy; the first: " + notes.front()};
}

/// A statistic without terminal row. \p columns are CSV columns.
energy_statistic made(const char* name, const char* unit, const char* description,
                      std::function<json(const energy_view&)> value, std::vector<csv_column> columns = {}) {
  energy_statistic s;
  s.name = std::string("energy.") + name;
  s.unit = unit;
  s.description = description;
  s.value = std::move(value);
  s.columns = std::move(columns);
  s.block = row_block::Network;
  return s;
}

energy_statistic shown(energy_statistic s, const char* label, row_text (*row)(const energy_view&)) {
  s.label = label;
  s.row = row;
  return s;
}

std::vector<energy_statistic> make_energies() {
  return {
      shown(made("total", "nJ", "energy of the network in the window",
                 [](const energy_view& v) { return json(nanojoules(v.energy.spent.total())); }, {{"energy", ""}}),
            "energy", total_row),
      made("parts", "nJ",
           "energy by [part](../03_reference/energy.md#parts); the parts add up to `total`. `clock` and `leakage` are "
           "spent in every cycle, the other parts for what happens",
           parts_json, part_columns()),
      made("per_flit", "pJ", "total energy divided by the number of flits that nodes received, before compression",
           [](const energy_view& v) { return each(v, v.flits); }, {{"energy_per_flit", ""}}),
      shown(made("per_bit", "pJ", "total energy divided by the number of payload bits of these flits", per_bit,
                 {{"energy_per_bit", ""}}),
            "energy of a bit", bit_row),
      made("per_packet", "pJ", "total energy divided by the number of packets that nodes received",
           [](const energy_view& v) {
             return each(v, static_cast<double>(v.energy.cost->packets_received(v.energy.counts)));
           }),
      shown(made("power", "mW", "mean power", [](const energy_view& v) { return json(power_of(v.energy)); },
                 {{"power", ""}}),
            "power", power_row),
  };
}

std::vector<energy_statistic> make_standing_costs() {
  return {
      made("static_power", "mW", "power without traffic: clock and leakage",
           [](const energy_view& v) { return json(v.energy.cost->static_power()); }, {{"static_power", ""}}),
      made("area", "mm²", "area of the cells of `routers`, `nics` and `links`",
           [](const energy_view& v) { return areas_json(*v.energy.cost); },
           {{"router_area", "/routers"}, {"nic_area", "/nics"}, {"link_area", "/links"}}),
      made("clock", "GHz", "clock frequency to which powers refer: `simulation.clock`, or `reached_clock`",
           [](const energy_view& v) { return json(v.energy.cost->clock()); }),
      made("reached_clock", "GHz", "clock frequency that the slowest module reaches",
           [](const energy_view& v) { return json(v.energy.cost->reached_clock()); }, {{"reached_clock", ""}}),
      made("slowest", "", "the slowest module", [](const energy_view& v) { return json(v.energy.cost->slowest()); }),
      made("technology", "", "name of the technology",
           [](const energy_view& v) { return json(v.energy.cost->cells().name); }),
      made("supply", "V", "supply voltage", [](const energy_view& v) { return json(v.energy.cost->supply()); }),
      made("flit_bits", "wires", "number of wires of a flit, with its header",
           [](const energy_view& v) { return json(v.energy.cost->flit_bits()); }),
      made("wire_length", "mm", "total length of the links",
           [](const energy_view& v) { return json(v.energy.cost->wire_length()); }),
      shown(made("notes", "", "what the numbers do not cover, and where they are extrapolated",
                 [](const energy_view& v) { return json(v.energy.cost->notes()); }),
            "notes", note_row),
      made("channels", "",
           "for each entry of the statistic `channels`: the number of `packets`, the toggles of wires of the payload "
           "(`payload_toggles`) and of all other wires (`header_toggles`), the `length` of the link in mm, and its "
           "`energy` in nJ",
           link_energies_json),
      made(
          "injections", "",
          "for each channel from a NIC to its router: its `node` and `port`, and the counts as in `channels`, with the "
          "number of `flits`",
          injections_json),
      made("routers", "nJ", "energy of each router, with its share of `clock` and `leakage`", router_energies_json),
  };
}

std::vector<energy_statistic> make_statistics() {
  std::vector<energy_statistic> all = make_energies();
  const std::vector<energy_statistic> others = make_standing_costs();
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

double milliwatts(double femtojoules, cycle_t cycles, const network_cost& cost) {
  const double nanoseconds = static_cast<double>(cycles) / cost.clock();
  return nanoseconds == 0 ? 0 : femtojoules / nanoseconds * 1e-3;  // fJ per ns is µW
}

const std::vector<energy_statistic>& energy_statistics() {
  static const std::vector<energy_statistic> all = make_statistics();
  return all;
}

}  // namespace weft::experiment
