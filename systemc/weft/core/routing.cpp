#include "weft/core/routing.h"

namespace weft {

route dimension_order_rule::operator()(const route_query& q) const {
  for (unsigned i = 0; i < dimensions; ++i) {
    const unsigned d = order[i];
    const std::uint32_t there = q.destination / stride[d] % size[d];
    if (there != here[d]) return {static_cast<std::uint8_t>(2 * d + (there < here[d])), vcs};
  }
  return {static_cast<std::uint8_t>(2 * dimensions + q.in_port % local_ports), vcs};
}

}  // namespace weft
