// SPDX-License-Identifier: Apache-2.0
/// The switch allocator of a router as in weft/router, with VCs numbered as in the engine. The tests compare the fast
/// implementations with it.
#pragma once

#include "support/default_allocators.h"
#include "support/random.h"
#include <array>
#include <cstdint>

#include "weft/core/members.h"
#include "weft/engine/base/router_vc_set.h"

namespace weft::engine {

template <unsigned RouterVcs>
struct switch_reference {
  using set = router_vc_set<RouterVcs>;

  unsigned ports, vcs, stride;
  default_switch_allocator allocator;
  set holding;                               ///< input VCs that hold an output VC
  std::array<unsigned, RouterVcs> output{};  ///< the output VC of each
  std::array<bool, RouterVcs> is_held{};     ///< output VCs that an input VC holds

  /// The decisions of a cycle.
  struct departing {
    set winners, sent, ended;
  };

  switch_reference(unsigned p, unsigned v, unsigned distance) : ports(p), vcs(v), stride(distance), allocator(p, v) {}

  void randomise_pointers(rng& random) {
    for (unsigned port = 0; port < ports; ++port) {
      allocator.output_of_input(port) = static_cast<std::uint16_t>(random.between(0, ports - 1));
      allocator.vc_of_input(port) = static_cast<std::uint16_t>(random.between(0, vcs - 1));
      allocator.input_of_output(port) = static_cast<std::uint16_t>(random.between(0, ports - 1));
    }
  }
  unsigned any_vc(rng& random) const { return random.between(0, ports - 1) * stride + random.between(0, vcs - 1); }

  /// Input VC \p vc_index gets \p output_vc unless one of them is assigned already. \return whether it does
  bool hold(unsigned vc_index, unsigned output_vc) {
    if (holding.contains(vc_index) || is_held[output_vc]) return false;
    holding.insert(vc_index);
    output[vc_index] = output_vc;
    return is_held[output_vc] = true;
  }

  /// Allocates for one cycle, with requests of the input VCs \p ready, and updates pointers and holders.
  /// \param ending input VCs whose next flit is a tail
  departing allocate(const set& ready, const set& ending) {
    switch_requests requests{};
    for (unsigned port = 0; port < ports; ++port) {
      requests.ready[port] = ready.field(port * stride, first_vcs(vcs));
      if (requests.ready[port] != 0) requests.inputs |= port_set{1} << port;
      for_each_member(requests.ready[port], [&](unsigned vc) {
        requests.output[port][vc] = static_cast<std::uint8_t>(output[port * stride + vc] / stride);
      });
    }
    const switch_matching chosen = allocator.allocate(requests);
    departing result;
    for_each_member(chosen.inputs, [&](unsigned port) {
      const unsigned vc_index = port * stride + chosen.vc[port];
      result.winners.insert(vc_index);
      result.sent.insert(output[vc_index]);
      if (!ending.contains(vc_index)) return;
      result.ended.insert(output[vc_index]);
      holding.erase(vc_index);
      is_held[output[vc_index]] = false;
    });
    allocator.advance(chosen);
    return result;
  }
};

/// A pointer past the last of \p contenders starts with the first.
inline unsigned wrapped(unsigned pointer, unsigned contenders) { return pointer >= contenders ? 0 : pointer; }

}  // namespace weft::engine
