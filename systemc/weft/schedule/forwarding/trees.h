// SPDX-License-Identifier: Apache-2.0
/// Spanning trees for long messages: the best throughput of an allgather or a broadcast, and trees that reach it
/// (Edmonds 1973; as ForestColl does, Zhao and others 2024).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/forwarding/routes.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

/// A number of rounds, in lowest terms.
struct round_ratio {
  std::int64_t rounds = 0;
  std::int64_t per = 1;
  std::size_t rounded_up() const { return static_cast<std::size_t>((rounds + per - 1) / per); }
  friend bool operator==(const round_ratio& a, const round_ratio& b) { return a.rounds == b.rounds && a.per == b.per; }
};

/// Why tree_throughput() and packed_trees() do not fit: all chunks must go to all nodes, each from one, and links
/// share no limit. Empty if they fit.
std::string trees_unfit(const forwarding_problem& p);

/// The least time for all chunks if they could be divided at will: the greatest over all sets of nodes of the chunks
/// that start in it over the bandwidth that leads out of it. By least cuts (Newton's method on the ratio), exact.
/// \throws time_is_over
round_ratio tree_throughput(const forwarding_problem& p, const search_control& control = {});

/// A spanning tree for each chunk from its holder, such that no link is in more than \p rounds times its bandwidth of
/// them. There are such trees if, and only if, \p rounds is tree_throughput() at least. Short ones are tried first.
/// \throws std::invalid_argument for less, time_is_over
std::vector<chunk_route> packed_trees(const forwarding_problem& p, std::size_t rounds,
                                      const search_control& control = {});

}  // namespace weft::schedule
