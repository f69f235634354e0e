// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/collective_check.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft {
namespace {

/// Returns the operands of a message in ascending order.
std::vector<datum_id> operands_of(const collective& c, message_id m) {
  std::vector<datum_id> operands(c.operands_begin(m), c.operands_end(m));
  std::sort(operands.begin(), operands.end());
  return operands;
}

bool includes(const std::vector<datum_id>& all, const std::vector<datum_id>& part) {
  return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

std::vector<datum_id> without(const std::vector<datum_id>& all, const std::vector<datum_id>& part) {
  std::vector<datum_id> rest;
  std::set_difference(all.begin(), all.end(), part.begin(), part.end(), std::back_inserter(rest));
  return rest;
}

/// What a node has: data, sums and XORs that it could not decode.
class possession {
 public:
  possession(const collective& c, node_id node) : m_c(c), m_node(node) {}

  void receive(message_id m) {
    std::vector<datum_id> operands = operands_of(m_c, m);
    switch (m_c.messages[m].form) {
      case payload_form::Datum:
      case payload_form::Join:
        for (const datum_id d : operands) add_datum(d);
        break;
      case payload_form::Sum:
        m_sums.push_back(std::move(operands));
        break;
      case payload_form::Xor:
        receive_xor(m, std::move(operands));
        break;
    }
  }

  bool has(datum_id d) const { return m_c.data[d].owner == m_node || m_known.count(d) != 0; }

  /// Whether an XOR of exactly these operands has arrived.
  bool has_xor(const std::vector<datum_id>& operands) const {
    return std::any_of(m_xors.begin(), m_xors.end(), [&](const coded& x) { return x.operands == operands; });
  }

  /// Returns the summands in \p needed that the node lacks. It has a summand if it has the datum, or a partial sum that
  /// contains the datum and otherwise only needed data.
  std::vector<datum_id> missing_from_sum(std::vector<datum_id> needed) const {
    std::vector<const std::vector<datum_id>*> sums;
    for (const std::vector<datum_id>& sum : m_sums) sums.push_back(&sum);
    std::stable_sort(sums.begin(), sums.end(), [](const auto* a, const auto* b) { return a->size() > b->size(); });
    for (const std::vector<datum_id>* sum : sums) {
      if (includes(needed, *sum)) needed = without(needed, *sum);
    }
    return missing(needed);
  }

  std::vector<datum_id> missing(const std::vector<datum_id>& needed) const {
    std::vector<datum_id> rest;
    std::copy_if(needed.begin(), needed.end(), std::back_inserter(rest), [&](datum_id d) { return !has(d); });
    return rest;
  }

  /// Returns the undecoded XORs that contain \p d.
  std::vector<message_id> named_in(datum_id d) const {
    std::vector<message_id> messages;
    const auto found = m_naming.find(d);
    if (found == m_naming.end()) return messages;
    for (const std::size_t x : found->second) messages.push_back(m_xors[x].message);
    return messages;
  }

 private:
  struct coded {
    message_id message = 0;
    std::vector<datum_id> operands;
    std::size_t unknown = 0;
  };

  void receive_xor(message_id m, std::vector<datum_id> operands) {
    const std::vector<datum_id> unknown = missing(operands);
    for (const datum_id d : unknown) m_naming[d].push_back(m_xors.size());
    m_xors.push_back({m, std::move(operands), unknown.size()});
    if (unknown.size() == 1) add_datum(unknown.front());
  }

  /// Adds a datum and decodes by peeling: each known datum may allow XORs to be decoded, which yields more data.
  void add_datum(datum_id first) {
    std::vector<datum_id> fresh{first};
    while (!fresh.empty()) {
      const datum_id d = fresh.back();
      fresh.pop_back();
      if (has(d)) continue;
      m_known.insert(d);
      const auto found = m_naming.find(d);
      if (found == m_naming.end()) continue;
      for (const std::size_t x : found->second) {
        if (--m_xors[x].unknown == 1) fresh.push_back(missing(m_xors[x].operands).front());
      }
    }
  }

  const collective& m_c;
  node_id m_node;
  std::unordered_set<datum_id> m_known;
  std::vector<std::vector<datum_id>> m_sums;
  std::vector<coded> m_xors;
  std::unordered_map<datum_id, std::vector<std::size_t>> m_naming;  ///< by datum, the XORs that contain it
};

class checker {
 public:
  explicit checker(const collective& c) : m_c(c) {}

  collective_findings check(const std::vector<message_id>& lost) {
    for (message_id m = 0; m < m_c.messages.size(); ++m) check_numbers(m);
    if (!m_findings.violations.empty()) return std::move(m_findings);
    for (message_id m = 0; m < m_c.messages.size(); ++m) check_payload(m);
    const std::vector<bool> arrived = play(lost);
    check_goals(arrived);
    return std::move(m_findings);
  }

 private:
  template <class... Arguments>
  void add_violation(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    m_findings.violations.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }

  void check_numbers(message_id m) {
    const collective_message& message = m_c.messages[m];
    const std::vector<datum_id> operands = operands_of(m_c, m);
    if (message.source >= m_c.nodes || message.destination >= m_c.nodes || message.source == message.destination) {
      add_violation("message {} goes from node {} to node {}, expected two different nodes of 0…{}", m, message.source,
                    message.destination, m_c.nodes - 1);
    }
    if (message.step >= m_c.steps.size()) {
      add_violation("message {} belongs to step {}, expected a step below {}", m, message.step, m_c.steps.size());
    }
    const bool fits = message.form == payload_form::Datum ? operands.size() == 1 : operands.size() >= 2;
    if (!fits) add_violation("message {} has {} operands, which does not fit its form", m, operands.size());
    if (!operands.empty() && operands.back() >= m_c.data.size()) {
      add_violation("message {} names datum {}, expected one of 0…{}", m, operands.back(), m_c.data.size() - 1);
    }
    if (std::adjacent_find(operands.begin(), operands.end()) != operands.end()) {
      add_violation("message {} names a datum twice", m);
    }
    for (const message_id* d = m_c.dependencies_begin(m); d != m_c.dependencies_end(m); ++d) {
      if (*d >= m_c.messages.size()) {
        add_violation("message {} waits for message {}, which does not exist", m, *d);
      } else if (m_c.messages[*d].destination != message.source) {
        add_violation("message {} of node {} waits for message {}, which goes to node {}", m, message.source, *d,
                      m_c.messages[*d].destination);
      } else if (m_c.messages[*d].step > message.step && m_c.messages[*d].step < m_c.steps.size()) {
        add_violation("message {} of step {} waits for message {} of step {}", m, m_c.steps[message.step], *d,
                      m_c.steps[m_c.messages[*d].step]);
      }
    }
  }

  /// Checks that the source has the contents of a message when it may send the message.
  void check_payload(message_id m) {
    const collective_message& message = m_c.messages[m];
    const std::vector<datum_id> operands = operands_of(m_c, m);
    possession has(m_c, message.source);
    for (const message_id* d = m_c.dependencies_begin(m); d != m_c.dependencies_end(m); ++d) has.receive(*d);
    if (message.form == payload_form::Xor && has.has_xor(operands)) return;
    const std::vector<datum_id> missing =
        message.form == payload_form::Sum ? has.missing_from_sum(operands) : has.missing(operands);
    if (!missing.empty()) {
      add_violation("node {} sends message {} made of data {}, but after all messages that it waits for, it lacks {}",
                    message.source, m, fmt::join(operands, ", "), fmt::join(missing, ", "));
    }
  }

  /// Executes all messages. \return for each message, whether it arrives
  std::vector<bool> play(const std::vector<message_id>& lost) {
    const std::size_t messages = m_c.messages.size();
    std::vector<std::uint32_t> waits(messages, 0);
    std::vector<std::vector<message_id>> waiting(messages);
    std::vector<message_id> ready;
    for (message_id m = 0; m < messages; ++m) {
      for (const message_id* d = m_c.dependencies_begin(m); d != m_c.dependencies_end(m); ++d) {
        waiting[*d].push_back(m);
        ++waits[m];
      }
      if (waits[m] == 0) ready.push_back(m);
    }
    std::vector<bool> arrives(messages, true);
    for (const message_id m : lost) arrives.at(m) = false;
    std::size_t played = 0;
    for (; !ready.empty(); ++played) {
      const message_id m = ready.back();
      ready.pop_back();
      for (const message_id w : waiting[m]) {
        if (!arrives[m]) arrives[w] = false;
        if (--waits[w] == 0) ready.push_back(w);
      }
    }
    if (played < messages) {
      const auto first = std::find_if(waits.begin(), waits.end(), [](std::uint32_t n) { return n != 0; });
      add_violation("{} messages wait for each other or for messages that do, such as message {}", messages - played,
                    first - waits.begin());
    }
    return arrives;
  }

  void check_goals(const std::vector<bool>& arrived) {
    std::vector<std::vector<message_id>> at(m_c.nodes);
    for (message_id m = 0; m < m_c.messages.size(); ++m) {
      if (arrived[m]) at[m_c.messages[m].destination].push_back(m);
    }
    std::map<node_id, const collective_goal*> goals;
    for (const collective_goal& goal : m_c.goals) {
      if (goal.node >= m_c.nodes)
        add_violation("a goal belongs to node {}, expected 0…{}", goal.node, m_c.nodes - 1);
      else if (!goals.emplace(goal.node, &goal).second)
        add_violation("node {} has two goals, expected one", goal.node);
    }
    for (const auto& [node, goal] : goals) {
      possession has(m_c, node);
      for (const message_id m : at[node]) has.receive(m);
      std::vector<datum_id> needed = goal->data;
      std::sort(needed.begin(), needed.end());
      for (const datum_id d : goal->sum ? has.missing_from_sum(needed) : has.missing(needed)) {
        m_findings.lacks.push_back({node, d, has.named_in(d)});
      }
    }
  }

  const collective& m_c;
  collective_findings m_findings;
};

}  // namespace

collective_findings check_collective(const collective& c, const std::vector<message_id>& lost) {
  return checker(c).check(lost);
}

std::string to_text(const collective_findings& findings, const collective& c) {
  std::string text;
  for (const std::string& violation : findings.violations) text += violation + "\n";
  for (const collective_lack& lack : findings.lacks) {
    text += fmt::format("node {} lacks datum {} of node {}", lack.node, lack.datum, c.data[lack.datum].owner);
    for (const message_id m : lack.named_in) {
      text +=
          fmt::format("; message {} brought the XOR of {}", m, fmt::join(c.operands_begin(m), c.operands_end(m), ", "));
    }
    text += "\n";
  }
  return text;
}

}  // namespace weft
