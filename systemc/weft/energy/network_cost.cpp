// SPDX-License-Identifier: Apache-2.0
#include "weft/energy/network_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/topology/files/drawing.h"
#include "weft/topology/files/verilog_rules.h"

namespace weft {

namespace {

constexpr unsigned HeaderBits = 102, ErrorBits = 2, CodeBits = 105;  // as in rtl/weft_pkg.sv
constexpr unsigned FlagBits = 3;                                     // valid, head, tail

/// Number of wires of a flit, as flit_bits() of rtl/weft_pkg.sv.
unsigned flit_bits_for(const topology& graph, unsigned vcs, const nic_parameters& nic, unsigned payload_bits) {
  return FlagBits + bits_for(vcs) + verilog_path_id_bits(graph) + HeaderBits + ErrorBits +
         (nic.coding.enabled ? CodeBits : 0) + payload_bits;
}

/// The length of a link, in pitches: the sum of its distances in x and y.
double length_between(drawing_point a, drawing_point b) { return (std::abs(a.x - b.x) + std::abs(a.y - b.y)) / Pitch; }

/// The part of the energy to which the events of a module of a router belong.
energy_part part_of(router_module m) { return static_cast<energy_part>(m); }

bool is_stage(nic_module m) { return m != nic_module::Injector && m != nic_module::Ejector; }

channel_activity sum_of(const std::vector<channel_activity>& activity, const std::vector<std::size_t>& channels) {
  channel_activity sum;
  for (const std::size_t c : channels) sum += activity[c];
  return sum;
}

constexpr bool belongs_to_inputs(router_module m) {
  return m == router_module::InputUnit || m == router_module::RouteComputation;
}

}  // namespace

const std::array<std::string, EnergyParts>& energy_part_names() {
  static const std::array<std::string, EnergyParts> names = {"buffers",       "route_computation",
                                                             "vc_allocation", "switch_allocation",
                                                             "crossbar",      "credits",
                                                             "links",         "nics",
                                                             "stages",        "clock",
                                                             "leakage"};
  return names;
}

double energy_account::total() const { return std::accumulate(parts.begin(), parts.end(), 0.0); }

network_counts& network_counts::operator-=(const network_counts& before) {
  for (std::size_t i = 0; i < channels.size() && i < before.channels.size(); ++i) channels[i] -= before.channels[i];
  coded -= before.coded;
  decoded -= before.decoded;
  return *this;
}

network_cost::network_cost(const topology& graph, const router_parameters& router, const nic_parameters& nic,
                           unsigned payload_bits, technology cells, const cost_options& options)
    : m_cells(std::move(cells)),
      m_supply(options.supply > 0 ? options.supply : m_cells.supply),
      m_dynamic(m_supply * m_supply / (m_cells.supply * m_cells.supply)),
      m_clock_gating(options.clock_gating),
      m_payload_bits(payload_bits),
      m_flit_bits(flit_bits_for(graph, router.vcs, nic, payload_bits)) {
  number_channels(graph);
  add_routers(graph, router);
  add_nics(router, nic);
  add_links(graph, router, options.pitch);
  constexpr double LeastPeriod = 1e-3, LongestPeriod = 1e9;  // ps
  if (m_period < LeastPeriod || m_period > LongestPeriod)
    throw std::invalid_argument(
        fmt::format("the slowest module of these routers and NICs has a period of {:g} ps; "
                    "expected {:g} to {:g}, so correct the terms of period",
                    m_period, LeastPeriod, LongestPeriod));
  m_clock = options.clock > 0 ? options.clock : reached_clock();
  note_kinds(router);
}

/// Numbers the channels as in network_model::activity(), and enters them at the routers at their ends.
void network_cost::number_channels(const topology& graph) {
  std::size_t channels = 0;
  for (const router_info& r : graph.routers) {
    m_first_output.push_back(channels);
    channels += r.ports;
  }
  m_router_costs.resize(graph.routers.size());
  for (const channel& c : graph.channels) {
    const std::size_t number = m_first_output[c.from.router] + c.from.port;
    m_router_costs[c.from.router].out.push_back(number);
    m_router_costs[c.to.router].in.push_back(number);
  }
  for (const node_attachment& node : graph.nodes) {
    for (const port_ref& port : node.ports) {
      m_ejections.push_back(m_first_output[port.router] + port.port);
      m_injections.push_back(channels++);
      m_router_costs[port.router].nodes += 1;
      m_router_costs[port.router].out.push_back(m_ejections.back());
      m_router_costs[port.router].in.push_back(m_injections.back());
    }
  }
  m_lengths.resize(channels);
}

/// \param has_buffer whether the terms with the factor depth belong to a buffer, which may have clock gates
standing_cost network_cost::standing_of(const module_cost& m, const cost_parameters& p, bool has_buffer) const {
  const double gated = m_clock_gating && has_buffer ? m.cycle.part_with_depth(p) : 0;
  return {m.area.at(p), m.leakage.at(p) * m_supply / m_cells.supply, (m.cycle.at(p) - gated) * m_dynamic};
}

/// Energy of the clock of one word of the buffers, which a flit costs if it is written with clock gating.
double network_cost::clock_of_word(const module_cost& m, const cost_parameters& p) const {
  return m_clock_gating ? m_dynamic * m.cycle.part_with_depth(p) / (p.ports * p.vcs * p.depth) : 0;
}

void network_cost::limit_clock(const module_cost& m, const cost_parameters& p, const std::string& name) {
  const double period = m.period.at(p);
  if (period <= m_period) return;
  m_period = period;
  m_slowest = name;
}

void network_cost::add_routers(const topology& graph, const router_parameters& router) {
  for (router_id r = 0; r < graph.routers.size(); ++r) {
    router_cost& made = m_router_costs[r];
    cost_parameters& p = made.parameters;
    p.ports = static_cast<double>(std::max(made.in.size(), made.out.size()));
    p.vcs = router.vcs;
    p.depth = router.depth;
    p.payload_bits = m_payload_bits;
    p.flit_bits = m_flit_bits;
    note_range(p);
    for (std::size_t i = 0; i < RouterModules; ++i) {
      made.standing += standing_of(m_cells.router[i], p, static_cast<router_module>(i) == router_module::InputUnit);
      limit_clock(m_cells.router[i], p, fmt::format("{} of a router with {} ports", router_module_names()[i], p.ports));
    }
    m_routers += made.standing;
  }
}

void network_cost::add_nics(const router_parameters& router, const nic_parameters& nic) {
  m_nic_parameters.ports = 1;
  m_nic_parameters.vcs = router.vcs;
  m_nic_parameters.depth = std::max(1U, nic.ejection_depth);
  m_nic_parameters.payload_bits = m_payload_bits;
  m_nic_parameters.flit_bits = m_flit_bits;
  const auto is_used = [&](nic_module m) {
    if (m == nic_module::Compressor || m == nic_module::Decompressor) return nic.compression.in_hardware();
    if (m == nic_module::XorEncoder || m == nic_module::XorDecoder) return nic.coding.enabled;
    return true;
  };
  const auto ports = static_cast<double>(m_injections.size());
  for (std::size_t i = 0; i < NicModules; ++i) {
    const std::string& name = nic_module_names()[i];
    const auto m = static_cast<nic_module>(i);
    if (!is_used(m)) continue;
    if (!m_cells.nic[i]) {
      m_notes.push_back(
          fmt::format("{} of the NICs is not counted: {} has no coefficients for it", name, m_cells.name));
      continue;
    }
    standing_cost all = standing_of(*m_cells.nic[i], m_nic_parameters, m == nic_module::Ejector);
    all.area *= ports;
    all.leakage *= ports;
    all.cycle *= ports;
    m_nics += all;
    limit_clock(*m_cells.nic[i], m_nic_parameters, name + " of a NIC");
    m_nic_modules.push_back(i);
  }
  if (nic.compression.enabled() && !nic.compression.in_hardware())
    m_notes.emplace_back("compressor and decompressor are not counted: their latency or size is assumed");
}

void network_cost::add_links(const topology& graph, const router_parameters& router, double pitch) {
  const std::vector<drawing_point> places = lay_out(graph).routers;
  const unsigned credit_bits = 1 + bits_for(router.vcs);
  for (const channel& c : graph.channels) {
    const double length = pitch * length_between(places[c.from.router], places[c.to.router]);
    m_lengths[m_first_output[c.from.router] + c.from.port] = length;
    const double wires = length * (m_flit_bits + credit_bits);
    m_wire_length += length;
    m_links += {m_cells.link.area * wires, m_cells.link.leakage * wires * m_supply / m_cells.supply, 0};
  }
}

/// Notes parameters outside the range in which the coefficients were fitted.
void network_cost::note_range(const cost_parameters& p) {
  for (const auto& [name, ends] : m_cells.range) {
    const double value = name == "ports" ? p.ports : name == "vcs" ? p.vcs : name == "depth" ? p.depth : p.payload_bits;
    if (value >= ends.first && value <= ends.second) continue;
    const std::string note =
        fmt::format("{} = {} is outside the fitted range from {} to {}: the costs are extrapolated", name, value,
                    ends.first, ends.second);
    if (std::find(m_notes.begin(), m_notes.end(), note) == m_notes.end()) m_notes.push_back(note);
  }
}

/// Notes choices of the router for which the coefficients do not hold.
void network_cost::note_kinds(const router_parameters& router) {
  const router_parameters usual;
  if (router.vc_allocator != usual.vc_allocator || router.switch_allocator != usual.switch_allocator)
    m_notes.emplace_back("the allocators have the costs of the default kind, for which the coefficients were fitted");
  if (router.flow != usual.flow)
    m_notes.emplace_back("the routers have the costs of wormhole flow control, for which the coefficients were fitted");
  if (router.pipeline != usual.pipeline)
    m_notes.push_back(
        fmt::format("the routers have the costs of the pipeline of {} stages, for which the coefficients "
                    "were fitted",
                    usual.pipeline));
  if (shares_buffer(router))
    m_notes.emplace_back("the buffers have the costs of private buffers, for which the coefficients were fitted");
}

standing_cost network_cost::standing() const {
  standing_cost all = m_routers;
  all += m_nics;
  all += m_links;
  return all;
}

double network_cost::static_power() const {
  const standing_cost all = standing();
  return all.cycle * m_clock * 1e-3 + all.leakage * 1e-6;  // fJ times GHz is µW; nW
}

/// Energy of \p events in a module, without the clock.
double network_cost::energy_of(const module_cost& m, const cost_parameters& p, const channel_activity& events,
                               double words) const {
  const auto toggles = static_cast<double>(events.payload_toggles + events.header_toggles);
  return m_dynamic *
         (m.flit.at(p) * static_cast<double>(events.flits) + m.head.at(p) * static_cast<double>(events.packets) +
          m.toggle.at(p) * toggles + m.word.at(p) * words);
}

energy_account network_cost::account(const network_counts& counts, cycle_t cycles) const {
  energy_account made;
  const auto time = static_cast<double>(cycles);
  const standing_cost all = standing();
  made.of(energy_part::Clock) = all.cycle * time;
  made.of(energy_part::Leakage) = leakage_in(all.leakage, time);
  account_routers(made, counts.channels, time);
  account_links(made, counts.channels);
  account_nics(made, counts);
  return made;
}

std::uint64_t network_cost::packets_received(const network_counts& counts) const {
  return sum_of(counts.channels, m_ejections).packets;
}

void network_cost::account_routers(energy_account& to, const std::vector<channel_activity>& activity,
                                   double time) const {
  for (const router_cost& router : m_router_costs) {
    const cost_parameters& p = router.parameters;
    const channel_activity in = sum_of(activity, router.in), out = sum_of(activity, router.out);
    double all = router.standing.cycle * time + leakage_in(router.standing.leakage, time);
    for (std::size_t i = 0; i < RouterModules; ++i) {
      const auto m = static_cast<router_module>(i);
      const double spent = energy_of(m_cells.of(m), p, belongs_to_inputs(m) ? in : out, 0);
      to.of(part_of(m)) += spent;
      all += spent;
    }
    const double clocked = clock_of_word(m_cells.of(router_module::InputUnit), p) * static_cast<double>(in.flits);
    to.of(energy_part::Clock) += clocked;
    to.routers.push_back(all + clocked);
  }
}

void network_cost::account_links(energy_account& to, const std::vector<channel_activity>& activity) const {
  const double of_toggle = m_cells.link.capacitance * m_supply * m_supply / 2;
  for (std::size_t c = 0; c < activity.size(); ++c) {
    const auto toggles = static_cast<double>(activity[c].payload_toggles + activity[c].header_toggles);
    to.channels.push_back(of_toggle * m_lengths[c] * toggles);
    to.of(energy_part::Links) += to.channels.back();
  }
}

void network_cost::account_nics(energy_account& to, const network_counts& counts) const {
  const channel_activity injected = sum_of(counts.channels, m_injections),
                         ejected = sum_of(counts.channels, m_ejections);
  for (const std::size_t i : m_nic_modules) {
    const auto m = static_cast<nic_module>(i);
    const bool sends = m == nic_module::Injector || m == nic_module::Compressor || m == nic_module::XorEncoder;
    const channel_activity& events = sends ? injected : ejected;
    const std::uint64_t through = m == nic_module::Compressor     ? counts.coded
                                  : m == nic_module::Decompressor ? counts.decoded
                                                                  : events.flits * (m_payload_bits / 32);
    const double spent = energy_of(*m_cells.of(m), m_nic_parameters, events, static_cast<double>(through));
    to.of(is_stage(m) ? energy_part::Stages : energy_part::Nics) += spent;
    if (m == nic_module::Ejector)
      to.of(energy_part::Clock) += clock_of_word(*m_cells.of(m), m_nic_parameters) * static_cast<double>(events.flits);
  }
}

/// Energy of \p leakage nW in \p time cycles. nW · ns is 1e-3 fJ.
double network_cost::leakage_in(double leakage, double time) const { return leakage * time / m_clock * 1e-3; }

std::vector<double> network_cost::tiles(const energy_account& spent) const {
  std::vector<double> all = spent.routers;
  double placed = std::accumulate(spent.routers.begin(), spent.routers.end(), 0.0);
  for (std::size_t r = 0; r < all.size(); ++r) {
    for (const std::size_t c : m_router_costs[r].out) {
      all[r] += spent.channels[c];
      placed += spent.channels[c];
    }
  }
  const double of_node = (spent.total() - placed) / static_cast<double>(m_ejections.size());
  for (std::size_t r = 0; r < all.size(); ++r) all[r] += of_node * m_router_costs[r].nodes;
  return all;
}

}  // namespace weft
