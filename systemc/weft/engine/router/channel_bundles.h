// SPDX-License-Identifier: Apache-2.0
/// Transfers the flits and credits that leave the 64 routers of a region, without processing them one by one. This is
/// efficient if many routers send in a cycle.
///
/// In a regular network, the channels at one port of many routers have the same displacement: each leads to the same
/// port of a router whose number is larger by a constant. These channels form a channel bundle: the sets of VCs that
/// leave through them are transferred as rotated words.
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

/// The receiving ends of the channels at \p Ports ports.
template <unsigned Ports>
struct channel_ends {
  std::array<std::uint32_t, Ports> to{};      ///< VC 0 of the receiving port, where the VCs of all routers are numbered
                                              ///< consecutively
  std::array<std::uint16_t, Ports> cycles{};  ///< cycles from the grant to the arrival; 0: there is no channel
};

/// The channels that leave the ports of 64 routers, or the credit channels that lead back. A set of VCs is a word, as
/// in dense_switch.
class channel_bundles {
 public:
  using set = router_vc_set<32>;
  using sets = router_vc_sets<32>;
  static constexpr unsigned PortBits = 3, Ports = RegionRouters << PortBits;
  static_assert(32 >> dense_switch::FieldBits == 1U << PortBits);
  using ends = channel_ends<Ports>;

  /// \param of  receiving ends of the channels, by port of the region; if too few channels have the same displacement,
  ///        they are transferred VC by VC
  /// \param use vector size, which the machine must support; the result does not depend on it
  channel_bundles(const ends& of, vectors use);

  /// Transfers all members of a set in \p leaving to the receiving ends of their channels. They arrive after the
  /// latency of their channel, counted from cycle \p now.
  /// \param members the set: `winners` or `sent` of \p leaving
  /// \param of      receiving ends, as in the constructor
  void carry(const departures<32>& leaving, const sets& members, const ends& of, set_wheel<32>& wheel,
             cycle_t now) const;

 private:
  static constexpr std::size_t Few = 4;      ///< up to this number of channels, it is faster to transfer them one by
                                             ///< one
  static constexpr unsigned BlockSets = 32;  ///< number of sets in a block, which is two cache lines

  /// The part of a channel bundle that arrives at the routers of one block
  struct bundle {
    std::array<std::uint32_t, BlockSets> vcs{};  ///< VCs at the receiving ends
    std::ptrdiff_t senders;                      ///< number of the first sender in its region; it may be outside the
                                                 ///< region
    word_rotation rotation;                      ///< rotation of each word
  };
  /// A number of consecutive routers. The number of the first one is a multiple of BlockSets. All events for a block
  /// are combined before they are written, because a read soon after an overlapping write is slow.
  struct block {
    std::size_t first;
    unsigned cycles;
    std::size_t end;  ///< end of its bundles, which begin at the end of the previous block's bundles
  };
  /// A region that receives events from this one.
  struct receiving_region {
    std::size_t number;
    unsigned cycles;
  };

  /// Transfers the members whose channels are in no bundle.
  void carry_single(const sets& members, const ends& of, set_wheel<32>& wheel, cycle_t now) const;
  template <typename Words>
  void carry_bundles(const char* members, set_wheel<32>& wheel, cycle_t now) const;

  std::vector<block> m_blocks;
  large_array<bundle> m_bundles;
  sets m_single{};  ///< VCs of the channels that are in no bundle
  bool m_has_single = false;
  std::vector<receiving_region> m_receiving;
  vectors m_vectors;
};

}  // namespace weft::engine
