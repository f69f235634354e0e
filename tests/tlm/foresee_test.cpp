// SPDX-License-Identifier: Apache-2.0
/// Messages that are alone are foreseen: nothing that can be seen of a network changes. WEFT_SEED repeats a run.
#include "tlm/observed_platform.h"
#include <cstdio>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::SC_PS;
using sc_core::sc_time;

namespace {

void compare_foreseen(const weft::tlm2::noc_parameters& p, observed_traffic traffic) {
  weft::tlm2::noc_parameters all = p;
  all.foresee = false;
  compare(p, all, traffic);
}

}  // namespace

class foreseen_in_traffic : public testing::TestWithParam<observed_traffic> {};
INSTANTIATE_TEST_SUITE_P(tlm_foresee, foreseen_in_traffic,
                         testing::Values(observed_traffic::Mixed, observed_traffic::Busy), traffic_name);

TEST_P(foreseen_in_traffic, a_mesh) { compare_foreseen(mesh(4, 3), GetParam()); }

TEST_P(foreseen_in_traffic, queues_of_one_message) {
  weft::tlm2::noc_parameters p = mesh(3, 3, 2);
  p.queue_depth = p.receive_depth = 1;
  p.max_packet_flits = 8;
  compare_foreseen(p, GetParam());
}

TEST_P(foreseen_in_traffic, another_clock_and_wide_flits) {
  weft::tlm2::noc_parameters p = mesh(5, 2);
  p.clock_period = sc_time(1700, SC_PS);
  p.payload_bits = 256;
  p.router.pipeline = 3;
  compare_foreseen(p, GetParam());
}

/// A trace has the queues of every cycle: there nothing is foreseen.
TEST(tlm_foresee, traces_are_the_same) {
  platform system(mesh(2, 2), 1, 1);
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file("foresee_trace");
  sc_trace(file, system.network, "network");
  std::vector<std::uint64_t> waiting;
  system.initiators[0]->run([&] { system.initiators[0]->write(platform::base(0), bytes(8)); });
  sc_core::sc_spawn([&] {
    sc_core::wait(1500, SC_PS);
    waiting.push_back(system.network.requests_waiting(0));
  });
  sc_core::sc_start();
  sc_core::sc_close_vcd_trace_file(file);
  std::remove("foresee_trace.vcd");
  EXPECT_THAT(waiting, testing::ElementsAre(1U));
}
