// SPDX-License-Identifier: Apache-2.0
/// What RINGS, FATTREE and OCTAGON print for a network and a collective: the formulas and tables as printed, whether
/// they hold, and the correct value otherwise.
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

/// The network as the formulas describe it: its family, and the sizes in which they are written.
struct network_family {
  enum class kind : std::uint8_t { Other, Ring, HierarchicalRing, Mesh, Torus, Hypercube, FatTree, Octagon };
  kind what = kind::Other;
  /// For a grid, the routers in each dimension; for hierarchical rings, the members of a ring, and for a fat tree, the
  /// children, both by level, lowest first; for an Octagon, its routers; for a hypercube, a 2 for each dimension.
  /// Otherwise empty.
  std::vector<std::uint32_t> sizes{};
  std::vector<std::uint32_t> parents{};  ///< of a fat tree, by level
  bool one_way = false;                  ///< channels of rings in one direction only
  unsigned nodes_per_router = 1;
};

/// The family of the network that \p plan makes. Several Octagons, networks from files and random graphs are
/// kind::Other.
network_family family_of(const network_plan& plan);

/// Number of channels, both directions, between two halves, the Bc of the papers; for odd sides, halves as equal as a
/// straight cut allows. Nothing for kind::Other and for fewer than two routers.
std::optional<std::size_t> bisection_of(const network_family& family);

struct papers_formula {
  enum class claim : std::uint8_t {
    LowerBound,  ///< no schedule has fewer steps
    Reached,     ///< there is a schedule of this R and TCO
  };
  std::string source;  ///< "FATTREE Table I"
  claim what = claim::LowerBound;
  std::string text;       ///< "ceil((P-1)/k)"
  schedule_cost printed;  ///< printed value; for a lower bound, both fields are the steps
  bool holds = true;
  std::string remark{};  ///< the error, or an assumption, and the correct statement; may be empty
};

/// The channels counted by OCTAGON's bounds of M-to-N scatter; in bisections, both directions.
struct octagon_cuts {
  std::size_t senders_to_both = 1;    ///< b1, from nodes that only send to nodes that send and receive; ≥ 1
  std::size_t both_to_receivers = 1;  ///< b2; ≥ 1
  std::size_t within_both = 1;        ///< b0, the bisection of the nodes that do both; ≥ 1
};

/// All formulas that the papers print for \p p. For combining schedules these are the costs reached; otherwise lower
/// bounds and costs reached without combining. \param cuts for M-to-N scatter, which has no formula without them
std::vector<papers_formula> papers_formulas(const network_family& family, const problem& p,
                                            const std::optional<octagon_cuts>& cuts = {});

/// Combining on an A x B mesh embedded in another network (FATTREE eqs 11 and 12). \p rows is A, \p columns B; \p e1
/// and \p e2 are ε1 of steps within rows and ε2 within columns. \p nodes of the collective: one sender and all
/// receivers, or all to all.
papers_formula embedded_mesh_formula(operation what, bool from_all, std::size_t rows, std::size_t columns, unsigned e1,
                                     unsigned e2);

/// A message length, as m·t1/ts, above which a direct schedule is faster.
struct papers_threshold {
  std::string source;  ///< "FATTREE eq. 10"
  std::string text;
  double printed = 0;             ///< its right-hand side
  std::optional<double> holds{};  ///< the break-even point of the two costs; nothing if one schedule is never slower
  std::string remark{};
};

/// FATTREE's conditions for direct schedules of \p p to be faster than combining ones: eq. 8 on meshes, eq. 10 on fat
/// trees of 2^n nodes. Empty for other networks.
std::vector<papers_threshold> papers_thresholds(const network_family& family, const problem& p);

/// FATTREE eq. 12, for a mesh embedded in the fat tree of \p p as in embedded_mesh_formula().
std::vector<papers_threshold> embedded_mesh_thresholds(const problem& p, std::size_t rows, std::size_t columns,
                                                       unsigned e1, unsigned e2);

}  // namespace weft::schedule
