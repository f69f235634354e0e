/// The XOR decoder of a NIC's receive path: what pin::xor_decoder does.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/xor_stages.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/coded_forms.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/packet_contents.h"
#include "weft/engine/nic/place_set.h"

namespace weft::engine {

class xor_decoder {
 public:
  /// \param keeps_bits somebody wants the payload of what comes out
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
  bool idle() const { return m_state != state::Resolve && m_fresh.lowest() == place_set::None; }

 private:
  static constexpr unsigned None = place_set::None;

  enum class state : std::uint8_t { Idle, Move, Resolve };

  /// Known: the datum, whose uses are those that are left. Waiting: a coded packet.
  struct place {
    packet_record what;  ///< as it came out of the decompressor
    std::uint32_t vc = 0;
    packet_contents::words_t words;
    bool waiting = false;
  };

  struct look_up_result {
    xor_choice choice;
    bool first_known = false;
    unsigned first = None;
    unsigned second = None;
    unsigned free = None;

    unsigned known() const { return first_known ? first : second; }
    unsigned room() const { return choice.room == xor_room::OfKnown ? known() : free; }
  };

  /// What the lowest fresh place has to do with the others.
  struct comparison {
    unsigned fresh = None;
    unsigned waiting = None;
    unsigned known = None;
    unsigned other = None;  ///< None: the packet that waits is not redundant

    bool match() const { return waiting != None && known != None; }
  };

  look_up_result look_up(const header& head) const;
  comparison compare() const;
  unsigned known_place(std::uint32_t datum) const;
  unsigned lowest_waiting_for(std::uint32_t datum) const;
  unsigned lowest_free() const;

  /// Returns whether something that waits may be resolved or dropped.
  bool move(const nic_flit& in, bool ready, const outcome& moved);
  void begin(const nic_flit& head);
  void settle(const nic_flit& tail);
  void drop(const comparison& c);
  void resolve(const comparison& c);
  void move_resolved();

  void occupy(unsigned where, place content, bool fresh);
  void release(unsigned where);
  void use(unsigned where);

  /// The packet with \p tail, to be kept as it came.
  place place_for(const nic_flit& tail) const;
  /// The datum that came out as \p decoded, with a use less.
  place known_from(packet_handle decoded, std::uint32_t vc) const;
  packet_record as_it_came(packet_handle packet) const;
  packet_contents::words_t words_of(packet_handle packet) const;
  /// The datum that is left of the packet \p coded, whose payload is \p words, by the known datum at \p known.
  packet_handle decode(const packet_record& coded, packet_contents::words_t words, unsigned known, bool by_first);

  xor_parameters m_parameters;
  unsigned m_words;  ///< of a flit
  packet_pool* m_packets;
  const coded_forms* m_forms;
  packet_contents* m_contents;
  bool m_keeps_bits;

  state m_state = state::Idle;
  look_up_result m_look_up;            ///< of the packet that comes in
  bool m_looks_up = false;             ///< its head was looked up in this cycle
  packet_handle m_decoded = NoPacket;  ///< what comes out decoded or resolved
  std::uint32_t m_decoded_flits = 0;   ///< of that; its record may be gone before the last flits of the coded packet
  place m_settling;                    ///< what will be kept of the packet that is decoded
  std::uint32_t m_sequence = 0;        ///< of the next flit of what is resolved
  unsigned m_waiting = None;           ///< of which two places…
  unsigned m_known = None;             ///< …that is
  std::vector<place> m_places;         ///< as many as have ever been in use
  place_set m_free, m_fresh;
  std::unordered_map<std::uint32_t, unsigned> m_known_places;         ///< by name
  std::unordered_multimap<std::uint32_t, unsigned> m_waiting_places;  ///< by the name of either datum
};

}  // namespace weft::engine
