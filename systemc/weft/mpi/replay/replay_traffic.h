// SPDX-License-Identifier: Apache-2.0
/// Replays an MPI program on a network. Each rank makes its calls in order, computes between them, and waits where MPI
/// makes it wait. docs/03_reference/replay.md defines the rules.
/// Each rank has its own time, which runs ahead of the time of the network. A rank pauses when it needs something from
/// the network, or when MostAhead of its messages wait for their time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/mpi/replay/collective_actions.h"
#include "weft/mpi/replay/collective_plans.h"
#include "weft/mpi/replay/packet_runs.h"
#include "weft/mpi/replay/replay_program.h"
#include "weft/workload/parameters.h"
#include "weft/workload/payload.h"

namespace weft {

/// A message of the program that has arrived at its receive.
struct replayed_message {
  std::uint32_t communicator, source, destination;
  std::int32_t tag;
  const replay_call& sent;
  const replay_call& received;
  cycle_t at;  ///< cycle from which on the receiver may continue
};

struct replay_options {
  std::vector<node_id> nodes;                       ///< node of each rank; no node occurs twice
  double cycles_per_nanosecond = 0;                 ///< cycles per nanosecond; 0: computation takes no time
  std::uint64_t eager_bytes = 4096;                 ///< longer messages and synchronous messages send a request first
  std::uint32_t packet_flits = 16;                  ///< maximum number of flits of a packet
  unsigned payload_bits = 64;                       ///< payload bits of a flit
  payload_parameters payload{};                     ///< payload of messages that were recorded without payload
  std::uint64_t seed = 1;                           ///< random seed of this payload
  std::vector<truncation_rule> truncation_rules{};  ///< rules for doubles; other messages follow the NICs' setting
  std::function<void(const replayed_message&)> arrived{};  ///< called for each message; may be null
  bool compresses = false;                                 ///< whether NICs compress; if so, saved flits are counted
  std::shared_ptr<const collective_plans> plans{};         ///< plans of collectives; null: the usual messages
  /// Order of messages in collectives without a plan. In the direct order, all their messages are eager.
  collective_order order = collective_order::Usual;
  bool is_dry_run = false;  ///< whether the replay has no network; see needs_direct_order()
};

/// Whether the calls of \p program would deadlock with \p options in the usual order of collectives but not in the
/// direct order. The result does not depend on the time that messages take. A deadlock is possible because in the
/// recorded run, the algorithms of the MPI library may have allowed a rank to end a collective before another rank
/// began it. The replay keeps the recorded order of receives from any source, of tests and of threads, which may then
/// contradict the usual order.
bool needs_direct_order(const replay_program& program, std::uint32_t nodes, replay_options options);

/// How a period of time was spent.
struct replay_path {
  cycle_t computing = 0;
  cycle_t network = 0;         ///< time from the start of a message until the operation that waits for it continues
  std::uint64_t messages = 0;  ///< number of messages in `network`
};

struct replay_rank_metrics {
  cycle_t computing = 0;
  cycle_t receiving = 0;       ///< cycles in which it waited for messages
  cycle_t sending = 0;         ///< cycles in which it waited until messages had departed
  std::optional<cycle_t> end;  ///< cycle in which it ended; empty if its last call is not complete
  std::uint64_t messages = 0;  ///< messages that it sent, including those of collectives
  std::uint64_t bytes = 0;
  std::uint64_t compressed = 0;   ///< number of `messages` with at least one compressed packet
  std::uint64_t flits = 0;        ///< flits of all its messages before compression
  std::uint64_t flits_saved = 0;  ///< number of flits that compression saved
};

class replay_traffic final : public packet_source, public network_observer {
 public:
  /// Prepares the replay. \p program must outlive this object.
  /// \throws std::invalid_argument if the nodes are not distinct, if there is not one node for each rank, and for
  /// options that are 0; workload_error for a payload file that cannot be read
  replay_traffic(const replay_program& program, std::uint32_t nodes, const replay_options& options);
  ~replay_traffic() override;

  /// Carries out a dry run, in which each message arrives as soon as it is sent. \return whether all ranks completed
  /// all calls
  bool dry_run();

  /// Connects to \p model, which uses this object as its source and observer. Call it before the first cycle of the
  /// model.
  void attach(network_model& model) { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  packet following(const packet& p) const override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

  bool needs_payload() const override { return m_options.compresses; }  ///< otherwise, nothing changes it
  network_events event_interest() const override;
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void injected(const flit_event& event, const header& head) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  collective_order order() const { return m_options.order; }  ///< order in collectives without a plan

  // State of the run
  /// Whether every rank has completed all its calls and all messages of a list have arrived.
  bool finished() const { return m_left == 0 && m_list_entries_left == 0; }
  bool at_rest() const { return m_runs_left == 0; }        ///< network empty, no packet will be created
  std::uint64_t under_way() const { return m_under_way; }  ///< number of packets in the network
  cycle_t next_creation() const;                           ///< earliest creation at any node
  std::uint64_t moves() const { return m_moves; }
  /// Returns a line for each rank that has not finished, which states what the rank waits for, and a line for each
  /// message without a receive, which names its sender. At most 20 lines; empty if the replay is complete.
  std::vector<std::string> unmatched() const;

  // Results
  const std::vector<replay_rank_metrics>& ranks() const { return m_metrics; }  ///< valid when all ranks have ended
  /// Returns the metrics of a program that is not complete in cycle \p now. For a rank with calls left, computing,
  /// receiving and sending add up to \p now. Ranks of a message list have no end.
  std::vector<replay_rank_metrics> ranks_until(cycle_t now) const;
  cycle_t makespan() const;   ///< latest end of the ranks that have ended
  cycle_t last_time() const;  ///< latest cycle that a rank can reach without the network
  /// Returns the critical path of the rank that ended last. Computing and network add up to the makespan.
  replay_path critical_path() const;
  std::uint64_t packets() const { return m_packets_made; }
  std::uint64_t flits() const { return m_flits; }            ///< flits of all packets before compression
  std::uint64_t data_bytes() const { return m_data_bytes; }  ///< bytes of the messages that have arrived
  /// Returns the number of flits whose payload was changed, as LSB-cut compression does.
  std::uint64_t changed_flits() const { return m_changed; }

 private:
  struct request;
  struct message;
  struct activity;
  struct list_entry;
  struct parts;
  enum class packet_kind : std::uint8_t { Data, Request, Clear };
  /// A message, its request or its clearance, which waits for its time. Within one cycle, the creations of a node are
  /// ordered by the calls of its rank, whatever the order in which they were scheduled.
  struct creation {
    cycle_t at;
    std::uint64_t order;  ///< position in the order of messages at this node
    message* of;
    packet_kind kind;
    bool ahead;  ///< whether a call of the rank created it, not an arrival from the network
    friend bool operator>(const creation& a, const creation& b) {
      return std::tie(a.at, a.order, a.kind) > std::tie(b.at, b.order, b.kind);
    }
  };
  /// Packets in the network that carry the data of a message, its request, or its clearance.
  struct packet_run {
    std::uint64_t first = 0;  ///< number of the first packet
    message* of = nullptr;    ///< null when all packets have arrived
    std::uint32_t left = 0;   ///< number of packets that have not arrived
    packet_kind kind = packet_kind::Data;
  };
  static constexpr std::uint32_t MostAhead = 64;  ///< waiting messages of a rank at which it pauses
  /// The properties that must match between a message and its receive.
  struct channel_key {
    std::uint32_t communicator = 0;
    std::uint32_t collective = 0;  ///< number of the collective in its communicator, from 1; 0 for other messages
    std::uint32_t from = 0, to = 0;
    std::int32_t tag = 0;  ///< tag; for a collective, the number of the message

    auto tied() const { return std::tie(communicator, collective, from, to, tag); }
    bool operator==(const channel_key& other) const { return tied() == other.tied(); }
    bool operator<(const channel_key& other) const { return tied() < other.tied(); }
  };
  struct channel_hash {
    std::size_t operator()(const channel_key& key) const;
  };
  /// Messages that wait for their counterpart, in FIFO order. Either all of them are sent, or all are awaited.
  struct channel {
    message* first = nullptr;
    message* last = nullptr;
  };

  void begun(const creation& made);
  void advance(activity& a);
  void spend_waiting(activity& a);
  bool run_actions(activity& a);
  void begin_call(activity& a);
  void begin_collective(activity& a, const replay_call& call);
  void end_of(activity& a);
  request* post_send(activity& a, const channel_key& key, const replay_call& call, std::uint64_t bytes,
                     std::uint64_t part_bytes, std::shared_ptr<const std::string> payload, std::uint64_t payload_at);
  void apply_truncation_rule(message& m, const message_attributes& about) const;
  request* post_receive(activity& a, const channel_key& key, const replay_call& call);
  message& match(const channel_key& key, bool sends);
  void both_there(message& m);
  std::uint32_t longest_packet(data_type type) const;
  std::uint64_t flits_of(const message& m) const;
  std::uint32_t flits_of(const packet_run& run, packet_id id) const;
  void content(const packet_run& run, packet_id id, std::uint32_t sequence, std::uint64_t* words) const;
  void begin_data(message& m, cycle_t at, bool ahead);
  void create(message& m, packet_kind kind, cycle_t at, bool ahead);
  std::uint64_t order_of(const activity& a) const;
  node_id source_of(packet_id id) const { return static_cast<node_id>(id & ((packet_id{1} << m_node_bits) - 1)); }
  const packet_run* find(packet_id id) const { return m_runs[source_of(id)].find(id >> m_node_bits); }
  std::uint64_t made_payload(std::uint32_t from, std::uint32_t to, std::uint32_t collective, std::uint32_t call) const;
  void begin_list();
  cycle_t computing_of(const listed_message& entry) const;
  cycle_t departure_of(std::uint32_t number) const;
  void end_early(replay_rank_metrics& own, const activity& a, cycle_t now) const;
  void send_list_entry(std::uint32_t number);
  void release(const std::vector<std::uint32_t>& waiting, cycle_t at, const replay_path& path);
  void listed_left(message& m, cycle_t at);
  void listed_arrived(message& m, cycle_t at);
  void finish(request* r, cycle_t at, const replay_path& path);
  void arrived(message& m, cycle_t at);
  void give_back_own(activity& a);
  const replay_call* call_to_come(std::uint32_t rank, const channel_key& key, std::size_t nth) const;
  std::string describe(const message& m, std::size_t nth) const;
  node_id node_of(std::uint32_t rank) const { return m_options.nodes[rank]; }

  const replay_program& m_program;
  const replay_options m_options;
  const payload_generator m_payload;  ///< payload for messages that were recorded without payload
  network_model* m_model = nullptr;

  std::unique_ptr<parts> m_parts;       ///< owns activities, messages and requests
  std::vector<activity*> m_activities;  ///< activity of each rank
  std::vector<std::priority_queue<creation, std::vector<creation>, std::greater<creation>>> m_creations;  ///< by node
  std::deque<creation> m_dry_run_creations;     ///< replaces m_creations in a dry run
  const unsigned m_node_bits;                   ///< number of low bits of a packet id that contain the node
  std::vector<packet_runs<packet_run>> m_runs;  ///< runs of packets in the network, by node
  std::uint64_t m_runs_left = 0;                ///< number of runs, including those that wait for their time
  std::vector<std::uint32_t> m_ahead;           ///< for each node, messages of the program that wait for their time
  std::vector<activity*> m_paused;              ///< for each node, the activity that continues when fewer messages wait
  std::unordered_map<channel_key, channel, channel_hash> m_channels;
  std::vector<std::unordered_map<std::uint32_t, request*>> m_requests;  ///< requests of the program, by rank
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>>
      m_collectives;  ///< collectives, by rank and communicator

  std::vector<list_entry> m_list_entries;  ///< states of the messages of a list
  std::size_t m_list_entries_left = 0;
  std::deque<std::uint32_t> m_to_send;  ///< messages of a list that are ready to be sent
  bool m_sending = false;
  cycle_t m_list_end = 0;
  replay_path m_list_path;

  std::vector<replay_rank_metrics> m_metrics;
  std::size_t m_left = 0;
  std::uint64_t m_packets_made = 0;
  std::uint64_t m_moves = 0;
  std::uint64_t m_under_way = 0;
  std::uint64_t m_flits = 0;
  std::uint64_t m_data_bytes = 0;
  std::uint64_t m_changed = 0;
};

}  // namespace weft
