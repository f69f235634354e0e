// SPDX-License-Identifier: Apache-2.0
/// How what leaves 64 busy routers gets where it is bound for, without looking at it one by one.
///
/// In a regular network the channels at one port of many routers lead as far as each other: to the router so many
/// numbers on, at the same port there. They are a cable: what goes through it goes together, as words that are turned.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/dense_switch.h"
#include "weft/engine/router/lane_flow.h"
#include "weft/engine/router/set_wheel.h"

namespace weft::engine {

/// What stands at the other end of the channel of each of so many ports.
template <unsigned Ports>
struct channel_ends {
  std::array<std::uint32_t, Ports> to{};  ///< the first lane of that port, the lanes of all routers numbered through
  std::array<std::uint16_t, Ports> cycles{};  ///< from the grant to the arrival; 0: there is no channel
};

/// The channels from the ports of 64 routers, or back from them. A set of lanes is a word, as for dense_switch.
class cables {
 public:
  using set = lane_set<32>;
  using sets = lane_sets<32>;
  static constexpr unsigned PortBits = 3, Ports = RegionRouters << PortBits;
  static_assert(32 >> dense_switch::FieldBits == 1U << PortBits);
  using ends = channel_ends<Ports>;

  /// \param of  by port of the region; channels with too few like them are carried lane by lane
  /// \param use these vectors; the machine must have them. All do the same
  cables(const ends& of, vectors use);

  /// All members of a set in \p leaving arrive where their channels lead to, in their time after \p now.
  /// \param members that set: `winners` or `sent`
  /// \param of      as above
  void carry(const departures<32>& leaving, const sets& members, const ends& of, set_wheel<32>& wheel,
             cycle_t now) const;

 private:
  static constexpr std::size_t Few = 4;      ///< as many channels cost less one by one
  static constexpr unsigned BlockSets = 32;  ///< two cache lines of them

  /// Of a cable, what arrives at the routers of a block.
  struct strand {
    std::array<std::uint32_t, BlockSets> lanes{};  ///< there
    std::ptrdiff_t senders;                        ///< number of the first in their region; there may be none with it
    word_turn turn;                                ///< of a word
  };
  /// Routers that follow on each other, of which the first has a number that is a multiple of so many. Everything for
  /// them is put together before it is written: to read what has just been written a little beside takes long.
  struct block {
    std::size_t first;
    unsigned cycles;
    std::size_t end;  ///< of its strands; they begin where those of the block before end
  };
  /// A region with receivers.
  struct receiving_region {
    std::size_t number;
    unsigned cycles;
  };

  /// Those whose channels are in no cable.
  void carry_single(const sets& members, const ends& of, set_wheel<32>& wheel, cycle_t now) const;
  template <typename Words>
  void carry_strands(const char* members, set_wheel<32>& wheel, cycle_t now) const;

  std::vector<block> m_blocks;
  large_array<strand> m_strands;
  sets m_single{};  ///< lanes of all other channels
  bool m_has_single = false;
  std::vector<receiving_region> m_receiving;
  vectors m_vectors;
};

}  // namespace weft::engine
