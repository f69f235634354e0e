// SPDX-License-Identifier: Apache-2.0
/// Truncation rules: their syntax, the messages that they match, and the errors in them.
#include "weft/mpi/trace/truncation_rules.h"

#include "support/random.h"
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using testing::AllOf;
using testing::HasSubstr;

message_attributes doubles(std::uint64_t bytes, std::int64_t tag = 0, mpi_function f = mpi_function::Send) {
  return {data_type::Double, tag, f, bytes};
}

TEST(unit_trace_truncation_rules, each_condition_narrows_the_match) {
  const truncation_rule all = parse_truncation_rule("28 bits");
  EXPECT_EQ(all.bits, 28u);
  EXPECT_TRUE(all.fits(doubles(0)));
  EXPECT_TRUE(all.fits({data_type::DoubleComplex, AnyTag, std::nullopt, 8}));
  EXPECT_FALSE(all.fits({data_type::Int, 0, mpi_function::Send, 8}));  // no doubles
  EXPECT_FALSE(all.fits({data_type::Other, 0, mpi_function::Send, 8}));

  const truncation_rule one = parse_truncation_rule("  14 bits  from 4096 in MPI_Isend of double tag 7 ");
  EXPECT_TRUE(one.fits(doubles(4096, 7, mpi_function::Isend)));
  EXPECT_FALSE(one.fits(doubles(4095, 7, mpi_function::Isend)));
  EXPECT_FALSE(one.fits(doubles(4096, 8, mpi_function::Isend)));
  EXPECT_FALSE(one.fits(doubles(4096, 7, mpi_function::Send)));
  EXPECT_FALSE(one.fits({data_type::DoubleComplex, 7, mpi_function::Isend, 4096}));
  EXPECT_FALSE(one.fits({data_type::Double, AnyTag, std::nullopt, 4096}));  // listed messages have no tag, no function

  const truncation_rule raw = parse_truncation_rule("raw");
  EXPECT_FALSE(raw.bits);
  EXPECT_TRUE(raw.fits({data_type::Int, AnyTag, mpi_function::Allreduce, 0}));
  EXPECT_EQ(parse_truncation_rule("1 bit of double_complex").type, data_type::DoubleComplex);
  EXPECT_EQ(parse_truncation_rule("raw of int").type, data_type::Int);
}

TEST(unit_trace_truncation_rules, the_first_matching_rule_applies) {
  const std::vector<truncation_rule> rules{parse_truncation_rule("raw tag 1"),
                                           parse_truncation_rule("10 bits from 100"), parse_truncation_rule("20 bits")};
  EXPECT_EQ(rule_for(rules, doubles(500, 1)), &rules[0]);
  EXPECT_EQ(rule_for(rules, doubles(500, 2)), &rules[1]);
  EXPECT_EQ(rule_for(rules, doubles(99, 2)), &rules[2]);
  EXPECT_EQ(rule_for(rules, {data_type::Int, 2, mpi_function::Send, 8}), nullptr);
  EXPECT_EQ(rule_for({}, doubles(500)), nullptr);
}

TEST(unit_trace_truncation_rules, error_for_malformed_rule_describes_the_syntax) {
  const auto rejected = [](const std::string& text, const std::string& why) {
    try {
      parse_truncation_rule(text);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& e) {
      EXPECT_THAT(e.what(), AllOf(HasSubstr("'" + text + "'"), HasSubstr(why), HasSubstr("a rule is `N bits` or")));
    }
  };
  rejected("", "expected `raw` or the number of bits to cut, 0 to 51, got ''");
  rejected("52 bits", "0 to 51, got '52'");
  rejected("-1 bits", "got '-1'");
  rejected("28", "expected `bits` after 28");
  rejected("28 bits of float", "expected other, int, double or double_complex after `of`, got 'float'");
  rejected("28 bits of int", "LSB-cut supports only double and double_complex; use `raw` for other types");
  rejected("raw tag", "expected a tag, 0 to 2147483647, got ''");
  rejected("raw tag 2147483648", "got '2147483648'");
  rejected("raw in MPI_Wait", "expected an MPI function after `in`, such as MPI_Send or MPI_Allreduce");
  rejected("raw in MPI_Put", "got 'MPI_Put'");
  rejected("raw in MPI_Ibcast", "got 'MPI_Ibcast'; write MPI_Bcast, which covers both");
  rejected("raw in MPI_Isnothing", "got 'MPI_Isnothing'; a rule is");
  rejected("raw from 1k", "expected bytes, 0 to 1099511627776, got '1k'");
  rejected("raw from 1 from 2", "`from` is given twice");
  rejected("raw tag 1 tag 1", "`tag` is given twice");
  rejected("raw to 3", "'to' is not a condition");
}

TEST(unit_trace_truncation_rules, parses_several_rules_from_one_line) {
  EXPECT_TRUE(parse_truncation_rules("").empty());
  const std::vector<truncation_rule> all = parse_truncation_rules("28");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].bits, 28u);
  EXPECT_EQ(text_of(all), "28 bits");
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(text_of(parse_truncation_rules(" raw  tag 1 ;28 bits")), "raw  tag 1; 28 bits");
  const std::vector<truncation_rule> rules =
      parse_truncation_rules("14 bits tag 7 from 4096; raw in MPI_Allreduce;8 bits");
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[0].from, 4096u);
  EXPECT_FALSE(rules[1].bits);
  EXPECT_EQ(rules[2].bits, 8u);
  EXPECT_THROW(parse_truncation_rules("52"), std::invalid_argument);
  EXPECT_THROW(parse_truncation_rules("8 bits;;raw"), std::invalid_argument);
  EXPECT_THROW(parse_truncation_rules("raw" + std::string(32 * 1024, ' ')), std::invalid_argument);
}

TEST(unit_trace_truncation_rules, datum_size_is_the_size_each_member_sends_or_receives) {
  using mpi = mpi_function;
  EXPECT_EQ(datum_bytes(mpi::Bcast, 24, 24, {}, {}), 24u);
  EXPECT_EQ(datum_bytes(mpi::Gather, 8, 0, {}, {}), 8u);
  EXPECT_EQ(datum_bytes(mpi::Scatter, 8, 99, {}, {}), 8u);
  EXPECT_EQ(datum_bytes(mpi::Alltoallv, 0, 0, {8, 24}, {1000}), 16u);
  EXPECT_EQ(datum_bytes(mpi::Allgatherv, 8, 0, {}, {8, 16, 24}), 16u);
  EXPECT_EQ(datum_bytes(mpi::ReduceScatter, 48, 16, {}, {8, 16, 24}), 16u);
  EXPECT_EQ(datum_bytes(mpi::ReduceScatterBlock, 48, 16, {}, {}), 16u);
  // At the receiver the received bytes determine the size, except where all ranks contribute the same.
  const auto at_receiver = [](mpi f, std::uint64_t sent, std::uint64_t received, std::vector<std::uint64_t> sends,
                              std::vector<std::uint64_t> receives) {
    return datum_bytes(f, sent, received, sends, receives, truncation_point::Receiver);
  };
  EXPECT_EQ(at_receiver(mpi::Scatter, 0, 24, {}, {}), 24u);
  EXPECT_EQ(at_receiver(mpi::Alltoall, 8, 8, {}, {}), 8u);
  EXPECT_EQ(at_receiver(mpi::Alltoallw, 0, 0, {8, 24}, {1000, 2000}), 1500u);
  EXPECT_EQ(at_receiver(mpi::Allgatherv, 8, 0, {}, {8, 16, 24}), 16u);
  EXPECT_EQ(at_receiver(mpi::Bcast, 24, 24, {}, {}), 24u);
}

/// Expects that \p rules are rejected with exactly the message \p why.
void rejected(const std::string& rules, std::optional<truncation_point> where, const std::string& why) {
  try {
    check_truncation_rules(parse_truncation_rules(rules), where);
    ADD_FAILURE() << rules;
  } catch (const std::invalid_argument& e) {
    EXPECT_EQ(e.what(), why);
  }
}

TEST(unit_trace_truncation_rules, rejects_rules_that_match_no_message) {
  const std::string send =
                        "' matches no message: the sender truncates, so name the function that sends, such as MPI_Send "
                        "instead of MPI_Recv",
                    receive =
                        "' matches no message: the receiver truncates, so name the function that receives, such as "
                        "MPI_Recv instead of MPI_Send";
  for (const char* const f : {"MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv"})
    rejected(std::string("raw; 8 bits in ") + f, truncation_point::Sender, std::string("'8 bits in ") + f + send);
  for (const char* const f : {"MPI_Send", "MPI_Rsend", "MPI_Isend", "MPI_Irsend"})
    rejected(std::string("8 bits in ") + f, truncation_point::Receiver, std::string("'8 bits in ") + f + receive);
  rejected("raw in MPI_Barrier", truncation_point::Receiver,
           "'raw in MPI_Barrier' matches no message: a barrier carries no data; leave it out");
  for (const truncation_point where : {truncation_point::Sender, truncation_point::Receiver})
    rejected("8 bits tag 3 in MPI_Bcast", where,
             "'8 bits tag 3 in MPI_Bcast' matches no message: messages of collectives have no tag; leave `tag` out");
  for (const char* const rule : {"raw tag 3", "8 bits in MPI_Send"})
    rejected(rule, std::nullopt,
             "'" + std::string(rule) +
                 "' matches no message: messages of a list have no tag and no MPI function; select them by `of` and "
                 "`from`, or leave the rule out");
  rejected(
      "8 bits from 4; 9 bits tag 1 from 4", truncation_point::Sender,
      "'9 bits tag 1 from 4' matches no message: '8 bits from 4' before it matches them all; put the rule first, or "
      "leave it out");
  for (const truncation_point where : {truncation_point::Sender, truncation_point::Receiver})
    check_truncation_rules(
        parse_truncation_rules("8 bits in MPI_Sendrecv; 7 bits in MPI_Startall; 3 bits in MPI_Bcast; raw"), where);
}

TEST(unit_trace_truncation_rules, rejects_rules_hidden_by_earlier_rules_together) {
  const std::string remedy = "; put the rule first, or leave it out";
  for (const std::optional<truncation_point> where :
       {std::optional(truncation_point::Sender), std::optional(truncation_point::Receiver),
        std::optional<truncation_point>()}) {
    rejected("8 bits of double; 9 bits of double_complex from 4; 7 bits from 4", where,
             "'7 bits from 4' matches no message: '8 bits of double' and '9 bits of double_complex from 4' before it "
             "together match them all" +
                 remedy);
    rejected("raw of int; 8 bits; raw of other; raw", where,
             "'raw' matches no message: 'raw of other', 'raw of int' and '8 bits' before it together match them all" +
                 remedy);
    // The last rule matches the part of the messages that the earlier rules leave.
    check_truncation_rules(parse_truncation_rules("8 bits of double; 9 bits of double_complex from 4; 7 bits from 3"),
                           where);
    check_truncation_rules(parse_truncation_rules("8 bits of double; 7 bits"), where);
    check_truncation_rules(parse_truncation_rules("raw of int; 8 bits; raw"), where);
  }
  rejected("8 bits tag 1 from 64; 7 bits in MPI_Isend; 6 bits in MPI_Isend tag 1 from 80", truncation_point::Sender,
           "'6 bits in MPI_Isend tag 1 from 80' matches no message: '8 bits tag 1 from 64' before it matches them all" +
               remedy);
  rejected("8 bits of double tag 1; 7 bits of double_complex in MPI_Isend; 6 bits tag 1 in MPI_Isend",
           truncation_point::Sender,
           "'6 bits tag 1 in MPI_Isend' matches no message: '8 bits of double tag 1' and '7 bits of double_complex in "
           "MPI_Isend' before it together match them all" +
               remedy);
  // Every function that sends with a tag, and every one that has a tag at the receiver.
  const std::string both =
                        "1 bits in MPI_Sendrecv; 1 bits in MPI_Sendrecv_replace; 1 bits in MPI_Start; 1 bits in "
                        "MPI_Startall; ",
                    at_sender = both +
                                "1 bits in MPI_Send; 1 bits in MPI_Bsend; 1 bits in MPI_Ssend; 1 bits in MPI_Rsend; 1 "
                                "bits in MPI_Isend; 1 bits in MPI_Ibsend; 1 bits in MPI_Issend; ",
                    at_receiver = both + "1 bits in MPI_Recv; 1 bits in MPI_Mrecv; 1 bits in MPI_Irecv; ";
  const auto hidden = [](const std::string& rules, truncation_point where) {
    try {
      check_truncation_rules(parse_truncation_rules(rules), where);
      return false;
    } catch (const std::invalid_argument& e) {
      EXPECT_THAT(e.what(),
                  AllOf(HasSubstr("'2 bits tag 5' matches no message: '"), HasSubstr("' before it together match")));
      return true;
    }
  };
  EXPECT_FALSE(hidden(at_sender + "2 bits tag 5", truncation_point::Sender));
  EXPECT_TRUE(hidden(at_sender + "1 bits in MPI_Irsend; 2 bits tag 5", truncation_point::Sender));
  EXPECT_FALSE(hidden(at_receiver + "2 bits tag 5", truncation_point::Receiver));
  EXPECT_TRUE(hidden(at_receiver + "1 bits in MPI_Imrecv; 2 bits tag 5", truncation_point::Receiver));
  // There are more tags than rules can name, so a rule without a tag still has messages left.
  check_truncation_rules(parse_truncation_rules("8 bits tag 0; 8 bits tag 1; 8 bits tag 2; 7 bits"),
                         truncation_point::Sender);
}

/// Of random rules, exactly those are rejected for which an exhaustive search finds no matching message.
TEST(unit_trace_truncation_rules, rejects_exactly_the_rules_without_matching_messages) {
  const char* const conditions[][5] = {{"", "of double", "of double_complex", "of int", "of other"},
                                       {"", "", "", "tag 1", "tag 2"},
                                       {"", "", "in MPI_Send", "in MPI_Isend", "in MPI_Bcast"},
                                       {"", "from 1", "from 8", "from 9", "from 64"}};
  std::vector<message_attributes> messages;
  for (std::size_t f = 0; f < static_cast<std::size_t>(mpi_function::Put); ++f) {
    const auto function = static_cast<mpi_function>(f);
    if (is_completion(function) || is_receive(function) || function == mpi_function::Barrier) continue;
    for (const std::int64_t tag : {std::int64_t{AnyTag}, std::int64_t{1}, std::int64_t{2}, std::int64_t{3}})
      for (const data_type type : {data_type::Other, data_type::Int, data_type::Double, data_type::DoubleComplex})
        for (const std::uint64_t bytes : {0, 1, 8, 9, 64, 65})
          if (is_collective(function) == (tag == AnyTag)) messages.push_back({type, tag, function, bytes});
  }
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  rng random(seed);
  std::size_t rejected = 0, taken = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<truncation_rule> rules;
    for (std::uint32_t i = random.between(2, 5); i > 0; --i) {
      std::string text = random.chance(0.5) ? "raw" : "8 bits";
      for (const auto& choices : conditions) text += std::string(" ") + choices[random.between(0, 4)];
      try {
        rules.push_back(parse_truncation_rule(text));
      } catch (const std::invalid_argument&) {  // a rule for integers that truncates bits
      }
    }
    const bool of_no_call = std::any_of(rules.begin(), rules.end(), [](const truncation_rule& r) {
      return r.tag && r.function && is_collective(*r.function);
    });
    if (of_no_call) continue;
    const bool all_fit = std::all_of(rules.begin(), rules.end(), [&](const truncation_rule& rule) {
      return std::any_of(messages.begin(), messages.end(),
                         [&](const message_attributes& m) { return rule_for(rules, m) == &rule; });
    });
    bool good = true;
    try {
      check_truncation_rules(rules, truncation_point::Sender);
    } catch (const std::invalid_argument&) {
      good = false;
    }
    EXPECT_EQ(good, all_fit) << text_of(rules);
    ++(good ? taken : rejected);
  }
  EXPECT_GT(rejected, 100u);
  EXPECT_GT(taken, 100u);
}

}  // namespace
}  // namespace weft
