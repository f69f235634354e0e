// SPDX-License-Identifier: Apache-2.0
/// A router's switch allocator as weft/core has it, with lanes numbered as the engine does: what its fast forms are
/// compared with.
#pragma once

#include "support/random.h"
#include <array>
#include <cstdint>

#include "weft/core/allocation.h"
#include "weft/engine/base/lane_set.h"

namespace weft::engine {

template <unsigned Lanes>
struct switch_reference {
  using set = lane_set<Lanes>;

  unsigned ports, vcs, stride;
  switch_pointers pointers;
  set holding;                           ///< input lanes with an output lane
  std::array<unsigned, Lanes> output{};  ///< which
  std::array<bool, Lanes> is_taken{};    ///< output lanes that an input lane holds

  /// What a cycle decides.
  struct departing {
    set winners, sent, ended;
  };

  void randomise_pointers(dice& random) {
    for (unsigned port = 0; port < ports; ++port) {
      pointers.output_of_input[port] = static_cast<std::uint8_t>(random.between(0, ports - 1));
      pointers.vc_of_input[port] = static_cast<std::uint8_t>(random.between(0, vcs - 1));
      pointers.input_of_output[port] = static_cast<std::uint8_t>(random.between(0, ports - 1));
    }
  }
  unsigned any_lane(dice& random) const { return random.between(0, ports - 1) * stride + random.between(0, vcs - 1); }

  /// Input lane \p lane gets \p wanted, unless it holds one or that is taken. Returns whether it does.
  bool hold(unsigned lane, unsigned wanted) {
    if (holding.contains(lane) || is_taken[wanted]) return false;
    holding.insert(lane);
    output[lane] = wanted;
    return is_taken[wanted] = true;
  }

  /// One cycle, in which lanes that are \p ready ask, and pointers and holders move.
  /// \param ending those whose next flit is a tail
  departing allocate(const set& ready, const set& ending) {
    switch_requests requests{};
    for (unsigned port = 0; port < ports; ++port) {
      requests.ready[port] = ready.field(port * stride, first_vcs(vcs));
      if (requests.ready[port] != 0) requests.ports |= port_set{1} << port;
      for_each_member(requests.ready[port], [&](unsigned vc) {
        requests.output[port][vc] = static_cast<std::uint8_t>(output[port * stride + vc] / stride);
      });
    }
    const switch_matching chosen = allocate_switch(ports, requests, pointers);
    departing result;
    for_each_member(chosen.inputs, [&](unsigned port) {
      const unsigned lane = port * stride + chosen.vc[port];
      result.winners.insert(lane);
      result.sent.insert(output[lane]);
      if (!ending.contains(lane)) return;
      result.ended.insert(output[lane]);
      holding.erase(lane);
      is_taken[output[lane]] = false;
    });
    advance(pointers, chosen, ports, vcs);
    return result;
  }
};

/// A pointer behind the last of \p contenders starts with the first.
inline unsigned wrapped(unsigned pointer, unsigned contenders) { return pointer >= contenders ? 0 : pointer; }

}  // namespace weft::engine
