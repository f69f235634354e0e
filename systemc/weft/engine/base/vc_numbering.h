// SPDX-License-Identifier: Apache-2.0
/// The numbering of VCs and ports: within a router, within a region of 64 routers, and in the network.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weft/core/types.h"
#include "weft/engine/base/region_vc_sets.h"
#include "weft/engine/base/router_vc_set.h"

namespace weft::engine {

/// A VC of the network: number of the router · RouterVcs + VC index in that router. The routers are padded to whole
/// regions. NICs follow in the same number of ids: the NIC at a port of router r has the number of that port in router
/// r + first_nic.
using vc_id = std::uint32_t;

/// A byte that is not a character type: compilers assume that a write through a character type can alias any object.
enum class byte : std::uint8_t {};
constexpr byte to_byte(unsigned number) { return static_cast<byte>(number); }
constexpr unsigned value(byte b) { return static_cast<unsigned>(b); }
constexpr unsigned value(std::uint16_t number) { return number; }

/// The owners of a VC index, as an input VC and as an output VC.
struct vc_ownership {
  byte output;  ///< output VC that this input VC holds, or held last
  byte holder;  ///< input VC that holds this output VC, or held it last
};

/// The minimum number of bits to represent \p n numbers.
constexpr unsigned bits_for(unsigned n) {
  unsigned bits = 0;
  while (1U << bits < n) ++bits;
  return bits;
}

/// \tparam RouterVcs maximum VC indices of a router, unused ones of the stride included: 32, 64 or 256
/// \tparam Shift     a port has 1 << Shift VC indices, if that is known at compile time; otherwise negative
template <unsigned RouterVcs, int Shift>
class vc_numbering {
 public:
  static constexpr unsigned VcIndexBits = RouterVcs == 32 ? 5 : RouterVcs == 64 ? 6 : 8;
  static_assert(RouterVcs == 1U << VcIndexBits, "a vc_id has at least 24 bits for the router; VC indices are bytes");
  static constexpr vc_id VcIndexMask = RouterVcs - 1;
  static constexpr unsigned RegionVcs = RegionRouters * RouterVcs;
  static constexpr unsigned RegionPorts = Shift >= 0 ? RegionVcs >> Shift : RegionVcs;
  static constexpr unsigned MostPorts = std::min(RouterVcs, MaxPorts);

  using set = router_vc_set<RouterVcs>;
  using sets = router_vc_sets<RouterVcs>;

  /// A slot of a FIFO. With four VCs per port the FIFOs have at most 128 flits.
  using slot_index = std::conditional_t<Shift == 2, byte, std::uint16_t>;
  static_assert(MaxBufferFlits <= 512);

  explicit vc_numbering(unsigned vcs) : m_stride_bits(bits_for(vcs)) {}

  /// A port has 1 << shift() VC indices.
  unsigned shift() const { return Shift >= 0 ? static_cast<unsigned>(Shift) : m_stride_bits; }
  /// Number of VC indices of a port.
  unsigned stride() const { return 1U << shift(); }
  /// The VCs of a port as a set, including indices that do not exist.
  vc_set stride_set() const { return (vc_set{1} << stride()) - 1; }
  /// Mask of the bits of a VC index that give the VC.
  unsigned stride_mask() const { return stride() - 1; }

  vc_id first_vc_id(router_id r, unsigned port) const { return r << VcIndexBits | port << shift(); }
  static unsigned vc_in_region(vc_id id) { return id % RegionVcs; }
  unsigned port_in_region(vc_id id) const { return vc_in_region(id) >> shift(); }
  static unsigned router_in_region(vc_id id) { return vc_in_region(id) >> VcIndexBits; }

 private:
  unsigned m_stride_bits;
};

}  // namespace weft::engine
