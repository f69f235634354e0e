// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/flow_symmetry.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace weft::schedule {
namespace {

constexpr std::size_t MostPairs = 4'000'000;

/// The finalizer of SplitMix64.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) { return mixed(mixed(a) ^ b); }

std::size_t distinct(std::vector<std::uint64_t> colours) {
  std::sort(colours.begin(), colours.end());
  return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
}

/// Color refinement of the rows of the linear program. A row is the balance of an origin's flow at a vertex, or the
/// capacity of a channel. A column is the flow of an origin on a channel; its color follows from its rows.
class refinement {
 public:
  refinement(const step_network& network, const traffic& t) : m_network(network) {
    for (node_id n = 0; n < t.nodes(); ++n) {
      if (t.sent_by(n) > 0) m_origins.push_back(n);
    }
    for (const step_channel& c : network.channels()) {
      m_capacity.push_back(mixed(c.capacity, static_cast<std::uint64_t>(c.kind)));
    }
    for (const node_id origin : m_origins) {
      for (vertex_id v = 0; v < network.vertices(); ++v) {
        const bool node = network.is_node(v);
        const std::uint64_t role = v == origin ? 0 : !node ? 1 : t.receives(v) ? 2 : 3;
        m_balance.push_back(mixed(role, t.units(origin)));
      }
    }
  }

  void run(const search_control& control) {
    for (std::size_t colours = 0, before = 1; colours != before;) {
      before = colours;
      round(control);
      colours = distinct(m_balance) + distinct(m_capacity);
    }
  }

  std::uint64_t of_channel(channel_id c) const { return m_capacity[c]; }
  std::uint64_t of_origin(std::size_t i) const { return m_balance[i * m_network.vertices() + m_origins[i]]; }
  const std::vector<node_id>& origins() const { return m_origins; }

 private:
  void round(const search_control& control) {
    std::vector<std::uint64_t> balance = m_balance, capacity = m_capacity;
    for (std::size_t i = 0; i < m_origins.size(); ++i) {
      control.go_on();
      const std::size_t first = i * m_network.vertices();
      for (channel_id c = 0; c < m_capacity.size(); ++c) {
        const step_channel& channel = m_network.channels()[c];
        const std::uint64_t from = m_balance[first + channel.from], to = m_balance[first + channel.to];
        const std::uint64_t flow = mixed(mixed(from, to), m_capacity[c]);
        balance[first + channel.from] += mixed(flow, 1);
        balance[first + channel.to] += mixed(flow, 2);
        capacity[c] += mixed(flow, 3);
      }
    }
    for (std::uint64_t& colour : balance) colour = mixed(colour);
    for (std::uint64_t& colour : capacity) colour = mixed(colour);
    m_balance = std::move(balance);
    m_capacity = std::move(capacity);
  }

  const step_network& m_network;
  std::vector<node_id> m_origins;
  std::vector<std::uint64_t> m_balance;   ///< by origin, then vertex
  std::vector<std::uint64_t> m_capacity;  ///< by channel
};

}  // namespace

flow_colours find_flow_colours(const step_network& network, const traffic& t, const search_control& control) {
  refinement refined(network, t);
  const std::size_t channels = network.channels().size();
  flow_colours found;
  if (refined.origins().size() * channels > MostPairs) {
    found.channels.resize(channels);
    std::iota(found.channels.begin(), found.channels.end(), std::size_t{0});
    found.channel_colours = channels;
    for (const node_id n : refined.origins()) found.origins.push_back({n});
    return found;
  }
  refined.run(control);
  std::map<std::uint64_t, std::size_t> colours;
  for (channel_id c = 0; c < channels; ++c) {
    found.channels.push_back(colours.emplace(refined.of_channel(c), colours.size()).first->second);
  }
  found.channel_colours = colours.size();
  colours.clear();
  for (std::size_t i = 0; i < refined.origins().size(); ++i) {
    const std::size_t colour = colours.emplace(refined.of_origin(i), colours.size()).first->second;
    found.origins.resize(colours.size());
    found.origins[colour].push_back(refined.origins()[i]);
  }
  return found;
}

}  // namespace weft::schedule
