// SPDX-License-Identifier: Apache-2.0
/// Collective communication by store and forward (SCCL, PPoPP 2021), as data. It consists of the request and of the
/// sends that carry it out. The checker of such algorithms is also declared here.
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
  Custom,  ///< the user lists the chunks, as for alltoallv
};

/// A chunk: one unit of data, which takes one round on a link of bandwidth 1.
struct forwarding_chunk {
  std::vector<node_id> holders;    ///< nodes that have the chunk before the first step, ascending
  std::vector<node_id> receivers;  ///< nodes that must have the chunk after the last step, ascending
  /// Whether the chunk is a sum: each holder has a summand of its own, and the receivers must get the sum of all
  /// summands.
  bool summed = false;
};

struct forwarding_problem {
  link_graph graph;
  forwarding_collective what = forwarding_collective::Custom;
  unsigned chunks = 1;                 ///< C: chunks per node or pair of nodes; Broadcast and Reduce: all chunks
  std::vector<forwarding_chunk> list;  ///< the chunk with number c at index c
};

/// Makes the problem for collective \p what with C = \p chunks.
/// - Allgather: each node holds C chunks at the start, and all nodes receive them.
/// - ReduceScatter, Allreduce: there are C sums for each node, which is the first to hold them completely.
/// - Alltoall: each node has C chunks for each other node.
/// - Broadcast, Reduce: \p root sends or receives C chunks.
/// - Scatter, Gather: \p root sends C chunks to each other node, or receives C chunks from each of them.
/// \throws std::invalid_argument for a root that is not in the graph, C = 0, a single node, Custom, or more than 2^20
/// sends (counting one send for each receiver of each chunk)
forwarding_problem make_forwarding(link_graph graph, forwarding_collective what, unsigned chunks = 1, node_id root = 0);

/// Makes an alltoallv in which node s sends count[s][d] chunks to node d. The diagonal is ignored.
/// \throws std::invalid_argument unless \p count is a square matrix over the graph's nodes with a nonzero element off
/// the diagonal and at most 2^20 chunks in total
forwarding_problem make_alltoallv(link_graph graph, const std::vector<std::vector<unsigned>>& count);

/// Returns \p p if it is valid.
/// \throws std::invalid_argument if there are no chunks, if a chunk has no holder or no receiver, if a chunk names
/// nodes that are not in the graph, and if a receiver cannot be reached
forwarding_problem checked(forwarding_problem p);

/// Whether the nodes must receive the same chunks in \p a and \p b, in any order. Chunks that a receiver holds from the
/// start are ignored.
bool same_demands(const forwarding_problem& a, const forwarding_problem& b);

/// Converts between collectives and their names, such as "allgather".
/// \throws std::invalid_argument, with the list of known names, for an unknown name
const char* name_of(forwarding_collective what);
forwarding_collective forwarding_collective_of(const std::string& name);

struct chunk_send {
  chunk_id chunk = 0;
  node_id from = 0;
  node_id to = 0;
  bool add = false;  ///< whether the receiver adds the chunk to its partial sum instead of storing it
};

/// A step: sends that do not depend on each other. In the step, a link can carry its bandwidth times `rounds` chunks.
struct forwarding_step {
  unsigned rounds = 1;  ///< ≥ 1
  std::vector<chunk_send> sends;
};

/// An algorithm: S steps that take R rounds in total.
struct forwarding_algorithm {
  std::vector<forwarding_step> steps;
  std::size_t rounds() const;
};

struct forwarding_violation {
  enum class kind : std::uint8_t {
    Rounds,     ///< a step has 0 rounds
    Chunk,      ///< the problem has no such chunk
    Link,       ///< no link leads from the sender to the receiver
    NotHeld,    ///< a node sends a chunk that it did not have before the step
    Partial,    ///< a partial sum is stored as if it were complete
    Twice,      ///< a summand is added twice
    Bandwidth,  ///< more sends than a link or a shared limit allows
    Missing,    ///< a receiver lacks a chunk at the end
  };
  kind what;
  std::size_t step = 0;  ///< index of the step, from 0; unused for Missing
  std::string text;      ///< message for the user; it counts steps from 1
};

/// Returns all violations in the order of steps. An empty result means that the algorithm carries out the request. The
/// checker shares no code with the methods that make algorithms.
std::vector<forwarding_violation> check_forwarding(const forwarding_problem& p, const forwarding_algorithm& a);

/// Converts the algorithm to steps of one round each. If links share limits, sends fill the rounds greedily, one round
/// after the other.
/// \throws std::invalid_argument if the sends of a step need more rounds than the step has
forwarding_algorithm in_unit_steps(const forwarding_problem& p, const forwarding_algorithm& a);

/// Removes sends that bring no receiver anything it needs. Sends of summed chunks are never removed.
forwarding_algorithm without_idle(const forwarding_problem& p, const forwarding_algorithm& a);

/// Reverses the algorithm in time. The result runs on the reversed graph: where \p a distributes a chunk, the result
/// adds up a sum.
forwarding_algorithm inverted(const forwarding_algorithm& a);

}  // namespace weft::schedule
