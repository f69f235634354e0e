// SPDX-License-Identifier: Apache-2.0
/// The estimate of waiting in the loose mode, compared with the formula and checked for its invariants.
#include "weft/tlm/contention.h"

#include <gtest/gtest.h>

#include "weft/topology/generators/grid.h"

using weft::tlm2::contention;
using weft::tlm2::message_kind;
using weft::tlm2::shared_server;

namespace {

constexpr weft::cycle_t Window = 1000;

weft::topology row_of_four() {
  weft::grid_parameters shape;
  shape.shape = {4};
  return weft::make_grid(shape);
}

/// Initiator \p i sends \p count messages of \p flits flits, evenly spread over the window of \p begin.
void send(contention& c, weft::node_id i, weft::node_id destination, unsigned count, unsigned flits,
          weft::cycle_t begin) {
  for (unsigned n = 0; n < count; ++n)
    c.pass(message_kind::Request, {begin + n * Window / count, i, 1}, i, destination, flits);
}

}  // namespace

constexpr shared_server::visit by(weft::node_id initiator, weft::cycle_t cycle, std::uint64_t outstanding = 1,
                                  shared_server::place before = shared_server::Nowhere) {
  return {cycle, initiator, outstanding, before};
}

/// By the formula of Pollaczek and Khinchine, services of 10 cycles at a utilization of 0.4 delay other requests by 0.4
/// · 10 / (2 · 0.6) cycles.
TEST(tlm_contention, server_delays_requests_like_an_m_g_1_queue) {
  shared_server server;
  for (unsigned n = 0; n < 80; ++n) server.add(by(1, n * 25), Window, 10);
  EXPECT_NEAR(server.wait(by(0, 2 * Window - 1), Window), 0.4 * 10 / (2 * 0.6), 1e-9);
}

TEST(tlm_contention, server_matches_the_formula_for_two_service_lengths) {
  shared_server server;
  for (unsigned n = 0; n < 2 * Window; n += 50) server.add(by(1, n), Window, n % 100 == 0 ? 5 : 15);
  const double rate = 1.0 / 50, mean = 10, square = (25 + 225) / 2.0;
  EXPECT_NEAR(server.wait(by(0, 2 * Window - 1), Window), rate * square / (2 * (1 - rate * mean)), 1e-9);
}

/// Half a window at 0.4 counts as 0.4, because no time elapsed before cycle 0.
TEST(tlm_contention, first_window_counts_only_elapsed_time) {
  shared_server server;
  for (unsigned n = 0; n < 20; ++n) server.add(by(1, n * 25), Window, 10);
  EXPECT_NEAR(server.wait(by(0, Window / 2 - 1), Window), 0.4 * 10 / (2 * 0.6), 1e-9);
}

TEST(tlm_contention, messages_that_waited_at_the_same_server_do_not_wait_again) {
  shared_server server;
  server.add(by(1, 0, 1, 7), Window, 10);
  EXPECT_EQ(server.wait(by(0, 1, 1, 7), Window), 0);
  EXPECT_GT(server.wait(by(0, 1, 1, 8), Window), 0);
  EXPECT_GT(server.wait(by(0, 1), Window), 0);
}

TEST(tlm_contention, own_traffic_delays_only_by_its_outstanding_transactions) {
  shared_server server;
  for (unsigned n = 0; n < 40; ++n) server.add(by(1, n * 25, 4), Window, 10);
  const auto wait = [&](std::uint64_t outstanding) { return server.wait(by(1, Window - 1, outstanding), Window); };
  EXPECT_EQ(wait(1), 0);
  EXPECT_GT(wait(2), 0);
  EXPECT_GT(wait(4), wait(2));
}

TEST(tlm_contention, traffic_of_two_windows_ago_causes_no_delay) {
  shared_server server;
  server.add(by(1, 0), Window, 10);
  EXPECT_GT(server.wait(by(0, Window + 1), Window), 0);
  EXPECT_EQ(server.wait(by(0, 2 * Window), Window), 0);
  EXPECT_EQ(server.wait(by(0, Window + 1), Window), 0) << "an earlier request must not restore it";
}

/// Two others with one message of 10 and three of 100 cycles can have 310 cycles of work, whatever was offered.
TEST(tlm_contention, wait_is_bounded_by_the_outstanding_work_of_others) {
  shared_server server;
  for (unsigned n = 0; n < 1000; ++n) {
    server.add(by(1, n), Window, 10);
    server.add(by(2, n, 3), Window, 100);
  }
  EXPECT_DOUBLE_EQ(server.wait(by(0, Window), Window), 310);
}

/// In a row, only messages on overlapping paths delay each other.
TEST(tlm_contention, disjoint_paths_do_not_wait) {
  const weft::topology row = row_of_four();
  contention c(row, Window);
  send(c, 0, 1, 20, 10, 0);
  EXPECT_EQ(c.pass(message_kind::Request, {Window, 2, 1}, 2, 3, 10), 0);
  EXPECT_EQ(c.pass(message_kind::Request, {Window, 1, 1}, 1, 0, 10), 0) << "the other direction";
  EXPECT_EQ(c.pass(message_kind::Response, {Window, 1, 1}, 0, 1, 10), 0) << "the other plane";
  EXPECT_GT(c.pass(message_kind::Request, {Window, 2, 1}, 2, 1, 10), 0) << "into the same node";
}

/// A message waits where its path joins another, and only once.
TEST(tlm_contention, path_shared_with_other_traffic_delays_a_message_once) {
  const weft::topology row = row_of_four();
  contention near(row, Window), far(row, Window);
  send(near, 0, 2, 20, 10, 0);
  send(far, 0, 3, 20, 10, 0);
  EXPECT_DOUBLE_EQ(near.pass(message_kind::Request, {Window, 1, 1}, 1, 2, 10),
                   far.pass(message_kind::Request, {Window, 1, 1}, 1, 3, 10));
}

/// A message's own flits count in its time in an empty network, which is added, and not in its wait.
TEST(tlm_contention, wait_excludes_the_flits_of_the_message_itself) {
  const weft::topology row = row_of_four();
  contention for_short(row, Window), for_long(row, Window);
  for (contention* c : {&for_short, &for_long}) send(*c, 0, 2, 20, 10, 0);
  const contention::moment then{Window, 1, 1};
  const double wait = for_short.pass(message_kind::Request, then, 1, 2, 1);
  EXPECT_GT(wait, 0);
  EXPECT_DOUBLE_EQ(for_long.pass(message_kind::Request, then, 1, 2, 100), wait);
}
