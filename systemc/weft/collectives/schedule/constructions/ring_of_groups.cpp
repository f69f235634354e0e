// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/ring_of_groups.h"

#include <algorithm>
#include <map>

#include "weft/collectives/schedule/constructions/line_patterns.h"
#include "weft/collectives/schedule/constructions/random_order.h"
#include "weft/collectives/schedule/constructions/residual_capacity.h"

namespace weft::schedule {
namespace {

/// Groups of consecutive nodes. One router of each group, its gate, connects the group to a ring with links in both
/// directions.
struct group_ring {
  std::uint32_t groups = 0;
  std::uint32_t size = 0;            ///< nodes per group
  std::vector<node_id> gate;         ///< for each group, a node at its gate
  std::vector<channel_id> up, down;  ///< for each group, the channel to the next group, and to the previous one
};

/// The router of each node; empty if a node is not attached to exactly one router.
std::vector<vertex_id> routers_of(const step_network& network) {
  std::vector<vertex_id> at;
  for (node_id n = 0; n < network.nodes(); ++n) {
    if (network.out(n).size() != 1) return {};
    const vertex_id to = network.channels()[network.out(n).front()].to;
    if (to >= network.nodes() + network.routers()) return {};
    at.push_back(to);
  }
  return at;
}

std::optional<group_ring> with_groups(const step_network& network, const std::vector<vertex_id>& at,
                                      std::uint32_t groups) {
  const auto size = static_cast<std::uint32_t>(network.nodes() / groups);
  constexpr std::uint32_t Nothing = ~std::uint32_t{0};
  std::vector<std::uint32_t> group_of(network.vertices(), Nothing);
  std::map<vertex_id, node_id> node_at;
  for (node_id n = 0; n < network.nodes(); ++n) {
    if (group_of[at[n]] != Nothing && group_of[at[n]] != n / size) return std::nullopt;
    group_of[at[n]] = n / size;
    node_at.emplace(at[n], n);
  }
  group_ring found{groups, size, std::vector<node_id>(groups, Nothing), std::vector<channel_id>(groups, Nothing),
                   std::vector<channel_id>(groups, Nothing)};
  for (channel_id c = 0; c < network.channels().size(); ++c) {
    const step_channel& link = network.channels()[c];
    if (link.kind != channel_kind::Link) continue;
    const std::uint32_t from = group_of[link.from], to = group_of[link.to];
    if (from == Nothing || to == Nothing) return std::nullopt;
    if (from == to) continue;
    const bool up = to == (from + 1) % groups;
    if (!up && from != (to + 1) % groups) return std::nullopt;
    channel_id& here = (up ? found.up : found.down)[from];
    if (here != Nothing) return std::nullopt;
    here = c;
    for (const vertex_id end : {link.from, link.to}) {
      node_id& gate = found.gate[group_of[end]];
      if (gate != Nothing && gate != node_at[end]) return std::nullopt;
      gate = node_at[end];
    }
  }
  const auto whole = [&](const std::vector<channel_id>& list) {
    return std::find(list.begin(), list.end(), Nothing) == list.end();
  };
  if (!whole(found.up) || !whole(found.down)) return std::nullopt;
  return found;
}

std::optional<group_ring> find_groups(const step_network& network) {
  const std::vector<vertex_id> at = routers_of(network);
  const auto nodes = static_cast<std::uint32_t>(network.nodes());
  for (std::uint32_t groups = 3; !at.empty() && groups * 2 <= nodes; ++groups) {
    if (nodes % groups != 0) continue;
    if (auto found = with_groups(network, at, groups)) return found;
  }
  return std::nullopt;
}

/// For all groups, the paths from their nodes to the gate and back, except for the node at the gate. For each position
/// in a group, also a partner position that can send and receive at the same time.
class partners {
 public:
  partners(const step_network& network, const group_ring& ring) : m_ring(ring) {
    for (node_id n = 0; n < network.nodes(); ++n) {
      const node_id gate = ring.gate[n / ring.size];
      m_out.push_back(ways(network, n, gate, true));
      m_in.push_back(ways(network, gate, n, false));
    }
  }

  /// Finds partners for all positions by a perfect matching of compatible positions; returns whether there is one.
  bool match() {
    const std::uint32_t size = m_ring.size;
    m_suits.assign(size, {});
    for (std::uint32_t a = 0; a < size; ++a) {
      for (std::uint32_t b = 0; b < size; ++b) {
        if (a != b && pair_of(m_out, a, b) && pair_of(m_in, a, b)) m_suits[a].push_back(b);
      }
    }
    m_taken_by.assign(size, size);
    for (std::uint32_t a = 0; a < size; ++a) {
      m_tried.assign(size, false);
      if (!augment(a)) return false;
    }
    m_partner.assign(size, 0);
    for (std::uint32_t b = 0; b < size; ++b) m_partner[m_taken_by[b]] = b;
    return true;
  }

  std::uint32_t partner(std::uint32_t position) const { return m_partner[position]; }

  /// Returns the paths of position \p a and of its partner in a group, leading out of the group or into it.
  std::pair<const channel_path*, const channel_path*> both(bool out, std::uint32_t group, std::uint32_t a) const {
    const auto& ways = out ? m_out : m_in;
    const auto [i, j] = *pair_of(ways, a, m_partner[a]);
    return {&ways[group * m_ring.size + a][i], &ways[group * m_ring.size + m_partner[a]][j]};
  }

 private:
  using way_list = std::vector<std::vector<channel_path>>;  // by node

  static std::vector<channel_path> ways(const step_network& network, node_id from, node_id to, bool out) {
    constexpr std::size_t Most = 4;
    std::vector<channel_path> found;
    if (from == to) return {{out ? network.out(from).front() : network.in(to).front()}};
    for (channel_path& path : find_paths(network, from, to, 0, Most)) {
      path.erase(out ? path.end() - 1 : path.begin());
      found.push_back(std::move(path));
    }
    return found;
  }

  /// Returns paths of two positions that are disjoint in all groups.
  std::optional<std::pair<std::size_t, std::size_t>> pair_of(const way_list& of, std::uint32_t a,
                                                             std::uint32_t b) const {
    for (std::size_t i = 0; i < of[a].size(); ++i) {
      for (std::size_t j = 0; j < of[b].size(); ++j) {
        bool disjoint = true;
        for (std::uint32_t g = 0; g < m_ring.groups && disjoint; ++g) {
          const auto& first = of[g * m_ring.size + a];
          const auto& second = of[g * m_ring.size + b];
          disjoint = i < first.size() && j < second.size() &&
                     std::find_first_of(first[i].begin(), first[i].end(), second[j].begin(), second[j].end()) ==
                         first[i].end();
        }
        if (disjoint) return std::make_pair(i, j);
      }
    }
    return std::nullopt;
  }

  bool augment(std::uint32_t a) {
    for (const std::uint32_t b : m_suits[a]) {
      if (m_tried[b]) continue;
      m_tried[b] = true;
      if (m_taken_by[b] != m_ring.size && !augment(m_taken_by[b])) continue;
      m_taken_by[b] = a;
      return true;
    }
    return false;
  }

  const group_ring& m_ring;
  way_list m_out, m_in;
  std::vector<std::vector<std::uint32_t>> m_suits;
  std::vector<std::uint32_t> m_taken_by, m_partner;
  std::vector<bool> m_tried;
};

/// A phase: upward and downward moves that the ring of gates carries at the same time, with each channel used once.
struct phase {
  std::vector<line_move> up, down;
};

std::vector<phase> phases_of(std::uint32_t groups) {
  std::vector<std::vector<line_move>> up, down;
  for (const line_class& set : line_classes(line_kind::Ring, groups)) {
    for (const line_part& part : set) {
      std::vector<line_move> ups, downs;
      for (const line_piece& piece : part) {
        for (const line_move& move : piece) {
          if (move.from != move.to) (move.up ? ups : downs).push_back(move);
        }
      }
      if (!ups.empty()) up.push_back(std::move(ups));
      if (!downs.empty()) down.push_back(std::move(downs));
    }
  }
  std::vector<phase> phases(std::max(up.size(), down.size()));
  for (std::size_t i = 0; i < up.size(); ++i) phases[i].up = std::move(up[i]);
  for (std::size_t i = 0; i < down.size(); ++i) phases[i].down = std::move(down[i]);
  return phases;
}

class ring_exchange {
 public:
  ring_exchange(const problem& p, const group_ring& ring, const partners& pairs, random_order order)
      : m_p(p), m_ring(ring), m_pairs(pairs), m_paths(p.network, p.paths), m_within(ring.groups) {
    for (std::uint32_t g = 0; g < ring.groups; ++g) {
      for (std::uint32_t a = 0; a < ring.size; ++a) {
        for (std::uint32_t b = 0; b < ring.size; ++b) {
          if (a != b) m_within[g].emplace_back(g * ring.size + a, g * ring.size + b);
        }
      }
      order.shuffle(m_within[g]);
    }
  }

  /// Runs each phase with each pair of positions as sender and receiver of the upward messages, and with their partners
  /// for the downward messages. Messages within groups use the residual capacity.
  step_schedule run(const search_control& control) {
    step_schedule found;
    for (const phase& ph : phases_of(m_ring.groups)) {
      for (std::uint32_t a = 0; a < m_ring.size; ++a) {
        for (std::uint32_t b = 0; b < m_ring.size; ++b) {
          step made;
          for (const line_move& move : ph.up) made.push_back(across(move, a, b));
          for (const line_move& move : ph.down) made.push_back(across(move, a, b));
          fill(made);
          found.steps.push_back(std::move(made));
        }
      }
    }
    while (!control.over()) {
      step made;
      fill(made);
      if (made.empty()) break;
      found.steps.push_back(std::move(made));
    }
    return found;
  }

 private:
  transfer across(const line_move& move, std::uint32_t a, std::uint32_t b) const {
    const auto [out, other_out] = m_pairs.both(true, move.from, a);
    const auto [in, other_in] = m_pairs.both(false, move.to, b);
    channel_path path = move.up ? *out : *other_out;
    for (std::uint32_t g = move.from; g != move.to;) {
      path.push_back(move.up ? m_ring.up[g] : m_ring.down[g]);
      g = (g + (move.up ? 1 : m_ring.groups - 1)) % m_ring.groups;
    }
    const channel_path& last = move.up ? *in : *other_in;
    path.insert(path.end(), last.begin(), last.end());
    const node_id from = move.from * m_ring.size + (move.up ? a : m_pairs.partner(a));
    const node_id to = move.to * m_ring.size + (move.up ? b : m_pairs.partner(b));
    return {from, to, {{from, to}}, std::move(path)};
  }

  void fill(step& made) {
    constexpr std::size_t Tries = 16;
    residual_capacity capacity(m_p.network);
    for (const transfer& t : made) capacity.reserve(t.path);
    for (auto& waiting : m_within) {
      for (std::size_t i = waiting.size(), tries = 0; i > 0 && tries < Tries; --i) {
        const auto [from, to] = waiting[i - 1];
        if (!capacity.sends(from) || !capacity.receives(to)) continue;
        ++tries;
        channel_path path = m_paths.find(capacity, from, to);
        if (path.empty()) continue;
        capacity.reserve(path);
        made.push_back({from, to, {{from, to}}, std::move(path)});
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i - 1));
      }
    }
  }

  const problem& m_p;
  const group_ring& m_ring;
  const partners& m_pairs;
  path_search m_paths;
  std::vector<std::vector<std::pair<node_id, node_id>>> m_within;  // by group
};

std::string why_not_ring_of_groups(const problem& p) {
  const std::size_t nodes = p.network.nodes();
  if (p.requested.what != operation::Scatter || p.requested.senders.size() != nodes ||
      p.requested.receivers.size() != nodes) {
    return "it is for a scatter from all to all";
  }
  const auto ring = find_groups(p.network);
  if (!ring) return "the network is not a two-way ring of three or more groups of consecutive nodes, one gate each";
  if (!partners(p.network, *ring).match()) return "two nodes of a group cannot send at the same time";
  return {};
}

search_result run_ring_of_groups(const problem& p, const search_control& control) {
  const group_ring ring = *find_groups(p.network);
  partners pairs(p.network, ring);
  pairs.match();
  step_schedule found = ring_exchange(p, ring, pairs, random_order(control.seed, 0)).run(control);
  if (control.over()) return {};
  return {std::move(found), 0, {}};
}

}  // namespace

const method& ring_of_groups() {
  static const method m{"ring_of_groups",
                        "all-to-all scatter on hierarchical rings: a ring's pattern between groups, for each pair of "
                        "positions in them",
                        method::kind::Construction, why_not_ring_of_groups, run_ring_of_groups};
  return m;
}

}  // namespace weft::schedule
