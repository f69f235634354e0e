// SPDX-License-Identifier: Apache-2.0
#include "weft/core/routing.h"

namespace weft {

output_choice route_rule::choice() const {
  if (const auto* grid = as<grid_rule>())
    return {grid_rule::is_adaptive(grid->algorithm), false, 0, grid->selection, grid->congestion};
  if (const auto* tree = as<tree_rule>()) return {tree->up == ascent::LeastLoaded};
  if (const auto* cube = as<cube_rule>()) return {cube->adaptive};
  if (const auto* table = as<table_rule>()) return {table->adaptive()};
  if (const auto* detour = as<detour_rule>()) return {detour->selects, detour->selects, detour->threshold};
  return {};
}

}  // namespace weft
