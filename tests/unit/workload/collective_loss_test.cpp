// SPDX-License-Identifier: Apache-2.0
/// If messages of a collective are lost, the check names each datum that a receiver lacks.
#include "collective_support.h"
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/collectives/communication/collective_check.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;
using operation = collective_operation;

/// Whether each message arrives if \p lost is lost: it must not depend on \p lost, directly or indirectly.
std::vector<bool> arriving(const collective& c, message_id lost) {
  std::vector<bool> arrives(c.messages.size(), true);
  for (message_id m = 0; m < c.messages.size(); ++m) {
    arrives[m] = m != lost &&
                 std::all_of(c.dependencies_begin(m), c.dependencies_end(m), [&](message_id d) { return arrives[d]; });
  }
  return arrives;
}

/// The data that a node can compute from the messages that arrive: by elimination over GF(2), not by peeling.
std::set<datum_id> known_to(const collective& c, node_id node, const std::vector<bool>& arrives) {
  std::vector<std::vector<bool>> rows;  // in reduced form: each row has a leading datum that no other row contains
  std::vector<std::size_t> leads;
  const auto add = [&](std::vector<bool> row) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (!row[leads[r]]) continue;
      for (std::size_t d = 0; d < row.size(); ++d) row[d] = row[d] != rows[r][d];
    }
    const auto lead = static_cast<std::size_t>(std::find(row.begin(), row.end(), true) - row.begin());
    if (lead == row.size()) return;
    for (auto& other : rows) {
      if (!other[lead]) continue;
      for (std::size_t d = 0; d < row.size(); ++d) other[d] = other[d] != row[d];
    }
    rows.push_back(std::move(row));
    leads.push_back(lead);
  };
  const auto unit = [&](datum_id d) {
    std::vector<bool> row(c.data.size(), false);
    row[d] = true;
    return row;
  };
  for (datum_id d = 0; d < c.data.size(); ++d) {
    if (c.data[d].owner == node) add(unit(d));
  }
  for (message_id m = 0; m < c.messages.size(); ++m) {
    if (!arrives[m] || c.messages[m].destination != node) continue;
    std::vector<bool> row(c.data.size(), false);
    for (const datum_id* d = c.operands_begin(m); d != c.operands_end(m); ++d) {
      if (c.messages[m].form == payload_form::Join) add(unit(*d));
      row[*d] = true;
    }
    if (c.messages[m].form != payload_form::Join) add(std::move(row));
  }
  std::set<datum_id> known;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (std::count(rows[r].begin(), rows[r].end(), true) == 1) known.insert(static_cast<datum_id>(leads[r]));
  }
  return known;
}

RC_GTEST_PROP(unit_workload_collective, lists_exactly_the_data_missing_after_a_loss, ()) {
  const collective_case drawn = random_case(operation::Gather);
  RC_LOG(described(drawn));
  const collective c = make_collective(drawn.parameters, drawn.network);
  if (c.messages.empty()) return;
  const auto lost =
      *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<message_id>(0, static_cast<message_id>(c.messages.size())));
  const std::vector<bool> arrives = arriving(c, lost);
  std::set<std::pair<node_id, datum_id>> expected, named;
  for (const collective_goal& goal : c.goals) {
    const std::set<datum_id> known = known_to(c, goal.node, arrives);
    for (const datum_id d : goal.data) {
      if (known.count(d) == 0) expected.emplace(goal.node, d);
    }
  }
  const collective_findings found = check_collective(c, {lost});
  RC_ASSERT(found.violations.empty());
  for (const collective_lack& lack : found.lacks) {
    named.emplace(lack.node, lack.datum);
    for (const message_id m : lack.named_in) {
      RC_ASSERT(c.messages[m].destination == lack.node);
      RC_ASSERT(c.messages[m].form == payload_form::Xor);
      RC_ASSERT(std::count(c.operands_begin(m), c.operands_end(m), lack.datum) == 1);
    }
  }
  RC_ASSERT(named == expected);
  if (drawn.parameters.algorithm == algorithm::Parity) RC_ASSERT(found.none());
}

TEST(unit_workload_collective, a_lost_plain_datum_leaves_its_group_undecoded) {
  collective_parameters p;
  p.algorithm = algorithm::NetworkCoding;
  p.group = {3};
  const collective c = make_collective(p, grid_network({6}));
  ASSERT_EQ(c.steps, (std::vector<std::string>{"B", "D", "E", "F"}));
  const auto plain = std::find_if(c.messages.begin(), c.messages.end(),
                                  [](const collective_message& m) { return m.step == 3 && m.destination == 5; });
  ASSERT_NE(plain, c.messages.end());
  const collective_findings found = check_collective(c, {static_cast<message_id>(plain - c.messages.begin())});
  EXPECT_EQ(to_text(found, c),
            "node 5 lacks datum 0 of node 0; message 16 brought the XOR of 0, 1\n"
            "node 5 lacks datum 1 of node 1; message 16 brought the XOR of 0, 1; message 17 brought the XOR of 1, 2\n"
            "node 5 lacks datum 2 of node 2; message 17 brought the XOR of 1, 2\n");
}

TEST(unit_workload_collective, parity_repairs_one_loss_per_block_but_not_two) {
  collective_parameters p;
  p.algorithm = algorithm::Parity;
  p.sources = {0};
  p.receivers = {1};
  p.packets = 4;
  p.parity = 4;
  const collective c = make_collective(p, grid_network({2}));
  ASSERT_EQ(c.messages.size(), 5u);
  EXPECT_TRUE(check_collective(c, {2}).none());
  EXPECT_EQ(to_text(check_collective(c, {1, 2}), c),
            "node 1 lacks datum 1 of node 0; message 4 brought the XOR of 0, 1, 2, 3\n"
            "node 1 lacks datum 2 of node 0; message 4 brought the XOR of 0, 1, 2, 3\n");
}

}  // namespace
}  // namespace weft
