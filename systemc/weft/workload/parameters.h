// SPDX-License-Identifier: Apache-2.0
/// The parameters of traffic that a user chooses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/types.h"

namespace weft {

struct pattern_kind;
const pattern_kind& uniform_pattern();

/// What the rates of a traffic matrix are: relative to each other, scaled to the mean load, or loads of pairs of nodes.
enum class matrix_rates : std::uint8_t { Relative, Absolute };

struct pattern_parameters {
  const pattern_kind* kind = &uniform_pattern();  ///< one of pattern_kinds(), in pattern.h
  bool to_self = false;                           ///< uniform, hotspot: whether a node may send to itself
  std::vector<node_id> hotspots;                  ///< hotspot: the nodes that draw extra traffic
  double hotspot_share = 0.2;  ///< hotspot: share of packets to the hotspots (0…1); others are uniform
  std::filesystem::path
      file;  ///< permutation: one line for each node, `source destination`; matrix: see traffic_matrix.h
  matrix_rates rates = matrix_rates::Relative;  ///< matrix
  std::uint32_t shift = 1;                      ///< shift: distance from source to destination, in nodes
};

enum class injection_kind : std::uint8_t { Bernoulli, OnOff, RequestReply, SelfSimilar, Mmpp };

struct injection_parameters {
  injection_kind kind = injection_kind::Bernoulli;
  double load = 0.1;        ///< mean offered load, flits per node and cycle; above 1 for nodes with several ports
  double peak = 1.0;        ///< on/off, self-similar: load during on periods, load…1
  double mean_burst = 100;  ///< on/off, self-similar: mean length of an on period, cycles, ≥ least_mean_period()
  double hurst = 0.8;       ///< self-similar: Hurst parameter, 0.51…0.99
  // Mmpp: the states of the modulating chain, see markov_chain.h.
  std::vector<double> rates;                     ///< relative load of each state
  std::vector<double> durations;                 ///< mean length of a visit to each state, cycles, ≥ 1
  std::vector<std::vector<double>> transitions;  ///< probability of each next state; empty: all others alike
  unsigned window = 4;                           ///< request/reply: outstanding requests of a node, ≥ 1
  std::uint32_t reply = 5;                       ///< request/reply: flits of a reply, ≥ 1
  cycle_t service = 0;                           ///< request/reply: cycles from the arrival of a request to the reply
  cycle_t think = 0;               ///< request/reply: cycles from the arrival of a reply to the next request
  std::vector<unsigned> forwards;  ///< request/reply: message class of each forward between request and reply
  std::uint32_t forward = 1;       ///< request/reply: flits of a forward, ≥ 1
  /// Request/reply: places in each queue of a node, ≥ 1; no value: a node accepts every packet. See request_reply.h.
  std::optional<unsigned> queue;
};

enum class length_kind : std::uint8_t { Fixed, Uniform, Weighted };

struct length_choice {
  std::uint32_t flits = 1;
  double weight = 1;
};

struct length_parameters {
  length_kind kind = length_kind::Fixed;
  std::uint32_t flits = 5;             ///< fixed
  std::uint32_t min = 1;               ///< uniform, inclusive
  std::uint32_t max = 10;              ///< uniform, inclusive
  std::vector<length_choice> choices;  ///< weighted
};

enum class payload_kind : std::uint8_t { Zero, Random, SmallIntegers, SmoothDoubles, File };

/// The data type that the packet headers declare.
enum class declared_type : std::uint8_t { Auto, Other, Int, Double, DoubleComplex };

struct payload_parameters {
  payload_kind kind = payload_kind::Random;
  declared_type type = declared_type::Auto;  ///< auto: determined by the kind of payload
  std::filesystem::path file;                ///< file: its bytes, repeated
};

/// The kinds of program recordings that can be replayed.
enum class program_kind : std::uint8_t { Mpi, List, Netrace, Chakra };
inline constexpr std::array ProgramKindNames{"a trace of MPI", "a list of messages", "a netrace", "a Chakra trace"};

/// How the ranks of a program are placed on nodes.
enum class rank_map : std::uint8_t { Linear, Optimised };

/// Collectives of a program that a replay can carry out with the algorithms of `weft collective`.
enum class replayed_collective : std::uint8_t { Broadcast, Gather, Scatter, AllGather, AllToAll, Reduce, AllReduce };
inline constexpr std::array ReplayedCollectiveNames{"broadcast",  "gather", "scatter",   "all_gather",
                                                    "all_to_all", "reduce", "all_reduce"};

/// Parameters of the replay of a recorded program.
struct replay_parameters {
  rank_map map = rank_map::Linear;
  std::vector<node_id> nodes;  ///< nodes of the ranks, which replace the map; empty: use the map
  double computing = 1;        ///< factor of the time between calls: 0 none, 1 all
  std::uint64_t eager = 4096;  ///< longest message, in bytes, that is sent without a request
  std::uint32_t packet = 16;   ///< longest packet in flits
  /// The algorithm for each collective of ReplayedCollectiveNames: "usual", "ring", or by message size as in
  /// "recursive_doubling, ring from 4096".
  std::array<std::string, ReplayedCollectiveNames.size()> collectives{"usual", "usual", "usual", "usual",
                                                                      "usual", "usual", "usual"};
  std::vector<std::uint32_t> group;           ///< for algorithms with groups: sides of a group
  std::filesystem::path schedule;             ///< for the algorithm `schedule`: a file of format ccsched/1
  std::vector<std::string> truncation_rules;  ///< the first match applies to a message: see parse_truncation_rule()
  std::uint32_t region = 0;                   ///< region of a netrace, from 1; 0: the whole trace
};

/// When a regulated flow releases its packets.
enum class flow_release : std::uint8_t {
  Greedy,  ///< as early as its token bucket permits, so that every burst is as large as possible
  Random,  ///< packets reach the bucket at random and may wait there
};

/// Regulated flows; see flows.h.
struct flow_parameters {
  std::filesystem::path file;  ///< the flows
  flow_release release = flow_release::Greedy;
  double share = 0.8;  ///< Random: share of its rate that a flow uses, above 0 and at most 1
};

/// Traffic that is generated: the packets of each node, by pattern, injection process and length.
struct traffic_parameters {
  pattern_parameters pattern;
  injection_parameters injection;
  length_parameters length;
  payload_parameters payload;
  std::vector<node_id> sources;         ///< nodes that create packets, or requests; empty: all that the pattern allows
  unsigned message_class = 0;           ///< of packets and requests
  std::optional<unsigned> reply_class;  ///< request/reply: of replies; no value: the last class of the network
};

/// One of several traffics that run at the same time.
struct named_traffic : traffic_parameters {
  std::string name;  ///< letters, digits and '_', a letter first
};

inline constexpr std::size_t MaxTraffics = 64;

struct workload_parameters : traffic_parameters {
  /// If not empty: these traffics replace the one above, of which only injection.load has an effect: it is the sum of
  /// their loads, to which they are scaled (see traffic_loads.h).
  std::vector<named_traffic> traffics;
  std::filesystem::path packet_list;    ///< if not empty: these packets replace pattern, injection and length
  flow_parameters flows;                ///< if a file is given: these flows replace pattern, injection and length
  std::filesystem::path trace;          ///< if not empty: this program replaces all of the above
  std::optional<program_kind> program;  ///< the kind of program in `trace`, if known
  replay_parameters replay;             ///< for a trace
};

}  // namespace weft
