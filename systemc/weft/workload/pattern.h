/// Who sends to whom.
///
/// After W. J. Dally, B. Towles, "Principles and Practices of Interconnection Networks" (2004), section 3.2
/// and table 3.1. N is the number of nodes, s the source, d the destination; b = log2 N and s_i is bit i of
/// s; x is a coordinate and k the side of its dimension.
///
/// - uniform: any node, all equally likely.
/// - transpose: (x, y) → (y, x) on a square 2D grid; else d_i = s_(i + b/2 mod b), where N is 4, 16, 64, …
/// - bit_reversal: d_i = s_(b-1-i). This and the next three need an N that is a power of two.
/// - bit_complement: d_i = ¬s_i.
/// - bit_rotation: d_i = s_(i+1 mod b), rotate right by one.
/// - shuffle: d_i = s_(i-1 mod b), rotate left by one.
/// - tornado: x → x + (⌈k/2⌉ - 1) mod k in every dimension of a grid.
/// - neighbour: x → x + 1 mod k in every dimension of a grid.
/// - hotspot: one of the hotspots with probability `hotspot_share`, else as uniform.
/// - permutation: as a file says.
///
/// A grid is a shape whose sides multiply to N; node n has the coordinates (n mod k_0, n / k_0 mod k_1, …).
/// Uniform and hotspot leave the source out unless `to_self`. The other patterns may map a node to itself, as
/// the diagonal of transpose does: such a node sends to itself, which is what BookSim does, too.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"

namespace weft {

/// The destinations of all nodes.
class traffic_pattern {
 public:
  /// \p shape lists the sides, dimension 0 first; empty where the network is no grid. Throws
  /// std::invalid_argument for a pattern that this network cannot have, workload_error for a bad permutation
  /// file. The file has a line `source destination` for every node, `#` comments; several sources may share a
  /// destination.
  traffic_pattern(const pattern_parameters& parameters, std::uint32_t nodes, const std::vector<std::uint32_t>& shape);

  /// Where the next packet of \p source goes. \p source is active.
  node_id destination(node_id source, random_stream& random) const {
    return m_is_uniform ? anywhere(source, random) : chosen(source, random);
  }

  /// False for a node that sends nothing, as it has nobody to send to: the only node of its network, or the
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
  bool m_is_uniform;
  std::vector<node_id> m_map;       ///< destination of every node; empty for uniform and hotspot
  std::vector<node_id> m_hotspots;  ///< sorted; empty for uniform
  double m_hotspot_share = 0;
  bool m_to_self = false;
};

}  // namespace weft
