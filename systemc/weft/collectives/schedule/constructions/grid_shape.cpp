// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/grid_shape.h"

#include <algorithm>

namespace weft::schedule {

std::optional<grid_shape> grid_shape::of(const step_network& network) {
  if (network.nodes() != network.routers() || network.nodes() < 2) return std::nullopt;
  for (node_id n = 0; n < network.nodes(); ++n) {
    if (network.out(n).size() != 1 || network.channels()[network.out(n).front()].to != network.router(n)) {
      return std::nullopt;
    }
  }
  grid_shape shape(network);
  if (!shape.read()) return std::nullopt;
  return shape;
}

std::optional<channel_id> grid_shape::link(std::uint32_t from, std::uint32_t to) const {
  for (const channel_id c : m_network->out(m_network->router(from))) {
    if (m_network->channels()[c].to == m_network->router(to)) return c;
  }
  return std::nullopt;
}

bool grid_shape::read() {
  const auto count = static_cast<std::uint32_t>(m_network->nodes());
  std::size_t links = 0;
  for (std::uint32_t stride = 1; stride < count;) {
    side s{line_kind::Line, 1, stride};
    while (s.length * stride < count && link((s.length - 1) * stride, s.length * stride)) ++s.length;
    if (s.length == 1 || count % (s.length * stride) != 0) return false;
    const bool back = link(stride, 0).has_value();
    if (s.length > 2 && link((s.length - 1) * stride, 0)) s.kind = back ? line_kind::Ring : line_kind::OneWayRing;
    m_up.emplace_back(count, 0);
    m_down.emplace_back(count, 0);
    for (std::uint32_t r = 0; r < count; ++r) {
      const std::uint32_t at = r / stride % s.length;
      const std::uint32_t next = at + 1 < s.length ? r + stride : r - at * stride;
      if (next < r && s.kind == line_kind::Line) continue;
      const auto up = link(r, next), down = link(next, r);
      if (!up || (s.kind != line_kind::OneWayRing && !down)) return false;
      m_up.back()[r] = *up;
      if (down) m_down.back()[next] = *down;
      links += s.kind == line_kind::OneWayRing ? 1 : 2;
    }
    m_sides.push_back(s);
    stride *= s.length;
  }
  const auto& channels = m_network->channels();
  return static_cast<std::ptrdiff_t>(links) ==
         std::count_if(channels.begin(), channels.end(),
                       [](const step_channel& c) { return c.kind == channel_kind::Link; });
}

channel_path grid_shape::path(node_id from, node_id to, const std::vector<line_move>& moves) const {
  channel_path path{m_network->out(from).front()};
  std::uint32_t at = from;
  for (std::size_t d = 0; d < m_sides.size(); ++d) {
    const side& s = m_sides[d];
    for (std::uint32_t position = moves[d].from; position != moves[d].to;) {
      path.push_back(moves[d].up ? m_up[d][at] : m_down[d][at]);
      const std::uint32_t next = (position + (moves[d].up ? 1 : s.length - 1)) % s.length;
      at = at - position * s.stride + next * s.stride;
      position = next;
    }
  }
  path.push_back(m_network->in(to).front());
  return path;
}

}  // namespace weft::schedule
