// SPDX-License-Identifier: Apache-2.0
/// MPI programs replayed at both levels, which must have equal events. The network holds one packet per waiting
/// message.
/// WEFT_SEED repeats a run.
#include "support/random.h"
#include "system/replay_support.h"
#include <algorithm>

using namespace weft;
using namespace weft::replay_support;

namespace {

/// Expects that both levels have the same events in every cycle and the same times of all ranks.
void expect_levels_alike(const replay_program& program, const replay_options& o) {
  const played fast = play(program, o), pins = play(program, o, true);
  expect_whole(fast);
  EXPECT_EQ(fast.makespan, pins.makespan);
  EXPECT_EQ(first_difference(fast.events, pins.events), "");
  for (std::size_t r = 0; r < fast.ranks.size(); ++r) {
    const replay_rank_metrics &f = fast.ranks[r], &p = pins.ranks[r];
    EXPECT_EQ(f.computing, p.computing) << "rank " << r;
    EXPECT_EQ(f.receiving, p.receiving) << "rank " << r;
    EXPECT_EQ(f.sending, p.sending) << "rank " << r;
    EXPECT_EQ(f.end, p.end) << "rank " << r;
  }
  for (const auto part : {&replay_path::computing, &replay_path::network}) EXPECT_EQ(fast.path.*part, pins.path.*part);
  EXPECT_EQ(fast.path.messages, pins.path.messages);
}

TEST(system_mpi_replay, both_levels_give_the_same_results) {
  program_writer w(6);
  for (std::uint32_t i = 0; i < 30; ++i) {
    const std::uint32_t from = i * 7 % 6, to = (from + 1 + i % 5) % 6;
    w.send(from, to, i * 37 % 400, 1).computing = i * 11;
    w.receive(to, from, 1);
  }
  for (std::uint32_t r = 0; r < 6; ++r) {
    replay_collective c;
    c.send_bytes = c.receive_bytes = 64;
    w.collective(r, mpi_function::Allreduce, c).payload = std::make_shared<std::string>(64, 'x');
  }
  replay_options o = options_for(w.program());
  o.eager_bytes = 200;
  o.cycles_per_nanosecond = 1;
  expect_levels_alike(w.program(), o);
}

class system_mpi_replay_eager : public testing::TestWithParam<std::uint64_t> {};

/// A send and a receive of one step may end in either order; each level reports them in its own order.
TEST_P(system_mpi_replay_eager, both_levels_agree_on_rank_waits) {
  program_writer w(5);
  for (std::uint32_t r = 0; r < 5; ++r) {
    replay_collective c;
    c.send_bytes = c.receive_bytes = 1251 * 8;
    w.collective(r, mpi_function::Allgather, c).computing = 30 * (r * 7 % 5);
  }
  replay_options o = options_for(w.program());
  o.cycles_per_nanosecond = 1;
  o.eager_bytes = GetParam();
  expect_levels_alike(w.program(), o);
}

INSTANTIATE_TEST_SUITE_P(, system_mpi_replay_eager, testing::Values(0, 4096, 20'000));

/// Ranks whose calls run far ahead of the network, interleaved with answers to other ranks.
TEST(system_mpi_replay, both_levels_agree_when_ranks_run_far_ahead) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE(testing::Message() << "WEFT_SEED=" << seed);
  rng random(seed);
  program_writer w(5);
  std::vector<std::uint32_t> last(5, 0);
  std::vector<std::vector<std::uint32_t>> open(5);
  for (int m = 0; m < 1500; ++m) {
    const std::uint32_t from = random.between(0, 4), to = (from + random.between(1, 4)) % 5;
    replay_call& s = w.send(from, to, random.one_of<std::uint64_t>({1, 8, 100, 300}), 0);
    s.computing = random.chance(0.05) ? random.between(0, 50) : 0;
    if (random.chance(0.7)) s.request = ++last[from], open[from].push_back(s.request);
    replay_call& r = w.receive(to, from, 0);
    if (random.chance(0.9)) r.request = ++last[to], open[to].push_back(r.request);
  }
  for (std::uint32_t r = 0; r < 5; ++r) w.wait(r, open[r]);
  replay_options o = options_for(w.program());
  o.eager_bytes = 200;
  o.cycles_per_nanosecond = 1;
  expect_levels_alike(w.program(), o);
}

/// Between a replay and its network: counts the packets that the network popped and that have not left the source
/// queue.
class waiting_packets final : public packet_source, public network_observer {
 public:
  explicit waiting_packets(replay_traffic& traffic) : m_traffic(traffic) {}

  cycle_t next_creation(node_id node) const override { return m_traffic.next_creation(node); }
  packet pop(node_id node) override {
    count(1);
    return m_traffic.pop(node);
  }
  packet following(const packet& p) const override {
    count(1);
    return m_traffic.following(p);
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    m_traffic.payload(p, sequence, payload_bits, words);
  }

  bool needs_payload() const override { return m_traffic.needs_payload(); }
  network_events event_interest() const override { return m_traffic.event_interest(); }
  void sent(packet_id id, node_id node, cycle_t cycle) override {
    count(-1);
    m_traffic.sent(id, node, cycle);
  }
  void received(const flit_event& event, const std::uint64_t* payload) override { m_traffic.received(event, payload); }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override {
    m_traffic.delivered(p, cycle, routers);
  }

  int most() const { return m_most; }

 private:
  void count(int change) const { m_most = std::max(m_most, m_now += change); }

  replay_traffic& m_traffic;
  mutable int m_now = 0, m_most = 0;
};

/// The whole stream is sent in cycle 0, as nothing delays it. Each message then occupies as much memory as one packet.
TEST(system_mpi_replay, network_holds_one_packet_per_waiting_message) {
  constexpr int Messages = 300;
  program_writer w(2);
  for (int i = 0; i < Messages; ++i) {
    w.send(0, 1, 4096);
    w.receive(1, 0);
  }
  replay_traffic traffic(w.program(), 16, options_for(w.program()));
  waiting_packets between(traffic);
  const topology graph = mesh();
  const auto model = engine::make_model(graph, Router, {}, 64, between, between);
  traffic.attach(*model);
  while (!traffic.at_rest() && model->now() < 1'000'000) model->run(100);
  EXPECT_TRUE(traffic.finished());
  EXPECT_EQ(traffic.packets(), Messages * 32u);
  EXPECT_LE(between.most(), Messages + 2);
}

}  // namespace
