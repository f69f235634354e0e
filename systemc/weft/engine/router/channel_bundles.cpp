// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/router/channel_bundles.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace weft::engine {

namespace {

constexpr unsigned RouterVcs = 32;
constexpr unsigned PortMask = (1U << dense_switch::Vcs) - 1;  ///< the bits of one port

unsigned router_of(unsigned port) { return port >> channel_bundles::PortBits; }
unsigned first_vc_index(unsigned port) { return (port << dense_switch::FieldBits) % RouterVcs; }

/// The displacement of a channel: in routers, in VC indices, and in cycles (its latency).
using displacement = std::tuple<std::ptrdiff_t, int, unsigned>;

displacement displacement_of(const channel_bundles::ends& of, unsigned port) {
  return {static_cast<std::ptrdiff_t>(of.to[port] / RouterVcs) - static_cast<std::ptrdiff_t>(router_of(port)),
          static_cast<int>(of.to[port] % RouterVcs) - static_cast<int>(first_vc_index(port)), of.cycles[port]};
}

}  // namespace

channel_bundles::channel_bundles(const ends& of, vectors use) : m_vectors(use) {
  std::map<displacement, std::vector<unsigned>> alike;
  std::set<std::pair<std::size_t, unsigned>> receiving;
  for (unsigned port = 0; port < Ports; ++port) {
    if (of.cycles[port] == 0) continue;
    alike[displacement_of(of, port)].push_back(port);
    receiving.emplace(of.to[port] / (RouterVcs * RegionRouters), of.cycles[port]);
  }
  for (const auto& [region, cycles] : receiving) m_receiving.push_back({region, cycles});

  std::map<std::pair<std::size_t, unsigned>, std::map<displacement, bundle>> bundles;  // by block and cycles
  for (const auto& [how, ports] : alike) {
    for (const unsigned port : ports) {
      if (ports.size() <= Few) {
        m_single[router_of(port)].word[0] |= PortMask << first_vc_index(port);
        m_has_single = true;
        continue;
      }
      const std::size_t receiver = of.to[port] / RouterVcs, first = receiver / BlockSets * BlockSets;
      bundle& s = bundles[{first, of.cycles[port]}][how];
      s.senders = static_cast<std::ptrdiff_t>(first) - std::get<0>(how);
      s.rotation = word_rotation(static_cast<std::uint32_t>(std::get<1>(how)));
      s.vcs[receiver - first] |= PortMask << of.to[port] % RouterVcs;
    }
  }
  for (const auto& [where, of_block] : bundles) {
    for (const auto& [how, s] : of_block) m_bundles.push_back(s);
    m_blocks.push_back({where.first, where.second, m_bundles.size()});
  }
}

template <typename Words>
WEFT_INLINE void channel_bundles::carry_bundles(const char* members, set_wheel<32>& wheel, cycle_t now) const {
  static_assert(sizeof(bundle::vcs) <= sizeof(departures<32>::margin));
  constexpr std::size_t Parts = sizeof(bundle::vcs) / sizeof(Words);
  const bundle* first = m_bundles.data();
  for (const block& b : m_blocks) {
    const bundle* const end = m_bundles.data() + b.end;
    Words arriving[Parts] = {};
    for (const bundle* s = first; s != end; ++s) {
      const char* const from = members + s->senders * static_cast<std::ptrdiff_t>(sizeof(set));
      for (std::size_t part = 0; part < Parts; ++part) {
        Words leaving = load<Words>(from + part * sizeof(Words));
        rotate(leaving, s->rotation);
        arriving[part] |= leaving & load<Words>(&s->vcs[part * sizeof(Words) / sizeof(set)]);
      }
    }
    first = end;
    char* const to = reinterpret_cast<char*>(wheel.at(now + b.cycles).sets + b.first);
    for (std::size_t part = 0; part < Parts; ++part) {
      char* const at = to + part * sizeof(Words);
      store(at, load<Words>(at) | arriving[part]);
    }
  }
}

void channel_bundles::carry(const departures<32>& leaving, const sets& members, const ends& of, set_wheel<32>& wheel,
                            cycle_t now) const {
  for (const receiving_region& r : m_receiving) wheel.at(now + r.cycles).touch(r.number);
  // The members are read as bytes of `leaving`. Words next to `members` are also read, but not used.
  const char* const whole = reinterpret_cast<const char*>(&leaving);
  const char* const from = whole + (reinterpret_cast<const char*>(&members) - whole);
  run_in_vectors(
      m_vectors, [&](auto words) __attribute__((always_inline)) {
        this->template carry_bundles<typename decltype(words)::type>(from, wheel, now);
      });
  if (m_has_single) carry_single(members, of, wheel, now);
}

void channel_bundles::carry_single(const sets& members, const ends& of, set_wheel<32>& wheel, cycle_t now) const {
  sets single;
  for (unsigned i = 0; i < RegionRouters; ++i) single[i] = members[i] & m_single[i];
  std::array<std::uint16_t, RegionRouters * RouterVcs + SpareRoom> list;
  const std::size_t count = list_vcs<RouterVcs>(single, list.data(), m_vectors);
  run_on_bits(m_vectors, [&, count](auto) {
    unsigned cycles = 0;
    auto then = wheel.at(now);
    for (std::size_t k = 0; k < count; ++k) {
      const unsigned in_region = list[k], port = in_region >> dense_switch::FieldBits;
      if (of.cycles[port] != cycles) then = wheel.at(now + (cycles = of.cycles[port]));
      const std::uint32_t to = of.to[port] + in_region % dense_switch::Vcs;
      then.insert_untouched(to / RouterVcs, to % RouterVcs);
    }
  });
}

}  // namespace weft::engine
