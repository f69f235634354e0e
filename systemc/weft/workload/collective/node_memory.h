// SPDX-License-Identifier: Apache-2.0
/// What the nodes of a collective keep: every datum they have received or worked out, word for word, and XORs that
/// they cannot take apart yet. Only lengths are taken from the collective: a node sends what is here and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "weft/workload/collective/collective.h"

namespace weft {

/// Words that stay where they are until the pool ends.
class word_pool {
 public:
  /// A copy of \p count words.
  const std::uint64_t* keep(const std::uint64_t* words, std::size_t count);

 private:
  std::vector<std::unique_ptr<std::uint64_t[]>> m_chunks;
  std::size_t m_free = 0;  ///< words left in the last chunk
  std::uint64_t* m_next = nullptr;
};

/// XOR of two payloads into the longer.
void xor_into(std::vector<std::uint64_t>& to, const std::uint64_t* words, std::size_t count);

/// Adds \p words, each two numbers of 32 bits, modulo 2^32.
void add_into(std::vector<std::uint64_t>& to, const std::uint64_t* words, std::size_t count);

/// The memory of one node.
class node_memory {
 public:
  /// \p of, \p pool outlive it. A flit has \p words_per_flit words of 64 bits (of 32, if it is no wider).
  node_memory(const collective& of, unsigned words_per_flit, word_pool& pool)
      : m_of(&of), m_words_per_flit(words_per_flit), m_pool(&pool) {}

  /// The words of datum \p d; nullptr if the node does not have it.
  const std::uint64_t* find(datum_id d) const;

  /// The node gets datum \p d. What waits for it is taken apart, by peeling: a coded packet with one unknown gives that
  /// one.
  /// \return whether the words agree with those that it had before, if any
  bool learn(datum_id d, const std::uint64_t* words);

  /// The node gets the XOR of the operands of message \p m. \return false if it contradicts what the node has
  bool learn_xor(message_id m, std::vector<std::uint64_t> words);

  /// The node gets the sum of the operands of message \p m.
  void learn_sum(message_id m, std::vector<std::uint64_t> words);

  /// Message \p m is kept as it came, to be sent on; sent_on() gives it, or nullptr.
  void keep(message_id m, const std::vector<std::uint64_t>& words);
  const std::uint64_t* sent_on(message_id m) const;

  struct sum {
    std::vector<std::uint64_t> words;
    std::vector<datum_id> missing;
  };
  /// The sum of \p data from data and sums that the node has, those of the most data first.
  sum sum_of(const std::vector<datum_id>& data) const;

  std::size_t words_of(datum_id d) const { return std::size_t{m_of->data[d].flits} * m_words_per_flit; }

  std::uint64_t decoded() const { return m_decoded; }          ///< data taken out of coded packets
  std::uint64_t redundant() const { return m_redundant; }      ///< coded packets with nothing new
  std::size_t most_waiting() const { return m_most_waiting; }  ///< coded packets kept at once, not taken apart

 private:
  struct coded_packet {
    std::vector<datum_id> unknown;
    std::vector<std::uint64_t> words;
    bool done;  ///< taken apart
  };
  struct partial_sum {
    std::vector<datum_id> data;  ///< sorted
    std::vector<std::uint64_t> words;
  };
  struct learned {
    datum_id datum;
    std::vector<std::uint64_t> words;
    bool from_code;
  };

  /// Takes what has become known, and what becomes known by that, until nothing does.
  bool peel(std::vector<learned> fresh);
  /// A coded packet of which one unknown at most is left. \return false if it is none and words are left
  bool resolve(coded_packet& c, std::vector<learned>& fresh);

  const collective* m_of;
  unsigned m_words_per_flit;
  word_pool* m_pool;
  std::unordered_map<datum_id, const std::uint64_t*> m_data;
  std::vector<coded_packet> m_coded;
  std::unordered_map<datum_id, std::vector<std::size_t>> m_waiting;  ///< datum: coded packets in which it is unknown
  std::unordered_map<message_id, const std::uint64_t*> m_kept;
  std::vector<partial_sum> m_sums;
  std::uint64_t m_decoded = 0;
  std::uint64_t m_redundant = 0;
  std::size_t m_unresolved = 0;
  std::size_t m_most_waiting = 0;
};

}  // namespace weft
