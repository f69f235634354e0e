// SPDX-License-Identifier: Apache-2.0
/// Rules of cuts: what they say, which messages they fit, what is refused.
#include "weft/trace/cut_rules.h"

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

cut_subject doubles(std::uint64_t bytes, std::int64_t tag = 0, mpi_function f = mpi_function::Send) {
  return {data_type::Double, tag, f, bytes};
}

TEST(trace_cut_rules, each_condition_narrows) {
  const cut_rule all = parse_cut_rule("28 bits");
  EXPECT_EQ(all.bits, 28u);
  EXPECT_TRUE(all.fits(doubles(0)));
  EXPECT_TRUE(all.fits({data_type::DoubleComplex, AnyTag, std::nullopt, 8}));
  EXPECT_FALSE(all.fits({data_type::Int, 0, mpi_function::Send, 8}));  // no doubles
  EXPECT_FALSE(all.fits({data_type::Other, 0, mpi_function::Send, 8}));

  const cut_rule one = parse_cut_rule("  14 bits  from 4096 in MPI_Isend of double tag 7 ");
  EXPECT_TRUE(one.fits(doubles(4096, 7, mpi_function::Isend)));
  EXPECT_FALSE(one.fits(doubles(4095, 7, mpi_function::Isend)));
  EXPECT_FALSE(one.fits(doubles(4096, 8, mpi_function::Isend)));
  EXPECT_FALSE(one.fits(doubles(4096, 7, mpi_function::Send)));
  EXPECT_FALSE(one.fits({data_type::DoubleComplex, 7, mpi_function::Isend, 4096}));
  EXPECT_FALSE(one.fits({data_type::Double, AnyTag, std::nullopt, 4096}));  // of a list: no tag, no function

  const cut_rule raw = parse_cut_rule("raw");
  EXPECT_FALSE(raw.bits);
  EXPECT_TRUE(raw.fits({data_type::Int, AnyTag, mpi_function::Allreduce, 0}));
  EXPECT_EQ(parse_cut_rule("1 bit of double_complex").type, data_type::DoubleComplex);
  EXPECT_EQ(parse_cut_rule("raw of int").type, data_type::Int);
}

TEST(trace_cut_rules, the_first_that_fits_decides) {
  const std::vector<cut_rule> rules{parse_cut_rule("raw tag 1"), parse_cut_rule("10 bits from 100"),
                                    parse_cut_rule("20 bits")};
  EXPECT_EQ(rule_for(rules, doubles(500, 1)), &rules[0]);
  EXPECT_EQ(rule_for(rules, doubles(500, 2)), &rules[1]);
  EXPECT_EQ(rule_for(rules, doubles(99, 2)), &rules[2]);
  EXPECT_EQ(rule_for(rules, {data_type::Int, 2, mpi_function::Send, 8}), nullptr);
  EXPECT_EQ(rule_for({}, doubles(500)), nullptr);
}

TEST(trace_cut_rules, what_is_no_rule_says_what_one_is) {
  const auto refused = [](const std::string& text, const std::string& why) {
    try {
      parse_cut_rule(text);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& e) {
      EXPECT_THAT(e.what(), AllOf(HasSubstr("'" + text + "'"), HasSubstr(why), HasSubstr("a rule is `N bits` or")));
    }
  };
  refused("", "expected `raw` or how many bits are cut, 0 to 51, got ''");
  refused("52 bits", "0 to 51, got '52'");
  refused("-1 bits", "got '-1'");
  refused("28", "expected `bits` behind 28");
  refused("28 bits of float", "expected other, int, double or double_complex behind `of`, got 'float'");
  refused("28 bits of int", "LSB-cut is for double and double_complex, others can be raw");
  refused("raw tag", "expected a tag, 0 to 2147483647, got ''");
  refused("raw tag 2147483648", "got '2147483648'");
  refused("raw in MPI_Wait", "expected a function of MPI behind `in`, such as MPI_Send or MPI_Allreduce");
  refused("raw in MPI_Put", "got 'MPI_Put'");
  refused("raw in MPI_Ibcast", "got 'MPI_Ibcast'; write MPI_Bcast, which stands for both");
  refused("raw in MPI_Isnothing", "got 'MPI_Isnothing'; a rule is");
  refused("raw from 1k", "expected bytes, 0 to 1099511627776, got '1k'");
  refused("raw from 1 from 2", "`from` is there twice");
  refused("raw tag 1 tag 1", "`tag` is there twice");
  refused("raw to 3", "'to' means nothing");
}

TEST(trace_cut_rules, several_stand_in_one_line) {
  EXPECT_TRUE(parse_cut_rules("").empty());
  const std::vector<cut_rule> all = parse_cut_rules("28");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].bits, 28u);
  EXPECT_EQ(text_of(all), "28 bits");
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(text_of(parse_cut_rules(" raw  tag 1 ;28 bits")), "raw  tag 1; 28 bits");
  const std::vector<cut_rule> rules = parse_cut_rules("14 bits tag 7 from 4096; raw in MPI_Allreduce;8 bits");
  ASSERT_EQ(rules.size(), 3u);
  EXPECT_EQ(rules[0].from, 4096u);
  EXPECT_FALSE(rules[1].bits);
  EXPECT_EQ(rules[2].bits, 8u);
  EXPECT_THROW(parse_cut_rules("52"), std::invalid_argument);
  EXPECT_THROW(parse_cut_rules("8 bits;;raw"), std::invalid_argument);
  EXPECT_THROW(parse_cut_rules("raw" + std::string(32 * 1024, ' ')), std::invalid_argument);
}

TEST(trace_cut_rules, a_datum_is_what_each_member_gives_or_gets) {
  using mpi = mpi_function;
  EXPECT_EQ(datum_bytes(mpi::Bcast, 24, 24, {}, {}), 24u);
  EXPECT_EQ(datum_bytes(mpi::Gather, 8, 0, {}, {}), 8u);
  EXPECT_EQ(datum_bytes(mpi::Scatter, 8, 99, {}, {}), 8u);
  EXPECT_EQ(datum_bytes(mpi::Alltoallv, 0, 0, {8, 24}, {1000}), 16u);
  EXPECT_EQ(datum_bytes(mpi::Allgatherv, 8, 0, {}, {8, 16, 24}), 16u);
  EXPECT_EQ(datum_bytes(mpi::ReduceScatter, 48, 16, {}, {8, 16, 24}), 16u);
  EXPECT_EQ(datum_bytes(mpi::ReduceScatterBlock, 48, 16, {}, {}), 16u);
  // At the receiver by what comes there, but for what all give the same.
  const auto at_receiver = [](mpi f, std::uint64_t sent, std::uint64_t received, std::vector<std::uint64_t> sends,
                              std::vector<std::uint64_t> receives) {
    return datum_bytes(f, sent, received, sends, receives, trace_cut::Receiver);
  };
  EXPECT_EQ(at_receiver(mpi::Scatter, 0, 24, {}, {}), 24u);
  EXPECT_EQ(at_receiver(mpi::Alltoall, 8, 8, {}, {}), 8u);
  EXPECT_EQ(at_receiver(mpi::Alltoallw, 0, 0, {8, 24}, {1000, 2000}), 1500u);
  EXPECT_EQ(at_receiver(mpi::Allgatherv, 8, 0, {}, {8, 16, 24}), 16u);
  EXPECT_EQ(at_receiver(mpi::Bcast, 24, 24, {}, {}), 24u);
}

/// \p rules are refused, and \p why says all.
void refused(const std::string& rules, std::optional<trace_cut> where, const std::string& why) {
  try {
    check_cut_rules(parse_cut_rules(rules), where);
    ADD_FAILURE() << rules;
  } catch (const std::invalid_argument& e) {
    EXPECT_EQ(e.what(), why);
  }
}

TEST(trace_cut_rules, that_fit_nothing_are_refused) {
  const std::string send = "' fits no message: its function is the one that sends it, such as MPI_Send for MPI_Recv",
                    receive =
                        "' fits no message: its function is the one that receives it, such as MPI_Recv for MPI_Send";
  for (const char* const f : {"MPI_Recv", "MPI_Irecv", "MPI_Mrecv", "MPI_Imrecv"})
    refused(std::string("raw; 8 bits in ") + f, trace_cut::Sender, std::string("'8 bits in ") + f + send);
  for (const char* const f : {"MPI_Send", "MPI_Rsend", "MPI_Isend", "MPI_Irsend"})
    refused(std::string("8 bits in ") + f, trace_cut::Receiver, std::string("'8 bits in ") + f + receive);
  refused("raw in MPI_Barrier", trace_cut::Receiver,
          "'raw in MPI_Barrier' fits no message: a barrier carries no data; leave it out");
  for (const trace_cut where : {trace_cut::Sender, trace_cut::Receiver})
    refused("8 bits tag 3 in MPI_Bcast", where,
            "'8 bits tag 3 in MPI_Bcast' fits no message: messages of collectives have no tag; leave `tag` out");
  for (const char* const rule : {"raw tag 3", "8 bits in MPI_Send"})
    refused(rule, std::nullopt,
            "'" + std::string(rule) +
                "' fits no message: those of a list of messages have no tag and no function of MPI; choose them by "
                "`of` and `from`, or leave the rule out");
  refused("8 bits from 4; 9 bits tag 1 from 4", trace_cut::Sender,
          "'9 bits tag 1 from 4' fits no message: '8 bits from 4' before it does; put it first, or leave it out");
  for (const trace_cut where : {trace_cut::Sender, trace_cut::Receiver})
    check_cut_rules(parse_cut_rules("8 bits in MPI_Sendrecv; 7 bits in MPI_Startall; 3 bits in MPI_Bcast; raw"), where);
}

TEST(trace_cut_rules, that_others_hide_together_are_refused) {
  const std::string remedy = "; put it first, or leave it out";
  for (const std::optional<trace_cut> where :
       {std::optional(trace_cut::Sender), std::optional(trace_cut::Receiver), std::optional<trace_cut>()}) {
    refused("8 bits of double; 9 bits of double_complex from 4; 7 bits from 4", where,
            "'7 bits from 4' fits no message: '8 bits of double' and '9 bits of double_complex from 4' before it do "
            "together" +
                remedy);
    refused("raw of int; 8 bits; raw of other; raw", where,
            "'raw' fits no message: 'raw of other', 'raw of int' and '8 bits' before it do together" + remedy);
    // Where all but a part is taken, that part is left.
    check_cut_rules(parse_cut_rules("8 bits of double; 9 bits of double_complex from 4; 7 bits from 3"), where);
    check_cut_rules(parse_cut_rules("8 bits of double; 7 bits"), where);
    check_cut_rules(parse_cut_rules("raw of int; 8 bits; raw"), where);
  }
  refused("8 bits tag 1 from 64; 7 bits in MPI_Isend; 6 bits in MPI_Isend tag 1 from 80", trace_cut::Sender,
          "'6 bits in MPI_Isend tag 1 from 80' fits no message: '8 bits tag 1 from 64' before it does" + remedy);
  refused("8 bits of double tag 1; 7 bits of double_complex in MPI_Isend; 6 bits tag 1 in MPI_Isend", trace_cut::Sender,
          "'6 bits tag 1 in MPI_Isend' fits no message: '8 bits of double tag 1' and '7 bits of double_complex in "
          "MPI_Isend' before it do together" +
              remedy);
  // Every function that sends with a tag, and every one that does so where it arrives.
  const std::string both =
                        "1 bits in MPI_Sendrecv; 1 bits in MPI_Sendrecv_replace; 1 bits in MPI_Start; 1 bits in "
                        "MPI_Startall; ",
                    at_sender = both +
                                "1 bits in MPI_Send; 1 bits in MPI_Bsend; 1 bits in MPI_Ssend; 1 bits in MPI_Rsend; 1 "
                                "bits in MPI_Isend; 1 bits in MPI_Ibsend; 1 bits in MPI_Issend; ",
                    at_receiver = both + "1 bits in MPI_Recv; 1 bits in MPI_Mrecv; 1 bits in MPI_Irecv; ";
  const auto hidden = [](const std::string& rules, trace_cut where) {
    try {
      check_cut_rules(parse_cut_rules(rules), where);
      return false;
    } catch (const std::invalid_argument& e) {
      EXPECT_THAT(e.what(),
                  AllOf(HasSubstr("'2 bits tag 5' fits no message: '"), HasSubstr("' before it do together")));
      return true;
    }
  };
  EXPECT_FALSE(hidden(at_sender + "2 bits tag 5", trace_cut::Sender));
  EXPECT_TRUE(hidden(at_sender + "1 bits in MPI_Irsend; 2 bits tag 5", trace_cut::Sender));
  EXPECT_FALSE(hidden(at_receiver + "2 bits tag 5", trace_cut::Receiver));
  EXPECT_TRUE(hidden(at_receiver + "1 bits in MPI_Imrecv; 2 bits tag 5", trace_cut::Receiver));
  // Tags are more than rules can name: a rule without one has messages left.
  check_cut_rules(parse_cut_rules("8 bits tag 0; 8 bits tag 1; 8 bits tag 2; 7 bits"), trace_cut::Sender);
}

/// Of random rules, those that are refused are just those that a search through messages finds no message for.
TEST(trace_cut_rules, are_hidden_where_no_message_is_left) {
  const char* const conditions[][5] = {{"", "of double", "of double_complex", "of int", "of other"},
                                       {"", "", "", "tag 1", "tag 2"},
                                       {"", "", "in MPI_Send", "in MPI_Isend", "in MPI_Bcast"},
                                       {"", "from 1", "from 8", "from 9", "from 64"}};
  std::vector<cut_subject> messages;
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
  dice random(seed);
  std::size_t refused = 0, taken = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<cut_rule> rules;
    for (std::uint32_t i = random.between(2, 5); i > 0; --i) {
      std::string text = random.chance(0.5) ? "raw" : "8 bits";
      for (const auto& choices : conditions) text += std::string(" ") + choices[random.between(0, 4)];
      try {
        rules.push_back(parse_cut_rule(text));
      } catch (const std::invalid_argument&) {  // of integers, with bits
      }
    }
    const bool of_no_call = std::any_of(rules.begin(), rules.end(), [](const cut_rule& r) {
      return r.tag && r.function && is_collective(*r.function);
    });
    if (of_no_call) continue;
    const bool all_fit = std::all_of(rules.begin(), rules.end(), [&](const cut_rule& rule) {
      return std::any_of(messages.begin(), messages.end(),
                         [&](const cut_subject& m) { return rule_for(rules, m) == &rule; });
    });
    bool good = true;
    try {
      check_cut_rules(rules, trace_cut::Sender);
    } catch (const std::invalid_argument&) {
      good = false;
    }
    EXPECT_EQ(good, all_fit) << text_of(rules);
    ++(good ? taken : refused);
  }
  EXPECT_GT(refused, 100u);
  EXPECT_GT(taken, 100u);
}

}  // namespace
}  // namespace weft
