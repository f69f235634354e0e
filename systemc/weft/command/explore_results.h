// SPDX-License-Identifier: Apache-2.0
/// Writes the results of a search over designs as tables, text, JSON and a picture.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/explore/exploration.h"
#include "weft/explore/front.h"

namespace weft::experiment {

/// A search and its result.
struct explored_space {
  const configuration& base;
  const design_space& space;
  const search_goals& goals;
  const search_limits& limits;
  const exploration& search;
  bool is_interrupted = false;
};

/// A CSV table with a row for each design that the search proposed.
std::string explore_csv(const explored_space& e);

/// The front, the settings of the search, and how many designs it proposed, excluded and simulated. `others` has the
/// objectives of the measured designs that are not on the front.
/// \param why the answer of why_json(), or null
json explore_json(const explored_space& e, const json& why);

/// The front as a table for the terminal, followed by what the search did.
std::string explore_table(const explored_space& e);

/// Why \p design is not on the front: the constraint that it violates, or the members that dominate it and by how much.
std::string why_text(const explored_space& e, const explored_design& design);
json why_json(const explored_space& e, const explored_design& design);

}  // namespace weft::experiment
