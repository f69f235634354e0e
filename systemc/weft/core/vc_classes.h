// SPDX-License-Identifier: Apache-2.0
/// VC classes: the VCs of every port are divided into blocks of equal size, one for each class of packets. A packet
/// uses only the block of its class from source to destination, so packets of one class never wait for those of
/// another.
#pragma once

#include <cstdint>

#include "weft/core/division.h"
#include "weft/core/parameters.h"
#include "weft/core/routing.h"
#include "weft/core/types.h"

namespace weft {

/// Number of VCs of a class; routing functions are built for this number.
constexpr unsigned vcs_of_class(const router_parameters& p) { return p.vcs / p.classes; }

/// The VCs of \p message_class, if each class has \p class_vcs VCs.
constexpr vc_set block_of_class(unsigned message_class, unsigned class_vcs) {
  return first_vcs(class_vcs) << message_class * class_vcs;
}

/// The VCs of all \p classes, a set of bits.
constexpr vc_set blocks_of_classes(std::uint32_t classes, unsigned class_vcs) {
  vc_set vcs = 0;
  for (unsigned c = 0; c < MaxVcs / class_vcs; ++c)
    if (classes >> c & 1) vcs |= block_of_class(c, class_vcs);
  return vcs;
}

/// The first VC of the block that contains \p vc.
constexpr unsigned first_of_block(unsigned vc, unsigned class_vcs) { return vc - modulo<4>(vc, class_vcs); }
static_assert(MaxVcs <= 16, "a quotient of a VC number has at most 4 bits");

/// The route \p r with all its VCs shifted up by \p first.
constexpr route in_block(route r, unsigned first) {
  r.vcs <<= first;
  r.choice_vcs <<= first;
  return r;
}

/// The route of a head in its own VC class. \p rule computes it as if this class were the only one.
template <typename Rule>
route route_in_class(const Rule& rule, route_query q, unsigned class_vcs) {
  const unsigned first = first_of_block(q.in_vc, class_vcs);
  q.in_vc -= first;
  const route r = rule.answer(q);
  return in_block(r, first);
}

}  // namespace weft
