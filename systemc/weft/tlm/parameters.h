// SPDX-License-Identifier: Apache-2.0
/// What a user chooses about a network in a virtual platform.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/parameter_faults.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft::tlm2 {

/// Addresses that belong to the target at a node.
struct region {
  std::uint64_t base = 0;
  std::uint64_t size = 0;  ///< bytes, ≥ 1
  node_id node = 0;
};

enum class timing : std::uint8_t {
  Cycle,  ///< every flit is simulated
  Loose,  ///< latency of an empty network by formula; messages do not wait for each other
};

/// Bytes that a message carries in the cycle mode. Longer transactions travel as several.
inline constexpr std::uint32_t MaxLength = 64 * 1024;

/// The usual NICs, with a buffer of 8 flits for each ejection VC: nodes must be able to refuse a flit.
nic_parameters nics_that_can_refuse();

struct noc_parameters {
  topology graph;
  router_parameters router{};
  nic_parameters nic = nics_that_can_refuse();       ///< ejection_depth 0 becomes router.depth
  unsigned payload_bits = 64;                        ///< of a flit: 32, 64, 128 or 256
  sc_core::sc_time clock_period{1, sc_core::SC_NS};  ///< of the network, above 0
  std::vector<region> map;                           ///< regions do not overlap; several may lie at one node
  unsigned queue_depth = 4;        ///< ≥ 1: messages that wait in a NIC to be injected, of requests and of responses
  unsigned receive_depth = 2;      ///< ≥ 1: messages that wait at a node for its target, or its initiator
  unsigned max_packet_flits = 64;  ///< longer messages are split; 32 bytes at least
  timing mode = timing::Cycle;
  bool allow_dmi = false;  ///< pointers into targets are passed on; their accesses pass the network by
  /// In the loose mode: messages wait for each other as long as queueing theory says of the traffic of the last
  /// contention_window cycles.
  bool contention = false;
  unsigned contention_window = 1024;  ///< cycles, ≥ 1
  bool lenient = false;  ///< a streaming width of 0 means the length, a response that has no status means OK
  /// What is alone in a network takes its time by the formula and is not simulated. No result changes.
  bool foresee = true;
  /// Nodes whose targets are called by b_transport() in the cycle mode, too, one transaction after the other, from a
  /// thread of the network: those whose nb_transport_fw() is a stub. Sockets with nothing registered are found out.
  std::vector<node_id> blocking_targets{};
  bool translate = true;  ///< targets see offsets from the base of the region, not addresses
};

/// What is wrong with \p p, but for its graph by itself and its map. Keys are fields of noc_parameters, those of nic as
/// in a file; \p prefix stands before "router".
std::vector<parameter_fault> find_parameter_faults(const noc_parameters& p, const std::string& prefix = "");

/// Throws std::invalid_argument with the first of them. noc calls it.
void check_parameters(const noc_parameters& p);

}  // namespace weft::tlm2
