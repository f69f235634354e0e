// SPDX-License-Identifier: Apache-2.0
/// Replays programs whose collectives use the algorithms of `weft collective`, and message lists, on whole
/// networks.
#include "support/subprocess.h"
#include "system/replay_support.h"
#include <cstdint>
#include <stdexcept>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/mpi/replay/collective_plans.h"
#include "weft/mpi/replay/message_list.h"

using namespace weft;
using namespace weft::replay_support;

namespace {

constexpr std::uint64_t Bytes = 48;

/// A program in which each rank calls the collective \p f once.
replay_program one_collective(std::uint32_t ranks, mpi_function f, bool beside = false) {
  program_writer w(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    replay_collective c;
    c.root =
        f == mpi_function::Bcast || f == mpi_function::Scatter || f == mpi_function::Gather || f == mpi_function::Reduce
            ? std::int64_t{ranks / 2}
            : AnyRank;
    c.send_bytes = c.receive_bytes = Bytes;
    replay_call& call = w.collective(r, f, c);
    auto payload = std::make_shared<std::string>(Bytes * ranks, '\0');
    for (std::size_t i = 0; i < payload->size(); ++i) (*payload)[i] = static_cast<char>(r * 16 + i % 16 + 1);
    call.payload = payload;
    if (beside) call.request = 1;
    if (beside) w.wait(r, {1});
  }
  return w.program();
}

collective_network network() { return {16, {4, 4}, false, {}}; }

/// Plans for the collectives of \p program: those of kind \p what use the algorithms that \p text lists.
std::shared_ptr<const collective_plans> plans(const replay_program& program, replayed_collective what,
                                              const std::string& text, const replay_options& o) {
  replay_parameters parameters;
  parameters.collectives[static_cast<std::size_t>(what)] = text;
  parameters.group = {2};
  return std::make_shared<collective_plans>(program, parameters, network(), o.nodes, nullptr);
}

/// Events of a replay at pin level, which runs in a subprocess.
std::string pin_events(const replay_program& program, const replay_options& o) {
  return run_in_subprocess_or_throw([&] { return play(program, o, true).events; });
}

TEST(system_planned_replay, every_algorithm_delivers_all_data_at_both_levels) {
  struct {
    mpi_function f;
    replayed_collective what;
    std::vector<const char*> algorithms;
  } const cases[] = {
      {mpi_function::Bcast,
       replayed_collective::Broadcast,
       {"all_at_once", "rank_tree", "neighbour_forwarding", "ring", "hierarchy", "network_coding"}},
      {mpi_function::Gather, replayed_collective::Gather, {"rank_tree", "combining"}},
      {mpi_function::Scatter, replayed_collective::Scatter, {"rank_tree", "ring"}},
      {mpi_function::Allgather,
       replayed_collective::AllGather,
       {"all_at_once", "recursive_doubling", "combining", "network_coding", "network_coding_direct"}},
      {mpi_function::Alltoall, replayed_collective::AllToAll, {"all_at_once", "ring", "combining"}},
      {mpi_function::Reduce, replayed_collective::Reduce, {"rank_tree", "ring"}},
      {mpi_function::Allreduce, replayed_collective::AllReduce, {"rank_tree", "recursive_doubling"}},
  };
  for (const auto& one : cases)
    for (const char* const algorithm : one.algorithms) {
      SCOPED_TRACE(testing::Message() << name_of(one.f) << " by " << algorithm);
      const replay_program program = one_collective(8, one.f);
      replay_options o = options_for(program);
      o.plans = plans(program, one.what, algorithm, o);
      o.eager_bytes = 64;  // joined messages use rendezvous
      const played p = play(program, o);
      expect_whole(p);
      EXPECT_GE(p.sent_bytes, 7 * Bytes);
      if (algorithm != std::string("combining") && algorithm != std::string("network_coding")) continue;
      // The payload of XORs and joined messages is bit-identical at the other level.
      EXPECT_EQ(pin_events(program, o), p.events);
    }
}

TEST(system_planned_replay, sends_the_messages_of_the_algorithm) {
  const replay_program program = one_collective(8, mpi_function::Bcast);
  replay_options o = options_for(program);
  o.plans = plans(program, replayed_collective::Broadcast, "all_at_once", o);
  played p = play(program, o);
  EXPECT_EQ(p.ranks[4].messages, 7u);
  EXPECT_EQ(p.sent_bytes, 7 * Bytes);
  o.plans = plans(program, replayed_collective::Broadcast, "ring", o);
  p = play(program, o);
  EXPECT_EQ(p.ranks[4].messages, 1u);
  EXPECT_EQ(p.path.messages, 7u);  // once around the ring, one after the other
  // A rank forwards a message in the cycle after it arrives, so the makespan is a sum of single-hop message times.
  cycle_t sum = 0;
  std::uint32_t at = 4;
  for (std::uint32_t i = 0; i < 7; ++i) {
    std::uint32_t next = 8;
    for (const collective_action& s : *o.plans->actions(at, 0, 1))
      if (s.what == collective_action::kind::Send) next = s.peer;
    ASSERT_LT(next, 8u);
    sum += alone(o, at, next, Bytes / 8) + 1;
    at = next;
  }
  EXPECT_EQ(p.makespan, sum);
}

TEST(system_planned_replay, all_ranks_send_the_messages_of_the_collective_command) {
  const replay_program program = one_collective(16, mpi_function::Allgather);
  replay_options o = options_for(program);  // every node has a rank, not in order
  replay_parameters parameters;
  parameters.collectives[static_cast<std::size_t>(replayed_collective::AllGather)] = "network_coding";
  parameters.group = {2, 2};
  o.plans = std::make_shared<collective_plans>(program, parameters, network(), o.nodes, nullptr);
  const played p = play(program, o);
  expect_whole(p);
  collective_parameters same;
  same.algorithm = collective_algorithm::NetworkCoding;
  same.group = {2, 2};
  const collective made = make_collective(same, network());
  std::uint64_t messages = 0;
  for (const replay_rank_metrics& f : p.ranks) messages += f.messages;
  EXPECT_EQ(messages, made.messages.size());
  EXPECT_EQ(p.sent_bytes, made.messages.size() * Bytes);  // an XOR is as long as each of its parts
}

TEST(system_planned_replay, algorithm_depends_on_message_size) {
  const replay_program program = one_collective(8, mpi_function::Allreduce);
  replay_options o = options_for(program);
  const auto messages = [&](const char* text) {
    o.plans = plans(program, replayed_collective::AllReduce, text, o);
    const played p = play(program, o);
    expect_whole(p);
    return p.ranks[0].messages;
  };
  EXPECT_EQ(messages("recursive_doubling"), 3u);
  EXPECT_EQ(messages("usual, recursive_doubling from 48"), 3u);
  EXPECT_EQ(messages("recursive_doubling, rank_tree from 49"), 3u);
  EXPECT_EQ(messages("all_at_once, recursive_doubling from 49"), messages("all_at_once"));
  const replay_program beside = one_collective(8, mpi_function::Allreduce, true);
  o.plans = plans(beside, replayed_collective::AllReduce, "recursive_doubling", o);
  expect_whole(play(beside, o));
}

TEST(system_planned_replay, message_with_several_data_concatenates_them) {
  const replay_program program = one_collective(4, mpi_function::Allgather);
  const replay_options o = options_for(program);
  const auto p = plans(program, replayed_collective::AllGather, "recursive_doubling", o);
  for (const collective_action& s : *p->actions(0, 0, 1)) {
    if (s.what != collective_action::kind::Send || s.content->parts.size() != 2) continue;
    const collective_plans::content c = p->content_of(*s.content, 0, 0, 1);
    ASSERT_TRUE(c.payload);
    EXPECT_EQ(c.bytes, 2 * Bytes);
    for (std::size_t part = 0; part < 2; ++part)
      EXPECT_EQ(c.payload->substr(part * Bytes, Bytes),
                program.ranks[s.content->parts[part].owner].calls[0].payload->substr(0, Bytes));
    return;
  }
  FAIL() << "rank 0 sends no message with two data";
}

TEST(system_planned_replay, rejects_impossible_plans) {
  const auto rejected = [](std::uint32_t ranks, const char* text) {
    const replay_program program = one_collective(ranks, mpi_function::Allreduce);
    const replay_options o = options_for(program);
    try {
      plans(program, replayed_collective::AllReduce, text, o);
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(
      rejected(6, "recursive_doubling"),
      "workload.replay.collectives.all_reduce: of 6 ranks: recursive_doubling: 6 nodes in a row, expected a power "
      "of two");
  EXPECT_THAT(rejected(8, "schedule"), ::testing::HasSubstr("set workload.replay.collectives.schedule"));
  EXPECT_EQ(rejected(8, "ring, recursive_doubling from 4096"), "none");
  for (const char* const text : {"", "rings", "ring from 5", "ring, usual", "ring, usual from 0", "ring, usual from x",
                                 "ring, usual from 5, ring from 5", "ring and more"})
    EXPECT_THAT(rejected(8, text), ::testing::HasSubstr("expected ")) << text;
}

TEST(system_planned_replay, messages_of_a_list_wait_for_their_dependencies) {
  const replay_program program = parse_message_list(
      "0 10   0 1 64  2\n"
      "1 +5   1 2 8   0 0\n"  // a reply: 5 cycles after message 0 arrives
      "2 0    2 0 200 1 1\n"
      "3 1000 0 3 8   0 2,0\n"  // at cycle 1000 or later
      "4 0    3 3 8   0 3\n"    // stays in its rank
      "5 0    0 3 8   0 0\n",   // after message 0 has left its source
      "list");
  const replay_options o = options_for(program);
  const played p = play(program, o);
  EXPECT_TRUE(p.finished);
  EXPECT_EQ(p.bytes, p.sent_bytes);
  const cycle_t first = 10 + alone(o, 0, 1, 8) + 1, second = first + 5 + alone(o, 1, 2, 1) + 1;
  EXPECT_EQ(p.ranks[1].end, second);
  EXPECT_GT(p.ranks[2].end, second + alone(o, 2, 0, 16));  // two packets
  EXPECT_EQ(p.makespan, 1000 + alone(o, 0, 3, 1) + 1);
  EXPECT_EQ(p.path.computing + p.path.network, p.makespan);
  EXPECT_EQ(pin_events(program, o), p.events);
}

TEST(system_planned_replay, long_dependency_chains_do_not_recurse) {
  std::string text = "0 0 0 0 8 0\n";
  for (int i = 1; i < 50'000; ++i) text += std::to_string(i) + " +1 0 0 8 0 " + std::to_string(i - 1) + "\n";
  text += "50000 0 0 1 8 0 49999\n";
  const replay_program program = parse_message_list(text, "list");
  const replay_options o = options_for(program);
  const played p = play(program, o);
  EXPECT_TRUE(p.finished);
  EXPECT_EQ(p.makespan, 49'999 + alone(o, 0, 1, 1) + 1);
}

}  // namespace
