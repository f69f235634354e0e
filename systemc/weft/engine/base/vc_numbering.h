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

/// The number of a VC in the network: the number of its router times RouterVcs, plus its VC index in this router. The
/// routers are padded to whole regions. The ids of NICs follow and are as many: the NIC at a port of router r has the
/// number that this port would have in router r + first_nic.
using vc_id = std::uint32_t;

/// A byte type that is not a character type. Compilers assume that a write through a character type can change any
/// object.
enum class byte : std::uint8_t {};
constexpr byte to_byte(unsigned number) { return static_cast<byte>(number); }
constexpr unsigned value(byte b) { return static_cast<unsigned>(b); }
constexpr unsigned value(std::uint16_t number) { return number; }

/// For a VC index, the output VC that the input VC holds, and the input VC that holds the output VC.
struct vc_ownership {
  byte output;  ///< output VC that this input VC holds, or held last
  byte holder;  ///< input VC that holds this output VC, or held it last
};

/// The minimum number of bits that represent the numbers from 0 to \p n - 1.
constexpr unsigned bits_for(unsigned n) {
  unsigned bits = 0;
  while (1U << bits < n) ++bits;
  return bits;
}

/// \tparam RouterVcs maximum number of VC indices of a router, including those that the stride leaves unused: 32, 64 or
///         256
/// \tparam Shift     a port has 1 << Shift VC indices; negative if this is not known at compile time
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

  /// The number of a slot of a FIFO. If a port has four VCs, a FIFO has at most 128 flits, so one byte suffices.
  using slot_index = std::conditional_t<Shift == 2, byte, std::uint16_t>;
  static_assert(MaxBufferFlits <= 512);

  explicit vc_numbering(unsigned vcs) : m_stride_bits(bits_for(vcs)) {}

  /// The binary logarithm of the number of VC indices of a port.
  unsigned shift() const { return Shift >= 0 ? static_cast<unsigned>(Shift) : m_stride_bits; }
  /// Number of VC indices of a port.
  unsigned stride() const { return 1U << shift(); }
  /// The set of all VC indices of a port, including indices that do not exist.
  vc_set stride_set() const { return (vc_set{1} << stride()) - 1; }
  /// Mask of those bits of a VC index that contain the VC.
  unsigned stride_mask() const { return stride() - 1; }

  vc_id first_vc_id(router_id r, unsigned port) const { return r << VcIndexBits | port << shift(); }
  static unsigned vc_in_region(vc_id id) { return id % RegionVcs; }
  unsigned port_in_region(vc_id id) const { return vc_in_region(id) >> shift(); }
  static unsigned router_in_region(vc_id id) { return vc_in_region(id) >> VcIndexBits; }

 private:
  unsigned m_stride_bits;
};

}  // namespace weft::engine
