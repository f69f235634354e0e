// SPDX-License-Identifier: Apache-2.0
/// A valid schedule for any problem, seldom a short one.
#pragma once

#include <cstddef>
#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// Sends every message directly from its origin on the first shortest path, in the first step with free channels.
inline step_schedule sent_straight(const problem& p) {
  const std::vector<step_channel>& channels = p.network.channels();
  step_schedule made;
  std::vector<std::vector<unsigned>> used;  // for each step and channel, the number of transfers
  for (const demand& d : demands_of(p.requested)) {
    const channel_path path = find_paths(p.network, d.what.origin, d.receiver, 0, 1).front();
    const auto has_room = [&](std::size_t s) {
      for (const channel_id c : path)
        if (used[s][c] == channels[c].capacity) return false;
      return true;
    };
    std::size_t s = 0;
    while (s < used.size() && !has_room(s)) ++s;
    if (s == used.size()) {
      used.emplace_back(channels.size(), 0U);
      made.steps.emplace_back();
    }
    for (const channel_id c : path) ++used[s][c];
    made.steps[s].push_back({d.what.origin, d.receiver, {d.what}, path});
  }
  return made;
}

}  // namespace weft::schedule
