// SPDX-License-Identifier: Apache-2.0
/// Debug access and direct pointers to memory.
#include "tlm/peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::IsEmpty;

TEST(tlm_direct, debug_takes_no_time_and_stops_at_the_end_of_a_region) {
  platform system(mesh(2, 2), 1, 1);
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, platform::base(0) + 16, {1, 2, 3, 4});
    EXPECT_EQ(cpu.socket->transport_dbg(t), 4U);
    EXPECT_EQ(t.get_address(), platform::base(0) + 16);
    EXPECT_EQ(system.memories[0]->content[18], 3);
    t.set_address(platform::base(0) + platform::MemorySize - 3);
    EXPECT_EQ(cpu.socket->transport_dbg(t), 3U);
    EXPECT_EQ(t.get_data_length(), 4U);
    t.set_address(12345);
    EXPECT_EQ(cpu.socket->transport_dbg(t), 0U);
    t.release();
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  });
  sc_core::sc_start();
}

TEST(tlm_direct, dmi_is_translated_and_invalidated) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.allow_dmi = true;
  platform system(p, 2, 1);
  memory& target = *system.memories[0];
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_READ_COMMAND, platform::base(0) + 100, bytes(4));
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(cpu.socket->get_direct_mem_ptr(t, dmi)) << "the target rejects direct access";
    target.allows_dmi = true;
    sc_time delay;
    cpu.socket->b_transport(t, delay);
    EXPECT_TRUE(t.is_dmi_allowed());
    dmi.init();
    ASSERT_TRUE(cpu.socket->get_direct_mem_ptr(t, dmi));
    EXPECT_EQ(t.get_address(), platform::base(0) + 100);
    EXPECT_EQ(dmi.get_start_address(), platform::base(0));
    EXPECT_EQ(dmi.get_end_address(), platform::base(0) + platform::MemorySize - 1);
    EXPECT_EQ(dmi.get_dmi_ptr(), target.content.data());
    const sc_time there_and_back =
        system.network.request_estimate(0, 2, false, 8) + system.network.response_estimate(0, 2, false, 8);
    EXPECT_EQ(dmi.get_read_latency(), sc_time(3, SC_NS) + there_and_back / 8);
    EXPECT_GT(dmi.get_write_latency(), sc_time(5, SC_NS));
    EXPECT_TRUE(dmi.is_read_write_allowed());
    t.set_address(0x5000);
    dmi.init();
    EXPECT_FALSE(cpu.socket->get_direct_mem_ptr(t, dmi));
    EXPECT_TRUE(dmi.is_read_write_allowed()) << "the rejected access, not a permission";
    EXPECT_EQ(dmi.get_start_address(), 0U);
    EXPECT_EQ(dmi.get_end_address(), platform::base(0) - 1);
    t.release();
    target.socket->invalidate_direct_mem_ptr(0x100, 0x1ff);
    target.socket->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
    target.socket->invalidate_direct_mem_ptr(platform::MemorySize, ~std::uint64_t{0});  // outside this region
  });
  sc_core::sc_start();
  for (const auto& cpu : system.initiators) {
    ASSERT_EQ(cpu->invalidated.size(), 2U);
    EXPECT_EQ(cpu->invalidated[0].first, platform::base(0) + 0x100);
    EXPECT_EQ(cpu->invalidated[0].last, platform::base(0) + 0x1ff);
    EXPECT_EQ(cpu->invalidated[1].first, platform::base(0));
    EXPECT_EQ(cpu->invalidated[1].last, platform::base(0) + platform::MemorySize - 1);
  }
  EXPECT_THAT(system.violations(), IsEmpty());
}

TEST(tlm_direct, dmi_is_denied_unless_allowed) {
  platform system(mesh(2, 2), 1, 1);
  system.memories[0]->allows_dmi = true;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_READ_COMMAND, platform::base(0), bytes(4));
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(cpu.socket->get_direct_mem_ptr(t, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0U);
    EXPECT_EQ(dmi.get_end_address(), ~std::uint64_t{0});
    sc_time delay;
    cpu.socket->b_transport(t, delay);
    EXPECT_TRUE(t.is_response_ok());
    EXPECT_FALSE(t.is_dmi_allowed());
    t.release();
  });
  sc_core::sc_start();
  EXPECT_THAT(system.initiators[0]->invalidated, IsEmpty());
}
