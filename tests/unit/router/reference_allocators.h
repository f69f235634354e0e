// SPDX-License-Identifier: Apache-2.0
/// Second implementation of the allocators, written from their descriptions. It uses a matrix of requests, and
/// arbiters that are objects.
#pragma once

#include "unit/router/plain_allocation.h"
#include "unit/router/reference_arbiters.h"
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace weft::reference {

class allocator {
 public:
  virtual ~allocator() = default;
  /// One cycle: returns the grants and changes the state.
  virtual plain_grants step(const plain_requests& requests) = 0;
  /// The words that represent this state in the contract.
  virtual std::vector<unsigned> words() const = 0;
};

/// The arbiters of the inputs and of the outputs.
class with_arbiters : public allocator {
 public:
  with_arbiters(const allocation_size& size, arbiter_kind kind, unsigned groups)
      : m_inputs(size.all_inputs()), m_outputs(size.all_outputs()) {
    for (unsigned i = 0; i < m_inputs; ++i) m_of_input.push_back(make_arbiter(kind, m_outputs, groups, i));
    for (unsigned o = 0; o < m_outputs; ++o) m_of_output.push_back(make_arbiter(kind, m_inputs, groups, m_inputs + o));
  }
  std::vector<unsigned> words() const override {
    std::vector<unsigned> result;
    for (const auto* side : {&m_of_input, &m_of_output})
      for (const auto& arbiter : *side)
        for (const unsigned word : arbiter->words()) result.push_back(word);
    return result;
  }

 protected:
  /// The arbiter selects among the requests with the highest priority. \p priority_of gives that of a contender.
  template <class PriorityOf>
  static std::optional<unsigned> selected(const arbiter& by, std::vector<bool> requests, PriorityOf priority_of) {
    std::optional<std::uint32_t> highest;
    for (unsigned contender = 0; contender < requests.size(); ++contender)
      if (requests[contender]) highest = std::max(highest.value_or(0), priority_of(contender));
    if (!highest) return std::nullopt;
    for (unsigned contender = 0; contender < requests.size(); ++contender)
      requests[contender] = requests[contender] && priority_of(contender) == *highest;
    return by.select(requests);
  }
  std::optional<unsigned> selected_output(unsigned input, const std::vector<bool>& outputs,
                                          const plain_requests& requests) const {
    return selected(*m_of_input[input], outputs,
                    [&](unsigned output) { return requests.preference_of(input, output); });
  }
  std::optional<unsigned> selected_input(unsigned output, const std::vector<bool>& inputs,
                                         const plain_requests& requests) const {
    return selected(*m_of_output[output], inputs, [&](unsigned input) { return requests.priority_of(input, output); });
  }
  /// The arbiters of both sides change with the grants of the first iteration.
  void change_arbiters(const plain_grants& grants) {
    for (unsigned i = 0; i < m_inputs; ++i) {
      if (!grants.first[i]) continue;
      m_of_input[i]->grant(*grants.output[i]);
      m_of_output[*grants.output[i]]->grant(i);
    }
  }

  unsigned m_inputs, m_outputs;
  std::vector<std::unique_ptr<arbiter>> m_of_input, m_of_output;
};

/// Every input selects one of its outputs. Every output selects one of the inputs that selected it.
class input_first : public with_arbiters {
 public:
  using with_arbiters::with_arbiters;
  plain_grants step(const plain_requests& requests) override {
    std::vector<std::vector<bool>> selecting(m_outputs, std::vector<bool>(m_inputs, false));
    for (unsigned i = 0; i < m_inputs; ++i)
      if (const auto choice = selected_output(i, requests.matrix[i], requests)) selecting[*choice][i] = true;
    plain_grants grants(m_inputs);
    for (unsigned o = 0; o < m_outputs; ++o)
      if (const auto winner = selected_input(o, selecting[o], requests)) grants.add(*winner, o, true);
    change_arbiters(grants);
    return grants;
  }
};

/// Every output without an input selects one of the requesting inputs without an output. Every input accepts one of the
/// outputs that selected it. This is repeated. The arbiters change only with the grants of the first iteration.
class output_first : public with_arbiters {
 public:
  /// \param has_priorities whether the arbiters select among the requests with the highest priority
  output_first(const allocation_size& size, arbiter_kind kind, unsigned groups, unsigned iterations,
               bool has_priorities)
      : with_arbiters(size, kind, groups), m_iterations(iterations), m_has_priorities(has_priorities) {}
  plain_grants step(const plain_requests& given) override {
    plain_requests requests = given;
    if (!m_has_priorities) requests.priority = requests.preference = {};
    plain_grants grants(m_inputs);
    std::vector<bool> is_matched(m_outputs, false);
    for (unsigned iteration = 0; iteration < m_iterations; ++iteration) {
      std::vector<std::vector<bool>> offered(m_inputs, std::vector<bool>(m_outputs, false));
      for (unsigned o = 0; o < m_outputs; ++o) {
        if (is_matched[o]) continue;
        std::vector<bool> requesting(m_inputs, false);
        for (unsigned i = 0; i < m_inputs; ++i) requesting[i] = requests.matrix[i][o] && !grants.output[i];
        if (const auto choice = selected_input(o, requesting, requests)) offered[*choice][o] = true;
      }
      for (unsigned i = 0; i < m_inputs; ++i) {
        const auto accepted = selected_output(i, offered[i], requests);
        if (!accepted) continue;
        grants.add(i, *accepted, iteration == 0);
        is_matched[*accepted] = true;
      }
    }
    change_arbiters(grants);
    return grants;
  }

 private:
  unsigned m_iterations;
  bool m_has_priorities;
};

/// Input i and output o are on diagonal (i + o) mod n. The diagonals are visited in cyclic order. On each of them, all
/// requests of free inputs for free outputs are granted. This is done for the requests with the highest priority, and
/// then for those with lower ones. The next cycle starts one diagonal later; with the fair variant, past the first
/// diagonal with a grant.
class wavefront : public allocator {
 public:
  wavefront(const allocation_size& size, bool fair)
      : m_inputs(size.all_inputs()),
        m_outputs(size.all_outputs()),
        m_count(std::max(m_inputs, m_outputs)),
        m_fair(fair) {}
  plain_grants step(const plain_requests& requests) override {
    plain_grants grants(m_inputs);
    std::vector<bool> is_matched(m_outputs, false);
    std::set<std::pair<std::uint32_t, std::uint32_t>, std::greater<>> levels;
    const auto level_of = [&](unsigned i, unsigned o) {
      return std::pair(requests.priority_of(i, o), requests.preference_of(i, o));
    };
    for (unsigned i = 0; i < m_inputs; ++i)
      for (unsigned o = 0; o < m_outputs; ++o)
        if (requests.matrix[i][o]) levels.insert(level_of(i, o));
    std::optional<unsigned> first;
    for (const auto& level : levels) {
      for (unsigned passed = 0; passed < m_count; ++passed) {
        const unsigned diagonal = (m_start + passed) % m_count;
        for (unsigned i = 0; i < m_inputs; ++i) {
          for (unsigned o = 0; o < m_outputs; ++o) {
            const bool is_due = (i + o) % m_count == diagonal && level_of(i, o) == level;
            if (!is_due || !requests.matrix[i][o] || grants.output[i] || is_matched[o]) continue;
            grants.add(i, o, level == *levels.begin());
            is_matched[o] = true;
            if (!first) first = diagonal;
          }
        }
      }
    }
    if (first) m_start = ((m_fair ? *first : m_start) + 1) % m_count;
    return grants;
  }
  std::vector<unsigned> words() const override { return {m_start}; }

 private:
  unsigned m_inputs, m_outputs, m_count, m_start = 0;
  bool m_fair;
};

/// Every input selects the output with the fewest requests, and among equal ones the first at or after its pointer.
/// Every output selects the first of these inputs at or after its pointer. Both pointers move by one with a grant.
class fewest_requests : public allocator {
 public:
  explicit fewest_requests(const allocation_size& size)
      : m_of_input(size.all_inputs(), 0), m_of_output(size.all_outputs(), 0) {}
  plain_grants step(const plain_requests& requests) override {
    const auto inputs = static_cast<unsigned>(m_of_input.size()), outputs = static_cast<unsigned>(m_of_output.size());
    std::vector<unsigned> count(outputs, 0);
    for (const auto& row : requests.matrix)
      for (unsigned o = 0; o < outputs; ++o) count[o] += row[o];
    std::vector<std::optional<unsigned>> choice(inputs);
    for (unsigned i = 0; i < inputs; ++i) {
      for (unsigned passed = 0; passed < outputs; ++passed) {
        const unsigned o = (m_of_input[i] + passed) % outputs;
        if (requests.matrix[i][o] && (!choice[i] || count[o] < count[*choice[i]])) choice[i] = o;
      }
    }
    plain_grants grants(inputs);
    for (unsigned o = 0; o < outputs; ++o) {
      for (unsigned passed = 0; passed < inputs; ++passed) {
        const unsigned i = (m_of_output[o] + passed) % inputs;
        if (choice[i] != o) continue;
        grants.add(i, o, true);
        m_of_input[i] = (m_of_input[i] + 1) % outputs;
        m_of_output[o] = (m_of_output[o] + 1) % inputs;
        break;
      }
    }
    return grants;
  }
  std::vector<unsigned> words() const override {
    std::vector<unsigned> result = m_of_input;
    result.insert(result.end(), m_of_output.begin(), m_of_output.end());
    return result;
  }

 private:
  std::vector<unsigned> m_of_input, m_of_output;
};

/// \return null for the kinds whose individual choices are not described: `pim` and `maximum_matching`
inline std::unique_ptr<allocator> make_allocator(const allocator_parameters& p, const allocation_size& size) {
  switch (p.kind) {
    case allocator_kind::SeparableInputFirst:
      return std::make_unique<input_first>(size, p.arbiter, p.groups);
    case allocator_kind::SeparableOutputFirst:
      return std::make_unique<output_first>(size, p.arbiter, p.groups, 1, true);
    case allocator_kind::Islip:
      return std::make_unique<output_first>(size, arbiter_kind::RoundRobin, p.groups, p.iterations, false);
    case allocator_kind::Wavefront:
      return std::make_unique<wavefront>(size, false);
    case allocator_kind::WavefrontFair:
      return std::make_unique<wavefront>(size, true);
    case allocator_kind::LonelyOutput:
      return std::make_unique<fewest_requests>(size);
    case allocator_kind::Pim:
    case allocator_kind::MaximumMatching:
      break;
  }
  return nullptr;
}

/// Number of grants of a maximum matching, by augmenting paths that are searched in depth.
class maximum_matching {
 public:
  explicit maximum_matching(const std::vector<std::vector<bool>>& requests) : m_requests(requests) {
    for (const auto& row : requests) m_input_of.resize(row.size());
    for (unsigned i = 0; i < requests.size(); ++i) {
      m_is_visited.assign(m_input_of.size(), false);
      m_grants += augment(i);
    }
  }
  unsigned grants() const { return m_grants; }

 private:
  /// Gives \p input an output, and other outputs to the inputs that have to leave theirs. \return whether it could
  bool augment(unsigned input) {
    for (unsigned o = 0; o < m_input_of.size(); ++o) {
      if (!m_requests[input][o] || m_is_visited[o]) continue;
      m_is_visited[o] = true;
      if (m_input_of[o] && !augment(*m_input_of[o])) continue;
      m_input_of[o] = input;
      return true;
    }
    return false;
  }

  const std::vector<std::vector<bool>>& m_requests;
  std::vector<std::optional<unsigned>> m_input_of;  // by output
  std::vector<bool> m_is_visited;                   // by output
  unsigned m_grants = 0;
};

}  // namespace weft::reference
