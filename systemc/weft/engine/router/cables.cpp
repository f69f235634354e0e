// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/router/cables.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace weft::engine {

namespace {

constexpr unsigned Lanes = 32;
constexpr unsigned PortLanes = (1U << dense_switch::Vcs) - 1;  ///< as bits

unsigned router_of(unsigned port) { return port >> cables::PortBits; }
unsigned lane_of(unsigned port) { return (port << dense_switch::FieldBits) % Lanes; }

/// How far a channel leads, in routers and lanes, and how long that takes.
using course = std::tuple<std::ptrdiff_t, int, unsigned>;

course course_of(const cables::ends& of, unsigned port) {
  return {static_cast<std::ptrdiff_t>(of.to[port] / Lanes) - static_cast<std::ptrdiff_t>(router_of(port)),
          static_cast<int>(of.to[port] % Lanes) - static_cast<int>(lane_of(port)), of.cycles[port]};
}

}  // namespace

cables::cables(const ends& of, vectors use) : m_vectors(use) {
  std::map<course, std::vector<unsigned>> alike;
  std::set<std::pair<std::size_t, unsigned>> receiving;
  for (unsigned port = 0; port < Ports; ++port) {
    if (of.cycles[port] == 0) continue;
    alike[course_of(of, port)].push_back(port);
    receiving.emplace(of.to[port] / (Lanes * RegionRouters), of.cycles[port]);
  }
  for (const auto& [region, cycles] : receiving) m_receiving.push_back({region, cycles});

  std::map<std::pair<std::size_t, unsigned>, std::map<course, strand>> strands;  // by block and cycles
  for (const auto& [how, ports] : alike) {
    for (const unsigned port : ports) {
      if (ports.size() <= Few) {
        m_single[router_of(port)].word[0] |= PortLanes << lane_of(port);
        m_has_single = true;
        continue;
      }
      const std::size_t receiver = of.to[port] / Lanes, first = receiver / BlockSets * BlockSets;
      strand& s = strands[{first, of.cycles[port]}][how];
      s.senders = static_cast<std::ptrdiff_t>(first) - std::get<0>(how);
      s.turn = word_turn(static_cast<std::uint32_t>(std::get<1>(how)));
      s.lanes[receiver - first] |= PortLanes << of.to[port] % Lanes;
    }
  }
  for (const auto& [where, of_block] : strands) {
    for (const auto& [how, s] : of_block) m_strands.push_back(s);
    m_blocks.push_back({where.first, where.second, m_strands.size()});
  }
}

template <typename Words>
WEFT_INLINE void cables::carry_strands(const char* members, set_wheel<32>& wheel, cycle_t now) const {
  static_assert(sizeof(strand::lanes) <= sizeof(departures<32>::margin));
  constexpr std::size_t Parts = sizeof(strand::lanes) / sizeof(Words);
  const strand* first = m_strands.data();
  for (const block& b : m_blocks) {
    const strand* const end = m_strands.data() + b.end;
    Words arriving[Parts] = {};
    for (const strand* s = first; s != end; ++s) {
      const char* const from = members + s->senders * static_cast<std::ptrdiff_t>(sizeof(set));
      for (std::size_t part = 0; part < Parts; ++part) {
        Words leaving = load<Words>(from + part * sizeof(Words));
        rotate(leaving, s->turn);
        arriving[part] |= leaving & load<Words>(&s->lanes[part * sizeof(Words) / sizeof(set)]);
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

void cables::carry(const departures<32>& leaving, const sets& members, const ends& of, set_wheel<32>& wheel,
                   cycle_t now) const {
  for (const receiving_region& r : m_receiving) wheel.at(now + r.cycles).touch(r.number);
  // Seen as bytes of `leaving`: words beside `members` are read, and not used.
  const char* const whole = reinterpret_cast<const char*>(&leaving);
  const char* const from = whole + (reinterpret_cast<const char*>(&members) - whole);
  run_in_vectors(
      m_vectors, [&](auto words) __attribute__((always_inline)) {
        this->template carry_strands<typename decltype(words)::type>(from, wheel, now);
      });
  if (m_has_single) carry_single(members, of, wheel, now);
}

void cables::carry_single(const sets& members, const ends& of, set_wheel<32>& wheel, cycle_t now) const {
  sets single;
  for (unsigned i = 0; i < RegionRouters; ++i) single[i] = members[i] & m_single[i];
  std::array<std::uint16_t, RegionRouters * Lanes + SpareRoom> list;
  const std::size_t count = list_lanes<Lanes>(single, list.data(), m_vectors);
  run_on_bits(m_vectors, [&, count](auto) {
    unsigned cycles = 0;
    auto then = wheel.at(now);
    for (std::size_t k = 0; k < count; ++k) {
      const unsigned lane = list[k], port = lane >> dense_switch::FieldBits;
      if (of.cycles[port] != cycles) then = wheel.at(now + (cycles = of.cycles[port]));
      const std::uint32_t to = of.to[port] + lane % dense_switch::Vcs;
      then.insert_untouched(to / Lanes, to % Lanes);
    }
  });
}

}  // namespace weft::engine
