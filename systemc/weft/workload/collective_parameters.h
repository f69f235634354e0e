// SPDX-License-Identifier: Apache-2.0
/// User parameters of a collective communication.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft {

/// The operation. The nodes involved are given by sources and receivers: a broadcast with one source is one-to-all,
/// with all nodes as sources all-to-all. The same holds for scatter (all-to-all scatter is personalized exchange).
enum class collective_operation : std::uint8_t {
  Broadcast,  ///< every receiver gets the data of every source
  Scatter,    ///< every receiver gets data of its own from every source
  Gather,     ///< the one receiver gets the data of every source
  Reduce,     ///< the one receiver gets the sum of the data of all sources
  AllReduce,  ///< every node gets the sum of the data of all nodes
};
inline constexpr std::array CollectiveOperationNames{"broadcast", "scatter", "gather", "reduce", "all_reduce"};

/// The algorithm. The first seven bring one datum from a root to many nodes. Hierarchical algorithms use one of these
/// inside groups and one between them.
enum class collective_algorithm : std::uint8_t {
  AllAtOnce,            ///< the root sends to every node
  Tree,                 ///< recursive halving: along the row, then in every column
  InterleavedTree,      ///< recursive halving of the dimension with the longest remaining distance
  DoublingTree,         ///< to the nearest node first, then over twice the distance; along the row, then columns
  RankTree,             ///< recursive halving of the nodes by number, counted from the root
  NeighbourForwarding,  ///< spanning tree of nearest neighbors, rows first
  Ring,                 ///< once around all nodes, from neighbor to neighbor
  RecursiveDoubling,    ///< pairs exchange everything they have as one message; distance 1, 2, 4, … in each dimension
  Hierarchy,            ///< inside groups, between their intermediates, inside groups
  Combining,            ///< like Hierarchy, but the intermediate joins the data of its group to one message
  NetworkCoding,  ///< HNC: intermediates exchange XORs of two data, and every node gets one plain datum of each group
  NetworkCodingDirect,  ///< HNC after Fig. 4: every node encodes and sends XORs to its counterparts
  SpreadIntermediates,  ///< every node sends to its counterpart in every other group, which broadcasts there
  Butterfly,            ///< HNC Fig. 1 (ii): two sources, two receivers; the relay between sends one XOR
  ButterflyUncoded,     ///< HNC Fig. 1 (i): the same through the same relays without XOR
  Parity,    ///< all at once, and an XOR of every few data of a source, which repairs the loss of one of them
  Schedule,  ///< given steps without conflicts: make_scheduled_collective()
};
inline constexpr std::array CollectiveAlgorithmNames{"all_at_once",
                                                     "tree",
                                                     "interleaved_tree",
                                                     "doubling_tree",
                                                     "rank_tree",
                                                     "neighbour_forwarding",
                                                     "ring",
                                                     "recursive_doubling",
                                                     "hierarchy",
                                                     "combining",
                                                     "network_coding",
                                                     "network_coding_direct",
                                                     "spread_intermediates",
                                                     "butterfly",
                                                     "butterfly_uncoded",
                                                     "parity",
                                                     "schedule"};

constexpr bool is_broadcast_tree(collective_algorithm a) { return a <= collective_algorithm::Ring; }
constexpr bool has_groups(collective_algorithm a) {
  return a >= collective_algorithm::Hierarchy && a <= collective_algorithm::SpreadIntermediates;
}

/// The intermediate of a group, the node that communicates with other groups.
enum class intermediate_placement : std::uint8_t {
  Corner,   ///< the first
  Centre,   ///< the middle node; without a grid, the one nearest to all others of the group
  Mirror,   ///< the corner that faces the center of the network; without a grid, the one nearest to all nodes
  Optimum,  ///< minimizes the hops of messages between intermediates and inside groups; without a grid, the distances
};
inline constexpr std::array IntermediatePlacementNames{"corner", "centre", "mirror", "optimum"};

/// The node of a group that sends the plain datum of step F to a node of another group.
enum class plain_sender : std::uint8_t {
  Counterpart,  ///< the one with the same index in its group
  Nearest,      ///< the nearest
};
inline constexpr std::array PlainSenderNames{"counterpart", "nearest"};

struct collective_parameters {
  collective_operation operation = collective_operation::Broadcast;
  collective_algorithm algorithm = collective_algorithm::AllAtOnce;
  std::vector<node_id> sources;           ///< empty: all nodes
  std::vector<node_id> receivers;         ///< empty: all nodes; gather, reduce: the one root
  std::vector<std::uint32_t> lengths{1};  ///< length of a datum in flits, ≥ 1: one for all, or one for each source
  std::uint32_t packets = 1;              ///< data of each source (scatter: for each receiver), ≥ 1

  /// For hierarchical algorithms: sides of a group, x first, each 1…side of the grid; the last groups of a row may be
  /// smaller. Without a grid, a single number: so many consecutive nodes form a group.
  std::vector<std::uint32_t> group;
  std::vector<std::vector<node_id>> groups;  ///< replaces `group`: lists of nodes; each node is in exactly one
  /// For network coding: sides of the groups inside groups, outermost first, in which step B is again network coding.
  std::vector<std::vector<std::uint32_t>> subgroups;
  intermediate_placement placement = intermediate_placement::Centre;
  collective_algorithm inner = collective_algorithm::Tree;  ///< inside groups: one of the first seven
  collective_algorithm outer = collective_algorithm::Tree;  ///< between intermediates: one of the first seven
  plain_sender plain = plain_sender::Counterpart;

  std::vector<node_id> relays;  ///< for butterfly: first and last node of the shared path; may be a single node
  std::uint32_t parity = 4;     ///< for parity: number of data under one XOR, ≥ 1
};

}  // namespace weft
