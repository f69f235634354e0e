// SPDX-License-Identifier: Apache-2.0
/// Regulated flows: traffic from one node to another that a token bucket limits.
///
/// In a cycle and the t cycles after it, a flow of rate ρ and burst σ releases at most σ + ρ t flits. Its bucket holds
/// σ tokens at first and gets ρ tokens per cycle, up to σ. A packet of F flits takes F tokens when it is released.
/// Source: R. L. Cruz, "A Calculus for Network Delay, Part I", 1991.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/core/packet.h"
#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/workload/parameters.h"
#include "weft/workload/payload.h"

namespace weft {

struct regulated_flow {
  std::string name;  ///< letters, digits and '_', a letter first
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 1;     ///< length of its packets, 1…MaxFlowFlits
  double rate = 0;             ///< ρ, flits per cycle, above 0 and at most 1
  std::uint32_t burst = 1;     ///< σ, flits, `flits`…MaxBurst
  unsigned message_class = 0;  ///< of its packets
  cycle_t start = 0;           ///< cycle of its first packet at the earliest
};

inline constexpr std::size_t MaxFlows = 1024;
inline constexpr std::uint32_t MaxFlowFlits = 4096;   ///< length of the longest packet
inline constexpr std::uint32_t MaxBurst = 1'000'000;  ///< flits

/// What a file of flows needs from its network.
struct flow_context {
  std::uint32_t nodes = 0;
  unsigned classes = 1;  ///< message classes of the network
};

/// Reads lines `name source destination flits rate burst [class [start]]`, separated by blanks. `#` starts a comment.
/// Class and start are 0 if they are left out.
/// \throws workload_error `name:line: …` for a malformed line, a value outside its range, a name that is used twice,
/// a text without flows or with more than MaxFlows
std::vector<regulated_flow> parse_flows(std::string_view text, const std::string& name, const flow_context& context);
std::vector<regulated_flow> read_flows(const std::filesystem::path& file, const flow_context& context);

/// The longest time, in cycles, in which an empty bucket fills, over all flows.
double longest_cycle(const std::vector<regulated_flow>& flows);

/// The tokens of a flow. The bucket is full in cycle `start`.
class token_bucket {
 public:
  explicit token_bucket(const regulated_flow& f);

  /// The first cycle, \p from or later, in which a packet may be released.
  cycle_t next_release(cycle_t from) const;
  /// Takes the tokens of a packet that is released in \p cycle, which next_release() permits.
  void release(cycle_t cycle);

 private:
  /// Tokens are multiples of 2^-32, so that the same flow has the same releases on every machine.
  static constexpr unsigned FractionBits = 32;

  std::uint64_t tokens_in(cycle_t cycle) const;

  std::uint64_t m_rate, m_burst, m_packet;
  std::uint64_t m_tokens;  ///< in cycle m_known
  cycle_t m_known;
};

/// Creates the packets of regulated flows. A packet is created when its flow releases it. Packets that several flows of
/// a node release in the same cycle are created in the order of the flows.
///
/// Packet i of flow f from node n has the id (i · flows + f) · nodes + n, as if the flows were traffics
/// (traffic_mix.h).
class flow_source final : public packet_source {
 public:
  /// \throws the errors of payload_generator
  flow_source(const std::vector<regulated_flow>& flows, const flow_parameters& parameters, std::uint32_t nodes,
              const payload_parameters& payload, std::uint64_t seed);

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    m_payload(p.id, sequence, payload_bits, words);
  }

 private:
  struct flow_state {
    regulated_flow what;
    token_bucket bucket;
    random_stream random;
    std::unique_ptr<const geometric_distribution>
        gap{};                ///< cycles between packets that reach the bucket; null: greedy
    cycle_t arrived = 0;      ///< when the next packet reaches the bucket
    cycle_t next = 0;         ///< release of the next packet
    std::uint64_t count = 0;  ///< packets released so far
  };
  /// The next packet of a flow. Earlier ones come first, and within a cycle those of earlier flows.
  struct release_time {
    cycle_t cycle;
    std::uint32_t flow;
    friend bool operator<(const release_time& a, const release_time& b) {
      return a.cycle != b.cycle ? a.cycle > b.cycle : a.flow > b.flow;
    }
  };

  std::uint32_t m_nodes;
  std::vector<flow_state> m_flows;
  std::vector<std::vector<release_time>> m_next;  ///< by node: a heap, the earliest first
  payload_generator m_payload;
};

}  // namespace weft
