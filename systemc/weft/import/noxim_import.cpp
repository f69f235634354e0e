// SPDX-License-Identifier: Apache-2.0
#include "weft/import/noxim_import.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
#include "weft/core/types.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace {

using sk = simulator_key;

/// The keys of Noxim, their defaults and the values that it accepts. \par Source: Noxim's README, its example
/// configurations and its `ConfigurationManager.cpp`.
constexpr simulator_key NoximKeys[] = {
    sk::text("topology", "MESH"),
    sk::whole("mesh_dim_x", "4", 2, 1 << 18),
    sk::whole("mesh_dim_y", "4", 2, 1 << 18),
    sk::whole("n_delta_tiles", "0", 0),
    sk::whole("buffer_depth", "4", 1, MaxBufferFlits),
    sk::whole("flit_size", "32", 1),
    sk::whole("n_virtual_channels", "1", 1, MaxVcs),
    sk::number("r2r_link_length", "1", 0),
    sk::number("r2h_link_length", "2", 0),
    sk::text("routing_algorithm", "XY"),
    sk::text("routing_table_filename", "").as_weft(),
    sk::number("dyad_threshold", "0.6", 0, 1),
    sk::text("selection_strategy", "RANDOM", "RANDOM BUFFER_LEVEL NOP"),
    sk::number("packet_injection_rate", "0.01", 0, 1),
    sk::number("probability_of_retransmission", "0.01", 0, 1),
    sk::text("traffic_distribution", "TRAFFIC_RANDOM"),
    sk::text("traffic_table_filename", "").as_weft(),
    sk::text("traffic_hardcoded_filename", "").as_weft(),
    sk::whole("min_packet_size", "8", 2, 1'000'000),
    sk::whole("max_packet_size", "8", 2, 1'000'000),
    sk::whole("clock_period_ps", "1000", 1),
    sk::whole("reset_time", "1000", 0),
    sk::whole("simulation_time", "10000", 1),
    sk::whole("stats_warm_up_time", "1000", 0),
    sk::whole("rnd_generator_seed", "0", 0),
    sk::whole("max_volume_to_be_drained", "0", 0),
    sk::boolean("trace_mode", "false").as_weft(),
    sk::text("trace_filename", "").as_weft(),
    sk::text("verbose_mode", "VERBOSE_OFF").as_weft(),
    // The defaults of the other keys are what Weft does.
    sk::boolean("detailed", "false").as_weft(),
    sk::boolean("show_buffer_stats", "false").as_weft(),
    sk::boolean("use_winoc", "false").as_weft(),
    sk::boolean("use_wirxsleep", "false").as_weft(),
    sk::boolean("use_powermanager", "false").as_weft(),
    sk::whole("winoc_dst_hops", "0", 0).as_weft(),
    sk::text("Hubs", ""),
    sk::text("RadioChannels", ""),
    sk::text("Channels", ""),
};

// The names that have a counterpart.
constexpr const char* NoximRoutings[] = {"XY", "WEST_FIRST", "NORTH_LAST", "NEGATIVE_FIRST", "ODD_EVEN", "DYAD"};
constexpr const char* NoximPatterns[] = {"TRAFFIC_RANDOM", "TRAFFIC_TRANSPOSE2", "TRAFFIC_BIT_REVERSAL",
                                         "TRAFFIC_SHUFFLE", "TRAFFIC_TABLE_BASED"};

/// Sets the key \p path to the counterpart of the setting \p key, if that is one of \p names.
template <std::size_t N>
void import_name(imported_settings& in, const std::string& key, const std::string& path, const char* const (&names)[N],
                 converted_configuration& out) {
  const std::string value = in.use(key).value;
  if (std::find(std::begin(names), std::end(names), value) == std::end(names))
    return in.error(key,
                    fmt::format("{}; expected one of {}", not_converted(key, path, value), fmt::join(names, ", ")));
  out.set(path, counterpart(path, value), {key});
}

/// Sets how odd-even routing selects ports as DyAD does.
void import_dyad(imported_settings& in, converted_configuration& out) {
  const char* const Threshold = "dyad_threshold";
  if (in.use("routing_algorithm").value != "DYAD") {
    if (in.has(Threshold)) in.lack(Threshold, "Noxim uses it only with DYAD");
    return;
  }
  out.set("network.routing.selection", "when_congested", {"routing_algorithm"});
  out.set("network.routing.congestion", static_cast<std::uint64_t>(std::lround(100 * in.number(Threshold))),
          {Threshold});
  in.differ(
      "routing_algorithm",
      "a router of Noxim is congested if the buffer behind any of its ports is, one of Weft if the buffers behind "
      "a port that the packet may use are; without congestion, a packet of Noxim that goes to the east prefers "
      "y, and all packets of Weft prefer x");
}

/// Notes where the paths of packets differ from those in Noxim.
void note_noxim_routing(imported_settings& in) {
  const std::string routing = in.use("routing_algorithm").value, selection = in.use("selection_strategy").value;
  if (routing == "XY")
    in.lack("selection_strategy", "XY routing leaves no choice of the output port");
  else if (selection != "BUFFER_LEVEL")
    in.differ("selection_strategy", "Weft selects the output port with the most free buffers, as BUFFER_LEVEL does");
  const bool is_mirrored = routing == "NORTH_LAST" || routing == "NEGATIVE_FIRST";
  if (is_mirrored && in.use("traffic_distribution").value != "TRAFFIC_RANDOM")
    in.differ("routing_algorithm",
              "Weft's routing is a mirror image of Noxim's, because y grows to the south in Noxim and to the north in "
              "Weft; with this traffic, packets take other paths");
}

void import_noxim_network(imported_settings& in, converted_configuration& out) {
  const std::string topology = in.use("topology").value;
  if (topology != "MESH") in.error("topology", not_converted("topology", "network.topology.kind", topology));
  const std::string winoc = in.use("use_winoc").value;
  if (winoc.find_first_of("tTyY") == 0 || winoc == "on" || winoc == "On" || winoc == "ON")
    in.error("use_winoc",
             "wireless networks have no counterpart in Weft; with use_winoc: false, the network has wires only");
  in.differ("topology",
            "the pipeline and the flow control of the routers are those of Weft, so latencies and throughput differ");
  out.set("network.topology.kind", "mesh", {"topology"});
  out.set("network.topology.shape", fmt::format("[{}, {}]", in.whole("mesh_dim_x"), in.whole("mesh_dim_y")),
          {"mesh_dim_x", "mesh_dim_y"});
  import_name(in, "routing_algorithm", "network.routing.algorithm", NoximRoutings, out);
  import_dyad(in, out);
  note_noxim_routing(in);
  out.set("network.router.vcs", in.whole("n_virtual_channels"), {"n_virtual_channels"});
  out.set("network.router.depth", in.whole("buffer_depth"), {"buffer_depth", "n_virtual_channels"});
  import_payload_bits(in, "flit_size", out);
}

/// Sets the injection of packets with the mean length \p length. In Noxim, a node that created no packet in the
/// previous cycle creates one with the probability packet_injection_rate, and a node that did, with the probability
/// probability_of_retransmission. This is a process with bursts, in which a node creates a packet in every cycle.
void import_noxim_injection(imported_settings& in, double length, converted_configuration& out) {
  const char* const First = "packet_injection_rate";
  const char* const Next = "probability_of_retransmission";
  const double first = in.number(First), next = in.has(Next) ? in.number(Next) : first;
  if (!(first > 0))
    return in.error(First, fmt::format("{}: expected a number above 0 and up to 1, got {:g}", First, first));
  const double rate = first / std::max(1e-12, 1 - next + first);
  const converted_configuration::sources of_load = {First, Next, "min_packet_size", "max_packet_size"};
  out.set("workload.injection.load", rate * length, of_load);
  if (next == first) return;
  if (next < 1 && length <= MaxPorts) {
    out.set("workload.injection.process", "on_off", {First, Next});
    out.set("workload.injection.peak", length, of_load);
    out.set("workload.injection.mean_burst", 1 / (1 - next), {Next});
  } else {
    in.differ(Next,
              fmt::format("the mean rate of packets is the same, but without bursts, because a burst of Weft has at "
                          "most {} flits in a cycle",
                          MaxPorts));
  }
}

/// Sets the pattern to the matrix that import_noxim_table() makes.
void import_noxim_matrix(imported_settings& in, const std::string& matrix_file, converted_configuration& out) {
  constexpr const char* File = "traffic_table_filename";
  if (in.use(File).value.empty())
    return in.error("traffic_distribution", fmt::format("{}: expected the file of the traffic table, got none", File));
  out.set("workload.pattern.kind", "matrix", {"traffic_distribution"});
  out.set("workload.pattern.file", quoted_if_necessary(matrix_file), {File, "min_packet_size", "max_packet_size"});
  out.set("workload.pattern.rates", "absolute", {"traffic_distribution"});
  for (const char* const name : {"traffic_distribution", "packet_injection_rate"}) in.use(name);
  in.lack("probability_of_retransmission", "Noxim uses it only without TRAFFIC_TABLE_BASED");
}

void import_noxim_workload(imported_settings& in, const std::string& matrix_file, converted_configuration& out) {
  if (!in.use("traffic_hardcoded_filename").value.empty())
    in.lack("traffic_hardcoded_filename", "Noxim uses it only with TRAFFIC_HARDCODED");
  if (has_noxim_table(in)) {
    import_noxim_matrix(in, matrix_file, out);
  } else {
    if (!in.use("traffic_table_filename").value.empty())
      in.lack("traffic_table_filename", "Noxim uses it only with TRAFFIC_TABLE_BASED");
    import_name(in, "traffic_distribution", "workload.pattern.kind", NoximPatterns, out);
    import_noxim_injection(in, noxim_packet_length(in), out);
  }
  const std::uint64_t least = in.whole("min_packet_size"), most = in.whole("max_packet_size");
  if (least == most) return out.set("workload.length.flits", least, {"min_packet_size"});
  if (least > most)
    in.error("max_packet_size",
             fmt::format("max_packet_size: expected at least {} (min_packet_size), got {}", least, most));
  out.set("workload.length.kind", "uniform", {"min_packet_size", "max_packet_size"});
  out.set("workload.length.min", least, {"min_packet_size"});
  out.set("workload.length.max", most, {"max_packet_size"});
}

void import_noxim_simulation(imported_settings& in, converted_configuration& out) {
  const std::uint64_t warmup = in.whole("stats_warm_up_time"), time = in.whole("simulation_time");
  if (time <= warmup)
    in.error("simulation_time",
             fmt::format("simulation_time: expected more than {} (stats_warm_up_time), got {}", warmup, time));
  out.set("simulation.level", "engine", {});
  out.set("simulation.warmup", warmup, {"stats_warm_up_time"});
  out.set("simulation.measure", time - std::min(warmup, time), {"simulation_time", "stats_warm_up_time"});
  if (in.has("rnd_generator_seed")) out.set("simulation.seed", in.whole("rnd_generator_seed"), {"rnd_generator_seed"});
  out.set("simulation.clock", 1000 / std::max(1.0, in.number("clock_period_ps")), {"clock_period_ps"});
}

const std::vector<simulator_key>& noxim_keys() {
  static const std::vector<simulator_key> keys(std::begin(NoximKeys), std::end(NoximKeys));
  return keys;
}

bool is_noxim_key(const std::string& name) {
  return name != "topology" && std::any_of(std::begin(NoximKeys), std::end(NoximKeys),
                                           [&](const simulator_key& k) { return name == k.name; });
}

/// Whether a line of \p text begins with a key of Noxim and a colon.
bool has_noxim_key(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (is_noxim_key(line.substr(0, std::min(line.find(':'), line.size())))) return true;
  return false;
}

/// \throws input_error if a key occurs twice: Noxim reads the first value, and other programs read the last one
void check_repeated(const std::vector<imported_setting>& all) {
  std::vector<diagnostic> errors;
  for (auto s = all.begin(); s != all.end(); ++s) {
    const auto first =
        std::find_if(all.begin(), s, [&](const imported_setting& other) { return other.name == s->name; });
    if (first != s)
      errors.push_back(
          {s->place, fmt::format("{} is set already at {}; remove one of the two", s->name, first->place)});
  }
  if (!errors.empty()) throw input_error(std::move(errors));
}

}  // namespace

std::optional<imported_settings> read_noxim_file(const std::string& text, const std::string& file) {
  yaml_errors errors(file);
  const std::optional<YAML::Node> root = parse_yaml(text, errors);
  if (!root && has_noxim_key(text)) errors.throw_if_any();
  if (!root || !root->IsMap()) return std::nullopt;
  std::vector<imported_setting> all;
  for (const auto& entry : *root) {
    const std::string value = entry.second.IsScalar() ? entry.second.Scalar() : shown(entry.second);
    all.push_back({text_in(entry.first).value_or(""), value, errors.place(entry.first.Mark())});
  }
  if (std::none_of(all.begin(), all.end(), [](const imported_setting& s) { return is_noxim_key(s.name); }))
    return std::nullopt;
  check_repeated(all);
  return imported_settings("Noxim", file, std::move(all), noxim_keys());
}

bool has_noxim_table(const imported_settings& in) {
  return in.setting_of("traffic_distribution").value == "TRAFFIC_TABLE_BASED";
}

double noxim_packet_length(imported_settings& in) {
  return static_cast<double>(in.whole("min_packet_size") + in.whole("max_packet_size")) / 2;
}

converted_configuration import_noxim(imported_settings& in, const std::string& matrix_file) {
  converted_configuration out;
  import_noxim_network(in, out);
  import_noxim_workload(in, matrix_file, out);
  import_noxim_simulation(in, out);
  in.throw_if_any();
  return out;
}

}  // namespace weft::experiment
