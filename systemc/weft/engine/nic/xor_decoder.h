// SPDX-License-Identifier: Apache-2.0
/// The XOR decoder of a NIC's receive path: what pin::xor_decoder does.
#pragma once

#include <cstdint>

#include "weft/core/parameters.h"
#include "weft/core/xor_entries.h"
#include "weft/core/xor_stages.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/coded_forms.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/packet_contents.h"
#include "weft/engine/nic/xor_entries.h"

namespace weft::engine {

class xor_decoder {
 public:
  /// \param keeps_bits the payload of what comes out is wanted
  xor_decoder(const xor_parameters& parameters, unsigned words_per_flit, packet_pool& packets, const coded_forms& forms,
              packet_contents& contents, bool keeps_bits);

  struct outcome {
    bool taken = false;  ///< the flit that was offered
    nic_flit out;        ///< is on the output in this cycle, and leaves if the node is ready
  };
  /// A cycle in which \p in is offered, or nothing. \p ready: the node takes a flit.
  outcome offer(const nic_flit& in, bool ready);
  /// Its end: \p moved is what offer() said. A packet that does not leave as it came is removed with its tail.
  void finish(const nic_flit& in, bool ready, const outcome& moved);

  /// There is nothing to do unless a flit comes.
  bool idle() const { return m_state != state::Resolve && m_entries.lowest_fresh() == xor_entries::none(); }

 private:
  enum class state : std::uint8_t { Idle, Move, Resolve };

  /// Returns whether something that waits may be resolved or dropped.
  bool move(const nic_flit& in, bool ready, const outcome& moved);
  void begin(const nic_flit& head);
  void settle(const nic_flit& tail);
  void drop(const xor_comparison& c);
  void resolve(const xor_comparison& c);
  void move_resolved();

  /// The packet with \p tail, to be kept as it came.
  xor_entry entry_for(const nic_flit& tail) const;
  /// The datum that came out as \p decoded, with a use less.
  xor_entry known_from(packet_handle decoded, std::uint32_t vc) const;
  packet_record as_it_came(packet_handle packet) const;
  packet_contents::words_t words_of(packet_handle packet) const;
  /// The datum that is left of the packet \p coded, whose payload is \p words, by the datum that entry \p known holds.
  packet_handle decode(const packet_record& coded, packet_contents::words_t words, unsigned known, bool by_first);

  xor_parameters m_parameters;
  unsigned m_words;  ///< of a flit
  packet_pool* m_packets;
  const coded_forms* m_forms;
  packet_contents* m_contents;
  bool m_keeps_bits;

  state m_state = state::Idle;
  xor_look_up m_look_up;               ///< of the packet that comes in
  bool m_looks_up = false;             ///< its head was looked up in this cycle
  packet_handle m_decoded = NoPacket;  ///< what comes out decoded or resolved
  std::uint32_t m_decoded_flits = 0;   ///< of that; its record may be gone before the last flits of the coded packet
  xor_entry m_settling;                ///< what will be kept of the packet that is decoded
  std::uint32_t m_sequence = 0;        ///< of the next flit of what is resolved
  unsigned m_waiting = 0;              ///< of which two entries…
  unsigned m_known = 0;                ///< …that is
  xor_searches<xor_entries> m_entries;
};

}  // namespace weft::engine
