// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/symmetry.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "weft/collectives/schedule/permutation.h"
#include "weft/core/random.h"
#include "weft/core/shuffle.h"

namespace weft::schedule {
namespace {

using colouring = std::vector<std::uint32_t>;  // by vertex

/// The order in which candidate images are tried.
enum class image_order : std::uint8_t { Ascending, Descending, Random };

/// Finds an automorphism by two colorings of the network, which are refined in parallel. Vertices of equal color are
/// possible images of each other. Colors also separate senders, receivers and the two ends of an involution, which the
/// distances in automorphism_list of store and forward do not.
class automorphism_search {
 public:
  automorphism_search(const step_network& network, const collective& requested, random_stream& random,
                      const search_control& control)
      : m_network(network), m_random(random), m_control(control), m_start(network.vertices()) {
    for (vertex_id v = 0; v < network.vertices(); ++v) m_start[v] = network.is_node(v) ? 3 : 0;
    for (const node_id n : requested.senders) m_start[n] += 1;
    for (const node_id n : requested.receivers) m_start[n] += 2;
    colouring range_colouring = m_start;
    refine(m_start, range_colouring);
  }

  bool may_map(vertex_id from, vertex_id to) const { return m_start[from] == m_start[to]; }

  /// Finds an automorphism that maps \p from to \p to. With \p involution, finds one that is its own inverse.
  std::optional<permutation> find(vertex_id from, vertex_id to, bool involution, image_order order) {
    m_involution = involution;
    m_order = order;
    m_tries = 0;
    colouring domain = m_start, range = m_start;
    if (!choose(domain, range, from, to)) return std::nullopt;
    return extend(domain, range);
  }

 private:
  using signature = std::vector<std::uint64_t>;

  signature signature_of(const colouring& colours, vertex_id v) const {
    const std::uint64_t colour_count = 2 * colours.size() + 2;
    signature s;
    for (const channel_id id : m_network.out(v)) {
      const step_channel& c = m_network.channels()[id];
      s.push_back((2 * std::uint64_t{c.capacity}) * colour_count + colours[c.to]);
    }
    for (const channel_id id : m_network.in(v)) {
      const step_channel& c = m_network.channels()[id];
      s.push_back((2 * std::uint64_t{c.capacity} + 1) * colour_count + colours[c.from]);
    }
    std::sort(s.begin(), s.end());
    s.push_back(colours[v]);
    return s;
  }

  /// Refines both colorings until all vertices of one color have neighbors of the same colors. Returns whether both
  /// colorings have the same number of vertices of each color.
  bool refine(colouring& domain, colouring& range) const {
    for (std::size_t count = 0;;) {
      m_control.go_on();
      std::map<signature, std::array<std::uint32_t, 3>> found;  // color, count in the domain, count in the range
      std::vector<signature> of_domain, of_range;
      for (vertex_id v = 0; v < domain.size(); ++v) {
        ++found[of_domain.emplace_back(signature_of(domain, v))][1];
        ++found[of_range.emplace_back(signature_of(range, v))][2];
      }
      std::uint32_t next = 0;
      for (auto& [s, colour] : found) {
        if (colour[1] != colour[2]) return false;
        colour[0] = next++;
      }
      for (vertex_id v = 0; v < domain.size(); ++v) {
        domain[v] = found[of_domain[v]][0];
        range[v] = found[of_range[v]][0];
      }
      if (found.size() == count) return true;
      count = found.size();
    }
  }

  bool choose(colouring& domain, colouring& range, vertex_id from, vertex_id to) const {
    if (domain[from] != range[to]) return false;
    domain[from] = range[to] = static_cast<std::uint32_t>(2 * domain.size());
    if (m_involution && from != to) {
      if (domain[to] != range[from]) return false;
      domain[to] = range[from] = static_cast<std::uint32_t>(2 * domain.size() + 1);
    }
    return refine(domain, range);
  }

  /// Returns the vertices of a color. If \p of is one of them, it comes last.
  std::vector<vertex_id> images(const colouring& range, std::uint32_t colour, vertex_id of) {
    std::vector<vertex_id> list;
    for (vertex_id v = 0; v < range.size(); ++v) {
      if (range[v] == colour) list.push_back(v);
    }
    if (m_order == image_order::Descending) std::reverse(list.begin(), list.end());
    if (m_order == image_order::Random) shuffle(list.begin(), list.end(), m_random);
    std::stable_partition(list.begin(), list.end(), [of](vertex_id v) { return v != of; });
    return list;
  }

  std::optional<permutation> extend(const colouring& domain, const colouring& range) {
    constexpr std::size_t MostTries = 300;
    std::vector<std::uint32_t> members(domain.size());
    for (const std::uint32_t colour : domain) ++members[colour];
    std::optional<vertex_id> open;
    for (vertex_id v = 0; v < domain.size() && !open; ++v) {
      if (members[domain[v]] > 1) open = v;
    }
    if (!open) return mapping(domain, range);
    for (const vertex_id image : images(range, domain[*open], *open)) {
      if (++m_tries > MostTries) return std::nullopt;
      colouring next_domain = domain, next_range = range;
      if (!choose(next_domain, next_range, *open, image)) continue;
      if (auto found = extend(next_domain, next_range)) return found;
    }
    return std::nullopt;
  }

  static permutation mapping(const colouring& domain, const colouring& range) {
    permutation by_colour(range.size()), p(domain.size());
    for (vertex_id v = 0; v < range.size(); ++v) by_colour[range[v]] = v;
    for (vertex_id v = 0; v < domain.size(); ++v) p[v] = by_colour[domain[v]];
    return p;
  }

  const step_network& m_network;
  random_stream& m_random;
  const search_control& m_control;
  colouring m_start;
  bool m_involution = false;
  image_order m_order = image_order::Ascending;
  std::size_t m_tries = 0;
};

/// Whether \p p moves every pair of sender and receiver.
bool acts_freely(const permutation& p, const std::vector<demand>& demands) {
  return std::none_of(demands.begin(), demands.end(), [&](const demand& d) {
    return p[d.what.origin] == d.what.origin && p[d.receiver] == d.receiver;
  });
}

std::set<permutation> some_automorphisms(const step_network& network, const collective& requested, std::uint64_t seed,
                                         const search_control& control) {
  constexpr std::size_t Most = 160, RandomRounds = 3;
  random_stream random(seed, 0, stream_purpose::Schedule);
  automorphism_search search(network, requested, random, control);
  std::set<permutation> found;
  for (std::size_t round = 0; round < 2 + RandomRounds; ++round) {
    const image_order order = round == 0   ? image_order::Ascending
                              : round == 1 ? image_order::Descending
                                           : image_order::Random;
    for (vertex_id to = 0; to < network.nodes() && found.size() < Most; ++to) {
      if (!search.may_map(0, to)) continue;
      for (const bool involution : {true, false}) {
        if (const auto p = search.find(0, to, involution, order)) found.insert(*p);
      }
    }
  }
  found.erase(identity_of(network.vertices()));
  return found;
}

symmetry_group with_channels(const step_network& network, const permutation_group& group) {
  std::map<std::pair<vertex_id, vertex_id>, channel_id> between;
  for (channel_id c = 0; c < network.channels().size(); ++c) {
    between[{network.channels()[c].from, network.channels()[c].to}] = c;
  }
  symmetry_group all;
  for (const permutation& p : group) {
    automorphism a{p, {}};
    for (const step_channel& c : network.channels()) a.channel.push_back(between.at({p[c.from], p[c.to]}));
    all.push_back(std::move(a));
  }
  return all;
}

}  // namespace

symmetry_group trivial_group(const step_network& network) {
  return with_channels(network, {identity_of(network.vertices())});
}

std::vector<symmetry_group> free_groups(const step_network& network, const collective& requested, std::size_t largest,
                                        std::size_t most_of_an_order, std::uint64_t seed,
                                        const search_control& control) {
  constexpr std::size_t MostExtended = 60;
  const std::vector<demand> demands = demands_of(requested);
  const std::set<permutation> generators = some_automorphisms(network, requested, seed, control);
  const permutation_group trivial{identity_of(network.vertices())};
  std::set<permutation_group> known;
  std::vector<permutation_group> level{trivial}, all;
  while (!level.empty()) {
    std::vector<permutation_group> next;
    for (const permutation_group& group : level) {
      for (const permutation& p : generators) {
        control.go_on();
        if (group.count(p) > 0) continue;
        std::vector<permutation> generators_of_larger(group.begin(), group.end());
        generators_of_larger.push_back(p);
        auto larger = generated_group(generators_of_larger, largest,
                                      [&](const permutation& element) { return acts_freely(element, demands); });
        if (!larger || !known.insert(*larger).second) continue;
        all.push_back(*larger);
        next.push_back(std::move(*larger));
      }
    }
    std::stable_sort(next.begin(), next.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
    if (next.size() > MostExtended) next.resize(MostExtended);
    level = std::move(next);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  std::map<std::size_t, std::size_t> of_order;
  const auto surplus = [&](const permutation_group& group) { return ++of_order[group.size()] > most_of_an_order; };
  all.erase(std::remove_if(all.begin(), all.end(), surplus), all.end());
  all.push_back(trivial);
  std::vector<symmetry_group> groups;
  for (const permutation_group& group : all) groups.push_back(with_channels(network, group));
  return groups;
}

}  // namespace weft::schedule
