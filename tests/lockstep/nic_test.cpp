// SPDX-License-Identifier: Apache-2.0
/// NICs in lockstep: with all stages, and with several ports and no stages; with and without a table of path ids.
#include "Vnic_coded_compressed.h"
#include "Vnic_path_ids.h"
#include "Vnic_two_ports.h"
#include "lockstep/fixture.h"
#include "lockstep/nic_bench.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t NicCycles = 300'000;
constexpr unsigned NicParts = 50;  // each after a reset, because announced uses that do not come occupy entries

class lockstep_nic : public lockstep_test {
 protected:
  template <unsigned PayloadBits, class Model>
  void two_ports(const nic_shape& s) {
    nic_bench<PayloadBits, Model> bench("bench", s, random);
    for (unsigned part = 0; part < NicParts; ++part)
      ASSERT_EQ(bench.run(cycles(NicCycles / NicParts)), "") << seed_note();
    EXPECT_GT(bench.sent, NicCycles / 5);
    EXPECT_GT(bench.stalls, NicCycles / 50);
    EXPECT_GT(bench.received, bench.heads / 2);
  }
};

TEST_F(lockstep_nic, matches_systemc_with_all_stages) {
  nic_shape s;
  s.router.vcs = 4, s.router.depth = 5, s.router.classes = 2;
  s.nic.ejection_depth = 4;
  s.nic.buckets = 2;
  s.nic.coding.enabled = true;
  s.nic.coding.entries = 8, s.nic.coding.depth = 4, s.nic.coding.overhead = 1;
  s.nic.compression.selection.mode = selection_mode::Selective;
  s.nic.compression.selection.length_threshold = 8;  // shorter ones only in congestion
  s.nic.compression.selection.received_threshold = 20;
  s.nic.compression.selection.queue_threshold = 8;
  s.nic.compression.depth = 32;
  nic_bench<64, Vnic_coded_compressed> bench("bench", s, random);
  for (unsigned part = 0; part < NicParts; ++part)
    ASSERT_EQ(bench.run(cycles(NicCycles / NicParts)), "") << seed_note();
  EXPECT_GT(bench.sent, NicCycles / 5);
  EXPECT_GT(bench.stalls, NicCycles / 50);
  EXPECT_GT(bench.coded, bench.heads / 20);
  EXPECT_GT(bench.compressed, bench.heads / 20);
  EXPECT_LT(bench.compressed, bench.heads - bench.heads / 20);
  EXPECT_GT(bench.received, bench.heads / 2);
  EXPECT_GT(bench.resolved, bench.received / 2);
}

TEST_F(lockstep_nic, matches_systemc_with_two_ports_without_stages) {
  nic_shape s;
  s.ports = 2;
  s.words = 4;
  two_ports<128, Vnic_two_ports>(s);
}

/// A table of path ids, and its complement. The table is constant, so each of its bits is 0 in one run.
class lockstep_nic_path_ids : public lockstep_nic, public testing::WithParamInterface<bool> {};

TEST_P(lockstep_nic_path_ids, matches_systemc_with_two_ports_and_path_id_table) {
  nic_shape s;
  s.ports = 2;
  s.words = 1;
  s.router.vcs = 3, s.router.depth = 3;
  s.nic.ejection_depth = 3;
  s.path_id_bits = 12;
  for (unsigned node = 0; node < 20; ++node)
    s.path_ids.by_destination.push_back(random.between(0, 0xfff) ^ (GetParam() ? 0xfff : 0));
  two_ports<32, Vnic_path_ids>(s);
}
INSTANTIATE_TEST_SUITE_P(tables, lockstep_nic_path_ids, testing::Bool());

}  // namespace
}  // namespace weft::lockstep
