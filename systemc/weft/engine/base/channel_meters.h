// SPDX-License-Identifier: Apache-2.0
/// Meters on all channels, for network_model::activity(). They exist if an observer needs the activity.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/channel_meter.h"
#include "weft/core/network_model.h"
#include "weft/core/types.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// The payload of flits as they travel through the network.
class payload_on_wires {
 public:
  virtual ~payload_on_wires() = default;
  /// Number of words of 64 bits per flit.
  virtual unsigned flit_words() const = 0;
  /// Writes flit number \p sequence of \p packet to \p out, low word first.
  virtual void flit(packet_handle packet, std::uint32_t sequence, std::uint64_t* out) const = 0;
};

class channel_meters {
 public:
  channel_meters(const topology& graph, unsigned vcs, const packet_pool& packets, const payload_on_wires& payload);

  /// Number of the channel behind an output port of a router, and of the channel from a NIC port to its router.
  std::size_t behind(router_id router, unsigned port) const { return m_first[router] + port; }
  std::size_t from_nic(nic_port port) const { return m_first.back() + port; }

  /// Enters the next flit of a channel from a NIC. The parameters are those of enter().
  void inject(nic_port port, unsigned vc, packet_handle packet, bool tail, cycle_t from);

  /// Enters the next flit of a channel behind a router. The flits of a VC come in the order of their packets.
  /// \param tail whether the flit is the last one of \p packet
  /// \param from first cycle in which the flit is on the wires; it does not decrease from flit to flit of a channel
  WEFT_INLINE void enter(std::size_t channel, unsigned vc, packet_handle packet, bool tail, cycle_t from) {
    std::uint32_t& next = m_sequence[channel * m_vcs + vc];
    const std::uint32_t sequence = next;
    next = tail ? 0 : sequence + 1;
    const bool head = sequence == 0;
    const contents& content = m_contents[packet];
    std::array<std::uint64_t, HeaderWords> header = head ? content.header : m_body;
    header[FormWord] |= form_bits(tail, vc);
    if (head) header[PathIdWord] = m_packets[packet].path_id;
    std::uint64_t* const last = &m_last[channel * m_stride];
    const std::uint64_t header_toggles = replace_words(last, header.data(), HeaderWords);
    const std::uint64_t payload_toggles =
        replace_words(last + HeaderWords, &content.payload[sequence * m_flit_words], m_flit_words);
    m_totals[channel] += {1, head, payload_toggles, header_toggles};
    m_early.push_back({from, static_cast<std::uint32_t>(channel), static_cast<std::uint16_t>(payload_toggles),
                       static_cast<std::uint16_t>(header_toggles << 1 | head)});
    if (m_early.size() >= m_tidy_at) tidy();
  }

  /// The activity of all channels up to cycle \p now, in the order of network_model::activity(). \p now must not be
  /// less than the greatest cycle of a previous call.
  std::vector<channel_activity> up_to(cycle_t now) const;

 private:
  /// The wires of a packet in the network.
  struct contents {
    std::array<std::uint64_t, HeaderWords> header;  ///< of the head, without tail, VC and path id
    std::vector<std::uint64_t> payload;             ///< of all flits
  };
  /// A flit that was entered before it is on the wires.
  struct early_flit {
    cycle_t from;
    std::uint32_t channel;
    std::uint16_t payload_toggles;
    std::uint16_t header_toggles_and_head;  ///< bit 0: whether it is a head

    channel_activity added() const {
      const auto both = std::uint64_t{header_toggles_and_head};
      return {1, both & 1, payload_toggles, both >> 1};
    }
  };
  static constexpr std::size_t FormWord = 1, PathIdWord = 4;  ///< of pack_header()
  /// Longest time from the entry of a flit to its cycle on the wires, with a margin for regions that are ahead.
  static constexpr cycle_t MostEarly = 64;
  static constexpr std::size_t MostListed = 4'096;  ///< number of early flits from which on the list is tidied

  static std::uint64_t form_bits(bool tail, unsigned vc) { return tail_bits(tail) | vc_bits(vc); }

  void tidy();

  const unsigned m_vcs;
  const packet_pool& m_packets;
  const payload_on_wires& m_payload;
  const unsigned m_flit_words;
  const std::size_t m_stride;              ///< words of a channel in m_last
  std::vector<std::size_t> m_first;        ///< by router: number of its first channel; the last entry is for NICs
  std::vector<std::uint64_t> m_last;       ///< by channel: the wires of its last flit
  std::vector<channel_activity> m_totals;  ///< by channel
  std::vector<std::uint32_t> m_sequence;   ///< by channel and VC: sequence of the next flit
  std::vector<contents> m_contents;        ///< by packet
  const std::array<std::uint64_t, HeaderWords> m_body = pack_header({});
  std::vector<early_flit> m_early;  ///< flits that are perhaps not on the wires yet
  std::size_t m_tidy_at = MostListed;
};

}  // namespace weft::engine
