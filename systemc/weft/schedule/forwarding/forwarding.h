// SPDX-License-Identifier: Apache-2.0
/// Collective communications by store and forward, as data (SCCL, PPoPP 2021): what is asked, the sends that do it, and
/// the judge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/link_graph.h"

namespace weft::schedule {

using chunk_id = std::uint32_t;

enum class forwarding_collective : std::uint8_t {
  Allgather,
  Alltoall,
  Broadcast,
  Scatter,
  Gather,
  Reduce,
  ReduceScatter,
  Allreduce,
  Custom,  ///< chunks of the user's, alltoallv among them
};

/// One unit of data, which crosses a link of bandwidth 1 in a round.
struct forwarding_chunk {
  std::vector<node_id> holders;    ///< have it before the first step, ascending
  std::vector<node_id> receivers;  ///< are to have it after the last, ascending
  /// Each holder has a part of its own; receivers are to have the sum of all.
  bool summed = false;
};

struct forwarding_problem {
  link_graph graph;
  forwarding_collective what = forwarding_collective::Custom;
  unsigned chunks = 1;                 ///< C: per node, or per pair of nodes; of Broadcast and Reduce in all
  std::vector<forwarding_chunk> list;  ///< chunk c
};

/// Chunks of \p what. Allgather, ReduceScatter and Allreduce: C for each node, its own or that which it is to have
/// first, by node; Alltoall: C from each node to each other; Broadcast, Reduce: C of \p root; Scatter, Gather: C from
/// or to \p root for each other node.
/// \throws std::invalid_argument for a root that the graph has not, C = 0, a single node, Custom, or more than 2^20
/// sends, as each receiver gets each chunk once
forwarding_problem make_forwarding(link_graph graph, forwarding_collective what, unsigned chunks = 1, node_id root = 0);

/// Alltoallv: count[s][d] chunks from node s to node d. \throws std::invalid_argument unless it is a square of the
/// graph's nodes with something off its diagonal, which is not sent, and of at most 2^20 chunks in all
forwarding_problem make_alltoallv(link_graph graph, const std::vector<std::vector<unsigned>>& count);

/// \throws std::invalid_argument for a chunk without holder or receiver, with nodes that the graph has not, or that can
/// not reach its receivers; and without chunks
forwarding_problem checked(forwarding_problem p);

/// Whether nodes are to get the same in both, in whatever order; what they hold from the start is left out.
bool same_demands(const forwarding_problem& a, const forwarding_problem& b);

/// "allgather", …; the other way \throws std::invalid_argument that names the known ones.
const char* name_of(forwarding_collective what);
forwarding_collective forwarding_collective_of(const std::string& name);

struct chunk_send {
  chunk_id chunk = 0;
  node_id from = 0;
  node_id to = 0;
  bool add = false;  ///< the receiver adds it to its part of the sum; else it keeps it as it is
};

/// Sends that do not depend on each other; a link carries its bandwidth times `rounds`.
struct forwarding_step {
  unsigned rounds = 1;  ///< ≥ 1
  std::vector<chunk_send> sends;
};

/// S steps of R rounds in all.
struct forwarding_algorithm {
  std::vector<forwarding_step> steps;
  std::size_t rounds() const;
};

struct forwarding_fault {
  enum class kind : std::uint8_t {
    Rounds,     ///< a step of no rounds
    Chunk,      ///< a chunk that nobody asked for
    Link,       ///< where there is no link
    NotHeld,    ///< a node sends what it did not have before the step
    Partial,    ///< a part of a sum is kept as if it were all of it
    Twice,      ///< a part is added twice to a sum
    Bandwidth,  ///< more sends than a link or a shared limit allows
    Missing,    ///< a receiver lacks a chunk at the end
  };
  kind what;
  std::size_t step = 0;  ///< from 0; not of Missing
  std::string text;      ///< all in words, steps counted from 1
};

/// All faults, in the order of steps; empty: the algorithm does what is asked. It shares no code with what makes them.
std::vector<forwarding_fault> check_forwarding(const forwarding_problem& p, const forwarding_algorithm& a);

/// The same in steps of one round each. Where links share limits, one round after the other is filled;
/// \throws std::invalid_argument if that takes more rounds than the step has
forwarding_algorithm in_unit_steps(const forwarding_problem& p, const forwarding_algorithm& a);

/// Without sends that no receiver needs; sums are left as they are.
forwarding_algorithm without_idle(const forwarding_problem& p, const forwarding_algorithm& a);

/// Backwards in time, on the reversed graph: what spread each chunk adds its parts up.
forwarding_algorithm inverted(const forwarding_algorithm& a);

}  // namespace weft::schedule
