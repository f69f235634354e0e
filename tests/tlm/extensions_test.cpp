// SPDX-License-Identifier: Apache-2.0
/// Extensions of transactions: in the cycle mode they reach the target and return as in the loose mode, or a report
/// names the type that does not.
#include "tlm/resettable.h"
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using weft::tlm2::timing;

namespace {

/// An extension with a number. `Which` makes distinct types; live instances are counted.
template <int Which>
struct numbered_extension : tlm::tlm_extension<numbered_extension<Which>> {
  explicit numbered_extension(int n) : number(n) { ++alive; }
  numbered_extension(const numbered_extension& other) : tlm::tlm_extension<numbered_extension>(), number(other.number) {
    ++alive;
  }
  ~numbered_extension() override { --alive; }
  tlm::tlm_extension_base* clone() const override { return new numbered_extension(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override {
    number = static_cast<const numbered_extension&>(from).number;
  }
  int number;
  static inline int alive = 0;
};
using request_extension = numbered_extension<0>;
using answer_extension = numbered_extension<1>;

struct uncloned_extension : tlm::tlm_extension<uncloned_extension> {
  tlm::tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const tlm::tlm_extension_base&) override {}
};

struct extended_platform {
  explicit extended_platform(timing mode) : network("network", parameters(mode)) {
    cpu.socket.bind(network.from_initiator[0]);
    network.to_target[3].bind(memory.socket);
    sc_core::sc_report_handler::set_handler([](const sc_core::sc_report& r, const sc_core::sc_actions&) {
      if (std::string(r.get_msg_type()) == "/weft/noc/extensions") reports().push_back(r.get_msg());
    });
  }
  static weft::tlm2::noc_parameters parameters(timing mode) {
    weft::tlm2::noc_parameters p = mesh(2, 2);
    p.mode = mode;
    p.map = {{0, 1 << 18, 3}};
    return p;
  }
  static std::vector<std::string>& reports() {
    static std::vector<std::string> all;
    return all;
  }

  static void set_up(tlm::tlm_generic_payload& t, bytes& data) {
    t.set_command(tlm::TLM_WRITE_COMMAND);
    t.set_address(0);
    t.set_data_ptr(data.data());
    t.set_data_length(static_cast<unsigned>(data.size()));
    t.set_streaming_width(static_cast<unsigned>(data.size()));
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }

  /// Runs \p thread to its end.
  void run(const std::function<void()>& thread) {
    bool is_over = false;
    sc_core::sc_spawn([&] {
      thread();
      is_over = true;
    });
    sc_core::sc_start();
    EXPECT_TRUE(is_over);
    EXPECT_EQ(network.in_flight(), 0U);
  }

  weft::noc network;
  resettable_initiator cpu{"cpu"};
  simple_memory memory{"memory"};
};

}  // namespace

class tlm_extension_round_trip : public testing::TestWithParam<timing> {};

/// A sticky extension stays on a transaction without a memory manager and is used again.
TEST_P(tlm_extension_round_trip, sticky_extensions_return_modified) {
  extended_platform system(GetParam());
  system.memory.hook = [](tlm::tlm_generic_payload& t) {
    auto* const e = t.get_extension<request_extension>();
    ASSERT_NE(e, nullptr);
    e->number *= 2;
  };
  system.run([&] {
    request_extension sticky(1);
    bytes data(8);
    tlm::tlm_generic_payload t;
    t.set_extension(&sticky);
    for (const int expected : {2, 4, 8}) {
      system.set_up(t, data);
      sc_time delay;
      system.cpu.socket->b_transport(t, delay);
      EXPECT_EQ(t.get_extension<request_extension>(), &sticky);
      EXPECT_EQ(sticky.number, expected);
    }
    t.clear_extension(&sticky);
  });
  EXPECT_EQ(request_extension::alive, 0);
}

/// An auto extension is deleted when its transaction returns to the pool.
TEST_P(tlm_extension_round_trip, auto_extensions_return_modified) {
  extended_platform system(GetParam());
  system.memory.hook = [](tlm::tlm_generic_payload& t) { t.get_extension<request_extension>()->number += 5; };
  transaction_pool pool;
  system.run([&] {
    for (unsigned i = 0; i < 3; ++i) {
      owned_transaction& t = pool.acquire(tlm::TLM_WRITE_COMMAND, 0, bytes(8));
      EXPECT_EQ(t.get_extension<request_extension>(), nullptr);
      t.set_auto_extension(new request_extension(7));
      sc_time delay;
      system.cpu.socket->b_transport(t, delay);
      EXPECT_EQ(t.get_extension<request_extension>()->number, 12);
      t.release();
    }
  });
  EXPECT_EQ(request_extension::alive, 0);
}

/// An extension that the target adds reaches the initiator with the response and is deleted with the transaction.
TEST_P(tlm_extension_round_trip, target_extension_reaches_the_initiator) {
  extended_platform system(GetParam());
  int next = 40;
  system.memory.hook = [&](tlm::tlm_generic_payload& t) {
    EXPECT_EQ(t.get_extension<answer_extension>(), nullptr);
    t.set_extension(new answer_extension(++next));
  };
  system.run([&] {
    for (const int expected : {41, 42, 43}) {
      bytes data(8);
      tlm::tlm_generic_payload t;
      system.set_up(t, data);
      sc_time delay;
      system.cpu.socket->b_transport(t, delay);
      ASSERT_NE(t.get_extension<answer_extension>(), nullptr);
      EXPECT_EQ(t.get_extension<answer_extension>()->number, expected);
    }
  });
  EXPECT_EQ(answer_extension::alive, 0);
}

/// The same for a transaction with a memory manager.
TEST_P(tlm_extension_round_trip, target_extension_is_freed_with_a_pooled_transaction) {
  extended_platform system(GetParam());
  system.memory.hook = [&](tlm::tlm_generic_payload& t) { t.set_auto_extension(new answer_extension(3)); };
  transaction_pool pool;
  system.run([&] {
    for (unsigned i = 0; i < 3; ++i) {
      owned_transaction& t = pool.acquire(tlm::TLM_READ_COMMAND, 0, bytes(8));
      EXPECT_EQ(t.get_extension<answer_extension>(), nullptr);
      sc_time delay;
      system.cpu.socket->b_transport(t, delay);
      EXPECT_EQ(t.get_extension<answer_extension>()->number, 3);
      t.release();
    }
  });
  EXPECT_EQ(answer_extension::alive, 0);
}

/// A target leaves its own extension on a transaction. No other transaction carries it.
TEST_P(tlm_extension_round_trip, extensions_do_not_leak_between_transactions) {
  extended_platform system(GetParam());
  answer_extension own(1);
  unsigned met = 0, calls = 0;
  system.memory.hook = [&](tlm::tlm_generic_payload& t) {
    met += t.get_extension<answer_extension>() != nullptr;
    if (calls++ == 0) t.set_extension(&own);
  };
  transaction_pool pool;
  system.run([&] {
    owned_transaction& first = pool.acquire(tlm::TLM_READ_COMMAND, 0, bytes(8));
    sc_time delay;
    system.cpu.socket->b_transport(first, delay);
    EXPECT_NE(first.get_extension<answer_extension>(), nullptr);
    owned_transaction& second = pool.acquire(tlm::TLM_READ_COMMAND, 0, bytes(8));
    system.cpu.socket->b_transport(second, delay);
    EXPECT_EQ(second.get_extension<answer_extension>(), nullptr);
    first.clear_extension<answer_extension>();
    first.release();
    second.release();
  });
  EXPECT_EQ(met, 0U);
}

INSTANTIATE_TEST_SUITE_P(tlm_extensions, tlm_extension_round_trip, testing::Values(timing::Cycle, timing::Loose),
                         [](const testing::TestParamInfo<timing>& tested) {
                           return tested.param == timing::Cycle ? "cycle" : "loose";
                         });

/// Extensions that cannot be copied do not reach the target; each type is reported once. Those that the target adds
/// need no copy.
TEST(tlm_extensions, extensions_without_clone_are_reported) {
  extended_platform system(timing::Cycle);
  unsigned met = 0;
  uncloned_extension own, of_target;
  bool target_adds = false;
  system.memory.hook = [&](tlm::tlm_generic_payload& t) {
    met += t.get_extension<uncloned_extension>() != nullptr;
    if (target_adds) t.set_extension(&of_target);
  };
  system.run([&] {
    for (unsigned i = 0; i < 4; ++i) {
      bytes data(8);
      tlm::tlm_generic_payload t;
      system.set_up(t, data);
      if (!target_adds) t.set_extension(&own);
      sc_time delay;
      system.cpu.socket->b_transport(t, delay);
      EXPECT_TRUE(t.is_response_ok());
      EXPECT_EQ(t.get_extension<uncloned_extension>(), target_adds ? &of_target : &own);
      t.clear_extension(&own);
      target_adds = i > 0;
    }
  });
  EXPECT_EQ(met, 0U);
  ASSERT_THAT(system.reports(), ElementsAre(HasSubstr("initiator of node 0: the extension ")));
  EXPECT_THAT(system.reports()[0],
              HasSubstr("uncloned_extension is not transported, because its clone() returns null"));
}

TEST(tlm_extensions, extensions_without_clone_pass_in_loose_mode) {
  extended_platform system(timing::Loose);
  unsigned met = 0;
  uncloned_extension own;
  system.memory.hook = [&](tlm::tlm_generic_payload& t) { met += t.get_extension<uncloned_extension>() == &own; };
  system.run([&] {
    bytes data(8);
    tlm::tlm_generic_payload t;
    system.set_up(t, data);
    t.set_extension(&own);
    sc_time delay;
    system.cpu.socket->b_transport(t, delay);
    t.clear_extension(&own);
  });
  EXPECT_EQ(met, 1U);
  EXPECT_THAT(system.reports(), IsEmpty());
}
