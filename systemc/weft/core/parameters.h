// SPDX-License-Identifier: Apache-2.0
/// The parameters of routers and NICs that a user chooses, the same at every level.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/core/codec.h"
#include "weft/core/router_choices.h"
#include "weft/core/selection.h"
#include "weft/core/types.h"

namespace weft {

enum class flow_control : std::uint8_t {
  Wormhole,           ///< a head may advance as soon as the next buffer has room for one flit
  VirtualCutThrough,  ///< a head gets an output VC only when the next buffer has room for the whole packet
  StoreAndForward,    ///< as VirtualCutThrough, and a head gets its route only when its whole packet has arrived
};

/// Whether the next buffer must have room for the whole packet.
constexpr bool reserves_whole_packets(flow_control flow) { return flow != flow_control::Wormhole; }

struct router_parameters {
  unsigned vcs = 4;       ///< virtual channels per port, 1…MaxVcs
  unsigned depth = 8;     ///< buffer of one VC in flits, ≥ 1; vcs * depth ≤ MaxBufferFlits
  unsigned pipeline = 4;  ///< S: cycles from arrival to the output register; see router_pipeline
  flow_control flow = flow_control::Wormhole;
  /// Number of classes into which the VCs are divided, a divisor of vcs. A packet uses only VCs of its class.
  unsigned classes = 1;
  allocator_parameters vc_allocator{};
  allocator_parameters switch_allocator{};
  bool lookahead_routing = false;  ///< whether a head has its route on arrival, because the router before computed it
  speculation_kind speculation = speculation_kind::None;
  buffer_parameters buffer{};
  vc_reallocation reallocation = vc_reallocation::AfterTail;
  bool busy_when_full = false;  ///< whether a head requests only output VCs with a credit
  bool prefer_empty = false;    ///< whether a head prefers output VCs with an empty buffer
  priority_kind priority = priority_kind::None;
  /// Cycles at the front of its input VC after which a flit precedes all that are there for less time; 0: none. Only
  /// with a priority under which flits can starve.
  unsigned starvation_guard = 0;
  /// Whether an input VC that was granted the switch keeps it until its packet has left or it cannot send.
  bool hold_switch = false;
  /// Number of flits that an input port can send in a cycle, 1…MaxInputSpeedup, a divisor of vcs; see switch_inputs.
  unsigned input_speedup = 1;
};

/// Whether the VCs of an input port use some flits of its buffer together.
constexpr bool shares_buffer(const router_parameters& p) {
  return p.buffer.policy == buffer_policy::Shared && p.buffer.reserved < p.depth;
}

/// Number of flits that a VC of an input port can hold if the other VCs are empty and there is no limit.
constexpr unsigned flits_within_reach(const router_parameters& p) {
  return shares_buffer(p) ? p.vcs * p.depth - (p.vcs - 1) * p.buffer.reserved : p.depth;
}

/// Maximum number of flits of a VC in the buffer of an input port, which is the number of its initial credits.
constexpr unsigned most_flits_of_vc(const router_parameters& p) {
  return shares_buffer(p) && p.buffer.limit != 0 ? p.buffer.limit : flits_within_reach(p);
}

inline constexpr unsigned MaxCompressorFlits = 4096;  ///< depth of each memory of a compressor

/// The compressor in the send path of a NIC, and the decompressor in the receive path.
struct compression_parameters {
  selection_parameters selection{selection_mode::None};
  codec_parameters codec;
  unsigned depth = 512;  ///< flits of each memory of the compressor, a power of two, ≥ 8
  /// Cycles from head to head for compression and decompression together (D of COMPRESS), ≥ 1; unset: the latency of
  /// the hardware.
  std::optional<cycle_t> latency;
  /// Assumed compression ratio, ≥ 1, only if the latency is set; no bits are coded. Unset: the ratio of the coded bits.
  std::optional<double> ratio;

  bool enabled() const { return selection.mode != selection_mode::None; }
  /// Whether the NIC contains the hardware stages instead of the model with a given latency.
  bool in_hardware() const { return enabled() && !latency; }
};

inline constexpr unsigned MaxXorEntries = 4096;  ///< of an XOR decoder
inline constexpr unsigned MaxXorFlits = 512;     ///< of the longest packet that XOR stages store
inline constexpr unsigned MaxXorOverhead = 4096;

/// The XOR encoder in the send path of a NIC, and the decoder in the receive path
/// (docs/03_reference/network_coding.md).
struct xor_parameters {
  bool enabled = false;
  unsigned entries = 16;  ///< packets that a decoder keeps or stores, 2…MaxXorEntries
  unsigned depth = 16;    ///< flits of the longest packet that encoder and decoder store, 1…MaxXorFlits
  unsigned overhead = 0;  ///< cycles that an XOR takes in the encoder (HNC, Fig. 14), 0…MaxXorOverhead
};

/// The source queues of a node.
enum class source_queues : std::uint8_t {
  Shared,    ///< one queue for all packets
  PerClass,  ///< one queue for each message class; see terminal.h
};

struct nic_parameters {
  cycle_t window = 1000;        ///< cycles over which received flits (N) are counted, ≥ 1
  unsigned ejection_depth = 0;  ///< buffer of an ejection VC in flits; 0: the node accepts every flit at once
  /// Number of sub-windows, a divisor of `window`. 1 gives a tumbling window, a larger number gives a sliding window.
  unsigned buckets = 1;
  compression_parameters compression{};
  xor_parameters coding{};
  /// Credits of the router for each VC to a node without an ejection buffer, which returns each at once; 0: the router
  /// needs no credits. If routers share buffers, 0 or the depth of a router.
  unsigned ejection_credits = 0;
  source_queues queues = source_queues::Shared;
  /// Whether a node may accept some message classes and not others (network_model::set_accepted()). Requires an
  /// ejection buffer.
  bool accepts_by_class = false;

  /// Number of source queues of a node, in a network with \p classes message classes.
  unsigned queue_count(unsigned classes) const { return queues == source_queues::PerClass ? classes : 1; }
  /// Credits of the router for each VC to the node; 0: it needs none.
  unsigned credits_for_router() const { return ejection_depth != 0 ? ejection_depth : ejection_credits; }
};

/// Whether the VCs of a port to a node share its credits, as those of a port to a router do.
constexpr bool shares_credits_of_node(const router_parameters& router, const nic_parameters& nic) {
  return shares_buffer(router) && nic.ejection_credits != 0;
}

}  // namespace weft
