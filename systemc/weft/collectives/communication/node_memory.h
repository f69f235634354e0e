// SPDX-License-Identifier: Apache-2.0
/// The memory of the nodes of a collective. It stores, word for word, every datum that a node has received or decoded,
/// and XORs that the node cannot decode yet. A node sends exactly the words that are stored here; the collective itself
/// contains only lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "weft/collectives/communication/collective.h"

namespace weft {

/// Memory for words. The address of a word stays valid as long as the pool exists.
class word_pool {
 public:
  /// Stores a copy of \p count words and returns its address.
  const std::uint64_t* keep(const std::uint64_t* words, std::size_t count);

 private:
  std::vector<std::unique_ptr<std::uint64_t[]>> m_chunks;
  std::size_t m_free = 0;  ///< number of free words in the last chunk
  std::uint64_t* m_next = nullptr;
};

/// XORs \p words into \p to. If \p words is longer, \p to grows.
void xor_into(std::vector<std::uint64_t>& to, const std::uint64_t* words, std::size_t count);

/// Adds \p words to \p to. Each word holds two 32-bit numbers, which are added modulo 2^32.
void add_into(std::vector<std::uint64_t>& to, const std::uint64_t* words, std::size_t count);

/// The memory of one node.
class node_memory {
 public:
  /// \p of and \p pool must outlive the memory. A flit has \p words_per_flit words of 64 bits, or one of 32 bits if it
  /// is no wider.
  node_memory(const collective& of, unsigned words_per_flit, word_pool& pool)
      : m_of(&of), m_words_per_flit(words_per_flit), m_pool(&pool) {}

  /// Returns the words of datum \p d; nullptr if the node does not have it.
  const std::uint64_t* find(datum_id d) const;

  /// Stores datum \p d and decodes by peeling: a coded packet with a single unknown operand yields this operand.
  /// \return whether the words agree with words that the node already had; true if it had none
  bool store(datum_id d, const std::uint64_t* words);

  /// Stores the XOR of the operands of message \p m. \return false if it contradicts the data of the node
  bool store_xor(message_id m, std::vector<std::uint64_t> words);

  /// Stores the sum of the operands of message \p m.
  void store_sum(message_id m, std::vector<std::uint64_t> words);

  /// Stores the payload of message \p m unchanged for forwarding. sent_on() returns it, or nullptr if it is not stored.
  void keep(message_id m, const std::vector<std::uint64_t>& words);
  const std::uint64_t* sent_on(message_id m) const;

  struct sum {
    std::vector<std::uint64_t> words;
    std::vector<datum_id> missing;
  };
  /// Computes the sum of \p data from the data and partial sums of the node. Partial sums over many data are used
  /// first. Also returns the data that are missing.
  sum sum_of(const std::vector<datum_id>& data) const;

  std::size_t words_of(datum_id d) const { return std::size_t{m_of->data[d].flits} * m_words_per_flit; }

  std::uint64_t decoded() const { return m_decoded; }          ///< number of data decoded from coded packets
  std::uint64_t redundant() const { return m_redundant; }      ///< number of coded packets that contained nothing new
  std::size_t most_waiting() const { return m_most_waiting; }  ///< maximum number of undecoded packets stored at a time

 private:
  struct coded_packet {
    std::vector<datum_id> unknown;
    std::vector<std::uint64_t> words;
    bool done;  ///< whether the packet is decoded
  };
  struct partial_sum {
    std::vector<datum_id> data;  ///< sorted
    std::vector<std::uint64_t> words;
  };
  struct new_datum {
    datum_id datum;
    std::vector<std::uint64_t> words;
    bool from_code;
  };

  /// Decodes coded packets with the new data, and again with the results, until there are no new data.
  bool peel(std::vector<new_datum> fresh);
  /// Resolves a coded packet with at most one unknown operand. \return false if it has no unknown operand but its words
  /// are not zero
  bool resolve(coded_packet& c, std::vector<new_datum>& fresh);

  const collective* m_of;
  unsigned m_words_per_flit;
  word_pool* m_pool;
  std::unordered_map<datum_id, const std::uint64_t*> m_data;
  std::vector<coded_packet> m_coded;
  std::unordered_map<datum_id, std::vector<std::size_t>> m_waiting;  ///< by datum, the coded packets that lack it
  std::unordered_map<message_id, const std::uint64_t*> m_kept;
  std::vector<partial_sum> m_sums;
  std::uint64_t m_decoded = 0;
  std::uint64_t m_redundant = 0;
  std::size_t m_unresolved = 0;
  std::size_t m_most_waiting = 0;
};

}  // namespace weft
