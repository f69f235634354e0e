// SPDX-License-Identifier: Apache-2.0
/// Transfers the flits and credits that leave 64 busy routers, without processing them one by one.
///
/// In a regular network the channels at one port of many routers have the same displacement: they lead to the router
/// with a number higher by a constant, at a fixed port. They form a channel bundle: the sets of VCs that leave through
/// it are transferred as rotated words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/dense_switch.h"
#include "weft/engine/router/set_wheel.h"
#include "weft/engine/router/vc_flow_state.h"

namespace weft::engine {

/// The other ends of the channels of \p Ports ports.
template <unsigned Ports>
struct channel_ends {
  std::array<std::uint32_t, Ports> to{};      ///< VC 0 of that port, with the VCs of all routers numbered consecutively
  std::array<std::uint16_t, Ports> cycles{};  ///< cycles from the grant to the arrival; 0: there is no channel
};

/// The channels from the ports of 64 routers, or the credit channels back. A set of VCs is a word, as for dense_switch.
class channel_bundles {
 public:
  using set = router_vc_set<32>;
  using sets = router_vc_sets<32>;
  static constexpr unsigned PortBits = 3, Ports = RegionRouters << PortBits;
  static_assert(32 >> dense_switch::FieldBits == 1U << PortBits);
  using ends = channel_ends<Ports>;

  /// \param of  by port of the region; channels with too few of equal displacement are transferred VC by VC
  /// \param use vector size, which the machine must support. The result does not depend on it.
  channel_bundles(const ends& of, vectors use);

  /// Transfers all members of a set in \p leaving to the other ends of their channels, with their latency after \p now.
  /// \param members the set: `winners` or `sent`
  /// \param of      as above
  void carry(const departures<32>& leaving, const sets& members, const ends& of, set_wheel<32>& wheel,
             cycle_t now) const;

 private:
  static constexpr std::size_t Few = 4;      ///< up to this number, channels are faster one by one
  static constexpr unsigned BlockSets = 32;  ///< sets in a block: two cache lines

  /// The part of a channel bundle that arrives at the routers of one block.
  struct bundle {
    std::array<std::uint32_t, BlockSets> vcs{};  ///< VCs at the receivers
    std::ptrdiff_t senders;                      ///< number of the first sender in its region; it may be outside
    word_rotation rotation;                      ///< rotation of each word
  };
  /// Consecutive routers, the first at a multiple of BlockSets. All events for a block are combined before they are
  /// written, because it is slow to read a location soon after an overlapping write.
  struct block {
    std::size_t first;
    unsigned cycles;
    std::size_t end;  ///< end of its bundles, which begin where those of the previous block end
  };
  /// A region that receives events.
  struct receiving_region {
    std::size_t number;
    unsigned cycles;
  };

  /// Transfers the channels that are in no bundle.
  void carry_single(const sets& members, const ends& of, set_wheel<32>& wheel, cycle_t now) const;
  template <typename Words>
  void carry_bundles(const char* members, set_wheel<32>& wheel, cycle_t now) const;

  std::vector<block> m_blocks;
  large_array<bundle> m_bundles;
  sets m_single{};  ///< VCs of all other channels
  bool m_has_single = false;
  std::vector<receiving_region> m_receiving;
  vectors m_vectors;
};

}  // namespace weft::engine
