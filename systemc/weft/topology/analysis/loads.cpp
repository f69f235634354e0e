// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/loads.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/core/members.h"
#include "weft/topology/analysis/load_formulas.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/analysis/route_search.h"
#include "weft/topology/names.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

/// The paths of many packets to one destination, which merge, and split at choices. The next hops depend only on the
/// (channel, VC) that a packet holds, so each hop is computed once and stores its successors.
class route_forest {
 public:
  static constexpr std::uint32_t Arrived = std::numeric_limits<std::uint32_t>::max();

  /// The possible next hops of a packet, equally likely. Contains Arrived if the packet may leave for its destination.
  struct choice {
    std::uint32_t first = 0;  ///< of options()
    std::uint32_t count = 0;
  };
  struct hop {
    std::uint32_t channel;
    choice next;
  };

  /// \param at_once whether packets whose source draws their ascent in a tree follow all path ids at once
  route_forest(const topology& t, bool at_once)
      : m_topology(t), m_at_once(at_once), m_wires(t), m_index(t.channels.size() * MaxVcs, Arrived) {}

  /// Removes all hops; the following paths lead to \p destination.
  void aim(node_id destination) {
    for (const std::size_t key : m_keys) m_index[key] = Arrived;
    m_keys.clear();
    m_hops.clear();
    m_options.clear();
    m_destination = destination;
  }

  /// First hops of a packet injected at \p port on VC 0 that always gets the lowest admissible VC. With adaptive
  /// routing, it may take any of the choices.
  /// \param apart whether the path may merge with others and split from them again, see keeps_apart()
  choice enter(port_ref port, std::uint64_t path_id, bool apart) {
    if (apart) aim(m_destination);
    m_stack.clear();
    m_requested.clear();
    query_route(Injected, port, 0, path_id);
    for (;;) {
      frame& top = m_stack.back();
      if (top.next < m_requested.size()) {
        const std::size_t key = m_requested[top.next++];
        if (key == Ejected || m_index[key] < OnPath) continue;
        const port_ref in = m_topology.channels[key / MaxVcs].to;
        if (m_index[key] == OnPath) lost(top.router);
        m_index[key] = OnPath;
        m_keys.push_back(key);
        query_route(key, in, static_cast<unsigned>(key % MaxVcs), top.path_id);
        continue;
      }
      choice next{static_cast<std::uint32_t>(m_options.size()), 0};
      for (std::size_t i = top.first; i < m_requested.size(); ++i) {
        m_options.push_back(m_requested[i] == Ejected ? Arrived : m_index[m_requested[i]]);
        ++next.count;
      }
      const std::size_t key = top.key;
      m_requested.resize(top.first);
      m_stack.pop_back();
      if (key == Injected) return next;
      m_index[key] = static_cast<std::uint32_t>(m_hops.size());
      m_hops.push_back({static_cast<std::uint32_t>(key / MaxVcs), next});
    }
  }

  /// Every hop found since aim(); each hop comes after its possible successors.
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
    std::uint64_t path_id;  ///< remaining part of the path id
    std::size_t first;      ///< start of its part of m_requested
    std::size_t next;
  };

  void query_route(std::size_t key, port_ref in, unsigned vc, std::uint64_t path_id) {
    const route_rule& rule = m_topology.routing[in.router];
    const route_query query{in.port, vc, m_destination, path_id};
    const route requested = m_at_once ? rule.for_all_path_ids(query) : rule.answer(query);
    m_stack.push_back({key, in.router, rule.consumes_path() ? source_path::advance(path_id) : path_id,
                       m_requested.size(), m_requested.size()});
    const auto offer = [&](unsigned port, vc_set vcs) {
      const port_end end = m_wires.output({in.router, port});
      if (end.what == port_end::kind::Node && end.index == m_destination) {
        m_requested.push_back(Ejected);
        return;
      }
      if (end.what != port_end::kind::Channel || vcs == 0) lost(in.router);
      m_requested.push_back(end.index * MaxVcs + lowest(vcs));
    };
    if (requested.adaptive() && !rule.choice().detours)
      for_each_member(requested.choices, [&](unsigned port) { offer(port, requested.choice_vcs); });
    else
      offer(requested.port, requested.vcs);
  }

  [[noreturn]] void lost(router_id where) const {
    throw std::invalid_argument(fmt::format("topology: the routing has no route from {} to node {}",
                                            router_name(m_topology, where), m_destination));
  }

  const topology& m_topology;
  const bool m_at_once;
  const wiring m_wires;
  node_id m_destination = 0;
  std::vector<hop> m_hops;
  std::vector<std::uint32_t> m_options;
  std::vector<std::size_t> m_keys;     ///< keys that have an index
  std::vector<std::uint32_t> m_index;  ///< index into m_hops, by (channel, VC)
  std::vector<frame> m_stack;
  std::vector<std::size_t> m_requested;  ///< requests of the packets in m_stack
};

bool draws_ascent(const topology& t) {
  return std::any_of(t.routing.begin(), t.routing.end(), [](const route_rule& rule) {
    const auto* tree = rule.as<tree_rule>();
    return tree != nullptr && tree->up == ascent::Random;
  });
}

/// Whether packets take the direct path in an empty network, whatever their path id.
bool selects_detours(const topology& t) { return t.routing.front().choice().detours; }

/// Number of path ids that sources draw from; 1 if they do not draw, or if a route_forest follows all at once or takes
/// direct paths.
std::uint64_t path_id_count_of(const topology& t) {
  std::uint64_t most = 1;
  if (draws_ascent(t) || selects_detours(t)) return most;
  for (const node_attachment& node : t.nodes) {
    if (node.path_ids.drawn()) most = std::max(most, node.path_ids.count);
  }
  return most;
}

/// The path ids that represent those of a node's packets to a destination.
class representatives {
 public:
  /// \param most number of path ids at most
  representatives(const path_selector& path_ids, node_id destination, bool at_once, std::uint64_t most)
      : m_path_ids(path_ids),
        m_destination(destination),
        m_choices(path_ids.drawn() && !at_once ? path_ids.choices(destination) : 1),
        m_count(std::min(most, m_choices)) {}

  std::uint64_t count() const { return m_count; }
  std::uint64_t path_id(std::uint64_t number) const {
    return m_path_ids.drawn() ? m_path_ids.choice(m_destination, number * (m_choices / m_count))
                              : m_path_ids(m_destination, 0);
  }

 private:
  const path_selector& m_path_ids;
  const node_id m_destination;
  const std::uint64_t m_choices, m_count;
};

/// Whether packets that enter at \p port of \p node may hold the same (channel, VC) as those of another node and then
/// take another path, although the numbers of their path ids are the same.
bool keeps_apart(const topology& t, const node_attachment& node, port_ref port) {
  return t.routing[port.router].consumes_path() || node.path_ids.within.dimensions != 0;
}

/// Flits per cycle on each channel, summed over destinations.
class load_sum {
 public:
  /// \param path_id_count number of path ids that sources draw from
  load_sum(const topology& t, std::uint64_t path_id_count)
      : m_topology(t), m_at_once(draws_ascent(t)), m_path_id_count(path_id_count), m_forest(t, m_at_once) {
    m_loads.resize(t.channels.size());
  }

  /// Adds the paths of the traffic to one destination.
  void add(const sent_flits* first, const sent_flits* last) {
    for (std::uint64_t w = 0; w < m_path_id_count; ++w) {
      m_forest.aim(first->destination);
      m_flows.clear();
      for (const sent_flits* sent = first; sent != last; ++sent) {
        const node_attachment& node = m_topology.nodes[sent->source];
        const representatives path_ids(node.path_ids, sent->destination, m_at_once, m_path_id_count);
        if (w >= path_ids.count()) continue;
        for (const port_ref port : node.ports) {
          const bool apart = keeps_apart(m_topology, node, port);
          if (apart) run_down();
          const route_forest::choice entered = m_forest.enter(port, path_ids.path_id(w), apart);
          m_flows.resize(m_forest.hops().size());
          m_forest.spread(entered, sent->flits / static_cast<double>(path_ids.count() * node.ports.size()), m_flows);
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
  const bool m_at_once;
  const std::uint64_t m_path_id_count;
  route_forest m_forest;
  std::vector<double> m_loads, m_flows;  // by channel; by hop of the forest
};

}  // namespace

expected_loads follow_loads(const topology& t, std::size_t most_steps) {
  const std::size_t nodes = t.nodes.size();
  expected_loads loads;
  loads.channels.resize(t.channels.size());
  if (nodes < 2) return loads;
  const std::uint64_t full_path_id_count = path_id_count_of(t);
  const std::size_t steps = t.channels.size() + nodes + 1;  // upper limit for one path id to one destination
  const std::size_t affordable = std::max<std::size_t>(1, most_steps / steps);
  const std::uint64_t path_id_count = std::min<std::uint64_t>(full_path_id_count, affordable);
  const std::vector<node_id> sample = sampled_nodes(t, std::max<std::size_t>(1, affordable / path_id_count));
  if (sample.size() < nodes || path_id_count < full_path_id_count) loads.destinations = sample.size();

  const double share =
      1 / static_cast<double>(nodes - 1) * (static_cast<double>(nodes) / static_cast<double>(sample.size()));
  load_sum sum(t, path_id_count);
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
  load_sum sum(t, path_id_count_of(t));
  for (const sent_flits *first = pairs.data(), *end = first + pairs.size(), *last = first; first != end; first = last) {
    last = std::find_if(first, end, [&](const sent_flits& p) { return p.destination != first->destination; });
    sum.add(first, last);
  }
  return sum.take();
}

expected_loads find_loads(const topology& t, std::size_t most_steps) {
  if (auto known = loads_of_grid(t)) return *std::move(known);
  if (auto known = loads_of_detours(t, most_steps)) return *std::move(known);
  return follow_loads(t, most_steps);
}

std::vector<std::vector<double>> loads_by_source(const topology& t) {
  const std::size_t nodes = t.nodes.size();
  std::vector<std::vector<double>> loads(t.channels.size(), std::vector<double>(nodes));
  const bool at_once = draws_ascent(t);
  const std::uint64_t path_id_count = path_id_count_of(t);
  route_forest forest(t, at_once);
  std::vector<double> flows;
  for (node_id destination = 0; destination < nodes; ++destination) {
    for (std::uint64_t w = 0; w < path_id_count; ++w) {
      forest.aim(destination);
      for (node_id source = 0; source < nodes; ++source) {
        if (source == destination) continue;
        const node_attachment& node = t.nodes[source];
        const representatives path_ids(node.path_ids, destination, at_once, path_id_count);
        if (w >= path_ids.count()) continue;
        for (const port_ref port : node.ports) {
          const route_forest::choice first = forest.enter(port, path_ids.path_id(w), keeps_apart(t, node, port));
          flows.assign(forest.hops().size(), 0);
          forest.spread(first, 1 / static_cast<double>(path_ids.count() * (nodes - 1) * node.ports.size()), flows);
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
  const path_selector& path_ids = t.nodes[source].path_ids;
  route_forest forest(t, false);
  forest.aim(destination);
  std::vector<std::size_t> channels;
  auto next = forest.enter(t.nodes[source].ports.front(),
                           path_ids.drawn() ? path_ids.choice(destination, 0) : path_ids(destination, 0), false);
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
