// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/edge_colouring.h"

#include <algorithm>

namespace weft::schedule {
namespace {

constexpr std::uint32_t NoEdge = ~std::uint32_t{0};

}  // namespace

std::vector<std::uint32_t> edge_colouring(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                                          std::uint32_t colours) {
  std::uint32_t left = 0, right = 0;
  for (const auto& [a, b] : edges) {
    left = std::max(left, a + 1);
    right = std::max(right, b + 1);
  }
  // The edge by vertex, left vertices first, and color.
  std::vector<std::uint32_t> edge_of(std::size_t{left + right} * colours, NoEdge);
  const auto at = [&](std::uint32_t v, std::uint32_t colour) -> std::uint32_t& {
    return edge_of[std::size_t{v} * colours + colour];
  };
  const auto first_free = [&](std::uint32_t v) {
    std::uint32_t colour = 0;
    while (at(v, colour) != NoEdge) ++colour;
    return colour;
  };
  std::vector<std::uint32_t> colour_of(edges.size(), NoEdge);
  std::vector<std::uint32_t> chain;
  for (std::uint32_t e = 0; e < edges.size(); ++e) {
    const std::uint32_t a = edges[e].first, b = left + edges[e].second;
    const std::uint32_t free_a = first_free(a), free_b = first_free(b);
    if (at(b, free_a) != NoEdge) {
      // Exchanges the two colors along the alternating path that starts at b; the path does not reach a.
      chain.clear();
      std::uint32_t v = b, colour = free_a;
      for (std::uint32_t next = at(v, colour); next != NoEdge; next = at(v, colour)) {
        chain.push_back(next);
        v = v == edges[next].first ? left + edges[next].second : edges[next].first;
        colour = colour == free_a ? free_b : free_a;
      }
      for (const std::uint32_t c : chain) {
        at(edges[c].first, colour_of[c]) = NoEdge;
        at(left + edges[c].second, colour_of[c]) = NoEdge;
      }
      for (const std::uint32_t c : chain) {
        colour_of[c] = colour_of[c] == free_a ? free_b : free_a;
        at(edges[c].first, colour_of[c]) = c;
        at(left + edges[c].second, colour_of[c]) = c;
      }
    }
    colour_of[e] = free_a;
    at(a, free_a) = at(b, free_a) = e;
  }
  return colour_of;
}

}  // namespace weft::schedule
