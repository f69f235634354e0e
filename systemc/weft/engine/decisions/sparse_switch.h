// SPDX-License-Identifier: Apache-2.0
/// Switch allocation for few requests: performs weft::allocate_switch() for the routers of a region, VC by VC.
///
/// The cost is proportional to the number of requests, unlike the cost of dense_switch, which is constant. One loop
/// processes the VCs of all routers and has no branches that depend on the traffic: each requester bids with its rank
/// in round-robin order, and the smallest bid wins. tests/unit/engine/sparse_switch_test.cpp compares the results with
/// allocate_switch().
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/round_robin.h"
#include "weft/core/types.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/router_vc_set.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/base/word_vectors.h"

namespace weft::engine {

/// The pointers of the switch allocators of a region, as in switch_pointers. A pointer may be one past the last
/// requester.
template <typename Numbers>
struct sparse_pointers {
  struct of_port {
    byte vc_of_input_port{};  ///< pointer of an input port over its VCs: a VC index in its router
    byte output_of_input{};   ///< pointer of an input port over output ports
    byte input_of_output{};   ///< pointer of an output port over input ports
  };
  std::array<of_port, Numbers::RegionPorts> at{};  ///< pointers of each port of the region

  /// Sets all pointers to the first requester.
  void reset(unsigned shift) {
    at.fill({});
    for (unsigned p = 0; p < Numbers::RegionVcs >> shift; ++p)
      at[p].vc_of_input_port = to_byte((p << shift) & Numbers::VcIndexMask);
  }
  /// Moves the pointers after input VC \p in wins output VC \p out. Both are VC indices in their router; \p in_port and
  /// \p out_port are their ports in the region.
  void pass(unsigned in, unsigned in_port, unsigned out, unsigned out_port, unsigned shift) {
    at[in_port].vc_of_input_port = to_byte(in + 1);
    at[in_port].output_of_input = to_byte((out >> shift) + 1);
    at[out_port].input_of_output = to_byte((in >> shift) + 1);
  }
};

/// The input side of switch allocation. An input port first selects an output port among those that its VCs request,
/// then a VC among those that request this output port, both in round-robin order.
/// \return the rank of the request of \p vc for \p output; the smallest rank wins, and no two VCs of a port have the
/// same
inline unsigned request_rank(unsigned vc, unsigned output, unsigned vc_pointer, unsigned output_pointer) {
  return round_robin_distance(output, output_pointer) << 5 | round_robin_distance(vc, vc_pointer);
}

template <unsigned RouterVcs, int Shift>
class sparse_switch {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using set = typename numbers::set;
  using sets = typename numbers::sets;
  using pointers = sparse_pointers<numbers>;

  sparse_switch(numbers number, unsigned ports)
      : m_number(number),
        m_least_inputs(numbers::RegionVcs >> number.shift(), NoBid),
        m_rivals(RegionRouters * set::Words),
        m_requests(RegionRouters * ports),
        m_requested_ports(RegionRouters * ports),
        m_granted(numbers::RegionVcs) {}

  /// Selects the input VCs that are granted the switch in this cycle. Does not move the pointers.
  /// \param may_request routers in which an input VC may be in both `occupied` and `able`; the function removes routers
  ///        that have none
  /// \param occupied    input VCs that hold a flit
  /// \param able        input VCs whose output VC has a credit; input VCs in both sets request the switch
  /// \param held        output VC that each input VC of the region holds
  void allocate(std::uint64_t& may_request, const sets& occupied, const sets& able, const vc_ownership* held,
                const pointers& from) {
    find_rivals(may_request, occupied, able);
    if (m_rivals.begin() != m_rivals.end()) resolve_conflicts(held, from);
  }

  /// The winners, as input VCs of the region, at most one per output port. They are valid until clear() is called.
  const bounded_list<std::uint16_t>& granted() const { return m_granted; }
  void clear() { m_granted.clear(); }

 private:
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;
  static constexpr std::uint16_t NoBid = 0xffff;  ///< above every valid bid

  /// The request of an input VC: its rank in the upper bits, its index in the region in the lower bits.
  using request = std::uint64_t;

  /// The VCs that request the switch in one router, or in one machine word of the router's set.
  struct rivals {
    unsigned first;  ///< VC index in the region of the first bit of the word
    typename set::word_t vcs;
  };

  /// Grants a VC immediately if it is the only requester in its router. Lists the requesters of all other routers.
  void find_rivals(std::uint64_t& may_request, const sets& occupied, const sets& able) {
    for_each_of(may_request, [&](unsigned i) {
      const set ready = occupied[i] & able[i];
      if (!ready.any()) {
        may_request ^= std::uint64_t{1} << i;
        return;
      }
      const bool alone = ready.is_single();
      m_granted.push_if(alone, static_cast<std::uint16_t>(i << VcIndexBits | ready.lowest()));
      for (unsigned w = 0; w < set::Words; ++w)
        m_rivals.push_if(!alone & (ready.word[w] != 0), {(i << VcIndexBits) + w * set::Bits, ready.word[w]});
    });
  }

  [[gnu::noinline]] void resolve_conflicts(const vc_ownership* held, const pointers& from) {
    choose_requests(held, from);
    choose_inputs(held, from);
  }

  /// Performs the input side, choose_request(): the VCs of an input port bid for the request of this port. One loop
  /// processes the VCs of all routers, because the processor would mispredict a branch at the end of each router.
  void choose_requests(const vc_ownership* held, const pointers& from) {
    const rivals* of = m_rivals.begin();
    typename set::word_t left = of->vcs;
    unsigned last_port = ~0U;
    request least = 0;
    while (of != m_rivals.end()) {
      const unsigned in = of->first + static_cast<unsigned>(__builtin_ctzll(left));  // VC index in the region
      left &= left - 1;
      const auto over = opaque(static_cast<typename set::word_t>(left == 0));
      of += over;
      left |= of->vcs & -over;
      // The VCs of a port are adjacent, so only the last entry of the list can belong to the same port.
      const unsigned port = in >> m_number.shift();
      const unsigned rank = request_rank(in, value(held[in].output) >> m_number.shift(),
                                         value(from.at[port].vc_of_input_port), value(from.at[port].output_of_input));
      const request bid = std::uint64_t{rank} << 32 | in;
      const bool is_new = port != last_port;
      least = std::min(least | -std::uint64_t{is_new}, bid);
      m_requests.replace_or_push(is_new, least);
      last_port = port;
    }
    m_rivals.clear();
  }

  /// Performs the output side: input ports bid for output ports.
  void choose_inputs(const vc_ownership* held, const pointers& from) {
    for (const request entry : m_requests) {
      const auto in = static_cast<unsigned>(entry);
      const unsigned port = ((in & ~VcIndexMask) | value(held[in].output)) >> m_number.shift();
      std::uint16_t& least = m_least_inputs[port];
      m_requested_ports.push_if(least == NoBid, port);
      const unsigned input_distance =
          round_robin_distance((in & VcIndexMask) >> m_number.shift(), value(from.at[port].input_of_output));
      least = std::min(least, static_cast<std::uint16_t>(input_distance << 8 | (in & VcIndexMask)));
    }
    m_requests.clear();
    for (const unsigned port : m_requested_ports) {
      m_granted.push(
          static_cast<std::uint16_t>(((port << m_number.shift()) & ~VcIndexMask) | (m_least_inputs[port] & 0xff)));
      m_least_inputs[port] = NoBid;
    }
    m_requested_ports.clear();
  }

  const numbers m_number;
  std::vector<std::uint16_t> m_least_inputs;  ///< by output port of the region: the smallest bid so far, with the input
                                              ///< VC that made it
  bounded_list<rivals> m_rivals;              ///< requesting VCs of the routers that have more than one
  bounded_list<request> m_requests;           ///< the request of each input port
  bounded_list<unsigned> m_requested_ports;   ///< output ports of the region with requests
  bounded_list<std::uint16_t> m_granted;
};

}  // namespace weft::engine
