// SPDX-License-Identifier: Apache-2.0
/// Replays an MPI program on a network: each rank does its calls in order, computes between them, and waits where MPI
/// makes it wait. docs/03_reference/replay.md has the rules.
///
/// Each rank has a time of its own, which runs ahead of the network's until something has to come from there, or so
/// many of its packets wait for their time that there is no hurry.
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
#include "weft/workload/parameters.h"
#include "weft/workload/payload.h"
#include "weft/workload/replay/collective_plans.h"
#include "weft/workload/replay/collective_steps.h"
#include "weft/workload/replay/packet_runs.h"
#include "weft/workload/replay/replay_program.h"

namespace weft {

/// A message of calls that has arrived where it is awaited.
struct replayed_message {
  std::uint32_t communicator, source, destination;
  std::int32_t tag;
  const replay_call& sent;
  const replay_call& received;
  cycle_t at;  ///< the receiver may go on from here on
};

struct replay_options {
  std::vector<node_id> nodes;        ///< of each rank; no node twice
  double cycles_per_nanosecond = 0;  ///< of computing; 0: none takes any time
  std::uint64_t eager_bytes = 4096;  ///< longer messages, and synchronous ones, ask before they send
  std::uint32_t packet_flits = 16;   ///< longest packet
  unsigned payload_bits = 64;        ///< of a flit
  payload_parameters payload{};      ///< of messages that were recorded without
  std::uint64_t seed = 1;            ///< of that
  std::vector<cut_rule> cuts{};      ///< of messages of doubles; those that none fits: as NICs are set
  std::function<void(const replayed_message&)> arrived{};  ///< is told of each, may be null
  bool compresses = false;                                 ///< whether NICs do, and what they save is to be counted
  std::shared_ptr<const collective_plans> plans{};         ///< of collectives; null: all as usual
  /// Of collectives without a plan. In the direct order all their messages are eager, too.
  collective_order order = collective_order::Usual;
  bool rehearses = false;  ///< there is no network: see needs_direct_order()
};

/// Whether calls of \p program would wait for each other forever with \p options in the usual order of collectives,
/// and do not in the direct one: what waits for what does not depend on the time that messages take. A recorded order,
/// of receives from any source, of tests or of threads, may be such that a rank ended a collective, by MPI's own
/// algorithm, before another one began it.
bool needs_direct_order(const replay_program& program, std::uint32_t nodes, replay_options options);

/// How a stretch of time was spent.
struct replay_path {
  cycle_t computing = 0;
  cycle_t network = 0;         ///< from the beginning of a message until what waited for it goes on
  std::uint64_t messages = 0;  ///< so many of these
};

struct replay_rank_figures {
  cycle_t computing = 0;
  cycle_t receiving = 0;       ///< waiting for messages
  cycle_t sending = 0;         ///< waiting until messages have gone
  std::optional<cycle_t> end;  ///< none: it has not done its last call
  std::uint64_t messages = 0;  ///< sent, those of collectives among them
  std::uint64_t bytes = 0;
  std::uint64_t compressed = 0;   ///< messages of those that left in code, some packets of theirs at least
  std::uint64_t flits = 0;        ///< of all that it sent, as they were created
  std::uint64_t flits_saved = 0;  ///< so many fewer left
};

class replay_traffic final : public packet_source, public network_observer {
 public:
  /// \p program outlives it. \throws std::invalid_argument for nodes that are not one for each rank, each once, and for
  /// options that are 0. \throws workload_error for a file of payload that cannot be read
  replay_traffic(const replay_program& program, std::uint32_t nodes, const replay_options& options);
  ~replay_traffic() override;

  /// Of one that rehearses: lets each message arrive as it is sent. \return whether all ranks did all their calls
  bool rehearse();

  /// Before the first cycle of \p model, whose source and observer this is.
  void attach(network_model& model) { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet take(node_id node) override;
  packet following(const packet& p) const override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;

  bool wants_payload() const override { return m_options.compresses; }  ///< else nothing changes it
  network_events wanted() const override;
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void injected(const flit_event& event, const header& head) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  collective_order order() const { return m_options.order; }  ///< of collectives without a plan

  // The state of the run.
  /// Every rank has done all its calls, and of a list all messages have arrived.
  bool finished() const { return m_left == 0 && m_listed_left == 0; }
  bool at_rest() const { return m_runs_left == 0; }        ///< nothing is in the network, nor will be
  std::uint64_t under_way() const { return m_under_way; }  ///< packets in the network
  cycle_t next_creation() const;                           ///< of any node
  std::uint64_t moves() const { return m_moves; }
  /// What each rank that has not finished waits for, and who sent what nobody received: a line each, 20 at most. Empty
  /// if all is well.
  std::vector<std::string> unmatched() const;

  // What was measured.
  const std::vector<replay_rank_figures>& ranks() const { return m_figures; }  ///< that have all ended
  /// Of a program that is not over in cycle \p now. Of a rank that has calls left, computing, receiving and sending are
  /// \p now together; no rank of a list has an end.
  std::vector<replay_rank_figures> ranks_until(cycle_t now) const;
  cycle_t makespan() const;   ///< of those that have ended
  cycle_t last_time() const;  ///< until which any of them goes on by itself
  /// Of the rank that ended last: computing and network add up to the makespan.
  replay_path critical_path() const;
  std::uint64_t packets() const { return m_packets_made; }
  std::uint64_t flits() const { return m_flits; }            ///< of all packets, as they were created
  std::uint64_t data_bytes() const { return m_data_bytes; }  ///< of messages that have arrived
  /// Flits whose payload arrived changed, as LSB-cut changes it.
  std::uint64_t changed_flits() const { return m_changed; }

 private:
  struct request;
  struct message;
  struct activity;
  struct listed;
  struct parts;
  enum class packet_kind : std::uint8_t { Data, Ask, Clear };
  /// A message that waits for its time, or what asks for it, or answers. In one cycle those of a node go in the order
  /// of the calls of its rank, in whatever order they were made.
  struct creation {
    cycle_t at;
    std::uint64_t order;  ///< of the message at this node
    message* of;
    packet_kind kind;
    bool ahead;  ///< made by the calls of the rank, not by what came from the network
    friend bool operator>(const creation& a, const creation& b) {
      return std::tie(a.at, a.order, a.kind) > std::tie(b.at, b.order, b.kind);
    }
  };
  /// Packets in the network: the data of a message, or what asks for it, or answers.
  struct packet_run {
    std::uint64_t first = 0;  ///< number of the first one
    message* of = nullptr;    ///< null: all have arrived
    std::uint32_t left = 0;   ///< so many have not
    packet_kind kind = packet_kind::Data;
  };
  static constexpr std::uint32_t MostAhead = 64;  ///< messages of a rank wait for their time until it waits, too
  /// What a message and its receive must have in common.
  struct channel_key {
    std::uint32_t communicator = 0;
    std::uint32_t collective = 0;  ///< its number in the communicator, from 1; 0: a message of the program
    std::uint32_t from = 0, to = 0;
    std::int32_t tag = 0;  ///< of a collective: the number of the message

    auto tied() const { return std::tie(communicator, collective, from, to, tag); }
    bool operator==(const channel_key& other) const { return tied() == other.tied(); }
    bool operator<(const channel_key& other) const { return tied() < other.tied(); }
  };
  struct channel_hash {
    std::size_t operator()(const channel_key& key) const;
  };
  /// Messages that wait for their other end, first come first: all of them sent, or all awaited.
  struct channel {
    message* first = nullptr;
    message* last = nullptr;
  };

  void begun(const creation& made);
  void advance(activity& a);
  void spend_waiting(activity& a);
  bool do_step(activity& a);
  void begin_call(activity& a);
  void begin_collective(activity& a, const replay_call& call);
  void end_of(activity& a);
  request* post_send(activity& a, const channel_key& key, const replay_call& call, std::uint64_t bytes,
                     std::uint64_t part_bytes, std::shared_ptr<const std::string> payload, std::uint64_t payload_at);
  void choose_cut(message& m, const cut_subject& about) const;
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
  cycle_t computing_of(const listed_message& asked) const;
  cycle_t departure_of(std::uint32_t number) const;
  void end_early(replay_rank_figures& own, const activity& a, cycle_t now) const;
  void send_listed(std::uint32_t number);
  void release(const std::vector<std::uint32_t>& waiting, cycle_t at, const replay_path& path);
  void listed_left(message& m, cycle_t at);
  void listed_arrived(message& m, cycle_t at);
  void finish(request* r, cycle_t at, const replay_path& path);
  void arrived(message& m, cycle_t at);
  void give_back_own(activity& a);
  const replay_call* call_to_come(std::uint32_t rank, const channel_key& key, std::size_t nth) const;
  std::string told(const message& m, std::size_t nth) const;
  node_id node_of(std::uint32_t rank) const { return m_options.nodes[rank]; }

  const replay_program& m_program;
  const replay_options m_options;
  const payload_generator m_payload;  ///< of messages that were recorded without
  network_model* m_model = nullptr;

  std::unique_ptr<parts> m_parts;       ///< where activities, messages and requests are
  std::vector<activity*> m_activities;  ///< of the ranks
  std::vector<std::priority_queue<creation, std::vector<creation>, std::greater<creation>>> m_creations;  ///< by node
  std::deque<creation> m_rehearsed;             ///< in place of these
  const unsigned m_node_bits;                   ///< of an identity; the number of the packet there is above
  std::vector<packet_runs<packet_run>> m_runs;  ///< of packets in the network, by node
  std::uint64_t m_runs_left = 0;                ///< those that wait for their time among them
  std::vector<std::uint32_t> m_ahead;           ///< messages of the program that wait for their time, by node
  std::vector<activity*> m_paused;              ///< by node: the rank that goes on when there are fewer
  std::unordered_map<channel_key, channel, channel_hash> m_channels;
  std::vector<std::unordered_map<std::uint32_t, request*>> m_requests;          ///< of the program, by rank
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> m_collectives;  ///< so many, by rank and communicator

  std::vector<listed> m_listed;  ///< of a list, by number
  std::size_t m_listed_left = 0;
  std::deque<std::uint32_t> m_to_send;  ///< of a list: they may go
  bool m_sending = false;
  cycle_t m_list_end = 0;
  replay_path m_list_path;

  std::vector<replay_rank_figures> m_figures;
  std::size_t m_left = 0;
  std::uint64_t m_packets_made = 0;
  std::uint64_t m_moves = 0;
  std::uint64_t m_under_way = 0;
  std::uint64_t m_flits = 0;
  std::uint64_t m_data_bytes = 0;
  std::uint64_t m_changed = 0;
};

}  // namespace weft
