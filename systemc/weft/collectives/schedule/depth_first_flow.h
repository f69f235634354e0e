// SPDX-License-Identifier: Apache-2.0
/// The depth-first part of Dinic's algorithm, without recursion because a path may have as many vertices as the
/// network.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace weft::schedule {

/// Sends up to \p most units of flow from \p from to the ends; each vertex forwards along its arcs in order. Returns
/// the flow sent. A \p Graph provides
///   bool ends(v);              // whether flow ends at v
///   bool follows(v);           // whether v has an admissible arc left; the current arc of v is then the first of them
///   std::size_t head();        // of the arc that follows() found
///   Flow room();               // residual capacity of that arc
///   void carry(v, Flow more);  // adds flow to the current arc of v
///   void skip(v);              // advances v to its next arc
template <class Flow, class Graph>
Flow send_depth_first(Graph&& graph, std::size_t from, Flow most) {
  struct visit {
    std::size_t at;
    Flow most, sent;
  };
  std::vector<visit> path{{from, most, 0}};
  while (true) {
    visit& here = path.back();
    Flow through = here.sent;
    if (graph.ends(here.at)) {
      through = here.most;
    } else if (here.sent != here.most && graph.follows(here.at)) {
      path.push_back({graph.head(), std::min<Flow>(here.most - here.sent, graph.room()), 0});
      continue;
    }
    path.pop_back();
    if (path.empty()) return through;
    visit& before = path.back();
    graph.carry(before.at, through);
    before.sent += through;
    if (before.sent != before.most) graph.skip(before.at);
  }
}

}  // namespace weft::schedule
