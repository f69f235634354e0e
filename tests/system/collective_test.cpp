// SPDX-License-Identifier: Apache-2.0
/// Collectives on whole networks: every node receives every word, in the same cycles at both levels, whether NICs or
/// nodes do the XORs.
/// WEFT_SEED repeats a run.
#include "support/collective_play.h"
#include "support/event_log.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/collectives/communication/collective_check.h"
#include "weft/collectives/communication/collective_hops.h"

using namespace weft;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

namespace {

using algorithm = collective_algorithm;

bool is_hierarchical(algorithm how) { return how >= algorithm::Hierarchy && how <= algorithm::SpreadIntermediates; }

/// All-to-all broadcast by \p how, in groups of 2x2 nodes where the algorithm has groups.
collective_parameters all_to_all(algorithm how) {
  collective_parameters p;
  p.algorithm = how;
  if (is_hierarchical(how)) p.group = {2, 2};
  return p;
}

/// All algorithms that a 4x4 grid supports.
std::vector<collective_parameters> all_algorithms() {
  std::vector<collective_parameters> list;
  for (int a = 0; a <= static_cast<int>(algorithm::SpreadIntermediates); ++a)
    list.push_back(all_to_all(static_cast<algorithm>(a)));
  for (const algorithm how : {algorithm::Butterfly, algorithm::ButterflyUncoded}) {
    list.push_back(all_to_all(how));
    list.back().sources = {0, 12};
    list.back().receivers = {3, 15};
    list.back().relays = {5, 6};
    list.back().packets = 5;
  }
  list.push_back(all_to_all(algorithm::Parity));
  list.back().packets = 4;
  return list;
}

std::string name_of(const collective_parameters& p) {
  return CollectiveAlgorithmNames[static_cast<std::size_t>(p.algorithm)];
}

TEST(system_collective, every_algorithm_delivers_all_words_in_the_counted_hops) {
  for (const bool torus : {false, true})
    for (const bool barriers : {false, true})
      for (const collective_parameters& p : all_algorithms()) {
        SCOPED_TRACE(fmt::format("{} {} {}", name_of(p), torus ? "torus" : "mesh", barriers ? "barriers" : ""));
        collective_case where;
        where.grid.rings = torus;
        where.options.barriers = barriers;
        const collective c = make_collective(p, where.network());
        const collective_outcome played = play(c, where);
        EXPECT_TRUE(played.finished);
        EXPECT_THAT(played.lacks, IsEmpty());
        EXPECT_EQ(played.error, "");
        const std::vector<collective_count> counted = count_hops(c, where.network());
        ASSERT_EQ(played.steps.size(), counted.size());
        for (std::size_t s = 0; s < counted.size(); ++s) {
          EXPECT_EQ(played.steps[s].messages, counted[s].messages) << counted[s].step;
          EXPECT_EQ(played.steps[s].hops, counted[s].hops) << counted[s].step;
        }
      }
}

TEST(system_collective, other_operations_deliver_their_results) {
  for (const collective_operation operation : {collective_operation::Scatter, collective_operation::Gather,
                                               collective_operation::Reduce, collective_operation::AllReduce})
    for (const algorithm how : {algorithm::AllAtOnce, algorithm::Tree, algorithm::RecursiveDoubling, algorithm::Ring}) {
      collective_case where;
      collective_parameters p;
      p.operation = operation;
      p.algorithm = how;
      if (operation == collective_operation::Gather || operation == collective_operation::Reduce) p.receivers = {5};
      collective c;
      try {
        c = make_collective(p, where.network());
      } catch (const std::invalid_argument&) {
        continue;  // not every algorithm supports every operation
      }
      SCOPED_TRACE(fmt::format("{} by {}", CollectiveOperationNames[static_cast<std::size_t>(operation)], name_of(p)));
      const collective_outcome played = play(c, where);
      EXPECT_TRUE(played.finished);
      EXPECT_THAT(played.lacks, IsEmpty());
    }
}

TEST(system_collective, with_barriers_each_step_begins_after_the_previous_one_ends) {
  collective_case where;
  where.options.barriers = true;
  const collective_outcome played = play(make_collective(all_to_all(algorithm::Tree), where.network()), where);
  for (std::size_t s = 1; s < played.steps.size(); ++s) EXPECT_EQ(played.steps[s].begin, played.steps[s - 1].end + 2);
}

TEST(system_collective, xor_at_a_node_adds_its_latency) {
  collective_case where;
  where.options.barriers = true;
  const collective c = make_collective(all_to_all(algorithm::NetworkCoding), where.network());
  const collective_outcome at_once = play(c, where);
  where.options.xor_cycles = 35;
  EXPECT_EQ(play(c, where).end, at_once.end + 35);
}

/// Parity: node 0 sends four data and their XOR to all nodes of a 2x2 mesh.
collective_parameters parity() {
  collective_parameters p;
  p.algorithm = algorithm::Parity;
  p.sources = {0};
  p.packets = 4;
  p.parity = 4;
  return p;
}

TEST(system_collective, parity_repairs_one_loss_and_reports_two) {
  collective_case where;
  where.grid.shape = {2, 1};
  const collective c = make_collective(parity(), where.network());
  ASSERT_EQ(c.messages.size(), 5u);
  where.options.lost = {2};
  const collective_outcome repaired = play(c, where);
  EXPECT_THAT(repaired.lacks, IsEmpty());
  EXPECT_THAT(repaired.lost, ElementsAre(2));
  EXPECT_EQ(repaired.xors.decoded, 1u);

  where.options.lost = {1, 2};
  EXPECT_THAT(
      play(c, where).lacks,
      ElementsAre("node 1 lacks datum 1 of node 0: message 1 of step send from node 0 was lost; message 4 of step "
                  "send from node 0 is the XOR of data 0, 1, 2, 3, of which more than one is unknown",
                  "node 1 lacks datum 2 of node 0: message 2 of step send from node 0 was lost; message 4 of step "
                  "send from node 0 is the XOR of data 0, 1, 2, 3, of which more than one is unknown"));
}

TEST(system_collective, message_that_depends_on_a_loss_is_not_sent) {
  collective_case where;
  where.grid.shape = {3, 1};
  collective_parameters p = all_to_all(algorithm::NeighbourForwarding);
  p.sources = {0};
  where.options.lost = {0};
  const collective_outcome played = play(make_collective(p, where.network()), where);
  EXPECT_FALSE(played.finished);
  ASSERT_EQ(played.lacks.size(), 2u);
  EXPECT_THAT(played.lacks[0], StartsWith("node 1 lacks datum 0 of node 0: message 0"));
  EXPECT_THAT(played.lacks[0], HasSubstr("was lost"));
  EXPECT_THAT(played.lacks[1], HasSubstr("from node 1 could not be made at that node without datum 0"));
}

TEST(system_collective, overflow_error_names_node_and_remedy) {
  collective_case where;
  where.options.coding = xor_unit::Nic;
  where.options.stages.entries = 2;
  const collective_outcome played = play(make_collective(all_to_all(algorithm::NetworkCoding), where.network()), where);
  EXPECT_THAT(played.error, StartsWith("the XOR decoder of node "));
  EXPECT_THAT(played.error, HasSubstr("none of its 2 entries of 16 flits was free for message "));
  EXPECT_THAT(played.error, HasSubstr("; increase nic.coding.entries"));
}

/// The message by which the traffic rejects \p c, or an empty string.
std::string rejection(const collective& c, const collective_options& options) {
  try {
    collective_traffic traffic(c, options);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(system_collective, rejects_unsupported_xor_use_before_the_run) {
  collective_parameters p = all_to_all(algorithm::NetworkCoding);
  p.lengths = {9};
  collective_options options;
  options.coding = xor_unit::Nic;
  options.stages.depth = 8;
  EXPECT_THAT(rejection(make_collective(p, collective_case().network()), options),
              HasSubstr("has 9 flits, but XOR stages hold at most 8"));
  options.loss = 0.1;
  options.stages.depth = 16;
  EXPECT_THAT(rejection(make_collective(p, collective_case().network()), options),
              StartsWith("NICs cannot decode XORs if messages are lost"));
  options.coding = xor_unit::Node;
  options.lost = {1'000'000};
  EXPECT_THAT(rejection(make_collective(p, collective_case().network()), options),
              StartsWith("message 1000000 cannot be lost: the messages are 0 to "));
}

struct drawn_case {
  collective_case where;
  collective_parameters what;
};

/// A random collective on a small random grid.
drawn_case random_collective(std::uint64_t seed, bool losses) {
  rng d(seed);
  drawn_case drawn;
  collective_case& where = drawn.where;
  where.grid.shape = {d.between(1, 5), d.between(2, 5)};
  where.grid.rings = d.chance(0.3);
  where.grid.algorithm = d.one_of({grid_algorithm::DimensionOrder, grid_algorithm::O1Turn, grid_algorithm::Valiant,
                                   grid_algorithm::MinimalAdaptive});
  where.grid.seed = d.bits();
  where.router = {d.one_of({4U, 8U}), d.between(1, 9), d.one_of({3U, 4U, 5U})};
  collective_options& options = where.options;
  options.barriers = d.chance(0.5);
  options.coding = losses || d.chance(0.5) ? xor_unit::Node : xor_unit::Nic;
  options.xor_cycles = d.between(0, 20);
  options.stages = {true, 64, 16, static_cast<unsigned>(options.xor_cycles)};
  options.payload_bits = d.one_of({32U, 64U, 128U});
  options.payload.kind = d.one_of({payload_kind::Random, payload_kind::SmallIntegers, payload_kind::SmoothDoubles});
  options.seed = d.bits();
  if (losses) options.loss = d.unit() * 0.2;

  collective_parameters& what = drawn.what;
  what.algorithm = static_cast<algorithm>(d.between(0, static_cast<std::uint32_t>(algorithm::SpreadIntermediates)));
  if (d.chance(losses ? 0.7 : 0.2)) what.algorithm = algorithm::Parity;
  const std::uint32_t nodes = where.network().nodes;
  if (d.chance(0.3))
    for (node_id n = 0; n < nodes; ++n)
      if (d.chance(0.4)) what.sources.push_back(n);
  what.lengths.clear();
  for (std::size_t i = d.chance(0.5) ? 1 : what.sources.empty() ? nodes : what.sources.size(); i > 0; --i)
    what.lengths.push_back(d.between(1, 16));
  what.packets = d.between(1, 3);
  if (is_hierarchical(what.algorithm))
    what.group = {d.between(1, where.grid.shape[0]), d.between(1, where.grid.shape[1])};
  what.placement = d.one_of({intermediate_placement::Corner, intermediate_placement::Centre,
                             intermediate_placement::Mirror, intermediate_placement::Optimum});
  what.inner = static_cast<algorithm>(d.between(0, static_cast<std::uint32_t>(algorithm::Ring)));
  what.outer = static_cast<algorithm>(d.between(0, static_cast<std::uint32_t>(algorithm::Ring)));
  what.parity = d.between(1, 5);
  return drawn;
}

/// The collective of \p drawn; RapidCheck discards invalid ones.
collective make_or_discard(const drawn_case& drawn) {
  try {
    return make_collective(drawn.what, drawn.where.network());
  } catch (const std::invalid_argument& e) {
    RC_DISCARD(e.what());
  }
}

RC_GTEST_PROP(system_collective_random, every_node_receives_every_word, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const drawn_case drawn = random_collective(seed, false);
  const collective c = make_or_discard(drawn);
  RC_TAG(name_of(drawn.what));
  const std::string rejected = rejection(c, drawn.where.options);
  if (!rejected.empty()) {  // more uses than a header can count
    RC_ASSERT(rejected.find("let the nodes do the XORs") != std::string::npos);
    return;
  }
  const collective_outcome played = play(c, drawn.where);
  RC_LOG() << name_of(drawn.what) << " " << played.error << "\n"
           << (played.lacks.empty() ? std::string() : played.lacks.front());
  if (played.error.find("nic.coding.entries") != std::string::npos) return;
  RC_ASSERT(played.error.empty());
  RC_ASSERT(played.finished);
  RC_ASSERT(played.lacks.empty());
}

RC_GTEST_PROP(system_collective_random, missing_data_after_losses_match_the_checker, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const drawn_case drawn = random_collective(seed, true);
  const collective c = make_or_discard(drawn);
  const collective_outcome played = play(c, drawn.where);
  const collective_findings expected = check_collective(c, played.lost);
  RC_LOG() << name_of(drawn.what) << ", " << expected.lacks.size() << " lacks expected";
  RC_ASSERT(played.error.empty());
  // A message that waits for a lost one is sent all the same if its source has its contents, so no node lacks more
  // data.
  if (expected.lacks.empty()) RC_ASSERT(played.lacks.empty());
  if (drawn.what.algorithm == algorithm::Parity)
    RC_ASSERT(std::min<std::size_t>(expected.lacks.size(), 21) == played.lacks.size());
}

/// The first difference between both levels, or `ok <messages>`.
std::string difference_of_levels(std::uint64_t seed) {
  const drawn_case drawn = random_collective(seed, false);
  collective c;
  try {
    c = make_collective(drawn.what, drawn.where.network());
    collective_traffic traffic(c, drawn.where.options);
  } catch (const std::invalid_argument&) {
    return "ok 0";
  }
  if (c.messages.size() > 600) return "ok 0";
  return run_in_subprocess_or_throw([&] {
    const collective_outcome pin = play(c, drawn.where, played_at::Pin), engine = play(c, drawn.where);
    const std::string difference = first_difference(pin.events, engine.events);
    if (!difference.empty()) return "events of pin level and engine: " + difference;
    if (pin.end != engine.end || pin.lacks != engine.lacks || pin.error != engine.error)
      return fmt::format("ends of pin level and engine: {} {}, {} {}", pin.end, pin.error, engine.end, engine.error);
    return fmt::format("ok {}", pin.total.messages);
  });
}

TEST(system_collective, levels_agree_on_random_collectives) {
  const std::uint64_t first = test_seed();
  std::cout << "WEFT_SEED=" << first << "\n";
  unsigned messages = 0;
  for (std::uint64_t seed = first; seed < first + 60; ++seed) {
    const std::string result = difference_of_levels(seed);
    ASSERT_THAT(result, StartsWith("ok ")) << "WEFT_SEED=" << seed;
    messages += static_cast<unsigned>(std::stoul(result.substr(3)));
  }
  std::cout << messages << " messages at both levels\n";
  EXPECT_GT(messages, 500u);
}

/// Data that one node sends to another, each of them plain, in XORs, or both, in any order.
collective any_mixture(std::uint64_t seed) {
  rng d(seed);
  collective c;
  c.nodes = 16;
  c.steps = {"send"};
  collective_goal all{1, false, {}};
  std::vector<std::vector<datum_id>> sent;
  const datum_id count = d.between(2, 8);
  for (datum_id i = 0; i < count; ++i) {
    c.data.push_back({0, d.between(1, 3)});
    all.data.push_back(i);
    if (i == 0 || d.chance(0.4)) sent.push_back({i});
    for (unsigned xors = d.between(1, 2); i != 0 && xors > 0; --xors) sent.push_back({d.between(0, i - 1), i});
  }
  for (std::size_t i = sent.size(); i > 1; --i)
    std::swap(sent[i - 1], sent[d.between(0, static_cast<std::uint32_t>(i) - 1)]);
  for (const auto& of : sent) c.add(0, 1, 0, of.size() == 1 ? payload_form::Datum : payload_form::Xor, of, {});
  c.goals = {all};
  return c;
}

TEST(system_collective, datum_may_arrive_both_plain_and_coded) {
  const std::uint64_t first = test_seed();
  for (std::uint64_t seed = first; seed < first + 40; ++seed) {
    collective_case where;
    where.options.coding = xor_unit::Nic;
    where.options.stages.entries = 64;
    const std::string result = run_in_subprocess([&] {
      const collective_outcome played = play(any_mixture(seed), where, played_at::Pin);
      return played.error.empty() && played.lacks.empty() ? "ok"
                                                          : fmt::format("{} {}", played.error, played.lacks.size());
    });
    ASSERT_EQ(result, "ok") << "WEFT_SEED=" << seed;
  }
}

TEST(system_collective, nics_and_nodes_decode_equally) {
  for (const algorithm how : {algorithm::NetworkCoding, algorithm::NetworkCodingDirect}) {
    collective_case where;
    where.options.stages.entries = 64;
    const collective c = make_collective(all_to_all(how), where.network());
    const collective_outcome nodes = play(c, where);
    where.options.coding = xor_unit::Nic;
    const collective_outcome nics = play(c, where);
    EXPECT_THAT(nics.lacks, IsEmpty());
    EXPECT_EQ(nics.error, "");
    EXPECT_EQ(nics.xors.decoded, nodes.xors.decoded);
    EXPECT_EQ(nics.xors.made, nodes.xors.made);
    EXPECT_EQ(nics.total.hops, nodes.total.hops);
  }
}

}  // namespace
