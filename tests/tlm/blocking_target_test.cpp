// SPDX-License-Identifier: Apache-2.0
/// Targets that implement b_transport() only, in the cycle mode; and the message for targets whose nb_transport_fw() is
/// a stub.
#include "tlm/peers.h"
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_target_socket.h>

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::HasSubstr;

namespace {

/// A word of memory behind a socket that does not convert between transport interfaces. It waits, and annotates the
/// same delay again.
template <typename Socket>
struct waiting_target : sc_core::sc_module {
  Socket socket{"socket"};
  explicit waiting_target(const sc_core::sc_module_name& name) : sc_module(name) {}

  void serve(tlm::tlm_generic_payload& t, sc_time& delay) {
    inside = std::max(inside, ++now_inside);
    wait(10, SC_NS);
    --now_inside;
    delay += sc_time(10, SC_NS);
    for (unsigned i = 0; i < t.get_data_length(); ++i) {
      unsigned char& at = content[(t.get_address() + i) % sizeof content];
      t.is_write() ? at = t.get_data_ptr()[i] : t.get_data_ptr()[i] = at;
    }
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void serve_one_of_many(int, tlm::tlm_generic_payload& t, sc_time& delay) { serve(t, delay); }

  unsigned char content[256] = {};
  unsigned now_inside = 0, inside = 0;
};

struct plain_target : waiting_target<tlm_utils::passthrough_target_socket<plain_target, 64>> {
  explicit plain_target(const sc_core::sc_module_name& name) : waiting_target(name) {
    socket.register_b_transport(this, &plain_target::serve);
  }
};
struct multi_target : waiting_target<tlm_utils::multi_passthrough_target_socket<multi_target, 64>> {
  explicit multi_target(const sc_core::sc_module_name& name) : waiting_target(name) {
    socket.register_b_transport(this, &multi_target::serve_one_of_many);
  }
};

/// A stub of nb_transport_fw(), as in models that were only used with b_transport().
struct stub_target : waiting_target<tlm_utils::passthrough_target_socket<stub_target, 64>> {
  tlm::tlm_sync_enum answer;
  stub_target(const sc_core::sc_module_name& name, tlm::tlm_sync_enum a) : waiting_target(name), answer(a) {
    socket.register_b_transport(this, &stub_target::serve);
    socket.register_nb_transport_fw(this, &stub_target::stub);
  }
  tlm::tlm_sync_enum stub(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_time&) { return answer; }
};

std::vector<std::string> warned;
void note_warning(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() == sc_core::SC_WARNING)
    warned.emplace_back(report.get_msg());
  else
    sc_core::sc_report_handler::default_handler(report, actions);
}

weft::tlm2::noc_parameters mapped_range_at_node_2() {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.map = {{0, 256, 2}};
  return p;
}

/// A target at node 2, constructed from \p more, and an initiator at node 0.
template <typename Target>
struct one_target {
  template <typename... More>
  explicit one_target(const weft::tlm2::noc_parameters& p, More... more)
      : network("noc", p), target("target", more...) {
    network.to_target[2].bind(target.socket);
    cpu.socket.bind(network.from_initiator[0]);
  }
  weft::noc network;
  Target target;
  initiator cpu{"cpu"};
};

/// Two initiators, one blocking and one non-blocking, write and read back through a target at node 2.
template <typename Target, typename... More>
void write_and_read(bool is_named, bool works, More... more) {
  sc_core::sc_report_handler::set_handler(note_warning);
  weft::tlm2::noc_parameters p = mapped_range_at_node_2();
  if (is_named) p.blocking_targets = {2, 2};
  one_target<Target> platform(p, more...);
  initiator& one = platform.cpu;
  initiator other("other");
  other.socket.bind(platform.network.from_initiator[1]);
  unsigned right = 0;
  one.run([&] {
    for (unsigned char i = 1; i <= 10; ++i) {
      bytes back(8);
      right += one.write(0, bytes(8, i)) == tlm::TLM_OK_RESPONSE;
      right += one.read(0, back) == tlm::TLM_OK_RESPONSE && back == bytes(8, i);
    }
  });
  other.run([&] {
    for (unsigned i = 0; i < 10; ++i)
      other.start(other.pool.acquire(tlm::TLM_WRITE_COMMAND, 64, bytes(16, 7)),
                  [&](owned_transaction& t) { right += t.is_response_ok(); });
    other.finish();
    EXPECT_EQ(platform.target.content[64], works ? 7 : 0);
  });
  sc_core::sc_start(sc_time(10'000, SC_NS));
  sc_core::sc_stop();
  EXPECT_EQ(right, works ? 30U : 0U);
  if (works) {
    EXPECT_EQ(platform.target.inside, 1U) << "a request stays in its target until the response";
    EXPECT_EQ(platform.network.in_flight(), 0U);
    EXPECT_THAT(warned, testing::IsEmpty());
  }
}

}  // namespace

TEST(tlm_blocking_target, target_with_passthrough_socket_works_if_declared) {
  write_and_read<plain_target>(true, true);
}

TEST(tlm_blocking_target, target_with_multi_passthrough_socket_works_if_declared) {
  write_and_read<multi_target>(true, true);
}

TEST(tlm_blocking_target, undeclared_passthrough_socket_is_detected) { write_and_read<plain_target>(false, true); }

TEST(tlm_blocking_target, undeclared_multi_passthrough_socket_is_detected) {
  write_and_read<multi_target>(false, true);
}

/// Errors that a socket reports about other calls still end the simulation.
TEST(tlm_blocking_target, errors_of_other_sockets_do_not_mark_a_blocking_target) {
  struct failing : waiting_target<tlm_utils::passthrough_target_socket<failing, 64>> {
    explicit failing(const sc_core::sc_module_name& name) : waiting_target(name) {
      socket.register_b_transport(this, &failing::serve);
      socket.register_nb_transport_fw(this, &failing::forward);
    }
    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_time&) {
      SC_REPORT_ERROR("/failing", "out of order");
      return tlm::TLM_ACCEPTED;
    }
  };
  one_target<failing> platform(mapped_range_at_node_2());
  platform.cpu.run([&] { platform.cpu.write(0, bytes(8)); });
  try {
    sc_core::sc_start();
    FAIL();
  } catch (const sc_core::sc_report& e) {
    EXPECT_STREQ(e.get_msg_type(), "/failing");
  }
}

TEST(tlm_blocking_target, works_with_a_named_stub) { write_and_read<stub_target>(true, true, tlm::TLM_ACCEPTED); }

TEST(tlm_blocking_target, stub_that_accepts_forever_is_reported) {
  write_and_read<stub_target>(false, false, tlm::TLM_ACCEPTED);
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_THAT(warned[0], HasSubstr("target of node 2: it has never answered a BEGIN_REQ; if its nb_transport_fw() is a "
                                   "stub, name node 2 in blocking_targets"));
}

TEST(tlm_blocking_target, stub_that_completes_is_reported_by_a_lenient_network_too) {
  sc_core::sc_report_handler::set_handler(note_warning);
  weft::tlm2::noc_parameters p = mapped_range_at_node_2();
  p.lenient = true;
  one_target<stub_target> platform(p, tlm::TLM_COMPLETED);
  platform.cpu.run([&] {
    for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(platform.cpu.write(0, bytes(8)), tlm::TLM_OK_RESPONSE);
  });
  sc_core::sc_start();
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_THAT(warned[0], HasSubstr("is taken as OK"));
  EXPECT_THAT(warned[0], HasSubstr("name node 2 in blocking_targets"));
}

/// A target that executes b_transport() when the simulation stops has not failed to answer.
TEST(tlm_blocking_target, target_still_working_at_the_end_is_not_reported) {
  sc_core::sc_report_handler::set_handler(note_warning);
  one_target<plain_target> platform(mapped_range_at_node_2());
  platform.cpu.run([&] { platform.cpu.write(0, bytes(8)); });
  for (unsigned i = 0; platform.target.now_inside == 0 && i < 100; ++i) sc_core::sc_start(sc_time(1, SC_NS));
  EXPECT_EQ(platform.target.now_inside, 1U);
  sc_core::sc_stop();
  EXPECT_THAT(warned, testing::IsEmpty());
}

/// A platform that stops at the first error does not stop when the network detects a blocking target.
TEST(tlm_blocking_target, detection_does_not_stop_the_simulation) {
  sc_core::sc_report_handler::stop_after(sc_core::SC_ERROR, 1);
  write_and_read<plain_target>(false, true);
}

namespace {

/// A bus at a node: one target below address 128, another from there on.
struct small_bus : sc_core::sc_module {
  tlm_utils::passthrough_target_socket<small_bus, 64> socket{"socket"};
  tlm_utils::simple_initiator_socket<small_bus, 64> low{"low"}, high{"high"};
  explicit small_bus(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &small_bus::blocking);
    socket.register_nb_transport_fw(this, &small_bus::forward);
    low.register_nb_transport_bw(this, &small_bus::backward);
    high.register_nb_transport_bw(this, &small_bus::backward);
  }
  tlm_utils::simple_initiator_socket<small_bus, 64>& to(const tlm::tlm_generic_payload& t) {
    return t.get_address() < 128 ? low : high;
  }
  void blocking(tlm::tlm_generic_payload& t, sc_time& delay) { to(t)->b_transport(t, delay); }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
    return to(t)->nb_transport_fw(t, phase, delay);
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
    return socket->nb_transport_bw(t, phase, delay);
  }
};

}  // namespace

TEST(tlm_blocking_target, detects_one_of_two_targets_behind_a_bus) {
  one_target<small_bus> platform(mapped_range_at_node_2());
  memory full("full", 128);
  plain_target plain("plain");
  platform.target.low.bind(full.socket);
  platform.target.high.bind(plain.socket);
  initiator& cpu = platform.cpu;
  bytes first(8), second(8);
  cpu.run([&] {
    for (const std::uint64_t address : {0U, 128U, 8U})
      EXPECT_EQ(cpu.write(address, bytes(8, 5)), tlm::TLM_OK_RESPONSE) << address;
    cpu.read(8, first);
    cpu.read(128, second);
  });
  sc_core::sc_start();
  EXPECT_EQ(first, bytes(8, 5));
  EXPECT_EQ(second, bytes(8, 5));
}

TEST(tlm_blocking_target, stub_that_completes_is_reported) {
  write_and_read<stub_target>(false, false, tlm::TLM_COMPLETED);
  ASSERT_FALSE(warned.empty());
  EXPECT_EQ(warned.size(), 1U);  // not for each of 50 responses
  EXPECT_THAT(warned[0], HasSubstr("has no status and becomes TLM_GENERIC_ERROR_RESPONSE"));
  EXPECT_THAT(warned[0], HasSubstr("name node 2 in blocking_targets"));
}

TEST(tlm_blocking_target, stub_is_reported_by_a_network_that_ends_without_sc_stop) {
  sc_core::sc_report_handler::set_handler(note_warning);
  {
    one_target<stub_target> platform(mapped_range_at_node_2(), tlm::TLM_ACCEPTED);
    platform.cpu.run([&] { platform.cpu.write(0, bytes(8)); });
    sc_core::sc_start();
    EXPECT_TRUE(warned.empty());
  }
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_THAT(warned[0], HasSubstr("it has never answered a BEGIN_REQ"));
}

/// In the loose mode, a target that assigns its delay instead of adding to it discards the time of the network.
TEST(tlm_blocking_target, target_that_assigns_its_delay_is_reported_once) {
  struct assigning : sc_core::sc_module {
    tlm_utils::simple_target_socket<assigning, 64> socket{"socket"};
    sc_time latency;
    bool adds = false;
    explicit assigning(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_b_transport(this, &assigning::serve);
    }
    void serve(tlm::tlm_generic_payload& t, sc_time& delay) {
      delay = adds ? delay + latency : latency;
      t.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  };
  sc_core::sc_report_handler::set_handler(note_warning);
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = weft::tlm2::timing::Loose;
  p.map = {{0, 256, 2}, {256, 256, 3}};
  weft::noc network("noc", p);
  assigning wrong("wrong"), right("right");
  right.adds = true;
  network.to_target[2].bind(wrong.socket);
  network.to_target[3].bind(right.socket);
  initiator cpu("cpu");
  cpu.socket.bind(network.from_initiator[0]);
  cpu.run([&] {
    for (unsigned i = 0; i < 3; ++i) {
      for (const std::uint64_t address : {0U, 256U}) {
        sc_time delay(5, SC_NS);
        cpu.write(address, bytes(8), delay);
      }
    }
  });
  sc_core::sc_start();
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_THAT(warned[0], HasSubstr("target of node 2: b_transport() ends before it began"));
}

TEST(tlm_blocking_target, target_without_a_region_is_reported) {
  sc_core::sc_report_handler::set_handler(note_warning);
  weft::noc network("noc", mapped_range_at_node_2());
  plain_target with("with"), without("without");
  network.to_target[2].bind(with.socket);
  network.to_target[3].bind(without.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_THAT(warned[0], HasSubstr("target of node 3: no region is mapped to this node"));
}

TEST(tlm_blocking_target, rejects_a_nonexistent_node) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.blocking_targets = {4};
  try {
    weft::tlm2::check_parameters(p);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "blocking_targets names node 4; nodes are 0 to 3");
  }
}
