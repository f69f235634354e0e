// SPDX-License-Identifier: Apache-2.0
/// User parameters of a collective communication.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft {

/// The operation. Sources and receivers determine the nodes involved: a broadcast with one source is one-to-all, a
/// broadcast with all nodes as sources is all-to-all. The same holds for scatter; an all-to-all scatter is also called
/// personalized exchange.
enum class collective_operation : std::uint8_t {
  Broadcast,  ///< every receiver gets the data of every source
  Scatter,    ///< every receiver gets its own data from every source
  Gather,     ///< the only receiver gets the data of every source
  Reduce,     ///< the only receiver gets the sum of the data of all sources
  AllReduce,  ///< every node gets the sum of the data of all nodes
};
inline constexpr std::array CollectiveOperationNames{"broadcast", "scatter", "gather", "reduce", "all_reduce"};

/// The algorithm. The first seven algorithms bring one datum from a root to many nodes. A hierarchical algorithm uses
/// one of the seven inside groups and one between groups.
enum class collective_algorithm : std::uint8_t {
  AllAtOnce,        ///< the root sends to every node
  Tree,             ///< recursive halving, first along the row, then in every column
  InterleavedTree,  ///< recursive halving of the dimension with the longest remaining distance
  DoublingTree,     ///< first to the nearest node, then over twice the distance, …; first the row, then the columns
  RankTree,         ///< recursive halving of the nodes by number, counted from the root
  NeighbourForwarding,  ///< a spanning tree in which each node forwards to its neighbors, first in the row
  Ring,                 ///< once around all nodes, from neighbor to neighbor
  RecursiveDoubling,  ///< pairs exchange everything they have in a message, at distance 1, 2, 4, … in each dimension
  Hierarchy,          ///< first inside groups, then between their intermediates, then inside groups again
  Combining,          ///< like Hierarchy, but the intermediate joins the data of its group into one message
  NetworkCoding,  ///< HNC: intermediates exchange XORs of two data, and every node gets one plain datum of each group
  NetworkCodingDirect,  ///< HNC, Fig. 4: every node encodes and sends XORs to its counterparts
  SpreadIntermediates,  ///< every node sends to its counterpart in each other group, which broadcasts in its group
  Butterfly,            ///< HNC, Fig. 1 (ii): two sources, two receivers, and a relay that sends one XOR
  ButterflyUncoded,     ///< HNC, Fig. 1 (i): like Butterfly, through the same relays, but without XOR
  Parity,               ///< like AllAtOnce, plus an XOR of every few data of a source, which can replace a lost one
  Schedule,             ///< the steps of a schedule: make_scheduled_collective()
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

/// How the intermediate of a group is selected. The intermediate is the node that communicates with other groups.
enum class intermediate_placement : std::uint8_t {
  Corner,   ///< the first node of the group
  Centre,   ///< the middle node; without a grid, the node nearest to all others of the group
  Mirror,   ///< the corner that faces the center of the network; without a grid, the node nearest to all nodes
  Optimum,  ///< the node with the fewest hops to intermediates and group; without a grid, the smallest distances
};
inline constexpr std::array IntermediatePlacementNames{"corner", "centre", "mirror", "optimum"};

/// Which node of a group sends the plain datum of step F to a node of another group.
enum class plain_sender : std::uint8_t {
  Counterpart,  ///< the node with the same index in its group
  Nearest,      ///< the nearest node of the group
};
inline constexpr std::array PlainSenderNames{"counterpart", "nearest"};

struct collective_parameters {
  collective_operation operation = collective_operation::Broadcast;
  collective_algorithm algorithm = collective_algorithm::AllAtOnce;
  std::vector<node_id> sources;           ///< empty: all nodes
  std::vector<node_id> receivers;         ///< empty: all nodes; gather, reduce: only the root
  std::vector<std::uint32_t> lengths{1};  ///< length of a datum in flits, ≥ 1: one for all or one for each source
  std::uint32_t packets = 1;              ///< data of each source, ≥ 1; scatter: data for each receiver

  /// For hierarchical algorithms: the sides of a group in each dimension, x first, from 1 to the side of the grid. The
  /// last group of a row may be smaller. Without a grid, this is a single number: the number of consecutive nodes that
  /// form a group.
  std::vector<std::uint32_t> group;
  std::vector<std::vector<node_id>> groups;  ///< replaces `group`: the nodes of each group; each node is in exactly one
  /// For network coding: the sides of the groups inside groups, outermost first. In these groups, step B is again
  /// network coding.
  std::vector<std::vector<std::uint32_t>> subgroups;
  intermediate_placement placement = intermediate_placement::Centre;
  collective_algorithm inner = collective_algorithm::Tree;  ///< algorithm inside groups, one of the first seven
  collective_algorithm outer = collective_algorithm::Tree;  ///< algorithm between intermediates, one of the first seven
  plain_sender plain = plain_sender::Counterpart;

  std::vector<node_id> relays;  ///< for butterfly: the first and the last node of the shared path, or its only node
  std::uint32_t parity = 4;     ///< for parity: number of data in each XOR, ≥ 1
};

}  // namespace weft
