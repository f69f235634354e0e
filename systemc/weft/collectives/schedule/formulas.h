// SPDX-License-Identifier: Apache-2.0
/// The formulas and tables that the papers RINGS, FATTREE and OCTAGON print for a network and a collective. Each entry
/// records the printed value, whether it is true, and the correct value if it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/problem.h"
#include "weft/collectives/schedule/time.h"
#include "weft/topology/generators/topology_kind.h"

namespace weft::schedule {

/// The network as the formulas describe it: its family and its sizes.
struct network_family {
  enum class kind : std::uint8_t { Other, Ring, HierarchicalRing, Mesh, Torus, Hypercube, FatTree, Octagon };
  kind what = kind::Other;
  /// Depends on the family. Grid: routers in each dimension. Hierarchical rings: members of a ring at each level,
  /// lowest first. Fat tree: children at each level, lowest first. Octagon: number of routers. Hypercube: one 2 for
  /// each dimension. Other networks: empty.
  std::vector<std::uint32_t> sizes{};
  std::vector<std::uint32_t> parents{};  ///< for a fat tree, the parents at each level
  bool one_way = false;                  ///< whether the channels of rings lead in one direction only
  unsigned nodes_per_router = 1;
};

/// Returns the family of the network that \p plan makes. Networks of several Octagons, networks from files and random
/// graphs have kind::Other.
network_family family_of(const network_plan& plan);

/// Returns the number of channels between two halves of the network, counted in both directions. This is Bc of the
/// papers. The halves of grids and fat trees are equal, or differ by one node; those of hierarchical rings are as equal
/// as a straight cut allows. Empty for kind::Other and for fewer than two routers.
std::optional<std::size_t> bisection_of(const network_family& family);

struct papers_formula {
  enum class claim : std::uint8_t {
    LowerBound,  ///< no schedule has fewer steps
    Reached,     ///< a schedule with this R and TCO exists
  };
  std::string source;  ///< place in the papers: "FATTREE Table I"
  claim what = claim::LowerBound;
  std::string text;       ///< formula as printed: "ceil((P-1)/k)"
  schedule_cost printed;  ///< value of the printed formula; for a lower bound, both fields are the number of steps
  bool holds = true;
  std::string remark{};  ///< the error or an assumption, with the correct statement; may be empty
};

/// Numbers of channels in OCTAGON's bounds of M-to-N scatter. Bisections count both directions.
struct octagon_cuts {
  std::size_t senders_to_both = 1;    ///< b1 ≥ 1: from nodes that only send to nodes that send and receive
  std::size_t both_to_receivers = 1;  ///< b2 ≥ 1: from nodes that send and receive to nodes that only receive
  std::size_t within_both = 1;        ///< b0 ≥ 1: across the bisection of the nodes that send and receive
};

/// Returns all formulas that the papers print for \p p. If \p p combines messages, these are costs that schedules
/// reach. Otherwise they are lower bounds and costs that schedules without combining reach.
/// \param cuts channels for M-to-N scatter; without them, scatter from M to N nodes has no formula
std::vector<papers_formula> papers_formulas(const network_family& family, const problem& p,
                                            const std::optional<octagon_cuts>& cuts = {});

/// The cost of combining on an A x B mesh that is embedded in another network (FATTREE eq. 11).
/// \param what the operation, from one sender to all receivers or, with \p from_all, from all to all
/// \param rows A
/// \param columns B
/// \param e1 ε1, the congestion of steps within rows
/// \param e2 ε2, the congestion of steps within columns
papers_formula embedded_mesh_formula(operation what, bool from_all, std::size_t rows, std::size_t columns, unsigned e1,
                                     unsigned e2);

/// A message length, in the form m·t1/ts, above which a direct schedule is faster than a combining one.
struct papers_threshold {
  std::string source;  ///< place in the papers: "FATTREE eq. 10"
  std::string text;
  double printed = 0;             ///< right-hand side of the printed condition
  std::optional<double> holds{};  ///< the true break-even point of the two costs; empty if one schedule is never slower
  std::string remark{};
};

/// Returns FATTREE's conditions under which direct schedules of \p p are faster than combining ones: eq. 8 on meshes
/// and eq. 10 on fat trees of 2^n nodes. Empty for other networks.
std::vector<papers_threshold> papers_thresholds(const network_family& family, const problem& p);

}  // namespace weft::schedule
