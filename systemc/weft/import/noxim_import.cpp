// SPDX-License-Identifier: Apache-2.0
#include "weft/import/noxim_import.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "weft/configuration/import_hints.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace {

/// The keys of Noxim and their defaults. \par Source: Noxim's README and its example configurations.
const std::vector<simulator_key>& noxim_keys() {
  static const std::vector<simulator_key> keys = {
      {"topology", "MESH"},
      {"mesh_dim_x", "4"},
      {"mesh_dim_y", "4"},
      {"n_delta_tiles", "0"},
      {"buffer_depth", "4"},
      {"flit_size", "32"},
      {"n_virtual_channels", "1"},
      {"r2r_link_length", "1"},
      {"r2h_link_length", "2"},
      {"routing_algorithm", "XY"},
      {"routing_table_filename", ""},
      {"dyad_threshold", "0.6"},
      {"selection_strategy", "RANDOM"},
      {"packet_injection_rate", "0.01"},
      {"probability_of_retransmission", "0.01"},
      {"traffic_distribution", "TRAFFIC_RANDOM"},
      {"traffic_table_filename", ""},
      {"traffic_hardcoded_filename", ""},
      {"min_packet_size", "8"},
      {"max_packet_size", "8"},
      {"clock_period_ps", "1000"},
      {"reset_time", "1000"},
      {"simulation_time", "10000"},
      {"stats_warm_up_time", "1000"},
      {"rnd_generator_seed", "0"},
      {"max_volume_to_be_drained", "0"},
      {"trace_mode", "false"},
      {"trace_filename", ""},
      {"verbose_mode", "VERBOSE_OFF"},
      // The defaults of the other keys are what Weft does.
      {"detailed", "false", true},
      {"show_buffer_stats", "false", true},
      {"use_winoc", "false", true},
      {"use_wirxsleep", "false", true},
      {"use_powermanager", "false", true},
      {"winoc_dst_hops", "0", true},
      {"Hubs", ""},
      {"RadioChannels", ""},
      {"Channels", ""},
  };
  return keys;
}

// The names that have a counterpart.
constexpr const char* NoximRoutings[] = {"XY", "WEST_FIRST", "NORTH_LAST", "NEGATIVE_FIRST"};
constexpr const char* NoximPatterns[] = {"TRAFFIC_RANDOM", "TRAFFIC_TRANSPOSE2", "TRAFFIC_BIT_REVERSAL",
                                         "TRAFFIC_SHUFFLE"};

/// Sets the key \p path to the counterpart of the setting \p key, if that is one of \p names.
template <std::size_t N>
void import_name(imported_settings& in, const char* key, const std::string& path, const char* const (&names)[N],
                 converted_configuration& out) {
  const std::string value = in.use(key).value;
  if (std::find(std::begin(names), std::end(names), value) == std::end(names))
    return in.error(key, not_converted(key, path, value));
  out.set(path, counterpart(path, value));
}

void import_noxim_network(imported_settings& in, converted_configuration& out) {
  const std::string topology = in.use("topology").value;
  if (topology != "MESH") in.error("topology", not_converted("topology", "network.topology.kind", topology));
  const std::string winoc = in.use("use_winoc").value;
  if (winoc != "false" && winoc != "False" && winoc != "FALSE" && winoc != "no" && winoc != "off")
    in.error("use_winoc",
             "wireless networks have no counterpart in Weft; with use_winoc: false, the network has wires only");
  out.set("network.topology.kind", "mesh");
  out.set("network.topology.shape", fmt::format("[{}, {}]", in.whole("mesh_dim_x"), in.whole("mesh_dim_y")));
  import_name(in, "routing_algorithm", "network.routing.algorithm", NoximRoutings, out);
  out.set("network.router.vcs", in.whole("n_virtual_channels"));
  out.set("network.router.depth", in.whole("buffer_depth"));
  import_payload_bits(in, "flit_size", out);
}

void import_noxim_workload(imported_settings& in, converted_configuration& out) {
  import_name(in, "traffic_distribution", "workload.pattern.kind", NoximPatterns, out);
  const unsigned least = in.whole("min_packet_size"), most = in.whole("max_packet_size");
  out.set("workload.injection.load", in.number("packet_injection_rate") * (least + most) / 2);
  if (least == most) return out.set("workload.length.flits", least);
  out.set("workload.length.kind", "uniform");
  out.set("workload.length.min", least);
  out.set("workload.length.max", most);
}

void import_noxim_simulation(imported_settings& in, converted_configuration& out) {
  const unsigned warmup = in.whole("stats_warm_up_time"), time = in.whole("simulation_time");
  out.set("simulation.level", "engine");
  out.set("simulation.warmup", warmup);
  out.set("simulation.measure", time > warmup ? time - warmup : time);
  if (in.has("rnd_generator_seed")) out.set("simulation.seed", in.whole("rnd_generator_seed"));
  const double period = in.number("clock_period_ps");
  if (period > 0) out.set("simulation.clock", 1000 / period);
}

}  // namespace

std::optional<imported_settings> read_noxim_file(const std::string& text, const std::string& file) {
  yaml_errors errors(file);
  const std::optional<YAML::Node> root = parse_yaml(text, errors);
  if (!root || !root->IsMap()) return std::nullopt;
  std::vector<imported_setting> all;
  for (const auto& entry : *root) {
    const std::string value = entry.second.IsScalar() ? entry.second.Scalar() : shown(entry.second);
    all.push_back({text_in(entry.first).value_or(""), value, errors.place(entry.first.Mark())});
  }
  const bool is_noxim = std::any_of(all.begin(), all.end(), [](const imported_setting& s) {
    return s.name != "topology" && std::any_of(noxim_keys().begin(), noxim_keys().end(),
                                               [&](const simulator_key& k) { return s.name == k.name; });
  });
  if (!is_noxim) return std::nullopt;
  return imported_settings("Noxim", std::move(all), noxim_keys());
}

converted_configuration import_noxim(imported_settings& in) {
  converted_configuration out;
  import_noxim_network(in, out);
  import_noxim_workload(in, out);
  import_noxim_simulation(in, out);
  in.throw_if_any();
  return out;
}

}  // namespace weft::experiment
