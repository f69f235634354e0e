// SPDX-License-Identifier: Apache-2.0
/// Sockets of 32 and 64 bits in one network, sockets of all other widths, and sockets that are bound twice.
#include "tlm/peers.h"
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "weft/tlm/exclusive_monitor.h"

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::HasSubstr;
using weft::tlm2::timing;

namespace {

template <unsigned Bits>
struct sized_memory : sc_core::sc_module {
  tlm_utils::simple_target_socket<sized_memory, Bits> socket{"socket"};
  bytes content = bytes(4096);
  explicit sized_memory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &sized_memory::serve);
    socket.register_get_direct_mem_ptr(this, &sized_memory::direct);
    socket.register_transport_dbg(this, &sized_memory::debug);
  }
  unsigned debug(tlm::tlm_generic_payload& t) {
    sc_time none;
    serve(t, none);
    return t.get_data_length();
  }
  void serve(tlm::tlm_generic_payload& t, sc_time& delay) {
    delay += sc_time(3, SC_NS);
    unsigned char* const at = content.data() + t.get_address();
    if (t.is_write())
      std::copy_n(t.get_data_ptr(), t.get_data_length(), at);
    else
      std::copy_n(at, t.get_data_length(), t.get_data_ptr());
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool direct(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.allow_read_write();
    dmi.set_dmi_ptr(content.data());
    dmi.set_start_address(0);
    dmi.set_end_address(content.size() - 1);
    return true;
  }
};

template <unsigned Bits>
struct sized_initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<sized_initiator, Bits> socket{"socket"};
  std::function<void()> thread;
  unsigned answers = 0;
  sc_core::sc_event answered;
  explicit sized_initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(sized_initiator);
    SC_THREAD(run);
    socket.register_nb_transport_bw(this, &sized_initiator::backward);
    socket.register_invalidate_direct_mem_ptr(this, &sized_initiator::invalidate);
  }
  void run() { thread(); }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    ++answers;
    answered.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
  }
  void invalidate(sc_dt::uint64, sc_dt::uint64) { ++invalidated; }
  unsigned invalidated = 0;
};

/// Initiators of both widths write to memories of both, blocking and non-blocking, and read each other's data.
void all_with_all(timing mode) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  p.allow_dmi = true;
  p.map = {{0x1000, 0x1000, 2}, {0x2000, 0x1000, 3}};
  weft::mixed_noc network("network", p);
  sized_initiator<32> small("small");
  sized_initiator<64> large("large");
  sized_memory<32> small_memory("small_memory");
  sized_memory<64> large_memory("large_memory");
  small.socket.bind(network.bits_32.from_initiator[0]);
  large.socket.bind(network.bits_64.from_initiator[1]);
  network.bits_32.to_target[2].bind(small_memory.socket);
  network.bits_64.to_target[3].bind(large_memory.socket);
  transaction_pool pool;
  unsigned right = 0;
  const auto use = [&](auto& me, unsigned char mark) {
    for (const std::uint64_t memory : {0x1000U, 0x2000U}) {
      const std::uint64_t at = memory + 64U * mark;
      const bytes data(13, mark);
      owned_transaction& written = pool.acquire(tlm::TLM_WRITE_COMMAND, at, data);
      sc_time delay;
      me.socket->b_transport(written, delay);
      right += written.is_response_ok();
      written.release();
      owned_transaction& read = pool.acquire(tlm::TLM_READ_COMMAND, at, bytes(13));
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      delay = sc_core::SC_ZERO_TIME;
      ASSERT_EQ(me.socket->nb_transport_fw(read, phase, delay), tlm::TLM_ACCEPTED);
      sc_core::wait(me.answered);
      right += read.is_response_ok() && read.data == data;
      tlm::tlm_dmi dmi;
      right += me.socket->get_direct_mem_ptr(read, dmi) && dmi.get_dmi_ptr()[at - memory] == mark;
      read.release();
    }
  };
  small.thread = [&] { use(small, 1); };
  large.thread = [&] { use(large, 2); };
  sc_core::sc_start();
  EXPECT_EQ(right, 12U);
  EXPECT_EQ(network.in_flight(), 0U);
  small_memory.socket->invalidate_direct_mem_ptr(0, 100);
  EXPECT_EQ(small.invalidated, 1U);
  EXPECT_EQ(large.invalidated, 1U);
}

/// All entry points through sockets of \p Bits bits, and an exclusive monitor of that width.
template <unsigned Bits>
void all_entry_points(timing mode) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  p.allow_dmi = true;
  p.map = {{0x1000, 0x1000, 2}, {0x2000, 0x1000, 3}};
  weft::basic_noc<Bits> network("network", p);
  sized_initiator<Bits> cpu("cpu");
  sized_memory<Bits> direct("direct"), monitored("monitored");
  weft::tlm2::basic_exclusive_monitor<Bits> monitor("monitor");
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[2].bind(direct.socket);
  network.to_target[3].bind(monitor.from_network);
  monitor.to_target.bind(monitored.socket);
  transaction_pool pool;
  unsigned right = 0;
  cpu.thread = [&] {
    std::mt19937_64 random(Bits);
    for (const std::uint64_t at : {0x1010U, 0x2010U}) {
      const bytes data = random_bytes(random, 3 * Bits / 8 + 1);
      owned_transaction& written = pool.acquire(tlm::TLM_WRITE_COMMAND, at, data);
      sc_time delay;
      cpu.socket->b_transport(written, delay);
      right += written.is_response_ok();
      written.release();
      owned_transaction& read = pool.acquire(tlm::TLM_READ_COMMAND, at, bytes(data.size()));
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      delay = sc_core::SC_ZERO_TIME;
      ASSERT_EQ(cpu.socket->nb_transport_fw(read, phase, delay), tlm::TLM_ACCEPTED);
      sc_core::wait(cpu.answered);
      right += read.is_response_ok() && read.data == data;
      read.data.assign(data.size(), 0);
      right += cpu.socket->transport_dbg(read) == data.size() && read.data == data;
      // The latency of a one-beat transaction, divided by its bytes.
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(cpu.socket->get_direct_mem_ptr(read, dmi));
      right += dmi.get_dmi_ptr()[at % 0x1000] == data[0];
      const weft::node_id node = at < 0x2000 ? 2 : 3;
      const sc_time beat =
          network.request_estimate(0, node, false, Bits / 8) + network.response_estimate(0, node, false, Bits / 8);
      right += dmi.get_read_latency() == beat / (Bits / 8.0);
      read.release();
    }
  };
  sc_core::sc_start();
  EXPECT_EQ(right, 10U);
  EXPECT_EQ(network.in_flight(), 0U);
  direct.socket->invalidate_direct_mem_ptr(0, 100);
  EXPECT_EQ(cpu.invalidated, 1U);
}

std::string report_of_elaboration() {
  try {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  } catch (const sc_core::sc_report& e) {
    return std::string(e.get_msg_type()) + ": " + e.get_msg();
  }
  return "no report";
}

}  // namespace

TEST(tlm_mixed_widths, initiators_access_memories_of_both_widths) { all_with_all(timing::Cycle); }

TEST(tlm_mixed_widths, initiators_access_memories_of_both_widths_in_loose_mode) { all_with_all(timing::Loose); }

TEST(tlm_socket_widths, of_8_bits_support_all_transport_calls) { all_entry_points<8>(timing::Cycle); }

TEST(tlm_socket_widths, of_16_bits_support_all_transport_calls) { all_entry_points<16>(timing::Cycle); }

TEST(tlm_socket_widths, of_128_bits_support_all_transport_calls) { all_entry_points<128>(timing::Cycle); }

TEST(tlm_socket_widths, of_256_bits_support_all_transport_calls) { all_entry_points<256>(timing::Cycle); }

TEST(tlm_socket_widths, of_512_bits_support_all_transport_calls) { all_entry_points<512>(timing::Cycle); }

TEST(tlm_socket_widths, of_1024_bits_support_all_transport_calls) { all_entry_points<1024>(timing::Cycle); }

TEST(tlm_socket_widths, of_1024_bits_support_all_transport_calls_in_loose_mode) {
  all_entry_points<1024>(timing::Loose);
}

TEST(tlm_sockets, two_initiators_at_a_node_are_reported) {
  weft::noc network("network", mesh(2, 2));
  sized_initiator<64> one("one"), other("other");
  one.socket.bind(network.from_initiator[2]);
  other.socket.bind(network.from_initiator[2]);
  EXPECT_THAT(report_of_elaboration(),
              HasSubstr("/weft/noc/sockets: network: 2 initiators are bound to from_initiator[2], expected at most 1"));
}

TEST(tlm_sockets, initiators_of_both_widths_at_a_node_are_reported) {
  weft::mixed_noc network("network", mesh(2, 2));
  sized_initiator<64> one("one");
  sized_initiator<32> other("other");
  one.socket.bind(network.bits_64.from_initiator[1]);
  other.socket.bind(network.bits_32.from_initiator[1]);
  EXPECT_THAT(report_of_elaboration(),
              HasSubstr("/weft/noc/sockets: network: 2 initiators are bound to from_initiator[1], expected at most 1"));
}

TEST(tlm_sockets, two_targets_at_a_node_are_reported) {
  weft::noc network("network", mesh(2, 2));
  sized_memory<64> one("one"), other("other");
  network.to_target[3].bind(one.socket);
  network.to_target[3].bind(other.socket);
  EXPECT_THAT(report_of_elaboration(),
              HasSubstr("/weft/noc/sockets: network: 2 targets are bound to to_target[3], expected at most 1"));
}
