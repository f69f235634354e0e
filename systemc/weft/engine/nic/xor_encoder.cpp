// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/nic/xor_encoder.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "weft/core/xor_stages.h"

namespace weft::engine {

namespace {

class xor_encoder final : public send_stage {
 public:
  xor_encoder(const xor_parameters& parameters, packet_pool& packets, packet_contents& contents, bool keeps_bits,
              std::unique_ptr<send_stage> behind)
      : m_packets(packets),
        m_contents(contents),
        m_keeps_bits(keeps_bits),
        m_behind(std::move(behind)),
        m_line(parameters.overhead) {}

  bool empty() const override {
    return !m_appending && m_line_count == 0 && (m_behind == nullptr || m_behind->empty());
  }

  nic_flit output(const nic_flit& in, const congestion& state) override {
    const nic_flit out = own_output(in);
    return m_behind == nullptr ? out : m_behind->output(out, state);
  }

  outcome cycle(cycle_t now, const nic_flit& in, bool ready, const congestion& state) override {
    const nic_flit out = own_output(in);
    const nic_flit next = entering(in);
    const bool leaves = m_behind == nullptr ? out.valid() && ready : m_behind->cycle(now, out, ready, state).accepted;
    const bool line_accepts = m_line.empty() ? leaves : m_line_count < m_line.size() || leaves;
    // The end of the cycle
    outcome result;
    result.accepted = in.valid() && !m_appending &&
                      (passes() ? leaves : m_path == path::Hold || (m_path == path::Join && line_accepts));
    result.absorbed = result.accepted && in.tail && m_path != path::Pass;
    const bool enters = next.valid() && line_accepts;
    if (!m_line.empty()) move_line(enters ? next : nic_flit(), leaves);
    if (result.accepted && in.head() && m_keeps) m_held = m_packets[in.packet];
    if (enters) {
      m_appending = !next.tail && (m_appending || in.tail);
      m_sequence = next.sequence + 1;
      if (next.tail) m_joined = NoPacket;
    }
    return result;
  }

 private:
  using path = encoder_path;

  bool passes() const { return m_path == path::Pass && m_line_count == 0 && !m_appending; }

  nic_flit own_output(const nic_flit& in) {
    if (in.valid() && in.head()) {
      const xor_role role = m_packets[in.packet].what.code.role;
      m_path = path_for(role);
      m_keeps = is_held(role);
    }
    return passes() ? in : m_line.empty() ? entering(in) : m_line.back();
  }

  /// The flit that enters the delay line, if the line accepts it.
  nic_flit entering(const nic_flit& in) {
    if (!m_appending && (!in.valid() || m_path != path::Join)) return nic_flit();
    if (m_joined == NoPacket) m_joined = join(m_packets[in.packet]);
    const std::uint32_t sequence = m_appending ? m_sequence : in.sequence;
    return {m_joined, sequence, 0, sequence + 1 == m_packets[m_joined].what.flits};
  }

  packet_handle join(const packet_record& last) {
    packet_contents::words_t words;
    if (m_keeps_bits) words = joined_words(m_contents.of_source(m_held.what), m_contents.of_source(last.what));
    const packet_handle made = m_packets.make(last, joined_header(m_held.head(), last.head()));
    if (m_keeps_bits) m_contents.put(made, std::move(words));
    return made;
  }

  /// Moves every flit whose next register is or becomes free. \p in, which may be empty, enters the line.
  void move_line(const nic_flit& in, bool leaves) {
    bool next_is_free = leaves;
    for (std::size_t i = m_line.size(); i-- > 0;) {
      nic_flit& here = m_line[i];
      if (here.valid() && next_is_free) {
        if (i + 1 < m_line.size())
          m_line[i + 1] = here;
        else
          --m_line_count;
        here = nic_flit();
      }
      next_is_free = !here.valid();
    }
    if (!in.valid()) return;
    m_line.front() = in;
    ++m_line_count;
  }

  packet_pool& m_packets;
  packet_contents& m_contents;
  const bool m_keeps_bits;
  const std::unique_ptr<send_stage> m_behind;
  packet_record m_held;
  path m_path = path::Pass;           ///< path of the last packet
  bool m_keeps = false;               ///< whether this packet becomes the held packet
  packet_handle m_joined = NoPacket;  ///< the combined packet that contains it
  bool m_appending = false;           ///< whether further flits of the held packet follow, because it is the longer one
  std::uint32_t m_sequence = 0;       ///< sequence number of the next of these flits
  std::vector<nic_flit> m_line;
  std::size_t m_line_count = 0;
};

}  // namespace

std::unique_ptr<send_stage> make_xor_encoder(const xor_parameters& parameters, packet_pool& packets,
                                             packet_contents& contents, bool keeps_bits,
                                             std::unique_ptr<send_stage> behind) {
  return std::make_unique<xor_encoder>(parameters, packets, contents, keeps_bits, std::move(behind));
}

}  // namespace weft::engine
