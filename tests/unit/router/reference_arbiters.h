// SPDX-License-Identifier: Apache-2.0
/// Second implementation of the arbiters, written from their descriptions. It is slow and simple: every arbiter
/// is an object that walks through its contenders.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "weft/core/router_choices.h"
#include "weft/router/arbiters/random.h"

namespace weft::reference {

class arbiter {
 public:
  virtual ~arbiter() = default;
  /// The winner.
  /// \param requests by contender, at least one is true
  virtual unsigned select(const std::vector<bool>& requests) const = 0;
  virtual void grant(unsigned winner) = 0;
  /// The words that represent this state in the contract.
  virtual std::vector<unsigned> words() const = 0;
};

/// The first requester at or after a pointer, which moves past the winner.
class round_robin_arbiter : public arbiter {
 public:
  explicit round_robin_arbiter(unsigned contenders) : m_contenders(contenders) {}
  unsigned select(const std::vector<bool>& requests) const override {
    unsigned contender = m_pointer;
    while (!requests[contender]) contender = (contender + 1) % m_contenders;
    return contender;
  }
  void grant(unsigned winner) override { m_pointer = (winner + 1) % m_contenders; }
  std::vector<unsigned> words() const override { return {m_pointer}; }

 private:
  unsigned m_contenders, m_pointer = 0;
};

/// A bit for each pair of contenders determines which of them precedes the other. The winner is the requester that
/// precedes all others. It then becomes the last. After reset, higher numbers precede lower ones.
class matrix_arbiter : public arbiter {
 public:
  explicit matrix_arbiter(unsigned contenders) : m_precedes(contenders, std::vector<bool>(contenders, false)) {
    for (unsigned a = 0; a < contenders; ++a)
      for (unsigned b = 0; b < a; ++b) m_precedes[a][b] = true;
  }
  unsigned select(const std::vector<bool>& requests) const override {
    unsigned winner = 0;
    for (unsigned a = 0; a < count(); ++a) {
      bool wins = requests[a];
      for (unsigned b = 0; b < count(); ++b)
        if (b != a && requests[b] && !m_precedes[a][b]) wins = false;
      if (wins) winner = a;
    }
    return winner;
  }
  void grant(unsigned winner) override {
    for (unsigned other = 0; other < count(); ++other) {
      m_precedes[winner][other] = false;
      m_precedes[other][winner] = other != winner;
    }
  }
  /// The position of a contender is the number of those that precede it.
  std::vector<unsigned> words() const override {
    std::vector<unsigned> positions(count(), 0);
    for (unsigned a = 0; a < count(); ++a)
      for (unsigned b = 0; b < count(); ++b) positions[b] += m_precedes[a][b];
    return positions;
  }

 private:
  unsigned count() const { return static_cast<unsigned>(m_precedes.size()); }

  std::vector<std::vector<bool>> m_precedes;
};

/// A round-robin arbiter selects a group with requests, and another one a member of this group. All groups have the
/// same size, but the last ones may be smaller or empty.
class tree_arbiter : public arbiter {
 public:
  tree_arbiter(unsigned contenders, unsigned groups) : m_group_pointer(0), m_members(groups), m_pointers(groups, 0) {
    m_size = 1;
    while (m_size * groups < contenders) ++m_size;
    for (unsigned contender = 0; contender < contenders; ++contender)
      m_members[contender / m_size].push_back(contender);
  }
  unsigned select(const std::vector<bool>& requests) const override {
    for (unsigned step = 0;; ++step) {
      const unsigned group = (m_group_pointer + step) % static_cast<unsigned>(m_members.size());
      for (unsigned passed = 0; passed < m_size; ++passed) {
        const unsigned member = (m_pointers[group] + passed) % m_size;
        if (member < m_members[group].size() && requests[m_members[group][member]]) return m_members[group][member];
      }
    }
  }
  void grant(unsigned winner) override {
    const unsigned group = winner / m_size;
    m_group_pointer = (group + 1) % static_cast<unsigned>(m_members.size());
    m_pointers[group] = (winner % m_size + 1) % m_size;
  }
  std::vector<unsigned> words() const override {
    std::vector<unsigned> result{m_group_pointer};
    result.insert(result.end(), m_pointers.begin(), m_pointers.end());
    return result;
  }

 private:
  unsigned m_group_pointer, m_size;
  std::vector<std::vector<unsigned>> m_members;  // of each group
  std::vector<unsigned> m_pointers;              // of each group, the member at which its arbiter starts
};

/// The requester with the lowest number.
class fixed_priority_arbiter : public arbiter {
 public:
  unsigned select(const std::vector<bool>& requests) const override {
    unsigned contender = 0;
    while (!requests[contender]) ++contender;
    return contender;
  }
  void grant(unsigned) override {}
  std::vector<unsigned> words() const override { return {}; }
};

/// The requester with the lowest rank, which is a function of its number and of a word that changes with each grant.
class random_arbiter : public arbiter {
 public:
  explicit random_arbiter(unsigned number) : m_word(static_cast<std::uint16_t>(1 + number * 40503U % 65535U)) {}
  unsigned select(const std::vector<bool>& requests) const override {
    unsigned winner = static_cast<unsigned>(requests.size());
    for (unsigned contender = 0; contender < requests.size(); ++contender)
      if (requests[contender] &&
          (winner == requests.size() || random_rank(m_word, contender) < random_rank(m_word, winner)))
        winner = contender;
    return winner;
  }
  void grant(unsigned) override { m_word = next_random_word(m_word); }
  std::vector<unsigned> words() const override { return {m_word}; }

 private:
  std::uint16_t m_word;
};

/// \param number number of the arbiter in its allocator
inline std::unique_ptr<arbiter> make_arbiter(arbiter_kind kind, unsigned contenders, unsigned groups, unsigned number) {
  switch (kind) {
    case arbiter_kind::RoundRobin:
      return std::make_unique<round_robin_arbiter>(contenders);
    case arbiter_kind::Matrix:
      return std::make_unique<matrix_arbiter>(contenders);
    case arbiter_kind::Tree:
      return std::make_unique<tree_arbiter>(contenders, groups);
    case arbiter_kind::FixedPriority:
      return std::make_unique<fixed_priority_arbiter>();
    case arbiter_kind::Random:
      return std::make_unique<random_arbiter>(number);
  }
  return nullptr;
}

/// Maximum number of grants of an arbiter until a requester wins that keeps requesting; none if it may starve.
inline std::optional<unsigned> grants_until_win(arbiter_kind kind, unsigned contenders, unsigned groups) {
  switch (kind) {
    case arbiter_kind::RoundRobin:
    case arbiter_kind::Matrix:
      return contenders;
    case arbiter_kind::Tree: {
      // Each group that is not empty wins once before the group of the requester, which wins once for each member.
      const unsigned members = (contenders + groups - 1) / groups;
      return (contenders + members - 1) / members * members;
    }
    case arbiter_kind::FixedPriority:
    case arbiter_kind::Random:
      break;
  }
  return std::nullopt;
}

}  // namespace weft::reference
