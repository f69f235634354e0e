// SPDX-License-Identifier: Apache-2.0
/// Technology files: the values read, and the messages for wrong ones.
#include "weft/energy/technology.h"

#include "unit/energy/toy_technology.h"
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/core/diagnostic.h"

namespace weft {
namespace {

using testing::HasSubstr;

/// ToyTechnology with the first occurrence of \p old replaced by \p replacement.
std::string with(const std::string& old, const std::string& replacement) {
  std::string text = ToyTechnology;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), replacement);
}

/// The error of \p text, as one text.
std::string error_of(const std::string& text) {
  try {
    parse_technology(text, "toy.yaml");
    return "";
  } catch (const input_error& e) {
    return e.what();
  }
}

TEST(unit_energy_technology, is_read) {
  const technology t = parse_technology(ToyTechnology, "toy.yaml");
  const cost_parameters p{5, 4, 8, 64, 174};
  EXPECT_EQ(t.name, "toy");
  EXPECT_EQ(t.supply, 1);
  EXPECT_EQ(t.of(router_module::InputUnit).cycle.at(p), 40);
  EXPECT_EQ(t.of(router_module::InputUnit).period.at(p), 460);
  EXPECT_EQ(t.of(router_module::Crossbar).toggle.at(p), 2.5);
  ASSERT_TRUE(t.of(nic_module::Injector).has_value());
  EXPECT_EQ(t.of(nic_module::Injector)->flit.at(p), 30);
  EXPECT_FALSE(t.of(nic_module::Compressor).has_value());
  EXPECT_EQ(t.link.capacitance, 200);
}

TEST(unit_energy_technology, contains_readable_files) {
  for (const std::string& name : built_in_technologies()) {
    const technology t = built_in_technology(name);
    EXPECT_EQ(t.name, name);
    EXPECT_GT(t.of(router_module::InputUnit).area.at({5, 4, 8, 64, 174}), 0) << name;
  }
}

TEST(unit_energy_technology, names_place_key_and_remedy_of_errors) {
  EXPECT_EQ(
      error_of(with("weft-technology-1", "weft-technology-2")),
      "toy.yaml:1:9: error: format: expected weft-technology-1, got 'weft-technology-2'; convert the file, because "
      "this version of Weft reads only this");
  EXPECT_EQ(error_of(with("power: nW", "power: uW")),
            "toy.yaml:4:28: error: units.power: expected nW, got 'uW'; convert the file, because this version of "
            "Weft reads only this");
  EXPECT_EQ(error_of(with("flit: {\"1\": 100}", "flit: {\"1\": -100}")),
            "toy.yaml:9:17: error: router.input_unit.flit.1: expected a number from 0 to 1e+12, got '-100'");
  EXPECT_THAT(error_of(with("\"ports * vcs\": 2", "\"port * vcs\": 2")),
              HasSubstr("toy.yaml:8:13: error: router.input_unit.cycle: expected 1, or factors of ports"));
  EXPECT_THAT(error_of(with("  output_unit:", "  output_units:")), HasSubstr("output_unit"));
  EXPECT_THAT(error_of(with("supply: 1.0", "supply: 0")), HasSubstr("supply: expected a number from 0.05 to 20, got"));
  EXPECT_THAT(
      error_of(with("ports: [2, 5]", "ports: [5, 2]")),
      HasSubstr("range.ports: expected the least and the greatest value in the fit, such as [3, 8], got [5, 2]"));
  EXPECT_THAT(error_of(with("capacitance: 200", "capacitance: '200'")), HasSubstr("link.capacitance: expected"));
  EXPECT_THAT(error_of(with("flit: {\"1\": 100}", "flit: 100")),
              HasSubstr("router.input_unit.flit: expected a map from products to coefficients, got '100'"));
  EXPECT_THAT(error_of(with("nic:", "nics:")), HasSubstr("nics"));
  EXPECT_THAT(error_of(with("{\"ports * vcs\": 2}", "{\"vcs\": 2, \"vcs\": 3}")),
              HasSubstr("router.input_unit.cycle: the product 'vcs' is given twice; give it once"));
  EXPECT_THAT(error_of(with("toggle: {\"1\": 1}", "word: {\"1\": 1}")), HasSubstr("router.input_unit"));
  EXPECT_THAT(error_of(with("capacitance: 200", "capacitance: .inf")), HasSubstr("from 0 to 1e+12"));
  EXPECT_THAT(error_of(with("capacitance: 200", "capacitance: .nan")), HasSubstr("from 0 to 1e+12"));
  EXPECT_EQ(error_of(with("    period: {\"1\": 400, \"log2_depth\": 20}\n", "")), "");
  std::string no_period = ToyTechnology;
  for (std::size_t at; (at = no_period.find("period: {")) != std::string::npos;)
    no_period.replace(at, no_period.find('}', at) + 1 - at, "head: {}");
  EXPECT_THAT(error_of(no_period), HasSubstr("router: no module has a period, which gives the clock; give period to"));
  EXPECT_THAT(error_of(""), HasSubstr("expected a technology file with format: weft-technology-1, got an empty file"));
}

}  // namespace
}  // namespace weft
