// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/symmetry.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "weft/collectives/schedule/forwarding/round_budget.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

/// Lists automorphisms by depth-first search over the nodes, each of which is adjacent to an earlier one. The image of
/// a node must preserve its distances to all earlier nodes. Color refinement, with which the exact methods find an
/// automorphism, gives the same list, but takes 6 to 17 times as long on tori and hypercubes of 16 to 256 nodes.
class automorphism_list {
 public:
  automorphism_list(const link_graph& graph, const search_control& control, std::size_t most)
      : m_graph(graph),
        m_control(control),
        m_most(most),
        m_out(links_out(graph)),
        m_image(graph.nodes),
        m_used(graph.nodes, false) {
    for (node_id node = 0; node < graph.nodes; ++node) {
      control.go_on();
      m_hops.push_back(hops_from(graph, {node}));
    }
    order_nodes();
    for (const graph_link& l : graph.links) m_bandwidth[{l.from, l.to}] = l.bandwidth;
    for (const shared_limit& limit : graph.shared) m_shared.insert({limit.from, limit.to, limit.bandwidth});
  }

  std::vector<permutation> run() {
    for (node_id image = 0; image < m_graph.nodes; ++image) {
      m_found_here = 0;
      m_tried = 0;
      place(0, image);
    }
    return std::move(m_found);
  }

 private:
  static constexpr std::size_t MostTries = 20000;  // for each image of node 0

  /// Breadth-first order; each node except the first has a link to it from an earlier node.
  void order_nodes() {
    m_by.assign(m_graph.nodes, std::nullopt);
    std::vector<bool> seen(m_graph.nodes, false);
    for (node_id start = 0; start < m_graph.nodes; ++start) {
      if (seen[start]) continue;
      seen[start] = true;
      m_order.push_back(start);
      for (std::size_t i = m_order.size() - 1; i < m_order.size(); ++i) {
        for (std::size_t k = 0; k < m_out[m_order[i]].size(); ++k) {
          const node_id next = m_graph.links[m_out[m_order[i]][k]].to;
          if (seen[next]) continue;
          seen[next] = true;
          m_by[next] = std::make_pair(m_order[i], k);
          m_order.push_back(next);
        }
      }
    }
  }

  void extend(std::size_t at) {
    if (at == m_order.size()) {
      if (!keeps_shared()) return;
      m_found.push_back(m_image);
      ++m_found_here;
      return;
    }
    const auto& by = m_by[m_order[at]];
    if (!by) {
      for (node_id image = 0; image < m_graph.nodes; ++image) place(at, image);
      return;
    }
    const std::vector<link_id>& around = m_out[m_image[by->first]];
    for (std::size_t k = 0; k < around.size(); ++k) {  // first tries the same position among the links
      place(at, m_graph.links[around[(by->second + k) % around.size()]].to);
    }
  }

  void place(std::size_t at, node_id image) {
    if (m_used[image] || m_found_here >= m_most || ++m_tried > MostTries) return;
    m_control.go_on();
    const node_id node = m_order[at];
    m_image[node] = image;
    for (std::size_t i = 0; i <= at; ++i) {
      const node_id other = m_order[i];
      if (!alike(node, other, image, m_image[other]) || !alike(other, node, m_image[other], image)) return;
    }
    m_used[image] = true;
    extend(at + 1);
    m_used[image] = false;
  }

  bool alike(node_id a, node_id b, node_id image_a, node_id image_b) const {
    if (m_hops[a][b] != m_hops[image_a][image_b]) return false;
    return m_hops[a][b] != 1 || m_bandwidth.at({a, b}) == m_bandwidth.at({image_a, image_b});
  }

  bool keeps_shared() const {
    const auto mapped = [&](const std::vector<node_id>& nodes) {
      std::vector<node_id> images;
      for (const node_id node : nodes) images.push_back(m_image[node]);
      std::sort(images.begin(), images.end());
      return images;
    };
    return std::all_of(m_graph.shared.begin(), m_graph.shared.end(), [&](const shared_limit& limit) {
      return m_shared.count({mapped(limit.from), mapped(limit.to), limit.bandwidth}) > 0;
    });
  }

  const link_graph& m_graph;
  const search_control& m_control;
  const std::size_t m_most;
  const std::vector<std::vector<link_id>> m_out;
  std::vector<std::vector<std::uint32_t>> m_hops;
  std::vector<node_id> m_order;
  std::vector<std::optional<std::pair<node_id, std::size_t>>> m_by;  // the earlier node, and the index among its links
  std::map<std::pair<node_id, node_id>, unsigned> m_bandwidth;
  std::set<std::tuple<std::vector<node_id>, std::vector<node_id>, unsigned>> m_shared;
  permutation m_image;
  std::vector<bool> m_used;
  std::vector<permutation> m_found;
  std::size_t m_found_here = 0, m_tried = 0;
};

bool moves_all(const permutation& p) {
  for (std::uint32_t i = 0; i < p.size(); ++i) {
    if (p[i] == i) return false;
  }
  return true;
}

/// Extends a group by one element at a time; collects all groups on the way.
void grow(std::size_t nodes, const std::vector<permutation>& elements, std::size_t first, const search_control& control,
          std::set<permutation_group>& found) {
  std::vector<permutation> generators;
  permutation_group so_far;
  for (std::size_t i = 0; i < elements.size() && so_far.size() < nodes; ++i) {
    control.go_on();
    const permutation& next = elements[(first + i) % elements.size()];
    if (so_far.count(next) > 0) continue;
    generators.push_back(next);
    auto larger = generated_group(generators, nodes, moves_all);
    if (!larger) {
      generators.pop_back();
      continue;
    }
    so_far = std::move(*larger);
    found.insert(so_far);
  }
}

/// Returns the action of a group on the chunks; nothing if some chunk has no image.
std::optional<chunk_symmetry> acting_on(const forwarding_problem& p, const std::vector<permutation>& elements,
                                        const search_control& control) {
  using kind_of_chunk = std::pair<std::vector<node_id>, std::vector<node_id>>;
  std::map<kind_of_chunk, std::vector<chunk_id>> alike;
  std::vector<std::size_t> place(p.list.size());
  for (chunk_id c = 0; c < p.list.size(); ++c) {
    if (p.list[c].holders.size() != 1) return std::nullopt;  // guarantees that no chunk is fixed
    auto& same = alike[{p.list[c].holders, p.list[c].receivers}];
    place[c] = same.size();
    same.push_back(c);
  }
  const link_index index(p.graph);
  chunk_symmetry result;
  for (const permutation& element : elements) {
    permutation links(p.graph.links.size()), chunks(p.list.size());
    for (link_id l = 0; l < links.size(); ++l) {
      links[l] = *index.find(element[p.graph.links[l].from], element[p.graph.links[l].to]);
    }
    for (chunk_id c = 0; c < chunks.size(); ++c) {
      control.go_on();
      kind_of_chunk image{{element[p.list[c].holders.front()]}, {}};
      for (const node_id to : p.list[c].receivers) image.second.push_back(element[to]);
      std::sort(image.second.begin(), image.second.end());
      const auto same = alike.find(image);
      if (same == alike.end() || same->second.size() <= place[c]) return std::nullopt;
      chunks[c] = same->second[place[c]];
    }
    result.nodes.push_back(element);
    result.links.push_back(std::move(links));
    result.chunks.push_back(std::move(chunks));
  }
  const auto representatives = [](const std::vector<permutation>& images, std::size_t size) {
    std::vector<bool> seen(size, false);
    std::vector<std::uint32_t> first;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (seen[i]) continue;
      first.push_back(i);
      for (const permutation& image : images) seen[image[i]] = true;
    }
    return first;
  };
  result.link_representatives = representatives(result.links, p.graph.links.size());
  result.chunk_representatives = representatives(result.chunks, p.list.size());
  return result;
}

}  // namespace

std::vector<permutation> automorphisms(const link_graph& graph, const search_control& control, std::size_t most) {
  return automorphism_list(graph, control, most).run();
}

std::vector<std::vector<permutation>> free_groups(const link_graph& graph, const search_control& control) {
  constexpr std::size_t MostElements = 256, MostStarts = 24;
  std::vector<permutation> elements;
  for (permutation& p : automorphisms(graph, control)) {
    control.go_on();
    if (moves_all(p) && generated_group({p}, graph.nodes, moves_all)) elements.push_back(std::move(p));
    if (elements.size() == MostElements) break;
  }
  std::set<permutation_group> found;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (i < MostStarts) grow(graph.nodes, elements, i, control, found);
    found.insert(*generated_group({elements[i]}, graph.nodes, moves_all));
  }
  std::vector<std::vector<permutation>> groups;
  for (const permutation_group& g : found) groups.emplace_back(g.begin(), g.end());  // the identity is first
  std::stable_sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return groups;
}

chunk_symmetry no_symmetry(const forwarding_problem& p) {
  return {{identity_of(p.graph.nodes)},
          {identity_of(p.graph.links.size())},
          {identity_of(p.list.size())},
          identity_of(p.list.size()),
          identity_of(p.graph.links.size())};
}

std::vector<chunk_symmetry> symmetries_of(const forwarding_problem& p, const search_control& control) {
  constexpr std::size_t MostOfAnOrder = 4;
  std::vector<chunk_symmetry> result;
  std::map<std::size_t, std::size_t> of_order;
  for (const auto& elements : free_groups(p.graph, control)) {
    if (of_order[elements.size()] == MostOfAnOrder) continue;
    if (auto symmetry = acting_on(p, elements, control)) {
      ++of_order[elements.size()];
      result.push_back(std::move(*symmetry));
    }
  }
  return result;
}

}  // namespace weft::schedule
