// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/xor_plan.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace weft {

namespace {

constexpr unsigned MaxUses = 15;
constexpr datum_id MaxNames = 1 << 20;

bool same_operands(const collective& c, message_id a, message_id b) {
  return std::is_permutation(c.operands_begin(a), c.operands_end(a), c.operands_begin(b), c.operands_end(b));
}

/// Returns the messages to each node, in their order.
std::vector<std::vector<message_id>> by_destination(const collective& c) {
  std::vector<std::vector<message_id>> lists(c.nodes);
  for (message_id m = 0; m < c.messages.size(); ++m) lists[c.messages[m].destination].push_back(m);
  return lists;
}

std::string name_of(const collective& c, message_id m) {
  return fmt::format("message {} of step {} from node {} to node {}", m, c.steps[c.messages[m].step],
                     c.messages[m].source, c.messages[m].destination);
}

/// Determines by peeling what the NIC of one node can decode.
class nic_decoder {
 public:
  nic_decoder(const collective& c, const std::vector<message_id>& to_node, xor_plan& plan)
      : m_collective(c), m_to_node(to_node), m_plan(plan) {}

  void plan() {
    for (const message_id m : m_to_node)
      if (is_candidate(m))
        for (int i = 0; i < 2; ++i) m_data[operand(m, i)].named_in.push_back(m);
    if (m_data.empty()) return;
    for (const message_id m : m_to_node) {
      if (is_plain(m_collective, m) && get(operand(m, 0))) {
        m_openers.push_back(m);
        peel();
      }
    }
    for (const message_id m : m_to_node) decide(m);
    count_uses();
  }

 private:
  struct datum_state {
    std::vector<message_id> named_in;
    bool known = false;  ///< after peeling
    unsigned uses = 0;
  };

  datum_id operand(message_id m, int i) const { return m_collective.operands_begin(m)[i]; }

  bool is_candidate(message_id m) const {
    const auto own = [&](datum_id d) { return m_collective.data[d].owner == m_collective.messages[m].destination; };
    return is_coded(m_collective, m) && m_collective.operands_end(m) - m_collective.operands_begin(m) == 2 &&
           operand(m, 0) != operand(m, 1) && !own(operand(m, 0)) && !own(operand(m, 1));
  }

  /// Records that \p d arrives plain or is decoded. Returns true if the datum is needed and was not known yet.
  bool get(datum_id d) {
    const auto at = m_data.find(d);
    if (at == m_data.end() || at->second.known) return false;
    at->second.known = true;
    m_fresh.push_back(d);
    return true;
  }

  void peel() {
    while (!m_fresh.empty()) {
      const datum_id d = m_fresh.back();
      m_fresh.pop_back();
      for (const message_id m : m_data[d].named_in) get(operand(m, operand(m, 0) == d));
    }
  }

  void decide(message_id m) {
    if (!is_candidate(m) || !m_data[operand(m, 0)].known || !m_data[operand(m, 1)].known) return;
    m_plan.by_nic[m] = true;
    for (int i = 0; i < 2; ++i) ++m_data[operand(m, i)].uses;
  }

  /// Counts the uses of data. If XORs connect several data that arrive plain, the decoder keeps only one of them. The
  /// others are decoded as well; if they were also stored, they would be known twice or never used.
  void count_uses() {
    for (const message_id m : m_to_node)
      if (m_plan.by_nic[m])
        for (int i = 0; i < 2; ++i) m_plan.uses[m][static_cast<std::size_t>(i)] = uses_of(operand(m, i));
    for (const message_id m : m_openers) m_plan.uses[m][0] = uses_of(operand(m, 0));
  }

  std::uint8_t uses_of(datum_id d) {
    const unsigned uses = m_data[d].uses;
    if (uses > MaxUses)
      throw std::invalid_argument(
          fmt::format("datum {} occurs in {} XORs to node {}, but a header counts at most {}; let the nodes do the "
                      "XORs, or form smaller groups",
                      d, uses, m_collective.messages[m_to_node.front()].destination, MaxUses));
    return static_cast<std::uint8_t>(uses);
  }

  const collective& m_collective;
  const std::vector<message_id>& m_to_node;
  xor_plan& m_plan;
  std::unordered_map<datum_id, datum_state> m_data;  ///< data that occur in XORs
  std::vector<datum_id> m_fresh;
  std::vector<message_id> m_openers;  ///< plain messages from which the XORs are decoded
};

/// Checks that the XOR stages have enough capacity.
void check_stages(const collective& c, const xor_plan& plan, const xor_parameters& stages) {
  if (c.data.size() > MaxNames)
    throw std::invalid_argument(
        fmt::format("a header lists at most {} data, but the collective has {}; let the nodes do the XORs", MaxNames,
                    c.data.size()));
  for (message_id m = 0; m < c.messages.size(); ++m)
    if (plan.by_nic[m] && c.flits(m) > stages.depth)
      throw std::invalid_argument(
          fmt::format("{} has {} flits, but XOR stages hold at most {}", name_of(c, m), c.flits(m), stages.depth));
}

}  // namespace

xor_plan make_xor_plan(const collective& c, xor_unit unit, const xor_parameters& stages) {
  const std::size_t count = c.messages.size();
  xor_plan plan{std::vector<message_id>(count, NoMessage), std::vector<bool>(count), std::vector<bool>(count), {}};
  for (message_id m = 0; m < count; ++m) {
    if (!is_coded(c, m)) continue;
    for (const message_id* d = c.dependencies_begin(m); d != c.dependencies_end(m); ++d) {
      if (!is_coded(c, *d) || c.messages[*d].destination != c.messages[m].source || !same_operands(c, m, *d)) continue;
      plan.copy_of[m] = *d;
      plan.relayed[*d] = true;
    }
  }
  if (unit == xor_unit::Node) return plan;
  plan.uses.resize(count);
  for (const std::vector<message_id>& to_node : by_destination(c)) nic_decoder(c, to_node, plan).plan();
  check_stages(c, plan, stages);
  return plan;
}

}  // namespace weft
