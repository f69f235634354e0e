// SPDX-License-Identifier: Apache-2.0
/// Targets that throw: the initiator may catch the exception; its transaction is unchanged, and nothing stays in
/// flight.
#include "tlm/resettable.h"
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/tlm/exclusive_monitor.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using weft::tlm2::timing;

namespace {

constexpr std::uint64_t ThrowerBase = 0x2000000;

weft::tlm2::noc_parameters network_of_throwers(timing mode) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  p.map = {{ThrowerBase, 1 << 18, 3}};
  p.blocking_targets = {3};
  p.allow_dmi = true;
  return p;
}

/// The fields of a transaction that an initiator sees.
struct seen {
  explicit seen(const tlm::tlm_generic_payload& t)
      : command(t.get_command()),
        address(t.get_address()),
        length(t.get_data_length()),
        width(t.get_streaming_width()),
        data(t.get_data_ptr()),
        status(t.get_response_status()),
        dmi(t.is_dmi_allowed()) {}
  bool operator==(const seen& o) const {
    return command == o.command && address == o.address && length == o.length && width == o.width && data == o.data &&
           status == o.status && dmi == o.dmi;
  }
  tlm::tlm_command command;
  std::uint64_t address;
  unsigned length, width;
  const unsigned char* data;
  tlm::tlm_response_status status;
  bool dmi;
};

struct throwing_platform {
  explicit throwing_platform(timing mode) : network("network", network_of_throwers(mode)) {
    cpu.socket.bind(network.from_initiator[0]);
    network.to_target[3].bind(memory.socket);
    memory.hook = [this](tlm::tlm_generic_payload& t) {
      t.set_response_status(tlm::TLM_OK_RESPONSE);
      t.set_dmi_allowed(true);
      if (throws) SC_REPORT_ERROR("/my/memory", "uncorrectable ECC error");
    };
  }

  /// Calls \p access with a transaction of 16 bytes. \return whether it throws what the memory reports and leaves the
  /// transaction unchanged
  template <typename F>
  bool throws_from(tlm::tlm_command command, std::uint64_t offset, F access) {
    tlm::tlm_generic_payload t;
    unsigned char data[16] = {1, 2, 3};
    t.set_command(command);
    t.set_address(ThrowerBase + offset);
    t.set_data_ptr(data);
    t.set_data_length(16);
    t.set_streaming_width(16);
    const seen before(t);
    try {
      access(t);
    } catch (const sc_core::sc_report& e) {
      EXPECT_TRUE(before == seen(t));
      return std::string(e.get_msg()) == "uncorrectable ECC error";
    }
    return false;
  }

  weft::noc network;
  resettable_initiator cpu{"cpu"};
  plain_memory memory{"memory"};
  bool throws = true;
};

void expect_payload_as_it_was(timing mode) {
  throwing_platform system(mode);
  bool is_over = false;
  sc_core::sc_spawn([&] {
    for (const tlm::tlm_command command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
      sc_time delay(1, SC_NS);
      const sc_time local = sc_core::sc_time_stamp() + delay;
      const auto access = [&](tlm::tlm_generic_payload& t) { system.cpu.socket->b_transport(t, delay); };
      EXPECT_TRUE(system.throws_from(command, 0x100, access));
      // Its local time is that of the call, or the present time if that is later.
      EXPECT_EQ(sc_core::sc_time_stamp() + delay, std::max(local, sc_core::sc_time_stamp()));
      EXPECT_EQ(system.network.in_flight(), 0U);
    }
    const auto debug = [&](tlm::tlm_generic_payload& t) { system.cpu.socket->transport_dbg(t); };
    EXPECT_TRUE(system.throws_from(tlm::TLM_READ_COMMAND, (1 << 18) - 8, debug));  // the length is limited to the
                                                                                   // region
    const auto direct = [&](tlm::tlm_generic_payload& t) {
      tlm::tlm_dmi dmi;
      system.cpu.socket->get_direct_mem_ptr(t, dmi);
    };
    EXPECT_TRUE(system.throws_from(tlm::TLM_READ_COMMAND, 0x100, direct));
    system.throws = false;
    EXPECT_EQ(system.cpu.write(ThrowerBase + 8, bytes(8, 9)), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(system.cpu.read(ThrowerBase + 8, 8), bytes(8, 9));
    is_over = true;
  });
  sc_core::sc_start();
  EXPECT_TRUE(is_over);
  EXPECT_EQ(system.memory.served, 2U);
  EXPECT_EQ(system.network.in_flight(), 0U);
}

/// Exclusive accesses of several owners through a monitor, whose memory may throw an int.
struct monitored_platform {
  explicit monitored_platform(timing mode) : network("network", network_of_throwers(mode)) {
    cpu.socket.bind(network.from_initiator[0]);
    network.to_target[3].bind(monitor.from_network);
    monitor.to_target.bind(memory.socket);
  }

  struct outcome {
    bool threw, succeeded;
  };
  outcome access(std::uint32_t owner, tlm::tlm_command command) {
    tlm::tlm_generic_payload t;
    unsigned char data[8] = {};
    weft::tlm2::exclusive_extension exclusive(owner);
    t.set_command(command);
    t.set_address(ThrowerBase);
    t.set_data_ptr(data);
    t.set_data_length(8);
    t.set_streaming_width(8);
    t.set_extension(&exclusive);
    sc_time delay;
    bool threw = false;
    try {
      cpu.socket->b_transport(t, delay);
    } catch (int) {
      threw = true;
    }
    t.clear_extension(&exclusive);
    return {threw, exclusive.succeeded};
  }

  weft::noc network;
  resettable_initiator cpu{"cpu"};
  weft::tlm2::exclusive_monitor monitor{"monitor"};
  plain_memory memory{"memory"};
};

/// An exclusive write whose target throws has not succeeded, but may have written.
void expect_failed_exclusive_write(timing mode) {
  monitored_platform system(mode);
  bool is_over = false;
  sc_core::sc_spawn([&] {
    EXPECT_FALSE(system.access(1, tlm::TLM_READ_COMMAND).threw);
    EXPECT_EQ(system.monitor.reservations(), 1U);
    system.memory.hook = [](tlm::tlm_generic_payload&) { throw 1; };
    const auto written = system.access(1, tlm::TLM_WRITE_COMMAND);
    EXPECT_TRUE(written.threw);
    EXPECT_FALSE(written.succeeded);
    sc_core::wait(sc_time(100, SC_NS));
    EXPECT_EQ(system.monitor.reservations(), 0U);
    EXPECT_EQ(system.network.in_flight(), 0U);
    is_over = true;
  });
  if (mode == timing::Loose)  // a reservation during a write that may have changed the data
    sc_core::sc_spawn([&] {
      sc_core::wait(system.memory.latency * 1.25);
      EXPECT_EQ(system.monitor.reservations(), 0U);
      system.access(2, tlm::TLM_READ_COMMAND);
    });
  sc_core::sc_start();
  EXPECT_TRUE(is_over);
}

}  // namespace

TEST(tlm_throwing_targets, leave_the_payload_unchanged_in_loose_mode) { expect_payload_as_it_was(timing::Loose); }

TEST(tlm_throwing_targets, leave_the_payload_unchanged_in_cycle_mode) { expect_payload_as_it_was(timing::Cycle); }

/// The loop of docs/02_user/porting.md terminates.
TEST(tlm_throwing_targets, loop_that_drains_the_network_terminates) {
  throwing_platform system(timing::Loose);
  unsigned cycles = 0;
  sc_core::sc_spawn([&] {
    EXPECT_THROW(system.cpu.write(ThrowerBase, bytes(8, 1)), sc_core::sc_report);
    for (; system.network.in_flight() > 0 && cycles < 1000; ++cycles)
      sc_core::wait(system.network.parameters().clock_period);
  });
  sc_core::sc_start();
  EXPECT_EQ(cycles, 0U);
}

/// If the first part of a burst throws, the burst throws that once, after all parts are answered.
TEST(tlm_throwing_targets, burst_with_several_throwing_parts_throws_once) {
  throwing_platform system(timing::Cycle);
  unsigned calls = 0;
  system.memory.hook = [&](tlm::tlm_generic_payload&) {
    if (calls++ < 2) throw calls;
  };
  unsigned caught = 0;
  sc_core::sc_spawn([&] {
    try {
      system.cpu.write(ThrowerBase, bytes(200'000, 1));
    } catch (unsigned which) {
      caught = which;
    }
    EXPECT_EQ(system.network.in_flight(), 0U);
  });
  sc_core::sc_start();
  EXPECT_EQ(calls, 4U);
  EXPECT_EQ(caught, 1U);
}

/// No thread waits for an access by nb_transport_fw(), nor for one whose thread was killed. The exception of the
/// target then ends the simulation.
TEST(tlm_throwing_targets, end_the_simulation_if_no_thread_waits) {
  throwing_platform system(timing::Cycle);
  auto thread = sc_core::sc_spawn([&] { system.cpu.write(ThrowerBase, bytes(8, 1)); });
  sc_core::sc_spawn([&] {
    sc_core::wait(sc_time(5, SC_NS));
    thread.kill();
  });
  EXPECT_THROW(sc_core::sc_start(), sc_core::sc_report);
}

TEST(tlm_throwing_targets, exclusive_write_fails_if_the_target_throws) { expect_failed_exclusive_write(timing::Cycle); }

TEST(tlm_throwing_targets, exclusive_write_fails_if_the_target_throws_in_loose_mode) {
  expect_failed_exclusive_write(timing::Loose);
}
