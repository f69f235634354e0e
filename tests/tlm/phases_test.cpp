// SPDX-License-Identifier: Apache-2.0
/// The four phases, and back-pressure between initiator and target.
#include "tlm/peers.h"
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::IsEmpty;

namespace {

/// Starts \p count writes through the non-blocking interface.
void start_writes(initiator& cpu, unsigned count, std::size_t size, unsigned& answers) {
  for (unsigned i = 0; i < count; ++i) {
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, platform::base(0) + i * size, bytes(size, 0x5a));
    cpu.start(t, [&answers](owned_transaction& answer) {
      EXPECT_TRUE(answer.is_response_ok());
      ++answers;
    });
  }
}

using style_pair = std::tuple<answer_style, answer_style>;

std::string style_names(const testing::TestParamInfo<style_pair>& tested) {
  const char* const names[] = {"accepted", "end_request", "begin_response", "completed"};
  return std::string(names[static_cast<int>(std::get<0>(tested.param))]) + "_and_" +
         names[static_cast<int>(std::get<1>(tested.param))];
}

}  // namespace

class tlm_answer_styles : public testing::TestWithParam<style_pair> {};

/// Covers every combination of answers of initiator and target, including early completion.
TEST_P(tlm_answer_styles, work_in_every_combination) {
  platform system(mesh(2, 2), 1, 1);
  system.initiators[0]->style = std::get<0>(GetParam());
  system.initiators[0]->response_time = sc_time(7, SC_NS);
  system.memories[0]->style = std::get<1>(GetParam());
  system.memories[0]->accept_time = sc_time(2, SC_NS);
  system.memories[0]->latency = sc_time(9, SC_NS);
  unsigned answers = 0;
  system.initiators[0]->run([&] {
    start_writes(*system.initiators[0], 20, 40, answers);
    system.initiators[0]->finish();
  });
  sc_core::sc_start();
  EXPECT_EQ(answers, 20U);
  EXPECT_EQ(system.memories[0]->served, 20U);
  EXPECT_EQ(system.initiators[0]->end_requests, 20U);
  EXPECT_EQ(system.network.in_flight(), 0U);
  EXPECT_EQ(system.initiators[0]->pool.in_use(), 0U);
  EXPECT_THAT(system.violations(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(tlm_phases, tlm_answer_styles,
                         testing::Combine(testing::Values(answer_style::Accepted, answer_style::BeginResponse,
                                                          answer_style::Completed),
                                          testing::Values(answer_style::Accepted, answer_style::EndRequest,
                                                          answer_style::BeginResponse, answer_style::Completed)),
                         style_names);

/// A target that does not accept its request stalls the network behind it, and finally END_REQ to the initiator. Then
/// all traffic resumes.
TEST(tlm_phases, stalled_target_holds_back_end_request) {
  weft::tlm2::noc_parameters p = mesh(4, 1, 1);
  p.queue_depth = 2;
  p.receive_depth = 2;
  p.max_packet_flits = 8;
  platform system(p, 1, 1);
  system.memories[0]->stalled = true;
  unsigned answers = 0;
  constexpr unsigned Count = 60;
  system.initiators[0]->run([&] {
    start_writes(*system.initiators[0], Count, 48, answers);
    system.initiators[0]->finish();
  });
  sc_core::sc_start(sc_time(20'000, SC_NS));
  const std::uint64_t accepted = system.initiators[0]->end_requests;
  EXPECT_LT(accepted, Count);
  EXPECT_GE(accepted, 2U);
  EXPECT_EQ(answers, 0U);
  EXPECT_EQ(system.memories[0]->served, 1U) << "BEGIN_REQ waits for END_REQ of the one before";
  EXPECT_GE(system.network.requests_arrived(1), 2U);
  EXPECT_EQ(system.network.requests_waiting(0), 3U) << "two in the queue, one held back";
  // All is stalled.
  sc_core::sc_start(sc_time(20'000, SC_NS));
  EXPECT_EQ(system.initiators[0]->end_requests, accepted);
  // Accepted messages are in the queue of the NIC, in the network (8 flits per message) or at the target, and nowhere
  // else.
  const std::uint64_t flits = 8 * accepted;
  const std::uint64_t room =
      8ULL * (p.queue_depth + p.receive_depth + 2) + 3 * p.router.depth + p.nic.ejection_depth + 16;
  EXPECT_LE(flits, room);
  system.memories[0]->resume();
  sc_core::sc_start();
  EXPECT_EQ(answers, Count);
  EXPECT_EQ(system.memories[0]->served, Count);
  EXPECT_THAT(system.violations(), IsEmpty());
}

/// An initiator that does not end its response gets no other. The response plane stalls, and then the targets.
TEST(tlm_phases, slow_initiator_holds_back_responses) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.queue_depth = p.receive_depth = 1;
  platform system(p, 1, 2);
  initiator& cpu = *system.initiators[0];
  cpu.style = answer_style::Accepted;
  cpu.response_time = sc_time(500, SC_NS);
  unsigned answers = 0;
  cpu.run([&] {
    for (unsigned i = 0; i < 20; ++i) {
      owned_transaction& t = cpu.pool.acquire(tlm::TLM_READ_COMMAND, platform::base(i % 2) + i * 512, bytes(512));
      cpu.start(t, [&](owned_transaction&) { ++answers; });
    }
    cpu.finish();
  });
  sc_core::sc_start();
  EXPECT_EQ(answers, 20U);
  EXPECT_GE(cpu.last_response, sc_time(20 * 500, SC_NS));
  EXPECT_THAT(system.violations(), IsEmpty());
}

/// A target accepts requests one after the other and answers the first three of them. At one time it ends the fourth
/// request and begins the third response, for which there is no room. In either order, the fifth request arrives then,
/// and the sixth not before there is room again.
TEST(tlm_phases, simultaneous_phases_of_a_target_have_no_order) {
  struct scripted_target : sc_core::sc_module {
    tlm_utils::passthrough_target_socket<scripted_target, 64> socket{"socket"};
    std::vector<tlm::tlm_generic_payload*> requests;
    std::vector<sc_time> begins;
    sc_time responded_at, third_left;
    scripted_target(const sc_core::sc_module_name& name, bool response_first) : sc_module(name) {
      socket.register_nb_transport_fw(this, &scripted_target::forward);
      sc_core::sc_spawn([this, response_first] { respond(response_first); });
    }
    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time&) {
      if (phase == tlm::END_RESP) {
        if (&t == requests[2]) third_left = sc_core::sc_time_stamp();
        return tlm::TLM_COMPLETED;
      }
      t.acquire();
      t.set_response_status(tlm::TLM_OK_RESPONSE);
      requests.push_back(&t);
      begins.push_back(sc_core::sc_time_stamp());
      if (requests.size() == 4) return tlm::TLM_ACCEPTED;
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    void respond(bool response_first) {
      sc_core::wait(200, SC_NS);
      send_phase(0, tlm::BEGIN_RESP);  // one long packet that keeps the NIC busy
      sc_core::wait(10, SC_NS);
      send_phase(1, tlm::BEGIN_RESP);  // fills the queue
      sc_core::wait(10, SC_NS);
      responded_at = sc_core::sc_time_stamp();
      if (response_first) send_phase(2, tlm::BEGIN_RESP);
      send_phase(3, tlm::END_REQ);
      if (!response_first) send_phase(2, tlm::BEGIN_RESP);
    }
    void send_phase(std::size_t request, tlm::tlm_phase phase) {
      sc_time delay;
      socket->nb_transport_bw(*requests.at(request), phase, delay);
    }
  };
  weft::tlm2::noc_parameters p = mesh(2, 1);
  p.queue_depth = p.receive_depth = 1;
  p.map = {{0, 4096, 1}};
  struct {
    weft::noc network;
    initiator cpu;
    scripted_target target;
  } platforms[] = {{weft::noc("noc0", p), initiator("cpu0"), scripted_target("target0", false)},
                   {weft::noc("noc1", p), initiator("cpu1"), scripted_target("target1", true)}};
  for (auto& [network, cpu, target] : platforms) {
    cpu.socket.bind(network.from_initiator[0]);
    network.to_target[1].bind(target.socket);
    cpu.run([&cpu = cpu] {
      for (unsigned i = 0; i < 6; ++i) cpu.start(cpu.pool.acquire(tlm::TLM_READ_COMMAND, 0, bytes(400)), [](auto&) {});
    });
  }
  sc_core::sc_start(sc_time(2000, SC_NS));
  for (const auto& platform : platforms) {
    const scripted_target& target = platform.target;
    ASSERT_EQ(target.begins.size(), 6U);
    EXPECT_LT(target.begins[3], target.responded_at);
    EXPECT_EQ(target.begins[4], target.responded_at);
    EXPECT_GT(target.third_left, target.responded_at);
    EXPECT_EQ(target.begins[5], target.third_left);
  }
}

/// Requests never wait for responses: both planes are full in both directions, and all requests are answered.
TEST(tlm_phases, requests_and_responses_cannot_deadlock) {
  weft::tlm2::noc_parameters p = mesh(2, 1, 1);
  p.queue_depth = p.receive_depth = 1;
  p.router.depth = p.nic.ejection_depth = 1;
  p.max_packet_flits = 4;
  p.map = {{0, 0x10000, 0}, {0x10000, 0x10000, 1}};
  weft::noc network("noc", p);
  std::vector<std::unique_ptr<initiator>> cpus;
  std::vector<std::unique_ptr<memory>> memories;
  unsigned answers = 0;
  for (unsigned n = 0; n < 2; ++n) {
    cpus.push_back(std::make_unique<initiator>(("cpu" + std::to_string(n)).c_str()));
    memories.push_back(std::make_unique<memory>(("memory" + std::to_string(n)).c_str(), 0x10000));
    cpus[n]->socket.bind(network.from_initiator[n]);
    network.to_target[n].bind(memories[n]->socket);
    memories[n]->latency = sc_time(4, SC_NS);
    cpus[n]->run([&, n] {
      for (unsigned i = 0; i < 200; ++i) {
        const bool write = i % 2 == 0;
        owned_transaction& t = cpus[n]->pool.acquire(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                                     (1 - n) * 0x10000, bytes(256));
        cpus[n]->start(t, [&](owned_transaction&) { ++answers; });
      }
      cpus[n]->finish();
    });
  }
  sc_core::sc_start();
  EXPECT_EQ(answers, 400U);
}

TEST(tlm_phases, extensions_reach_the_target_and_return) {
  struct note : tlm::tlm_extension<note> {
    int value = 0;
    tlm_extension_base* clone() const override {
      auto* const copy = new note;
      copy->value = value;
      return copy;
    }
    void copy_from(const tlm_extension_base& other) override { value = static_cast<const note&>(other).value; }
  };
  struct annotating_target : sc_core::sc_module {
    tlm_utils::passthrough_target_socket<annotating_target, 64> socket{"socket"};
    explicit annotating_target(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_nb_transport_fw(this, &annotating_target::forward);
    }
    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& t, tlm::tlm_phase&, sc_time&) {
      t.get_extension<note>()->value *= 2;
      t.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
  };
  weft::tlm2::noc_parameters p = mesh(2, 1);
  p.map = {{0, 16, 1}};
  weft::noc network("noc", p);
  initiator cpu("cpu");
  annotating_target target("target");
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[1].bind(target.socket);
  int value = 0;
  cpu.run([&] {
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, bytes(4));
    auto* const n = new note;
    n->value = 21;
    t.set_auto_extension(n);
    sc_time delay;
    cpu.socket->b_transport(t, delay);
    value = t.get_extension<note>()->value;
    t.release();
  });
  sc_core::sc_start();
  EXPECT_EQ(value, 42);
}

TEST(tlm_phases, counters_are_traced) {
  platform system(mesh(2, 2), 1, 1);
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file("tlm_counters");
  sc_trace(file, system.network, "noc");
  system.initiators[0]->run([&] { system.initiators[0]->write(platform::base(0), bytes(8)); });
  sc_core::sc_start();
  sc_core::sc_close_vcd_trace_file(file);
  std::ifstream in("tlm_counters.vcd");
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  EXPECT_THAT(text, testing::HasSubstr("in_flight"));
  EXPECT_THAT(text, testing::HasSubstr("requests_waiting"));
  EXPECT_THAT(text, testing::HasSubstr("b1 ")) << "one was in flight";
}
