// SPDX-License-Identifier: Apache-2.0
/// The arbitration decisions of the router: round robin, VC allocation, switch allocation. Pure functions on plain
/// integers that pin level and engine share. Both allocators are separable and input first; a pointer moves past the
/// winner, and only when there is one, so that contenders take turns (fair) and none starves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>

#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft {

#ifdef WEFT_SYNTHESIS

/// A loop over the members \p i of \p set, a set of ports or of VCs, lowest first. The loop must not change the set.
#define WEFT_FOR_MEMBERS(i, set)                    \
  for (unsigned i = 0; i < ::weft::MaxMembers; ++i) \
    if (((set) >> i & 1) == 0) {                    \
    } else

/// The first requester at or after \p pointer, wrapping around. \p requests must not be empty; pointer < 32.
inline unsigned round_robin(std::uint32_t requests, unsigned pointer) {
  unsigned winner = 0;
  bool found = false;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned contender = (pointer + i) & 31;
    if (!found && (requests >> contender & 1) != 0) {
      winner = contender;
      found = true;
    }
  }
  return winner;
}

#else

#define WEFT_FOR_MEMBERS(i, set)                                                \
  for (std::uint32_t i##_left = (set); i##_left != 0; i##_left &= i##_left - 1) \
    if (const unsigned i = ::weft::lowest(i##_left); false) {                   \
    } else

/// Index of the lowest member. \p set must not be empty.
inline unsigned lowest(std::uint32_t set) { return static_cast<unsigned>(__builtin_ctz(set)); }

/// The first requester at or after \p pointer, wrapping around. \p requests must not be empty; pointer < 32.
inline unsigned round_robin(std::uint32_t requests, unsigned pointer) {
  const std::uint64_t twice =
      std::uint64_t{requests} << 32 | requests;  // what is before the pointer comes again behind it
  return (static_cast<unsigned>(__builtin_ctzll(twice >> pointer)) + pointer) & 31;
}

#endif

/// Calls \p f(i) for every member of \p set, lowest first.
template <typename F>
inline void for_each_member(std::uint32_t set, F f) {
  WEFT_FOR_MEMBERS(i, set) f(i);
}

/// How many contenders a round robin that starts at \p pointer asks before \p contender: the least turn wins.
/// Both < 32.
inline unsigned turn(unsigned contender, unsigned pointer) { return (contender - pointer) & 31; }

/// The one after \p winner of \p count contenders.
inline unsigned after(unsigned winner, unsigned count) { return winner + 1 == count ? 0 : winner + 1; }

// ---------------------------------------------------------------------------------------------------------------
// VC allocation

/// Where the arbiters of the VC allocator start. A lane is port * VCs + VC.
struct vc_pointers {
  std::array<std::uint16_t, MaxPorts * MaxVcs> input{};   ///< of each input VC, an output lane
  std::array<std::uint16_t, MaxPorts * MaxVcs> output{};  ///< of each output VC, an input lane
};

/// Input VC (in_port, in_vc) gets output VC (out_port, out_vc).
struct vc_grant {
  std::uint8_t in_port, in_vc, out_port, out_vc;
};

/// The grants of one cycle; only the first `count` entries are set.
struct vc_grants {
  unsigned count = 0;
  std::array<vc_grant, MaxPorts * MaxVcs> grant;
};

/// The input side of VC allocation: which VC of an output port an input VC asks for, round robin over all output lanes.
/// All candidates are VCs of one port, so the pointer matters only if it points into that port.
/// \param candidates VCs of the port, not empty
/// \param first      the port's first lane
inline unsigned favourite_vc(vc_set candidates, unsigned first, unsigned pointer) {
  const unsigned offset = pointer - first;  // huge if the pointer is at a port before
  return round_robin(candidates, offset < MaxVcs ? offset : 0);
}

/// Of what a head asks for, what it takes up in this cycle: the choice with the most credits among those of which a VC
/// is to be had, else the sure offer. Credits count in whole buffers, and of choices that are equal then the contenders
/// prefer different ones: else all that come in one cycle would run to the same port.
/// \param contender number of the head among those that may ask: input port + input VC
/// \param depth     credits of an empty buffer
/// \param available (port, admissible VCs, whole) → those of them that may be had; `whole`: only with room for the
///                  whole packet behind them, or all of the buffer. A head with a sure offer takes up a choice only so.
///                  Else packets that stand in line there, parts of them still behind, would each wait for the escapes
///                  of those before it, not its own only (Duato 1993 has one packet in a queue; Ma et al. 2012, whole
///                  packet forwarding)
/// \param credits   port → credits of all its VCs together
/// \return a port, and the VCs of it that may be had; none if there are none
template <typename Available, typename Credits>
route take_up(const route& asked, unsigned contender, unsigned depth, Available available, Credits credits) {
  route best;
  unsigned most = 0, rank = 0;
  const auto count = static_cast<unsigned>(__builtin_popcount(asked.choices));
  for_each_member(asked.choices, [&](unsigned port) {
    const vc_set vcs = available(port, asked.choice_vcs, asked.vcs != 0);
    const unsigned merit = credits(port) / depth << 5 | (rank++ + contender) % count;
    if (vcs == 0 || (best.vcs != 0 && merit < most)) return;
    best = {static_cast<std::uint8_t>(port), vcs};
    most = merit;
  });
  return best.vcs != 0 ? best : route{asked.port, asked.vcs == 0 ? 0 : available(asked.port, asked.vcs, false)};
}

/// The output side of VC allocation: how many of \p lanes input lanes an output VC asks before \p lane. The least wins.
/// \p lane and \p pointer < lanes
inline unsigned lane_turn(unsigned lane, unsigned pointer, unsigned lanes) { return (lane + lanes - pointer) % lanes; }

/// One cycle of VC allocation. Every waiting input VC picks one of the output VCs it may have, round robin over all
/// output lanes from its pointer; every output VC picks one of those that picked it, round robin over input lanes.
/// \param waiting    input VCs of each port that want an output VC
/// \param request_of (in_port, in_vc) → route: the output port, and the VCs of it that are admissible *and* free
template <typename RequestOf>
vc_grants allocate_vcs(unsigned ports, unsigned vcs, const std::array<vc_set, MaxPorts>& waiting,
                       const vc_pointers& pointers, RequestOf request_of) {
  const unsigned lanes = ports * vcs;
  std::array<vc_set, MaxPorts> wanted{};                   // output VCs that an input VC picked
  std::array<std::uint16_t, MaxPorts * MaxVcs> favourite;  // …and the input lane each prefers so far
  for (unsigned in_port = 0; in_port < ports; ++in_port) {
    for_each_member(waiting[in_port], [&](unsigned in_vc) {
      const route request = request_of(in_port, in_vc);
      if (request.vcs == 0) return;
      const unsigned lane = in_port * vcs + in_vc;
      const unsigned first = request.port * vcs;
      const unsigned out_vc = favourite_vc(request.vcs, first, pointers.input[lane]);
      const unsigned out_lane = first + out_vc;
      const auto turn = [&](unsigned contender) { return lane_turn(contender, pointers.output[out_lane], lanes); };
      if ((wanted[request.port] >> out_vc & 1) == 0 || turn(lane) < turn(favourite[out_lane]))
        favourite[out_lane] = static_cast<std::uint16_t>(lane);
      wanted[request.port] |= vc_set{1} << out_vc;
    });
  }
  vc_grants result;
  for (unsigned out_port = 0; out_port < ports; ++out_port) {
    for_each_member(wanted[out_port], [&](unsigned out_vc) {
      const unsigned lane = favourite[out_port * vcs + out_vc];
      result.grant[result.count++] = {static_cast<std::uint8_t>(lane / vcs), static_cast<std::uint8_t>(lane % vcs),
                                      static_cast<std::uint8_t>(out_port), static_cast<std::uint8_t>(out_vc)};
    });
  }
  return result;
}

/// Moves the pointers of both sides past \p g.
inline void advance(vc_pointers& pointers, const vc_grant& g, unsigned ports, unsigned vcs) {
  const unsigned in = g.in_port * vcs + g.in_vc;
  const unsigned out = g.out_port * vcs + g.out_vc;
  pointers.input[in] = static_cast<std::uint16_t>(after(out, ports * vcs));
  pointers.output[out] = static_cast<std::uint16_t>(after(in, ports * vcs));
}

// ---------------------------------------------------------------------------------------------------------------
// Switch allocation

/// Where the arbiters of the switch allocator start.
struct switch_pointers {
  std::array<std::uint8_t, MaxPorts> output_of_input;  ///< of each input port, an output port
  std::array<std::uint8_t, MaxPorts> vc_of_input;      ///< of each input port, one of its VCs
  std::array<std::uint8_t, MaxPorts> input_of_output;  ///< of each output port, an input port

  switch_pointers() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      output_of_input[port] = 0;
      vc_of_input[port] = 0;
      input_of_output[port] = 0;
    }
  }

  friend bool operator==(const switch_pointers& a, const switch_pointers& b) {
    return a.output_of_input == b.output_of_input && a.vc_of_input == b.vc_of_input &&
           a.input_of_output == b.input_of_output;
  }
  friend std::ostream& operator<<(std::ostream& out, const switch_pointers& p) {
    for (unsigned i = 0; i < MaxPorts; ++i)
      out << "[" << i << ": output " << unsigned(p.output_of_input[i]) << ", VC " << unsigned(p.vc_of_input[i])
          << ", input " << unsigned(p.input_of_output[i]) << "]";
    return out;
  }
};

/// The matching of one cycle: at most one VC of each input port, at most one input port of each output port.
struct switch_matching {
  port_set inputs = 0;                        ///< input ports that send a flit
  std::array<std::uint8_t, MaxPorts> vc;      ///< of each of them, the VC
  std::array<std::uint8_t, MaxPorts> output;  ///< of each of them, the output port

  switch_matching() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      vc[port] = 0;
      output[port] = 0;
    }
  }
};

/// Of each VC of an input port the output port that it has.
using output_ports = std::array<std::uint8_t, MaxVcs>;

/// What an input port asks the switch for.
struct switch_request {
  std::uint8_t vc, output;
};

/// The input side of switch allocation: an output port among those that the VCs of an input port ask for, then a VC
/// among those that ask for it, both round robin: the VC whose turn comes first.
/// \return the turn of \p vc; no two VCs of a port have the same
inline unsigned request_turn(unsigned vc, unsigned output, unsigned vc_pointer, unsigned output_pointer) {
  return turn(output, output_pointer) << 5 | turn(vc, vc_pointer);
}

/// The request of an input port: of its VCs, the one with the least request_turn().
/// \param ready  VCs of the port with a flit, an output VC and a credit; not empty
/// \param output of each of them
inline switch_request choose_request(vc_set ready, unsigned output_pointer, unsigned vc_pointer,
                                     const output_ports& output) {
  unsigned least = ~0U, winner = 0;
  WEFT_FOR_MEMBERS(vc, ready) {
    const unsigned own = request_turn(vc, output[vc], vc_pointer, output_pointer);
    if (own < least) {
      winner = vc;
      least = own;
    }
  }
  switch_request request;
  request.vc = static_cast<std::uint8_t>(winner);
  request.output = output[winner];
  return request;
}

/// One cycle of switch allocation. Every input port chooses its request; every output port picks an input port, round
/// robin.
/// \param ready  of each input port, the VCs with a flit, an output VC and a credit
/// \param output of each input port and each of these VCs, the output port
inline switch_matching allocate_switch(unsigned ports, const std::array<vc_set, MaxPorts>& ready,
                                       const switch_pointers& pointers,
                                       const std::array<output_ports, MaxPorts>& output) {
  switch_matching result;
  port_set outputs = 0;                   // output ports that an input port picked
  std::array<port_set, MaxPorts> rivals;  // …and by whom; set where `outputs` is
  for (unsigned in_port = 0; in_port < ports; ++in_port) {
    if (ready[in_port] == 0) continue;
    const switch_request request = choose_request(ready[in_port], pointers.output_of_input[in_port],
                                                  pointers.vc_of_input[in_port], output[in_port]);
    result.vc[in_port] = request.vc;
    result.output[in_port] = request.output;
    if ((outputs >> request.output & 1) == 0) rivals[request.output] = 0;
    outputs |= 1U << request.output;
    rivals[request.output] |= 1U << in_port;
  }
  WEFT_FOR_MEMBERS(out_port, outputs) {
    result.inputs |= 1U << round_robin(rivals[out_port], pointers.input_of_output[out_port]);
  }
  return result;
}

/// Moves the pointers of all ports that send in \p m.
inline void advance(switch_pointers& pointers, const switch_matching& m, unsigned ports, unsigned vcs) {
  WEFT_FOR_MEMBERS(in_port, m.inputs) {
    const unsigned output = m.output[in_port];
    pointers.output_of_input[in_port] = static_cast<std::uint8_t>(after(output, ports));
    pointers.vc_of_input[in_port] = static_cast<std::uint8_t>(after(m.vc[in_port], vcs));
    pointers.input_of_output[output] = static_cast<std::uint8_t>(after(in_port, ports));
  }
}

}  // namespace weft
