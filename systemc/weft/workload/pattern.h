// SPDX-License-Identifier: Apache-2.0
/// Traffic patterns, which determine the destinations of packets. This file declares all patterns and computes their
/// destinations in one network.
///
/// Source: W. J. Dally, B. Towles, "Principles and Practices of Interconnection Networks" (2004), section 3.2 and table
/// 3.1. In formulas, N is the number of nodes, s the source, d the destination, b = log2 N, s_i bit i of s, x a
/// coordinate, and k the number of routers in its dimension.
///
/// Grid patterns use the coordinates of routers: node i at one router sends to node i at another. In the patterns
/// uniform and hotspot, a node sends to itself only if `to_self` is set. Other patterns may map a node to itself, as
/// transpose does on the diagonal; such a node sends to itself, as in BookSim.
///
/// In the pattern matrix, nodes have different loads. In all others, every active node has the mean load.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/workload/parameters.h"
#include "weft/workload/traffic_matrix.h"

namespace weft {

/// The destinations of a pattern: a fixed one for each node, or random ones.
struct pattern_destinations {
  std::vector<node_id> map{};       ///< destination of each node; empty: drawn at random
  std::vector<node_id> hotspots{};  ///< sorted; nodes that draw extra traffic; empty: all nodes are equally likely
  double hotspot_share = 0;         ///< share of all packets that goes to the hotspots, 0…1
  std::shared_ptr<const traffic_matrix> matrix{};  ///< null: another pattern
};

/// A pattern as users choose it.
struct pattern_kind {
  std::string name;
  std::string description;          ///< text after its name in the user's guide
  std::string formula;              ///< the destination, in Markdown
  std::string needs;                ///< requirements on the network, in Markdown; may be empty
  bool by_place = false;            ///< uses the coordinates of nodes if they have any
  std::vector<std::string> keys{};  ///< keys of workload.pattern that not all patterns have
  /// The function that computes the destinations. \throws the exceptions of the constructor of traffic_pattern
  pattern_destinations (*make)(const pattern_parameters& parameters, std::uint32_t nodes, const node_placement& grid);
};

/// All patterns, in the order of the user's guide.
const std::vector<pattern_kind>& pattern_kinds();
/// The pattern called \p name. \throws std::invalid_argument if there is none
const pattern_kind& find_pattern(const std::string& name);

/// The destinations that one pattern gives the nodes of one network.
class traffic_pattern {
 public:
  /// \param grid positions of the nodes; if it has sides only, the grid has one node at each place
  /// \throws std::invalid_argument for a pattern that this network cannot have, workload_error for an invalid file. The
  /// file of a permutation has a line `source destination` for every node, and `#` comments; several sources may share
  /// a destination. traffic_matrix.h describes the file of a matrix.
  traffic_pattern(const pattern_parameters& parameters, std::uint32_t nodes, const node_placement& grid);

  /// Destination of the next packet of \p source, which must be active.
  node_id destination(node_id source, random_stream& random) const {
    return m_is_uniform ? anywhere(source, random) : chosen(source, random);
  }

  /// The mean distribution of the packets of an active node over destinations. The share \p spread goes to any node
  /// with equal probability (not to the source unless `to_self`); the shares \p directed go to given nodes.
  struct shares {
    struct share {
      node_id destination;
      double of_all;
    };
    double spread = 0;
    std::vector<share> directed{};
  };
  shares shares_of(node_id source) const;

  /// False for a node that sends nothing because it has no allowed destination: the only node of its network, the only
  /// hotspot if all packets go there and `to_self` is off, or a node whose row of a matrix has no rate above 0.
  bool active(node_id node) const;

  /// The matrix; null for another pattern.
  const traffic_matrix* matrix() const { return m_to.matrix.get(); }
  /// Whether nodes have different loads, as in a matrix.
  bool has_node_loads() const { return m_to.matrix != nullptr; }
  /// The load of an active node divided by the mean load of all nodes. 1 if the pattern has no loads of nodes.
  double relative_load(node_id node) const {
    return m_to.matrix ? m_to.matrix->row_sum(node) / m_to.matrix->mean_row_sum() : 1;
  }
  /// Whether the rates of a matrix are loads, so that they do not depend on injection_parameters::load.
  bool has_absolute_loads() const { return m_to.matrix && m_rates == matrix_rates::Absolute; }
  /// The mean load of all nodes in flits per cycle. \param load the configured mean load, injection_parameters::load
  double mean_load(double load) const { return has_absolute_loads() ? m_to.matrix->mean_row_sum() : load; }
  /// The load of \p node in flits per cycle; 0 for a node that is not active. \param load as for mean_load()
  double load_of(node_id node, double load) const {
    if (!active(node)) return 0;
    return has_absolute_loads() ? m_to.matrix->row_sum(node) : load * relative_load(node);
  }

 private:
  /// Any node with equal probability, excluding the source if it may not send to itself.
  node_id anywhere(node_id source, random_stream& random) const {
    return below_except(m_nodes, m_to_self ? m_nodes : source, random);
  }
  /// A whole number in 0…count-1 other than \p excluded, which may be outside that range.
  static std::uint32_t below_except(std::uint32_t count, std::uint32_t excluded, random_stream& random) {
    const bool leaves_out = excluded < count;
    const std::uint32_t n = random.below(count - leaves_out);
    return n + (leaves_out && n >= excluded);
  }
  /// A destination, for all patterns except uniform.
  node_id chosen(node_id source, random_stream& random) const;

  std::uint32_t m_nodes;
  bool m_to_self;
  matrix_rates m_rates;
  pattern_destinations m_to;
  bool m_is_uniform;
};

}  // namespace weft
