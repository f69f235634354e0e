// SPDX-License-Identifier: Apache-2.0
/// Collectives with groups. Source: HNC section 3, steps A to G.
#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "weft/collectives/communication/collective_generators.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;

/// A message that an intermediate sends on behalf of its group.
struct group_packet {
  payload_form form = payload_form::Datum;
  std::vector<datum_id> operands;
};

std::vector<group_packet> packets_of(const std::vector<datum_id>& data, collective_algorithm a) {
  std::vector<group_packet> packets;
  if (data.empty()) return packets;
  if (a == algorithm::Combining) {
    packets.push_back({data.size() == 1 ? payload_form::Datum : payload_form::Join, data});
  } else if (a == algorithm::Hierarchy) {
    for (const datum_id d : data) packets.push_back({payload_form::Datum, {d}});
  } else {  // step C: the XORs d1 XOR d2, d2 XOR d3, …
    for (std::size_t i = 0; i + 1 < data.size(); ++i) packets.push_back({payload_form::Xor, {data[i], data[i + 1]}});
  }
  return packets;
}

/// The trees of one set of nodes. Each tree is computed only once.
class kept_trees {
 public:
  kept_trees(collective_algorithm a, const node_grid& grid, const collective_network& network)
      : m_trees(a, grid, network), m_grid(&grid), m_sends(grid.size()) {}

  broadcast_job job(std::uint32_t root, const group_packet& packet, std::vector<message_id> after) {
    if (m_sends[root].empty()) m_sends[root] = m_trees.from(root);
    broadcast_job made;
    made.grid = m_grid;
    made.sends = &m_sends[root];
    made.root = root;
    made.form = packet.form;
    made.operands = packet.operands;
    made.after = std::move(after);
    return made;
  }

 private:
  broadcast_trees m_trees;
  const node_grid* m_grid;
  std::vector<std::vector<tree_send>> m_sends;
};

/// One level of the hierarchy: a set of nodes in groups. All nodes of the set have or need the data that start in it.
class hierarchy {
 public:
  /// \param depth 0 for the whole network
  /// \param prefix prefix of the step names
  /// \param data data that start in the set, by the index of their owner
  hierarchy(collective_builder& builder, const collective_parameters& p, const collective_network& network,
            const node_grid& set, std::size_t depth, std::string prefix, const std::vector<std::vector<datum_id>>& data)
      : m_builder(builder),
        m_p(p),
        m_network(network),
        m_depth(depth),
        m_prefix(std::move(prefix)),
        m_groups(groups_at(p, set, depth, network)),
        m_own(m_groups.size()),
        m_data(m_groups.size()) {
    for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
      m_own[g].resize(m_groups.groups[g].size());
      m_trees.emplace_back(p.inner, m_groups.groups[g], network);
    }
    for (std::uint32_t index = 0; index < data.size(); ++index) {
      m_own[m_groups.group_of[index]][m_groups.index_of[index]] = data[index];
    }
    for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
      for (const std::vector<datum_id>& own : m_own[g]) m_data[g].insert(m_data[g].end(), own.begin(), own.end());
    }
  }

  void by_intermediates() {
    inside_groups();
    if (m_p.algorithm == algorithm::NetworkCodingDirect) {
      packets_to_counterparts();
    } else {
      packets_between_intermediates();
      packets_inside_groups();
    }
    if (m_p.algorithm == algorithm::NetworkCoding || m_p.algorithm == algorithm::NetworkCodingDirect) plain_data();
    if (m_depth > 0) add_opened();
  }

  void by_counterparts() {
    inside_groups();
    const step_id d = step("D"), e = step("E");
    std::vector<broadcast_job> jobs;
    for (std::uint32_t offset = 1; offset < m_groups.size(); ++offset) {
      for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
        const std::uint32_t h = (g + offset) % m_groups.size();
        for (std::uint32_t index = 0; index < m_own[g].size(); ++index) {
          const std::uint32_t there = m_groups.counterpart(h, g, index);
          for (const datum_id datum : m_own[g][index]) {
            const message_id m = m_builder.add(node(g, index), node(h, there), d, payload_form::Datum, {datum}, {});
            jobs.push_back(m_trees[h].job(there, {payload_form::Datum, {datum}}, {m}));
          }
        }
      }
    }
    m_builder.run(jobs, {e});
  }

 private:
  node_id node(std::uint32_t group, std::uint32_t index) const { return m_groups.groups[group].nodes[index]; }
  step_id step(const char* letter) { return m_builder.step(m_prefix + letter); }

  /// Step B: broadcasts inside groups.
  void inside_groups() {
    if (m_depth < m_p.subgroups.size()) {
      for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
        hierarchy(m_builder, m_p, m_network, m_groups.groups[g], m_depth + 1, m_prefix + "B.", m_own[g])
            .by_intermediates();
      }
      return;
    }
    const step_id b = step("B");
    std::vector<broadcast_job> jobs;
    for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
      for (std::uint32_t index = 0; index < m_own[g].size(); ++index) {
        for (const datum_id d : m_own[g][index]) {
          jobs.push_back(m_trees[g].job(index, {payload_form::Datum, {d}}, {}));
        }
      }
    }
    m_builder.run(jobs, {b});
    for (const broadcast_job& job : jobs) m_builder.add_received(job);
  }

  /// Step D: sends packets between intermediates.
  void packets_between_intermediates() {
    const step_id d = step("D");
    kept_trees trees(m_p.outer, m_groups.between, m_network);
    for (std::uint32_t g = 0; g < m_groups.size(); ++g) {
      for (const group_packet& packet : packets_of(m_data[g], m_p.algorithm)) {
        m_between.push_back(trees.job(g, packet, m_builder.after(m_groups.between.nodes[g], packet.operands)));
      }
    }
    m_builder.run(m_between, {d});
  }

  /// Step E: broadcasts the received packets inside groups.
  void packets_inside_groups() {
    const step_id e = step("E");
    for (const broadcast_job& from : m_between) {
      for (std::uint32_t h = 0; h < m_groups.size(); ++h) {
        if (h == from.root) continue;
        m_inside.push_back(m_trees[h].job(m_groups.intermediates[h], {from.form, from.operands}, {from.arrivals[h]}));
      }
    }
    m_builder.run(m_inside, {e});
  }

  /// HNC, Fig. 4: sends packets to counterparts, which replaces steps D and E.
  void packets_to_counterparts() {
    const step_id d = step("D");
    for_each_pair([&](std::uint32_t g, std::uint32_t h) {
      for (const group_packet& packet : packets_of(m_data[g], m_p.algorithm)) {
        for (std::uint32_t index = 0; index < m_groups.groups[h].size(); ++index) {
          const node_id sender = node(g, m_groups.counterpart(g, h, index));
          m_builder.add(sender, node(h, index), d, packet.form, packet.operands,
                        m_builder.after(sender, packet.operands));
        }
      }
    });
  }

  /// Step F: sends one plain datum of every other group to every node. If the sender has a datum of its own, it sends
  /// that datum.
  void plain_data() {
    const step_id f = step("F");
    for_each_pair([&](std::uint32_t g, std::uint32_t h) {
      if (m_data[g].empty()) return;
      for (std::uint32_t index = 0; index < m_groups.groups[h].size(); ++index) {
        const std::uint32_t from = sender_of_plain(g, h, index);
        const datum_id d = m_own[g][from].empty() ? m_data[g].front() : m_own[g][from].front();
        const message_id m = m_builder.add(node(g, from), node(h, index), f, payload_form::Datum, {d},
                                           m_builder.after(node(g, from), {d}));
        if (m_depth > 0) m_plain.push_back({g, h, index, d, m});
      }
    });
  }

  std::uint32_t sender_of_plain(std::uint32_t g, std::uint32_t h, std::uint32_t index) const {
    if (m_p.plain == plain_sender::Counterpart) return m_groups.counterpart(g, h, index);
    const std::vector<node_id>& senders = m_groups.groups[g].nodes;
    const auto nearest = std::min_element(senders.begin(), senders.end(), [&](node_id a, node_id b) {
      return m_network.distance(a, node(h, index)) < m_network.distance(b, node(h, index));
    });
    return static_cast<std::uint32_t>(nearest - senders.begin());
  }

  /// Step G: inside a group of the level above, nodes continue with the data that they have decoded.
  void add_opened() {
    // m_inside holds, for each packet of each group g in turn, one broadcast for every group h other than g.
    std::vector<std::size_t> first(m_groups.size(), 0);
    for (std::uint32_t g = 1; g < m_groups.size(); ++g) {
      const std::size_t packets = packets_of(m_data[g - 1], m_p.algorithm).size();
      first[g] = first[g - 1] + packets * (m_groups.size() - 1);
    }
    for (const plain_arrival& plain : m_plain) {
      received_chain chain;
      chain.data = m_data[plain.from_group];
      chain.plain =
          static_cast<std::size_t>(std::find(chain.data.begin(), chain.data.end(), plain.datum) - chain.data.begin());
      chain.opener = plain.message;
      const std::size_t h = plain.group < plain.from_group ? plain.group : plain.group - 1;
      for (std::size_t i = 0; i + 1 < chain.data.size(); ++i) {
        const broadcast_job& inside = m_inside[first[plain.from_group] + i * (m_groups.size() - 1) + h];
        const message_id m = inside.arrivals[plain.index];
        chain.coded.push_back(m == NoMessage ? inside.after.front() : m);
      }
      m_builder.add_received(node(plain.group, plain.index), std::move(chain));
    }
  }

  /// Calls \p action for all ordered pairs of different groups. For each group, the pairs begin with the next group.
  template <class Action>
  void for_each_pair(const Action& action) const {
    for (std::uint32_t offset = 1; offset < m_groups.size(); ++offset) {
      for (std::uint32_t g = 0; g < m_groups.size(); ++g) action(g, (g + offset) % m_groups.size());
    }
  }

  struct plain_arrival {
    std::uint32_t from_group = 0;
    std::uint32_t group = 0;
    std::uint32_t index = 0;
    datum_id datum = 0;
    message_id message = 0;
  };

  collective_builder& m_builder;
  const collective_parameters& m_p;
  const collective_network& m_network;
  std::size_t m_depth;
  std::string m_prefix;
  node_groups m_groups;
  std::vector<std::vector<std::vector<datum_id>>> m_own;  ///< data by group and index of the owner
  std::vector<std::vector<datum_id>> m_data;              ///< data by group
  std::deque<kept_trees> m_trees;                         ///< one for each group
  std::vector<broadcast_job> m_between;                   ///< step D: by group, then packet
  std::vector<broadcast_job> m_inside;                    ///< step E: by group, packet, then receiving group
  std::vector<plain_arrival> m_plain;                     ///< step F, inside groups of the level above
};

/// The hierarchy of a whole network.
hierarchy whole(collective_builder& builder, const collective_parameters& p, const collective_network& network,
                const node_grid& all) {
  std::vector<std::vector<datum_id>> data(all.size());
  for (datum_id d = 0; d < builder.data().size(); ++d) data[builder.data()[d].owner].push_back(d);
  return hierarchy(builder, p, network, all, 0, "", data);
}

}  // namespace

node_groups groups_at(const collective_parameters& p, const node_grid& set, std::size_t depth,
                      const collective_network& network) {
  if (depth > 0) return make_groups(set, p.subgroups[depth - 1], p, network);
  if (!p.groups.empty()) return make_groups(set, p.groups, p, network);
  return make_groups(set, p.group, p, network);
}

void broadcast_by_hierarchy(collective_builder& builder, const collective_parameters& p,
                            const collective_network& network) {
  whole(builder, p, network, all_nodes(network)).by_intermediates();
}

void broadcast_by_counterparts(collective_builder& builder, const collective_parameters& p,
                               const collective_network& network) {
  whole(builder, p, network, all_nodes(network)).by_counterparts();
}

}  // namespace weft
