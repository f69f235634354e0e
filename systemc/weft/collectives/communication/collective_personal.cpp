// SPDX-License-Identifier: Apache-2.0
/// Scatter, gather and reduce. A message up or down a tree carries the data of the whole subtree behind the link.
#include <algorithm>
#include <string>
#include <utility>

#include "weft/collectives/communication/collective_generators.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;

payload_form joined(const std::vector<datum_id>& data, payload_form form) {
  return data.size() == 1 ? payload_form::Datum : form;
}

void append(std::vector<datum_id>& to, const std::vector<datum_id>& data) {
  to.insert(to.end(), data.begin(), data.end());
}

/// A tree over some nodes of the network.
struct rooted_tree {
  node_grid grid;
  std::vector<tree_send> sends;  ///< parents before children
};

/// Returns a tree of two levels: the root sends to the intermediates of all groups, and these send to the other nodes
/// of their groups.
std::vector<tree_send> two_levels(const node_grid& all, std::uint32_t root, const collective_parameters& p,
                                  const collective_network& network) {
  const node_groups groups = groups_at(p, all, 0, network);
  std::vector<tree_send> sends;
  std::vector<std::uint32_t> leader(groups.size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    leader[g] = g == groups.group_of[root] ? root : groups.between.nodes[g];
    if (leader[g] != root) sends.push_back({root, leader[g], 0});
  }
  for (std::uint32_t n = 0; n < all.size(); ++n) {
    const std::uint32_t from = leader[groups.group_of[n]];
    if (n != from) sends.push_back({from, n, 1});
  }
  return sends;
}

rooted_tree tree_of(node_id root, const std::vector<node_id>& others, const collective_parameters& p,
                    const collective_network& network) {
  if (p.algorithm == algorithm::Combining) {
    const node_grid all = all_nodes(network);
    return {all, two_levels(all, root, p, network)};
  }
  rooted_tree tree;
  tree.grid = nodes_of_tree(root, others, network);
  tree.sends = broadcast_trees(p.algorithm, tree.grid, network).from(index_of(tree.grid, root));
  return tree;
}

/// Returns, for each node, its index in \p grid if the grid contains it.
std::vector<std::uint32_t> indices_in(const node_grid& grid, std::uint32_t nodes) {
  std::vector<std::uint32_t> index(nodes, 0);
  for (std::uint32_t at = 0; at < grid.size(); ++at) index[grid.nodes[at]] = at;
  return index;
}

/// Returns, for each index, the data of its node and of all nodes in the subtree below, in ascending order.
std::vector<std::vector<datum_id>> data_beyond(const collective_builder& builder, const rooted_tree& tree,
                                               std::vector<std::vector<datum_id>> own) {
  std::vector<std::uint64_t> sizes;
  for (const std::vector<datum_id>& data : own) sizes.push_back(data.size());
  std::uint64_t operands = 0;
  for (auto s = tree.sends.rbegin(); s != tree.sends.rend(); ++s) {
    operands += sizes[s->to];
    sizes[s->from] += sizes[s->to];
  }
  builder.make_room(tree.sends.size(), operands);
  for (auto s = tree.sends.rbegin(); s != tree.sends.rend(); ++s) append(own[s->from], own[s->to]);
  for (std::vector<datum_id>& data : own) std::sort(data.begin(), data.end());
  return own;
}

/// Makes the data of a scatter and the goals of the receivers.
/// \return the data of source number i for receiver number j at [i][j]
std::vector<std::vector<std::vector<datum_id>>> personal_data(collective_builder& builder,
                                                              const collective_parameters& p) {
  std::vector<std::vector<std::vector<datum_id>>> data(p.sources.size());
  std::vector<collective_goal> goals(p.receivers.size());
  for (std::size_t i = 0; i < p.sources.size(); ++i) {
    data[i].resize(p.receivers.size());
    const std::uint32_t flits = p.lengths[p.lengths.size() == 1 ? 0 : i];
    for (std::size_t j = 0; j < p.receivers.size(); ++j) {
      goals[j].node = p.receivers[j];
      if (p.sources[i] == p.receivers[j]) continue;
      for (std::uint32_t n = 0; n < p.packets; ++n) data[i][j].push_back(builder.add_datum(p.sources[i], flits));
      goals[j].data.insert(goals[j].data.end(), data[i][j].begin(), data[i][j].end());
    }
  }
  const auto none = [](const collective_goal& g) { return g.data.empty(); };
  goals.erase(std::remove_if(goals.begin(), goals.end(), none), goals.end());
  builder.set_goals(std::move(goals));
  return data;
}

}  // namespace

void scatter_by_trees(collective_builder& builder, const collective_parameters& p, const collective_network& network) {
  const auto data = personal_data(builder, p);
  const step_id step = builder.step("send");
  for (std::size_t i = 0; i < p.sources.size(); ++i) {
    const rooted_tree tree = tree_of(p.sources[i], p.receivers, p, network);
    const std::vector<std::uint32_t> index = indices_in(tree.grid, network.nodes);
    std::vector<std::vector<datum_id>> own(tree.grid.size());
    for (std::size_t j = 0; j < p.receivers.size(); ++j) own[index[p.receivers[j]]] = data[i][j];
    const auto beyond = data_beyond(builder, tree, std::move(own));
    std::vector<std::vector<message_id>> arrived(tree.grid.size());
    for (const tree_send& s : tree.sends) {
      arrived[s.to] = {builder.add(tree.grid.nodes[s.from], tree.grid.nodes[s.to], step,
                                   joined(beyond[s.to], payload_form::Join), beyond[s.to], arrived[s.from])};
    }
  }
}

void scatter_by_combining(collective_builder& builder, const collective_parameters& p,
                          const collective_network& network) {
  const auto data = personal_data(builder, p);
  const node_groups groups = groups_at(p, all_nodes(network), 0, network);
  const step_id b = builder.step("B"), d = builder.step("D"), e = builder.step("E");
  const auto leader = [&](node_id n) { return groups.between.nodes[groups.group_of[n]]; };

  // Step B: direct messages inside groups; data for other groups go to the intermediate in one message.
  std::vector<std::vector<message_id>> gathered(groups.size());
  std::vector<std::vector<std::vector<datum_id>>> leaving(groups.size(),
                                                          std::vector<std::vector<datum_id>>(groups.size()));
  std::vector<std::vector<datum_id>> arriving(network.nodes);  // data that arrive at each receiver from other groups
  for (std::size_t i = 0; i < p.sources.size(); ++i) {
    const node_id source = p.sources[i];
    const std::uint32_t g = groups.group_of[source];
    std::vector<datum_id> out;
    for (std::size_t j = 0; j < p.receivers.size(); ++j) {
      const node_id receiver = p.receivers[j];
      const std::uint32_t h = groups.group_of[receiver];
      if (g == h) {
        for (const datum_id datum : data[i][j]) builder.add(source, receiver, b, payload_form::Datum, {datum}, {});
      } else {
        append(out, data[i][j]);
        append(leaving[g][h], data[i][j]);
        append(arriving[receiver], data[i][j]);
      }
    }
    if (source != leader(source) && !out.empty()) {
      gathered[g].push_back(builder.add(source, leader(source), b, joined(out, payload_form::Join), out, {}));
    }
  }
  std::vector<std::vector<message_id>> brought(groups.size());
  for (std::uint32_t offset = 1; offset < groups.size(); ++offset) {
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      const std::uint32_t h = (g + offset) % groups.size();
      if (leaving[g][h].empty()) continue;
      brought[h].push_back(builder.add(groups.between.nodes[g], groups.between.nodes[h], d,
                                       joined(leaving[g][h], payload_form::Join), leaving[g][h], gathered[g]));
    }
  }
  for (const node_id receiver : p.receivers) {
    if (receiver == leader(receiver) || arriving[receiver].empty()) continue;
    builder.add(leader(receiver), receiver, e, joined(arriving[receiver], payload_form::Join), arriving[receiver],
                brought[groups.group_of[receiver]]);
  }
}

void collect_by_tree(collective_builder& builder, const collective_parameters& p, payload_form form,
                     const collective_network& network) {
  const bool back = p.operation == collective_operation::AllReduce;
  const node_id root = back ? 0 : p.receivers.front();
  const rooted_tree tree = tree_of(root, p.sources, p, network);
  std::vector<std::vector<datum_id>> own(tree.grid.size());
  const std::vector<std::uint32_t> index = indices_in(tree.grid, network.nodes);
  for (datum_id d = 0; d < builder.data().size(); ++d) own[index[builder.data()[d].owner]].push_back(d);
  const auto beyond = data_beyond(builder, tree, std::move(own));
  std::vector<std::vector<message_id>> arrived(tree.grid.size());
  const step_id up = builder.step(back ? "up" : "collect");
  for (auto s = tree.sends.rbegin(); s != tree.sends.rend(); ++s) {
    if (beyond[s->to].empty()) continue;  // the subtree contains no source
    arrived[s->from].push_back(builder.add(tree.grid.nodes[s->to], tree.grid.nodes[s->from], up,
                                           joined(beyond[s->to], form), beyond[s->to], arrived[s->to]));
  }
  if (!back) return;
  const std::vector<datum_id>& all = beyond[index[root]];
  const step_id down = builder.step("down");
  std::vector<std::vector<message_id>> sum(tree.grid.size());
  sum[index[root]] = arrived[index[root]];
  for (const tree_send& s : tree.sends) {
    sum[s.to] = {
        builder.add(tree.grid.nodes[s.from], tree.grid.nodes[s.to], down, joined(all, form), all, sum[s.from])};
  }
}

}  // namespace weft
