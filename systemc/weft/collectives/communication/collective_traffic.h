// SPDX-License-Identifier: Apache-2.0
/// Runs a collective on a network. It sends each message as soon as its source has the contents and all messages for
/// which it waits have arrived. It stores what arrives at every node, and checks at the end whether every node has the
/// required data.
///
/// - A message that an arrival in cycle c makes ready is created in cycle c + 1. A message that a barrier makes ready
/// is created in cycle c + 2. If the source makes an XOR for the message, the message is created later by the time of
/// an XOR.
/// - Messages of one node that become ready in the same cycle are created in the order of their numbers.
/// - Other messages treat a lost message as arrived. Its receiver sends when it has the data from other messages.
/// - An XOR that the NIC decodes has arrived when its tail has left the router. Its data are available when the decoder
/// outputs them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/communication/node_memory.h"
#include "weft/collectives/communication/xor_plan.h"
#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/workload/parameters.h"
#include "weft/workload/payload.h"

namespace weft {

struct collective_options {
  bool barriers = false;  ///< whether a step begins only after all messages of earlier steps have arrived
  xor_unit coding = xor_unit::Node;
  cycle_t xor_cycles = 0;        ///< cycles that a node needs for an XOR
  xor_parameters stages;         ///< parameters of the XOR stages of the NICs, for xor_unit::Nic
  unsigned classes = 1;          ///< number of VC classes: step s uses class s mod classes
  double loss = 0;               ///< probability that a message is lost at its receiver, 0…1
  std::vector<message_id> lost;  ///< messages that are always lost
  payload_parameters payload;    ///< contents of the data
  unsigned payload_bits = 64;    ///< payload bits of a flit
  std::uint64_t seed = 1;
};

/// Metrics of the messages of one step, or of all messages.
struct collective_metrics {
  std::uint64_t messages = 0;  ///< messages that have arrived
  std::uint64_t flits = 0;     ///< flits of these messages
  std::uint64_t hops = 0;      ///< channels between routers that these messages crossed
  cycle_t begin = Never;       ///< creation of the first message; Never if there is none
  cycle_t end = 0;             ///< arrival of the last message
  cycle_t latency_sum = 0;     ///< sum of the times from creation to arrival
  cycle_t max_latency = 0;
};

struct xor_metrics {
  std::uint64_t made = 0;        ///< XORs of two packets that nodes and NICs made
  std::uint64_t sent_on = 0;     ///< XORs forwarded unchanged
  std::uint64_t decoded = 0;     ///< data that nodes and NICs decoded from XORs
  std::uint64_t redundant = 0;   ///< XORs that contained nothing new for the receiving node
  std::size_t most_waiting = 0;  ///< maximum number of undecoded XORs stored at a node
};

class collective_traffic final : public packet_source, public network_observer {
 public:
  /// Prepares the run. \p c must outlive this object.
  /// \throws std::invalid_argument for a collective that the XOR stages do not support, and for lost messages that do
  /// not exist; workload_error for payload files
  collective_traffic(const collective& c, const collective_options& options);

  /// Connects to \p model, which uses this object as its source and observer. Call it before the first cycle of the
  /// model.
  void attach(network_model& model) { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

  network_events event_interest() const override {
    return {network_event::Injected, network_event::Ejected, network_event::Received, network_event::Delivered};
  }
  void injected(const flit_event& event, const header& head) override;
  void ejected(const flit_event& event, const std::uint64_t* payload) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  // State of the run
  bool finished() const;                               ///< all messages have arrived, and every node has its data
  std::uint64_t arrived() const { return m_arrived; }  ///< number of messages that have arrived, including lost ones
  /// Returns the number of messages that have been created but have not arrived.
  std::uint64_t under_way() const { return m_created - m_arrived; }
  /// Whether nothing is in flight and nothing more will be created. Always false with xor_unit::Nic, because a NIC may
  /// hold data back.
  bool at_rest() const { return m_options.coding == xor_unit::Node && under_way() == 0 && m_queued == 0; }
  std::uint64_t moves() const { return m_moves; }  ///< flits observed at the border of the network so far
  /// Returns the message of the first violation: an overflow, or data that contradict each other. Empty if there is
  /// none.
  std::string error() const { return m_error ? m_error->text : std::string(); }
  bool overflowed() const { return m_error && m_error->overflow; }

  /// Checks the contents of all nodes word by word. Returns a line of text for each required datum that a node lacks,
  /// with the reason, in the order of nodes. Empty if nothing is missing.
  std::vector<std::string> verify() const;

  // Results
  cycle_t end() const { return m_end; }  ///< cycle in which the last tail arrived
  const std::vector<collective_metrics>& steps() const { return m_steps; }
  collective_metrics total() const;
  xor_metrics xors() const;
  std::vector<message_id> lost() const;
  const std::vector<std::uint64_t>& sent_flits() const { return m_sent_flits; }          ///< by each NIC
  const std::vector<std::uint64_t>& received_flits() const { return m_received_flits; }  ///< by each NIC

 private:
  using creation = std::pair<cycle_t, message_id>;
  struct message_state {
    std::uint32_t missing = 0;        ///< messages for which it still waits, plus one for a pending barrier
    std::uint32_t flits_to_come = 0;  ///< for an XOR that the NIC decodes: flits that have not arrived
    cycle_t created = Never;
    const std::uint64_t* words = nullptr;  ///< its payload; for an XOR made by a NIC, the payload of the second packet
    bool delivered = false;                ///< whether one of its packets has reached the node
    bool lost = false;
  };
  struct node_state {
    std::priority_queue<creation, std::vector<creation>, std::greater<creation>> creations;
    std::vector<message_id> blocked;  ///< messages that wait for no other message but lack some of their contents
    std::optional<packet> second;     ///< second packet of an XOR that the NIC makes, after the first has been taken
    std::optional<xor_datum> held;    ///< datum that the XOR encoder holds, as in the header that came with it
  };
  struct violation {
    cycle_t cycle;
    node_id node;
    bool overflow;  ///< whether it is an overflow of an XOR decoder
    std::string text;
  };

  void give_data();
  void draw_losses();
  void find_followers();
  void find_next_xors();

  packet packet_of(message_id m) const;
  packet join_in_nic(packet coded);
  xor_datum named(datum_id d, unsigned uses) const;
  bool makes_xor(message_id m) const;
  bool encoded_by_nic(message_id m) const { return m_plan.by_nic[m] && m_plan.copy_of[m] == NoMessage; }
  bool can_make(message_id m) const;
  const std::uint64_t* make(message_id m);

  bool store(const packet& p, std::vector<std::uint64_t> words);
  bool store_joined(message_id m, const std::vector<std::uint64_t>& words);
  void arrive(message_id m, cycle_t cycle);
  void open_steps(cycle_t cycle);
  void one_less_missing(message_id m, cycle_t cycle);
  void may_go(message_id m, cycle_t at);
  void update_blocked(node_id node, cycle_t cycle);
  void note_violation(violation f);

  void verify_sum(const collective_goal& goal, std::vector<std::string>& lines) const;
  std::string why_missing(node_id node, datum_id d) const;
  std::string why_not_sent(message_id m) const;

  std::vector<datum_id> operands(message_id m) const {
    return {m_collective.operands_begin(m), m_collective.operands_end(m)};
  }
  std::size_t words_in(message_id m) const { return std::size_t{m_collective.flits(m)} * m_words_per_flit; }

  const collective& m_collective;
  const collective_options m_options;
  const unsigned m_words_per_flit;  ///< number of 64-bit words of a flit
  const xor_plan m_plan;
  network_model* m_model = nullptr;

  word_pool m_pool;
  data_type m_type = data_type::Other;
  std::vector<const std::uint64_t*> m_original;  ///< the words of each datum, as its owner has them
  std::vector<node_memory> m_memory;
  std::vector<node_state> m_nodes;
  std::vector<message_state> m_messages;
  std::vector<std::size_t> m_first_follower;  ///< for each message, the start of its dependents in m_followers
  std::vector<message_id> m_followers;
  std::vector<message_id> m_next_xor;  ///< for an XOR made by a NIC, the next XOR by the same NIC
  std::unordered_map<message_id, std::vector<std::uint64_t>> m_made;     ///< payloads other than data, in flight
  std::unordered_map<packet_id, std::vector<std::uint64_t>> m_arriving;  ///< words received so far

  std::vector<std::vector<message_id>> m_of_step;  ///< messages of each step, if there are barriers
  std::vector<std::uint64_t> m_step_left;          ///< messages of each step that have not arrived
  std::size_t m_open_step = 0;                     ///< last step whose messages may be sent, if there are barriers
  cycle_t m_opens = 0;                             ///< first cycle in which the messages of this step may be sent

  std::uint64_t m_created = 0;
  std::uint64_t m_arrived = 0;
  std::uint64_t m_queued = 0;  ///< messages that are ready but not created yet
  std::uint64_t m_moves = 0;
  std::uint64_t m_xors_made = 0;
  std::uint64_t m_sent_on = 0;
  std::uint64_t m_decoded_by_nics = 0;
  cycle_t m_end = 0;
  std::vector<collective_metrics> m_steps;
  std::vector<std::uint64_t> m_sent_flits;
  std::vector<std::uint64_t> m_received_flits;
  std::optional<violation> m_error;
};

}  // namespace weft
