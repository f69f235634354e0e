// SPDX-License-Identifier: Apache-2.0
/// The fast path for isolated messages changes nothing that a user can observe of a network. WEFT_SEED repeats a run.
#include "tlm/observed_platform.h"
#include <cstdio>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::SC_PS;
using sc_core::sc_time;

namespace {

void compare_fast_path(const weft::tlm2::noc_parameters& p, observed_traffic traffic) {
  weft::tlm2::noc_parameters all = p;
  all.foresee = false;
  compare(p, all, traffic);
}

}  // namespace

class tlm_fast_path_traffic : public testing::TestWithParam<observed_traffic> {};
INSTANTIATE_TEST_SUITE_P(tlm_fast_path, tlm_fast_path_traffic,
                         testing::Values(observed_traffic::Mixed, observed_traffic::Busy), traffic_name);

TEST_P(tlm_fast_path_traffic, matches_the_full_simulation_on_a_mesh) { compare_fast_path(mesh(4, 3), GetParam()); }

TEST_P(tlm_fast_path_traffic, matches_with_single_message_queues) {
  weft::tlm2::noc_parameters p = mesh(3, 3, 2);
  p.queue_depth = p.receive_depth = 1;
  p.max_packet_flits = 8;
  compare_fast_path(p, GetParam());
}

TEST_P(tlm_fast_path_traffic, matches_with_another_clock_and_wide_flits) {
  weft::tlm2::noc_parameters p = mesh(5, 2);
  p.clock_period = sc_time(1700, SC_PS);
  p.payload_bits = 256;
  p.router.pipeline = 3;
  compare_fast_path(p, GetParam());
}

/// A trace has the queues of every cycle, so tracing disables the fast path.
TEST(tlm_fast_path, is_disabled_while_tracing) {
  platform system(mesh(2, 2), 1, 1);
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file("fast_path_trace");
  sc_trace(file, system.network, "network");
  std::vector<std::uint64_t> waiting;
  system.initiators[0]->run([&] { system.initiators[0]->write(platform::base(0), bytes(8)); });
  sc_core::sc_spawn([&] {
    sc_core::wait(1500, SC_PS);
    waiting.push_back(system.network.requests_waiting(0));
  });
  sc_core::sc_start();
  sc_core::sc_close_vcd_trace_file(file);
  std::remove("fast_path_trace.vcd");
  EXPECT_THAT(waiting, testing::ElementsAre(1U));
}
