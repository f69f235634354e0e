// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/workload_checks.h"

#include <algorithm>

#include <fmt/format.h>

#include "weft/configuration/network.h"
#include "weft/configuration/traffic_sections.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/topology/files/topology_file.h"
#include "weft/workload/flows.h"
#include "weft/workload/length.h"
#include "weft/workload/node_injection.h"
#include "weft/workload/packet_list.h"
#include "weft/workload/pattern.h"
#include "weft/workload/payload.h"
#include "weft/workload/traffic_loads.h"
#include "weft/workload/workload.h"

namespace weft::experiment {

namespace {

class traffic_checker {
 public:
  traffic_checker(const configuration& c, found_errors& errors, std::optional<std::uint32_t> nodes)
      : m_configuration(c), m_errors(errors), m_nodes(nodes) {}

  void check() {
    const workload_parameters& w = m_configuration.workload;
    if (!w.traffics.empty() && !has_load(w) && w.injection.load > 0)
      m_errors.add({LoadKey},
                   "workload.injection.load has no effect, because no traffic in workload.traffics has a load above 0 "
                   "that could be scaled; leave it out");
    if (has_queues(w)) check_queues();
    m_has_wrong_load = (m_nodes || w.traffics.empty()) && check_load();
    if (w.traffics.empty()) return check_traffic("workload", w, "");
    const std::vector<named_traffic> scaled = scaled_traffics(w, m_nodes.value_or(1));
    for (std::size_t i = 0; i < scaled.size(); ++i) {
      const named_traffic& t = scaled[i];
      const std::string section = section_of_traffic(t.name);
      check_own_keys(t);
      check_traffic(
          section, t,
          t.injection.load == w.traffics[i].injection.load
              ? section + ": "
              : fmt::format("{}, whose load workload.injection.load scales to {:g}: ", section, t.injection.load));
    }
  }

 private:
  /// Checks that NICs let a node accept some classes and not others.
  void check_queues() {
    const auto& nic = m_configuration.nic;
    const std::string key = key_of_queue();
    const auto reject = [&](const char* other, const char* why) {
      m_errors.add({key, other},
                   fmt::format("{}: expected unlimited, because {} ({}); leave one of the keys out", key, why, other));
    };
    if (nic.ejection_depth == 0)
      m_errors.add(
          {"nic.ejection_depth", key},
          fmt::format("nic.ejection_depth: expected at least 1, because {} is set and packets that a node does "
                      "not accept wait in the ejection buffer, got 0",
                      key));
    if (nic.compression.enabled())
      reject("nic.compression.mode", "packets of all classes pass a decompressor one after the other");
    if (nic.coding.enabled)
      reject("nic.coding.enabled", "packets of all classes pass an XOR decoder one after the other");
    if (nic.whole.rtl()) reject("nic.implementation", "a node cannot reject single classes of a NIC as RTL");
  }

  std::string key_of_queue() const {
    const workload_parameters& w = m_configuration.workload;
    for (const named_traffic& t : w.traffics)
      if (t.injection.queue) return section_of_traffic(t.name) + ".injection.queue";
    return "workload.injection.queue";
  }

  /// Checks the keys that only one of several traffics has.
  void check_own_keys(const named_traffic& t) {
    const std::string section = section_of_traffic(t.name);
    if (m_nodes)
      m_errors.attempt(
          {section + ".sources"}, section, [&] { source_flags(t, *m_nodes); }, section + ": ");
    const unsigned classes = m_configuration.router.classes;
    const auto check_class = [&](const char* name, unsigned message_class) {
      if (message_class >= classes)
        m_errors.add(
            {section + "." + name, "network.router.classes"},
            fmt::format("{}.{}: expected a class from 0 to {}, got {}; raise network.router.classes to have more",
                        section, name, classes - 1, message_class));
    };
    check_class("class", t.message_class);
    if (t.reply_class) check_class("reply_class", *t.reply_class);
    m_errors.attempt(
        {section + ".payload.file", section + ".payload.kind"}, section + ".payload.file",
        [&] { payload_generator(t.payload, 0, 1, 1); }, section + ": ");
  }

  void check_forwards(const std::string& section, const traffic_parameters& t) {
    const unsigned classes = m_configuration.router.classes;
    for (const unsigned message_class : t.injection.forwards)
      if (message_class >= classes)
        m_errors.add({section + ".injection.forwards", "network.router.classes"},
                     fmt::format("{}.injection.forwards: expected classes from 0 to {}, got {}; raise "
                                 "network.router.classes to have more",
                                 section, classes - 1, message_class));
  }

  /// \param section the section of its keys, such as "workload.traffics.video"
  /// \param prefix start of messages that do not name the traffic
  void check_traffic(const std::string& section, const traffic_parameters& t, const std::string& prefix) {
    const auto key = [&section](const std::string& name) { return section + "." + name; };
    const std::vector<std::string>& own = t.pattern.kind->keys;
    std::optional<traffic_pattern> pattern;
    if (m_nodes)
      m_errors.attempt(
          {key("pattern." + (own.empty() ? "kind" : own.front())), key("pattern.kind"), "network.topology.shape"},
          key("pattern.file"), [&] { pattern.emplace(t.pattern, *m_nodes, grid_for(*t.pattern.kind)); }, prefix);
    const bool closed = reacts(t);
    if (closed) check_forwards(section, t);
    const auto check_lengths = [&] {
      const length_distribution length(t.length);
      const std::uint32_t others =
          t.injection.forwards.empty() ? t.injection.reply : std::max(t.injection.reply, t.injection.forward);
      if (closed && others > length.longest())
        check_longest(m_configuration, m_errors,
                      {key(others == t.injection.reply ? "injection.reply" : "injection.forward"),
                       "network.router.flow_control", "network.router.depth"},
                      others);
      else
        check_longest(m_configuration, m_errors,
                      {"network.router.flow_control", "network.router.depth", key("length.flits"), key("length.max"),
                       key("length.choices")},
                      length.longest());
      if (!closed) check_injection(section, t, pattern, length.mean(), prefix);
    };
    m_errors.attempt({key("length.min"), key("length.max"), key("length.choices"), key("length.kind")}, key("length"),
                     check_lengths, prefix);
  }

  /// Checks the loads of nodes. \param pattern nothing if it is wrong
  void check_injection(const std::string& section, const traffic_parameters& t,
                       const std::optional<traffic_pattern>& pattern, double mean_length, const std::string& prefix) {
    const bool absolute = pattern && pattern->has_absolute_loads();
    if (!absolute && m_has_wrong_load) return;
    if (!has_process(section, t, mean_length, prefix)) return;
    m_errors.attempt(
        {section + (absolute ? ".pattern.file" : ".injection.load"), section + ".injection.peak", section + ".length",
         LoadKey},
        section + ".injection",
        [&] {
          if (pattern && pattern->has_node_loads())
            node_injection(t.injection, mean_length, *pattern, *m_nodes);
          else
            injection_process(t.injection, mean_length);
        },
        prefix);
  }

  /// Checks the keys of the process of \p t that do not depend on its load. Returns whether they are correct.
  bool has_process(const std::string& section, const traffic_parameters& t, double mean_length,
                   const std::string& prefix) {
    const auto key = [&section](const char* name) { return section + ".injection." + name; };
    injection_parameters silent = t.injection;
    silent.load = silent.peak = 0;
    bool correct = false;
    m_errors.attempt(
        {key("transitions"), key("durations"), key("rates"), key("mean_burst"), key("hurst"), key("process")},
        section + ".injection",
        [&] {
          const injection_process checked(silent, mean_length);
          correct = true;
        },
        prefix);
    return correct;
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
    if (fault) m_errors.add(*fault);
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

  const configuration& m_configuration;
  found_errors& m_errors;
  const std::optional<std::uint32_t> m_nodes;
  bool m_has_wrong_load = false;  ///< whether the load has been found to be too high for any packet length
};

}  // namespace

void check_longest(const configuration& c, found_errors& errors, const found_errors::places& keys,
                   std::uint32_t longest, const std::string& which) {
  const compression_parameters& compression = c.nic.compression;
  if (compression.enabled() && longest > compression.depth)
    errors.add({"nic.compression.buffer", "nic.compression.mode", "workload.length.flits", "workload.length.max",
                "workload.length.choices", "workload.packet_list", "workload.replay.packet"},
               fmt::format("nic.compression.buffer: expected at least {} flits (the longest packet{}), got {}", longest,
                           which, compression.depth));
  if (!reserves_whole_packets(c.router.flow)) return;
  const auto check_room = [&](const char* buffer, unsigned depth) {
    if (longest > depth)
      errors.add(keys, fmt::format(
                           "network.router.flow_control: {} needs room for a whole packet in {}; expected packets of "
                           "at most {} flits, got {}{}; set {} to {} or more, or shorten the packets",
                           c.router.flow == flow_control::StoreAndForward ? "store_and_forward" : "virtual_cut_through",
                           buffer, depth, longest, which, buffer, longest));
  };
  check_room("network.router.depth", c.router.depth);
  if (c.nic.ejection_depth > 0) check_room("nic.ejection_depth", c.nic.ejection_depth);
  if (c.nic.ejection_credits > 0) check_room("nic.ejection_credits", c.nic.ejection_credits);
}

void check_generated(const configuration& c, found_errors& errors, std::optional<std::uint32_t> nodes) {
  traffic_checker(c, errors, nodes).check();
}

void check_packet_list(const configuration& c, found_errors& errors, std::uint32_t nodes) {
  errors.attempt({"workload.packet_list"}, "workload.packet_list", [&] {
    const compact_packets packets =
        read_compact_packets(c.workload.packet_list, {nodes, data_type::Other, c.router.classes});
    if (packets.empty())
      errors.add({"workload.packet_list"},
                 fmt::format("workload.packet_list: expected at least one packet in {}, got none",
                             c.workload.packet_list.string()));
    else
      check_longest(c, errors, {"network.router.flow_control", "network.router.depth", "workload.packet_list"},
                    packets.longest(),
                    fmt::format(" (packet {} of {})", packets.longest_packet(), c.workload.packet_list.string()));
  });
}

void check_flows(const configuration& c, found_errors& errors, std::uint32_t nodes) {
  errors.attempt({"workload.flows.file"}, "workload.flows.file", [&] {
    const std::vector<regulated_flow> flows = read_flows(c.workload.flows.file, {nodes, c.router.classes});
    const auto longest = std::max_element(
        flows.begin(), flows.end(), [](const regulated_flow& a, const regulated_flow& b) { return a.flits < b.flits; });
    check_longest(c, errors, {"network.router.flow_control", "network.router.depth", "workload.flows.file"},
                  longest->flits, fmt::format(" (flow {} of {})", longest->name, c.workload.flows.file.string()));
  });
}

bool uses_classes(const workload_parameters& w) {
  return reacts(w) || !w.packet_list.empty() || !w.flows.file.empty() ||
         std::any_of(w.traffics.begin(), w.traffics.end(), [](const named_traffic& t) { return t.message_class > 0; });
}

}  // namespace weft::experiment
