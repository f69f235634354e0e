// SPDX-License-Identifier: Apache-2.0
/// Collective communication by store and forward, as data (SCCL, PPoPP 2021): the request, the sends that carry it out,
/// and the checker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/link_graph.h"

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
  Custom,  ///< chunks given by the user, including alltoallv
};

/// One unit of data, which takes one round on a link of bandwidth 1.
struct forwarding_chunk {
  std::vector<node_id> holders;    ///< nodes that have it before the first step, ascending
  std::vector<node_id> receivers;  ///< nodes that must have it after the last step, ascending
  /// Each holder has a summand of its own; receivers must get the sum of all.
  bool summed = false;
};

struct forwarding_problem {
  link_graph graph;
  forwarding_collective what = forwarding_collective::Custom;
  unsigned chunks = 1;                 ///< C: per node, or per pair of nodes; for Broadcast and Reduce in total
  std::vector<forwarding_chunk> list;  ///< chunk c
};

/// The chunks of \p what. Allgather, ReduceScatter, Allreduce: C for each node, in node order; the node holds them at
/// the start, or is the first to hold their complete sum. Alltoall: C from each node to each other. Broadcast, Reduce:
/// C of \p root. Scatter, Gather: C from or to \p root for each other node.
/// \throws std::invalid_argument for a root that is not in the graph, C = 0, a single node, Custom, or more than 2^20
/// sends, counting one for each receiver of each chunk
forwarding_problem make_forwarding(link_graph graph, forwarding_collective what, unsigned chunks = 1, node_id root = 0);

/// Alltoallv: count[s][d] chunks from node s to node d. The diagonal is not sent. \throws std::invalid_argument unless
/// \p count is a square matrix over the graph's nodes with a nonzero element off the diagonal and at most 2^20 chunks
/// in total
forwarding_problem make_alltoallv(link_graph graph, const std::vector<std::vector<unsigned>>& count);

/// Returns \p p. \throws std::invalid_argument for no chunks, and for a chunk without holder or receiver, with nodes
/// that are not in the graph, or that cannot reach its receivers
forwarding_problem checked(forwarding_problem p);

/// Whether nodes must receive the same chunks in both, in any order; chunks held from the start are ignored.
bool same_demands(const forwarding_problem& a, const forwarding_problem& b);

/// Conversion between collectives and names: "allgather", …. \throws std::invalid_argument for an unknown name, with
/// the known ones
const char* name_of(forwarding_collective what);
forwarding_collective forwarding_collective_of(const std::string& name);

struct chunk_send {
  chunk_id chunk = 0;
  node_id from = 0;
  node_id to = 0;
  bool add = false;  ///< whether the receiver adds it to its partial sum instead of storing it
};

/// Sends that do not depend on each other; a link carries its bandwidth times `rounds`.
struct forwarding_step {
  unsigned rounds = 1;  ///< ≥ 1
  std::vector<chunk_send> sends;
};

/// S steps with R rounds in total.
struct forwarding_algorithm {
  std::vector<forwarding_step> steps;
  std::size_t rounds() const;
};

struct forwarding_violation {
  enum class kind : std::uint8_t {
    Rounds,     ///< a step without rounds
    Chunk,      ///< a chunk that was not requested
    Link,       ///< no link between sender and receiver
    NotHeld,    ///< a node sends a chunk that it did not have before the step
    Partial,    ///< a partial sum is stored as if it were complete
    Twice,      ///< a summand is added twice
    Bandwidth,  ///< more sends than a link or a shared limit allows
    Missing,    ///< a receiver lacks a chunk at the end
  };
  kind what;
  std::size_t step = 0;  ///< from 0; unused for Missing
  std::string text;      ///< complete message; counts steps from 1
};

/// Returns all violations, in the order of steps. If there are none, the algorithm carries out the request. Shares no
/// code with the methods that make algorithms.
std::vector<forwarding_violation> check_forwarding(const forwarding_problem& p, const forwarding_algorithm& a);

/// Converts the algorithm to steps of one round each. If links share limits, rounds are filled one after the other;
/// \throws std::invalid_argument if that takes more rounds than the step has
forwarding_algorithm in_unit_steps(const forwarding_problem& p, const forwarding_algorithm& a);

/// Removes sends that no receiver needs; sums remain unchanged.
forwarding_algorithm without_idle(const forwarding_problem& p, const forwarding_algorithm& a);

/// Reverses the algorithm in time, on the reversed graph: sends that distribute each chunk then add up its summands.
forwarding_algorithm inverted(const forwarding_algorithm& a);

}  // namespace weft::schedule
