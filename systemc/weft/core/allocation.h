// SPDX-License-Identifier: Apache-2.0
/// The arbitration functions of the router: selection of an output port, VC allocation and switch allocation. All are
/// pure functions on plain integers. The router modules of the pin level call them. The engine calls select_output()
/// and next_index(), and has faster implementations of both allocators.
/// Both allocators are separable and input-first. A pointer moves past the winner only after a grant, so arbitration is
/// fair and no requester starves.
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

/// Distance of \p contender from \p pointer in round-robin order; the requester with the smallest distance wins. Both
/// arguments are below 32.
inline unsigned round_robin_distance(unsigned contender, unsigned pointer) { return (contender - pointer) & 31; }

/// The index that follows \p winner in the cyclic order of \p count requesters.
inline unsigned next_index(unsigned winner, unsigned count) { return winner + 1 == count ? 0 : winner + 1; }

// ---------------------------------------------------------------------------------------------------------------
// VC allocation. A VC index (`vc_index`) is port * VCs + VC.

/// The input VCs that wait for an output VC, and their requests.
struct vc_requests {
  port_set ports = 0;                   ///< input ports with such VCs
  vc_set waiting[MaxPorts];             ///< of each of these ports, the waiting VCs
  std::uint8_t port[MaxPorts][MaxVcs];  ///< output port that each waiting VC requests
  vc_set vcs[MaxPorts][MaxVcs];         ///< VCs of that port that are admissible *and* free
};

/// The grants of one cycle: an output VC goes to at most one input VC, and an input VC gets at most one output VC.
struct vc_matching {
  port_set ports = 0;                   ///< input ports with VCs that get an output VC
  vc_set inputs[MaxPorts];              ///< per input port, the VCs that get an output VC; 0 for other ports
  std::uint8_t port[MaxPorts][MaxVcs];  ///< output port granted to each of these VCs
  std::uint8_t vc[MaxPorts][MaxVcs];    ///< output VC granted to each of these VCs

  vc_matching() {
    for (unsigned in_port = 0; in_port < MaxPorts; ++in_port) inputs[in_port] = 0;
  }
};

/// The input side of VC allocation. Returns the VC that an input VC requests: one of its candidates, selected in
/// round-robin order over all output VCs of the router. All candidates belong to one output port, so the pointer
/// matters only if it points into that port.
/// \param candidates free admissible VCs of the output port, not empty
/// \param first      VC index of VC 0 of that port
/// \param pointer    VC index at which the search starts
inline unsigned preferred_vc(vc_set candidates, unsigned first, unsigned pointer) {
  const unsigned offset = pointer - first;  // huge if the pointer is at a lower port
  return round_robin(candidates, offset < MaxVcs ? offset : 0);
}

/// The resources that are free in this cycle, for the route that a head requests.
struct route_offers {
  vc_set sure = 0;                  ///< VCs of the output port of the sure offer (route::port)
  vc_set choice_vcs[MaxPorts];      ///< of each port among the choices, the VCs offered; see select_output()
  std::uint32_t credits[MaxPorts];  ///< sum over all VCs of each of these ports, < 2^20
};

/// Rank of one of the output ports that a head may choose. The port with the highest rank wins. The rank compares
/// credits first, in whole buffers of \p depth flits, then \p place modulo \p count, where \p count is the number of
/// ports to choose from. \p place differs between ports and between heads.
inline unsigned choice_merit(std::uint32_t credits, unsigned depth, unsigned place, unsigned count) {
  return divide<20>(credits, depth) << 5 | modulo<6>(place, count);
}

/// Selects the output port and VCs that a head requests in this cycle. Among its choices (route::choices) that have a
/// free VC, the one with the most credits wins, counted in whole buffers. If no choice has a free VC, the head requests
/// its sure offer. Among ports with equal credits the heads prefer different ones; otherwise all heads that arrive in
/// one cycle would request the same port.
/// \param ports     number of ports of the router
/// \param contender index of the head among the possible requesters: input port + input VC
/// \param depth     credits of an empty buffer
/// \param offers    the free VCs among those that the head may use. If the head has a sure offer, the caller must leave
/// out
///                  every VC of a choice whose buffer is neither empty nor has room for the whole packet. Otherwise a
///                  packet could wait behind others for their escape VCs while its own tail still occupies other
/// buffers.
///                  (Duato 1993 allows one packet per queue; Ma et al. 2012 describe whole packet forwarding.)
/// \return the selected port and its free VCs; no VCs if none is free
inline route select_output(const route& requested, [[maybe_unused]] unsigned ports, unsigned contender, unsigned depth,
                           const route_offers& offers) {
  route best;
  best.port = requested.port;
  best.vcs = offers.sure;
  bool chosen = false;
  const unsigned count = count_members(requested.choices);
  unsigned most = 0, rank = 0;
  WEFT_FOR_MEMBERS(port, requested.choices, ports) {
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

/// The output side of VC allocation. Returns the distance of input VC \p vc_index from \p pointer in round-robin order
/// of \p vc_count input VCs; the requester with the smallest distance wins. \p vc_index and \p pointer are below \p
/// vc_count.
inline unsigned vc_distance(unsigned vc_index, unsigned pointer, unsigned vc_count) {
  return vc_index >= pointer ? vc_index - pointer : vc_index + vc_count - pointer;
}

/// One cycle of VC allocation. Every waiting input VC requests one of its free admissible output VCs: the first at or
/// after its pointer, in round-robin order of all output VCs. Every requested output VC grants one request: that of the
/// first input VC at or after its pointer, in round-robin order of all input VCs.
/// \tparam Pointers          array of VC indices, or of registers that contain them, indexed by VC index
/// \param input_pointers     for each input VC, the output VC at which its arbiter starts
/// \param output_pointers    for each output VC, the input VC at which its arbiter starts
template <typename Pointers>
vc_matching allocate_vcs(unsigned ports, unsigned vcs, const vc_requests& requests, const Pointers& input_pointers,
                         const Pointers& output_pointers) {
  const unsigned vc_count = ports * vcs;
  vc_matching result;
  port_set outputs = 0;                                              // output ports with requested VCs
  std::array<vc_set, MaxPorts> requested;                            // the requested VCs of each of these ports
  std::array<std::uint8_t, MaxPorts * MaxVcs> in_port_of, in_vc_of;  // the input VC with the best claim so far
  WEFT_FOR_MEMBERS(in_port, requests.ports, ports) {
    WEFT_FOR_MEMBERS(in_vc, requests.waiting[in_port], vcs) {
      const vc_set candidates = requests.vcs[in_port][in_vc];
      if (candidates != 0) {
        const unsigned vc_index = in_port * vcs + in_vc;
        const unsigned out_port = requests.port[in_port][in_vc];
        const unsigned first = out_port * vcs;
        const unsigned out_vc = preferred_vc(candidates, first, input_pointers[vc_index]);
        const unsigned out_index = first + out_vc;
        if ((outputs >> out_port & 1) == 0) requested[out_port] = 0;
        bool preferred = true;
        if ((requested[out_port] >> out_vc & 1) != 0) {
          const unsigned rival = in_port_of[out_index] * vcs + in_vc_of[out_index],
                         pointer = output_pointers[out_index];
          preferred = vc_distance(vc_index, pointer, vc_count) < vc_distance(rival, pointer, vc_count);
        }
        if (preferred) {
          in_port_of[out_index] = static_cast<std::uint8_t>(in_port);
          in_vc_of[out_index] = static_cast<std::uint8_t>(in_vc);
        }
        outputs |= 1U << out_port;
        requested[out_port] |= 1U << out_vc;
      }
    }
  }
  WEFT_FOR_MEMBERS(out_port, outputs, ports) {
    WEFT_FOR_MEMBERS(out_vc, requested[out_port], vcs) {
      const unsigned out_index = out_port * vcs + out_vc;
      const unsigned in_port = in_port_of[out_index], in_vc = in_vc_of[out_index];
      result.ports |= 1U << in_port;
      result.inputs[in_port] |= 1U << in_vc;
      result.port[in_port][in_vc] = static_cast<std::uint8_t>(out_port);
      result.vc[in_port][in_vc] = static_cast<std::uint8_t>(out_vc);
    }
  }
  return result;
}

/// Moves the pointers of all VCs with a grant in \p m past their partners.
template <typename Pointers>
void advance(Pointers& input_pointers, Pointers& output_pointers, const vc_matching& m, unsigned ports, unsigned vcs) {
  WEFT_FOR_MEMBERS(in_port, m.ports, ports) {
    WEFT_FOR_MEMBERS(in_vc, m.inputs[in_port], vcs) {
      const unsigned in = in_port * vcs + in_vc;
      const unsigned out = m.port[in_port][in_vc] * vcs + m.vc[in_port][in_vc];
      input_pointers[in] = static_cast<std::uint8_t>(next_index(out, ports * vcs));
      output_pointers[out] = static_cast<std::uint8_t>(next_index(in, ports * vcs));
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Switch allocation

/// The positions at which the arbiters of the switch allocator start.
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

/// The grants of one cycle: an input port sends from at most one VC, and an output port serves at most one input port.
struct switch_matching {
  port_set inputs = 0;            ///< input ports that send a flit
  std::uint8_t vc[MaxPorts];      ///< of each of them, the VC that sends
  std::uint8_t output[MaxPorts];  ///< of each of them, the output port

  switch_matching() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      vc[port] = 0;
      output[port] = 0;
    }
  }
};

/// The input VCs that may send, and their output ports.
struct switch_requests {
  port_set ports = 0;                     ///< input ports with such VCs
  vc_set ready[MaxPorts];                 ///< of each of these ports, the VCs with a flit, an output VC and a credit
  std::uint8_t output[MaxPorts][MaxVcs];  ///< of each of these VCs, the output port
};

/// The request that an input port makes to the switch allocator: one of its VCs, and the output port of that VC.
struct switch_request {
  std::uint8_t vc, output;
};

/// The input side of switch allocation. An input port first selects an output port among those that its VCs request,
/// then a VC among those that request this output port, both in round-robin order.
/// \return the rank of the request of \p vc for \p output; the smallest rank wins, and no two VCs of a port have the
/// same
inline unsigned request_rank(unsigned vc, unsigned output, unsigned vc_pointer, unsigned output_pointer) {
  return round_robin_distance(output, output_pointer) << 5 | round_robin_distance(vc, vc_pointer);
}

/// The request of input port \p port: its ready VC with the smallest request_rank(). At least one VC must be ready.
inline switch_request choose_request(const switch_requests& requests, unsigned port, const switch_pointers& pointers) {
  unsigned least = ~0U, winner = 0;
  WEFT_FOR_MEMBERS(vc, requests.ready[port], MaxVcs) {
    const unsigned rank =
        request_rank(vc, requests.output[port][vc], pointers.vc_of_input[port], pointers.output_of_input[port]);
    if (rank < least) {
      winner = vc;
      least = rank;
    }
  }
  switch_request request;
  request.vc = static_cast<std::uint8_t>(winner);
  request.output = requests.output[port][winner];
  return request;
}

/// One cycle of switch allocation. Every input port selects its request. Every output port grants one of the input
/// ports that request it, in round-robin order.
inline switch_matching allocate_switch([[maybe_unused]] unsigned ports, const switch_requests& requests,
                                       const switch_pointers& pointers) {
  switch_matching result;
  port_set outputs = 0;                   // output ports with requests
  std::array<port_set, MaxPorts> rivals;  // the input ports that request them; valid where `outputs` is set
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

/// Moves the pointers of all ports with a grant in \p m past the winners.
inline void advance(switch_pointers& pointers, const switch_matching& m, unsigned ports, unsigned vcs) {
  WEFT_FOR_MEMBERS(in_port, m.inputs, ports) {
    const unsigned output = m.output[in_port];
    pointers.output_of_input[in_port] = static_cast<std::uint8_t>(next_index(output, ports));
    pointers.vc_of_input[in_port] = static_cast<std::uint8_t>(next_index(m.vc[in_port], vcs));
    pointers.input_of_output[output] = static_cast<std::uint8_t>(next_index(in_port, ports));
  }
}

}  // namespace weft
