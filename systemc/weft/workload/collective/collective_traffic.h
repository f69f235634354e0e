// SPDX-License-Identifier: Apache-2.0
/// Plays a collective on a network: sends each message as soon as its source has what is in it and the messages that it
/// waits for have arrived, keeps at every node what arrived, and checks at the end whether every node has what it
/// should.
///
/// - A message that may be sent by what reached its source in cycle c is created in c + 1; by a barrier, in c + 2; as
///   much later as a XOR takes, if the source does one for it.
/// - Of one node, messages that may be sent in the same cycle are created in the order of their numbers.
/// - A message that was lost counts as arrived for those that wait for it: the receiver knows that it should have come,
///   and sends when it has got the data otherwise.
/// - An XOR that the NIC takes apart has arrived when its tail has left the router; the data in it are there when the
///   decoder gives them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/workload/collective/collective.h"
#include "weft/workload/collective/node_memory.h"
#include "weft/workload/collective/xor_plan.h"
#include "weft/workload/parameters.h"
#include "weft/workload/payload.h"

namespace weft {

struct collective_options {
  bool barriers = false;  ///< no message of a step is sent before all those of earlier steps have arrived
  xor_unit coding = xor_unit::Node;
  cycle_t xor_cycles = 0;        ///< that an XOR takes at a node
  xor_parameters stages;         ///< of the NICs, with xor_unit::Nic
  unsigned classes = 1;          ///< of VCs: step s travels in class s mod classes
  double loss = 0;               ///< probability that a message is lost at its receiver, 0…1
  std::vector<message_id> lost;  ///< messages that are lost
  payload_parameters payload;    ///< what is in the data
  unsigned payload_bits = 64;    ///< of a flit
  std::uint64_t seed = 1;
};

/// What happened to the messages of one step, or of all.
struct collective_figures {
  std::uint64_t messages = 0;  ///< that have arrived
  std::uint64_t flits = 0;     ///< of them
  std::uint64_t hops = 0;      ///< channels between routers that they crossed
  cycle_t begin = Never;       ///< the first was created; Never if none was
  cycle_t end = 0;             ///< the last has arrived
  cycle_t latency_sum = 0;     ///< from creation to arrival
  cycle_t max_latency = 0;
};

struct xor_figures {
  std::uint64_t made = 0;        ///< XORs of two packets, by nodes and NICs
  std::uint64_t sent_on = 0;     ///< XORs sent on as they came
  std::uint64_t decoded = 0;     ///< data taken out of XORs, by nodes and NICs
  std::uint64_t redundant = 0;   ///< XORs with nothing new that a node saw
  std::size_t most_waiting = 0;  ///< XORs that one node kept at once, not taken apart
};

class collective_traffic final : public packet_source, public network_observer {
 public:
  /// \p c outlives it. \throws std::invalid_argument for what XOR stages cannot do, and for lost messages that do not
  /// exist; workload_error for payload files
  collective_traffic(const collective& c, const collective_options& options);

  /// Before the first cycle of \p model, whose source and observer this is.
  void attach(network_model& model) { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet take(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

  network_events wanted() const override {
    return {network_event::Injected, network_event::Ejected, network_event::Received, network_event::Delivered};
  }
  void injected(const flit_event& event, const header& head) override;
  void ejected(const flit_event& event, const std::uint64_t* payload) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  // The state of the run.
  bool finished() const;                               ///< all messages have arrived, every node has its data
  std::uint64_t arrived() const { return m_arrived; }  ///< messages, lost ones among them
  /// Messages that were created and have not arrived.
  std::uint64_t under_way() const { return m_created - m_arrived; }
  /// Nothing is under way nor will be. Not known, and false, while a NIC may hold something back.
  bool at_rest() const { return m_options.coding == xor_unit::Node && under_way() == 0 && m_queued == 0; }
  std::uint64_t moves() const { return m_moves; }  ///< flits seen at the border of the network, so far
  /// The first fault: an overflow, or data that contradict each other. Empty if there is none.
  std::string error() const { return m_error ? m_error->text : std::string(); }
  bool overflowed() const { return m_error && m_error->overflow; }

  /// What every node lacks of what it should have, and why: a line for each datum, in order of the nodes. Empty if all
  /// is well. Compares every word.
  std::vector<std::string> verify() const;

  // What was measured.
  cycle_t end() const { return m_end; }  ///< the last tail reached its node
  const std::vector<collective_figures>& steps() const { return m_steps; }
  collective_figures total() const;
  xor_figures xors() const;
  std::vector<message_id> lost() const;
  const std::vector<std::uint64_t>& sent_flits() const { return m_sent_flits; }          ///< by each NIC
  const std::vector<std::uint64_t>& received_flits() const { return m_received_flits; }  ///< by each NIC

 private:
  using creation = std::pair<cycle_t, message_id>;
  struct message_state {
    std::uint32_t missing = 0;        ///< messages, and a barrier, that have not come yet
    std::uint32_t flits_to_come = 0;  ///< of an XOR for the NIC: on their way to it
    cycle_t created = Never;
    const std::uint64_t* words = nullptr;  ///< payload; of an XOR made by a NIC, that of the second packet
    bool delivered = false;                ///< a packet of it reached the node
    bool lost = false;
  };
  struct node_state {
    std::priority_queue<creation, std::vector<creation>, std::greater<creation>> creations;
    std::vector<message_id> blocked;  ///< nothing to wait for, but something in them is not there
    std::optional<packet> second;     ///< of an XOR by the NIC, whose first part has been taken
    std::optional<xor_datum> held;    ///< by the XOR encoder, as the header says that came with it
  };
  struct fault {
    cycle_t cycle;
    node_id node;
    bool overflow;  ///< of an XOR decoder
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

  bool learn(const packet& p, std::vector<std::uint64_t> words);
  bool learn_joined(message_id m, const std::vector<std::uint64_t>& words);
  void arrive(message_id m, cycle_t cycle);
  void open_steps(cycle_t cycle);
  void one_less_missing(message_id m, cycle_t cycle);
  void may_go(message_id m, cycle_t at);
  void look_at_blocked(node_id node, cycle_t cycle);
  void note_fault(fault f);

  void verify_sum(const collective_goal& goal, std::vector<std::string>& lines) const;
  std::string why_missing(node_id node, datum_id d) const;
  std::string why_not_sent(message_id m) const;

  std::vector<datum_id> operands(message_id m) const {
    return {m_collective.operands_begin(m), m_collective.operands_end(m)};
  }
  std::size_t words_in(message_id m) const { return std::size_t{m_collective.flits(m)} * m_words_per_flit; }

  const collective& m_collective;
  const collective_options m_options;
  const unsigned m_words_per_flit;  ///< of 64 bits
  const xor_plan m_plan;
  network_model* m_model = nullptr;

  word_pool m_pool;
  data_type m_type = data_type::Other;
  std::vector<const std::uint64_t*> m_original;  ///< words of each datum as its owner has it
  std::vector<node_memory> m_memory;
  std::vector<node_state> m_nodes;
  std::vector<message_state> m_messages;
  std::vector<std::size_t> m_first_follower;  ///< of message m in m_followers: those that wait for it
  std::vector<message_id> m_followers;
  std::vector<message_id> m_next_xor;  ///< of an XOR made by a NIC: the next one by the same NIC
  std::unordered_map<message_id, std::vector<std::uint64_t>> m_made;  ///< payloads that are no datum, until they arrive
  std::unordered_map<packet_id, std::vector<std::uint64_t>> m_arriving;  ///< words so far

  std::vector<std::vector<message_id>> m_of_step;  ///< with barriers: the messages of each step
  std::vector<std::uint64_t> m_step_left;          ///< messages of each step that have not arrived
  std::size_t m_open_step = 0;                     ///< with barriers: the last step whose messages may be sent
  cycle_t m_opens = 0;                             ///< from this cycle on

  std::uint64_t m_created = 0;
  std::uint64_t m_arrived = 0;
  std::uint64_t m_queued = 0;  ///< messages that may be sent and have not been created
  std::uint64_t m_moves = 0;
  std::uint64_t m_xors_made = 0;
  std::uint64_t m_sent_on = 0;
  std::uint64_t m_decoded_by_nics = 0;
  cycle_t m_end = 0;
  std::vector<collective_figures> m_steps;
  std::vector<std::uint64_t> m_sent_flits;
  std::vector<std::uint64_t> m_received_flits;
  std::optional<fault> m_error;
};

}  // namespace weft
