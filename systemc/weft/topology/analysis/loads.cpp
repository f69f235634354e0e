// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/loads.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/core/allocation.h"
#include "weft/topology/analysis/figures.h"
#include "weft/topology/analysis/full_grid.h"
#include "weft/topology/analysis/route_search.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

/// The paths of many packets to one destination, which join, and part where they have a choice. What a packet does
/// depends on the (channel, VC) it holds, so each such hop is found once and knows what may follow it.
class route_forest {
 public:
  static constexpr std::uint32_t Arrived = std::numeric_limits<std::uint32_t>::max();

  /// Hops of which a packet takes any, each as often; Arrived among them where it leaves for the destination.
  struct choice {
    std::uint32_t first = 0;  ///< of options()
    std::uint32_t count = 0;
  };
  struct hop {
    std::uint32_t channel;
    choice next;
  };

  /// \param any_way packets whose source draws their ascent in a tree go all ways
  route_forest(const topology& t, bool any_way)
      : m_topology(t), m_any_way(any_way), m_wires(t), m_index(t.channels.size() * MaxVcs, Arrived) {}

  /// Forgets all hops; the paths that follow lead to \p destination.
  void aim(node_id destination) {
    for (const std::size_t key : m_keys) m_index[key] = Arrived;
    m_keys.clear();
    m_hops.clear();
    m_options.clear();
    m_destination = destination;
  }

  /// First hops of a packet injected at \p port on VC 0 that always gets the lowest admissible VC. Where routing is
  /// adaptive, it takes any of the choices.
  choice enter(port_ref port, std::uint64_t way) {
    if (m_topology.routing[port.router].uses_up_way()) aim(m_destination);  // such paths meet and part again
    m_stack.clear();
    m_asked.clear();
    ask(Injected, port, 0, way);
    for (;;) {
      frame& top = m_stack.back();
      if (top.next < m_asked.size()) {
        const std::size_t key = m_asked[top.next++];
        if (key == Ejected || m_index[key] < OnPath) continue;
        const port_ref in = m_topology.channels[key / MaxVcs].to;
        if (m_index[key] == OnPath) lost(top.router);
        m_index[key] = OnPath;
        m_keys.push_back(key);
        ask(key, in, static_cast<unsigned>(key % MaxVcs), top.way);
        continue;
      }
      choice next{static_cast<std::uint32_t>(m_options.size()), 0};
      for (std::size_t i = top.first; i < m_asked.size(); ++i) {
        m_options.push_back(m_asked[i] == Ejected ? Arrived : m_index[m_asked[i]]);
        ++next.count;
      }
      const std::size_t key = top.key;
      m_asked.resize(top.first);
      m_stack.pop_back();
      if (key == Injected) return next;
      m_index[key] = static_cast<std::uint32_t>(m_hops.size());
      m_hops.push_back({static_cast<std::uint32_t>(key / MaxVcs), next});
    }
  }

  /// Every hop found since aim(), each after all that may follow it.
  const std::vector<hop>& hops() const { return m_hops; }
  std::uint32_t option(choice c, std::uint32_t i) const { return m_options[c.first + i]; }

  /// Adds \p flow, in equal parts, to the elements of \p flows that are hops of \p c.
  void spread(choice c, double flow, std::vector<double>& flows) const {
    for (std::uint32_t i = 0; i < c.count; ++i)
      if (option(c, i) != Arrived) flows[option(c, i)] += flow / c.count;
  }

 private:
  static constexpr std::uint32_t OnPath = Arrived - 1;
  static constexpr std::size_t Injected = std::numeric_limits<std::size_t>::max(), Ejected = Injected - 1;

  struct frame {
    std::size_t key;
    router_id router;
    std::uint64_t way;  ///< what is left of it
    std::size_t first;  ///< of its part of m_asked
    std::size_t next;
  };

  void ask(std::size_t key, port_ref in, unsigned vc, std::uint64_t way) {
    const route_rule& rule = m_topology.routing[in.router];
    const route_query query{in.port, vc, m_destination, way};
    const route asked = m_any_way ? rule.for_all_ways(query) : rule.answer(query);
    m_stack.push_back(
        {key, in.router, rule.uses_up_way() ? source_path::rest(way) : way, m_asked.size(), m_asked.size()});
    const auto offer = [&](unsigned port, vc_set vcs) {
      const port_end end = m_wires.output({in.router, port});
      if (end.what == port_end::kind::Node && end.index == m_destination) {
        m_asked.push_back(Ejected);
        return;
      }
      if (end.what != port_end::kind::Channel || vcs == 0) lost(in.router);
      m_asked.push_back(end.index * MaxVcs + lowest(vcs));
    };
    if (asked.adaptive())
      for_each_member(asked.choices, [&](unsigned port) { offer(port, asked.choice_vcs); });
    else
      offer(asked.port, asked.vcs);
  }

  [[noreturn]] void lost(router_id where) const {
    throw std::invalid_argument(fmt::format("topology: the routing leads no packet from {} to node {}",
                                            router_name(m_topology, where), m_destination));
  }

  const topology& m_topology;
  const bool m_any_way;
  const wiring m_wires;
  node_id m_destination = 0;
  std::vector<hop> m_hops;
  std::vector<std::uint32_t> m_options;
  std::vector<std::size_t> m_keys;     ///< that have an index
  std::vector<std::uint32_t> m_index;  ///< of (channel, VC) in m_hops
  std::vector<frame> m_stack;
  std::vector<std::size_t> m_asked;  ///< what the packets of m_stack may take up
};

bool draws_ascent(const topology& t) {
  return std::any_of(t.routing.begin(), t.routing.end(), [](const route_rule& rule) {
    const auto* tree = rule.as<tree_rule>();
    return tree != nullptr && tree->up == ascent::Random;
  });
}

/// Ways that sources draw from; 1 where they do not, or where a route_forest takes all at once.
std::uint64_t ways_of(const topology& t) {
  std::uint64_t most = 1;
  if (draws_ascent(t)) return most;
  for (const node_attachment& node : t.nodes) {
    if (node.ways.drawn()) most = std::max(most, node.ways.count);
  }
  return most;
}

// ---- Grids ----

/// How often each channel of a row is used when each of its routers sends once to each.
using row_uses = std::vector<std::array<double, 2>>;  // of each router, up and down

std::optional<row_uses> uses_of_row(const topology& t, const std::vector<router_id>& row, unsigned dimension,
                                    unsigned nodes, const wiring& wires) {
  const std::size_t size = row.size();
  row_uses uses(size, {0, 0});
  std::vector<std::size_t> next(size), inputs(size), ready;
  std::vector<unsigned> down(size);
  std::vector<double> flow(size);
  for (std::size_t to = 0; to < size; ++to) {
    std::fill(inputs.begin(), inputs.end(), 0);
    std::fill(flow.begin(), flow.end(), 1);
    for (std::size_t at = 0; at < size; ++at) {
      if (at == to) continue;
      const unsigned local = t.nodes[std::size_t{row[at]} * nodes].ports.front().port;
      // In the second part of Valiant's routing from the first router on.
      const std::uint64_t way = t.routing[row[at]].as<grid_rule>()->algorithm == grid_algorithm::Valiant ? row[at] : 0;
      const unsigned port = t.routing[row[at]].answer({local, 0, static_cast<node_id>(row[to] * nodes), way}).port;
      const port_end end = wires.output({row[at], port});
      if (end.what != port_end::kind::Channel || port / 2 != dimension) return std::nullopt;
      next[at] = t.routers[t.channels[end.index].to.router].coordinates[dimension];
      down[at] = port % 2;
      ++inputs[next[at]];
    }
    ready.clear();
    for (std::size_t at = 0; at < size; ++at)
      if (inputs[at] == 0 && at != to) ready.push_back(at);
    for (std::size_t i = 0; i < ready.size(); ++i) {
      const std::size_t at = ready[i];
      uses[at][down[at]] += flow[at];
      flow[next[at]] += flow[at];
      if (--inputs[next[at]] == 0 && next[at] != to) ready.push_back(next[at]);
    }
  }
  return uses;
}

/// Uniform traffic in a grid: dimension order, whatever the order, loads every channel by what happens in its own
/// dimension; O1TURN by the same in either order; Valiant's routing is uniform traffic twice, each router itself
/// included.
std::optional<expected_loads> loads_of_grid(const topology& t) {
  const std::optional<full_grid> grid = recognise_grid(t);
  const grid_rule* first = t.routing.front().as<grid_rule>();
  if (!grid || first == nullptr || first->dimensions != grid->size.size() || first->nodes != grid->nodes)
    return std::nullopt;
  const bool valiant = first->algorithm == grid_algorithm::Valiant;
  if (!valiant && first->algorithm != grid_algorithm::DimensionOrder && first->algorithm != grid_algorithm::O1Turn)
    return std::nullopt;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const grid_rule* rule = t.routing[r].as<grid_rule>();
    if (rule == nullptr) return std::nullopt;
    grid_rule same = *first;
    std::copy(t.routers[r].coordinates.begin(), t.routers[r].coordinates.end(), same.here.begin());
    if (!(*rule == same) || rule->position_of(r).at != rule->here) return std::nullopt;
  }
  if (!std::equal(grid->size.begin(), grid->size.end(), first->size.begin())) return std::nullopt;

  const wiring wires(t);
  std::vector<row_uses> uses;
  for (unsigned d = 0; d < first->dimensions; ++d) {
    std::vector<router_id> row(first->size[d]);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<router_id>(i * first->stride[d]);
    const auto found = uses_of_row(t, row, d, first->nodes, wires);
    if (!found) return std::nullopt;
    uses.push_back(*found);
  }
  const auto nodes = static_cast<double>(t.nodes.size());
  expected_loads loads;
  loads.by_formula = true;
  for (const channel& c : t.channels) {
    const unsigned d = c.from.port / 2;
    // Pairs of nodes of which packets take this channel, for one pair of routers of its row: N times the nodes of a
    // router; each pair has a share of 1 / N of a flit per cycle when nodes also send to themselves.
    const double with_self =
        uses[d][t.routers[c.from.router].coordinates[d]][c.from.port % 2] * first->nodes / first->size[d];
    loads.channels.push_back(with_self * (valiant ? 2 : nodes / std::max(nodes - 1, 1.0)));
    loads.mean_route += loads.channels.back() / nodes;
  }
  return loads;
}

}  // namespace

namespace {

/// Flits per cycle on each channel, summed up over destinations.
class load_sum {
 public:
  /// \param ways of those that sources draw from, so many
  load_sum(const topology& t, std::uint64_t ways)
      : m_topology(t), m_any_way(draws_ascent(t)), m_all_ways(ways_of(t)), m_ways(ways), m_forest(t, m_any_way) {
    m_loads.resize(t.channels.size());
  }

  /// Adds the paths of what is sent to one destination.
  void add(const sent_flits* first, const sent_flits* last) {
    for (std::uint64_t w = 0; w < m_ways; ++w) {
      m_forest.aim(first->destination);
      m_flows.clear();
      for (const sent_flits* sent = first; sent != last; ++sent) {
        const node_attachment& node = m_topology.nodes[sent->source];
        const std::uint64_t way = node.ways.drawn() && !m_any_way ? w * (m_all_ways / m_ways) % node.ways.count
                                                                  : node.ways(sent->destination, 0);
        for (const port_ref port : node.ports) {
          if (m_topology.routing[port.router].uses_up_way()) run_down();
          const route_forest::choice entered = m_forest.enter(port, way);
          m_flows.resize(m_forest.hops().size());
          m_forest.spread(entered, sent->flits / static_cast<double>(m_ways * node.ports.size()), m_flows);
        }
      }
      run_down();
    }
  }

  std::vector<double> take() { return std::move(m_loads); }

 private:
  void run_down() {
    for (std::size_t i = m_flows.size(); i-- > 0;) {  // upstream before downstream
      m_loads[m_forest.hops()[i].channel] += m_flows[i];
      m_forest.spread(m_forest.hops()[i].next, m_flows[i], m_flows);
    }
    m_flows.clear();
  }

  const topology& m_topology;
  const bool m_any_way;
  const std::uint64_t m_all_ways, m_ways;
  route_forest m_forest;
  std::vector<double> m_loads, m_flows;  // of each channel; of each hop of the forest
};

}  // namespace

expected_loads follow_loads(const topology& t, std::size_t most_steps) {
  const std::size_t nodes = t.nodes.size();
  expected_loads loads;
  loads.channels.resize(t.channels.size());
  if (nodes < 2) return loads;
  const std::uint64_t all_ways = ways_of(t);
  const std::size_t steps = t.channels.size() + nodes + 1;  // at most, for one way to one destination
  const std::size_t affordable = std::max<std::size_t>(1, most_steps / steps);
  const std::uint64_t ways = std::min<std::uint64_t>(all_ways, affordable);
  const std::vector<node_id> sample = sampled_nodes(t, std::max<std::size_t>(1, affordable / ways));
  if (sample.size() < nodes || ways < all_ways) loads.destinations = sample.size();

  const double share =
      1 / static_cast<double>(nodes - 1) * (static_cast<double>(nodes) / static_cast<double>(sample.size()));
  load_sum sum(t, ways);
  std::vector<sent_flits> sent;
  for (const node_id destination : sample) {
    sent.clear();
    for (node_id source = 0; source < nodes; ++source)
      if (source != destination) sent.push_back({source, destination, share});
    sum.add(sent.data(), sent.data() + sent.size());
  }
  loads.channels = sum.take();
  for (const double load : loads.channels) loads.mean_route += load / static_cast<double>(nodes);
  return loads;
}

std::vector<double> loads_of_pairs(const topology& t, std::vector<sent_flits> pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const sent_flits& a, const sent_flits& b) { return a.destination < b.destination; });
  load_sum sum(t, ways_of(t));
  for (const sent_flits *first = pairs.data(), *end = first + pairs.size(), *last = first; first != end; first = last) {
    last = std::find_if(first, end, [&](const sent_flits& p) { return p.destination != first->destination; });
    sum.add(first, last);
  }
  return sum.take();
}

expected_loads find_loads(const topology& t, std::size_t most_steps) {
  if (auto known = loads_of_grid(t)) return *std::move(known);
  return follow_loads(t, most_steps);
}

std::vector<std::vector<double>> loads_by_source(const topology& t) {
  const std::size_t nodes = t.nodes.size();
  std::vector<std::vector<double>> loads(t.channels.size(), std::vector<double>(nodes));
  const bool any_way = draws_ascent(t);
  const std::uint64_t ways = ways_of(t);
  route_forest forest(t, any_way);
  std::vector<double> flows;
  for (node_id destination = 0; destination < nodes; ++destination) {
    for (std::uint64_t w = 0; w < ways; ++w) {
      forest.aim(destination);
      for (node_id source = 0; source < nodes; ++source) {
        if (source == destination) continue;
        const node_attachment& node = t.nodes[source];
        const std::uint64_t way = node.ways.drawn() && !any_way ? w % node.ways.count : node.ways(destination, 0);
        for (const port_ref port : node.ports) {
          const route_forest::choice first = forest.enter(port, way);
          flows.assign(forest.hops().size(), 0);
          forest.spread(first, 1 / static_cast<double>(ways * (nodes - 1) * node.ports.size()), flows);
          for (std::size_t i = flows.size(); i-- > 0;) {
            loads[forest.hops()[i].channel][source] += flows[i];
            forest.spread(forest.hops()[i].next, flows[i], flows);
          }
        }
      }
    }
  }
  return loads;
}

std::vector<double> uniform_channel_loads(const topology& t) {
  return find_loads(t, std::numeric_limits<std::size_t>::max()).channels;
}

std::vector<std::size_t> route_channels(const topology& t, node_id source, node_id destination) {
  const way_rule& ways = t.nodes[source].ways;
  route_forest forest(t, false);
  forest.aim(destination);
  std::vector<std::size_t> channels;
  auto next = forest.enter(t.nodes[source].ports.front(), ways.drawn() ? 0 : ways(destination, 0));
  for (std::uint32_t h = forest.option(next, 0); h != route_forest::Arrived; h = forest.option(next, 0)) {
    channels.push_back(forest.hops()[h].channel);
    next = forest.hops()[h].next;
  }
  return channels;
}

std::vector<router_id> route_path(const topology& t, node_id source, node_id destination) {
  std::vector<router_id> path{t.nodes[source].ports.front().router};
  for (const std::size_t c : route_channels(t, source, destination)) path.push_back(t.channels[c].to.router);
  return path;
}

}  // namespace weft
