// SPDX-License-Identifier: Apache-2.0
/// Networks of the pin level instead of the engine: with the same traffic every transaction takes the same time, and
/// queues and counters are equal between any two clock edges. WEFT_SEED repeats a run.
#include "tlm/observed_platform.h"
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/pin/model.h"

using sc_core::SC_PS;
using sc_core::sc_time;
using weft::tlm2::noc_parameters;

namespace {

std::unique_ptr<weft::network_model> make_pins(const noc_parameters& p, weft::packet_source& source,
                                               weft::network_observer& observer) {
  weft::pin::model_options options;
  options.payload_bits = p.payload_bits;
  options.clock_period = p.clock_period.value();
  return weft::pin::make_model(p.graph, p.router, p.nic, options, source, observer);
}

void compare_with_pins(const noc_parameters& p, observed_traffic traffic) {
  noc_parameters pins = p;
  pins.make_network = make_pins;
  compare(p, pins, traffic);
}

}  // namespace

class tlm_pin_network_traffic : public testing::TestWithParam<observed_traffic> {};
INSTANTIATE_TEST_SUITE_P(tlm_pin_network, tlm_pin_network_traffic,
                         testing::Values(observed_traffic::Mixed, observed_traffic::Busy), traffic_name);

TEST_P(tlm_pin_network_traffic, matches_the_engine_on_a_mesh) { compare_with_pins(mesh(4, 3), GetParam()); }

TEST_P(tlm_pin_network_traffic, matches_with_single_message_queues) {
  noc_parameters p = mesh(3, 3, 2);
  p.queue_depth = p.receive_depth = 1;
  p.max_packet_flits = 8;
  compare_with_pins(p, GetParam());
}

TEST_P(tlm_pin_network_traffic, matches_with_another_clock_and_wide_flits) {
  noc_parameters p = mesh(5, 2);
  p.clock_period = sc_time(1700, SC_PS);
  p.payload_bits = 256;
  p.router.pipeline = 3;
  compare_with_pins(p, GetParam());
}

/// The windows of the congestion counters begin with cycle 0.
TEST_P(tlm_pin_network_traffic, matches_with_congestion_aware_compressors) {
  noc_parameters p = mesh(4, 3);
  p.nic.compression.selection.mode = weft::selection_mode::Selective;
  p.nic.window = 100;
  compare_with_pins(p, GetParam());
}

TEST(tlm_pin_network, rejects_loose_mode_and_a_missing_network) {
  noc_parameters p = mesh(2, 2);
  p.make_network = [](const noc_parameters&, weft::packet_source&, weft::network_observer&) {
    return std::unique_ptr<weft::network_model>();
  };
  EXPECT_THROW(weft::noc("empty", p), sc_core::sc_report);
  p.mode = weft::tlm2::timing::Loose;
  EXPECT_EQ(weft::tlm2::find_parameter_errors(p).front().message,
            "make_network is only for the cycle mode; set mode to cycle, or leave make_network out");
}
