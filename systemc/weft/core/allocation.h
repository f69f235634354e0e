// SPDX-License-Identifier: Apache-2.0
/// The arbitration decisions of the router: round robin, VC allocation, switch allocation. Pure functions on plain
/// integers that pin level and engine share. Both allocators are separable and input first; a pointer moves past the
/// winner, and only when there is one, so that contenders take turns (fair) and none starves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>

#include "weft/core/division.h"
#include "weft/core/members.h"
#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft {

/// How many contenders a round robin that starts at \p pointer asks before \p contender: the least turn wins.
/// Both < 32.
inline unsigned turn(unsigned contender, unsigned pointer) { return (contender - pointer) & 31; }

/// The one after \p winner of \p count contenders.
inline unsigned after(unsigned winner, unsigned count) { return winner + 1 == count ? 0 : winner + 1; }

// ---------------------------------------------------------------------------------------------------------------
// VC allocation. A lane is port * VCs + VC.

/// The input VCs that wait for an output VC, and what each asks for.
struct vc_requests {
  port_set ports = 0;                   ///< input ports with such VCs
  vc_set waiting[MaxPorts];             ///< of each of these ports
  std::uint8_t port[MaxPorts][MaxVcs];  ///< of each of these VCs, the output port…
  vc_set vcs[MaxPorts][MaxVcs];         ///< …and the VCs of it that are admissible *and* to be had
};

/// The grants of one cycle: at most one input VC of each output VC.
struct vc_matching {
  port_set ports = 0;                   ///< input ports with VCs that get an output VC
  vc_set inputs[MaxPorts];              ///< these VCs of each input port, none of the others
  std::uint8_t port[MaxPorts][MaxVcs];  ///< of each of them, the output port…
  std::uint8_t vc[MaxPorts][MaxVcs];    ///< …and its VC

  vc_matching() {
    for (unsigned in_port = 0; in_port < MaxPorts; ++in_port) inputs[in_port] = 0;
  }
};

/// The input side of VC allocation: which VC of an output port an input VC asks for, round robin over all output lanes.
/// All candidates are VCs of one port, so the pointer matters only if it points into that port.
/// \param candidates VCs of the port, not empty
/// \param first      the port's first lane
inline unsigned favourite_vc(vc_set candidates, unsigned first, unsigned pointer) {
  const unsigned offset = pointer - first;  // huge if the pointer is at a port before
  return round_robin(candidates, offset < MaxVcs ? offset : 0);
}

/// What is to be had in this cycle of what a head asks for.
struct route_offers {
  vc_set sure = 0;                  ///< VCs of the port of the sure offer
  vc_set choice_vcs[MaxPorts];      ///< of each port among the choices, see take_up()
  std::uint32_t credits[MaxPorts];  ///< of all VCs of each of these ports together, < 2^20
};

/// What a choice is worth to a head: credits of the port in whole buffers, then \p place, which differs from choice to
/// choice and from contender to contender, among \p count choices.
inline unsigned choice_merit(std::uint32_t credits, unsigned depth, unsigned place, unsigned count) {
  return quotient<20>(credits, depth) << 5 | rest<6>(place, count);
}

/// Of what a head asks for, what it takes up in this cycle: the choice with the most credits among those of which a VC
/// is to be had, else the sure offer. Credits count in whole buffers, and of choices that are equal then the contenders
/// prefer different ones: else all that come in one cycle would run to the same port.
/// \param ports     of the router
/// \param contender number of the head among those that may ask: input port + input VC
/// \param depth     credits of an empty buffer
/// \param offers    of admissible VCs those that may be had. A head with a sure offer takes up a choice only with room
///                  for the whole packet behind it, or all of the buffer: other VCs of choices are not offered to it.
///                  Else packets that stand in line there, parts of them still behind, would each wait for the escapes
///                  of those before it, not its own only (Duato 1993 has one packet in a queue; Ma et al. 2012, whole
///                  packet forwarding)
/// \return a port, and the VCs of it that may be had; none if there are none
inline route take_up(const route& asked, [[maybe_unused]] unsigned ports, unsigned contender, unsigned depth,
                     const route_offers& offers) {
  route best;
  best.port = asked.port;
  best.vcs = offers.sure;
  bool chosen = false;
  const unsigned count = count_members(asked.choices);
  unsigned most = 0, rank = 0;
  WEFT_FOR_MEMBERS(port, asked.choices, ports) {
    const vc_set vcs = offers.choice_vcs[port];
    const unsigned merit = choice_merit(offers.credits[port], depth, rank + contender, count);
    ++rank;
    if (vcs != 0 && (!chosen || merit >= most)) {
      best.port = static_cast<std::uint8_t>(port);
      best.vcs = vcs;
      chosen = true;
      most = merit;
    }
  }
  return best;
}

/// The output side of VC allocation: how many of \p lanes input lanes an output VC asks before \p lane. The least wins.
/// \p lane and \p pointer < lanes
inline unsigned lane_turn(unsigned lane, unsigned pointer, unsigned lanes) {
  return lane >= pointer ? lane - pointer : lane + lanes - pointer;
}

/// One cycle of VC allocation. Every waiting input VC picks one of the output VCs it may have, round robin over all
/// output lanes from its pointer; every output VC picks one of those that picked it, round robin over input lanes.
/// \tparam Pointers          numbers of lanes, or registers of them, by lane: where the arbiters start
/// \param input_pointers     of each input VC, an output lane
/// \param output_pointers    of each output VC, an input lane
template <typename Pointers>
vc_matching allocate_vcs(unsigned ports, unsigned vcs, const vc_requests& requests, const Pointers& input_pointers,
                         const Pointers& output_pointers) {
  const unsigned lanes = ports * vcs;
  vc_matching result;
  port_set outputs = 0;                                              // output ports with VCs that an input VC picked…
  std::array<vc_set, MaxPorts> wanted;                               // …these VCs…
  std::array<std::uint8_t, MaxPorts * MaxVcs> in_port_of, in_vc_of;  // …and whom each prefers so far
  WEFT_FOR_MEMBERS(in_port, requests.ports, ports) {
    WEFT_FOR_MEMBERS(in_vc, requests.waiting[in_port], vcs) {
      const vc_set candidates = requests.vcs[in_port][in_vc];
      if (candidates != 0) {
        const unsigned lane = in_port * vcs + in_vc;
        const unsigned out_port = requests.port[in_port][in_vc];
        const unsigned first = out_port * vcs;
        const unsigned out_vc = favourite_vc(candidates, first, input_pointers[lane]);
        const unsigned out_lane = first + out_vc;
        if ((outputs >> out_port & 1) == 0) wanted[out_port] = 0;
        bool preferred = true;
        if ((wanted[out_port] >> out_vc & 1) != 0) {
          const unsigned rival = in_port_of[out_lane] * vcs + in_vc_of[out_lane], pointer = output_pointers[out_lane];
          preferred = lane_turn(lane, pointer, lanes) < lane_turn(rival, pointer, lanes);
        }
        if (preferred) {
          in_port_of[out_lane] = static_cast<std::uint8_t>(in_port);
          in_vc_of[out_lane] = static_cast<std::uint8_t>(in_vc);
        }
        outputs |= 1U << out_port;
        wanted[out_port] |= 1U << out_vc;
      }
    }
  }
  WEFT_FOR_MEMBERS(out_port, outputs, ports) {
    WEFT_FOR_MEMBERS(out_vc, wanted[out_port], vcs) {
      const unsigned out_lane = out_port * vcs + out_vc;
      const unsigned in_port = in_port_of[out_lane], in_vc = in_vc_of[out_lane];
      result.ports |= 1U << in_port;
      result.inputs[in_port] |= 1U << in_vc;
      result.port[in_port][in_vc] = static_cast<std::uint8_t>(out_port);
      result.vc[in_port][in_vc] = static_cast<std::uint8_t>(out_vc);
    }
  }
  return result;
}

/// Moves the pointers of both sides past all grants of \p m.
template <typename Pointers>
void advance(Pointers& input_pointers, Pointers& output_pointers, const vc_matching& m, unsigned ports, unsigned vcs) {
  WEFT_FOR_MEMBERS(in_port, m.ports, ports) {
    WEFT_FOR_MEMBERS(in_vc, m.inputs[in_port], vcs) {
      const unsigned in = in_port * vcs + in_vc;
      const unsigned out = m.port[in_port][in_vc] * vcs + m.vc[in_port][in_vc];
      input_pointers[in] = static_cast<std::uint8_t>(after(out, ports * vcs));
      output_pointers[out] = static_cast<std::uint8_t>(after(in, ports * vcs));
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Switch allocation

/// Where the arbiters of the switch allocator start.
struct switch_pointers {
  std::uint8_t output_of_input[MaxPorts];  ///< of each input port, an output port
  std::uint8_t vc_of_input[MaxPorts];      ///< of each input port, one of its VCs
  std::uint8_t input_of_output[MaxPorts];  ///< of each output port, an input port

  switch_pointers() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      output_of_input[port] = 0;
      vc_of_input[port] = 0;
      input_of_output[port] = 0;
    }
  }

  friend bool operator==(const switch_pointers& a, const switch_pointers& b) {
    return std::equal(a.output_of_input, a.output_of_input + MaxPorts, b.output_of_input) &&
           std::equal(a.vc_of_input, a.vc_of_input + MaxPorts, b.vc_of_input) &&
           std::equal(a.input_of_output, a.input_of_output + MaxPorts, b.input_of_output);
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
  port_set inputs = 0;            ///< input ports that send a flit
  std::uint8_t vc[MaxPorts];      ///< of each of them, the VC
  std::uint8_t output[MaxPorts];  ///< of each of them, the output port

  switch_matching() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      vc[port] = 0;
      output[port] = 0;
    }
  }
};

/// The input VCs that may send, and where to.
struct switch_requests {
  port_set ports = 0;                     ///< input ports with such VCs
  vc_set ready[MaxPorts];                 ///< of each of these ports, the VCs with a flit, an output VC and a credit
  std::uint8_t output[MaxPorts][MaxVcs];  ///< of each of these VCs, the output port
};

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

/// The request of input port \p port, which has VCs that are ready: of these, the one with the least request_turn().
inline switch_request choose_request(const switch_requests& requests, unsigned port, const switch_pointers& pointers) {
  unsigned least = ~0U, winner = 0;
  WEFT_FOR_MEMBERS(vc, requests.ready[port], MaxVcs) {
    const unsigned own =
        request_turn(vc, requests.output[port][vc], pointers.vc_of_input[port], pointers.output_of_input[port]);
    if (own < least) {
      winner = vc;
      least = own;
    }
  }
  switch_request request;
  request.vc = static_cast<std::uint8_t>(winner);
  request.output = requests.output[port][winner];
  return request;
}

/// One cycle of switch allocation. Every input port chooses its request; every output port picks an input port, round
/// robin.
inline switch_matching allocate_switch([[maybe_unused]] unsigned ports, const switch_requests& requests,
                                       const switch_pointers& pointers) {
  switch_matching result;
  port_set outputs = 0;                   // output ports that an input port picked
  std::array<port_set, MaxPorts> rivals;  // …and by whom; set where `outputs` is
  WEFT_FOR_MEMBERS(in_port, requests.ports, ports) {
    const switch_request request = choose_request(requests, in_port, pointers);
    result.vc[in_port] = request.vc;
    result.output[in_port] = request.output;
    if ((outputs >> request.output & 1) == 0) rivals[request.output] = 0;
    outputs |= 1U << request.output;
    rivals[request.output] |= 1U << in_port;
  }
  WEFT_FOR_MEMBERS(out_port, outputs, ports) {
    result.inputs |= 1U << round_robin(rivals[out_port], pointers.input_of_output[out_port]);
  }
  return result;
}

/// Moves the pointers of all ports that send in \p m.
inline void advance(switch_pointers& pointers, const switch_matching& m, unsigned ports, unsigned vcs) {
  WEFT_FOR_MEMBERS(in_port, m.inputs, ports) {
    const unsigned output = m.output[in_port];
    pointers.output_of_input[in_port] = static_cast<std::uint8_t>(after(output, ports));
    pointers.vc_of_input[in_port] = static_cast<std::uint8_t>(after(m.vc[in_port], vcs));
    pointers.input_of_output[output] = static_cast<std::uint8_t>(after(in_port, ports));
  }
}

}  // namespace weft
