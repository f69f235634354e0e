// SPDX-License-Identifier: Apache-2.0
/// VC classes: the VCs of every port, divided into blocks of the same size, one for each class of packets. A packet
/// keeps to the block of its class from source to destination, so packets of one class never wait for those of another.
#pragma once

#include "weft/core/division.h"
#include "weft/core/parameters.h"
#include "weft/core/routing.h"
#include "weft/core/types.h"

namespace weft {

/// VCs of a class: those that routing functions are made for.
constexpr unsigned vcs_of_class(const router_parameters& p) { return p.vcs / p.classes; }

/// The VCs of \p message_class, where each class has \p class_vcs.
constexpr vc_set block_of_class(unsigned message_class, unsigned class_vcs) {
  return first_vcs(class_vcs) << message_class * class_vcs;
}

/// The first VC of the block in which \p vc is.
constexpr unsigned first_of_block(unsigned vc, unsigned class_vcs) { return vc - rest<4>(vc, class_vcs); }
static_assert(MaxVcs <= 16, "a VC divided by VCs of a class must have 4 bits");

/// \p r with VCs that count from \p first on.
constexpr route in_block(route r, unsigned first) {
  r.vcs <<= first;
  r.choice_vcs <<= first;
  return r;
}

/// The route of a head by \p rule, of one kind or any, which knows of the VCs of one class only.
template <typename Rule>
route route_in_class(const Rule& rule, route_query q, unsigned class_vcs) {
  const unsigned first = first_of_block(q.in_vc, class_vcs);
  q.in_vc -= first;
  const route r = rule.answer(q);
  return in_block(r, first);
}

}  // namespace weft
