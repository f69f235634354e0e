// SPDX-License-Identifier: Apache-2.0
/// MPI programs replayed on whole networks: times equal formulas, no data is lost, deadlocks are reported.
#include "support/random.h"
#include "system/replay_support.h"
#include <algorithm>
#include <numeric>
#include <optional>

using namespace weft;
using namespace weft::replay_support;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

namespace {

TEST(system_mpi_replay, ping_pong_time_equals_the_formula) {
  for (const std::uint64_t bytes : {0, 8, 64, 128}) {
    program_writer w(2);
    for (int i = 0; i < 6; ++i) {
      w.send(i % 2, 1 - i % 2, bytes);
      w.receive(1 - i % 2, i % 2);
    }
    const replay_options o = options_for(w.program());
    const auto flits = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, bytes / 8));
    const played p = play(w.program(), o);
    expect_whole(p);
    // A rank answers a message in the cycle after it arrives.
    EXPECT_EQ(p.makespan, 3 * (alone(o, 0, 1, flits) + 1) + 3 * (alone(o, 1, 0, flits) + 1)) << bytes;
    EXPECT_EQ(p.path.messages, 6u);
  }
}

TEST(system_mpi_replay, rendezvous_exchanges_request_and_answer_before_data) {
  program_writer w(2);
  w.send(0, 1, 64).mode = send_mode::Synchronous;
  w.receive(1, 0).computing = 700;
  replay_options o = options_for(w.program());
  o.cycles_per_nanosecond = 0;
  const cycle_t question = alone(o, 0, 1, 1) + 1, answer = alone(o, 1, 0, 1) + 1, data = alone(o, 0, 1, 8) + 1;
  played p = play(w.program(), o);
  expect_whole(p);
  EXPECT_EQ(p.makespan, question + answer + data);
  EXPECT_EQ(p.ranks[0].end, question + answer + 1);  // its one packet leaves immediately
  EXPECT_EQ(p.ranks[0].sending, question + answer + 1);
  // The receiver computes for longer than the request takes.
  o.cycles_per_nanosecond = 2;
  p = play(w.program(), o);
  expect_whole(p);
  EXPECT_EQ(p.makespan, 1400 + answer + data);
  EXPECT_EQ(p.path.computing, 1400u);
  EXPECT_EQ(p.ranks[1].receiving, answer + data);
}

TEST(system_mpi_replay, rendezvous_answer_overtakes_queued_data_of_its_node) {
  program_writer w(3);
  w.receive(0, 2).request = 1;
  w.send(0, 1, 8000);
  w.wait(0, {1});
  w.receive(1, 0);
  w.send(2, 0, 64).mode = send_mode::Synchronous;
  replay_options o = options_for(w.program());
  o.eager_bytes = 8000;
  const played p = play(w.program(), o);
  expect_whole(p);
  EXPECT_GT(p.ranks[1].end, 1000u) << "the data";
  const cycle_t question = alone(o, 2, 0, 1) + 1, answer = alone(o, 0, 2, 1) + 1;
  EXPECT_LE(p.ranks[2].end, question + o.packet_flits + answer + o.packet_flits)
      << "at most the packet in transfer, and the data on shared channels";
}

TEST(system_mpi_replay, rank_times_are_available_in_every_cycle) {
  // Rank 0 computes, sends and computes; rank 1 waits for that message, then forever; rank 2 waits in vain to send.
  program_writer w(3);
  w.send(0, 1, 8).computing = 250;
  w.send(0, 0, 8).computing = 400;
  w.receive(0, 0);
  w.receive(1, 0).computing = 30;
  w.receive(1, 2, 1);
  w.send(2, 1, 8, 2).mode = send_mode::Synchronous;
  replay_options o = options_for(w.program());
  o.cycles_per_nanosecond = 1;
  const topology graph = mesh();
  replay_traffic traffic(w.program(), 16, o);
  const auto model = engine::make_model(graph, Router, {}, o.payload_bits, traffic, traffic);
  traffic.attach(*model);
  for (cycle_t now = 10; now < 1000; now += 10) {
    model->run(10);
    const std::vector<replay_rank_metrics> ranks = traffic.ranks_until(now);
    EXPECT_EQ(ranks[0].computing, std::min<cycle_t>(now, 650));
    EXPECT_EQ(ranks[0].end, now < 650 ? std::nullopt : std::optional<cycle_t>(650));
    EXPECT_EQ(ranks[1].computing, std::min<cycle_t>(now, 30));
    EXPECT_EQ(ranks[1].receiving, now - std::min<cycle_t>(now, 30));
    EXPECT_EQ(ranks[2].sending, now);
    for (const int waiting : {1, 2}) EXPECT_EQ(ranks[waiting].end, std::nullopt);
  }
  const played p = play(w.program(), o);
  EXPECT_FALSE(p.finished);
  EXPECT_EQ(p.last_time, 650u);
  EXPECT_EQ(p.ranks[1].receiving, 650u - 30);
  EXPECT_EQ(p.ranks[2].sending, 650u);
}

TEST(system_mpi_replay, computing_time_of_a_message_list_is_available_in_every_cycle) {
  replay_program program;
  program.ranks.resize(2);
  program.messages.resize(3);
  listed_message& first = program.messages[0];
  first.destination = 1;
  first.cycle = 50;
  first.computing = 100;
  program.messages[1].source = program.messages[1].destination = 1;  // to itself, after the first
  program.messages[1].stays = true;
  program.messages[1].computing = 500;
  program.messages[1].after = {0};
  program.messages[2].source = 1;
  program.messages[2].after = {1};
  replay_options o = options_for(program);
  o.cycles_per_nanosecond = 1;
  const cycle_t came = 150 + alone(o, 0, 1, 1) + 1;
  const topology graph = mesh();
  replay_traffic traffic(program, 16, o);
  const auto model = engine::make_model(graph, Router, {}, o.payload_bits, traffic, traffic);
  traffic.attach(*model);
  for (cycle_t now = 10; now < came + 500; now += 10) {
    model->run(10);
    const std::vector<replay_rank_metrics> ranks = traffic.ranks_until(now);
    EXPECT_EQ(ranks[0].computing, std::min<cycle_t>(now - std::min<cycle_t>(now, 50), 100)) << now;
    EXPECT_EQ(ranks[1].computing, now - std::min(now, came)) << now;
    for (const replay_rank_metrics& f : ranks) EXPECT_EQ(f.end, std::nullopt);
  }
  model->run(1000);
  EXPECT_TRUE(traffic.finished());
  EXPECT_EQ(traffic.ranks()[1].computing, 500u);
  EXPECT_EQ(traffic.last_time(), traffic.makespan());
}

TEST(system_mpi_replay, receive_of_an_arrived_message_does_not_wait) {
  program_writer w(2);
  w.send(0, 1, 8);
  w.receive(1, 0).computing = 5000;
  replay_options o = options_for(w.program());
  o.cycles_per_nanosecond = 1;
  const played p = play(w.program(), o);
  expect_whole(p);
  EXPECT_EQ(p.makespan, 5000u);
  EXPECT_EQ(p.path.network, 0u);
}

TEST(system_mpi_replay, messages_of_a_channel_keep_their_order) {
  // The long message needs a rendezvous and the short one behind it does not. They are matched in order all the same.
  program_writer w(2);
  w.send(0, 1, 6000).request = 1;
  w.send(0, 1, 8).request = 2;
  w.wait(0, {1, 2});
  w.receive(1, 0);
  w.receive(1, 0);
  w.send(0, 0, 8);  // to itself
  w.receive(0, 0);
  const replay_options o = options_for(w.program());
  const played p = play(w.program(), o);
  expect_whole(p);
  EXPECT_EQ(p.bytes, 6016u);
  EXPECT_GT(p.ranks[1].receiving, 6000u / 8);
}

/// Runs every collective on so many ranks, blocking or nonblocking.
replay_program all_collectives(std::uint32_t ranks, bool beside) {
  program_writer w(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    std::uint32_t request = 0;
    for (int f = static_cast<int>(mpi_function::Barrier); f <= static_cast<int>(mpi_function::NeighborAlltoallw); ++f) {
      const auto function = static_cast<mpi_function>(f);
      replay_collective c;
      c.root = ranks / 2;
      c.send_bytes = c.receive_bytes = 24;
      if (function == mpi_function::Alltoallv)
        for (std::uint32_t i = 0; i < ranks; ++i) c.sends.push_back(8 * ((r + i) % 3));
      if (function == mpi_function::Allgatherv) {
        c.send_bytes = 8 * (r + 1);
        for (std::uint32_t i = 0; i < ranks; ++i) c.receives.push_back(8 * (i + 1));
      }
      if (is_neighbourhood(function)) {
        c.to = {(r + 1) % ranks, r};
        c.from = {(r + ranks - 1) % ranks, r};
      }
      for (const std::uint64_t bytes : {24, 20'000}) {
        if (function == mpi_function::Allreduce) c.send_bytes = bytes;
        replay_call& call = w.collective(r, function, c);
        auto payload = std::make_shared<std::string>(20'000, static_cast<char>(r + 65));
        call.payload = payload;
        if (beside) call.request = ++request;
      }
    }
    std::vector<std::uint32_t> all(request);
    std::iota(all.begin(), all.end(), 1);
    if (beside) w.wait(r, all);
  }
  return w.program();
}

TEST(system_mpi_replay, every_collective_completes_on_any_number_of_ranks) {
  for (const std::uint32_t ranks : {1, 2, 3, 5, 8, 13})
    for (const bool beside : {false, true}) {
      SCOPED_TRACE(testing::Message() << ranks << " ranks" << (beside ? ", at the same time" : ""));
      const replay_program program = all_collectives(ranks, beside);
      expect_whole(play(program, options_for(program)));
    }
}

TEST(system_mpi_replay, broadcast_takes_the_time_of_the_steps_of_its_tree) {
  program_writer w(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    replay_collective c;
    c.root = 0;
    c.send_bytes = c.receive_bytes = 8;
    replay_call& call = w.collective(r, mpi_function::Bcast, c);
    if (r == 0) call.payload = std::make_shared<std::string>("12345678");
  }
  const replay_options o = options_for(w.program());
  const played p = play(w.program(), o);
  expect_whole(p);
  // Rank 0 sends one flit to rank 2 and then one to rank 1; rank 2 sends one to rank 3.
  EXPECT_EQ(p.ranks[2].end, alone(o, 0, 2, 1) + 1);
  EXPECT_EQ(p.ranks[3].end, alone(o, 0, 2, 1) + 1 + alone(o, 2, 3, 1) + 1);
  EXPECT_EQ(p.sent_bytes, 24u);
}

TEST(system_mpi_replay, reports_which_rank_waits_for_which) {
  program_writer w(3);
  for (std::uint32_t r = 0; r < 3; ++r) {
    w.send(r, (r + 1) % 3, 64, 7).mode = send_mode::Synchronous;
    w.receive(r, (r + 2) % 3, 7);
  }
  const played p = play(w.program(), options_for(w.program()));
  EXPECT_FALSE(p.finished);
  ASSERT_EQ(p.unmatched.size(), 3u);
  EXPECT_THAT(p.unmatched, Contains("rank 1, call 1, MPI_Send: sends 64 bytes to rank 2 with tag 7, which receives "
                                    "them in call 2, MPI_Recv, but waits in call 1, MPI_Send, before that"));
  program_writer lonely(2);
  lonely.add(0, call_kind::Uncovered, mpi_function::Put);
  lonely.receive(0, 1, 3);
  EXPECT_THAT(play(lonely.program(), options_for(lonely.program())).unmatched,
              Contains("rank 0, call 2, MPI_Recv: waits for a message from rank 1 with tag 3, which does not send it"));
}

TEST(system_mpi_replay, report_of_an_unmatched_receive_mentions_any_source) {
  program_writer w(2);
  w.receive(0, 1, 3).any_source = true;
  EXPECT_THAT(
      play(w.program(), options_for(w.program())).unmatched,
      ElementsAre("rank 0, call 1, MPI_Recv: waits for a message from any source with tag 3, recorded as that of "
                  "rank 1, which does not send it"));
}

TEST(system_mpi_replay, report_names_the_later_call_of_the_partner) {
  // Head-on: each rank makes both of its sends before it receives.
  program_writer head_on(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    head_on.send(r, 1 - r, 800).request = 1;
    head_on.send(r, 1 - r, 900);
    head_on.receive(r, 1 - r);
    head_on.receive(r, 1 - r);
    head_on.wait(r, {1});
  }
  replay_options o = options_for(head_on.program());
  o.eager_bytes = 100;
  const std::string where = ", but waits in call 2, MPI_Send, before that; with `workload.replay.eager: ";
  EXPECT_THAT(play(head_on.program(), o).unmatched,
              ElementsAre("rank 0, call 1, MPI_Send: sends 800 bytes to rank 1 with tag 0, which receives them in call "
                          "3, MPI_Recv" +
                              where + "800` or more it is sent at once",
                          "rank 0, call 2, MPI_Send: sends 900 bytes to rank 1 with tag 0, which receives them in call "
                          "4, MPI_Recv" +
                              where + "900` or more it is sent at once",
                          StartsWith("rank 1, call 1, MPI_Send: "), StartsWith("rank 1, call 2, MPI_Send: ")));
  o.eager_bytes = 900;
  expect_whole(play(head_on.program(), o));
  // One receive whose message would be sent later, and one collective that a rank reaches later.
  program_writer crossed(2);
  for (std::uint32_t r = 0; r < 2; ++r) {
    if (r == 0) crossed.receive(0, 1, 5);
    crossed.collective(r, mpi_function::Barrier, {});
    if (r == 1) crossed.send(1, 0, 8, 5);
  }
  EXPECT_THAT(play(crossed.program(), options_for(crossed.program())).unmatched,
              UnorderedElementsAre("rank 0, call 1, MPI_Recv: waits for a message from rank 1 with tag 5, which sends "
                                   "it in call 2, MPI_Send, but waits in call 1, MPI_Barrier, before that",
                                   "rank 1, call 1, MPI_Barrier: sends 0 bytes to rank 0, which receives them in call "
                                   "2, MPI_Barrier, but waits in call 1, MPI_Recv, before that",
                                   "rank 1, call 1, MPI_Barrier: waits for a message from rank 0, which sends it in "
                                   "call 2, MPI_Barrier, but waits in call 1, MPI_Recv, before that"));
}

TEST(system_mpi_replay, rejects_impossible_options) {
  program_writer w(2);
  replay_options o = options_for(w.program());
  o.nodes = {3, 3};
  EXPECT_THROW(replay_traffic(w.program(), 16, o), std::invalid_argument);
  o.nodes = {3, 16};
  EXPECT_THROW(replay_traffic(w.program(), 16, o), std::invalid_argument);
  o.nodes = {3};
  EXPECT_THROW(replay_traffic(w.program(), 16, o), std::invalid_argument);
  o.nodes = {3, 4};
  o.packet_flits = 0;
  EXPECT_THROW(replay_traffic(w.program(), 16, o), std::invalid_argument);
}

}  // namespace
