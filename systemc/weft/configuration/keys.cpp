// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/keys.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/key_table.h"
#include "weft/configuration/traffic_sections.h"

namespace weft::experiment {

namespace {

/// Formats whole numbers without an exponent, such as 1e6 as 1000000, and other numbers in their shortest form.
std::string shortest(double value) {
  const auto whole = static_cast<long long>(value);
  return static_cast<double>(whole) == value ? std::to_string(whole) : fmt::format("{}", value);
}

section coding_section() {
  return {"nic.coding",
          "The XOR encoder and decoder of every NIC. The encoder combines packets of `weft collective`, whose headers "
          "identify their data, and the decoder recovers them. Generated traffic and packet lists do not identify data "
          "and pass unchanged.",
          "nic.coding.enabled",
          {}};
}

section until_section() {
  return {
      "simulation.until",
      "The required precision, which replaces a fixed window. After `measure` cycles the run extends the window, by "
      "half its length at a time, until the mean latency has this precision. The window also ends if the network is "
      "saturated.",
      "simulation.until.relative_error",
      {}};
}

section energy_section() {
  return {
      "output.energy",
      "What the network [costs](../03_reference/energy.md): the energy of each of its parts, its area, and the clock "
      "that it reaches. The run then also counts the wires that toggle, which makes it slower.",
      "output.energy.technology",
      {},
      true};
}

section payload_section() {
  return {"workload.payload",
          "The payload bits of packets. In a replay, this section applies to messages whose payload was not recorded.",
          "workload.payload.kind",
          {{TrafficsSection, ""}}};
}

section workload_section() {
  return {"workload",
          "The packets of the experiment. They are generated from `pattern`, `injection` and `length`, by several "
          "`traffics` or by `flows`, read from a packet list, or sent by a recorded program.",
          "",
          {}};
}

section traffics_section() {
  return {
      TrafficsSection,
      "[Several traffics](traffics.md) that run at the same time. Each key in this section is a name, whose value is "
      "a map with the keys of that traffic, as in `traffics: {video: {pattern: tornado}, control: {class: 1}}`. "
      "They replace `pattern`, `length`, `payload` and `injection`, of which only `load` remains.",
      "",
      {{"workload.packet_list", ""}, {FlowsKey, ""}, {"workload.trace", ""}, other_traffic()}};
}

section flows_section() {
  return {
      "workload.flows",
      "[Regulated flows](guarantees.md): each leads from one node to another, and has a rate and a burst that limit "
      "it. They replace `pattern`, `injection`, `length` and `traffics`. `weft bounds` computes bounds of their "
      "latencies.",
      FlowsKey,
      {{"workload.packet_list", ""}, {"workload.trace", ""}, other_traffic()}};
}

section replay_section() {
  return {"workload.replay",
          "How `weft replay` simulates the program of `workload.trace`; see [replay](replay.md).",
          "workload.replay.map",
          {{"workload.trace", "", true}}};
}

section replayed_collectives_section() {
  return {"workload.replay.collectives",
          "The algorithms of collectives. `usual` is the algorithm that MPI libraries use. The other values are "
          "algorithms of [`weft collective`](collectives.md), executed by the nodes that have ranks. The algorithm may "
          "depend on the size of a datum in bytes, as in `recursive_doubling, ring from 4096`.",
          "",
          {{"workload.trace", "", true}}};
}

section sweep_section() {
  return {"sweep",
          "The points of `weft sweep`. A point sets other keys, which are given by their full names, as in `over: "
          "{network.router.vcs: [1, 2, 4]}`. `first:last:step` denotes all values of a range. The sweep has a point "
          "for each combination of the values in `over`, the rows of `linked`, the samples and the replicates; see "
          "[sweeps](sweeps.md). Other commands ignore this section.",
          "",
          {}};
}

section explore_section() {
  return {"explore",
          "What `weft explore` searches for among the points of section `sweep`, and how long; see "
          "[search over designs](explore.md). Other commands ignore this section.",
          "",
          {}};
}

std::vector<condition> with_first(const condition& first, std::vector<condition> others) {
  others.insert(others.begin(), first);
  return others;
}

}  // namespace

std::string value_type::describe(bool many) const {
  if ((what == kind::Integer || what == kind::Number) && !names.empty()) {
    value_type alone = *this;
    alone.names.clear();
    return fmt::format("{} or {}", fmt::join(names, ", "), alone.describe(many));
  }
  switch (what) {
    case kind::Integer:
      if (!allowed.empty()) return fmt::format("{} {}", many ? "any of" : "one of", fmt::join(allowed, ", "));
      return fmt::format("{} from {} to {}", many ? "integers" : "an integer", min, max);
    case kind::Number:
      return fmt::format("{} from {} to {}{}", many ? "numbers" : "a number", shortest(low), shortest(high),
                         percent ? ", or per cent as in 1 %" : "");
    case kind::Boolean:
      return "true or false";
    case kind::Text:
      return many ? "texts" : "a text";
    case kind::Name:
      return many ? "numbers or names" : "a number or a name";
    case kind::Path:
      return "a path";
    case kind::Choice:
      if (names.size() == 1) return names.front();
      return fmt::format("{} {}", many ? "names out of" : "one of", fmt::join(names, ", "));
    case kind::Weights:
      return fmt::format("a map from integers from {} to {} to weights from {} to {}", min, max, shortest(low),
                         shortest(high));
    case kind::Axes:
      return "a map from keys to lists or ranges";
    case kind::List:
      break;
  }
  const char* const lists = many ? "lists of" : "a list of";
  if (most == Unlimited)
    return fmt::format("{} {}{}", lists, least > 0 ? fmt::format("at least {} ", least) : "", element->describe(true));
  if (least == most) return fmt::format("{} {} {}", lists, least, element->describe(true));
  return fmt::format("{} {} to {} {}", lists, least, most, element->describe(true));
}

const std::vector<section>& sections() {
  static const std::vector<condition> Generated = {
      {"workload.packet_list", ""}, {FlowsKey, ""}, {"workload.trace", ""}, other_traffic()};
  static const std::vector<condition> Alone = with_first({TrafficsSection, ""}, Generated);
  static const std::vector<section> Table = {
      {"network", "The hardware: topology, routing, routers, links and flits.", "", {}},
      {"network.topology", "The routers and their connections.", "network.topology.kind", {}, true},
      {"network.routing", "The routing algorithm.", "network.routing.algorithm", {}},
      {"network.router", "The virtual-channel router.", "", {}},
      {"network.router.buffer", "The buffers of input ports.", "network.router.buffer.policy", {}},
      {"network.router.vc_allocator",
       "How output VCs are assigned to the input VCs that request them.",
       "network.router.vc_allocator.kind",
       {}},
      {"network.router.switch_allocator",
       "How output ports are assigned to the input ports that request them.",
       "network.router.switch_allocator.kind",
       {}},
      {"network.link", "The links between routers.", "network.link.cycles", {}},
      {"network.flit", "The unit of flow control.", "network.flit.payload_bits", {}},
      {"nic", "The network interface between a node and its router.", "", {}},
      {"nic.compression",
       "The compressor and decompressor of every NIC: which packets, by which codec, and with which latency.",
       "nic.compression.mode",
       {}},
      coding_section(),
      workload_section(),
      {"workload.pattern", "The destinations of generated packets.", "workload.pattern.kind", Alone},
      {"workload.injection", "When packets are created.", LoadKey, Generated},
      {"workload.length", "How long packets are.", "workload.length.flits", Alone},
      traffics_section(),
      flows_section(),
      payload_section(),
      replay_section(),
      replayed_collectives_section(),
      {"collective",
       "A collective communication for `weft collective`, which replaces other traffic; see "
       "[collectives](collectives.md).",
       "collective.algorithm",
       {}},
      {"schedule",
       "The problem that `weft schedule` solves: find a schedule of a collective communication with the fewest steps, "
       "in which no two messages use the same channel in the same step. See [schedules](schedules.md). Other commands "
       "ignore this section.",
       "schedule.collective",
       {}},
      {"simulation",
       "Length and level of the simulation. A run has three phases. During `warmup`, the network reaches its steady "
       "state. Packets created in the next `measure` cycles are measured. Then the run drains: it continues, with new "
       "packets, until every measured packet has been delivered.",
       "",
       {}},
      until_section(),
      sweep_section(),
      explore_section(),
      {"output", "The files to write, and their directory.", "", {}},
      energy_section(),
  };
  return Table;
}

std::vector<section> sections_of(const configuration& c) {
  std::vector<section> all = sections();
  for (const named_traffic& t : c.workload.traffics)
    for (section& s : sections_of_traffic(t.name)) all.push_back(std::move(s));
  return all;
}

std::vector<key> keys(configuration& c) {
  key_table table(c);
  add_network_keys(table);
  add_nic_keys(table);
  add_workload_keys(table);
  add_collective_keys(table);
  add_schedule_keys(table);
  add_sweep_keys(table);
  add_explore_keys(table);
  add_run_keys(table);
  return std::move(table.keys);
}

bool within(const std::string& path, const std::string& around) {
  return around.empty() || path == around || path.compare(0, around.size() + 1, around + ".") == 0;
}

std::string parent_of(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string::npos ? std::string() : path.substr(0, dot);
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('.') + 1); }

std::string values_of(const condition& c) {
  std::string text = c.value;
  for (std::size_t i = 0; i < c.others.size(); ++i) text += (i + 1 < c.others.size() ? ", " : " or ") + c.others[i];
  return text;
}

bool holds(const condition& c, const std::vector<key>& table) {
  const auto at = std::find_if(table.begin(), table.end(), [&](const key& k) { return k.path == c.key; });
  if (at == table.end())
    return std::any_of(table.begin(), table.end(), [&](const key& k) { return within(k.path, c.key); }) == c.differs;
  const json value = at->get();
  if (c.value.empty()) return value.is_null() != c.differs;
  const std::string text = c.of_file ? at->file_is() : value.is_string() ? value.get<std::string>() : value.dump();
  if (c.of_file && text.empty()) return true;
  return (text == c.value || std::count(c.others.begin(), c.others.end(), text) > 0) != c.differs;
}

std::string yaml_text(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{:g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> elements;
  for (const json& element : value) elements.push_back(yaml_text(element));
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

json to_json_in(const std::filesystem::path& file, configuration c) {
  c.file = file;
  return to_json(c);
}

json to_json(const configuration& c) {
  const char* const Unreported[] = {"output.directory", "output.name", "output.progress", "output.json", "output.csv"};
  configuration copy = c;
  const std::vector<key> table = keys(copy);
  const std::vector<section> all_sections = sections_of(c);
  const auto all_hold = [&table](const std::vector<condition>& needs) {
    return std::all_of(needs.begin(), needs.end(), [&](const condition& needed) { return holds(needed, table); });
  };
  const auto has_effect = [&](const key& k) {
    for (const section& s : all_sections)
      if (within(k.path, s.path) && !all_hold(s.needs)) return false;
    return all_hold(k.needs) && !k.get().is_null();
  };
  json root = json::object();
  for (const key& k : table) {
    const bool of_this_run = std::count(std::begin(Unreported), std::end(Unreported), k.path) == 0 &&
                             !within(k.path, "schedule") && !within(k.path, "sweep") && !within(k.path, "explore");
    if (!of_this_run || !has_effect(k)) continue;
    root[pointer_to(k.path)] = k.get();
  }
  return root;
}

std::string compact_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json::json_pointer pointer_to(const std::string& path) {
  std::string pointer = "/" + path;
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return json::json_pointer(pointer);
}

}  // namespace weft::experiment
