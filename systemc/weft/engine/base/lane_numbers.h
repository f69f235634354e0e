// SPDX-License-Identifier: Apache-2.0
/// How lanes and ports are numbered: within a router, within a region of 64 routers, and in the network.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weft/core/types.h"
#include "weft/engine/base/lane_set.h"
#include "weft/engine/base/region_lanes.h"

namespace weft::engine {

/// A lane of the network: number of the router · Lanes + lane of that router. The routers come in whole regions;
/// behind them, in as many numbers again, come NICs: that at a port of router r has the number of that port in router
/// r + first NIC.
using lane_id = std::uint32_t;

/// A byte that is not a character: for all a compiler knows, what is written as a character might be anything.
enum class byte : std::uint8_t {};
constexpr byte to_byte(unsigned number) { return static_cast<byte>(number); }
constexpr unsigned value(byte b) { return static_cast<unsigned>(b); }
constexpr unsigned value(std::uint16_t number) { return number; }

/// Of a lane's number: what stands there as an input, and as an output.
struct held_lanes {
  byte output;  ///< the output lane that the input lane holds, or held last
  byte holder;  ///< the input lane that holds the output lane, or held it last
};

/// The least number of bits that tell \p n numbers apart.
constexpr unsigned bits_for(unsigned n) {
  unsigned bits = 0;
  while (1U << bits < n) ++bits;
  return bits;
}

/// \tparam Lanes a router has as many at most, stride included: 32, 64 or 256
/// \tparam Shift a port has 1 << Shift lanes, if that is known when compiling; else negative
template <unsigned Lanes, int Shift>
class lane_numbers {
 public:
  static constexpr unsigned LaneBits = Lanes == 32 ? 5 : Lanes == 64 ? 6 : 8;
  static_assert(Lanes == 1U << LaneBits, "a lane_id has 24 bits at least for the router; lanes are bytes");
  static constexpr lane_id LaneMask = Lanes - 1;
  static constexpr unsigned RegionLanes = RegionRouters * Lanes;
  static constexpr unsigned RegionPorts = Shift >= 0 ? RegionLanes >> Shift : RegionLanes;
  static constexpr unsigned MostPorts = std::min(Lanes, MaxPorts);

  using set = lane_set<Lanes>;
  using sets = lane_sets<Lanes>;

  /// A slot of a FIFO. Where a port has four VCs its FIFOs have 128 flits at most.
  using slot_index = std::conditional_t<Shift == 2, byte, std::uint16_t>;
  static_assert(MaxBufferFlits <= 512);

  explicit lane_numbers(unsigned vcs) : m_stride_bits(bits_for(vcs)) {}

  /// A port has 1 << shift() lanes.
  unsigned shift() const { return Shift >= 0 ? static_cast<unsigned>(Shift) : m_stride_bits; }
  /// Lanes of a port.
  unsigned stride() const { return 1U << shift(); }
  /// VCs of a port, and those that it does not have.
  vc_set stride_set() const { return (vc_set{1} << stride()) - 1; }
  /// Of a lane, the bits that are its VC.
  unsigned stride_mask() const { return stride() - 1; }

  lane_id first_lane(router_id r, unsigned port) const { return r << LaneBits | port << shift(); }
  static unsigned lane_in_region(lane_id lane) { return lane % RegionLanes; }
  unsigned port_in_region(lane_id lane) const { return lane_in_region(lane) >> shift(); }
  static unsigned router_in_region(lane_id lane) { return lane_in_region(lane) >> LaneBits; }

 private:
  unsigned m_stride_bits;
};

}  // namespace weft::engine
