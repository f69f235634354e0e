// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/combining_halving.h"

#include <algorithm>

#include "weft/collectives/schedule/papers_numbers.h"
#include "weft/collectives/schedule/time.h"
#include "weft/core/random.h"

namespace weft::schedule {
namespace {

/// Number of choices of new sources that each round tries, and number of starts of the whole search.
constexpr std::size_t MostChoices = 40, MostStarts = 24;

/// Performs the rounds of halving one after the other.
class halver {
 public:
  halver(const problem& p, round_router& router, const std::vector<node_id>& nodes, std::size_t ways,
         std::uint64_t seed)
      : m_p(p),
        m_router(router),
        m_nodes(nodes),
        m_ways(ways),
        m_random_first(seed > 0),
        m_random(seed, 0, stream_purpose::Schedule) {}

  std::vector<halving_round> run(std::vector<halving_part> parts) {
    std::vector<halving_round> rounds;
    for (;;) {
      cut(parts);
      if (m_open.empty()) return rounds;
      halving_round best;
      std::size_t least = 0;
      for (std::size_t choice = 0; choice < MostChoices; ++choice) {
        halving_round round = choose(m_random_first || choice > 0);
        const std::size_t steps = m_router.route(round.pairs).steps;
        if (choice == 0 || steps < least) {
          best = std::move(round);
          least = steps;
        }
        if (least == 1) break;
      }
      parts = m_kept;
      parts.insert(parts.end(), best.parts.begin(), best.parts.end());
      rounds.push_back(std::move(best));
    }
  }

 private:
  /// A part that needs a source, and the node that will send to it.
  struct open_part {
    std::size_t first, last, sender;
  };

  /// The sender keeps the largest part.
  void cut(const std::vector<halving_part>& parts) {
    m_kept.clear();
    m_open.clear();
    for (const halving_part& part : parts) {
      const std::size_t size = part.last - part.first, ways = std::min(m_ways, size);
      const std::size_t larger = ceil_div(size, ways);
      // The part of the source has `larger` nodes; its position follows from the parts before it.
      std::size_t kept = part.first + (part.source - part.first) / larger * larger;
      kept = std::min(kept, part.last - larger);
      m_kept.push_back({kept, kept + larger, part.source});
      const std::size_t left = ceil_div(kept - part.first, larger);
      divide(part.first, kept, left, part.source);
      divide(kept + larger, part.last, ways - 1 - left, part.source);
    }
  }

  void divide(std::size_t first, std::size_t last, std::size_t parts, std::size_t sender) {
    for (; parts > 0 && first < last; --parts) {
      const std::size_t size = ceil_div(last - first, parts);
      m_open.push_back({first, first + size, sender});
      first += size;
    }
  }

  halving_round choose(bool at_random) {
    halving_round round;
    for (const open_part& part : m_open) {
      std::size_t source = nearest(part);
      if (at_random) source = part.first + m_random.below(static_cast<std::uint32_t>(part.last - part.first));
      round.pairs.emplace_back(m_nodes[part.sender], m_nodes[source]);
      round.parts.push_back({part.first, part.last, source});
    }
    return round;
  }

  std::size_t nearest(const open_part& part) {
    std::size_t best = part.first;
    std::uint32_t least = distance(part.sender, best);
    for (std::size_t i = part.first + 1; i < part.last; ++i) {
      const std::uint32_t d = distance(part.sender, i);
      if (d < least) best = i;
      least = std::min(least, d);
    }
    return best;
  }

  std::uint32_t distance(std::size_t from, std::size_t to) {
    std::vector<std::uint32_t>& all = m_distances[m_nodes[to]];
    if (all.empty()) all = distances_to(m_p.network, m_nodes[to]);
    return all[m_nodes[from]];
  }

  const problem& m_p;
  round_router& m_router;
  const std::vector<node_id>& m_nodes;
  const std::size_t m_ways;
  const bool m_random_first;
  random_stream m_random;
  std::map<node_id, std::vector<std::uint32_t>> m_distances;
  std::vector<halving_part> m_kept;
  std::vector<open_part> m_open;
};

unsigned least_ports(const problem& p, const std::vector<node_id>& nodes) {
  unsigned least = p.network.ports_out(nodes.front());
  for (const node_id n : nodes) least = std::min(least, p.network.ports_out(n));
  return least;
}

std::string unfit_for_combining_halving(const problem& p) {
  if (!p.combining) return "combining is off";
  return p.requested.senders.size() == 1 ? "" : "it is for one sender";
}

search_result run_combining_halving(const problem& p, const search_control& control) {
  return as_result(halvings(p, control));
}

/// Orders nodes so that the nearest remaining node follows each; on meshes, this yields rows in alternating directions.
std::vector<node_id> nearest_next(const step_network& network, std::vector<node_id> nodes) {
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const std::vector<std::uint32_t> distance = distances_to(network, nodes[i]);
    const auto next = nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    const auto nearest =
        std::min_element(next, nodes.end(), [&](node_id a, node_id b) { return distance[a] < distance[b]; });
    std::rotate(next, nearest, nearest + 1);
  }
  return nodes;
}

step_schedule halved(const problem& p, round_router& router, const std::vector<node_id>& nodes, std::size_t ways,
                     std::uint64_t seed) {
  std::map<node_id, std::size_t> position;
  for (std::size_t i = 0; i < nodes.size(); ++i) position[nodes[i]] = i;
  relay r(p, router);
  for (const halving_round& round :
       halve(p, router, nodes, {{0, nodes.size(), position[p.requested.senders.front()]}}, ways, seed)) {
    std::map<node_id, halving_part> part_of;
    for (std::size_t i = 0; i < round.pairs.size(); ++i) part_of[round.pairs[i].second] = round.parts[i];
    r.round(round.pairs, [&](const message& m, node_id, node_id to) {
      if (m.destination == message::Everyone) return true;
      const std::size_t at = position[m.destination];
      return at >= part_of[to].first && at < part_of[to].last;
    });
  }
  return r.schedule();
}

}  // namespace

std::vector<halving_round> halve(const problem& p, round_router& router, const std::vector<node_id>& nodes,
                                 std::vector<halving_part> start, std::size_t ways, std::uint64_t seed) {
  return halver(p, router, nodes, ways, seed).run(std::move(start));
}

std::vector<step_schedule> halvings(const problem& p, const search_control& control) {
  std::vector<step_schedule> found;
  unless_over([&] {
    const std::vector<node_id> by_number = participants_of(p.requested),
                               by_nearness = nearest_next(p.network, by_number);
    round_router router(p, control);
    for (std::size_t ways = 2; ways <= 1 + least_ports(p, by_number); ++ways) {
      for (std::size_t start = 0; start < MostStarts; ++start) {
        const std::uint64_t seed = start < 2 ? 0 : control.seed + start;
        found.push_back(halved(p, router, start % 2 == 0 ? by_number : by_nearness, ways, seed));
        if (found.back().start_ups() == ceil_log(ways, by_number.size())) break;
      }
    }
  });
  return non_dominated(std::move(found));
}

const method& combining_halving() {
  static const method Method{
      "combining_halving",
      "combining from one node to all by recursive halving (RINGS, section 3.1; FATTREE, section IV.A)",
      method::kind::Construction, unfit_for_combining_halving, run_combining_halving};
  return Method;
}

}  // namespace weft::schedule
