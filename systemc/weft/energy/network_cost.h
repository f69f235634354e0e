// SPDX-License-Identifier: Apache-2.0
/// What a network costs in a technology: area, leakage, the clock that it reaches, and the energy of what its channels
/// carried.
///
/// The energy of a module is cycle · cycles + flit · flits + head · heads + toggle · toggles, with the coefficients of
/// the technology. Input unit and route computation have the events of the channels that lead to their router; the
/// other modules of a router have those of the channels that it drives. For each toggle, a link of length l has the
/// energy C · l · U² / 2. docs/03_reference/energy.md describes the model and its limits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/energy/technology.h"
#include "weft/topology/topology.h"

namespace weft {

/// The parts of the energy of a network, which add up to the whole energy. Clock and leakage are spent in every cycle;
/// the other parts are energies of events.
enum class energy_part {
  Buffers,
  RouteComputation,
  VcAllocation,
  SwitchAllocation,
  Crossbar,
  Credits,  ///< output units, which count credits
  Links,
  Nics,    ///< injectors and ejectors
  Stages,  ///< compressors, decompressors, XOR stages
  Clock,
  Leakage
};
inline constexpr std::size_t EnergyParts = 11;

/// The names of the parts in results.
const std::array<std::string, EnergyParts>& energy_part_names();

struct cost_options {
  double pitch = 1;           ///< mm between neighboring routers of the layout
  double supply = 0;          ///< V; 0: that of the technology
  double clock = 0;           ///< GHz; 0: the clock that the slowest module reaches
  bool clock_gating = false;  ///< whether only the words that are written are clocked in buffers
};

/// What a network did in some cycles.
struct network_counts {
  std::vector<channel_activity> channels;  ///< network_model::activity()
  /// Words of 32 bits of the coded packets whose heads entered the network, and of those whose heads left the
  /// ejector.
  std::uint64_t coded = 0, decoded = 0;

  network_counts& operator-=(const network_counts& before);
};

/// Energies in fJ.
struct energy_account {
  std::array<double, EnergyParts> parts{};
  std::vector<double> routers;   ///< by router, with its share of clock and leakage
  std::vector<double> channels;  ///< of the links, in the order of network_model::activity()

  double& of(energy_part p) { return parts[static_cast<std::size_t>(p)]; }
  double of(energy_part p) const { return parts[static_cast<std::size_t>(p)]; }
  double total() const;
};

/// Costs of the hardware, which do not depend on traffic.
struct standing_cost {
  double area = 0;     ///< µm²
  double leakage = 0;  ///< nW, at the supply of the options
  double cycle = 0;    ///< fJ per clock cycle

  standing_cost& operator+=(const standing_cost& other) {
    area += other.area;
    leakage += other.leakage;
    cycle += other.cycle;
    return *this;
  }
};

class network_cost {
 public:
  network_cost(const topology& graph, const router_parameters& router, const nic_parameters& nic, unsigned payload_bits,
               technology cells, const cost_options& options);

  const technology& cells() const { return m_cells; }
  double supply() const { return m_supply; }
  /// GHz: the clock of the options, or the one that the slowest module reaches.
  double clock() const { return m_clock; }
  /// GHz: the clock that the slowest module of a router or NIC reaches.
  double reached_clock() const { return 1000 / m_period; }
  /// The module that limits the clock, such as "vc_allocator of a router with 5 ports".
  const std::string& slowest() const { return m_slowest; }
  const standing_cost& routers() const { return m_routers; }
  const standing_cost& nics() const { return m_nics; }
  const standing_cost& links() const { return m_links; }
  /// mW without traffic: clock and leakage.
  double static_power() const;
  /// Wire length in mm of all links in both directions, and the number of wires of a flit.
  double wire_length() const { return m_wire_length; }
  unsigned flit_bits() const { return m_flit_bits; }
  /// What the numbers do not cover, and where they extrapolate; a sentence each.
  const std::vector<std::string>& notes() const { return m_notes; }

  /// The energy of \p cycles cycles in which the network did \p counts.
  energy_account account(const network_counts& counts, cycle_t cycles) const;
  /// Number of packets whose heads reached nodes.
  std::uint64_t packets_received(const network_counts& counts) const;
  /// Numbers of the channels from NICs, node by node, in network_counts::channels.
  const std::vector<std::size_t>& injections() const { return m_injections; }
  /// Length in mm of channel \p number of network_counts::channels.
  double length(std::size_t number) const { return m_lengths[number]; }

  /// The energy of \p spent by router. A router has the links that it drives. The energy of NICs and the leakage of
  /// links are spread evenly over the nodes.
  std::vector<double> tiles(const energy_account& spent) const;

 private:
  struct router_cost {
    cost_parameters parameters;
    standing_cost standing;
    std::vector<std::size_t> in, out;  ///< numbers of its channels in the activity
    double nodes = 0;                  ///< number of its ports to nodes
  };

  void number_channels(const topology& graph);
  void add_routers(const topology& graph, const router_parameters& router);
  void add_nics(const router_parameters& router, const nic_parameters& nic);
  void add_links(const topology& graph, const router_parameters& router, double pitch);
  void note_range(const cost_parameters& p);
  void note_kinds(const router_parameters& router);
  standing_cost standing_of(const module_cost& m, const cost_parameters& p, bool has_buffer) const;
  void limit_clock(const module_cost& m, const cost_parameters& p, const std::string& name);
  double clock_of_word(const module_cost& m, const cost_parameters& p) const;
  double energy_of(const module_cost& m, const cost_parameters& p, const channel_activity& events, double words) const;
  void account_routers(energy_account& to, const std::vector<channel_activity>& activity, double time) const;
  void account_links(energy_account& to, const std::vector<channel_activity>& activity) const;
  void account_nics(energy_account& to, const network_counts& counts) const;
  standing_cost standing() const;
  double leakage_in(double leakage, double time) const;

  technology m_cells;
  double m_supply;
  double m_dynamic;  ///< factor of energies, for the supply
  const bool m_clock_gating;
  unsigned m_payload_bits, m_flit_bits = 0;
  double m_clock = 1, m_period = 0;
  std::string m_slowest;
  std::vector<std::size_t> m_first_output;  ///< by router: number of its first channel
  std::vector<router_cost> m_router_costs;
  cost_parameters m_nic_parameters;                    ///< of one port
  std::vector<std::size_t> m_injections, m_ejections;  ///< numbers of the channels from and to NICs
  std::vector<double> m_lengths;                       ///< mm, by channel
  double m_wire_length = 0;
  std::vector<std::size_t> m_nic_modules;  ///< numbers of the modules of NICs that are counted
  standing_cost m_routers, m_nics, m_links;
  std::vector<std::string> m_notes;
};

}  // namespace weft
