// SPDX-License-Identifier: Apache-2.0
/// Checks whether the values of a configuration fit together. Other parts of Weft check their own rules; this file
/// calls their checks.

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/configuration/keys.h"
#include "weft/configuration/network.h"
#include "weft/configuration/replayed_keys.h"
#include "weft/core/parameter_errors.h"
#include "weft/core/printable.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/topology/files/topology_file.h"
#include "weft/workload/error.h"
#include "weft/workload/length.h"
#include "weft/workload/node_injection.h"
#include "weft/workload/packet_list.h"
#include "weft/workload/pattern.h"
#include "weft/workload/payload.h"

namespace weft::experiment {

namespace {

using places = std::initializer_list<const char*>;

class checker {
 public:
  explicit checker(const configuration& c) : m_configuration(c) {}

  std::vector<diagnostic> check() {
    check_needs();
    const bool good_shape = check_topology();
    check_parameters();
    if (m_configuration.collective.algorithm) {
      // The messages of a collective are known only after it has been built.
      if (m_configuration.collective.algorithm == collective_algorithm::Schedule &&
          m_configuration.collective.schedule.empty())
        error({"collective.algorithm"}, "collective.schedule is missing; set it to the file of the schedule");
    } else if (!m_configuration.workload.trace.empty()) {
      // The messages of a program are known only after it has been read.
      check_longest({"workload.replay.packet", "network.router.flow_control", "network.router.depth"},
                    m_configuration.workload.replay.packet);
      const std::vector<diagnostic> errors = check_replayed_keys(m_configuration);
      m_errors.insert(m_errors.end(), errors.begin(), errors.end());
    } else if (m_configuration.workload.packet_list.empty()) {
      check_generated(good_shape);
    } else {
      check_packet_list(good_shape);
    }
    check_payload();
    check_stages();
    check_simulation();
    check_output();
    return std::move(m_errors);
  }

  std::vector<diagnostic> check_hardware() {
    check_needs();
    check_topology();
    check_parameters();
    return std::move(m_errors);
  }

  std::vector<diagnostic> check_message(std::uint32_t flits) {
    check_longest({"network.router.flow_control", "network.router.depth", "collective.algorithm", "collective.length",
                   "collective.lengths"},
                  flits);
    return std::move(m_errors);
  }

 private:
  void error(places keys, std::string message) {
    m_errors.push_back({m_configuration.where(keys), std::move(message)});
  }

  /// Calls \p use and converts its exceptions to errors at \p keys. \p name is the key of the file that \p use reads;
  /// messages about that file begin with it.
  template <class Use>
  void attempt(places keys, const char* name, Use use) {
    try {
      use();
    } catch (const std::invalid_argument& e) {
      error(keys, e.what());
    } catch (const workload_error& e) {
      for (const std::string& fault : e.found()) error(keys, fmt::format("{}: {}", name, fault));
    }
  }

  /// Reports keys that were given but have no effect because of another key. Overrides may make a key ineffective
  /// without an error: a value from the command line may do this to keys of files, and a file to keys of the files that
  /// it includes.
  void check_needs() {
    configuration copy = m_configuration;
    const std::vector<key> table = keys(copy);
    const auto check = [&](const std::string& path, const std::vector<condition>& needs) {
      if (m_configuration.given_by(path) == origin::kind::Default) return;
      for (const condition& needed : needs) {
        if (m_configuration.overrides(needed.key, path) || holds(needed, table)) continue;
        m_errors.push_back({m_configuration.where(path), path + " has no effect " + circumstance(needed)});
      }
    };
    for (const section& s : sections()) check(s.path, s.needs);
    for (const key& k : table) check(k.path, k.needs);
  }

  /// The end of the message "KEY has no effect …" for the condition \p needed, which does not hold.
  static std::string circumstance(const condition& needed) {
    if (!needed.otherwise.empty()) return needed.otherwise;
    if (needed.value.empty()) return fmt::format("{} {}", needed.differs ? "without" : "with", needed.key);
    return fmt::format("{} {} is {}{}", needed.differs ? "while" : "unless", needed.key, values_of(needed),
                       needed.of_file ? "; leave it out" : "");
  }

  bool check_topology() {
    const auto& c = m_configuration;
    // At pin level, a router needs a quarter of a megabyte of memory.
    constexpr std::uint64_t MostPinNodes = 1 << 12, MostEngineNodes = 1 << 18;
    const bool pins = c.simulation.level == abstraction_level::Pin;
    const std::uint64_t most_nodes = pins ? MostPinNodes : MostEngineNodes;
    std::vector<unsigned> sorted = c.routing.order;
    std::sort(sorted.begin(), sorted.end());
    const bool permutation = sorted.size() == c.topology.shape.size() && sorted.back() + 1 == sorted.size() &&
                             std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (c.topology.kind->grid && !permutation)
      error({"network.routing.order", "network.topology.shape"},
            fmt::format("network.routing.order: expected each of the {} dimensions of the shape once, got [{}]",
                        c.topology.shape.size(), order_text()));
    try {
      m_nodes = c.nodes();
    } catch (const configuration_error& e) {
      m_errors.insert(m_errors.end(), e.found().begin(), e.found().end());
      return false;
    }
    const std::uint64_t nodes = m_nodes;
    const bool good_size = nodes >= 2 && nodes <= most_nodes;
    if (!good_size)
      error({"network.topology.shape", "network.topology.nodes_per_router", "network.topology.kind"},
            fmt::format("network.topology: expected 2 to {} nodes in all, got {}{}", most_nodes, nodes,
                        pins && nodes > MostPinNodes && nodes <= MostEngineNodes
                            ? fmt::format("; simulation.level: engine supports up to {} nodes", MostEngineNodes)
                            : ""));
    return good_size;
  }

  std::string order_text() const {
    std::string text;
    for (const unsigned d : m_configuration.routing.order)
      text += (text.empty() ? "" : ", ") + std::string(1, "xyzw"[d]);
    return text;
  }

  void check_parameters() {
    const nic_parameters nic = nic_parameters_of(m_configuration);
    for (const parameter_error& f : find_parameter_errors(m_configuration.router, nic, "network."))
      m_errors.push_back({m_configuration.where_last(f.keys), f.message});
    const bool has_replies = m_configuration.workload.injection.kind == injection_kind::RequestReply;
    if (m_configuration.router.priority == priority_kind::MessageClass && m_configuration.router.classes > 1 &&
        !has_replies)
      error({"network.router.priority"},
            "network.router.priority: message_class has no effect unless workload.injection.process is request_reply; "
            "all other packets are in class 0");
  }

  /// \param which the packet that has the length \p longest, as " (packet 3)"; empty if it is not in a list
  void check_longest(places keys, std::uint32_t longest, const std::string& which = "") {
    const compression_parameters& compression = m_configuration.nic.compression;
    if (compression.enabled() && longest > compression.depth)
      error({"nic.compression.buffer", "nic.compression.mode", "workload.length.flits", "workload.length.max",
             "workload.length.choices", "workload.packet_list", "workload.replay.packet"},
            fmt::format("nic.compression.buffer: expected at least {} flits (the longest packet{}), got {}", longest,
                        which, compression.depth));
    if (!reserves_whole_packets(m_configuration.router.flow)) return;
    const auto check_room = [&](const char* buffer, unsigned depth) {
      if (longest > depth)
        error(keys,
              fmt::format("network.router.flow_control: {} needs room for a whole packet in {}; expected packets of "
                          "at most {} flits, got {}{}; set {} to {} or more, or shorten the packets",
                          m_configuration.router.flow == flow_control::StoreAndForward ? "store_and_forward"
                                                                                       : "virtual_cut_through",
                          buffer, depth, longest, which, buffer, longest));
    };
    check_room("network.router.depth", m_configuration.router.depth);
    if (m_configuration.nic.ejection_depth > 0) check_room("nic.ejection_depth", m_configuration.nic.ejection_depth);
    if (m_configuration.nic.ejection_credits > 0)
      check_room("nic.ejection_credits", m_configuration.nic.ejection_credits);
  }

  void check_generated(bool good_shape) {
    const workload_parameters& w = m_configuration.workload;
    const std::vector<std::string>& own = w.pattern.kind->keys;
    const std::string blamed = "workload.pattern." + (own.empty() ? "kind" : own.front());
    std::optional<traffic_pattern> pattern;
    if (good_shape)
      attempt({blamed.c_str(), "workload.pattern.kind", "network.topology.shape"}, "workload.pattern.file",
              [&] { pattern.emplace(w.pattern, static_cast<std::uint32_t>(m_nodes), grid_for(*w.pattern.kind)); });
    attempt({"workload.length.min", "workload.length.max", "workload.length.choices", "workload.length.kind"},
            "workload.length", [&] {
              const length_distribution length(w.length);
              const bool closed = w.injection.kind == injection_kind::RequestReply;
              if (closed && w.injection.reply > length.longest())
                check_longest({"workload.injection.reply", "network.router.flow_control", "network.router.depth"},
                              w.injection.reply);
              else
                check_longest({"network.router.flow_control", "network.router.depth", "workload.length.flits",
                               "workload.length.max", "workload.length.choices"},
                              length.longest());
              if (!closed) check_injection(pattern, length.mean());
            });
  }

  /// Checks the loads of nodes. \param pattern nothing if it is wrong
  void check_injection(const std::optional<traffic_pattern>& pattern, double mean_length) {
    const workload_parameters& w = m_configuration.workload;
    const bool absolute = pattern && pattern->has_absolute_loads();
    if (!absolute && check_load()) return;
    const auto attempt_at = [&](places keys) {
      attempt(keys, "workload.injection", [&] {
        if (pattern && pattern->has_node_loads())
          node_injection(w.injection, mean_length, *pattern, static_cast<std::uint32_t>(m_nodes));
        else
          injection_process(w.injection, mean_length);
      });
    };
    if (absolute)
      attempt_at({"workload.pattern.file", "workload.injection.peak", "workload.length"});
    else
      attempt_at({"workload.injection.load", "workload.injection.peak", "workload.length"});
  }

  /// Checks the load against the ports of the nodes. Returns whether further checks of the load are unnecessary: the
  /// load is too high for any packet length, or the number of ports is unknown.
  bool check_load() {
    const configuration& c = m_configuration;
    std::size_t ports = c.nic.ports;
    if (c.topology.kind == &file_topology()) {
      if (c.workload.injection.load <= 1) return false;
      try {
        ports = most_ports_of_node(build_channels(c));
      } catch (const configuration_error&) {  // reported when the file is read
        return true;
      }
    }
    const std::optional<diagnostic> fault = fault_of_load(c, ports);
    if (fault) m_errors.push_back(*fault);
    return fault.has_value();
  }

  /// The positions of the nodes if \p pattern uses them; otherwise nothing, because finding them may require reading a
  /// file.
  node_placement grid_for(const pattern_kind& pattern) const {
    const configuration& c = m_configuration;
    if (!pattern.by_place) return {};
    if (c.topology.kind->grid) return {c.topology.shape, c.topology.nodes_per_router};
    return find_node_placement(build_channels(c));
  }

  void check_packet_list(bool good_shape) {
    if (!good_shape) return;
    attempt({"workload.packet_list"}, "workload.packet_list", [this] {
      const auto nodes = static_cast<std::uint32_t>(m_nodes);
      const compact_packets packets = read_compact_packets(m_configuration.workload.packet_list, nodes);
      if (packets.empty())
        error({"workload.packet_list"},
              fmt::format("workload.packet_list: expected at least one packet in {}, got none",
                          m_configuration.workload.packet_list.string()));
      else
        check_longest(
            {"network.router.flow_control", "network.router.depth", "workload.packet_list"}, packets.longest(),
            fmt::format(" (packet {} of {})", packets.longest_packet(), m_configuration.workload.packet_list.string()));
    });
  }

  void check_payload() {
    attempt({"workload.payload.file", "workload.payload.kind"}, "workload.payload.file",
            [this] { payload_generator(m_configuration.workload.payload, 0, 1, 1); });
  }

  void check_stages() {
    const auto& nic = m_configuration.nic;
    if (nic.coding.enabled && nic.compression.in_hardware() && nic.compression_stages.rtl())
      error(
          {"nic.compression.implementation", "nic.coding.enabled"},
          "nic.compression.implementation: expected systemc with nic.coding, got rtl; the RTL compressor has no wires "
          "for the code part of a header; set nic.implementation: rtl to simulate whole NICs, or leave the key out");
    const auto reject_breakdown = [this](const implementation_choice& chosen, const char* key, const char* modules) {
      if (chosen.rtl() && m_configuration.output.breakdown)
        error({"output.breakdown", key},
              fmt::format("output.breakdown: expected false, because {} is rtl, got true; only "
                          "the SystemC {} report what a packet waits for",
                          key, modules));
    };
    reject_breakdown(m_configuration.routers, "network.router.implementation", "routers");
    reject_breakdown(nic.whole, "nic.implementation", "NICs");
    check_places(nic.whole, "nic.rtl_nodes");
    if (nic.compression.enabled()) check_places(nic.compression_stages, "nic.compression.rtl_nodes");
  }

  void check_places(const implementation_choice& chosen, const char* key) {
    for (const node_id node : chosen.places)
      if (node >= m_nodes)
        error({key}, fmt::format("{}: expected node numbers from 0 to {}, got {}", key, m_nodes - 1, node));
  }

  void check_simulation() {
    const auto& c = m_configuration;
    const bool listed = !c.workload.packet_list.empty();
    if (!c.simulation.warmup && listed)
      error({"simulation.warmup"},
            "simulation.warmup: auto needs endless traffic, but a packet list ends; give a number of cycles");
    if (c.simulation.until && c.simulation.measure > c.simulation.at_most)
      error({"simulation.until.at_most", "simulation.measure"},
            fmt::format("simulation.until.at_most: expected at least {} (simulation.measure), got {}",
                        c.simulation.measure, c.simulation.at_most));
    if (c.simulation.measure == 0 && c.workload.packet_list.empty() && c.workload.trace.empty() &&
        !c.collective.algorithm)
      error({"simulation.measure"}, "simulation.measure: expected at least 1 without a packet list, got 0");
    // While a flit moves on a long link, no event occurs.
    const cycle_t unseen = 2 * (std::max(c.link.cycles, c.nic.link_cycles) + c.router.pipeline);
    if (c.simulation.deadlock_after <= unseen)
      error(
          {"simulation.deadlock_after", "network.link.cycles", "nic.link_cycles"},
          fmt::format("simulation.deadlock_after: expected more than {} cycles (the longest time that a flit can move "
                      "through these links and routers without an event), got {}",
                      unseen, c.simulation.deadlock_after));
  }

  void check_output() {
    constexpr std::uint64_t MostPairedNodes = 1024;
    if (m_configuration.output.matrix && m_nodes > MostPairedNodes)
      error({"output.matrix", "network.topology.shape", "network.topology.kind"},
            fmt::format("output.matrix: expected a network of at most {} nodes, got {}", MostPairedNodes, m_nodes));
    if (m_configuration.output.energy.technology == "file" && m_configuration.output.energy.file.empty())
      error({"output.energy.technology"},
            "output.energy.file is missing; set it to the technology file, or select a technology by its name");
    if (m_configuration.output.energy.thermal && m_configuration.output.energy.pitch == 0)
      error(
          {"output.energy.pitch", "output.energy.thermal"},
          "output.energy.pitch: expected more than 0, because output.energy.thermal writes tiles of this width, got 0");
    const std::string& name = m_configuration.output.name;
    if (name.find('/') != std::string::npos || name == "." || name == "..")
      error({"output.name"},
            fmt::format("output.name: expected a file name without a directory, got {}", in_quotes(name)));
    // Weft ignores other keys that an override makes ineffective. This key is an error, because users would notice too
    // late that the waveform is missing.
    const auto& c = m_configuration;
    if (c.simulation.level != abstraction_level::Pin && !c.output.vcd.empty() &&
        c.overrides("simulation.level", "output.vcd"))
      error({"simulation.level"},
            "output.vcd: only simulation.level: pin has waveforms; turn them off with --set 'output.vcd=[]'");
  }

  const configuration& m_configuration;
  std::uint64_t m_nodes = 0;
  std::vector<diagnostic> m_errors;
};

}  // namespace

std::vector<diagnostic> check_configuration(const configuration& c) { return checker(c).check(); }

std::vector<diagnostic> check_hardware(const configuration& c) { return checker(c).check_hardware(); }

std::vector<diagnostic> check_longest_packet(const configuration& c, std::uint32_t flits) {
  return checker(c).check_message(flits);
}

}  // namespace weft::experiment
