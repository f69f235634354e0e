// SPDX-License-Identifier: Apache-2.0
/// Several traffics at the same time: each has the packets that it has alone.
#include "weft/workload/traffic_mix.h"

#include "support.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/workload/traffic_loads.h"

namespace weft {
namespace {

constexpr std::uint32_t MixedNodes = 64;

workload_context mixed_network(std::uint64_t seed = 1, unsigned classes = 4) {
  return {MixedNodes, {{8, 8}, 1}, seed, classes};
}

named_traffic traffic(const std::string& name, double load, std::uint32_t flits, unsigned message_class = 0) {
  named_traffic t;
  t.name = name;
  t.injection.load = load;
  t.length.flits = flits;
  t.message_class = message_class;
  return t;
}

workload_parameters mix_of(const std::vector<named_traffic>& traffics) {
  workload_parameters w;
  w.traffics = traffics;
  w.injection.load = sum_of_loads(w, MixedNodes);
  return w;
}

/// The packets of all nodes created before \p end, by node and in the order of their creation.
std::vector<packet> packets_of(packet_source& source, cycle_t end) {
  std::vector<packet> all;
  for (node_id node = 0; node < MixedNodes; ++node)
    while (source.next_creation(node) < end) all.push_back(source.pop(node));
  return all;
}

/// The fields of a packet that its traffic determines.
auto traffic_fields(const packet& p) {
  return std::make_tuple(p.source, p.destination, p.flits, p.created, p.type, p.message_class);
}

TEST(unit_workload_traffic_mix, a_mix_of_one_traffic_has_the_packets_of_that_traffic_alone) {
  workload_parameters alone;
  alone.injection.load = 0.3;
  named_traffic same = traffic("only", 0.3, alone.length.flits);
  const auto expected = packets_of(*make_workload(alone, mixed_network()), 2000),
             found = packets_of(*make_workload(mix_of({same}), mixed_network()), 2000);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(traffic_fields(found[i]), traffic_fields(expected[i]));
    EXPECT_EQ(found[i].id, expected[i].id);
  }
}

TEST(unit_workload_traffic_mix, packets_of_a_traffic_do_not_depend_on_other_traffics) {
  named_traffic hot = traffic("hot", 0.1, 3, 2);
  hot.pattern.kind = &find_pattern("transpose");
  const auto two = packets_of(*make_workload(mix_of({traffic("a", 0.2, 5), hot}), mixed_network()), 3000),
             three = packets_of(
                 *make_workload(mix_of({traffic("other", 0.4, 1), hot, traffic("more", 0.05, 9)}), mixed_network()),
                 3000);
  const auto of_hot = [](const std::vector<packet>& all, std::size_t traffics) {
    std::vector<decltype(traffic_fields(packet()))> found;
    for (const packet& p : all)
      if (traffic_of(p.id, MixedNodes, traffics) == 1) found.push_back(traffic_fields(p));
    return found;
  };
  EXPECT_GT(of_hot(two, 2).size(), 1000u);
  EXPECT_EQ(of_hot(two, 2), of_hot(three, 3));
}

TEST(unit_workload_traffic_mix, five_traffics_have_the_requested_rates_lengths_classes_and_sources) {
  std::vector<named_traffic> all{traffic("a", 0.10, 1, 0), traffic("b", 0.15, 2, 1), traffic("c", 0.05, 4, 2),
                                 traffic("d", 0.12, 6, 3), traffic("e", 0.30, 3, 1)};
  all[1].pattern.kind = &find_pattern("bit_reversal");
  all[2].injection.kind = injection_kind::OnOff;
  all[2].injection.peak = 0.5;
  all[2].injection.mean_burst = 20;
  all[4].sources = {3, 9, 60};
  constexpr cycle_t Cycles = 20'000;
  std::map<std::size_t, double> flits;
  std::set<packet_id> ids;
  for (const packet& p : packets_of(*make_workload(mix_of(all), mixed_network()), Cycles)) {
    const std::size_t number = traffic_of(p.id, MixedNodes, all.size());
    const named_traffic& t = all.at(number);
    EXPECT_EQ(p.flits, t.length.flits);
    EXPECT_EQ(p.message_class, t.message_class);
    EXPECT_TRUE(ids.insert(p.id).second) << "two packets have the number " << p.id;
    EXPECT_TRUE(number != 4 || std::count(t.sources.begin(), t.sources.end(), p.source) == 1);
    flits[number] += p.flits;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double trials = static_cast<double>(Cycles) * (i == 4 ? 3 : MixedNodes),
                 p = all[i].injection.load / all[i].length.flits;
    // Bursts of 20 cycles make the number of packets more variable.
    const double deviation = std::sqrt(trials * p * (1 - p)) * (i == 2 ? 7 : 1);
    EXPECT_NEAR(flits[i] / all[i].length.flits, trials * p, 5 * deviation) << all[i].name;
  }
}

TEST(unit_workload_traffic_mix, the_load_scales_all_traffics_that_have_one) {
  named_traffic few = traffic("few", 0.4, 1);
  few.sources = {0, 1, 2, 3};
  named_traffic loop = traffic("loop", 0.7, 1);
  loop.injection.kind = injection_kind::RequestReply;
  workload_parameters w = mix_of({traffic("a", 0.1, 1), few, loop});
  EXPECT_DOUBLE_EQ(w.injection.load, 0.1 + 0.4 * 4 / MixedNodes);
  EXPECT_EQ(scaled_traffics(w, MixedNodes)[1].injection.load, 0.4) << "nothing is scaled";
  w.injection.load *= 2;
  const std::vector<named_traffic> scaled = scaled_traffics(w, MixedNodes);
  EXPECT_DOUBLE_EQ(scaled[0].injection.load, 0.2);
  EXPECT_DOUBLE_EQ(scaled[1].injection.load, 0.8);
  EXPECT_EQ(scaled[2].injection.load, 0.7) << "a closed loop has no load";
}

TEST(unit_workload_traffic_mix, payload_is_that_of_the_traffic) {
  named_traffic integers = traffic("integers", 0.2, 4), zero = traffic("zero", 0.2, 4);
  integers.payload.kind = payload_kind::SmallIntegers;
  zero.payload.kind = payload_kind::Zero;
  const auto source = make_workload(mix_of({zero, integers}), mixed_network());
  std::uint64_t bits = 0;
  for (const packet& p : packets_of(*source, 500)) {
    const bool is_zero = traffic_of(p.id, MixedNodes, 2) == 0;
    EXPECT_EQ(p.type, is_zero ? data_type::Other : data_type::Int);
    for (std::uint32_t i = 0; i < p.flits; ++i) {
      std::uint64_t word = 1;
      source->payload(p, i, 64, &word);
      bits |= is_zero ? 0 : word;
      EXPECT_TRUE(!is_zero || word == 0) << word;
    }
  }
  EXPECT_NE(bits, 0u);
}

TEST(unit_workload_traffic_mix, traffics_of_one_node_and_cycle_are_created_in_their_order) {
  const auto source =
      make_workload(mix_of({traffic("a", 1, 1), traffic("b", 1, 1), traffic("c", 1, 1)}), mixed_network());
  for (cycle_t cycle = 0; cycle < 10; ++cycle) {
    for (std::size_t i = 0; i < 3; ++i) {
      const packet p = source->pop(7);
      EXPECT_EQ(p.created, cycle);
      EXPECT_EQ(traffic_of(p.id, MixedNodes, 3), i);
    }
  }
}

TEST(unit_workload_traffic_mix, errors_name_the_traffic) {
  const auto expect = [](const named_traffic& wrong, const std::string& message) {
    expect_error<std::invalid_argument>(
        [&] {
          make_workload(mix_of({traffic("a", 0.1, 1), wrong}), mixed_network());
        },
        message);
  };
  named_traffic unknown = traffic("b", 0.1, 1), twice = unknown, empty = unknown;
  unknown.sources = {64};
  twice.sources = {3, 5, 3};
  empty.length.flits = 0;
  expect(unknown, "b: sources: expected nodes from 0 to 63, got 64");
  expect(twice, "b: sources: node 3 is listed twice; list each node once");
  EXPECT_THROW(make_workload(mix_of({empty}), mixed_network()), std::invalid_argument);
}

}  // namespace
}  // namespace weft
