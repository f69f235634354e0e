// SPDX-License-Identifier: Apache-2.0
/// The entries of an XOR decoder. An entry holds a known datum, or a coded packet that waits until one of its data is
/// known.
///
/// xor_searches of weft/core requires certain searches. Here they use a hash table of the names of data;
/// pin::decoder_entries compares all entries instead. tests/unit/engine/xor_entries_test.cpp compares the results of
/// both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weft/core/xor_code.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/number_set.h"
#include "weft/engine/nic/packet_contents.h"

namespace weft::engine {

/// The contents of an entry. Known: a datum with its remaining uses. Waiting: a coded packet.
struct xor_entry {
  packet_record what;  ///< the packet as the decompressor output it
  std::uint32_t vc = 0;
  packet_contents::words_t words;
  bool waiting = false;
};

class xor_entries {
 public:
  explicit xor_entries(unsigned count) : m_count(count), m_free(count), m_fresh(count) {}

  const xor_entry& operator[](unsigned entry) const { return m_entries[entry]; }

  void occupy(unsigned entry, xor_entry content, bool fresh);
  void release(unsigned entry);
  /// Decrements the remaining uses of the datum after a packet has used it.
  void use(unsigned entry);
  /// Marks the entry as compared with the others.
  void mark_compared(unsigned entry) { m_fresh.erase(entry); }

  // The functions that xor_searches (weft/core/xor_entries.h) requires.
  static constexpr unsigned none() { return number_set::None; }
  unsigned lowest_free() const;
  unsigned lowest_fresh() const { return m_fresh.lowest(); }
  unsigned known(std::uint32_t name) const;
  unsigned lowest_waiting_for(std::uint32_t name) const;
  bool is_waiting(unsigned entry) const { return m_entries[entry].waiting; }
  xor_datum first(unsigned entry) const { return code(entry).first; }
  xor_datum second(unsigned entry) const { return code(entry).second; }

 private:
  const xor_code& code(unsigned entry) const { return m_entries[entry].what.what.code; }

  unsigned m_count;
  std::vector<xor_entry> m_entries;  ///< all entries; their number is the maximum in use so far
  number_set m_free;                 ///< elements of m_entries that are free
  number_set m_fresh;
  std::unordered_map<std::uint32_t, unsigned> m_known;         ///< number of the entry with a known datum, by the name
                                                               ///< of the datum
  std::unordered_multimap<std::uint32_t, unsigned> m_waiting;  ///< number of the entry with a waiting packet, by the
                                                               ///< name of each of its data
};

}  // namespace weft::engine
