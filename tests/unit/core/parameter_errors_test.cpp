// SPDX-License-Identifier: Apache-2.0
/// Error messages for invalid parameters of routers and NICs.
#include "weft/core/parameter_errors.h"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> messages(const std::function<void(router_parameters&, nic_parameters&)>& spoil,
                                  const std::string& prefix = "") {
  router_parameters router;
  nic_parameters nic;
  spoil(router, nic);
  std::vector<std::string> all;
  for (const parameter_error& f : find_parameter_errors(router, nic, prefix)) all.push_back(f.message);
  return all;
}

TEST(unit_core_parameter_errors, defaults_are_valid) {
  EXPECT_THAT(messages([](auto&, auto&) {}), IsEmpty());
}

/// Checks which values of the pipeline are rejected, with the message "expected \p range".
void expect_pipelines(bool lookahead, speculation_kind speculation, unsigned shortest, unsigned longest,
                      const std::string& range) {
  for (const unsigned cycles : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 0x8000'0001U}) {
    const std::vector<std::string> found = messages([&](auto& r, auto&) {
      r.pipeline = cycles;
      r.lookahead_routing = lookahead;
      r.speculation = speculation;
    });
    if (cycles >= shortest && cycles <= longest)
      EXPECT_THAT(found, IsEmpty()) << cycles;
    else
      EXPECT_THAT(found, ElementsAre("router.pipeline: expected " + range + ", got " + std::to_string(cycles) +
                                     (cycles == 2 ? "; set router.lookahead_routing: true for one cycle less" : "")));
  }
}

TEST(unit_core_parameter_errors, cover_pipelines) {
  expect_pipelines(false, speculation_kind::None, 3, 9, "3 to 9");
  expect_pipelines(true, speculation_kind::None, 2, 8, "2 to 8 with lookahead routing");
  expect_pipelines(false, speculation_kind::Prioritized, 3, 8, "3 to 8 with speculation");
  expect_pipelines(true, speculation_kind::MaskedByGrants, 2, 7, "2 to 7 with lookahead routing and speculation");
}

TEST(unit_core_parameter_errors, cover_router_parameters) {
  EXPECT_THAT(messages([](auto& r, auto&) { r.vcs = 0; }), ElementsAre("router.vcs: expected 1 to 16, got 0"));
  EXPECT_THAT(messages([](auto& r, auto&) { r.vcs = 17; }), ElementsAre("router.vcs: expected 1 to 16, got 17"));
  EXPECT_THAT(messages([](auto& r, auto&) { r.depth = 0; }), ElementsAre("router.depth: expected 1 to 512, got 0"));
  EXPECT_THAT(messages([](auto& r, auto&) { r.depth = 129; }),
              ElementsAre("router: expected vcs · depth of at most 512 flits, got 4 · 129 = 516"));
  EXPECT_THAT(messages([](auto& r, auto&) { r.depth = 0x8000'0001; }),
              ElementsAre("router.depth: expected 1 to 512, got 2147483649"))
      << "no product that wraps round";
  for (const unsigned bad : {0, 3, 8})
    EXPECT_THAT(messages([&](auto& r, auto&) { r.classes = bad; }),
                ElementsAre("router.classes: expected a divisor of 4 (router.vcs), got " + std::to_string(bad)));
}

TEST(unit_core_parameter_errors, cover_nic_parameters) {
  EXPECT_THAT(messages([](auto&, auto& n) { n.window = 0; }), ElementsAre("nic.window: expected at least 1, got 0"));
  for (const unsigned bad : {0, 3})
    EXPECT_THAT(messages([&](auto&, auto& n) { n.buckets = bad; }),
                ElementsAre("nic.buckets: expected a divisor of 1000 (nic.window), got " + std::to_string(bad)));
  EXPECT_THAT(messages([](auto&, auto& n) { n.ejection_depth = 129; }),
              ElementsAre("nic.ejection_depth: expected vcs · ejection_depth of at most 512 flits, got 4 · 129 = 516"));
}

TEST(unit_core_parameter_errors, cover_compression_parameters) {
  const auto compress = [](const std::function<void(compression_parameters&)>& spoil, unsigned ejection_depth = 8) {
    return messages([&](auto&, nic_parameters& n) {
      n.compression.selection.mode = selection_mode::Always;
      n.ejection_depth = ejection_depth;
      spoil(n.compression);
    });
  };
  EXPECT_THAT(compress([](auto&) {}), IsEmpty());
  EXPECT_THAT(compress([](auto&) {}, 0),
              ElementsAre("nic.ejection_depth: expected at least 1, because the decompressor cannot accept a flit in "
                          "every cycle, got 0; leave the key out to use the depth of the router buffers"));
  EXPECT_THAT(compress([](auto& c) { c.codec.table.runs[1] = c.codec.table.runs[0]; }).size(), 1);
  EXPECT_THAT(compress([](auto& c) { c.codec.cut = MaxCut + 1; }),
              ElementsAre("nic.compression.cut: expected 0 to 51, got 52"));
  for (const unsigned bad : {4, 100, 8192})
    EXPECT_THAT(
        compress([&](auto& c) { c.depth = bad; }),
        ElementsAre("nic.compression.depth: expected a power of two from 8 to 4096, got " + std::to_string(bad)));
  EXPECT_THAT(compress([](auto& c) { c.latency = 0; }),
              ElementsAre("nic.compression.latency: expected at least 1, got 0"));
  EXPECT_THAT(
      compress([](auto& c) { c.ratio = 2.0; }),
      ElementsAre("nic.compression.ratio: expected at least 1, together with a value of nic.compression.latency"));
}

TEST(unit_core_parameter_errors, cover_coding_parameters) {
  const auto code = [](const std::function<void(nic_parameters&)>& spoil) {
    return messages([&](auto&, nic_parameters& n) {
      n.coding.enabled = true;
      n.ejection_depth = 8;
      spoil(n);
    });
  };
  EXPECT_THAT(code([](auto&) {}), IsEmpty());
  EXPECT_THAT(code([](auto& n) { n.coding.entries = 1; }),
              ElementsAre("nic.coding.entries: expected 2 to 4096, got 1"));
  EXPECT_THAT(code([](auto& n) { n.coding.depth = 513; }), ElementsAre("nic.coding.depth: expected 1 to 512, got 513"));
  EXPECT_THAT(code([](auto& n) { n.coding.overhead = 4097; }),
              ElementsAre("nic.coding.overhead: expected 0 to 4096, got 4097"));
  EXPECT_THAT(code([](auto& n) { n.ejection_depth = 0; }).size(), 1);
  EXPECT_THAT(code([](auto& n) { n.compression.latency = 100; }),
              ElementsAre("nic.compression.latency: expected rtl with nic.coding, because only then the NIC "
                          "decompresses before the XOR decoder, got 100; leave the key out"));
}

TEST(unit_core_parameter_errors, are_all_reported_with_configuration_keys) {
  const auto spoil = [](router_parameters& r, nic_parameters& n) {
    r.classes = 3;
    n.buckets = 7;
  };
  EXPECT_THAT(messages(spoil, "network."),
              ElementsAre("network.router.classes: expected a divisor of 4 (network.router.vcs), got 3",
                          "nic.buckets: expected a divisor of 1000 (nic.window), got 7"));
  router_parameters router;
  router.classes = 3;
  EXPECT_THAT(find_parameter_errors(router, {}, "network.").front().keys,
              ElementsAre("network.router.classes", "network.router.vcs"));
}

}  // namespace
}  // namespace weft
