// SPDX-License-Identifier: Apache-2.0
/// The results of a collective: which data each node has or lacks, with reasons, and the counts.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/collectives/communication/collective_traffic.h"

namespace weft {

namespace {

/// Returns at most \p most of \p lines, followed by the number of omitted lines.
std::vector<std::string> shortened(std::vector<std::string> lines, std::size_t most, const char* of_what) {
  if (lines.size() <= most) return lines;
  const std::size_t more = lines.size() - most;
  lines.resize(most);
  lines.push_back(fmt::format("and {} more {}", more, of_what));
  return lines;
}

}  // namespace

bool collective_traffic::finished() const {
  if (m_arrived < m_messages.size()) return false;
  return m_options.coding == xor_unit::Node ||
         std::all_of(m_collective.goals.begin(), m_collective.goals.end(), [this](const collective_goal& goal) {
           return goal.sum || std::all_of(goal.data.begin(), goal.data.end(),
                                          [&](datum_id d) { return m_memory[goal.node].find(d) != nullptr; });
         });
}

std::vector<std::string> collective_traffic::verify() const {
  constexpr std::size_t MostLines = 20;
  std::vector<std::string> lines;
  const auto add = [&](auto make_line) { lines.push_back(lines.size() < MostLines ? make_line() : std::string()); };
  for (const collective_goal& goal : m_collective.goals) {
    if (goal.sum) {
      verify_sum(goal, lines);
      continue;
    }
    const node_memory& memory = m_memory[goal.node];
    for (const datum_id d : goal.data) {
      const std::uint64_t* const words = memory.find(d);
      if (words == nullptr)
        add([&] { return why_missing(goal.node, d); });
      else if (!std::equal(words, words + memory.words_of(d), m_original[d]))
        add([&] {
          return fmt::format("node {} has different words for datum {} than its owner, node {}", goal.node, d,
                             m_collective.data[d].owner);
        });
    }
  }
  return shortened(std::move(lines), MostLines, "lacks of this kind");
}

void collective_traffic::verify_sum(const collective_goal& goal, std::vector<std::string>& lines) const {
  const node_memory& memory = m_memory[goal.node];
  const node_memory::sum made = memory.sum_of(goal.data);
  for (const datum_id d : made.missing)
    lines.push_back(
        fmt::format("node {} lacks datum {} of node {} in its sum", goal.node, d, m_collective.data[d].owner));
  std::vector<std::uint64_t> expected;
  for (const datum_id d : goal.data) add_into(expected, m_original[d], memory.words_of(d));
  if (made.missing.empty() && made.words != expected)
    lines.push_back(fmt::format("the sum of {1} data at node {0} differs from the sum of their owners' words",
                                goal.node, goal.data.size()));
}

/// Returns the reasons why a node lacks a datum, such as "node 5 lacks datum 3 of node 3: message 12 of step F from
/// node 2 was lost; …". It lists every message to the node that contains the datum.
std::string collective_traffic::why_missing(node_id node, datum_id d) const {
  constexpr std::size_t MostReasons = 6;
  std::vector<std::string> reasons;
  for (message_id m = 0; m < m_messages.size(); ++m) {
    const std::vector<datum_id> in = operands(m);
    const collective_message& message = m_collective.messages[m];
    if (message.destination != node || std::find(in.begin(), in.end(), d) == in.end()) continue;
    const bool reached = m_messages[m].delivered || (m_plan.by_nic[m] && m_messages[m].created != Never);
    const std::string fate =
        m_messages[m].created == Never ? why_not_sent(m)
        : m_messages[m].lost           ? "was lost"
        : reached ? fmt::format("is the XOR of data {}, of which more than one is unknown", fmt::join(in, ", "))
                  : "has not arrived";
    reasons.push_back(fmt::format("message {} of step {} from node {} {}", m, m_collective.steps[message.step],
                                  message.source, fate));
  }
  const std::string what = fmt::format("node {} lacks datum {} of node {}", node, d, m_collective.data[d].owner);
  if (reasons.empty()) return what + ", which no message brings";
  return fmt::format("{}: {}", what, fmt::join(shortened(std::move(reasons), MostReasons, "messages"), "; "));
}

std::string collective_traffic::why_not_sent(message_id m) const {
  const node_memory& memory = m_memory[m_collective.messages[m].source];
  if (m_messages[m].missing > 0) return "was not sent, because messages for which it waits did not arrive";
  for (const datum_id d : operands(m))
    if (memory.find(d) == nullptr) return fmt::format("could not be made at that node without datum {}", d);
  return "was not sent";
}

collective_metrics collective_traffic::total() const {
  collective_metrics all;
  for (const collective_metrics& s : m_steps) {
    all.messages += s.messages;
    all.flits += s.flits;
    all.hops += s.hops;
    all.begin = std::min(all.begin, s.begin);
    all.end = std::max(all.end, s.end);
    all.latency_sum += s.latency_sum;
    all.max_latency = std::max(all.max_latency, s.max_latency);
  }
  return all;
}

xor_metrics collective_traffic::xors() const {
  xor_metrics f{m_xors_made, m_sent_on, m_decoded_by_nics, 0, 0};
  for (const node_memory& memory : m_memory) {
    f.decoded += memory.decoded();
    f.redundant += memory.redundant();
    f.most_waiting = std::max(f.most_waiting, memory.most_waiting());
  }
  return f;
}

std::vector<message_id> collective_traffic::lost() const {
  std::vector<message_id> list;
  for (message_id m = 0; m < m_messages.size(); ++m)
    if (m_messages[m].lost && m_messages[m].delivered) list.push_back(m);
  return list;
}

}  // namespace weft
