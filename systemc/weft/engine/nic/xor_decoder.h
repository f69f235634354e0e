// SPDX-License-Identifier: Apache-2.0
/// The XOR decoder in the receive path of a NIC, for one channel. It behaves as pin::xor_decoder does.
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
  /// \param keeps_bits whether the payload of decoded packets is needed
  xor_decoder(const xor_parameters& parameters, unsigned words_per_flit, packet_pool& packets, const coded_forms& forms,
              packet_contents& contents, bool keeps_bits);

  struct outcome {
    bool accepted = false;  ///< whether the offered flit is accepted
    nic_flit out;           ///< flit on the output in this cycle; it leaves if the node is ready
  };
  /// Begins a cycle in which \p in is offered. If \p in has no packet, no flit is offered. \p ready: the node accepts a
  /// flit.
  outcome offer(const nic_flit& in, bool ready);
  /// Ends the cycle. \p moved is the result of offer(). If the decoder stores the arriving packet, or decodes it with a
  /// datum that it stores, it removes the packet from the pool when the tail has arrived.
  void finish(const nic_flit& in, bool ready, const outcome& moved);

  /// Whether there is no work until a flit arrives.
  bool idle() const { return m_state != state::Resolve && m_entries.lowest_fresh() == xor_entries::none(); }

 private:
  enum class state : std::uint8_t { Idle, Move, Resolve };

  /// Moves flits at the end of the cycle. Returns whether entries may then be resolved or dropped.
  bool move(const nic_flit& in, bool ready, const outcome& moved);
  void begin(const nic_flit& head);
  void settle(const nic_flit& tail);
  void drop(const xor_comparison& c);
  void resolve(const xor_comparison& c);
  void move_resolved();

  /// Returns an entry for the packet with \p tail, as the packet arrived.
  xor_entry entry_for(const nic_flit& tail) const;
  /// Returns an entry for the datum that was decoded as \p decoded, after its first use.
  xor_entry known_from(packet_handle decoded, std::uint32_t vc) const;
  packet_record as_it_came(packet_handle packet) const;
  packet_contents::words_t words_of(packet_handle packet) const;
  /// Decodes the packet \p coded, whose payload is \p words, with the datum of entry \p known. Returns the other datum
  /// as a packet.
  packet_handle decode(const packet_record& coded, packet_contents::words_t words, unsigned known, bool by_first);

  xor_parameters m_parameters;
  unsigned m_words;  ///< words per flit
  packet_pool* m_packets;
  const coded_forms* m_forms;
  packet_contents* m_contents;
  bool m_keeps_bits;

  state m_state = state::Idle;
  xor_look_up m_look_up;               ///< result of the look-up for the arriving packet
  bool m_is_lookup = false;            ///< whether its head was looked up in this cycle
  packet_handle m_decoded = NoPacket;  ///< the packet that is decoded or resolved
  std::uint32_t m_decoded_flits = 0;   ///< length of this packet, because its record may be removed before the coded
                                       ///< packet ends
  xor_entry m_settling;                ///< entry in which this packet is stored afterwards
  std::uint32_t m_sequence = 0;        ///< sequence number of the next flit of the resolved packet
  unsigned m_waiting = 0;              ///< number of the entry with the waiting packet
  unsigned m_known = 0;                ///< number of the entry with the known datum
  xor_searches<xor_entries> m_entries;
};

}  // namespace weft::engine
