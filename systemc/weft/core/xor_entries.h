// SPDX-License-Identifier: Apache-2.0
/// The searches of an XOR decoder among its entries: the look-up of an arriving packet, and the comparison of a fresh
/// entry, which is new in the decoder, with the others. docs/03_reference/network_coding.md specifies them.
///
/// xor_searches derives from the class of the entries, because each level stores the entries in its own form and the
/// pin level stores them in a module, which no translator accepts as a parameter. The class must provide:
///   none()                    the number that stands for no entry
///   lowest_free()             the lowest free entry, or none()
///   lowest_fresh()            the lowest entry that has not been compared with the others, or none()
///   known(name)               the entry of a known datum, or none()
///   lowest_waiting_for(name)  the lowest entry with a coded packet that has the datum as a term, or none()
///   is_waiting(entry)         whether it holds a coded packet
///   first(entry)              the first datum of its packet; a known datum has its remaining uses
///   second(entry)             the second datum of a coded packet
#pragma once

#include <cstdint>
#include <ostream>

#include "weft/core/flit.h"
#include "weft/core/xor_code.h"
#include "weft/core/xor_stages.h"

namespace weft {

/// What a decoder does with an arriving packet, and the entries involved.
struct xor_look_up {
  xor_action action = xor_action::Pass;  ///< this and the next two: as in xor_choice
  xor_room room = xor_room::None;
  bool overflow = false;
  bool first_known = false;
  unsigned first = 0;   ///< entry of the first datum, if it is known
  unsigned second = 0;  ///< entry of the second datum, if it is known
  unsigned free = 0;    ///< the lowest free entry, if there is one

  /// The entry of the known datum that decodes the packet. At least one of the two data must be known.
  unsigned known() const { return first_known ? first : second; }
  /// The entry that stores a datum or a copy of the packet.
  unsigned kept_in() const { return room == xor_room::OfKnown ? known() : free; }

  friend bool operator==(const xor_look_up& a, const xor_look_up& b) {
    return a.action == b.action && a.room == b.room && a.overflow == b.overflow && a.first_known == b.first_known &&
           a.first == b.first && a.second == b.second && a.free == b.free;
  }
  friend std::ostream& operator<<(std::ostream& out, const xor_look_up& r) {
    return out << "action " << unsigned(r.action) << ", entries " << r.first << ", " << r.second << ", " << r.free;
  }
};

/// The result of comparing the lowest fresh entry with the others.
struct xor_comparison {
  bool any = false;        ///< there is a fresh entry (not compared with the others yet)
  bool match = false;      ///< a waiting packet can be decoded
  bool redundant = false;  ///< both data of the waiting packet are known
  unsigned fresh = 0;
  unsigned waiting = 0;  ///< entry of the packet
  unsigned known = 0;    ///< entry of one of its data
  unsigned other = 0;    ///< entry of the other, if the packet is redundant
};

/// \tparam Entries the class described at the top of this file
template <typename Entries>
class xor_searches : public Entries {
 public:
  using Entries::Entries;

  /// Looks up the data of an arriving packet and selects what the decoder does with the packet.
  /// \param head           header of the packet
  /// \param depth          number of flits that an entry holds
  /// \param words_per_flit ≥ 1
  xor_look_up look_up_packet(const header& head, unsigned depth, unsigned words_per_flit) const {
    xor_look_up r;
    const xor_datum first = datum_of(head.first);
    const bool coded = head.role == xor_role::Coded;
    if (coded || first.uses != 0) {
      xor_findings found;
      r.free = this->lowest_free();
      found.free = r.free != this->none();
      if (coded) {
        r.first = this->known(first.name);
        const xor_datum second = datum_of(head.second);
        r.second = this->known(second.name);
        r.first_known = r.first != this->none();
        found.first_known = r.first_known;
        found.second_known = r.second != this->none();
        if (found.first_known || found.second_known) {
          const unsigned known = r.known();
          const xor_datum datum = this->first(known);
          found.uses = datum.uses;
        }
      }
      const xor_choice choice = choose_action(head, found, depth, words_per_flit);
      r.action = choice.action;
      r.room = choice.room;
      r.overflow = choice.overflow;
    }
    return r;
  }

  xor_comparison compare_fresh() const {
    xor_comparison c;
    c.fresh = this->lowest_fresh();
    c.any = c.fresh != this->none();
    if (c.any) {
      const xor_datum one = this->first(c.fresh);
      if (this->is_waiting(c.fresh)) {
        const xor_datum other = this->second(c.fresh);
        const unsigned first = this->known(one.name), second = this->known(other.name);
        c.waiting = c.fresh;
        c.known = first != this->none() ? first : second;
        c.other = second;
        c.match = c.known != this->none();
        c.redundant = first != this->none() && second != this->none();
      } else {
        c.known = c.fresh;
        c.waiting = this->lowest_waiting_for(one.name);
        c.match = c.waiting != this->none();
        if (c.match) {
          const xor_datum first = this->first(c.waiting), second = this->second(c.waiting);
          c.other = this->known(first.name == one.name ? second.name : first.name);
          c.redundant = c.other != this->none();
        }
      }
    }
    return c;
  }
};

}  // namespace weft
