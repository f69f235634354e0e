// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/gossip.h"

#include <algorithm>

#include <boost/dynamic_bitset.hpp>

#include "weft/collectives/schedule/constructions/tree_walk.h"

namespace weft::schedule {
namespace {

/// A transfer that can be made in every step together with all other hops of its set.
struct hop {
  node_id from = 0, to = 0;
  channel_path path;
};

/// Returns a transfer to the neighbor on each link. Empty if a router does not have exactly one node, or if there are
/// too few ports.
std::vector<hop> hops_between_neighbours(const step_network& network) {
  std::vector<channel_id> out(network.vertices()), in(network.vertices());
  std::vector<unsigned> nodes_at(network.vertices(), 0);
  for (channel_id c = 0; c < network.channels().size(); ++c) {
    const step_channel& channel = network.channels()[c];
    if (channel.kind == channel_kind::Injection) out[channel.to] = c, ++nodes_at[channel.to];
    if (channel.kind == channel_kind::Ejection) in[channel.from] = c;
  }
  std::vector<hop> hops;
  residual_capacity capacity(network);
  for (channel_id c = 0; c < network.channels().size(); ++c) {
    const step_channel& link = network.channels()[c];
    if (link.kind != channel_kind::Link) continue;
    if (nodes_at[link.from] != 1 || nodes_at[link.to] != 1) return {};
    for (unsigned i = 0; i < link.capacity; ++i) {
      hop h{static_cast<node_id>(network.channels()[out[link.from]].from),
            static_cast<node_id>(network.channels()[in[link.to]].to),
            {out[link.from], c, in[link.to]}};
      if (!capacity.fits(h.path)) return {};
      capacity.reserve(h.path);
      hops.push_back(std::move(h));
    }
  }
  return hops;
}

/// Returns transfers for networks in which each node is attached to several routers and the network without nodes has
/// as many components. They follow walks around a spanning tree of each component, every other one in reverse. Empty
/// for other networks.
std::vector<hop> hops_around_parts(const problem& p, path_search& paths, std::uint64_t seed) {
  const std::vector<bool> members = members_of(p);
  const std::size_t parts = p.network.out(0).size();
  if (parts < 2) return {};
  std::vector<hop> hops;
  residual_capacity capacity(p.network);
  for (std::size_t part = 0; part < parts; ++part) {
    const vertex_id start = p.network.channels()[p.network.out(0)[part]].to;
    random_order order(seed, part);
    const spanning_tree first(p.network, start, members, nullptr);
    // The last vertex that is not a node is at the top of a tree of routers.
    const auto top = std::find_if(first.vertices().rbegin(), first.vertices().rend(),
                                  [&](vertex_id v) { return !p.network.is_node(v); });
    const spanning_tree tree(p.network, *top, members, part < 2 ? nullptr : &order);
    if (!tree.complete()) return {};
    std::vector<node_id> walk = tree.walk();
    if (part % 2 == 1) std::reverse(walk.begin(), walk.end());
    for (std::size_t i = 0; i < walk.size(); ++i) {
      const node_id from = walk[i], to = walk[(i + 1) % walk.size()];
      channel_path path = tree.path(from, to);
      if (!capacity.fits(path) || !paths.allows(from, to, path)) path = paths.find(capacity, from, to);
      if (path.empty()) return {};
      capacity.reserve(path);
      hops.push_back({from, to, std::move(path)});
    }
  }
  return hops;
}

std::vector<hop> hops_of(const problem& p, std::uint64_t seed) {
  std::vector<hop> hops = hops_between_neighbours(p.network);
  if (!hops.empty()) return hops;
  path_search paths(p.network, p.paths);
  return hops_around_parts(p, paths, seed);
}

/// In every step, each hop carries the rarest message that its receiver lacks (TACOS, Won et al. 2024).
class exchange {
 public:
  exchange(const problem& p, const std::vector<hop>& hops, random_order order)
      : m_hops(hops), m_order(order), m_copies(p.network.nodes(), 0) {
    const std::size_t nodes = p.network.nodes();
    m_has.assign(nodes, boost::dynamic_bitset<>(nodes));
    m_missing.assign(nodes, boost::dynamic_bitset<>(nodes));
    for (const node_id from : p.requested.senders) {
      m_has[from].set(from);
      m_copies[from] = 1;
    }
    for (const demand& d : demands_of(p.requested)) {
      m_missing[d.receiver].set(d.what.origin);
      ++m_left;
    }
  }

  /// Returns nothing if it stalls or reaches \p less_than steps.
  std::optional<step_schedule> run(std::size_t less_than, const search_control& control) {
    step_schedule found;
    while (m_left > 0) {
      if (control.over() || found.steps.size() + 1 >= less_than) return std::nullopt;
      found.steps.push_back(fill());
      if (found.steps.back().empty()) return std::nullopt;
    }
    return found;
  }

 private:
  step fill() {
    // The hops with the fewest choices come first.
    std::vector<std::pair<std::size_t, std::size_t>> by_choice;
    std::vector<std::size_t> hops(m_hops.size());
    for (std::size_t i = 0; i < hops.size(); ++i) hops[i] = i;
    m_order.shuffle(hops);
    for (const std::size_t i : hops)
      by_choice.emplace_back((m_has[m_hops[i].from] & m_missing[m_hops[i].to]).count(), i);
    std::stable_sort(by_choice.begin(), by_choice.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    step made;
    for (const auto& [choice, i] : by_choice) {
      const hop& h = m_hops[i];
      const auto origin = rarest(m_has[h.from] & m_missing[h.to]);
      if (!origin) continue;
      m_missing[h.to].reset(*origin);
      made.push_back({h.from, h.to, {{*origin, message::Everyone}}, h.path});
    }
    for (const transfer& t : made) {
      m_has[t.to].set(t.payload.front().origin);
      ++m_copies[t.payload.front().origin];
    }
    m_left -= made.size();
    return made;
  }

  std::optional<node_id> rarest(const boost::dynamic_bitset<>& choice) {
    std::optional<node_id> found;
    std::size_t equals = 0;
    for (auto o = choice.find_first(); o != boost::dynamic_bitset<>::npos; o = choice.find_next(o)) {
      if (found && m_copies[o] > m_copies[*found]) continue;
      equals = found && m_copies[o] == m_copies[*found] ? equals + 1 : 1;
      if (equals == 1 || m_order.below(equals) == 0) found = static_cast<node_id>(o);
    }
    return found;
  }

  const std::vector<hop>& m_hops;
  random_order m_order;
  std::vector<boost::dynamic_bitset<>> m_has, m_missing;  // by node: messages held; messages lacking and not in transit
  std::vector<std::size_t> m_copies;                      // of each message
  std::size_t m_left = 0;
};

/// Lower bound: receivers get one message through each port.
std::size_t least(const problem& p) {
  std::size_t most = 0;
  for (const node_id to : p.requested.receivers) {
    std::size_t lacks = 0;
    for (const node_id from : p.requested.senders) lacks += from != to;
    if (lacks > 0) most = std::max(most, (lacks + p.network.ports_in(to) - 1) / p.network.ports_in(to));
  }
  return most;
}

search_result run_gossip(const problem& p, const search_control& control) {
  const std::vector<hop> hops = hops_of(p, control.seed);
  const std::size_t least_steps = std::max(control.enough, least(p));
  const std::size_t attempts =
      std::clamp<std::size_t>(200'000 / (p.requested.senders.size() * p.requested.receivers.size()), 1, 64);
  search_result best;
  for (std::size_t i = 0; i < attempts; ++i) {
    const std::size_t less = best.found ? best.found->steps.size() : static_cast<std::size_t>(-1);
    auto found = exchange(p, hops, random_order(control.seed, i)).run(less, control);
    if (found) best.found = std::move(found);
    if (control.over() || (best.found && best.found->steps.size() <= least_steps)) break;
  }
  return best;
}

std::string why_not_gossip(const problem& p) {
  if (p.requested.what != operation::Broadcast) return "it is for broadcasts";
  const auto everyone = p.requested.receivers.size() == p.network.nodes();
  if (!everyone) return "all nodes must receive, because each forwards messages to its neighbors";
  if (hops_of(p, 1).empty()) {
    return "it needs one node at each router with a port for each link, or nodes on several separate networks";
  }
  return {};
}

}  // namespace

const method& gossip() {
  static const method m{"gossip",
                        "broadcast through all ports: every link forwards a message that its receiver lacks, the "
                        "rarest message first (TACOS, Won et al. 2024)",
                        method::kind::Construction, why_not_gossip, run_gossip};
  return m;
}

}  // namespace weft::schedule
