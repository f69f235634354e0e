// SPDX-License-Identifier: Apache-2.0
// Algorithm 1 of COMPRESS; which packets are candidates; through which stages of a NIC packets go.
#include "weft/core/selection.h"

#include <tuple>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/core/xor_stages.h"

namespace weft {
namespace {

constexpr unsigned K = 2;
constexpr std::uint32_t Depth = 512;

selection_inputs packet_of(data_type type, std::uint32_t flits) {
  selection_inputs in;
  in.type = type;
  in.flits = flits;
  in.words = flits * K;
  return in;
}

codec choose(const selection_inputs& in, const selection_parameters& parameters, bool classic = false) {
  return choose_codec(in, parameters, classic, K, Depth);
}

TEST(unit_core_selection, default_thresholds_are_those_of_the_paper) {
  const selection_parameters parameters;
  EXPECT_EQ(parameters.length_threshold, 200u);
  EXPECT_EQ(parameters.received_threshold, 0u);
  EXPECT_EQ(parameters.queue_threshold, 0u);
}

TEST(unit_core_selection, any_single_condition_selects_compression) {
  const selection_parameters parameters{selection_mode::Selective, 200, 10, 3};
  selection_inputs in = packet_of(data_type::Int, 199);
  in.received = 10;
  in.queue = 3;
  EXPECT_EQ(choose(in, parameters), codec::Raw);
  in.received = 11;
  EXPECT_EQ(choose(in, parameters), codec::Fpc);
  in.received = 10;
  in.queue = 4;
  EXPECT_EQ(choose(in, parameters), codec::Fpc);
  EXPECT_EQ(choose(packet_of(data_type::Int, 200), parameters), codec::Fpc);
}

TEST(unit_core_selection, modes_none_and_always_ignore_the_thresholds) {
  selection_inputs in = packet_of(data_type::Int, 300);
  in.received = in.queue = 1000;
  EXPECT_EQ(choose(in, {selection_mode::None, 0, 0, 0}), codec::Raw);
  EXPECT_EQ(choose(packet_of(data_type::Int, 2), {selection_mode::Always, 200, 1, 1}), codec::Fpc);
}

TEST(unit_core_selection, data_type_selects_the_codec) {
  const selection_parameters always{selection_mode::Always};
  EXPECT_EQ(choose(packet_of(data_type::Int, 4), always), codec::Fpc);
  EXPECT_EQ(choose(packet_of(data_type::Int, 4), always, true), codec::FpcClassic);
  EXPECT_EQ(choose(packet_of(data_type::Double, 4), always), codec::LsbCut);
  EXPECT_EQ(choose(packet_of(data_type::DoubleComplex, 4), always, true), codec::LsbCut);
  EXPECT_EQ(choose(packet_of(data_type::Other, 4), always), codec::Raw);
}

TEST(unit_core_selection, identifies_compression_candidates) {
  const auto is = [](std::uint32_t flits, std::uint32_t words, codec form = codec::Raw) {
    return is_candidate({data_type::Int, flits, words, form, 0, 0}, K, Depth);
  };
  EXPECT_FALSE(is(1, 2));
  EXPECT_TRUE(is(2, 3));
  EXPECT_TRUE(is(2, 4));
  EXPECT_FALSE(is(2, 5));
  EXPECT_FALSE(is(2, 2));
  EXPECT_TRUE(is(512, 1024));
  EXPECT_FALSE(is(513, 1026));
  EXPECT_FALSE(is(2, 4, codec::LsbCut));
  EXPECT_FALSE(is_candidate({data_type::Int, 2, 0xffffffff, codec::Raw, 0, 0}, 8, Depth));
}

// The expected result comes from nested ifs in the order of the paper's listing.
RC_GTEST_PROP(unit_core_selection, matches_the_listing_of_the_paper, ()) {
  const selection_parameters p{
      *rc::gen::element(selection_mode::None, selection_mode::Always, selection_mode::Selective),
      *rc::gen::inRange(0U, 20U), *rc::gen::inRange(0U, 5U), *rc::gen::inRange(0U, 5U)};
  selection_inputs in =
      packet_of(*rc::gen::element(data_type::Other, data_type::Int, data_type::Double), *rc::gen::inRange(2U, 20U));
  in.received = *rc::gen::inRange(0U, 6U);
  in.queue = *rc::gen::inRange(0U, 6U);
  codec expected = codec::Raw;
  if (p.mode != selection_mode::None) {
    bool compress = p.mode == selection_mode::Always;
    if (in.flits >= p.length_threshold) {
      compress = true;
    } else if (in.received > p.received_threshold) {
      compress = true;
    } else if (in.queue > p.queue_threshold) {
      compress = true;
    }
    if (compress && in.type == data_type::Int) expected = codec::Fpc;
    if (compress && in.type == data_type::Double) expected = codec::LsbCut;
  }
  RC_ASSERT(choose(in, p) == expected);
}

TEST(unit_core_selection, raw_packet_bypasses_only_an_empty_compressor) {
  EXPECT_EQ(path_for(codec::Raw, true), compressor_path::Bypass);
  EXPECT_EQ(path_for(codec::Raw, false), compressor_path::Store);
  for (const codec coded : {codec::Fpc, codec::FpcClassic, codec::LsbCut}) {
    EXPECT_EQ(path_for(coded, true), compressor_path::Encode);
    EXPECT_EQ(path_for(coded, false), compressor_path::Encode);
  }
}

TEST(unit_core_xor_stages, role_of_a_packet_selects_its_path_through_the_encoder) {
  const std::tuple<xor_role, encoder_path, bool> expected[] = {
      {xor_role::Plain, encoder_path::Pass, false}, {xor_role::Coded, encoder_path::Pass, false},
      {xor_role::Hold, encoder_path::Hold, true},   {xor_role::Combine, encoder_path::Join, false},
      {xor_role::Chain, encoder_path::Join, true},
  };
  for (const auto& [role, path, held] : expected) {
    EXPECT_EQ(path_for(role), path) << static_cast<int>(role);
    EXPECT_EQ(is_held(role), held) << static_cast<int>(role);
  }
}

}  // namespace
}  // namespace weft
