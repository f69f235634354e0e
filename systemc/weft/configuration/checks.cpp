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
#include "weft/configuration/workload_checks.h"
#include "weft/core/parameter_errors.h"
#include "weft/core/printable.h"
#include "weft/workload/payload.h"

namespace weft::experiment {

namespace {

class checker {
 public:
  explicit checker(const configuration& c) : m_configuration(c), m_errors(c) {}

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
      check_longest(m_configuration, m_errors,
                    {"workload.replay.packet", "network.router.flow_control", "network.router.depth"},
                    m_configuration.workload.replay.packet);
      m_errors.add(check_replayed_keys(m_configuration));
    } else if (!m_configuration.workload.packet_list.empty()) {
      if (good_shape) check_packet_list(m_configuration, m_errors, static_cast<std::uint32_t>(m_nodes));
    } else if (!m_configuration.workload.flows.file.empty()) {
      if (good_shape) check_flows(m_configuration, m_errors, static_cast<std::uint32_t>(m_nodes));
    } else {
      check_classes();
      check_generated(m_configuration, m_errors,
                      good_shape ? std::optional(static_cast<std::uint32_t>(m_nodes)) : std::nullopt);
    }
    check_payload();
    check_stages();
    check_simulation();
    check_output();
    return m_errors.take();
  }

  std::vector<diagnostic> check_hardware() {
    check_needs();
    check_topology();
    check_parameters();
    return m_errors.take();
  }

  std::vector<diagnostic> check_message(std::uint32_t flits) {
    check_longest(m_configuration, m_errors,
                  {"network.router.flow_control", "network.router.depth", "collective.algorithm", "collective.length",
                   "collective.lengths"},
                  flits);
    return m_errors.take();
  }

 private:
  void error(const found_errors::places& keys, std::string message) { m_errors.add(keys, std::move(message)); }

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
        m_errors.add({m_configuration.where(path), path + " has no effect " + circumstance(needed)});
      }
    };
    for (const section& s : sections_of(m_configuration)) check(s.path, s.needs);
    for (const key& k : table) check(k.path, k.needs);
  }

  /// The end of the message "KEY has no effect …" for the condition \p needed, which does not hold.
  static std::string circumstance(const condition& needed) {
    if (!needed.otherwise.empty()) return needed.otherwise;
    if (needed.value.empty()) return fmt::format("{} {}", needed.differs ? "without" : "with", needed.key);
    return fmt::format("{} {} is {}{}", needed.differs ? "while" : "unless", needed.key, values_of(needed),
                       needed.of_file ? "; leave it out" : "");
  }

  void check_link_width() {
    const auto& c = m_configuration;
    const unsigned bits = c.flit.payload_bits;
    if (!c.link.width || (bits % *c.link.width == 0 && bits / *c.link.width <= MaxPhits)) return;
    error({"network.link.width", "network.flit.payload_bits"},
          fmt::format("network.link.width: expected a divisor of {} (network.flit.payload_bits) that is at least {}, "
                      "got {}",
                      bits, (bits + MaxPhits - 1) / MaxPhits, *c.link.width));
  }

  bool check_topology() {
    check_link_width();
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
      m_errors.add(e.found());
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
      m_errors.add({m_configuration.where_last(f.keys), f.message});
  }

  /// Checks keys that have an effect only if packets have different classes.
  void check_classes() {
    if (m_configuration.router.classes == 1 || uses_classes(m_configuration.workload)) return;
    const auto reject = [this](const char* key, const char* value) {
      error({key}, fmt::format("{}: {} has no effect, because all packets are in class 0; select other classes by "
                               "workload.traffics.NAME.class, by the seventh column of a packet list, or with "
                               "workload.injection.process: request_reply",
                               key, value));
    };
    if (m_configuration.router.priority == priority_kind::MessageClass)
      reject("network.router.priority", "message_class");
    if (m_configuration.nic.queues == source_queues::PerClass) reject("nic.source_queues", "per_class");
  }

  void check_payload() {
    m_errors.attempt({"workload.payload.file", "workload.payload.kind"}, "workload.payload.file",
                     [this] { payload_generator(m_configuration.workload.payload, 0, 1, 1); });
  }

  void check_stages() {
    const auto& nic = m_configuration.nic;
    if (nic.coding.enabled && nic.compression.in_hardware() && nic.compression_stages.rtl())
      error(
          {"nic.compression.implementation", "nic.coding.enabled"},
          "nic.compression.implementation: expected systemc with nic.coding, got rtl; the RTL compressor has no wires "
          "for the code part of a header; set nic.implementation: rtl to simulate whole NICs, or leave the key out");
    if (nic.whole.rtl() && nic.queues == source_queues::PerClass)
      error(
          {"nic.source_queues", "nic.implementation"},
          "nic.source_queues: expected shared, because nic.implementation is rtl, got per_class; a NIC as RTL expects "
          "that a packet at its input stays there until it is accepted");
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
    const cycle_t unseen = 2 * (std::max(c.link.cycles + phits_of(c) - 1, c.nic.link_cycles) + c.router.pipeline);
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
  found_errors m_errors;
};

}  // namespace

std::vector<diagnostic> check_configuration(const configuration& c) { return checker(c).check(); }

std::vector<diagnostic> check_hardware(const configuration& c) { return checker(c).check_hardware(); }

std::vector<diagnostic> check_longest_packet(const configuration& c, std::uint32_t flits) {
  return checker(c).check_message(flits);
}

}  // namespace weft::experiment
