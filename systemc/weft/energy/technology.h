// SPDX-License-Identifier: Apache-2.0
/// A technology: what the parts of routers, NICs and links cost in it. Files in the format `weft-technology-1` describe
/// technologies; synth/energy makes those that Weft contains.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/energy/cost_terms.h"

namespace weft {

/// The modules of a router, in the order of a flit.
enum class router_module { InputUnit, RouteComputation, VcAllocator, SwitchAllocator, Crossbar, OutputUnit };
inline constexpr std::size_t RouterModules = 6;
/// The modules of a NIC. Stages are in it only if the network uses them.
enum class nic_module { Injector, Ejector, Compressor, Decompressor, XorEncoder, XorDecoder };
inline constexpr std::size_t NicModules = 6;

/// The names of the modules in technology files.
const std::array<std::string, RouterModules>& router_module_names();
const std::array<std::string, NicModules>& nic_module_names();

/// The cost of a module. An event that has no terms costs nothing.
struct module_cost {
  cost_terms cycle;    ///< fJ per clock cycle: clock pins of registers
  cost_terms flit;     ///< fJ per flit
  cost_terms head;     ///< fJ per head, in addition
  cost_terms toggle;   ///< fJ per wire of a flit whose value changes
  cost_terms word;     ///< fJ per payload word that a stage codes or decodes
  cost_terms leakage;  ///< nW
  cost_terms area;     ///< µm²
  cost_terms period;   ///< ps, the slowest path between registers
};

/// The cost of the wires of a link, per mm and wire.
struct link_cost {
  double capacitance = 0;  ///< fF, of the wire and its repeaters
  double leakage = 0;      ///< nW, of the repeaters
  double area = 0;         ///< µm², of the repeaters
};

struct technology {
  std::string name;
  double supply = 1;  ///< V
  /// Least and greatest value of each parameter in the fit, by name.
  std::vector<std::pair<std::string, std::pair<double, double>>> range;
  std::array<module_cost, RouterModules> router;
  std::array<std::optional<module_cost>, NicModules> nic;  ///< no value: the file has no coefficients for the module
  link_cost link;

  const module_cost& of(router_module m) const { return router[static_cast<std::size_t>(m)]; }
  const std::optional<module_cost>& of(nic_module m) const { return nic[static_cast<std::size_t>(m)]; }
};

/// The names of the technologies that Weft contains.
std::vector<std::string> built_in_technologies();

/// The technology \p name, which must be one of built_in_technologies().
technology built_in_technology(const std::string& name);

/// Reads a technology from a file. \throws input_error
technology read_technology(const std::filesystem::path& file);

/// Reads a technology from \p text. \p file is its name in messages. \throws input_error
technology parse_technology(const std::string& text, const std::string& file);

}  // namespace weft
