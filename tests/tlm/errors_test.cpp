// SPDX-License-Identifier: Apache-2.0
/// Errors are answered with the status that TLM-2.0 defines, and nothing crashes.
#include "tlm/peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/tlm/data_type_extension.h"

using sc_core::sc_time;
using testing::AllOf;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using weft::tlm2::timing;

namespace {

struct wrong_transaction {
  const char* what;
  tlm::tlm_response_status expected;
  void (*make)(owned_transaction&);
};

const std::vector<wrong_transaction> Wrong{
    {"unmapped address", tlm::TLM_ADDRESS_ERROR_RESPONSE, [](owned_transaction& t) { t.set_address(0x1000); }},
    {"the last address", tlm::TLM_ADDRESS_ERROR_RESPONSE,
     [](owned_transaction& t) { t.set_address(~std::uint64_t{0}); }},
    {"across the end of a region", tlm::TLM_ADDRESS_ERROR_RESPONSE,
     [](owned_transaction& t) { t.set_address(platform::base(0) + platform::MemorySize - 7); }},
    {"TLM_IGNORE_COMMAND to an unmapped address", tlm::TLM_ADDRESS_ERROR_RESPONSE,
     [](owned_transaction& t) {
       t.set_command(tlm::TLM_IGNORE_COMMAND);
       t.set_address(0x1000);
     }},
    {"no command at all", tlm::TLM_COMMAND_ERROR_RESPONSE,
     [](owned_transaction& t) { t.set_command(static_cast<tlm::tlm_command>(3)); }},
    {"no data", tlm::TLM_BURST_ERROR_RESPONSE, [](owned_transaction& t) { t.set_data_length(0); }},
    {"no streaming width", tlm::TLM_BURST_ERROR_RESPONSE, [](owned_transaction& t) { t.set_streaming_width(0); }},
    {"no data pointer", tlm::TLM_GENERIC_ERROR_RESPONSE, [](owned_transaction& t) { t.set_data_ptr(nullptr); }},
    {"byte enables of no length", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
     [](owned_transaction& t) {
       t.enables = {0xff};
       t.set_byte_enable_ptr(t.enables.data());
       t.set_byte_enable_length(0);
     }},
    {"a byte half enabled", tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
     [](owned_transaction& t) {
       t.enables = {0xff, 0x0f};
       t.set_byte_enable_ptr(t.enables.data());
       t.set_byte_enable_length(2);
     }},
};

/// Reports by type; warnings are counted, not printed.
unsigned warnings() { return static_cast<unsigned>(sc_core::sc_report_handler::get_count(sc_core::SC_WARNING)); }

void mute_warnings() { sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING); }

void answer_all(timing mode) {
  mute_warnings();
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  platform system(p, 1, 1);
  unsigned done = 0;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (const wrong_transaction& w : Wrong) {
      for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
        owned_transaction& t = cpu.pool.acquire(command, platform::base(0), bytes(8));
        w.make(t);
        sc_time delay;
        cpu.socket->b_transport(t, delay);
        EXPECT_EQ(t.get_response_status(), w.expected) << w.what;
        EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
        t.release();
        owned_transaction& n = cpu.pool.acquire(command, platform::base(0), bytes(8));
        w.make(n);
        cpu.start(n, [&](owned_transaction& answer) { EXPECT_EQ(answer.get_response_status(), w.expected) << w.what; });
        ++done;
      }
    }
    EXPECT_EQ(cpu.early_completions, done);
    EXPECT_EQ(cpu.write(platform::base(0), bytes(8)), tlm::TLM_OK_RESPONSE) << "after all that";
  });
  sc_core::sc_start();
  EXPECT_EQ(done, 2 * Wrong.size());
  EXPECT_EQ(system.memories[0]->served, 1U) << "nothing wrong reaches the target";
  EXPECT_EQ(system.network.refused(), 2 * done);
  EXPECT_EQ(warnings(), 8U) << "one of each rule";
  EXPECT_EQ(system.network.in_flight(), 0U);
  // In four of the cases the initiator violates the base protocol itself.
  EXPECT_THAT(system.violations(), AllOf(SizeIs(4 * 4), Each(ContainsRegex("initiator_checker0 .* of a transaction "
                                                                           "(of no bytes|without data|with )"))));
}

std::string report_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const sc_core::sc_report& r) {
    return std::string(r.get_msg_type()) + ": " + r.get_msg();
  }
  return "no report";
}

}  // namespace

TEST(tlm_errors, invalid_transactions_get_their_error_status) { answer_all(timing::Cycle); }

TEST(tlm_errors, invalid_transactions_get_their_error_status_in_loose_mode) { answer_all(timing::Loose); }

/// The report names the initiator, the request and the rule. Further reports of the same kind are only counted.
TEST(tlm_errors, rejections_are_reported_once_and_counted) {
  static std::vector<std::string> reports;
  sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions&) {
    if (std::string(r.get_msg_type()) == "/weft/noc/refused") reports.emplace_back(r.get_msg());
  });
  {
    platform system(mesh(2, 2), 1, 1);
    system.initiators[0]->run([&] {
      initiator& cpu = *system.initiators[0];
      for (const std::uint64_t address : {0x1000, 0x1004, 0x1008})
        EXPECT_EQ(cpu.write(address, bytes(8)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
      owned_transaction& t = cpu.pool.acquire(tlm::TLM_READ_COMMAND, platform::base(0), bytes(8));
      t.set_streaming_width(0);
      sc_time delay;
      cpu.socket->b_transport(t, delay);
      t.release();
    });
    sc_core::sc_start();
    sc_core::sc_stop();
    EXPECT_EQ(system.network.refused(), 4U);
  }
  sc_core::sc_report_handler::set_handler(nullptr);
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(
      reports[0],
      "noc, initiator of node 0: a write of 8 bytes at 0x1000 is rejected with TLM_ADDRESS_ERROR_RESPONSE: no region "
      "contains its address (the first transaction rejected for this reason; later ones are only counted)");
  EXPECT_THAT(reports[1], HasSubstr("its streaming width is 0; set it to the data length, or set `lenient`"));
  EXPECT_EQ(reports[2], "noc: 3 transactions in all were rejected for this reason: no region contains its address");
}

/// A transaction without command carries its extensions to the target and its status back.
void ignore_command(timing mode) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  platform system(p, 1, 1);
  unsigned answers = 0;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    const auto acquire = [&]() -> owned_transaction& {
      owned_transaction& t = cpu.pool.acquire(tlm::TLM_IGNORE_COMMAND, platform::base(0) + 16, {});
      t.set_data_ptr(nullptr);
      t.set_auto_extension(new weft::tlm2::data_type_extension(weft::data_type::Int));
      return t;
    };
    owned_transaction& t = acquire();
    sc_time delay;
    cpu.socket->b_transport(t, delay);
    EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(t.get_command(), tlm::TLM_IGNORE_COMMAND);
    t.release();
    cpu.start(acquire(), [&](owned_transaction& answer) {
      EXPECT_EQ(answer.get_response_status(), tlm::TLM_OK_RESPONSE);
      ++answers;
    });
  });
  sc_core::sc_start();
  EXPECT_EQ(answers, 1U);
  EXPECT_EQ(system.memories[0]->served, 2U);
  EXPECT_EQ(system.memories[0]->addresses, (std::vector<std::uint64_t>{16, 16}));
  EXPECT_THAT(system.violations(), IsEmpty());
}

TEST(tlm_errors, ignore_commands_pass_through) { ignore_command(timing::Cycle); }

TEST(tlm_errors, ignore_commands_pass_through_in_loose_mode) { ignore_command(timing::Loose); }

void accept_common_deviations(timing mode) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.mode = mode;
  p.lenient = true;
  platform system(p, 1, 1);
  system.memories[0]->leaves_status_unset = true;
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    owned_transaction& t = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, platform::base(0), bytes(24));
    t.set_streaming_width(0);
    sc_time delay;
    cpu.socket->b_transport(t, delay);
    EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
    t.release();
  });
  mute_warnings();
  sc_core::sc_start();
  EXPECT_EQ(warnings(), mode == timing::Cycle ? 1U : 0U)
      << "one warning: the status is missing; the engine does what a stub does";
  EXPECT_EQ(system.network.refused(), 0U);
  EXPECT_EQ(system.memories[0]->served, 1U);
}

TEST(tlm_errors, lenient_network_accepts_common_deviations) { accept_common_deviations(timing::Cycle); }

TEST(tlm_errors, lenient_network_accepts_common_deviations_in_loose_mode) { accept_common_deviations(timing::Loose); }

/// The initiator receives the status of the target. Data of a failed read stay unchanged.
TEST(tlm_errors, status_of_the_target_is_returned) {
  platform system(mesh(2, 2), 1, 1);
  mute_warnings();
  system.initiators[0]->run([&] {
    initiator& cpu = *system.initiators[0];
    for (const auto status :
         {tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE,
          tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, tlm::TLM_OK_RESPONSE}) {
      system.memories[0]->forced = status;
      bytes data(16, 0xee);
      EXPECT_EQ(cpu.read(platform::base(0), data), status);
      EXPECT_EQ(data, bytes(16, status == tlm::TLM_OK_RESPONSE ? 0 : 0xee));
      EXPECT_EQ(cpu.write(platform::base(0), bytes(16)), status);
    }
  });
  sc_core::sc_start();
  EXPECT_EQ(warnings(), 0U);
  EXPECT_THAT(system.violations(), IsEmpty());
}

TEST(tlm_errors, target_without_a_status_yields_a_generic_error) {
  platform system(mesh(2, 2), 1, 1);
  mute_warnings();
  system.memories[0]->leaves_status_unset = true;
  system.initiators[0]->run(
      [&] { EXPECT_EQ(system.initiators[0]->write(platform::base(0), bytes(4)), tlm::TLM_GENERIC_ERROR_RESPONSE); });
  sc_core::sc_start();
  EXPECT_EQ(warnings(), 1U);
}

/// The test sends phases at invalid times. It connects no checker, because a checker would report them.
TEST(tlm_errors, wrong_phases_are_rejected_or_ignored) {
  mute_warnings();
  weft::tlm2::noc_parameters p = mesh(2, 1);
  p.map = {{0, 0x1000, 1}};
  p.queue_depth = 1;
  weft::noc network("noc", p);
  initiator cpu("cpu");
  memory target("memory", 0x1000);
  cpu.socket.bind(network.from_initiator[0]);
  network.to_target[1].bind(target.socket);
  unsigned answers = 0, expected_warnings = 0;
  cpu.run([&] {
    sc_time delay;
    const auto send = [&](owned_transaction& t, tlm::tlm_phase phase) {
      return cpu.socket->nb_transport_fw(t, phase, delay);
    };
    const auto warned = [&] { return warnings() == ++expected_warnings; };
    owned_transaction& a = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, bytes(4));
    EXPECT_EQ(send(a, tlm::END_RESP), tlm::TLM_COMPLETED);
    EXPECT_TRUE(warned());
    EXPECT_EQ(send(a, tlm::END_REQ), tlm::TLM_ACCEPTED);
    EXPECT_TRUE(warned());
    EXPECT_EQ(send(a, tlm::BEGIN_RESP), tlm::TLM_ACCEPTED);
    EXPECT_TRUE(warned());
    EXPECT_EQ(send(a, tlm::tlm_phase(1234)), tlm::TLM_ACCEPTED) << "may be ignored";
    EXPECT_EQ(warnings(), expected_warnings);

    // A transaction without a memory manager.
    tlm::tlm_generic_payload unmanaged;
    bytes data(4);
    unmanaged.set_command(tlm::TLM_WRITE_COMMAND);
    unmanaged.set_address(0);
    unmanaged.set_data_ptr(data.data());
    unmanaged.set_data_length(4);
    unmanaged.set_streaming_width(4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    EXPECT_EQ(cpu.socket->nb_transport_fw(unmanaged, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(unmanaged.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_TRUE(warned());

    // A second request before the end of the first, and the first again.
    owned_transaction& b = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, bytes(4));
    sc_core::sc_spawn([&] { cpu.start(a, [&](owned_transaction&) { ++answers; }); });
    sc_core::wait(sc_core::SC_ZERO_TIME);
    owned_transaction& c = cpu.pool.acquire(tlm::TLM_WRITE_COMMAND, 0, bytes(4));
    sc_core::sc_spawn([&] { cpu.start(c, [&](owned_transaction&) { ++answers; }); });
    sc_core::wait(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(send(c, tlm::END_RESP), tlm::TLM_ACCEPTED) << "not answered yet";
    EXPECT_TRUE(warned());
    EXPECT_EQ(send(c, tlm::BEGIN_REQ), tlm::TLM_ACCEPTED);
    EXPECT_TRUE(warned());
    // c is held back until a has left the queue.
    if (send(b, tlm::BEGIN_REQ) == tlm::TLM_COMPLETED) {
      EXPECT_EQ(b.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
      EXPECT_TRUE(warned());
    } else {
      ADD_FAILURE() << "BEGIN_REQ during a request was accepted";
    }
    sc_core::wait(1, sc_core::SC_US);
  });
  sc_core::sc_start();
  EXPECT_EQ(answers, 2U);
  EXPECT_EQ(network.in_flight(), 0U);

  // The same for targets.
  tlm::tlm_generic_payload stranger;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay;
  const unsigned before = warnings();
  EXPECT_EQ(network.to_target[1].get_base_export()->nb_transport_bw(stranger, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_EQ(warnings(), before + 1);
}

TEST(tlm_errors, error_for_invalid_parameters_states_what_is_expected) {
  const auto report = [](void (*change)(weft::tlm2::noc_parameters&)) {
    return report_of([change] {
      weft::tlm2::noc_parameters p = mesh(2, 2);
      p.map = {{0, 0x1000, 1}};
      change(p);
      weft::noc network("noc", p);
    });
  };
  using parameters = weft::tlm2::noc_parameters;
  EXPECT_THAT(report([](parameters& p) { p.payload_bits = 48; }),
              HasSubstr("/weft/noc/parameters: payload_bits must be 32, 64, 128 or 256"));
  EXPECT_THAT(report([](parameters& p) { p.router.vcs = 17; }), HasSubstr("router.vcs: expected 1 to 16, got 17"));
  EXPECT_THAT(
      report([](parameters& p) { p.router.vcs = 2; }),
      HasSubstr("beyond the 2 VCs of a port; make the topology with vcs = 2, or set router.vcs to the vcs of the"));
  EXPECT_THAT(report([](parameters& p) { p.router.depth = 0; }), HasSubstr("router.depth: expected 1 to 512, got 0"));
  EXPECT_THAT(report([](parameters& p) { p.router.pipeline = 10; }),
              HasSubstr("router.pipeline: expected 3 to 9, got 10"));
  EXPECT_THAT(report([](parameters& p) { p.queue_depth = 0; }), HasSubstr("queue_depth must be at least 1"));
  EXPECT_THAT(report([](parameters& p) { p.receive_depth = 0; }), HasSubstr("receive_depth must be at least 1"));
  EXPECT_THAT(report([](parameters& p) { p.max_packet_flits = 3; }), HasSubstr("max_packet_flits must be at least 4"));
  EXPECT_THAT(report([](parameters& p) { p.router.flow = weft::flow_control::VirtualCutThrough; }),
              HasSubstr("max_packet_flits must be at most router.depth"));
  EXPECT_THAT(report([](parameters& p) { p.clock_period = sc_core::SC_ZERO_TIME; }), HasSubstr("clock_period"));
  EXPECT_THAT(report([](parameters& p) { p.graph = {}; }), HasSubstr("graph has no nodes"));
  EXPECT_THAT(report([](parameters& p) {
                p.nic.compression.selection.mode = weft::selection_mode::Always;
                p.nic.compression.latency = 100;
                p.nic.compression.ratio = 2.0;
              }),
              HasSubstr("nic.compression.ratio must be left out"));
  EXPECT_THAT(report([](parameters& p) {
                p.nic.compression.selection.mode = weft::selection_mode::Always;
                p.nic.compression.codec.exact = false;
              }),
              HasSubstr("nic.compression.codec.exact must be true"));
  EXPECT_THAT(
      report([](parameters& p) {
        p.map.push_back({0xfff, 1, 2});
      }),
      HasSubstr("/weft/noc/map: region 0x0 of 0x1000 bytes at node 1 overlaps region 0xfff of 0x1 bytes at node 2"));
  EXPECT_THAT(report([](parameters& p) { p.map = {{5, 0, 1}}; }), HasSubstr("is empty"));
  EXPECT_THAT(report([](parameters& p) { p.map = {{~std::uint64_t{0}, 2, 1}}; }), HasSubstr("ends above 2^64"));
  EXPECT_THAT(report([](parameters& p) { p.map = {{0, 1, 4}}; }), HasSubstr("nodes are 0 to 3"));
}

TEST(tlm_errors, region_without_a_target_is_reported_before_simulation) {
  weft::tlm2::noc_parameters p = mesh(2, 2);
  p.map = {{0x4000, 0x1000, 1}};
  weft::noc network("noc", p);
  EXPECT_THAT(report_of([] { sc_core::sc_start(sc_core::SC_ZERO_TIME); }), HasSubstr("bind to_target[1]"));
}

TEST(tlm_errors, sockets_may_stay_unbound) {
  weft::noc network("noc", mesh(2, 2));
  weft::noc_32 narrow("narrow", mesh(2, 2));
  sc_core::sc_start();
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  EXPECT_EQ(network.in_flight() + narrow.in_flight(), 0U);
}
