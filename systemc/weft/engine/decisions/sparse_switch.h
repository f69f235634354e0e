// SPDX-License-Identifier: Apache-2.0
/// Switch allocation, fast form where few lanes ask: weft::allocate_switch() for the routers of a region, lane by lane.
///
/// What it costs is in proportion to the lanes that ask (dense_switch costs the same however many ask). The lanes of
/// all routers are looked at in one loop, without jumps that depend on the traffic: contenders bid with their turn,
/// and the least bid wins. Compared with allocate_switch() in tests/unit/engine/sparse_switch_test.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/allocation.h"
#include "weft/core/types.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/lane_set.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// The pointers of the switch allocators of a region, as switch_pointers. One may stand behind the last contender.
template <typename Numbers>
struct sparse_pointers {
  struct of_port {
    byte lane_of_input{};    ///< of an input port: a lane of it, in its router
    byte output_of_input{};  ///< of an input port: an output port
    byte input_of_output{};  ///< of an output port: an input port
  };
  std::array<of_port, Numbers::RegionPorts> at{};  ///< by port of the region

  /// All arbiters begin with the first contender.
  void reset(unsigned shift) {
    at.fill({});
    for (unsigned p = 0; p < Numbers::RegionLanes >> shift; ++p)
      at[p].lane_of_input = to_byte((p << shift) & Numbers::LaneMask);
  }
  /// Input lane \p in wins output lane \p out, both of their router; \p in_port and \p out_port are theirs, in the
  /// region.
  void pass(unsigned in, unsigned in_port, unsigned out, unsigned out_port, unsigned shift) {
    at[in_port].lane_of_input = to_byte(in + 1);
    at[in_port].output_of_input = to_byte((out >> shift) + 1);
    at[out_port].input_of_output = to_byte((in >> shift) + 1);
  }
};

template <unsigned Lanes, int Shift>
class sparse_switch {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  using set = typename numbers::set;
  using sets = typename numbers::sets;
  using pointers = sparse_pointers<numbers>;

  sparse_switch(numbers number, unsigned ports)
      : m_number(number),
        m_least_inputs(numbers::RegionLanes >> number.shift(), NoBid),
        m_rivals(RegionRouters * set::Words),
        m_asking(RegionRouters * ports),
        m_asked(RegionRouters * ports),
        m_granted(numbers::RegionLanes) {}

  /// Chooses the lanes that are granted the switch in this cycle. The pointers do not move.
  /// \param may_ask        routers in which an input lane may be both occupied and able; those without one are taken
  ///        out
  /// \param occupied, able input lanes; those that are in both ask for the switch
  /// \param held           by lane of the region
  void allocate(std::uint64_t& may_ask, const sets& occupied, const sets& able, const held_lanes* held,
                const pointers& from) {
    find_rivals(may_ask, occupied, able);
    if (m_rivals.begin() != m_rivals.end()) settle_rivalries(held, from);
  }

  /// The winners, input lanes of the region, each output port once; until clear().
  const bounded_list<std::uint16_t>& granted() const { return m_granted; }
  void clear() { m_granted.clear(); }

 private:
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;
  static constexpr std::uint16_t NoBid = 0xffff;  ///< no bid is higher

  /// An input lane that asks for the switch: its turn, then its number in the region.
  using request = std::uint64_t;

  /// Lanes of a router that ask for the switch, of one machine word.
  struct rivals {
    unsigned first;  ///< lane in the region
    typename set::word_t lanes;
  };

  /// A lane that is alone in its router is granted the switch at once.
  void find_rivals(std::uint64_t& may_ask, const sets& occupied, const sets& able) {
    for_each_of(may_ask, [&](unsigned i) {
      const set ready = occupied[i] & able[i];
      if (!ready.any()) {
        may_ask ^= std::uint64_t{1} << i;
        return;
      }
      const bool alone = ready.is_single();
      m_granted.push_if(alone, static_cast<std::uint16_t>(i << LaneBits | ready.lowest()));
      for (unsigned w = 0; w < set::Words; ++w)
        m_rivals.push_if(!alone & (ready.word[w] != 0), {(i << LaneBits) + w * set::Bits, ready.word[w]});
    });
  }

  [[gnu::noinline]] void settle_rivalries(const held_lanes* held, const pointers& from) {
    choose_requests(held, from);
    choose_inputs(held, from);
  }

  /// The input side, choose_request(): the VCs of an input port bid for the request that the port makes. One loop over
  /// the lanes of all routers: where the lanes of one router end cannot be foreseen.
  void choose_requests(const held_lanes* held, const pointers& from) {
    const rivals* of = m_rivals.begin();
    typename set::word_t left = of->lanes;
    unsigned last_port = ~0U;
    request least = 0;
    while (of != m_rivals.end()) {
      const unsigned lane = of->first + static_cast<unsigned>(__builtin_ctzll(left));  // in the region
      left &= left - 1;
      const auto over = opaque(static_cast<typename set::word_t>(left == 0));
      of += over;
      left |= of->lanes & -over;
      // The lanes of a port come one after the other: the last entry of the list is the port's, until the next port.
      const unsigned port = lane >> m_number.shift();
      const unsigned own = request_turn(lane, value(held[lane].output) >> m_number.shift(),
                                        value(from.at[port].lane_of_input), value(from.at[port].output_of_input));
      const request wish = std::uint64_t{own} << 32 | lane;
      const bool is_new = port != last_port;
      least = std::min(least | -std::uint64_t{is_new}, wish);
      m_asking.replace_or_push(is_new, least);
      last_port = port;
    }
    m_rivals.clear();
  }

  /// The output side: input ports bid for the output ports.
  void choose_inputs(const held_lanes* held, const pointers& from) {
    for (const request asking : m_asking) {
      const auto lane = static_cast<unsigned>(asking);
      const unsigned port = ((lane & ~LaneMask) | value(held[lane].output)) >> m_number.shift();
      std::uint16_t& least = m_least_inputs[port];
      m_asked.push_if(least == NoBid, port);
      const unsigned turn_of_input = turn((lane & LaneMask) >> m_number.shift(), value(from.at[port].input_of_output));
      least = std::min(least, static_cast<std::uint16_t>(turn_of_input << 8 | (lane & LaneMask)));
    }
    m_asking.clear();
    for (const unsigned asked : m_asked) {
      m_granted.push(
          static_cast<std::uint16_t>(((asked << m_number.shift()) & ~LaneMask) | (m_least_inputs[asked] & 0xff)));
      m_least_inputs[asked] = NoBid;
    }
    m_asked.clear();
  }

  const numbers m_number;
  std::vector<std::uint16_t>
      m_least_inputs;              ///< by output port of the region: turn and input lane of the least bid so far
  bounded_list<rivals> m_rivals;   ///< of the routers in which more than one lane asks
  bounded_list<request> m_asking;  ///< of every input port, what it asks for
  bounded_list<unsigned> m_asked;  ///< output ports of the region that are asked for
  bounded_list<std::uint16_t> m_granted;
};

}  // namespace weft::engine
