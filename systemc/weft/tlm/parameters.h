// SPDX-License-Identifier: Apache-2.0
/// The parameters of a network in a virtual platform.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameter_errors.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft::tlm2 {

/// A range of addresses that belongs to the target at a node.
struct mapped_range {
  std::uint64_t base = 0;
  std::uint64_t size = 0;  ///< bytes, ≥ 1
  node_id node = 0;
};
using region [[deprecated("use mapped_range")]] = mapped_range;

enum class timing : std::uint8_t {
  Cycle,  ///< every flit is simulated
  Loose,  ///< latency of an empty network by formula; without `contention` messages do not wait for each other
};

/// Maximum bytes of a message in the cycle mode. Longer transactions are sent as several messages.
inline constexpr std::uint32_t MaxLength = 64 * 1024;

/// The parameters of default NICs, but with an ejection buffer of 8 flits for each VC, without which nodes cannot stop
/// accepting flits.
nic_parameters nics_with_ejection_buffer();

struct noc_parameters {
  topology graph;
  router_parameters router{};
  nic_parameters nic = nics_with_ejection_buffer();  ///< ejection_depth 0 becomes router.depth
  unsigned payload_bits = 64;                        ///< of a flit: 32, 64, 128 or 256
  sc_core::sc_time clock_period{1, sc_core::SC_NS};  ///< of the network, above 0
  std::vector<mapped_range> map;                     ///< ranges must not overlap; a node may have several
  /// Number of messages of each kind (requests, responses) that can wait for injection in a NIC, ≥ 1.
  unsigned queue_depth = 4;
  unsigned receive_depth = 2;      ///< ≥ 1: messages that can wait at a node for its target or its initiator
  unsigned max_packet_flits = 64;  ///< longer messages are split; at least 32 bytes
  timing mode = timing::Cycle;
  bool allow_dmi = false;  ///< DMI pointers into targets are passed on; accesses through them bypass the network
  /// Whether the loose mode adds estimated waits. Queueing theory computes them from the traffic of the last
  /// contention_window cycles.
  bool contention = false;
  unsigned contention_window = 1024;  ///< cycles, ≥ 1
  bool lenient = false;  ///< accepts a streaming width of 0 as the length, and a response without status as OK
  /// Whether an isolated message gets its latency from a formula instead of being simulated. The results do not change.
  bool foresee = true;
  /// In the cycle mode, nodes whose targets are called by b_transport(), one transaction after the other, from a thread
  /// of the network. Needed for targets whose nb_transport_fw() is a stub. Sockets without a registered callback are
  /// detected automatically.
  std::vector<node_id> blocking_targets{};
  bool translate = true;  ///< targets get offsets from the base of the range instead of addresses
  /// In the cycle mode, replaces the engine: makes the network of requests, then the network of responses, when the noc
  /// is constructed. These networks run by themselves as modules of the simulation. Cycle c begins at c clock_periods;
  /// its events are reported at its end (pin::model_options::clock_period).
  std::function<std::unique_ptr<network_model>(const noc_parameters&, packet_source&, network_observer&)>
      make_network{};
};

/// Returns the errors in \p p, except errors of its graph alone and of its map. Keys are names of fields of
/// noc_parameters; keys of the NIC are those of configuration files. \p prefix precedes "router" in keys and messages.
std::vector<parameter_error> find_parameter_errors(const noc_parameters& p, const std::string& prefix = "");

/// Throws std::invalid_argument with the first error in \p p. The constructor of noc calls this function.
void check_parameters(const noc_parameters& p);

}  // namespace weft::tlm2
