// SPDX-License-Identifier: Apache-2.0
/// Enters the flits that are granted the switch into the meters of their channels. It exists if an observer needs the
/// activity of the network.
#pragma once

#include "weft/core/types.h"
#include "weft/engine/base/channel_meters.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/switch_stage.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class grant_meter {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using region_t = region<RouterVcs, Shift>;
  using view = typename head_fifos<RouterVcs, Shift>::view;

  grant_meter(const fabric_parameters& fabric, numbers number, view fifos, channel_meters& meters)
      : m_number(number), m_fifos(fifos), m_to_channel(1 + fabric.stages), m_meters(meters) {}

  /// Enters the flits of the VCs of \p region that were selected to send in cycle \p now. Nothing has moved yet.
  void note_grants(const region_t& region, const switch_stage<RouterVcs, Shift>& chosen, cycle_t now) {
    run_on_bits(m_vectors, [&](auto) {
      if (!region.is_dense) {
        for (const std::uint16_t in : chosen.winners()) enter(region, in, now);
        return;
      }
      for (unsigned i = 0; i < region.size; ++i)
        for_each_vc(chosen.dense_winners()[i],
                    [&](unsigned vc_index) { enter(region, i << numbers::VcIndexBits | vc_index, now); });
    });
  }

 private:
  /// Enters the flit that input VC \p in of the region sends.
  WEFT_INLINE void enter(const region_t& region, unsigned in, cycle_t now) {
    const unsigned i = in >> numbers::VcIndexBits, out = value(region.held[in].output);
    const packet_handle packet = m_fifos.last((region.first << numbers::VcIndexBits) + in).packet();
    m_meters.enter(m_meters.behind(region.first + i, out >> m_number.shift()), out & m_number.stride_mask(), packet,
                   region.flow.ending[i].contains(in & numbers::VcIndexMask), now + m_to_channel);
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const view m_fifos;
  const cycle_t m_to_channel;  ///< cycles from a grant to the flit's cycle on the channel
  channel_meters& m_meters;
};

}  // namespace weft::engine
