// SPDX-License-Identifier: Apache-2.0
/// Replays an MPI program on a network: each rank makes its calls in order, computes between them, and waits where MPI
/// makes it wait. docs/03_reference/replay.md defines the rules.
/// Each rank has its own time, which runs ahead of the network's until the rank needs something from the network, or
/// until so many of its packets wait for their time that more are not needed yet.
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

/// A message of program calls that has arrived at its receive.
struct replayed_message {
  std::uint32_t communicator, source, destination;
  std::int32_t tag;
  const replay_call& sent;
  const replay_call& received;
  cycle_t at;  ///< cycle from which the receiver may continue
};

struct replay_options {
  std::vector<node_id> nodes;                       ///< for each rank; no node twice
  double cycles_per_nanosecond = 0;                 ///< of computation; 0: computation takes no time
  std::uint64_t eager_bytes = 4096;                 ///< longer messages and synchronous ones send a request first
  std::uint32_t packet_flits = 16;                  ///< longest packet
  unsigned payload_bits = 64;                       ///< of a flit
  payload_parameters payload{};                     ///< payload of messages recorded without payload
  std::uint64_t seed = 1;                           ///< random seed of that payload
  std::vector<truncation_rule> truncation_rules{};  ///< for messages of doubles; others follow the NICs' setting
  std::function<void(const replayed_message&)> arrived{};  ///< called for each message; may be null
  bool compresses = false;                                 ///< whether NICs compress, and flits saved are counted
  std::shared_ptr<const collective_plans> plans{};         ///< of collectives; null: the usual messages
  /// Order of collectives without a plan. In the direct order, all their messages are eager as well.
  collective_order order = collective_order::Usual;
  bool is_dry_run = false;  ///< replays without a network: see needs_direct_order()
};

/// Whether the calls of \p program would deadlock with \p options in the usual order of collectives but not in the
/// direct order. The dependencies do not depend on the time that messages take. A deadlock is possible because in the
/// recorded order of receives from any source, of tests or of threads, a rank may have ended a collective, by the
/// algorithm of its MPI library, before another rank began it.
bool needs_direct_order(const replay_program& program, std::uint32_t nodes, replay_options options);

/// How a period of time was spent.
struct replay_path {
  cycle_t computing = 0;
  cycle_t network = 0;         ///< from the start of a message until the operation that waits for it continues
  std::uint64_t messages = 0;  ///< number of these messages
};

struct replay_rank_metrics {
  cycle_t computing = 0;
  cycle_t receiving = 0;       ///< cycles waiting for messages
  cycle_t sending = 0;         ///< cycles waiting until messages have departed
  std::optional<cycle_t> end;  ///< nothing: its last call is not complete
  std::uint64_t messages = 0;  ///< messages sent, including those of collectives
  std::uint64_t bytes = 0;
  std::uint64_t compressed = 0;   ///< those of `messages` with at least one compressed packet
  std::uint64_t flits = 0;        ///< flits of all that it sent, before compression
  std::uint64_t flits_saved = 0;  ///< flits removed by compression
};

class replay_traffic final : public packet_source, public network_observer {
 public:
  /// \p program must outlive it. \throws std::invalid_argument if the nodes are not distinct or not one for each rank,
  /// and for options that are 0; workload_error for a payload file that cannot be read
  replay_traffic(const replay_program& program, std::uint32_t nodes, const replay_options& options);
  ~replay_traffic() override;

  /// For a dry run: lets each message arrive as soon as it is sent. \return whether all ranks completed all calls
  bool dry_run();

  /// Call before the first cycle of \p model, which uses this as its source and observer.
  void attach(network_model& model) { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  packet following(const packet& p) const override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

  bool needs_payload() const override { return m_options.compresses; }  ///< otherwise nothing changes it
  network_events event_interest() const override;
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void injected(const flit_event& event, const header& head) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  collective_order order() const { return m_options.order; }  ///< for collectives without a plan

  // State of the run
  /// Every rank has completed all its calls, and all messages of a list have arrived.
  bool finished() const { return m_left == 0 && m_list_entries_left == 0; }
  bool at_rest() const { return m_runs_left == 0; }        ///< the network is empty and no packet will be created
  std::uint64_t under_way() const { return m_under_way; }  ///< packets in the network
  cycle_t next_creation() const;                           ///< earliest over all nodes
  std::uint64_t moves() const { return m_moves; }
  /// For each rank that has not finished, what it waits for, and for each unreceived message, its sender: at most 20
  /// lines. Empty if the replay is complete.
  std::vector<std::string> unmatched() const;

  // Results
  const std::vector<replay_rank_metrics>& ranks() const { return m_metrics; }  ///< valid when all ranks have ended
  /// Metrics of a program that is not complete in cycle \p now. For a rank with calls left, computing, receiving and
  /// sending add up to \p now; no rank of a list has an end.
  std::vector<replay_rank_metrics> ranks_until(cycle_t now) const;
  cycle_t makespan() const;   ///< over the ranks that have ended
  cycle_t last_time() const;  ///< latest cycle until which any rank continues without the network
  /// Critical path of the rank that ended last: computing and network add up to the makespan.
  replay_path critical_path() const;
  std::uint64_t packets() const { return m_packets_made; }
  std::uint64_t flits() const { return m_flits; }            ///< of all packets, before compression
  std::uint64_t data_bytes() const { return m_data_bytes; }  ///< of messages that have arrived
  /// Flits whose payload arrived changed, as with LSB-cut compression.
  std::uint64_t changed_flits() const { return m_changed; }

 private:
  struct request;
  struct message;
  struct activity;
  struct list_entry;
  struct parts;
  enum class packet_kind : std::uint8_t { Data, Request, Clear };
  /// A message that waits for its time, its request, or its clearance. In one cycle, those of a node are ordered by the
  /// calls of its rank, in whatever order they were created.
  struct creation {
    cycle_t at;
    std::uint64_t order;  ///< in the order of messages at this node
    message* of;
    packet_kind kind;
    bool ahead;  ///< created by the calls of the rank, not by an arrival from the network
    friend bool operator>(const creation& a, const creation& b) {
      return std::tie(a.at, a.order, a.kind) > std::tie(b.at, b.order, b.kind);
    }
  };
  /// Packets in the network: the data of a message, its request, or its clearance.
  struct packet_run {
    std::uint64_t first = 0;  ///< number of the first packet
    message* of = nullptr;    ///< null: all have arrived
    std::uint32_t left = 0;   ///< packets that have not arrived
    packet_kind kind = packet_kind::Data;
  };
  static constexpr std::uint32_t MostAhead = 64;  ///< messages of a rank that may wait before the rank waits
  /// The properties that must match between a message and its receive.
  struct channel_key {
    std::uint32_t communicator = 0;
    std::uint32_t collective = 0;  ///< number in the communicator, from 1; 0: a message of the program
    std::uint32_t from = 0, to = 0;
    std::int32_t tag = 0;  ///< for a collective: the number of the message

    auto tied() const { return std::tie(communicator, collective, from, to, tag); }
    bool operator==(const channel_key& other) const { return tied() == other.tied(); }
    bool operator<(const channel_key& other) const { return tied() < other.tied(); }
  };
  struct channel_hash {
    std::size_t operator()(const channel_key& key) const;
  };
  /// Messages that wait for their counterpart, in FIFO order: all of them sent, or all awaited.
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
  const payload_generator m_payload;  ///< for messages recorded without payload
  network_model* m_model = nullptr;

  std::unique_ptr<parts> m_parts;       ///< owns activities, messages and requests
  std::vector<activity*> m_activities;  ///< of the ranks
  std::vector<std::priority_queue<creation, std::vector<creation>, std::greater<creation>>> m_creations;  ///< by node
  std::deque<creation> m_dry_run_creations;     ///< replaces m_creations in a dry run
  const unsigned m_node_bits;                   ///< node bits of a packet id; the upper bits are the number there
  std::vector<packet_runs<packet_run>> m_runs;  ///< of packets in the network, by node
  std::uint64_t m_runs_left = 0;                ///< including those that wait for their time
  std::vector<std::uint32_t> m_ahead;           ///< by node, messages of the program that wait for their time
  std::vector<activity*> m_paused;              ///< by node, the rank that continues when fewer messages wait
  std::unordered_map<channel_key, channel, channel_hash> m_channels;
  std::vector<std::unordered_map<std::uint32_t, request*>> m_requests;          ///< of the program, by rank
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> m_collectives;  ///< count by rank and communicator

  std::vector<list_entry> m_list_entries;  ///< for a message list, by number
  std::size_t m_list_entries_left = 0;
  std::deque<std::uint32_t> m_to_send;  ///< for a message list: messages that are ready to be sent
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
