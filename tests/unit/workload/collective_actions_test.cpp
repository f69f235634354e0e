// SPDX-License-Identifier: Apache-2.0
/// Messages of MPI collectives: the messages that each rank waits for, in both orders.
#include "weft/mpi/replay/collective_actions.h"

#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

using pair_of_ranks = std::pair<std::uint32_t, std::uint32_t>;
using matrix = std::map<pair_of_ranks, std::uint64_t>;

/// Bytes sent, number of messages sent and number of messages awaited, by sender and receiver.
struct messages {
  matrix bytes, sent, awaited;
};

/// A collective of ranks with different amounts of data for each other, some of them zero.
struct random_collective {
  mpi_function function;
  std::vector<std::uint32_t> members;
  std::vector<replay_collective> more;  ///< for each member
  matrix needed;                        ///< bytes that each member needs from each other one

  random_collective(mpi_function f, std::mt19937& random) : function(f) {
    const auto draw = [&random](std::uint64_t most) {
      return std::uniform_int_distribution<std::uint64_t>(0, most)(random);
    };
    members.resize(2 + draw(5));
    for (std::size_t i = 0; i < members.size(); ++i) members[i] = static_cast<std::uint32_t>(3 * i + draw(2));
    const std::size_t n = members.size(), root = draw(n - 1);
    std::vector<std::vector<std::uint64_t>> bytes(n, std::vector<std::uint64_t>(n));
    for (auto& row : bytes)
      for (std::uint64_t& one : row) one = draw(2) * draw(100);
    more.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_root = i == root;
      replay_collective& m = more[i];
      m.root = members[root];
      switch (f) {
        case mpi_function::Gatherv:
          m.send_bytes = bytes[i][0];
          for (std::size_t j = 0; is_root && j < n; ++j) m.receives.push_back(bytes[j][0]);
          if (!is_root) need(i, root, bytes[i][0]);
          break;
        case mpi_function::Scatterv:
          m.receive_bytes = bytes[i][0];
          for (std::size_t j = 0; is_root && j < n; ++j) m.sends.push_back(bytes[j][0]);
          if (!is_root) need(root, i, bytes[i][0]);
          break;
        case mpi_function::Allgatherv:
          m.send_bytes = bytes[i][0];
          for (std::size_t j = 0; j < n; ++j) m.receives.push_back(bytes[j][0]);
          for (std::size_t j = 0; j < n; ++j)
            if (j != i) need(i, j, bytes[i][0]);
          break;
        case mpi_function::ReduceScatter:
          for (std::size_t j = 0; j < n; ++j) m.receives.push_back(bytes[j][0]);
          m.send_bytes = std::accumulate(m.receives.begin(), m.receives.end(), std::uint64_t{0});
          for (std::size_t j = 0; j < n; ++j)
            if (j != i) need(i, j, bytes[j][0]);
          break;
        case mpi_function::Bcast:
          m.send_bytes = bytes[0][0];
          if (!is_root) need(root, i, bytes[0][0]);
          break;
        case mpi_function::Reduce:
          m.send_bytes = bytes[0][0];
          if (!is_root) need(i, root, bytes[0][0]);
          break;
        default:  // all-to-all
          for (std::size_t j = 0; j < n; ++j) {
            m.sends.push_back(bytes[i][j]);
            m.receives.push_back(bytes[j][i]);
            if (j != i) need(i, j, bytes[i][j]);
          }
      }
    }
  }

  void need(std::size_t from, std::size_t to, std::uint64_t bytes) {
    if (bytes > 0) needed[{members[from], members[to]}] += bytes;
  }

  messages walk(collective_order order) const {
    messages all;
    for (std::size_t i = 0; i < members.size(); ++i) {
      replay_call call;
      call.kind = call_kind::Collective;
      call.function = function;
      for (const collective_action& s : actions_of(call, more[i], members, members[i], order)) {
        if (s.what == collective_action::kind::Send) {
          all.bytes[{members[i], s.peer}] += s.bytes;
          ++all.sent[{members[i], s.peer}];
        } else if (s.what == collective_action::kind::Receive) {
          ++all.awaited[{s.peer, members[i]}];
        }
      }
    }
    return all;
  }
};

class unit_workload_collective_actions : public testing::TestWithParam<mpi_function> {};

TEST_P(unit_workload_collective_actions, direct_order_moves_exactly_the_needed_bytes) {
  std::mt19937 random(5);
  for (unsigned i = 0; i < 300; ++i) {
    const random_collective c(GetParam(), random);
    const messages all = c.walk(collective_order::Direct);
    EXPECT_EQ(all.bytes, c.needed);
    EXPECT_EQ(all.sent, all.awaited);
    for (const auto& [who, count] : all.sent) EXPECT_EQ(count, 1U);
  }
}

TEST_P(unit_workload_collective_actions, every_message_sent_in_usual_order_is_awaited) {
  std::mt19937 random(6);
  for (unsigned i = 0; i < 300; ++i) {
    const random_collective c(GetParam(), random);
    const messages all = c.walk(collective_order::Usual);
    EXPECT_EQ(all.sent, all.awaited);
  }
}

INSTANTIATE_TEST_SUITE_P(, unit_workload_collective_actions,
                         testing::Values(mpi_function::Bcast, mpi_function::Reduce, mpi_function::Gatherv,
                                         mpi_function::Scatterv, mpi_function::Allgatherv, mpi_function::Alltoallv,
                                         mpi_function::ReduceScatter),
                         [](const testing::TestParamInfo<mpi_function>& f) {
                           return std::string(name_of(f.param)).substr(4);
                         });

}  // namespace
}  // namespace weft
