/// What files call the algorithms of routing functions.
#pragma once

namespace weft {

/// By grid_algorithm.
inline constexpr const char* GridAlgorithmNames[] = {
    "dimension_order", "o1turn", "valiant", "minimal_adaptive", "west_first", "north_last", "negative_first"};
/// By ascent.
inline constexpr const char* AscentNames[] = {"destination_modulo", "random", "least_loaded"};

}  // namespace weft
