// SPDX-License-Identifier: Apache-2.0
/// The cost of a hardware module as a sum of products of its parameters, such as 1.5 · ports · vcs + 0.2 · flit_bits.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// The parameters of a router or NIC on which its cost depends.
struct cost_parameters {
  double ports = 1;  ///< ports of a router that are connected
  double vcs = 1;    ///< VCs of a port
  double depth = 1;  ///< flits of the buffer of a VC
  double payload_bits = 64;
  double flit_bits = 1;  ///< all wires of a flit, including `valid`
};

/// Number of parameters in products: those above, and log2_ports, log2_vcs and log2_depth, their binary logarithms.
inline constexpr std::size_t CostParameters = 8;

/// The names of the parameters in products.
const std::array<std::string, CostParameters>& cost_parameter_names();

class cost_terms {
 public:
  /// Adds coefficient · product. \p product is "1", or factors such as "ports", "vcs^2", joined by " * ".
  /// \return a description of what is wrong with \p product, otherwise nothing
  std::optional<std::string> add(const std::string& product, double coefficient);

  bool empty() const { return m_terms.empty(); }
  double at(const cost_parameters& p) const;
  /// The sum of only those products that have the factor depth: the part of memories.
  double part_with_depth(const cost_parameters& p) const;

 private:
  using powers_t = std::array<unsigned, CostParameters>;  ///< by parameter
  struct term {
    double coefficient;
    powers_t powers;
  };

  double sum(const cost_parameters& p, bool only_with_depth) const;

  std::vector<term> m_terms;
};

}  // namespace weft
