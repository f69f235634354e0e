// SPDX-License-Identifier: Apache-2.0
/// The pin-level model for one payload width. Each width is instantiated in a translation unit of its own
/// (model_32.cpp, model_64.cpp, …), so that the build can compile the widths in parallel.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <sysc/kernel/sc_dynamic_processes.h>
#include <systemc>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/pin/model.h"
#include "weft/pin/network.h"
#include "weft/pin/nic/stages.h"

namespace weft::pin {

/// Does the work of make_model() for one payload width; the parameters have been checked. Instantiated for each of
/// PayloadWidths.
template <unsigned PayloadBits>
std::unique_ptr<audited_model> make_model_of_width(const topology& graph, const router_parameters& router,
                                                   const nic_parameters& nic, const model_options& options,
                                                   packet_source& source, network_observer& observer);

/// Returns the ports and VCs of an object if it is a router, otherwise nothing.
using extent_finder = std::function<std::optional<trace_extent>(const sc_core::sc_object&)>;

/// Adds every wire below \p object whose name matches one of \p patterns to \p file, unless \p file is null.
/// \param around extent of the router that contains \p object
/// \return the number of matching wires
std::size_t trace_matching(const sc_core::sc_object& object, const std::vector<std::string>& patterns,
                           sc_core::sc_trace_file* file, const extent_finder& extent_of,
                           const trace_extent& around = {});

/// Removes the date of the run from a waveform file, so that equal runs give identical files.
void blank_date(const std::filesystem::path& vcd_file);

/// The network with a clock and a reset of its own.
template <unsigned PayloadBits>
class model : public audited_model {
 public:
  model(const topology& graph, const router_parameters& router, const nic_parameters& nic, const model_options& options,
        packet_source& source, network_observer& observer)
      : m_runs_by_itself(options.clock_period != 0),
        m_period(m_runs_by_itself ? sc_core::sc_time::from_value(options.clock_period)
                                  : sc_core::sc_time(1, sc_core::SC_NS)),
        m_clock(sc_core::sc_gen_unique_name("clk"), m_period, 0.5, m_runs_by_itself ? sc_core::SC_ZERO_TIME : m_period),
        m_reset(sc_core::sc_gen_unique_name("rst_n")),
        m_settings(nic.compression),
        m_vcs(router.vcs),
        m_input_speedup(router.input_speedup),
        m_class_vcs(vcs_of_class(router)),
        m_can_stall(nic.ejection_depth != 0),
        m_accepts_by_class(nic.accepts_by_class),
        m_records_waits(observer.needs_waits()),
        m_network(sc_core::sc_gen_unique_name("network", true), graph, router, nic,
                  make_stages<PayloadBits>(nic, m_settings, options.compression_stages), options.clock_gating, source,
                  observer, options.routers, options.nics) {
    m_settings.cuts().attach(m_network.packets());
    m_network.clk_i(m_clock);
    m_network.rst_ni(m_reset);
    trace(options);
    if (!m_runs_by_itself) return;
    // All modules are reset at the start of the simulation; the edge that begins cycle 0 occurs a delta cycle later.
    sc_core::sc_spawn([this] { m_reset.write(true); }, sc_core::sc_gen_unique_name("end_of_reset"));
    m_started = true;
  }

  ~model() override {
    if (m_trace == nullptr) return;
    sc_core::sc_close_vcd_trace_file(m_trace);
    blank_date(m_vcd_file);
  }

  void run(cycle_t cycles) override {
    if (m_runs_by_itself)
      throw std::logic_error(
          "run() was called for a network with a clock_period; advance it with the simulation that contains it");
    if (!m_started) {
      // One clock edge in reset, then the edge that begins cycle 0.
      sc_core::sc_start(1.5 * m_period);
      m_reset.write(true);
      sc_core::sc_start(m_period);
      m_started = true;
    }
    // sc_start() takes a time; a long run advances in steps that a double represents exactly.
    sc_core::sc_start(static_cast<double>(cycles) * m_period);
  }

  void reset(unsigned edges) override {
    if (m_runs_by_itself || !m_started || m_records_waits)
      throw std::logic_error("reset() requires a network that has run, has no clock_period and does not record waits");
    m_reset.write(false);
    sc_core::sc_start(static_cast<double>(edges) * m_period);
    m_reset.write(true);
  }

  cycle_t now() const override { return m_started ? m_network.clocks().beginning() : 0; }

  std::uint64_t queued(node_id node) const override { return m_network.terminal_of(node).queued(); }

  void reschedule_source(node_id node) override { m_network.terminal_of(node).reschedule_source(); }

  void set_ready(node_id node, bool ready) override {
    if (!m_can_stall) throw std::logic_error("set_ready() requires an ejection buffer; set nic.ejection_depth");
    m_network.terminal_of(node).set_ready(ready);
  }

  void set_accepted(node_id node, class_set classes) override {
    if (!m_accepts_by_class) throw std::logic_error("set_accepted() requires nic_parameters::accepts_by_class");
    m_network.terminal_of(node).set_accepted(blocks_of_classes(classes, m_class_vcs));
  }

  std::uint32_t received_in_window(node_id node) const override { return m_network.received_in_window(node); }

  std::vector<channel_count> channel_counts() const override {
    std::vector<channel_count> counts;
    for (router_id r = 0; r < m_network.routers(); ++r)
      for (unsigned port = 0; port < m_network.router_at(r).ports(); ++port)
        counts.push_back({r, port, m_network.router_at(r).sent(port)});
    return counts;
  }

  std::vector<channel_activity> activity() const override { return m_network.activity(); }

  std::vector<std::uint32_t> buffered() const override {
    std::vector<std::uint32_t> counts;
    for (router_id r = 0; r < m_network.routers(); ++r)
      for (unsigned port = 0; port < m_network.router_at(r).ports(); ++port)
        for (unsigned vc = 0; vc < m_vcs; ++vc) counts.push_back(m_network.router_at(r).buffered(port, vc));
    return counts;
  }

  std::vector<blocked_packet> blocked() const override {
    std::vector<blocked_packet> result;
    for (router_id r = 0; r < m_network.routers(); ++r) {
      for (blocked_packet packet : m_network.router_at(r).blocked()) {
        packet.router = r;
        packet.id = m_network.packets().of(flit_tag(static_cast<std::uint32_t>(packet.id))).id;
        result.push_back(packet);
      }
    }
    return result;
  }

  std::vector<blocked_packet> blocked_in_nics() const override {
    std::vector<blocked_packet> result;
    for (node_id n = 0; n < m_network.nodes(); ++n) add_rejected(n, result);
    for (node_id n = 0; n < m_network.nodes(); ++n)
      m_network.terminal_of(n).for_each_front([&](unsigned port, const packet& p, bool is_behind) {
        const vc_set awaited = m_network.nic_at(n).awaited_vcs(port, p.message_class);
        if (awaited == 0) return;
        blocked_packet b{0, port, 0, p.id,
                         is_behind ? blocked_packet::reason::Port : blocked_packet::reason::Injection};
        if (!is_behind) b.output_vcs = awaited;
        b.node = n;
        b.message_class = p.message_class;
        result.push_back(b);
      });
    return result;
  }

  std::string audit() const override { return m_network.audit(false); }
  std::string audit_at_rest() const override { return m_network.audit(true); }

 private:
  void add_rejected(node_id n, std::vector<blocked_packet>& result) const {
    for (unsigned port = 0; port < m_network.nic_at(n).flit_i.size(); ++port)
      for (const flit<PayloadBits>& f : m_network.nic_at(n).rejected(port)) {
        blocked_packet b{0, port, f.vc, m_network.packets().of(f.tag).id, blocked_packet::reason::Acceptance};
        b.node = n;
        b.message_class = static_cast<std::uint8_t>(f.vc / m_class_vcs);
        result.push_back(b);
      }
  }

  /// Opens the waveform file and traces the selected wires. Without a file, only the patterns are checked.
  void trace(const model_options& options) {
    if (options.vcd_patterns.empty()) return;
    if (!options.vcd_file.empty()) open_trace(options.vcd_file);
    const auto extent_of = [this](const sc_core::sc_object& object) -> std::optional<trace_extent> {
      const auto* here = dynamic_cast<const router_interface<PayloadBits>*>(&object);
      return here ? std::optional(trace_extent{here->ports(), m_vcs, m_input_speedup}) : std::nullopt;
    };
    for (const std::string& pattern : options.vcd_patterns)
      if (trace_matching(m_network, {pattern}, nullptr, extent_of) == 0)
        throw no_such_wire("no wire matches the VCD pattern '" + pattern + "'");
    if (m_trace) trace_matching(m_network, options.vcd_patterns, m_trace, extent_of);
  }

  void open_trace(const std::filesystem::path& vcd_file) {
    m_vcd_file = vcd_file;
    std::filesystem::path stem = vcd_file;
    m_trace = sc_core::sc_create_vcd_trace_file(stem.replace_extension().c_str());  // SystemC adds .vcd itself
    sc_core::sc_trace(m_trace, m_clock, "clk");
    sc_core::sc_trace(m_trace, m_reset, "rst_n");
  }

  const bool m_runs_by_itself;
  const sc_core::sc_time m_period;
  sc_core::sc_clock m_clock;
  sc_core::sc_signal<bool> m_reset;
  compression_settings m_settings;
  const unsigned m_vcs;
  const unsigned m_input_speedup;
  const unsigned m_class_vcs;
  const bool m_can_stall;
  const bool m_accepts_by_class;
  const bool m_records_waits;
  network<PayloadBits> m_network;
  std::filesystem::path m_vcd_file;
  sc_core::sc_trace_file* m_trace = nullptr;
  bool m_started = false;
};

template <unsigned PayloadBits>
std::unique_ptr<audited_model> make_model_of_width(const topology& graph, const router_parameters& router,
                                                   const nic_parameters& nic, const model_options& options,
                                                   packet_source& source, network_observer& observer) {
  return std::make_unique<model<PayloadBits>>(graph, router, nic, options, source, observer);
}

extern template std::unique_ptr<audited_model> make_model_of_width<32>(const topology&, const router_parameters&,
                                                                       const nic_parameters&, const model_options&,
                                                                       packet_source&, network_observer&);
extern template std::unique_ptr<audited_model> make_model_of_width<64>(const topology&, const router_parameters&,
                                                                       const nic_parameters&, const model_options&,
                                                                       packet_source&, network_observer&);
extern template std::unique_ptr<audited_model> make_model_of_width<128>(const topology&, const router_parameters&,
                                                                        const nic_parameters&, const model_options&,
                                                                        packet_source&, network_observer&);
extern template std::unique_ptr<audited_model> make_model_of_width<256>(const topology&, const router_parameters&,
                                                                        const nic_parameters&, const model_options&,
                                                                        packet_source&, network_observer&);

}  // namespace weft::pin
