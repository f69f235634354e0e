// SPDX-License-Identifier: Apache-2.0
/// Sums of products of hardware parameters.
#include "weft/energy/cost_terms.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

const cost_parameters Router{5, 4, 8, 64, 174};

double value_of(const std::string& product) {
  cost_terms terms;
  EXPECT_EQ(terms.add(product, 1), std::nullopt) << product;
  return terms.at(Router);
}

std::string fault_of(const std::string& product) {
  cost_terms terms;
  return terms.add(product, 1).value_or("");
}

TEST(unit_energy_cost_terms, evaluates_products_and_powers) {
  EXPECT_EQ(value_of("1"), 1);
  EXPECT_EQ(value_of("ports"), 5);
  EXPECT_EQ(value_of("ports * vcs * depth * flit_bits"), 5 * 4 * 8 * 174);
  EXPECT_EQ(value_of("ports^2 * vcs^3"), 25 * 64);
  EXPECT_EQ(value_of(" payload_bits*1 "), 64);
}

TEST(unit_energy_cost_terms, evaluates_logarithms) {
  EXPECT_DOUBLE_EQ(value_of("log2_ports"), std::log2(5));
  EXPECT_EQ(value_of("log2_vcs"), 2);
  EXPECT_EQ(value_of("log2_depth"), 3);
  cost_terms terms;
  EXPECT_EQ(terms.add("log2_vcs", 1), std::nullopt);
  EXPECT_EQ(terms.at({5, 1, 8, 64, 174}), 0);
}

TEST(unit_energy_cost_terms, adds_terms) {
  cost_terms terms;
  EXPECT_TRUE(terms.empty());
  EXPECT_EQ(terms.at(Router), 0);
  terms.add("1", 2.5);
  terms.add("vcs", 0.5);
  EXPECT_EQ(terms.at(Router), 4.5);
}

TEST(unit_energy_cost_terms, explains_wrong_products) {
  EXPECT_EQ(fault_of("ports * vc"),
            "expected 1, or factors of ports, vcs, depth, payload_bits, flit_bits, log2_ports, log2_vcs, log2_depth "
            "joined by ' * ', got 'ports * vc'; did you mean 'vcs'?");
  EXPECT_NE(fault_of(""), "");
  EXPECT_NE(fault_of("ports *"), "");
  EXPECT_NE(fault_of("2 * ports"), "");
  EXPECT_EQ(fault_of("ports^9"), "expected a power from 1 to 4 behind '^', got 'ports^9'");
  EXPECT_NE(fault_of("ports^"), "");
  EXPECT_NE(fault_of("ports^0"), "");
  EXPECT_NE(fault_of("ports^1.5"), "");
  EXPECT_EQ(fault_of("ports^4 * vcs^4 * depth"), "expected at most 8 factors, got 'ports^4 * vcs^4 * depth'");
}

TEST(unit_energy_cost_terms, rejects_a_product_in_another_form) {
  cost_terms terms;
  EXPECT_EQ(terms.add("ports * vcs^2", 1), std::nullopt);
  EXPECT_EQ(terms.add("vcs * ports * vcs", 1), "the product 'vcs * ports * vcs' is given twice; give it once");
  EXPECT_EQ(terms.add("ports * vcs", 1), std::nullopt);
}

}  // namespace
}  // namespace weft
