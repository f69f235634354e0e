// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/configuration/coming_from.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace weft::experiment {

namespace {

constexpr const char* BookSim = "BookSim2";
constexpr const char* Noxim = "Noxim";
constexpr const char* Topology = "network.topology.kind";
constexpr const char* Routing = "network.routing.algorithm";
constexpr const char* Pattern = "workload.pattern.kind";
constexpr const char* NoSpeedup = "the crossbar has no speedup";
constexpr const char* Allocators = "allocators are separable and round robin";
constexpr const char* PrivateBuffers = "every VC has a buffer of its own";
constexpr const char* Wired = "all links are wires";

constexpr foreign_word Table[] = {
    {BookSim, "topology", "", Topology, ""},
    {BookSim, "fattree", Topology, "fat_tree", "k and n are n children [k, k, …] and n parents [1, k, …]"},
    {BookSim, "cmesh", Topology, "mesh", "with nodes_per_router"},
    {BookSim, "anynet", Topology, "file", ""},
    {BookSim, "fly", Topology, "", "butterflies are not built in; a file can describe one"},
    {BookSim, "flatfly", Topology, "", "flattened butterflies are not built in; a file can describe one"},
    {BookSim, "dragonflynew", Topology, "", "dragonflies are not built in; a file can describe one"},
    {BookSim, "k", "", "network.topology.shape", "k = 8 and n = 2 are [8, 8]"},
    {BookSim, "n", "", "network.topology.shape", "k = 8 and n = 2 are [8, 8]"},
    {BookSim, "c", "", "network.topology.nodes_per_router", ""},
    {BookSim, "network_file", "", "network.topology.file", "in Weft's format, GraphML or Graphviz"},
    {BookSim, "routing_function", "", Routing, ""},
    {BookSim, "dor", Routing, "dimension_order", ""},
    {BookSim, "dim_order", Routing, "dimension_order", ""},
    {BookSim, "xy_yx", Routing, "o1turn", ""},
    {BookSim, "min_adapt", Routing, "minimal_adaptive", ""},
    {BookSim, "nca", Routing, "nearest_common_ancestor", "network.routing.ascent chooses the parent"},
    {BookSim, "min", Routing, "shortest", "in as many layers of VCs as it takes to be free of deadlock"},
    {BookSim, "romm", Routing, "", "valiant is the one that goes over a random router"},
    {BookSim, "num_vcs", "", "network.router.vcs", ""},
    {BookSim, "vc_buf_size", "", "network.router.depth", ""},
    {BookSim, "buf_size", "", "", PrivateBuffers},
    {BookSim, "buffer_policy", "", "", PrivateBuffers},
    {BookSim, "wait_for_tail_credit", "", "", "an output VC is free again once the tail has been granted, as with 0"},
    {BookSim, "routing_delay", "", "network.router.pipeline", "the sum of all stages"},
    {BookSim, "vc_alloc_delay", "", "network.router.pipeline", "the sum of all stages"},
    {BookSim, "sw_alloc_delay", "", "network.router.pipeline", "the sum of all stages"},
    {BookSim, "st_final_delay", "", "network.router.pipeline", "the sum of all stages"},
    {BookSim, "credit_delay", "", "", "credits take as long as flits, network.link.cycles"},
    {BookSim, "speculative", "", "", "with pipeline 3, VC and switch allocation share a cycle"},
    {BookSim, "internal_speedup", "", "", NoSpeedup},
    {BookSim, "input_speedup", "", "", NoSpeedup},
    {BookSim, "output_speedup", "", "", NoSpeedup},
    {BookSim, "vc_allocator", "", "", Allocators},
    {BookSim, "sw_allocator", "", "", Allocators},
    {BookSim, "alloc_iters", "", "", Allocators},
    {BookSim, "priority", "", "", "packets have no priorities"},
    {BookSim, "subnets", "", "", "an experiment has one network"},
    {BookSim, "traffic", "", Pattern, ""},
    {BookSim, "bitcomp", Pattern, "bit_complement", ""},
    {BookSim, "bitrev", Pattern, "bit_reversal", ""},
    {BookSim, "neighbor", Pattern, "neighbour", ""},
    {BookSim, "randperm", Pattern, "permutation", "the file lists it"},
    {BookSim, "diagonal", Pattern, "", "a packet list can hold such traffic"},
    {BookSim, "asymmetric", Pattern, "", "a packet list can hold such traffic"},
    {BookSim, "hotspot_nodes", "", "workload.pattern.hotspots", ""},
    {BookSim, "hotspot_rates", "", "workload.pattern.share", "all hotspots draw alike"},
    {BookSim, "injection_rate", "", "workload.injection.load",
     "in flits: packets times their mean length, unless injection_rate_uses_flits"},
    {BookSim, "injection_rate_uses_flits", "", "workload.injection.load", "always in flits"},
    {BookSim, "injection_process", "", "workload.injection.process", ""},
    {BookSim, "burst_alpha", "", "workload.injection.peak", "load / peak is the share of time that a node is on"},
    {BookSim, "burst_beta", "", "workload.injection.mean_burst", "1 / burst_beta"},
    {BookSim, "packet_size", "", "workload.length.flits", "several sizes: workload.length.choices"},
    {BookSim, "const_flits_per_packet", "", "workload.length.flits", ""},
    {BookSim, "use_read_write", "", "", "requests with replies are what the TLM-2.0 component has"},
    {BookSim, "batch_size", "", "", "a packet list can hold a batch"},
    {BookSim, "sim_type", "", "", "every run reports latency and throughput"},
    {BookSim, "sample_period", "", "simulation.measure", "sample_period times max_samples; one period, not several"},
    {BookSim, "max_samples", "", "simulation.measure", "sample_period times max_samples; one period, not several"},
    {BookSim, "warmup_periods", "", "simulation.warmup", "times sample_period"},
    {BookSim, "latency_thres", "", "", "a run that does not drain within simulation.drain cycles has failed"},
    {BookSim, "sim_count", "", "", "weft sweep --over simulation.seed=1:10:1 runs several seeds"},
    {BookSim, "seed", "", "simulation.seed", ""},
    {BookSim, "deadlock_warn_timeout", "", "simulation.deadlock_after", "the run ends then"},
    {BookSim, "print_csv_results", "", "output.csv", ""},
    {BookSim, "stats_out", "", "output.directory", ""},
    {BookSim, "sim_power", "", "", "power is not modelled"},

    {Noxim, "topology", "", Topology, ""},
    {Noxim, "MESH", Topology, "mesh", ""},
    {Noxim, "BUTTERFLY", Topology, "", "delta networks are not built in; a file can describe one"},
    {Noxim, "BASELINE", Topology, "", "delta networks are not built in; a file can describe one"},
    {Noxim, "OMEGA", Topology, "", "delta networks are not built in; a file can describe one"},
    {Noxim, "mesh_dim_x", "", "network.topology.shape", "[mesh_dim_x, mesh_dim_y]"},
    {Noxim, "mesh_dim_y", "", "network.topology.shape", "[mesh_dim_x, mesh_dim_y]"},
    {Noxim, "buffer_depth", "", "network.router.depth", ""},
    {Noxim, "n_virtual_channels", "", "network.router.vcs", ""},
    {Noxim, "flit_size", "", "network.flit.payload_bits", "without the header"},
    {Noxim, "r2r_link_length", "", "network.link.cycles", "in cycles, not millimetres"},
    {Noxim, "routing_algorithm", "", Routing, ""},
    {Noxim, "XY", Routing, "dimension_order", ""},
    {Noxim, "WEST_FIRST", Routing, "west_first", ""},
    {Noxim, "NORTH_LAST", Routing, "north_last", ""},
    {Noxim, "NEGATIVE_FIRST", Routing, "negative_first", ""},
    {Noxim, "ODD_EVEN", Routing, "", "west_first, north_last and negative_first are the turn models"},
    {Noxim, "DYAD", Routing, "", "minimal_adaptive looks at credits"},
    {Noxim, "TABLE_BASED", Routing, "as_in_file", "the table is in the file of the topology"},
    {Noxim, "routing_table_filename", "", "network.topology.file", "the table is in the file of the topology"},
    {Noxim, "selection_strategy", "", "", "adaptive routing takes the port with the most credits"},
    {Noxim, "dyad_threshold", "", "", "there is no DyAD routing"},
    {Noxim, "traffic_distribution", "", Pattern, ""},
    {Noxim, "TRAFFIC_RANDOM", Pattern, "uniform", ""},
    {Noxim, "TRAFFIC_TRANSPOSE1", Pattern, "", "transpose is TRAFFIC_TRANSPOSE2, the other diagonal"},
    {Noxim, "TRAFFIC_TRANSPOSE2", Pattern, "transpose", ""},
    {Noxim, "TRAFFIC_BIT_REVERSAL", Pattern, "bit_reversal", ""},
    {Noxim, "TRAFFIC_SHUFFLE", Pattern, "shuffle", ""},
    {Noxim, "TRAFFIC_BUTTERFLY", Pattern, "", "a permutation in a file can be a butterfly"},
    {Noxim, "TRAFFIC_HOTSPOT", Pattern, "hotspot", ""},
    {Noxim, "TRAFFIC_TABLE_BASED", Pattern, "", "workload.packet_list takes a list of packets"},
    {Noxim, "traffic_table_filename", "", "workload.packet_list", "packets with their cycles, not rates"},
    {Noxim, "packet_injection_rate", "", "workload.injection.load", "in flits: packets times their mean length"},
    {Noxim, "probability_of_retransmission", "", "", "workload.injection.process: on_off makes bursts"},
    {Noxim, "min_packet_size", "", "workload.length.min", "with workload.length.kind: uniform"},
    {Noxim, "max_packet_size", "", "workload.length.max", "with workload.length.kind: uniform"},
    {Noxim, "clock_period_ps", "", "", "an experiment counts cycles; a virtual platform has tlm.clock_period"},
    {Noxim, "reset_time", "", "", "cycles count from the end of the reset"},
    {Noxim, "simulation_time", "", "simulation.measure", "without the warm-up; the run then drains"},
    {Noxim, "stats_warm_up_time", "", "simulation.warmup", ""},
    {Noxim, "rnd_generator_seed", "", "simulation.seed", ""},
    {Noxim, "max_volume_to_be_drained", "", "", "a run ends when all measured packets have arrived"},
    {Noxim, "trace_mode", "", "output.vcd", "the names of the signals"},
    {Noxim, "trace_filename", "", "output.name", "of all result files"},
    {Noxim, "use_winoc", "", "", Wired},
    {Noxim, "Hubs", "", "", Wired},
    {Noxim, "RadioChannels", "", "", Wired},
};

std::string hint(const std::string& path, const std::string& word) {
  const auto found = std::find_if(std::begin(Table), std::end(Table),
                                  [&](const foreign_word& w) { return w.word == word && w.key == path; });
  if (found == std::end(Table)) return {};
  const std::string note = found->note;
  if (*found->ours == '\0') return fmt::format("; {}'s {} has no counterpart: {}", found->simulator, word, note);
  return fmt::format("; {}'s {} is {}{}", found->simulator, word, found->ours, note.empty() ? "" : ": " + note);
}

}  // namespace

const std::vector<foreign_word>& foreign_words() {
  static const std::vector<foreign_word> all(std::begin(Table), std::end(Table));
  return all;
}

std::string key_hint(const std::string& name) { return hint("", name); }

std::string value_hint(const std::string& path, const std::string& value) {
  return path.empty() ? std::string() : hint(path, value);
}

}  // namespace weft::experiment
