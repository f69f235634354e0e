// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/node_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/collectives/communication/xor_plan.h"

using namespace weft;
using ::testing::ElementsAre;
using ::testing::Pointee;

namespace {

using words = std::vector<std::uint64_t>;

/// Data 0 to 3 of node 0, with 1, 1, 2 and 1 flits. The tests send them to node 1.
collective four_data() {
  collective c;
  c.nodes = 3;
  c.steps = {"A", "B"};
  c.data = {{0, 1}, {0, 1}, {0, 2}, {0, 1}};
  return c;
}

struct memory_fixture {
  collective c = four_data();
  word_pool pool;
  node_memory memory{c, 1, pool};

  message_id add_xor(const std::vector<datum_id>& of) { return c.add(0, 1, 0, payload_form::Xor, of, {}); }
};

TEST(unit_workload_node_memory, keeps_data_word_for_word) {
  memory_fixture f;
  const words two = {5, 6};
  EXPECT_EQ(f.memory.find(2), nullptr);
  EXPECT_TRUE(f.memory.store(2, two.data()));
  EXPECT_EQ(words(f.memory.find(2), f.memory.find(2) + 2), two);
  EXPECT_TRUE(f.memory.store(2, two.data()));
  const words others = {5, 7};
  EXPECT_FALSE(f.memory.store(2, others.data()));
}

TEST(unit_workload_node_memory, decodes_xors_arriving_before_their_data) {
  memory_fixture f;
  const message_id first = f.add_xor({0, 1, 3}), second = f.add_xor({1, 3});
  EXPECT_TRUE(f.memory.store_xor(first, {0b001 ^ 0b010 ^ 0b100}));
  EXPECT_TRUE(f.memory.store_xor(second, {0b010 ^ 0b100}));
  EXPECT_EQ(f.memory.find(0), nullptr);  // peeling does not combine XORs that it cannot decode
  const std::uint64_t third = 0b100;
  EXPECT_TRUE(f.memory.store(3, &third));
  EXPECT_THAT(f.memory.find(1), Pointee(0b010));
  EXPECT_THAT(f.memory.find(0), Pointee(0b001));
  EXPECT_EQ(f.memory.decoded(), 2u);
  EXPECT_EQ(f.memory.redundant(), 0u);
  EXPECT_EQ(f.memory.most_waiting(), 2u);
}

TEST(unit_workload_node_memory, pads_the_shorter_operand_with_zeros) {
  memory_fixture f;
  const message_id m = f.add_xor({0, 2});
  const std::uint64_t longer[] = {3, 4};
  f.memory.store(2, longer);
  EXPECT_TRUE(f.memory.store_xor(m, {3 ^ 9, 4}));
  EXPECT_THAT(f.memory.find(0), Pointee(9));
  EXPECT_FALSE(f.memory.store_xor(m, {3 ^ 9, 5}));  // a word after the end of datum 0
}

TEST(unit_workload_node_memory, detects_redundant_and_contradictory_xors) {
  memory_fixture f;
  const message_id m = f.add_xor({0, 1});
  const std::uint64_t one = 1, two = 2;
  f.memory.store(0, &one);
  f.memory.store(1, &two);
  EXPECT_TRUE(f.memory.store_xor(m, {1 ^ 2}));
  EXPECT_EQ(f.memory.redundant(), 1u);
  EXPECT_FALSE(f.memory.store_xor(m, {1}));
}

TEST(unit_workload_node_memory, two_xors_may_decode_to_the_same_datum) {
  memory_fixture f;
  const message_id a = f.add_xor({0, 1}), b = f.add_xor({0, 1});
  f.memory.store_xor(a, {3});
  f.memory.store_xor(b, {3});
  const std::uint64_t one = 1;
  EXPECT_TRUE(f.memory.store(0, &one));
  EXPECT_THAT(f.memory.find(1), Pointee(2));
  EXPECT_EQ(f.memory.decoded(), 1u);
  EXPECT_EQ(f.memory.redundant(), 1u);
}

TEST(unit_workload_node_memory, combines_the_largest_partial_sums_first) {
  memory_fixture f;
  const message_id small = f.c.add(0, 1, 0, payload_form::Sum, {0, 1}, {});
  const message_id large = f.c.add(0, 1, 0, payload_form::Sum, {0, 1, 3}, {});
  f.memory.store_sum(small, {0xffff'ffff'0000'0001});
  EXPECT_THAT(f.memory.sum_of({0, 1, 3}).missing, ElementsAre(3));
  f.memory.store_sum(large, {0x0000'0001'0000'0002});
  EXPECT_THAT(f.memory.sum_of({3, 0, 1}).words, ElementsAre(0x0000'0001'0000'0002));
  EXPECT_THAT(f.memory.sum_of({3, 0, 1}).missing, ElementsAre());
  const std::uint64_t third = 0x0000'0001'ffff'ffff;
  f.memory.store(3, &third);
  EXPECT_THAT(f.memory.sum_of({1, 0}).words, ElementsAre(0xffff'ffff'0000'0001));
}

TEST(unit_workload_node_memory, adds_32_bit_words_without_carry_between_them) {
  words sum = {0x0000'0001'ffff'ffff};
  const std::uint64_t one = 0xffff'ffff'0000'0001;
  add_into(sum, &one, 1);
  EXPECT_THAT(sum, ElementsAre(0));
}

// xor_plan

constexpr xor_parameters Stages{true, 16, 16, 0};

TEST(unit_workload_xor_plan, nic_decodes_xors_resolvable_by_peeling) {
  collective c = four_data();
  const message_id plain = c.add(0, 1, 0, payload_form::Datum, {0}, {});
  const message_id pair = c.add(0, 1, 0, payload_form::Xor, {0, 1}, {});
  const message_id next = c.add(0, 1, 0, payload_form::Xor, {1, 3}, {});
  const message_id three = c.add(0, 1, 0, payload_form::Xor, {0, 1, 3}, {});
  const message_id elsewhere = c.add(0, 2, 0, payload_form::Xor, {0, 1}, {});
  const xor_plan plan = make_xor_plan(c, xor_unit::Nic, Stages);
  EXPECT_FALSE(plan.by_nic[plain]);
  EXPECT_TRUE(plan.by_nic[pair]);
  EXPECT_TRUE(plan.by_nic[next]);
  EXPECT_FALSE(plan.by_nic[three]);
  EXPECT_FALSE(plan.by_nic[elsewhere]);  // node 2 receives neither operand
  EXPECT_EQ(plan.uses[plain][0], 1);
  EXPECT_THAT(plan.uses[pair], ElementsAre(1, 2));
  EXPECT_THAT(plan.uses[next], ElementsAre(2, 1));
}

/// With two, datum 1 would be stored twice if its plain packet comes after the first XOR, and one entry would remain.
TEST(unit_workload_xor_plan, keeps_one_plain_datum_per_connected_set_of_xors) {
  collective c = four_data();
  c.data.push_back({0, 1});
  const message_id zero = c.add(0, 1, 0, payload_form::Datum, {0}, {});
  const message_id one = c.add(0, 1, 0, payload_form::Datum, {1}, {});
  const message_id alone = c.add(0, 1, 0, payload_form::Datum, {4}, {});
  const message_id again = c.add(0, 1, 0, payload_form::Datum, {0}, {});
  const message_id pair = c.add(0, 1, 0, payload_form::Xor, {0, 1}, {});
  const message_id next = c.add(0, 1, 0, payload_form::Xor, {1, 3}, {});
  const xor_plan plan = make_xor_plan(c, xor_unit::Nic, Stages);
  EXPECT_EQ(plan.uses[zero][0], 1);
  for (const message_id m : {one, alone, again}) EXPECT_EQ(plan.uses[m][0], 0) << "message " << m;
  EXPECT_THAT(plan.uses[pair], ElementsAre(1, 2));
  EXPECT_THAT(plan.uses[next], ElementsAre(2, 1));
}

TEST(unit_workload_xor_plan, leaves_xors_of_a_receivers_own_data_to_the_node) {
  collective c = four_data();
  c.data.push_back({1, 1});
  const message_id m = c.add(0, 1, 0, payload_form::Xor, {0, 4}, {});
  EXPECT_FALSE(make_xor_plan(c, xor_unit::Nic, Stages).by_nic[m]);
}

TEST(unit_workload_xor_plan, recognizes_forwarded_copies) {
  collective c = four_data();
  const message_id in = c.add(0, 1, 0, payload_form::Xor, {0, 1}, {});
  const message_id on = c.add(1, 2, 1, payload_form::Xor, {1, 0}, {in});
  for (const xor_unit place : {xor_unit::Node, xor_unit::Nic}) {
    const xor_plan plan = make_xor_plan(c, place, Stages);
    EXPECT_EQ(plan.copy_of[in], NoMessage);
    EXPECT_EQ(plan.copy_of[on], in);
    EXPECT_TRUE(plan.relayed[in]);
    EXPECT_FALSE(plan.relayed[on]);
  }
}

TEST(unit_workload_xor_plan, rejects_what_a_header_or_stage_cannot_hold) {
  collective c = four_data();
  c.add(0, 1, 0, payload_form::Datum, {0}, {});
  c.add(0, 1, 1, payload_form::Xor, {0, 2}, {});
  const auto rejection = [&](unsigned depth) -> std::string {
    try {
      make_xor_plan(c, xor_unit::Nic, {true, 16, depth, 0});
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(rejection(2), "");
  EXPECT_EQ(rejection(1), "message 1 of step B from node 0 to node 1 has 2 flits, but XOR stages hold at most 1");
  for (int i = 0; i < 15; ++i) {
    c.data.push_back({0, 1});
    c.add(0, 1, 1, payload_form::Xor, {0, static_cast<datum_id>(4 + i)}, {});
  }
  EXPECT_EQ(rejection(2),
            "datum 0 occurs in 16 XORs to node 1, but a header counts at most 15; let the nodes do the XORs, or form "
            "smaller groups");
}

}  // namespace
