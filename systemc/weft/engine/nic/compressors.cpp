// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/nic/compressors.h"

#include <algorithm>
#include <cmath>

namespace weft::engine {

namespace {

/// Selects the codec of the offered head by Algorithm 1. The selection is fixed in the first cycle in which the head is
/// offered.
class head_choice {
 public:
  head_choice(const compression_parameters& parameters, unsigned words_per_flit, const packet_pool& packets)
      : m_parameters(parameters), m_words(words_per_flit), m_packets(packets) {}

  codec of(const nic_flit& head, const congestion& state) {
    if (!m_chosen) {
      const packet_record& p = m_packets[head.packet];
      m_codec = choose_codec({p.what.type, p.what.flits, p.words, codec::Raw, state.received, state.queue},
                             m_parameters.selection, m_parameters.codec.classic, m_words, m_parameters.depth);
      m_chosen = true;
    }
    return m_codec;
  }
  /// Ends the selection, because the head has been accepted.
  void reset() { m_chosen = false; }
  codec last() const { return m_codec; }

 private:
  const compression_parameters m_parameters;
  const unsigned m_words;
  const packet_pool& m_packets;
  bool m_chosen = false;
  codec m_codec = codec::Raw;
};

/// A model of pin::compressor. The class coded_forms gives the coded bits and lengths; the latencies are those of the
/// pipeline.
class hardware_compressor final : public send_stage {
 public:
  hardware_compressor(const compression_parameters& parameters, unsigned words_per_flit, packet_pool& packets,
                      coded_forms& forms)
      : m_depth(parameters.depth),
        m_classic(parameters.codec.classic),
        m_choice(parameters, words_per_flit, packets),
        m_packets(packets),
        m_forms(forms) {}

  bool empty() const override { return m_within.empty() && !m_out.valid(); }

  nic_flit output(const nic_flit& in, const congestion& state) override {
    return path_of(in, state) == path::Bypass ? in : m_out;
  }

  outcome cycle(cycle_t now, const nic_flit& in, bool ready, const congestion& state) override {
    const path by = path_of(in, state);
    outcome result;
    result.accepted = in.valid() && accepts(in, by, ready);
    // At the end of the cycle, all parts read the registers as they were during the cycle.
    if (!m_out.valid() || ready) fetch();
    if (!m_encoded.empty() && m_encoded.front() == now) decide();
    if (result.accepted) accept(now, in, by);
    return result;
  }

 private:
  using path = compressor_path;

  struct descriptor {
    packet_handle packet;
    std::uint32_t raw_flits;
    bool encoded = false;
    bool done = false;
    bool coded = false;
  };

  static constexpr unsigned Packets = 16;  ///< number of descriptors: compressor_parameters::packets

  path path_of(const nic_flit& in, const congestion& state) {
    if (m_path != path::None || !in.valid()) return m_path;
    return path_for(m_choice.of(in, state), empty());
  }

  bool accepts(const nic_flit& in, path by, bool ready) const {
    if (by == path::Bypass) return ready;
    if (m_path != path::None) return true;  // the head reserved room for the whole packet
    const std::uint32_t flits = m_packets[in.packet].what.flits;
    return m_within.size() < Packets && m_raw_used + flits <= m_depth &&
           (by == path::Store || m_packed_used + flits <= m_depth);
  }

  void accept(cycle_t now, const nic_flit& in, path by) {
    m_path = in.tail ? path::None : by;
    if (in.head()) m_choice.reset();
    if (by == path::Bypass) return;
    if (in.head()) {
      const std::uint32_t flits = m_packets[in.packet].what.flits;
      m_within.push_back({in.packet, flits, by == path::Encode, by == path::Store});
      m_raw_used += flits;
      if (by == path::Encode) m_packed_used += flits;
    }
    ++m_raw_held;
    if (in.tail && by == path::Encode) m_encoded.push_back(now + 2);  // latency of encoder and packer
  }

  /// Selects the form in which the oldest undecided packet leaves. The packer has the last bits of this packet.
  void decide() {
    m_encoded.pop_front();
    descriptor& d = *std::find_if(m_within.begin(), m_within.end(), [](const descriptor& each) { return !each.done; });
    packet_record& p = m_packets[d.packet];
    m_forms.encode(d.packet, p, codec_for(p.what.type, m_classic));
    d.done = true;
    d.coded = p.codec != codec::Raw;
    m_packed_used -= d.coded ? d.raw_flits - p.travels : d.raw_flits;
  }

  void fetch() {
    m_out = nic_flit();
    if (m_within.empty()) return;
    const descriptor& d = m_within.front();
    if (!d.done || (!d.coded && m_raw_held == 0)) return;
    m_out.packet = d.packet;
    m_out.sequence = m_fetched++;
    m_out.tail = m_fetched == m_packets[d.packet].travels;
    if (d.coded) {
      --m_packed_used;
      if (m_out.head()) release_raw(d.raw_flits);
    } else {
      release_raw(1);
    }
    if (!m_out.tail) return;
    m_fetched = 0;
    m_within.pop_front();
  }

  void release_raw(std::uint32_t flits) {
    m_raw_used -= flits;
    m_raw_held -= flits;
  }

  const std::uint32_t m_depth;  ///< flits of each of the two memories
  const bool m_classic;
  head_choice m_choice;
  packet_pool& m_packets;
  coded_forms& m_forms;
  path m_path = path::None;  ///< path of the arriving packet
  std::deque<descriptor> m_within;
  std::deque<cycle_t> m_encoded;  ///< cycles in which the packer has the last bits of a packet
  std::uint32_t m_raw_used = 0, m_raw_held = 0, m_packed_used = 0;
  std::uint32_t m_fetched = 0;  ///< number of flits of the oldest packet that have been fetched
  nic_flit m_out;               ///< output register
};

/// A model of pin::timed_compressor.
class timed_compressor final : public send_stage {
 public:
  timed_compressor(const compression_parameters& parameters, unsigned words_per_flit, packet_pool& packets,
                   coded_forms& forms)
      : m_parameters(parameters), m_choice(parameters, words_per_flit, packets), m_packets(packets), m_forms(forms) {}

  bool empty() const override { return m_within.empty() && !m_out.valid(); }

  nic_flit output(const nic_flit& in, const congestion& state) override {
    return in.valid() && bypasses(in, state) ? in : m_out;
  }

  outcome cycle(cycle_t now, const nic_flit& in, bool ready, const congestion& state) override {
    const bool bypass = in.valid() && bypasses(in, state);
    outcome result;
    result.accepted = in.valid() && (bypass ? ready : accepts(in));
    if (in.valid() && m_entry == entry::None) m_choice.of(in, state);
    if (result.accepted) accept(now, in, bypass);
    if (!bypass && (!m_out.valid() || ready)) m_out = next(now + 1);
    return result;
  }

 private:
  enum class entry : std::uint8_t { None, Bypass, Keep };

  struct resident {
    packet_handle packet;
    bool timed = false;    ///< whether it was selected for compression
    bool known = true;     ///< whether the form in which it leaves is known
    cycle_t earliest = 0;  ///< cycle in which its head may leave
    std::uint32_t reserved = 0;
    std::uint32_t arrived = 0;  ///< number of raw flits that have arrived
  };

  bool bypasses(const nic_flit& in, const congestion& state) {
    if (m_entry != entry::None) return m_entry == entry::Bypass;
    return empty() && m_choice.of(in, state) == codec::Raw;
  }

  bool accepts(const nic_flit& in) const {
    return m_entry == entry::Keep || m_used + m_packets[in.packet].what.flits <= m_parameters.depth;
  }

  void accept(cycle_t now, const nic_flit& in, bool bypass) {
    packet_record& p = m_packets[in.packet];
    if (in.head()) m_choice.reset();
    if (in.head() && !bypass) {
      resident r{in.packet};
      r.reserved = p.what.flits;
      r.timed = m_choice.last() != codec::Raw;
      if (r.timed) {
        r.earliest = now + *m_parameters.latency;
        r.known = m_parameters.ratio.has_value();
        if (r.known) {
          p.codec = m_choice.last();
          p.travels = static_cast<std::uint32_t>(std::ceil(p.what.flits / *m_parameters.ratio));
        }
      }
      m_used += r.reserved;
      m_within.push_back(r);
    }
    if (!bypass) {
      resident& r = m_within.back();
      ++r.arrived;
      if (in.tail && !r.known) {
        m_forms.encode(in.packet, p, m_choice.last());
        r.known = true;
      }
    }
    m_entry = in.tail ? entry::None : bypass ? entry::Bypass : entry::Keep;
  }

  /// Returns the flit on the output in cycle \p now, which begins.
  nic_flit next(cycle_t now) {
    nic_flit f;
    if (m_within.empty()) return f;
    const resident& r = m_within.front();
    if (!r.known || now < r.earliest || r.arrived < needed(r)) return f;
    f.packet = r.packet;
    f.sequence = m_sequence++;
    f.tail = m_sequence == m_packets[r.packet].travels;
    if (f.tail) {
      m_used -= r.reserved;
      m_within.pop_front();
      m_sequence = 0;
    }
    return f;
  }

  /// Number of raw flits that must have arrived before the next flit may leave.
  std::uint32_t needed(const resident& r) const {
    if (!r.timed) return m_sequence + 1;
    if (!m_parameters.ratio) return r.reserved;
    return std::min(r.reserved, static_cast<std::uint32_t>(std::ceil((m_sequence + 1) * *m_parameters.ratio)));
  }

  const compression_parameters m_parameters;
  head_choice m_choice;
  packet_pool& m_packets;
  coded_forms& m_forms;
  std::deque<resident> m_within;
  std::uint32_t m_used = 0;  ///< flits of the memory in use or reserved
  entry m_entry = entry::None;
  std::uint32_t m_sequence = 0;  ///< sequence number of the next flit of the first packet
  nic_flit m_out;                ///< output register
};

}  // namespace

std::unique_ptr<send_stage> make_compressor(const compression_parameters& parameters, unsigned words_per_flit,
                                            packet_pool& packets, coded_forms& forms) {
  if (parameters.latency) return std::make_unique<timed_compressor>(parameters, words_per_flit, packets, forms);
  return std::make_unique<hardware_compressor>(parameters, words_per_flit, packets, forms);
}

}  // namespace weft::engine
