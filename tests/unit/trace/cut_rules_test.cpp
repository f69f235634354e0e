// SPDX-License-Identifier: Apache-2.0
/// Rules of cuts: what they say, which messages they fit, what is refused.
#include "weft/trace/cut_rules.h"

#include <stdexcept>

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

TEST(trace_cut_rules, that_fit_nothing_are_refused) {
  const auto refused = [](const std::string& rules, trace_cut where, const std::string& why) {
    try {
      check_cut_rules(parse_cut_rules(rules), where);
      ADD_FAILURE() << rules;
    } catch (const std::invalid_argument& e) {
      EXPECT_EQ(e.what(), why);
    }
  };
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
  refused("8 bits from 4; 9 bits tag 1 from 4", trace_cut::Sender,
          "'9 bits tag 1 from 4' fits no message: '8 bits from 4' before it does; put it first, or leave it out");
  for (const trace_cut where : {trace_cut::Sender, trace_cut::Receiver})
    check_cut_rules(parse_cut_rules("8 bits in MPI_Sendrecv; 7 bits in MPI_Startall; 3 bits in MPI_Bcast; raw"), where);
}

}  // namespace
}  // namespace weft
