// SPDX-License-Identifier: Apache-2.0
/// The two ends of a stream of flits: a source that offers packets with gaps, and a sink that stalls. Both count the
/// flits that they transfer.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <functional>
#include <vector>

#include "weft/core/flit.h"

namespace weft::lockstep {

/// The frequency and length of the pauses of a source or sink. Each phase of a test has one such object for each of the
/// two.
struct pauses {
  double chance = 0;     ///< probability in each cycle that a pause begins
  unsigned longest = 1;  ///< maximum length of a pause in cycles

  static pauses any(rng& random, unsigned longest) {
    pauses p;
    p.chance = random.one_of({0.0, 0.0, 0.05, 0.3, 0.8});
    p.longest = random.one_of({1U, 1U, 3U, longest});
    if (p.longest > 3) p.chance /= p.longest;
    return p;
  }
};

template <unsigned PayloadBits>
class stream_source {
 public:
  using flit_t = flit<PayloadBits>;
  /// \param next returns the flits of the next packet
  stream_source(rng& random, std::function<std::vector<flit_t>()> next) : m_random(random), m_next(std::move(next)) {}

  /// To be called at the beginning of a cycle; \p offered and \p ready are the values of the previous cycle. \p more:
  /// whether a new packet may begin.
  /// \return the flit to offer in this cycle
  flit_t drive(const flit_t& offered, bool ready, bool more) {
    if (offered.valid && !ready) {
      ++stalls;
      return offered;
    }
    if (offered.valid) {
      ++flits;
      packets += offered.tail;
    }
    if (m_pause > 0) {
      --m_pause;
      return {};
    }
    if (m_random.chance(pause.chance)) {
      m_pause = m_random.between(0, pause.longest - 1);
      return {};
    }
    if (m_at == m_packet.size()) {
      if (!more) return {};
      m_packet = m_next();
      m_at = 0;
      if (m_packet.empty()) return {};  // there are no more packets
    }
    return m_packet[m_at++];
  }

  /// Whether the source is between two packets.
  bool between_packets() const { return m_at == m_packet.size(); }
  /// To be called after a reset. Drops the packet in progress.
  void drop_packet() { m_at = m_packet.size(); }

  pauses pause;
  std::uint64_t flits = 0, packets = 0, stalls = 0;

 private:
  rng& m_random;
  std::function<std::vector<flit_t>()> m_next;
  std::vector<flit_t> m_packet;
  std::size_t m_at = 0;
  unsigned m_pause = 0;
};

template <unsigned PayloadBits>
class stream_sink {
 public:
  using flit_t = flit<PayloadBits>;
  explicit stream_sink(rng& random) : m_random(random) {}

  /// To be called at the beginning of a cycle, as drive() of the source.
  /// \return whether the sink is ready in this cycle
  bool drive(const flit_t& shown, bool ready) {
    if (shown.valid && !ready) ++stalls;
    if (shown.valid && ready) {
      ++flits;
      if (shown.head) ++packets_of[static_cast<unsigned>(shown.codec)];
      if (shown.tail) ++errors[static_cast<unsigned>(shown.error)];
    }
    if (m_pause > 0) {
      --m_pause;
      return false;
    }
    if (!m_random.chance(pause.chance)) return true;
    m_pause = m_random.between(0, pause.longest - 1);
    return false;
  }

  pauses pause;
  std::uint64_t flits = 0, stalls = 0;
  std::uint64_t packets_of[4] = {};  ///< number of packets, by codec
  std::uint64_t errors[4] = {};      ///< number of packets, by codec_error

 private:
  rng& m_random;
  unsigned m_pause = 0;
};

}  // namespace weft::lockstep
