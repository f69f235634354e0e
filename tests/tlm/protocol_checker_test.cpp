// SPDX-License-Identifier: Apache-2.0
/// Tests the protocol_checker of the other tests with one planted violation of each rule.
#include "tlm/protocol_bench.h"
#include <functional>
#include <ostream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct planted_violation {
  const char* name;
  const char* found;  ///< the expected report, or a part of it
  std::function<void(protocol_bench&)> play;
};

namespace {

using transaction = protocol_bench::transaction;
using phase_t = protocol_bench::phase_t;

/// Runs \p play in a thread.
std::vector<std::string> violations_of(const std::function<void(protocol_bench&)>& play) {
  protocol_bench system("bench");
  sc_core::sc_spawn([&] { play(system); });
  sc_core::sc_start();
  return system.checker.violations();
}

const planted_violation Requests[] = {
    {"status", "b_transport() of a transaction with a status",
     [](protocol_bench& s) {
       auto& t = s.write();
       t.set_response_status(tlm::TLM_OK_RESPONSE);
       s.block(t);
     }},
    {"dmi_hint", "b_transport() of a transaction with a DMI hint",
     [](protocol_bench& s) {
       auto& t = s.write();
       t.set_dmi_allowed(true);
       s.block(t);
     }},
    {"payload_option", "with a payload option",
     [](protocol_bench& s) {
       auto& t = s.write();
       t.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
       s.block(t);
     }},
    {"no_data", "of a transaction without data",
     [](protocol_bench& s) {
       auto& t = s.read();
       t.set_data_ptr(nullptr);
       s.block(t);
     }},
    {"no_bytes", "of a transaction of no bytes",
     [](protocol_bench& s) {
       auto& t = s.read();
       t.set_data_length(0);
       s.block(t);
     }},
    {"no_width", "with a streaming width of 0",
     [](protocol_bench& s) {
       auto& t = s.read();
       t.set_streaming_width(0);
       s.block(t);
     }},
    {"no_enables", "with byte enables of no bytes",
     [](protocol_bench& s) {
       auto& t = s.read();
       t.set_byte_enable_ptr(s.data);
       s.block(t);
     }},
    {"not_managed", "BEGIN_REQ of a transaction that is not managed",
     [](protocol_bench& s) {
       static transaction t;
       t.set_command(tlm::TLM_IGNORE_COMMAND);
       s.forward(t, tlm::BEGIN_REQ);
     }},
    {"released", "END_RESP of a transaction that is not managed",
     [](protocol_bench& s) {
       auto& t = s.answered();
       t.set_mm(nullptr);
       s.forward(t, tlm::END_RESP);
     }},
    {"second_request", "BEGIN_REQ within another request",
     [](protocol_bench& s) {
       s.forward(s.write(), tlm::BEGIN_REQ);
       s.forward(s.write(), tlm::BEGIN_REQ);
     }},
    {"reused_while_outstanding", "BEGIN_REQ of a transaction that is under way",
     [](protocol_bench& s) {
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ);
       s.backward(t, tlm::END_REQ);
       s.forward(t, tlm::BEGIN_REQ);
     }},
    {"used_by_both_interfaces", "b_transport() of a transaction that is under way",
     [](protocol_bench& s) {
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ);
       s.backward(t, tlm::END_REQ);
       s.block(t);
     }},
    {"method", "b_transport() from a process that is not a thread",
     [](protocol_bench& s) {
       sc_core::sc_spawn_options how;
       how.spawn_method();
       sc_core::sc_spawn([&s] { s.block(s.write()); }, "method", &how);
     }},
};

const planted_violation Answers[] = {
    {"no_status", "b_transport() returned without a status",
     [](protocol_bench& s) {
       s.b = [](transaction&, sc_time&) {};
       s.block(s.write());
     }},
    {"address_changed", "b_transport() returned with a changed attribute",
     [](protocol_bench& s) {
       s.b = [](transaction& t, sc_time&) {
         t.set_address(9);
         t.set_response_status(tlm::TLM_OK_RESPONSE);
       };
       s.block(s.write());
     }},
    {"write_changed", "b_transport() returned with a changed attribute",
     [](protocol_bench& s) {
       s.b = [](transaction& t, sc_time&) {
         t.get_data_ptr()[3] = 1;
         t.set_response_status(tlm::TLM_OK_RESPONSE);
       };
       s.block(s.write());
     }},
    {"time_of_b_transport", "the time of a transaction decreases",
     [](protocol_bench& s) {
       s.b = [](transaction& t, sc_time& delay) {
         delay = sc_time(1, SC_NS);
         t.set_response_status(tlm::TLM_OK_RESPONSE);
       };
       s.block(s.write(), 2);
     }},
    {"time_of_phases", "the time of a transaction decreases",
     [](protocol_bench& s) {
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ, 3);
       s.backward(t, tlm::END_REQ, 2);
     }},
    {"time_of_a_return", "the time of a transaction decreases",
     [](protocol_bench& s) {
       s.fw = [](transaction&, phase_t& phase, sc_time& delay) {
         delay = sc_core::SC_ZERO_TIME;
         phase = tlm::END_REQ;
         return tlm::TLM_UPDATED;
       };
       s.forward(s.write(), tlm::BEGIN_REQ, 1);
     }},
    {"accepted_phase", "TLM_ACCEPTED with another phase",
     [](protocol_bench& s) {
       s.fw = [](transaction&, phase_t& phase, sc_time&) {
         phase = tlm::END_REQ;
         return tlm::TLM_ACCEPTED;
       };
       s.forward(s.write(), tlm::BEGIN_REQ);
     }},
    {"accepted_delay", "TLM_ACCEPTED with another delay",
     [](protocol_bench& s) {
       s.fw = [](transaction&, phase_t&, sc_time& delay) {
         delay += sc_time(1, SC_NS);
         return tlm::TLM_ACCEPTED;
       };
       s.forward(s.write(), tlm::BEGIN_REQ);
     }},
    {"updated_phase", "BEGIN_REQ updated to a phase that cannot follow",
     [](protocol_bench& s) {
       s.fw = [](transaction& t, phase_t& phase, sc_time&) {
         t.set_response_status(tlm::TLM_OK_RESPONSE);
         phase = tlm::END_RESP;
         return tlm::TLM_UPDATED;
       };
       s.forward(s.write(), tlm::BEGIN_REQ);
     }},
    {"unexpected_response", "BEGIN_RESP of a transaction that expects no response",
     [](protocol_bench& s) {
       auto& t = s.write();
       t.set_response_status(tlm::TLM_OK_RESPONSE);
       s.backward(t, tlm::BEGIN_RESP);
     }},
    {"second_response", "BEGIN_RESP within another response",
     [](protocol_bench& s) {
       s.answered();
       s.answered();
     }},
    {"response_without_status", "BEGIN_RESP without a status",
     [](protocol_bench& s) {
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ);
       s.backward(t, tlm::BEGIN_RESP);
     }},
    {"response_with_other_length", "BEGIN_RESP with a changed attribute",
     [](protocol_bench& s) {
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ);
       t.set_response_status(tlm::TLM_OK_RESPONSE);
       t.set_data_length(4);
       s.backward(t, tlm::BEGIN_RESP);
     }},
    {"end_of_request_twice", "END_REQ outside of the request",
     [](protocol_bench& s) {
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ);
       s.backward(t, tlm::END_REQ);
       s.forward(s.write(), tlm::BEGIN_REQ);
       s.backward(t, tlm::END_REQ);
     }},
    {"end_of_response_twice", "END_RESP outside of the response",
     [](protocol_bench& s) {
       auto& t = s.answered();
       s.forward(t, tlm::END_RESP);
       s.forward(t, tlm::END_RESP);
     }},
    {"request_on_the_backward_path", "a phase that is not allowed on the backward path",
     [](protocol_bench& s) {
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ);
       s.backward(t, tlm::BEGIN_REQ);
     }},
    {"response_on_the_forward_path", "a phase that is not allowed on the forward path",
     [](protocol_bench& s) { s.forward(s.write(), tlm::BEGIN_RESP); }},
    {"end_of_request_updated", "END_REQ answered by more than TLM_ACCEPTED",
     [](protocol_bench& s) {
       s.bw = [](transaction& t, phase_t& phase, sc_time&) {
         t.set_response_status(tlm::TLM_OK_RESPONSE);
         phase = tlm::END_RESP;
         return tlm::TLM_UPDATED;
       };
       auto& t = s.write();
       s.forward(t, tlm::BEGIN_REQ);
       s.backward(t, tlm::END_REQ);
     }},
    {"response_updated_to_request", "BEGIN_RESP updated to a phase that cannot follow",
     [](protocol_bench& s) {
       s.bw = [](transaction&, phase_t& phase, sc_time&) {
         if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
         phase = tlm::END_REQ;
         return tlm::TLM_UPDATED;
       };
       s.answered();
     }},
    {"end_of_response_updated", "END_RESP answered by TLM_UPDATED",
     [](protocol_bench& s) {
       auto& t = s.answered();
       s.fw = [](transaction&, phase_t&, sc_time&) { return tlm::TLM_UPDATED; };
       s.forward(t, tlm::END_RESP);
     }},
};

const planted_violation Direct[] = {
    {"already_granted", "with a DMI descriptor that grants access already",
     [](protocol_bench& s) {
       tlm::tlm_dmi d;
       d.allow_read();
       s.source->get_direct_mem_ptr(s.read(), d);
     }},
    {"range_without_the_address", "returns a range without the address",
     [](protocol_bench& s) {
       s.dmi = [&s](transaction&, tlm::tlm_dmi& d) {
         d.set_start_address(9);
         d.set_dmi_ptr(s.data);
         d.allow_read();
         return true;
       };
       tlm::tlm_dmi d;
       s.request_dmi(d);
     }},
    {"without_a_pointer", "grants access without a pointer",
     [](protocol_bench& s) {
       s.dmi = [](transaction&, tlm::tlm_dmi& d) {
         d.allow_read();
         return true;
       };
       tlm::tlm_dmi d;
       s.request_dmi(d);
     }},
    {"without_access", "returned without a kind of access",
     [](protocol_bench& s) {
       s.dmi = [](transaction&, tlm::tlm_dmi&) { return false; };
       tlm::tlm_dmi d;
       s.request_dmi(d);
     }},
    {"another_kind_of_access", "grants another kind of access than requested",
     [](protocol_bench& s) {
       s.dmi = [&s](transaction&, tlm::tlm_dmi& d) {
         d.set_dmi_ptr(s.data);
         d.allow_write();
         return true;
       };
       tlm::tlm_dmi d;
       s.request_dmi(d);
     }},
    {"dmi_changes_the_address", "get_direct_mem_ptr() changed an attribute",
     [](protocol_bench& s) {
       s.dmi = [&s](transaction& t, tlm::tlm_dmi& d) {
         t.set_address(9);
         d.set_dmi_ptr(s.data);
         d.allow_read();
         return true;
       };
       tlm::tlm_dmi d;
       s.request_dmi(d);
     }},
    {"invalid_range", "of a range that ends before it begins",
     [](protocol_bench& s) { s.sink->invalidate_direct_mem_ptr(2, 1); }},
    {"debug_returns_too_many_bytes", "transport_dbg() returned more bytes than requested",
     [](protocol_bench& s) {
       s.debug = [](transaction&) { return 9U; };
       s.source->transport_dbg(s.read());
     }},
    {"debug_changes_the_length", "transport_dbg() changed an attribute",
     [](protocol_bench& s) {
       s.debug = [](transaction& t) {
         t.set_data_length(1);
         return 1U;
       };
       s.source->transport_dbg(s.read());
     }},
};

}  // namespace

class tlm_protocol_checker : public testing::TestWithParam<planted_violation> {};

TEST_P(tlm_protocol_checker, reports_the_planted_violation) {
  EXPECT_THAT(violations_of(GetParam().play), ElementsAre(HasSubstr(GetParam().found)));
}

const auto name_of_planted = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(of_requests, tlm_protocol_checker, testing::ValuesIn(Requests), name_of_planted);
INSTANTIATE_TEST_SUITE_P(of_answers, tlm_protocol_checker, testing::ValuesIn(Answers), name_of_planted);
INSTANTIATE_TEST_SUITE_P(of_direct_access, tlm_protocol_checker, testing::ValuesIn(Direct), name_of_planted);

TEST(tlm_protocol, valid_transactions_have_no_violations) {
  const auto play = [](protocol_bench& s) {
    s.block(s.read(), 5);
    auto& t = s.answered();
    s.forward(t, tlm::END_RESP);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    s.forward(t, tlm::BEGIN_REQ, 1);  // may be reused
    s.backward(t, tlm::END_REQ, 1);
    tlm::tlm_dmi d;
    EXPECT_TRUE(s.request_dmi(d));
    s.source->transport_dbg(s.write());
    s.sink->invalidate_direct_mem_ptr(1, 1);
  };
  EXPECT_THAT(violations_of(play), IsEmpty());
}
