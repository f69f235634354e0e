// SPDX-License-Identifier: Apache-2.0
/// Invariants of every replay, in random programs. Programs that cannot deadlock end, lose nothing, keep the order of
/// each pair, and are no faster than a network without contention. Programs that must deadlock report which rank waits
/// in which call. WEFT_SEED repeats a run.
#include "support/urgent_checker.h"
#include "system/replay_support.h"
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

using namespace weft;
using namespace weft::replay_support;

namespace {

/// Calls of all ranks in one global order. A rank waits only for calls earlier in that order, so the program ends
/// even if every call blocks. Also holds each rank's earliest times in a network without contention.
class random_program {
 public:
  struct shape {
    std::uint32_t ranks = 2, messages = 0;
    bool collectives = false, requests = true, rendezvous = true;
    std::uint32_t left_out = ~0U;  ///< the message that is not received
  };

  explicit random_program(const shape& s, const replay_options& o)
      : m_shape(s),
        m_options(o),
        m_writer(s.ranks),
        m_last(s.ranks, 0),
        m_open(s.ranks),
        m_time(s.ranks, 0),
        m_ends(s.ranks, 0) {}

  void add_messages() {
    for (std::uint32_t m = 0; m < m_shape.messages; ++m) {
      if (m_shape.collectives && *rc::gen::inRange(0, 5) == 0) add_collective();
      add_message(m == m_shape.left_out);
    }
  }
  void end() {
    for (std::uint32_t r = 0; r < m_shape.ranks; ++r) {
      m_writer.wait(r, m_open[r]);
      m_time[r] = std::max(m_time[r], m_ends[r]);
    }
  }

  program_writer& writer() { return m_writer; }
  const replay_program& program() const { return m_writer.program(); }
  /// The earliest end of rank \p r.
  cycle_t earliest_end(std::uint32_t r) const { return m_time[r]; }
  /// Sender, receiver and tag of the message that is left out.
  std::tuple<std::uint32_t, std::uint32_t, int> left_out() const { return m_left_out; }

 private:
  cycle_t compute(replay_call& call, std::uint32_t rank) {
    call.computing = *rc::gen::inRange<std::uint64_t>(0, 300);
    m_time[rank] +=
        static_cast<cycle_t>(std::llround(static_cast<double>(call.computing) * m_options.cycles_per_nanosecond));
    return m_time[rank];
  }

  void add_message(bool is_left_out) {
    const auto from = *rc::gen::inRange<std::uint32_t>(0, m_shape.ranks);
    const auto to = (from + *rc::gen::inRange<std::uint32_t>(1, m_shape.ranks)) % m_shape.ranks;
    const auto tag = *rc::gen::inRange<int>(0, 2);
    replay_call& s = m_writer.send(from, to, *rc::gen::element<std::uint64_t>(0, 1, 8, 200, 5000), tag);
    if (m_shape.rendezvous)
      s.mode = *rc::gen::element(send_mode::Standard, send_mode::Synchronous, send_mode::Ready, send_mode::Buffered);
    const bool sends_on = m_shape.requests && *rc::gen::inRange(0, 2) == 1;
    if (sends_on) open(from, s);
    const send_mode mode = s.mode;
    const std::uint64_t bytes = s.bytes;
    const cycle_t sent = compute(s, from);
    if (is_left_out) {
      m_left_out = {from, to, tag};
      return;
    }
    replay_call& r = m_writer.receive(to, from, tag);
    const bool receives_on = m_shape.requests && *rc::gen::inRange(0, 2) == 1;
    if (receives_on) open(to, r);
    account(from, to, bytes, mode, sent, compute(r, to), sends_on, receives_on);
  }

  void open(std::uint32_t rank, replay_call& call) {
    call.request = ++m_last[rank];
    m_open[rank].push_back(call.request);
  }

  /// The earliest end of a message at both ends. Its flits leave one per cycle.
  void account(std::uint32_t from, std::uint32_t to, std::uint64_t bytes, send_mode mode, cycle_t sent, cycle_t awaited,
               bool sends_on, bool receives_on) {
    const bool eager = mode == send_mode::Ready || mode == send_mode::Buffered ||
                       (mode == send_mode::Standard && bytes <= m_options.eager_bytes);
    cycle_t begins = sent, gone = sent;
    if (!eager) {
      const cycle_t requested = sent + alone(m_options, from, to, 1) + 1;
      begins = std::max(requested, awaited) + alone(m_options, to, from, 1) + 1;
      gone = begins + 1;
    }
    const auto flits = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, (bytes + 7) / 8));
    const std::uint32_t last = (flits - 1) % m_options.packet_flits + 1;
    const cycle_t here = begins + (flits - last) + alone(m_options, from, to, last) + 1;
    cycle_t& at_sender = sends_on ? m_ends[from] : m_time[from];
    at_sender = std::max(at_sender, gone);
    cycle_t& at_receiver = receives_on ? m_ends[to] : m_time[to];
    at_receiver = std::max(at_receiver, here);
  }

  /// A barrier or all-reduce of all ranks; no rank leaves it before all have entered.
  void add_collective() {
    const mpi_function f = *rc::gen::element(mpi_function::Barrier, mpi_function::Bcast, mpi_function::Allreduce,
                                             mpi_function::Alltoall, mpi_function::Gather, mpi_function::Scan);
    const bool goes_on = m_shape.requests && *rc::gen::inRange(0, 3) == 0;
    replay_collective c;
    c.root = *rc::gen::inRange<std::int64_t>(0, m_shape.ranks);
    c.send_bytes = c.receive_bytes = f == mpi_function::Barrier ? 0 : *rc::gen::element<std::uint64_t>(8, 100, 12'000);
    cycle_t all = 0;
    for (std::uint32_t r = 0; r < m_shape.ranks; ++r) {
      replay_call& call = m_writer.collective(r, f, c);
      if (goes_on) open(r, call);
      all = std::max(all, compute(call, r));
    }
    if (f != mpi_function::Barrier && f != mpi_function::Allreduce && f != mpi_function::Alltoall) return;
    for (std::uint32_t r = 0; r < m_shape.ranks; ++r) {
      cycle_t& at = goes_on ? m_ends[r] : m_time[r];
      at = std::max(at, all);
    }
  }

  const shape m_shape;
  const replay_options& m_options;
  program_writer m_writer;
  std::vector<std::uint32_t> m_last;               ///< last request of each rank
  std::vector<std::vector<std::uint32_t>> m_open;  ///< requests that the end waits for
  std::vector<cycle_t> m_time, m_ends;             ///< earliest times of its calls, and of the ends of its requests
  std::tuple<std::uint32_t, std::uint32_t, int> m_left_out;
};

random_program::shape random_shape(std::uint32_t most_messages) {
  random_program::shape s;
  s.ranks = *rc::gen::inRange<std::uint32_t>(2, 9);
  s.messages = *rc::gen::inRange<std::uint32_t>(1, most_messages);
  return s;
}

replay_options random_options(std::uint32_t ranks) {
  replay_options o;
  for (node_id n = 0; n < ranks; ++n) o.nodes.push_back((n * 5) % 16);
  o.cycles_per_nanosecond = *rc::gen::element(0.0, 0.5, 3.0);
  o.packet_flits = *rc::gen::inRange<std::uint32_t>(1, 20);
  o.eager_bytes = *rc::gen::element<std::uint64_t>(0, 100, 10'000);
  return o;
}

RC_GTEST_PROP(system_replay_invariants, programs_lose_no_message_and_are_no_faster_than_their_paths, ()) {
  random_program::shape s = random_shape(40);
  s.collectives = *rc::gen::inRange(0, 2) == 1;
  const replay_options o = random_options(s.ranks);
  random_program made(s, o);
  made.add_messages();
  made.end();
  const played p = play(made.program(), o);
  RC_ASSERT(p.finished);
  RC_ASSERT(p.unmatched.empty());
  RC_ASSERT(p.bytes == p.sent_bytes);
  RC_ASSERT(p.changed == 0u);
  RC_ASSERT(p.path.computing + p.path.network == p.makespan);
  for (std::uint32_t r = 0; r < s.ranks; ++r) {
    const replay_rank_metrics& f = p.ranks[r];
    RC_ASSERT(f.computing + f.receiving + f.sending == f.end);
    RC_ASSERT(f.end >= made.earliest_end(r));
    RC_ASSERT(p.makespan >= f.end);
  }
}

RC_GTEST_PROP(system_replay_invariants, control_messages_wait_for_at_most_one_data_packet, ()) {
  const random_program::shape s = random_shape(40);
  const replay_options o = random_options(s.ranks);
  random_program made(s, o);
  made.add_messages();
  made.end();
  std::uint64_t request_count = 0;
  for (const replay_rank& rank : made.program().ranks)
    for (const replay_call& call : rank.calls)
      request_count +=
          call.kind == call_kind::Send &&
          (call.mode == send_mode::Synchronous || (call.mode == send_mode::Standard && call.bytes > o.eager_bytes));
  urgent_checker checker;
  RC_ASSERT(play(made.program(), o, false, {}, &checker).finished);
  RC_ASSERT(checker.urgent() == 2 * request_count);
  RC_ASSERT(checker.broken() == "");
}

/// A token that circulates alone meets no other packet: its program ends when the path lengths predict, to the cycle.
RC_GTEST_PROP(system_replay_invariants, isolated_messages_take_the_time_given_by_the_formula, ()) {
  const auto ranks = *rc::gen::inRange<std::uint32_t>(2, 9);
  const replay_options o = random_options(ranks);
  program_writer w(ranks);
  cycle_t expected = 0;
  auto at = *rc::gen::inRange<std::uint32_t>(0, ranks);
  for (int hop = *rc::gen::inRange(1, 12); hop > 0; --hop) {
    const auto to = (at + *rc::gen::inRange<std::uint32_t>(1, ranks)) % ranks;
    const auto flits = *rc::gen::inRange<std::uint32_t>(1, o.packet_flits + 1);
    replay_call& s = w.send(at, to, 8ULL * flits);
    s.mode = *rc::gen::element(send_mode::Standard, send_mode::Synchronous);
    if (s.mode == send_mode::Synchronous || s.bytes > o.eager_bytes)
      expected += alone(o, at, to, 1) + 1 + alone(o, to, at, 1) + 1;
    expected += alone(o, at, to, flits) + 1;
    w.receive(to, at);
    at = to;
  }
  const played p = play(w.program(), o);
  RC_ASSERT(p.finished);
  RC_ASSERT(p.makespan == expected);
  RC_ASSERT(p.path.network == expected);
}

/// The words that arrive from one node at another, packet by packet in order of creation.
class streams final : public network_observer {
 public:
  network_events event_interest() const override { return {network_event::Received, network_event::Delivered}; }
  void received(const flit_event& event, const std::uint64_t* payload) override {
    m_words[event.id].push_back(payload[0]);
  }
  void delivered(const packet& p, cycle_t, std::uint32_t) override { m_whole[{p.source, p.destination}][p.id] += 1; }

  /// Empty if a packet arrived twice.
  std::vector<std::uint64_t> words(node_id from, node_id to) {
    std::vector<std::uint64_t> all;
    for (const auto& [id, times] : m_whole[{from, to}]) {
      if (times != 1) return {};
      all.insert(all.end(), m_words[id].begin(), m_words[id].end());
    }
    return all;
  }

 private:
  std::map<packet_id, std::vector<std::uint64_t>> m_words;
  std::map<std::pair<node_id, node_id>, std::map<packet_id, int>> m_whole;
};

/// Compares the payload of eager messages word by word with the received data, through NICs with and without
/// compression.
RC_GTEST_PROP(system_replay_invariants, every_byte_arrives_once_unchanged, ()) {
  random_program::shape s = random_shape(30);
  s.rendezvous = false;
  replay_options o = random_options(s.ranks);
  o.eager_bytes = 1'000'000;
  random_program made(s, o);
  made.add_messages();
  made.end();
  replay_program program = made.program();
  std::map<std::pair<node_id, node_id>, std::vector<std::uint64_t>> sent;
  for (std::uint32_t from = 0; from < s.ranks; ++from)
    for (replay_call& call : program.ranks[from].calls) {
      if (call.kind != call_kind::Send) continue;
      call.type = *rc::gen::element(data_type::Other, data_type::Int);
      auto payload = std::make_shared<std::string>(call.bytes, '\0');
      const auto seed = *rc::gen::arbitrary<std::uint32_t>();
      for (std::size_t i = 0; i < payload->size(); i += 4) (*payload)[i] = static_cast<char>(seed >> (i % 29));
      call.payload = payload;
      auto& words = sent[{o.nodes[from], o.nodes[static_cast<std::size_t>(call.peer)]}];
      const std::size_t first = words.size();
      words.resize(first + std::max<std::size_t>(1, (call.bytes + 7) / 8));
      for (std::size_t i = 0; i < payload->size(); ++i)
        words[first + i / 8] |= std::uint64_t{static_cast<unsigned char>((*payload)[i])} << (8 * (i % 8));
    }
  nic_parameters nic;
  nic.ejection_depth = 8;
  nic.compression.selection.mode = *rc::gen::element(selection_mode::None, selection_mode::Always);
  streams came;
  const played p = play(program, o, false, nic, &came);
  RC_ASSERT(p.finished);
  for (const auto& [pair, words] : sent) RC_ASSERT(came.words(pair.first, pair.second) == words);
}

RC_GTEST_PROP(system_replay_invariants, order_between_two_ranks_is_kept, ()) {
  random_program::shape s = random_shape(40);
  s.ranks = std::min(s.ranks, 4U);
  replay_options o = random_options(s.ranks);
  using channel = std::tuple<std::uint32_t, std::uint32_t, int>;
  std::map<channel, std::vector<std::pair<std::uint32_t, std::uint32_t>>> calls;  // of each message, in order of
                                                                                  // arrival
  o.arrived = [&calls](const replayed_message& m) {
    calls[{m.source, m.destination, m.tag}].emplace_back(m.sent.number, m.received.number);
  };
  random_program made(s, o);
  made.add_messages();
  made.end();
  RC_ASSERT(play(made.program(), o).finished);
  std::size_t messages = 0;
  for (auto& [where, pairs] : calls) {
    messages += pairs.size();
    // If the pairs are sorted by sending calls, the receiving calls are in order, too.
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 1; i < pairs.size(); ++i) {
      RC_ASSERT(pairs[i - 1].first < pairs[i].first);
      RC_ASSERT(pairs[i - 1].second < pairs[i].second);
    }
  }
  RC_ASSERT(messages == s.messages);
}

RC_GTEST_PROP(system_replay_invariants, reports_unreceived_message, ()) {
  random_program::shape s = random_shape(40);
  s.left_out = *rc::gen::inRange<std::uint32_t>(0, s.messages);
  const replay_options o = random_options(s.ranks);
  random_program made(s, o);
  made.add_messages();
  made.end();
  const played p = play(made.program(), o);
  const auto [from, to, tag] = made.left_out();
  const std::string sender = fmt::format("rank {}, call ", from);
  // Of two messages with this tag, the receive of the later one would match the remaining message.
  const std::string what = fmt::format("to rank {} with tag {}, which ", to, tag);
  RC_ASSERT(std::any_of(p.unmatched.begin(), p.unmatched.end(), [&](const std::string& line) {
    const std::size_t at = line.find(what);
    return line.rfind(sender, 0) == 0 && at != std::string::npos &&
           (line.compare(at + what.size(), std::string::npos, "does not receive them") == 0 ||
            line.find("receives them in call ", at) == at + what.size());
  }));
}

/// Each rank of a circle sends to the next rank, which would have to receive first.
RC_GTEST_PROP(system_replay_invariants, reports_deadlocked_ranks_with_their_calls, ()) {
  const random_program::shape s = random_shape(20);
  const replay_options o = random_options(s.ranks);
  random_program made(s, o);
  made.add_messages();
  const auto in_circle = *rc::gen::inRange<std::uint32_t>(2, s.ranks + 1);
  const auto first = *rc::gen::inRange<std::uint32_t>(0, s.ranks);
  const bool receive_first = *rc::gen::inRange(0, 2) == 1;
  constexpr int Tag = 9;
  std::vector<std::size_t> call_of;  // the first of both calls of each rank in the circle
  for (std::uint32_t i = 0; i < in_circle; ++i)
    call_of.push_back(made.program().ranks[(first + i) % s.ranks].calls.size() + 1);
  std::set<std::string> expected;
  for (std::uint32_t i = 0; i < in_circle; ++i) {
    const std::uint32_t after = (i + 1) % in_circle, before = (i + in_circle - 1) % in_circle;
    const std::uint32_t own = (first + i) % s.ranks, next = (first + after) % s.ranks,
                        last = (first + before) % s.ranks;
    if (receive_first) made.writer().receive(own, last, Tag);
    made.writer().send(own, next, 64, Tag).mode = send_mode::Synchronous;
    if (!receive_first) made.writer().receive(own, last, Tag);
    expected.insert(
        receive_first ? fmt::format("rank {}, call {}, MPI_Recv: waits for a message from rank {} with tag {}, which "
                                    "sends it in call {}, MPI_Send, but waits in call {}, MPI_Recv, before that",
                                    own, call_of[i], last, Tag, call_of[before] + 1, call_of[before])
                      : fmt::format("rank {}, call {}, MPI_Send: sends 64 bytes to rank {} with tag {}, which receives "
                                    "them in call {}, MPI_Recv, but waits in call {}, MPI_Send, before that",
                                    own, call_of[i], next, Tag, call_of[after] + 1, call_of[after]));
  }
  made.end();
  const played p = play(made.program(), o);
  RC_ASSERT(!p.finished);
  RC_ASSERT((std::set<std::string>(p.unmatched.begin(), p.unmatched.end())) == expected);
}

/// One rank omits a collective that the others call. The report names the others and the function.
RC_GTEST_PROP(system_replay_invariants, reports_ranks_waiting_in_a_collective, ()) {
  const random_program::shape s = random_shape(10);
  const replay_options o = random_options(s.ranks);
  random_program made(s, o);
  made.add_messages();
  const auto absent = *rc::gen::inRange<std::uint32_t>(0, s.ranks);
  for (std::uint32_t r = 0; r < s.ranks; ++r)
    if (r != absent) made.writer().collective(r, mpi_function::Barrier, {});
  made.end();
  const played p = play(made.program(), o);
  RC_ASSERT(!p.finished);
  std::set<std::uint32_t> named;
  for (const std::string& line : p.unmatched) {
    RC_ASSERT(line.find("MPI_Barrier: ") != std::string::npos);
    named.insert(static_cast<std::uint32_t>(std::stoul(line.substr(5))));
  }
  RC_ASSERT(named.count(absent) == 0u);
  RC_ASSERT(!named.empty());
}

}  // namespace
