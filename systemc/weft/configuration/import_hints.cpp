// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/import_hints.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "weft/configuration/keys.h"

namespace weft::experiment {

namespace {

/// A simulator. Its functions build the rows of the table.
struct simulator {
  const char* name;

  /// A row for the simulator's key \p word and Weft's key \p ours.
  constexpr import_hint key(const char* word, const char* ours, const char* note = "") const {
    return {name, word, "", ours, note};
  }
  /// A row for the simulator's key \p word, which has no equivalent in Weft.
  constexpr import_hint lacks(const char* word, const char* why) const { return key(word, "", why); }
  /// A row for the simulator's value \p word and Weft's value \p ours of Weft's key \p of.
  constexpr import_hint value(const char* of, const char* word, const char* ours, const char* note = "") const {
    return {name, word, of, ours, note};
  }
  /// A row for the simulator's value \p word, which has no equivalent in Weft.
  constexpr import_hint lacks_value(const char* of, const char* word, const char* why) const {
    return value(of, word, "", why);
  }
};

constexpr simulator BookSim{"BookSim2"};
constexpr simulator Noxim{"Noxim"};
constexpr const char* Topology = "network.topology.kind";
constexpr const char* Priority = "network.router.priority";
constexpr const char* Routing = "network.routing.algorithm";
constexpr const char* Pattern = "workload.pattern.kind";
constexpr const char* VcAllocator = "network.router.vc_allocator.kind";
constexpr const char* SwitchAllocator = "network.router.switch_allocator.kind";
constexpr const char* InBrackets = "a number in brackets is the key iterations, an arbiter in brackets the key arbiter";
constexpr const char* OnlyInBrackets =
    "BookSim2 reads it, but its allocators use only what their own setting has in brackets";
constexpr const char* Select = "with one iteration it equals separable_output_first";
constexpr const char* BufferPolicy = "network.router.buffer.policy";
constexpr const char* NoChange = "the limit of a VC in a shared buffer does not change";
constexpr const char* Wired = "all links are wires";
constexpr const char* OfEnergy = "output.energy.technology";
constexpr const char* NoDelta = "delta networks are not built in; a file can describe one";

constexpr import_hint Table[] = {
    BookSim.key("topology", Topology),
    BookSim.value(Topology, "fattree", "fat_tree", "k and n are n children [k, k, …] and n parents [1, k, …]"),
    BookSim.value(Topology, "cmesh", "mesh", "with nodes_per_router; with routing_function = dor, express_mesh"),
    BookSim.value(Topology, "anynet", "file"),
    BookSim.value(Topology, "fly", "k_ary_n_fly", "k is arity and n is stages"),
    BookSim.value(Topology, "flatfly", "flattened_butterfly", "with nodes_per_router"),
    BookSim.value(Topology, "dragonflynew", "dragonfly",
                  "k is global_links and nodes_per_router; groups have 2 k routers"),
    BookSim.key("k", "network.topology.shape", "k = 8 and n = 2 are [8, 8]"),
    BookSim.key("n", "network.topology.shape", "k = 8 and n = 2 are [8, 8]"),
    BookSim.key("c", "network.topology.nodes_per_router"),
    BookSim.key("network_file", "network.topology.file", "in Weft's format, GraphML or Graphviz"),
    BookSim.key("routing_function", Routing),
    BookSim.value(Routing, "dor", "dimension_order", "in a mesh; express_order in a cmesh"),
    BookSim.value(Routing, "dest_tag", "destination_tag"),
    BookSim.value(Routing, "dim_order", "dimension_order"),
    BookSim.value(Routing, "xy_yx", "o1turn"),
    BookSim.value(Routing, "min_adapt", "minimal_adaptive"),
    BookSim.value(Routing, "nca", "nearest_common_ancestor", "network.routing.ascent chooses the parent"),
    BookSim.value(Routing, "anca", "nearest_common_ancestor", "with network.routing.ascent: least_loaded"),
    BookSim.value(Routing, "dor_no_express", "dimension_order", "of a concentrated mesh"),
    BookSim.value(Routing, "ran_min", "dimension_order",
                  "of a flattened butterfly; in spite of its name, it is not random"),
    BookSim.value(
        Routing, "min", "shortest",
        "minimal in a dragonfly; elsewhere with network.routing.weight: cycles, and with as many VC layers as "
        "deadlock freedom requires"),
    BookSim.value(Routing, "planar_adapt", "planar_adaptive"),
    BookSim.lacks_value(Routing, "chaos", "it needs routers that misroute packets"),
    BookSim.key("num_vcs", "network.router.vcs"),
    BookSim.key("vc_buf_size", "network.router.depth", "also the number of credits of a node: nic.ejection_credits"),
    BookSim.key("buf_size", "network.router.depth", "times num_vcs"),
    BookSim.key("buffer_policy", BufferPolicy),
    BookSim.value(BufferPolicy, "limited", "shared", "with network.router.buffer.limit"),
    BookSim.lacks_value(BufferPolicy, "dynamic", NoChange),
    BookSim.lacks_value(BufferPolicy, "shifting", NoChange),
    BookSim.lacks_value(BufferPolicy, "feedback", NoChange),
    BookSim.lacks_value(BufferPolicy, "simplefeedback", NoChange),
    BookSim.key("private_bufs", "network.router.buffer.reserved", "1 is 0; as many as VCs is private_buf_size"),
    BookSim.key("private_buf_size", "network.router.buffer.reserved", "with a private buffer for each VC"),
    BookSim.key("max_held_slots", "network.router.buffer.limit", "with buffer_policy = limited"),
    BookSim.key("wait_for_tail_credit", "network.router.vc_reallocation", "1 is after_tail_credit"),
    BookSim.key("vc_busy_when_full", "network.router.vc_busy_when_full", "1 is true"),
    BookSim.key("vc_prioritize_empty", "network.router.vc_prefer_empty", "1 is true"),
    BookSim.key("routing_delay", "network.router.pipeline", "the sum of all stages; 0 is lookahead_routing: true"),
    BookSim.key("vc_alloc_delay", "network.router.pipeline", "the sum of all stages"),
    BookSim.key("sw_alloc_delay", "network.router.pipeline", "the sum of all stages"),
    BookSim.key("st_final_delay", "network.router.pipeline", "the sum of all stages"),
    BookSim.lacks("credit_delay", "credits take network.link.cycles, like flits"),
    BookSim.key("speculative", "network.router.speculation", "1 is prioritized"),
    BookSim.key("spec_sw_allocator", "network.router.speculation",
                "prio is prioritized, the kind of sw_allocator masked_by_grants"),
    BookSim.key("spec_mask_by_reqs", "network.router.speculation", "1 is masked_by_requests"),
    BookSim.lacks("internal_speedup", "routers and channels have one clock"),
    BookSim.key("input_speedup", "network.router.input_speedup", "if it divides num_vcs and is at most 4"),
    BookSim.lacks("output_speedup", "an output port receives at most one flit per cycle from the switch"),
    BookSim.key("vc_allocator", VcAllocator, InBrackets),
    BookSim.value(VcAllocator, "rr_wavefront", "wavefront_fair"),
    BookSim.value(VcAllocator, "loa", "lonely_output"),
    BookSim.value(VcAllocator, "max_size", "maximum_matching"),
    BookSim.lacks_value(VcAllocator, "select", Select),
    BookSim.key("sw_allocator", SwitchAllocator, InBrackets),
    BookSim.value(SwitchAllocator, "rr_wavefront", "wavefront_fair"),
    BookSim.value(SwitchAllocator, "loa", "lonely_output"),
    BookSim.value(SwitchAllocator, "max_size", "maximum_matching"),
    BookSim.lacks_value(SwitchAllocator, "select", Select),
    BookSim.lacks("arb_type", OnlyInBrackets),
    BookSim.lacks("alloc_iters", OnlyInBrackets),
    BookSim.key("priority", Priority),
    BookSim.value(Priority, "class", "message_class", "for classes with their own VCs"),
    BookSim.lacks_value(Priority, "sequence", "the number of a packet gives it no priority"),
    BookSim.lacks("subnets", "an experiment has one network"),
    BookSim.key("traffic", Pattern),
    BookSim.value(Pattern, "bitcomp", "bit_complement"),
    BookSim.value(Pattern, "bitrev", "bit_reversal"),
    BookSim.value(Pattern, "neighbor", "neighbour"),
    BookSim.value(Pattern, "randperm", "permutation", "the file lists it"),
    BookSim.lacks_value(Pattern, "diagonal", "a packet list can hold such traffic"),
    BookSim.lacks_value(Pattern, "asymmetric", "a packet list can hold such traffic"),
    BookSim.key("hotspot_nodes", "workload.pattern.hotspots"),
    BookSim.key("hotspot_rates", "workload.pattern.share", "all hotspots get the same share"),
    BookSim.key("injection_rate", "workload.injection.load",
                "in flits: packets times their mean length, unless injection_rate_uses_flits"),
    BookSim.key("injection_rate_uses_flits", "workload.injection.load", "always in flits"),
    BookSim.key("injection_process", "workload.injection.process"),
    BookSim.key("burst_alpha", "workload.injection.peak", "load / peak is the fraction of time that a node is on"),
    BookSim.key("burst_beta", "workload.injection.mean_burst", "1 / burst_beta"),
    BookSim.key("packet_size", "workload.length.flits", "several sizes: workload.length.choices"),
    BookSim.key("const_flits_per_packet", "workload.length.flits"),
    BookSim.key("use_read_write", "workload.injection.process", "request_reply: every request is answered"),
    BookSim.lacks("batch_size", "a packet list can hold a batch"),
    BookSim.lacks("sim_type", "every run reports latency and throughput"),
    BookSim.key("sample_period", "simulation.measure", "sample_period times the samples after the warm-up"),
    BookSim.key("max_samples", "simulation.measure", "sample_period times the samples after the warm-up"),
    BookSim.key("warmup_periods", "simulation.warmup", "times sample_period"),
    BookSim.lacks("latency_thres", "Weft detects saturation by the growth of source queues, not by a latency"),
    BookSim.key("sim_count", "sweep.replicates", "weft sweep runs them, with consecutive seeds"),
    BookSim.key("seed", "simulation.seed"),
    BookSim.key("deadlock_warn_timeout", "simulation.deadlock_after", "the run ends then"),
    BookSim.key("print_csv_results", "output.csv"),
    BookSim.key("stats_out", "output.directory"),
    BookSim.key("sim_power", OfEnergy, "selects a technology"),
    BookSim.lacks("power_output_file", "the results contain the energy"),
    BookSim.key("tech_file", "output.energy.file", "in another format"),
    BookSim.key("channel_width", "network.flit.payload_bits", "without the header"),
    BookSim.key("channel_file", "network.topology.file", "each link has its cycles there"),
    BookSim.lacks("use_noc_latency", "link latency is network.link.cycles, or the cycles in the network file"),
    BookSim.lacks("express_channels", "a file can describe them"),
    BookSim.lacks("link_failures", "a file can describe a network that lacks links"),
    BookSim.lacks("fail_seed", "a file can describe a network that lacks links"),
    BookSim.key("output_delay", "network.router.pipeline", "the sum of all stages"),
    BookSim.key("st_prepare_delay", "network.router.pipeline", "the sum of all stages"),
    BookSim.key("shared_buf_size", "network.router.depth", "times num_vcs, with network.router.buffer: shared"),
    BookSim.key("hold_switch_for_packet", "network.router.hold_switch", "1 is true"),
    BookSim.key("vc_alloc_arb_type", "network.router.vc_allocator.arbiter"),
    BookSim.key("sw_alloc_arb_type", "network.router.switch_allocator.arbiter"),
    BookSim.key("vc_alloc_iters", "network.router.vc_allocator.iterations"),
    BookSim.key("sw_alloc_iters", "network.router.switch_allocator.iterations"),
    BookSim.lacks("class_priority", "network.router.priority: message_class orders classes by their numbers"),
    BookSim.lacks("perm_seed", "the file of the permutation lists it"),
    BookSim.lacks("batch_count", "a packet list can hold batches"),
    BookSim.key("max_outstanding_requests", "workload.injection.window", "with process: request_reply"),
    BookSim.key("warmup_thres", "simulation.warmup", "auto determines it"),
    BookSim.key("acc_warmup_thres", "simulation.warmup", "auto determines it"),
    BookSim.key("stopping_thres", "simulation.until.relative_error", "the relative error of the mean latency"),
    BookSim.key("acc_stopping_thres", "simulation.until.relative_error", "the relative error of the mean latency"),
    BookSim.lacks("drain_measured_only", "a run ends when all measured packets have arrived"),
    BookSim.key("watch_out", "output.event_log", "for all flits"),
    BookSim.key("watch_flits", "output.event_log", "for all flits"),
    BookSim.key("watch_packets", "output.event_log", "for all flits"),

    Noxim.key("topology", Topology),
    Noxim.value(Topology, "MESH", "mesh"),
    Noxim.lacks_value(Topology, "BUTTERFLY", NoDelta),
    Noxim.lacks_value(Topology, "BASELINE", NoDelta),
    Noxim.lacks_value(Topology, "OMEGA", NoDelta),
    Noxim.key("mesh_dim_x", "network.topology.shape", "[mesh_dim_x, mesh_dim_y]"),
    Noxim.key("mesh_dim_y", "network.topology.shape", "[mesh_dim_x, mesh_dim_y]"),
    Noxim.lacks("n_delta_tiles", NoDelta),
    Noxim.key("buffer_depth", "network.router.depth"),
    Noxim.key("n_virtual_channels", "network.router.vcs"),
    Noxim.key("flit_size", "network.flit.payload_bits", "without the header"),
    Noxim.key("r2r_link_length", "network.link.cycles", "in cycles, not millimeters"),
    Noxim.lacks("r2h_link_length", Wired),
    Noxim.key("routing_algorithm", Routing),
    Noxim.value(Routing, "XY", "dimension_order"),
    Noxim.value(Routing, "WEST_FIRST", "west_first"),
    Noxim.value(Routing, "NORTH_LAST", "north_last"),
    Noxim.value(Routing, "NEGATIVE_FIRST", "negative_first"),
    Noxim.value(Routing, "ODD_EVEN", "odd_even"),
    Noxim.value(Routing, "DYAD", "odd_even", "with network.routing.selection: when_congested"),
    Noxim.value(Routing, "TABLE_BASED", "as_in_file", "the table is in the file of the topology"),
    Noxim.key("routing_table_filename", "network.topology.file", "the table is in the file of the topology"),
    Noxim.lacks("selection_strategy", "network.routing.selection: credits takes the port with the most credits"),
    Noxim.key("dyad_threshold", "network.routing.congestion", "in percent"),
    Noxim.key("traffic_distribution", Pattern),
    Noxim.value(Pattern, "TRAFFIC_RANDOM", "uniform"),
    Noxim.lacks_value(Pattern, "TRAFFIC_TRANSPOSE1", "transpose is TRAFFIC_TRANSPOSE2, the other diagonal"),
    Noxim.value(Pattern, "TRAFFIC_TRANSPOSE2", "transpose"),
    Noxim.value(Pattern, "TRAFFIC_BIT_REVERSAL", "bit_reversal"),
    Noxim.value(Pattern, "TRAFFIC_SHUFFLE", "shuffle"),
    Noxim.lacks_value(Pattern, "TRAFFIC_BUTTERFLY", "a permutation in a file can be a butterfly"),
    Noxim.value(Pattern, "TRAFFIC_HOTSPOT", "hotspot"),
    Noxim.value(Pattern, "TRAFFIC_TABLE_BASED", "matrix", "with workload.pattern.rates: absolute"),
    Noxim.lacks_value(Pattern, "TRAFFIC_HARDCODED", "workload.packet_list takes a list of packets"),
    Noxim.lacks_value(Pattern, "TRAFFIC_LOCAL", "a packet list can hold such traffic"),
    Noxim.key("traffic_hardcoded_filename", "workload.packet_list", "one packet in each line"),
    Noxim.key("traffic_table_filename", "workload.pattern.file", "rates in flits per cycle, without periods"),
    Noxim.key("packet_injection_rate", "workload.injection.load", "in flits: packets times their mean length"),
    Noxim.key("probability_of_retransmission", "workload.injection.process",
              "on_off, unless it equals packet_injection_rate"),
    Noxim.key("min_packet_size", "workload.length.min", "with workload.length.kind: uniform"),
    Noxim.key("max_packet_size", "workload.length.max", "with workload.length.kind: uniform"),
    Noxim.key("clock_period_ps", "simulation.clock", "in GHz; a virtual platform has tlm.clock_period"),
    Noxim.lacks("reset_time", "cycles count from the end of the reset"),
    Noxim.key("simulation_time", "simulation.measure", "without the warm-up; the run then drains"),
    Noxim.key("stats_warm_up_time", "simulation.warmup"),
    Noxim.key("rnd_generator_seed", "simulation.seed"),
    Noxim.lacks("max_volume_to_be_drained", "a run ends when all measured packets have arrived"),
    Noxim.key("trace_mode", "output.vcd", "a list of the signals"),
    Noxim.key("trace_filename", "output.name", "of all result files"),
    Noxim.key("verbose_mode", "output.event_log", "a file for all flits"),
    Noxim.lacks("detailed", "NAME.json has every metric"),
    Noxim.key("show_buffer_stats", "output.queues", "over time, with output.interval"),
    Noxim.lacks("use_winoc", Wired),
    Noxim.lacks("winoc_dst_hops", Wired),
    Noxim.lacks("use_wirxsleep", Wired),
    Noxim.key("use_powermanager", OfEnergy, "selects a technology"),
    Noxim.lacks("Hubs", Wired),
    Noxim.lacks("Channels", Wired),
    Noxim.lacks("RadioChannels", Wired),
};

const import_hint* find(const std::string& path, const std::string& word) {
  const auto found = std::find_if(std::begin(Table), std::end(Table),
                                  [&](const import_hint& w) { return w.word == word && w.key == path; });
  return found == std::end(Table) ? nullptr : found;
}

std::string hint(const std::string& path, const std::string& word) {
  const import_hint* const found = find(path, word);
  if (!found) return {};
  const std::string note = found->note;
  if (*found->ours == '\0') return fmt::format("; {}'s {} has no counterpart: {}", found->simulator, word, note);
  return fmt::format("; {}'s {} is {}{}", found->simulator, word, found->ours, note.empty() ? "" : ": " + note);
}

}  // namespace

const std::vector<import_hint>& import_hints() {
  static const std::vector<import_hint> all(std::begin(Table), std::end(Table));
  return all;
}

std::string key_hint(const std::string& section, const std::string& name) {
  if (name.size() > 1) return hint("", name);
  const import_hint* const found = find("", name);
  return found && within(found->ours, section) ? hint("", name) : std::string();
}

std::string counterpart(const std::string& path, const std::string& value) {
  const import_hint* const found = find(path, value);
  return found ? found->ours : value;
}

const import_hint* hint_of_key(const std::string& simulator, const std::string& name) {
  const auto found = std::find_if(std::begin(Table), std::end(Table), [&](const import_hint& h) {
    return h.simulator == simulator && h.word == name && *h.key == '\0';
  });
  return found == std::end(Table) ? nullptr : found;
}

std::string value_hint(const std::string& path, const std::string& value) {
  if (path.empty()) return {};
  const bool is_allocator = path == VcAllocator || path == SwitchAllocator;
  if (is_allocator && value.find('(') != std::string::npos)
    return "; what BookSim2 has in brackets are the keys iterations, arbiter and groups beside kind";
  return hint(path, value);
}

}  // namespace weft::experiment
