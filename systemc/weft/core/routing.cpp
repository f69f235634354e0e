#include "weft/core/routing.h"

namespace weft {

std::array<std::uint32_t, dimension_order_rule::MaxDimensions> dimension_order_rule::coordinates_of(
    node_id node) const {
  std::array<std::uint32_t, MaxDimensions> there{};
  for (unsigned d = 0; d < dimensions; ++d) there[d] = node / stride[d] % size[d];
  return there;
}

}  // namespace weft
