// SPDX-License-Identifier: Apache-2.0
/// Which node sends to which: the patterns, each declared once, and the destinations of one network.
///
/// After W. J. Dally, B. Towles, "Principles and Practices of Interconnection Networks" (2004), section 3.2
/// and table 3.1. In formulas N is the number of nodes, s the source, d the destination; b = log2 N and s_i is bit i of
/// s; x is a coordinate and k the side of its dimension.
///
/// Patterns of grids go by the coordinates of the nodes' routers: node i of a router sends to node i of another.
/// Uniform and hotspot leave the source out unless `to_self`. The other patterns may map a node to itself, as
/// the diagonal of transpose does: such a node sends to itself, as in BookSim.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/workload/parameters.h"

namespace weft {

/// Where packets go: each node to one destination, or at random.
struct pattern_destinations {
  std::vector<node_id> map{};       ///< destination of every node; empty: they are drawn
  std::vector<node_id> hotspots{};  ///< sorted: nodes that draw extra traffic; none: all are alike
  double hotspot_share = 0;         ///< part of all packets that goes to the hotspots, 0…1
};

/// A pattern as users choose it.
struct pattern_kind {
  std::string name;
  std::string description;          ///< what follows its name in the user's guide
  std::string formula;              ///< the destination, in Markdown
  std::string needs;                ///< what the network must be, in Markdown; may be empty
  bool by_place = false;            ///< it goes by the coordinates of nodes, where they have some
  std::vector<std::string> keys{};  ///< keys of workload.pattern that only this pattern has; the first may be missing
  /// \throws as traffic_pattern()
  pattern_destinations (*make)(const pattern_parameters& parameters, std::uint32_t nodes, const node_placement& grid);
};

/// All patterns, in the order in which users read them.
const std::vector<pattern_kind>& pattern_kinds();
/// The pattern called \p name. \throws std::invalid_argument if there is none
const pattern_kind& find_pattern(const std::string& name);

/// The destinations of all nodes.
class traffic_pattern {
 public:
  /// \p grid: where the nodes are; sides alone are those of a grid with one node at each place. Throws
  /// std::invalid_argument for a pattern that this network cannot have, workload_error for a bad permutation
  /// file. The file has a line `source destination` for every node, `#` comments; several sources may share a
  /// destination.
  traffic_pattern(const pattern_parameters& parameters, std::uint32_t nodes, const node_placement& grid);

  /// Where the next packet of \p source goes. \p source is active.
  node_id destination(node_id source, random_stream& random) const {
    return m_is_uniform ? anywhere(source, random) : chosen(source, random);
  }

  /// Where all packets of a node that is active go, on average: with \p spread to any node, the source left out unless
  /// `to_self`, and for the rest as \p directed says, as shares of all.
  struct shares {
    struct share {
      node_id destination;
      double of_all;
    };
    double spread = 0;
    std::vector<share> directed{};
  };
  shares shares_of(node_id source) const;

  /// False for a node that sends nothing, as there is no node that it may send to: the only node of its network, or the
  /// only hotspot when all packets go there and `to_self` is off.
  bool active(node_id node) const;

 private:
  /// All nodes equally likely, but for the source where it may not send to itself.
  node_id anywhere(node_id source, random_stream& random) const {
    return below_except(m_nodes, m_to_self ? m_nodes : source, random);
  }
  /// A whole number 0…count-1 other than \p excluded, which may be out of that range.
  static std::uint32_t below_except(std::uint32_t count, std::uint32_t excluded, random_stream& random) {
    const bool leaves_out = excluded < count;
    const std::uint32_t n = random.below(count - leaves_out);
    return n + (leaves_out && n >= excluded);
  }
  /// As all patterns but uniform have it.
  node_id chosen(node_id source, random_stream& random) const;

  std::uint32_t m_nodes;
  bool m_to_self;
  pattern_destinations m_to;
  bool m_is_uniform;
};

}  // namespace weft
