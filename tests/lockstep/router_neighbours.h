// SPDX-License-Identifier: Apache-2.0
/// The neighbors of a router under test. They send it random packets as long as they have credits, and return credits.
#pragma once

#include "support/random.h"
#include <cstdint>
#include <vector>

#include "weft/cosim/router_wires.h"

namespace weft::lockstep {

/// The parameters of the packets of a run, and counters of what happened in the run.
struct router_traffic {
  unsigned nodes = 16;
  std::uint64_t longest = 12;  ///< maximum length of a packet in flits
  bool source_routed = false;
  unsigned path_id_count = 1;      ///< number of path ids from which sources select
  bool synchronous_reset = false;  ///< whether the RTL has a synchronous reset
  std::vector<unsigned> depths;    ///< capacity of a VC behind each output port, as in the parameters of the router
  std::vector<unsigned> phits;     ///< of the channel behind each output port; empty: all are as wide as flits
  std::uint64_t accepted = 0, sent = 0, heads = 0, waits = 0, stalls = 0;
};

/// Sets the fields of a header that a router transports but does not read.
template <unsigned PayloadBits>
void draw_header(flit<PayloadBits>& f, rng& random) {
  f.source = random.between(0, 0xf'ffff);
  f.words = random.between(0, 0xff'ffff);
  f.type = static_cast<data_type>(random.between(0, 3));
  f.codec = static_cast<codec>(random.between(0, 3));
  f.message_class = static_cast<std::uint8_t>(random.between(0, 15));
  f.cut = static_cast<std::uint8_t>(random.between(0, 51));
}

template <unsigned PayloadBits>
class router_neighbours {
 public:
  using flit_t = flit<PayloadBits>;

  /// \param depth   capacity of a VC of the router in flits
  /// \param traffic must outlive this object, which counts the sent and received flits there
  router_neighbours(const tb::router_shape& shape, unsigned vcs, unsigned depth, router_traffic& traffic, rng& random)
      : m_has_code(shape.code),
        m_ports(static_cast<unsigned>(traffic.depths.size())),
        m_vcs(vcs),
        m_depth(depth),
        m_traffic(traffic),
        m_random(random),
        m_source(m_ports * vcs),
        m_sink(m_ports * vcs) {}

  void reset() {
    for (sender& s : m_source) s = sender{m_depth, 0, {}};
    for (receiver& r : m_sink) r = receiver();
  }

  /// Returns, with probability \p load, a flit for a random VC if this VC has a credit; otherwise an invalid flit.
  flit_t flit_to(unsigned port, double load) { return m_random.chance(load) ? next_flit(port) : flit_t(); }

  /// Returns, with probability \p drain, a credit for a random VC if this VC holds a flit.
  pin::credit credit_to(unsigned port, double drain) {
    const unsigned vc = m_random.between(0, m_vcs - 1);
    receiver& from = m_sink[port * m_vcs + vc];
    if (from.held == 0 || !m_random.chance(drain)) return {};
    --from.held;
    return {1U << vc};
  }

  /// Records the outputs of the router at a port.
  void see(unsigned port, const pin::credit& c, const flit_t& f) {
    for_each_member(c.vcs, [&](unsigned vc) { ++m_source[port * m_vcs + vc].credits; });
    if (!f.valid) return;
    ++m_traffic.sent;
    if (m_traffic.depths[port] != 0) ++m_sink[port * m_vcs + f.vc].held;
  }

 private:
  /// The state of a VC at a sender, and at a receiver.
  struct sender {
    unsigned credits = 0;
    std::uint64_t left = 0;  ///< number of flits of its packet that have not been sent
    flit_tag tag;
  };
  struct receiver {
    unsigned held = 0;
  };

  flit_t next_flit(unsigned port) {
    const unsigned vc = m_random.between(0, m_vcs - 1);
    sender& from = m_source[port * m_vcs + vc];
    flit_t f;
    if (from.credits == 0) return f;
    --from.credits;
    ++m_traffic.accepted;
    f.valid = true;
    f.vc = static_cast<std::uint8_t>(vc);
    f.head = from.left == 0;
    if (f.head) {
      ++m_traffic.heads;
      from.left = m_random.chance(0.4) ? 1 : m_random.between(1, static_cast<std::uint32_t>(m_traffic.longest));
      from.tag = flit_tag(static_cast<std::uint32_t>(m_traffic.heads));
      f.destination = m_random.between(0, m_traffic.nodes - 1);
      f.flits = static_cast<std::uint32_t>(from.left);
      draw_header(f, m_random);
      if (m_has_code) {
        f.role = static_cast<xor_role>(m_random.between(0, 1));
        f.relay = m_random.chance(0.5);
        xor_datum first, second;
        first.name = m_random.between(0, 0xf'ffff);
        second.words = m_random.between(0, 0xff'ffff);
        f.first = datum_bits(first);
        f.second = datum_bits(second);
      }
      if (m_traffic.path_id_count > 1) f.path_id = m_random.between(0, m_traffic.path_id_count - 1);
      if (m_traffic.source_routed) {
        f.path_id = m_random.bits();
        if (m_random.chance(0.5)) f.path_id &= ~std::uint64_t{0xf0};
        f.path_id = (f.path_id & ~std::uint64_t{0xf}) | m_random.between(0, m_ports - 1);
        f.destination = m_random.between(0, 0xf'ffff);  // the router does not read it
      }
    }
    f.tail = --from.left == 0;
    for (std::uint64_t& word : f.payload) word = m_random.bits();
    if (PayloadBits == 32) f.payload[0] &= 0xffff'ffff;
    if (f.tail) f.error = static_cast<codec_error>(m_random.between(0, 3));
    f.tag = from.tag;
    from.tag = from.tag.of(from.tag.sequence() + 1);
    return f;
  }

  const bool m_has_code;
  const unsigned m_ports, m_vcs, m_depth;
  router_traffic& m_traffic;
  rng& m_random;
  std::vector<sender> m_source;
  std::vector<receiver> m_sink;
};

}  // namespace weft::lockstep
