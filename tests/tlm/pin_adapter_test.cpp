// SPDX-License-Identifier: Apache-2.0
/// The adapter between wires and sockets.
#include "weft/tlm/pin_adapter.h"

#include "tlm/peers.h"
#include <deque>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::IsEmpty;

namespace {

/// Drives the wires: sends requests and accepts responses with random pauses; compares every response with a model.
class wire_master : public sc_core::sc_module {
 public:
  sc_core::sc_signal<bool> rst_n{"rst_n"}, req_valid{"req_valid"}, req_ready{"req_ready"}, req_write{"req_write"},
      rsp_valid{"rsp_valid"}, rsp_ready{"rsp_ready"}, rsp_error{"rsp_error"};
  sc_core::sc_signal<sc_dt::uint64> req_address{"req_address"}, req_data{"req_data"}, rsp_data{"rsp_data"};
  sc_core::sc_signal<sc_dt::sc_uint<8>> req_enables{"req_enables"};

  wire_master(const sc_core::sc_module_name& name, sc_core::sc_clock& clock, weft::tlm2::pin_adapter& adapter,
              unsigned requests, unsigned memories)
      : sc_module(name), m_requests(requests), m_models(memories, bytes(Words * 8)) {
    adapter.clk_i(clock);
    adapter.rst_ni(rst_n);
    adapter.req_valid_i(req_valid);
    adapter.req_ready_o(req_ready);
    adapter.req_write_i(req_write);
    adapter.req_address_i(req_address);
    adapter.req_data_i(req_data);
    adapter.req_enables_i(req_enables);
    adapter.rsp_valid_o(rsp_valid);
    adapter.rsp_ready_i(rsp_ready);
    adapter.rsp_data_o(rsp_data);
    adapter.rsp_error_o(rsp_error);
    SC_HAS_PROCESS(wire_master);
    SC_METHOD(step);
    sensitive << clock.posedge_event();
    dont_initialize();
  }

  bool always_ready = false;
  unsigned reset_at = 0;  ///< cycle; 0: never
  unsigned dropped = 0;   ///< requests that the reset left without a response
  unsigned requested = 0, responded = 0, errors = 0, ready_cycles = 0;
  sc_time first_request, first_response;

 private:
  static constexpr std::uint64_t Words = 16;
  struct expectation {
    bool error;
    std::uint64_t data;
  };

  void step() {
    if (++m_cycle < 3) return rst_n.write(m_cycle == 2);
    ready_cycles += req_ready.read();
    if (rsp_valid.read() && rsp_ready.read()) {
      ASSERT_FALSE(m_expected.empty()) << "a response without a request";
      EXPECT_EQ(rsp_error.read(), m_expected.front().error) << "response " << responded;
      EXPECT_EQ(rsp_data.read(), m_expected.front().data) << "response " << responded;
      errors += rsp_error.read();
      m_expected.pop_front();
      if (responded++ == 0) first_response = sc_core::sc_time_stamp();
      if (responded == m_requests) sc_core::sc_stop();
    }
    rsp_ready.write(always_ready || m_random() % 3 != 0);
    if (req_valid.read() && req_ready.read()) {
      if (requested++ == 0) first_request = sc_core::sc_time_stamp();
      expect();
      req_valid.write(false);
      m_offered = false;
    }
    if (m_cycle == reset_at) {
      rst_n.write(false);
      req_valid.write(false);
      m_offered = false;
      dropped = static_cast<unsigned>(m_expected.size());
      m_expected.clear();
      m_cycle = 0;
      reset_at = 0;
      return;
    }
    if (!m_offered && requested < m_requests && (always_ready || m_random() % 4 != 0)) offer();
  }

  void offer() {
    m_offered = true;
    m_write = m_random() % 2 == 0;
    m_target = static_cast<unsigned>(m_random() % (m_models.size() + 1));  // the last one is unmapped
    m_word = m_random() % Words;
    m_data = m_random();
    m_enables = m_random() % 2 == 0 ? 0xff : static_cast<unsigned>(m_random() % 256);
    req_valid.write(true);
    req_write.write(m_write);
    req_address.write(platform::base(m_target) + 8 * m_word);
    req_data.write(m_data);
    req_enables.write(m_enables);
  }

  void expect() {
    if (m_target == m_models.size()) return m_expected.push_back({true, 0});
    expectation e{false, 0};
    for (unsigned b = 0; b < 8; ++b) {
      if ((m_enables >> b & 1) == 0) continue;
      unsigned char& cell = m_models[m_target][8 * m_word + b];
      if (m_write)
        cell = static_cast<unsigned char>(m_data >> 8 * b);
      else
        e.data |= std::uint64_t{cell} << 8 * b;
    }
    m_expected.push_back(e);
  }

  const unsigned m_requests;
  std::vector<bytes> m_models;
  std::deque<expectation> m_expected;
  std::mt19937_64 m_random{9};
  unsigned m_cycle = 0;
  bool m_offered = false, m_write = false;
  unsigned m_target = 0, m_enables = 0;
  std::uint64_t m_word = 0, m_data = 0;
};

/// The adapter at node 0, a checker, memories at the other nodes.
struct wired_platform {
  wired_platform(unsigned requests, unsigned how_many, unsigned outstanding)
      : parameters(with_map(how_many)),
        network("noc", parameters),
        adapter("adapter", outstanding),
        checker("checker"),
        master("master", clock, adapter, requests, how_many) {
    adapter.socket.bind(checker.from);
    checker.to.bind(network.from_initiator[0]);
    for (unsigned m = 0; m < how_many; ++m) {
      memories.push_back(std::make_unique<memory>(("memory" + std::to_string(m)).c_str(), platform::MemorySize));
      network.to_target[m + 1].bind(memories[m]->socket);
    }
  }

  static weft::tlm2::noc_parameters with_map(unsigned how_many) {
    weft::tlm2::noc_parameters p = mesh(2, 2);
    for (unsigned m = 0; m < how_many; ++m) p.map.push_back({platform::base(m), platform::MemorySize, m + 1});
    return p;
  }

  sc_core::sc_clock clock{"clock", sc_time(1, SC_NS)};
  weft::tlm2::noc_parameters parameters;
  weft::noc network;
  weft::tlm2::pin_adapter adapter;
  protocol_checker checker;
  wire_master master;
  std::vector<std::unique_ptr<memory>> memories;
};

}  // namespace

TEST(tlm_pin_adapter, words_arrive_and_come_back_in_order) {
  wired_platform system(2000, 3, 4);
  for (auto& m : system.memories) m->latency = sc_time(15, SC_NS);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  EXPECT_EQ(system.master.responded, 2000U);
  EXPECT_GT(system.master.errors, 0U);
  EXPECT_THAT(system.checker.violations(), IsEmpty());
  EXPECT_EQ(system.checker.non_blocking_transactions(), 2000U);
}

TEST(tlm_pin_adapter, serves_one_request_at_a_time) {
  wired_platform system(300, 3, 1);
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  EXPECT_EQ(system.master.responded, 300U);
  EXPECT_THAT(system.checker.violations(), IsEmpty());
}

/// The target stalls, the network fills up, and req_ready_o goes low and stays low.
TEST(tlm_pin_adapter, back_pressure_reaches_the_wires) {
  wired_platform system(2000, 3, 64);
  system.master.always_ready = true;
  for (auto& m : system.memories) m->stalled = true;
  sc_core::sc_start(sc_time(5000, SC_NS));
  const unsigned requested = system.master.requested, ready = system.master.ready_cycles;
  EXPECT_GT(requested, 3U);
  EXPECT_LT(requested, 2000U);
  sc_core::sc_start(sc_time(5000, SC_NS));
  EXPECT_EQ(system.master.requested, requested);
  EXPECT_EQ(system.master.ready_cycles, ready) << "not ready for 5,000 cycles";
  for (auto& m : system.memories) m->resume();
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  EXPECT_EQ(system.master.responded, 2000U);
  EXPECT_THAT(system.checker.violations(), IsEmpty());
}

/// A reset discards requests in flight. Their responses never appear; those of later requests do.
TEST(tlm_pin_adapter, reset_drops_outstanding_requests) {
  wired_platform system(500, 3, 4);
  system.master.reset_at = 300;
  for (auto& m : system.memories) m->latency = sc_time(40, SC_NS);
  sc_core::sc_start(sc_time(100, sc_core::SC_US));
  EXPECT_EQ(system.master.requested, 500U);
  EXPECT_GT(system.master.dropped, 0U);
  EXPECT_EQ(system.master.responded, 500 - system.master.dropped);
  EXPECT_EQ(system.network.in_flight(), 0U);
  EXPECT_THAT(system.checker.violations(), IsEmpty());
}
