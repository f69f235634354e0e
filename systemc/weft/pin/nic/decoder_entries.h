// SPDX-License-Identifier: Apache-2.0
/// The entries of the XOR decoder: data that are known, and coded packets that wait for one of their data.
///
/// Purpose    Holds entries and their memory, looks up the data of a packet, and compares the lowest fresh entry with
///            the others: the registers and the comparators of the decoder, without its control. xor_decoder.h is the
///            module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/core/xor_entries.h"
#include "weft/core/xor_stages.h"

namespace weft::pin {

struct decoder_entry {
  enum class kind_t : std::uint8_t { Free, Known, Waiting };
  kind_t kind = kind_t::Free;
  bool fresh = false;  ///< it has not been compared with the others
  std::uint32_t flits = 0;
  codec_error error = codec_error::None;  ///< of the packet that it was
  header what;                            ///< as the packet came; known: its datum has the uses that are left
  std::uint8_t vc = 0;
#ifndef WEFT_SYNTHESIS
  flit_tag tag;
#endif
};

template <unsigned PayloadBits>
class decoder_entries {
 public:
  using flit_t = flit<PayloadBits>;
  using payload_t = decltype(flit_t::payload);

  explicit decoder_entries(const xor_parameters& parameters)
      : m_depth(parameters.depth),
        m_count(parameters.entries),
        m_entries_q(parameters.entries),
        m_memory(std::size_t{parameters.entries} * parameters.depth) {}

  const decoder_entry& operator[](unsigned entry) const { return m_entries_q[entry]; }

  /// Flit \p flit of an entry.
  payload_t& memory(unsigned entry, std::uint32_t flit) {
    return m_memory[static_cast<std::size_t>(entry) * m_depth + flit];
  }
  const payload_t& memory(unsigned entry, std::uint32_t flit) const {
    return m_memory[static_cast<std::size_t>(entry) * m_depth + flit];
  }

  // What look_up_packet() and compare_fresh() ask for: weft/core/xor_entries.h.
  unsigned none() const { return m_count; }
  unsigned lowest_free() const {
    return lowest_entry([](const decoder_entry& e) { return e.kind == kind_t::Free; });
  }
  unsigned lowest_fresh() const {
    return lowest_entry([](const decoder_entry& e) { return e.fresh; });
  }
  unsigned known(std::uint32_t datum) const {
    return lowest_entry(
        [datum](const decoder_entry& e) { return e.kind == kind_t::Known && e.what.code.first.name == datum; });
  }
  unsigned lowest_waiting_for(std::uint32_t datum) const {
    return lowest_entry([datum](const decoder_entry& e) {
      return e.kind == kind_t::Waiting && (e.what.code.first.name == datum || e.what.code.second.name == datum);
    });
  }
  bool is_waiting(unsigned entry) const { return m_entries_q[entry].kind == kind_t::Waiting; }
  const xor_code& code(unsigned entry) const { return m_entries_q[entry].what.code; }

  /// Whether a datum is known.
  bool knows(std::uint32_t datum) const { return known(datum) != none(); }

  bool any_fresh() const {
    bool fresh = false;
    for (const decoder_entry& e : m_entries_q) fresh |= e.fresh;
    return fresh;
  }

  /// What becomes of the packet with the header \p head.
  xor_look_up look_up(const header& head) const { return look_up_packet(head, *this, m_depth, PayloadBits / 32); }
  xor_comparison compare() const { return compare_fresh(*this); }

  void occupy(unsigned entry, const decoder_entry& content) {
    if (m_entries_q[entry].kind == kind_t::Free) count_entry();
    m_entries_q[entry] = content;
  }

  void release(unsigned entry) {
    m_entries_q[entry] = decoder_entry();
#ifndef WEFT_SYNTHESIS
    --m_used;
#endif
  }

  void release_all() {
    for (decoder_entry& e : m_entries_q) e = decoder_entry();
#ifndef WEFT_SYNTHESIS
    m_used = 0;
#endif
  }

  /// A packet has used the datum.
  void use(unsigned entry) {
    if (--m_entries_q[entry].what.code.first.uses == 0) release(entry);
  }

  /// The entry has been compared with the others.
  void mark_compared(unsigned entry) { m_entries_q[entry].fresh = false; }

  /// The packet that waits has become the datum of \p decoded, which has the uses that its header gives.
  void resolve(unsigned entry, const header& decoded, codec_error error) {
    decoder_entry& content = m_entries_q[entry];
    content.kind = kind_t::Known;
    content.fresh = true;
    content.what = decoded;
    content.flits = decoded.flits;
    content.error = error;
    if (has_more_uses(decoded.code.first))
      --content.what.code.first.uses;
    else
      release(entry);
  }

  void reset() {
    release_all();
#ifndef WEFT_SYNTHESIS
    m_most = 0;
#endif
  }

#ifndef WEFT_SYNTHESIS
  /// Entries in use now, and at most since reset.
  unsigned used() const { return m_used; }
  unsigned most() const { return m_most; }
#endif

 private:
  using kind_t = decoder_entry::kind_t;

  /// none() if there is none.
  template <typename Condition>
  unsigned lowest_entry(Condition condition) const {
    unsigned e = 0;
    while (e < m_count && !condition(m_entries_q[e])) ++e;
    return e;
  }

  void count_entry() {
#ifndef WEFT_SYNTHESIS
    if (++m_used > m_most) m_most = m_used;
#endif
  }

  const unsigned m_depth;  // flits of an entry
  const unsigned m_count;
  std::vector<decoder_entry> m_entries_q;
  std::vector<payload_t> m_memory;  // of all entries, without initial contents
#ifndef WEFT_SYNTHESIS
  unsigned m_used = 0, m_most = 0;
#endif
};

}  // namespace weft::pin
