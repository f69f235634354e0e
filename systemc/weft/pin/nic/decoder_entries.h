// SPDX-License-Identifier: Apache-2.0
/// The entries of the XOR decoder. An entry holds a known datum, or a coded packet that waits until one of its data is
/// known.
///
/// Purpose    Stores the entries and their payload memory, and searches them: it has the registers and comparators of
///            the decoder. The class xor_decoder (xor_decoder.h), which contains the control, is derived from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ostream>

#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/core/xor_entries.h"
#include "weft/core/xor_stages.h"
#include "weft/pin/check.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/signals.h"

namespace weft::pin {

/// The contents of an entry, except for the header of its packet.
struct decoder_entry {
  enum class kind_t : std::uint8_t { Free, Known, Waiting };
  kind_t kind = kind_t::Free;
  codec_error error = codec_error::None;  ///< error of its packet
  std::uint8_t vc = 0;
#ifndef WEFT_SYNTHESIS
  flit_tag tag;
#endif

  friend bool operator==(const decoder_entry& a, const decoder_entry& b) {
    return a.kind == b.kind && a.error == b.error && a.vc == b.vc;
  }
  friend std::ostream& operator<<(std::ostream& out, const decoder_entry& e) {
    return out << (e.kind == kind_t::Free ? "free" : e.kind == kind_t::Known ? "known" : "waiting");
  }
};

/// \tparam PayloadBits payload width of a flit in bits
template <unsigned PayloadBits>
class decoder_entries : public packet_stage<PayloadBits> {
 public:
  using flit_t = typename packet_stage<PayloadBits>::flit_t;
  using packet_stage<PayloadBits>::name;

#ifndef WEFT_SYNTHESIS
  /// Number of entries in use now (entries_used), and its maximum since reset (most_entries).
  unsigned entries_used() const { return m_used; }
  unsigned most_entries() const { return m_most; }
#endif

  // The functions that xor_searches (weft/core/xor_entries.h) requires.
  unsigned none() const { return m_count; }
  unsigned lowest_free() const {
    unsigned found = m_count;
    for (unsigned e = 0; e < m_count; ++e) {
      if (m_entries_q[e].read().kind == kind_t::Free) {
        found = e;
        break;
      }
    }
    return found;
  }
  unsigned lowest_fresh() const {
    unsigned found = m_count;
    for (unsigned e = 0; e < m_count; ++e) {
      if (m_fresh_q[e].read()) {
        found = e;
        break;
      }
    }
    return found;
  }
  unsigned known(std::uint32_t datum) const {
    unsigned found = m_count;
    for (unsigned e = 0; e < m_count; ++e) {
      const xor_datum own = first(e);
      if (m_entries_q[e].read().kind == kind_t::Known && own.name == datum) {
        found = e;
        break;
      }
    }
    return found;
  }
  unsigned lowest_waiting_for(std::uint32_t datum) const {
    unsigned found = m_count;
    for (unsigned e = 0; e < m_count; ++e) {
      const xor_datum one = first(e), other = second(e);
      if (is_waiting(e) && (one.name == datum || other.name == datum)) {
        found = e;
        break;
      }
    }
    return found;
  }
  bool is_waiting(unsigned entry) const { return m_entries_q[entry].read().kind == kind_t::Waiting; }
  xor_datum first(unsigned entry) const {
    const xor_datum datum = datum_of(m_headers_q[entry].read().first);
    return datum;
  }
  xor_datum second(unsigned entry) const {
    const xor_datum datum = datum_of(m_headers_q[entry].read().second);
    return datum;
  }

 protected:
  using payload_t = word_row<PayloadBits / 32>;

  const unsigned m_depth;  // flits per entry

  decoder_entries(sc_core::sc_module_name module_name, const xor_parameters& parameters)
      : packet_stage<PayloadBits>(module_name),
        m_depth(parameters.depth),
        m_count(parameters.entries),
        m_entries_q("entries_q", parameters.entries),
        m_headers_q("headers_q", parameters.entries),
        m_fresh_q("fresh_q", parameters.entries),
        m_memory_q("memory_q", parameters.entries * parameters.depth) {}

  decoder_entry at(unsigned entry) const { return m_entries_q[entry].read(); }
  /// The header of the packet as it arrived. For a known datum, the header contains the number of remaining uses.
  header head(unsigned entry) const { return m_headers_q[entry].read(); }
  std::uint32_t flits(unsigned entry) const { return m_headers_q[entry].read().flits; }
  codec_error error(unsigned entry) const { return m_entries_q[entry].read().error; }

  /// The payload of flit number \p flit of an entry.
  payload_t payload(unsigned entry, std::uint32_t flit) const { return m_memory_q[entry * m_depth + flit].read(); }
  /// Returns the XOR of \p other and flit number \p flit of the entry. If the packet of the entry has no such flit,
  /// returns \p other.
  payload_t joined(const payload_t& other, unsigned entry, std::uint32_t flit) const {
    payload_t both = other;
    if (flit < flits(entry)) {
      const payload_t kept = payload(entry, flit);
      both = joined_words(other, kept);
    }
    return both;
  }
  void store(unsigned entry, std::uint32_t flit, const payload_t& payload) {
    m_memory_q[entry * m_depth + flit].write(payload);
  }

  /// The error of a packet that was decoded with the datum of an entry: \p coded, the error of the coded packet, unless
  /// it is None; otherwise the error of the datum.
  codec_error error_of(codec_error coded, unsigned known) const {
    return coded != codec_error::None ? coded : error(known);
  }

  /// Makes a combinational process sensitive to all entries.
  void add_sensitivity(sc_core::sc_sensitive& process) {
    for (auto& entry : m_entries_q) process << entry;
    for (auto& head : m_headers_q) process << head;
    for (auto& fresh : m_fresh_q) process << fresh;
    for (auto& flit : m_memory_q) process << flit;
  }

  /// Whether a datum is known.
  bool has_datum(std::uint32_t datum) const { return known(datum) != none(); }

  bool any_fresh() const { return lowest_fresh() != none(); }

#ifndef WEFT_SYNTHESIS
  /// Checks that the header matches the data of the packet, and that no other datum has one of their names.
  void check_head(const flit_t& in, const xor_look_up& found) const {
    WEFT_ASSERT(in.codec == codec::Raw, "coded packet, expected an uncoded one: " << in);
    const xor_code code = code_of(in);
    const bool coded = code.role == xor_role::Coded;
    if (!coded && code.first.uses == 0) return;
    const std::uint32_t words = coded ? std::max(code.first.words, code.second.words) : code.first.words;
    WEFT_ASSERT(in.flits == flits_of_words(words, PayloadBits / 32),
                "the header gives " << in.flits << " flits for " << words << " words: " << in);
    WEFT_ASSERT(!coded || code.first.name != code.second.name, "a datum is combined with itself: " << in);
    WEFT_ASSERT(coded || found.action != xor_action::Keep || !has_datum(code.first.name),
                "two data have the name " << code.first.name << ": " << in);
  }
#else
  void check_head([[maybe_unused]] const flit_t& in, [[maybe_unused]] const xor_look_up& found) const {}
#endif

  /// \param fresh whether the entry still has to be compared with the others
  void occupy(unsigned entry, const decoder_entry& content, const header& head, bool fresh) {
    if (m_entries_q[entry].read().kind == kind_t::Free) count_entry();
    m_entries_q[entry].write(content);
    m_headers_q[entry].write(head);
    m_fresh_q[entry].write(fresh);
  }

  void release(unsigned entry) {
    m_entries_q[entry].write(decoder_entry());
    m_fresh_q[entry].write(false);
#ifndef WEFT_SYNTHESIS
    --m_used;
#endif
  }

  void release_all() {
    for (unsigned e = 0; e < m_count; ++e) {
      m_entries_q[e].write(decoder_entry());
      m_fresh_q[e].write(false);
    }
#ifndef WEFT_SYNTHESIS
    m_used = 0;
#endif
  }

  /// Decrements the remaining uses of the datum after a packet has used it.
  void use(unsigned entry) {
    header head = m_headers_q[entry].read();
    head.first = with_one_use_less(head.first);
    const xor_datum left = datum_of(head.first);
    if (left.uses == 0)
      release(entry);
    else
      m_headers_q[entry].write(head);
  }

  /// Marks the entry as compared with the others.
  void mark_compared(unsigned entry) { m_fresh_q[entry].write(false); }

  /// Turns the waiting packet of an entry into the datum that was decoded from it (\p decoded), with the uses given in
  /// its header.
  void store_decoded(unsigned entry, header decoded, codec_error error) {
    const xor_datum datum = datum_of(decoded.first);
    if (has_more_uses(datum)) {
      WEFT_ASSERT(!has_datum(datum.name), "two data have the name " << datum.name << ": one plain, one decoded");
      decoder_entry content = m_entries_q[entry].read();
      content.kind = kind_t::Known;
      content.error = error;
      decoded.first = with_one_use_less(decoded.first);
      m_entries_q[entry].write(content);
      m_headers_q[entry].write(decoded);
      m_fresh_q[entry].write(true);
    } else {
      release(entry);
    }
  }

  void clear_entries() {
    release_all();
#ifndef WEFT_SYNTHESIS
    m_most = 0;
#endif
  }

 private:
  using kind_t = decoder_entry::kind_t;

  void count_entry() {
#ifndef WEFT_SYNTHESIS
    if (++m_used > m_most) m_most = m_used;
#endif
  }

  const unsigned m_count;
  untraced_registers<decoder_entry> m_entries_q;
  untraced_registers<header> m_headers_q;    // headers of the packets
  untraced_registers<bool> m_fresh_q;        // per entry: not yet compared with the others
  untraced_registers<payload_t> m_memory_q;  // memory of all entries, without initial contents
#ifndef WEFT_SYNTHESIS
  unsigned m_used = 0, m_most = 0;
#endif
};

}  // namespace weft::pin
