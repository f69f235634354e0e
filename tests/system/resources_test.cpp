// SPDX-License-Identifier: Apache-2.0
/// More VCs, deeper buffers or more ports degrade neither the accepted load of an overloaded network nor its latency
/// below saturation. docs/03_reference/networks.md lists the exceptions with their reasons; each listed exception must
/// still occur.

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/octagon.h"
#include "weft/topology/generators/random_graph.h"
#include "weft/topology/kinds.h"
#include "weft/workload/workload.h"

namespace weft {
namespace {

/// Flits and latencies of the packets that arrive from a given cycle on.
class arrivals final : public network_observer {
 public:
  explicit arrivals(cycle_t from) : m_from(from) {}
  bool needs_payload() const override { return false; }
  network_events event_interest() const override { return {network_event::Delivered}; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t) override {
    if (cycle < m_from) return;
    flits += p.flits;
    latency += static_cast<double>(cycle - p.created);
    ++packets;
  }

  std::uint64_t flits = 0, packets = 0;
  double latency = 0;

 private:
  cycle_t m_from;
};

struct hardware {
  unsigned vcs = 4, depth = 4, ports = 1;
};

/// A network with one of its routings.
struct subject {
  std::string network, routing;
  std::function<topology(unsigned vcs, unsigned ports)> make;
};

struct result {
  double accepted = 0;  ///< flits per node and cycle
  double latency = 0;   ///< mean, cycles
};

struct effort {
  cycle_t warm_up, cycles;
};

result measure(const topology& graph, const hardware& h, double load, std::uint32_t flits, const effort& e) {
  router_parameters router;
  router.vcs = h.vcs;
  router.depth = h.depth;
  workload_parameters w;
  w.injection.load = load;
  w.length.flits = flits;
  const auto nodes = static_cast<std::uint32_t>(graph.nodes.size());
  const auto source = make_workload(w, {nodes, {}, 1});
  arrivals seen(e.warm_up);
  const auto model = engine::make_model(graph, router, nic_parameters(), 64, *source, seen);
  model->run(e.warm_up + e.cycles);
  result r;
  r.accepted = static_cast<double>(seen.flits) / static_cast<double>(e.cycles) / nodes;
  r.latency = seen.latency / static_cast<double>(std::max<std::uint64_t>(1, seen.packets));
  return r;
}

// ---- Networks ----

topology_options options_of(const std::function<void(topology_options&)>& set, const topology_kind& kind) {
  topology_options o = kind.defaults;
  set(o);
  return o;
}

/// Every routing of \p kind.
void add(std::vector<subject>& to, const std::string& name, const topology_kind& kind,
         const std::function<void(topology_options&)>& set) {
  std::vector<const routing_kind*> routings = kind.routings;
  for (const routing_kind* r : graph_routings())
    if (std::count(routings.begin(), routings.end(), r) == 0) routings.push_back(r);
  for (const routing_kind* r : routings) {
    const auto with = [&to, &name, &kind, &set, r](const std::string& routing, const routing_options& choices) {
      const topology_options o = options_of(set, kind);
      to.push_back({name, routing, [&kind, o, choices, r](unsigned vcs, unsigned ports) {
                      network_plan plan{&kind, r, o, choices};
                      plan.network.vcs = vcs;
                      plan.network.nic_ports = ports;
                      return make_network(plan);
                    }});
    };
    if (r == &nearest_common_ancestor_routing()) {
      for (const auto& [word, up] : ascents()) {
        routing_options choices;
        choices.ascent = up;
        with(word, choices);
      }
    } else {
      with(r->name, {});
    }
  }
}

/// A dragonfly of 5 groups of 4 routers, each with 2 nodes and one link to another group.
std::string dragonfly(unsigned ports) {
  constexpr unsigned Routers = 4, Groups = 5;
  std::string text = "format: weft-topology-1\nkind: dragonfly\nrouters: [";
  const auto name = [](unsigned group, unsigned r) { return fmt::format("g{}r{}", group, r); };
  for (unsigned i = 0; i < Groups * Routers; ++i) text += name(i / Routers, i % Routers) + ", ";
  text += "]\nlinks:\n";
  const auto join = [&text](const std::string& a, const std::string& b) {
    text += fmt::format("  - {{between: [{}, {}]}}\n", a, b);
  };
  for (unsigned g = 0; g < Groups; ++g) {
    for (unsigned r = 0; r < Routers; ++r) {
      for (unsigned other = r + 1; other < Routers; ++other) join(name(g, r), name(g, other));
      const unsigned to = (g + r + 1) % Groups;
      if (g < to) join(name(g, r), name(to, Routers - 1 - r));
    }
  }
  text += "nodes:\n";
  for (unsigned i = 0; i < Groups * Routers * 2; ++i) {
    std::string at;
    for (unsigned p = 0; p < ports; ++p) at += name(i / 2 / Routers, i / 2 % Routers) + ", ";
    text += fmt::format("  - {{ports: [{}]}}\n", at);
  }
  return text;
}

std::vector<subject> subjects() {
  std::vector<subject> all;
  add(all, "mesh 4x4", mesh_topology(), [](auto& o) { o.shape = {4, 4}; });
  add(all, "torus 4x4", torus_topology(), [](auto& o) { o.shape = {4, 4}; });
  add(all, "ring 8", ring_topology(), [](auto& o) { o.shape = {8}; });
  add(all, "ring 8, one-way", ring_topology(), [](auto& o) {
    o.shape = {8};
    o.direction = ring_direction::OneWay;
  });
  add(all, "hypercube 4", hypercube_topology(), [](auto& o) { o.dimensions = 4; });
  add(all, "fat tree 4, 4", fat_tree_topology(), [](auto& o) {
    o.children = {4, 4};
    o.parents = {1, 4};
  });
  add(all, "rings 4, 4", hierarchical_ring_topology(), [](auto& o) { o.rings = {4, 4}; });
  add(all, "Octagon", octagon_topology(), [](auto&) {});
  add(all, "random 16", random_topology(), [](auto& o) { o.routers = 16; });
  for (const routing_kind* r : graph_routings()) {
    all.push_back({"dragonfly 20", r->name, [r](unsigned vcs, unsigned ports) {
                     return read_topology(dragonfly(ports), "dragonfly.yaml", {vcs, 0, r});
                   }});
  }
  return all;
}

/// The network, or nothing if these parameters are invalid or it can deadlock.
std::optional<topology> build(const subject& s, unsigned vcs, unsigned ports) {
  try {
    topology t = s.make(vcs, ports);
    check_structure(t, vcs);
    if (!find_dependency_cycle(t, vcs).empty()) return std::nullopt;
    return t;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

// ---- Comparison ----

using step_list = std::vector<hardware>;

unsigned number_of(const hardware& h, const std::string& resource) {
  return resource == "VCs" ? h.vcs : resource == "depth" ? h.depth : h.ports;
}

/// The hardware variants of \p s to compare for \p resource; none where no number of VCs suffices. \param long_ones
/// more steps
step_list steps_of(const subject& s, const std::string& resource, bool long_ones) {
  unsigned least = 1;
  while (least <= MaxVcs && !build(s, least, 1)) ++least;
  step_list steps;
  if (least > MaxVcs) return steps;
  const unsigned vcs = std::max(4U, least);
  if (resource == "VCs") {
    for (unsigned v = least; v <= least + (long_ones ? 6 : 3); ++v) steps.push_back({v, 4, 1});
  } else if (resource == "depth") {
    for (unsigned d = long_ones ? 1 : 2; d <= 16; d *= 2) steps.push_back({vcs, d, 1});
  } else {
    for (unsigned p = 1; p <= (long_ones ? 3U : 2U); ++p) steps.push_back({vcs, 4, p});
  }
  const auto impossible = [&](const hardware& h) { return !build(s, h.vcs, h.ports); };
  steps.erase(std::remove_if(steps.begin(), steps.end(), impossible), steps.end());
  return steps;
}

constexpr effort Quick{500, 2000}, Thorough{4000, 30000};
constexpr double QuickNoise = 0.04, Noise = 0.03;

/// One hardware variant, measured with as much effort as a comparison needs.
class measured {
 public:
  measured(const subject& s, const hardware& h, std::uint32_t flits)
      : m_hardware(h), m_flits(flits), m_graph(*build(s, h.vcs, h.ports)) {}

  /// Flits accepted per node and cycle when all nodes send as much as they can.
  double full_load(const effort& e) {
    double& known = e.cycles == Quick.cycles ? m_full_quick : m_full_thorough;
    if (known == 0) known = at(1, e).accepted;
    return known;
  }
  /// Saturation load; searched for once for each effort.
  double saturation(const effort& e) {
    double& known = e.cycles == Quick.cycles ? m_quick : m_thorough;
    if (known == 0) known = find_saturation(e);
    return known;
  }

  result at(double load, const effort& e) const { return measure(m_graph, m_hardware, load, m_flits, e); }

 private:
  /// The highest load of which the network accepts at least 97 %.
  double find_saturation(const effort& e) const {
    double low = 0.8 * at(1, e).accepted, high = 1;
    while (low > 0.01 && !carries(low, e)) low *= 0.8;
    while (high > 1.025 * low) {
      const double load = std::sqrt(low * high);
      (carries(load, e) ? low : high) = load;
    }
    return low;
  }

  bool carries(double load, const effort& e) const { return at(load, e).accepted >= 0.97 * load; }

  hardware m_hardware;
  std::uint32_t m_flits;
  topology m_graph;
  double m_quick = 0, m_thorough = 0, m_full_quick = 0, m_full_thorough = 0;  ///< 0: not measured yet
};

/// The values of both variants where the larger one is worse. A drop in the quick measurement is measured again.
using drop = std::optional<std::pair<double, double>>;

drop drop_of(const std::function<std::pair<double, double>(const effort&)>& measure_both, bool more_is_better) {
  const auto worse = [&](std::pair<double, double> f, double noise) {
    return more_is_better ? f.second < (1 - noise) * f.first : f.second > (1 + noise) * f.first;
  };
  if (!worse(measure_both(Quick), QuickNoise)) return std::nullopt;
  const auto found = measure_both(Thorough);
  return worse(found, Noise) ? drop(found) : std::nullopt;
}

/// Drops by measured quantity.
std::map<std::string, drop> compare(measured& less, measured& more) {
  const double load = 0.85 * std::min(less.saturation(Quick), more.saturation(Quick));
  return {
      {"saturation",
       drop_of([&](const effort& e) { return std::make_pair(less.saturation(e), more.saturation(e)); }, true)},
      {"full load",
       drop_of([&](const effort& e) { return std::make_pair(less.full_load(e), more.full_load(e)); }, true)},
      {"latency",
       drop_of([&](const effort& e) { return std::make_pair(less.at(load, e).latency, more.at(load, e).latency); },
               false)},
  };
}

/// The first columns of the rows of exceptions in the page.
std::set<std::string> listed_exceptions() {
  std::ifstream in(WEFT_SOURCE_DIR "/docs/03_reference/networks.md");
  std::set<std::string> rows;
  std::string line;
  while (std::getline(in, line) && line != "## More of everything") {
  }
  while (std::getline(in, line)) {
    if (line.find(" → ") == std::string::npos || line.front() != '|') continue;
    std::size_t end = 0;
    for (unsigned column = 0; column < 5; ++column) end = line.find('|', end) + 1;
    rows.insert(line.substr(0, end));
  }
  return rows;
}

/// Everything that degrades with more of a resource, and everything that was compared, as first columns of rows.
struct comparison {
  std::set<std::string> worse, compared;
};

comparison compare_all(const std::string& network, const std::string& resource, bool long_ones) {
  comparison all;
  for (const subject& s : subjects()) {
    if (s.network != network) continue;
    const step_list list = steps_of(s, resource, long_ones);
    std::vector<measured> steps;
    for (const hardware& h : list) steps.emplace_back(s, h, 4);
    for (std::size_t i = 1; i < steps.size(); ++i) {
      for (const auto& [what, found] : compare(steps[i - 1], steps[i])) {
        const std::string row = fmt::format("| {} | `{}` | {} {} → {} | {} |", network, s.routing, resource,
                                            number_of(list[i - 1], resource), number_of(list[i], resource), what);
        all.compared.insert(row);
        if (!found) continue;
        all.worse.insert(row);
        fmt::print("{} {:.3f} | {:.3f} |\n", row, found->first, found->second);
      }
    }
  }
  return all;
}

class system_resources : public testing::TestWithParam<std::tuple<const char*, const char*, bool>> {};

TEST_P(system_resources, adding_resources_worsens_no_result_except_as_documented) {
  const auto [network, resource, long_ones] = GetParam();
  const comparison found = compare_all(network, resource, long_ones);
  EXPECT_GT(found.compared.size(), 2U);
  std::set<std::string> expected;
  for (const std::string& row : listed_exceptions())
    if (found.compared.count(row) > 0) expected.insert(row);
  EXPECT_EQ(found.worse, expected);
}

const char* const Networks[] = {"mesh 4x4",      "torus 4x4",  "ring 8",  "ring 8, one-way", "hypercube 4",
                                "fat tree 4, 4", "rings 4, 4", "Octagon", "random 16",       "dragonfly 20"};
const char* const Resources[] = {"VCs", "depth", "ports"};

INSTANTIATE_TEST_SUITE_P(networks, system_resources,
                         testing::Combine(testing::ValuesIn(Networks), testing::ValuesIn(Resources),
                                          testing::Values(false)));
INSTANTIATE_TEST_SUITE_P(soak, system_resources,
                         testing::Combine(testing::ValuesIn(Networks), testing::ValuesIn(Resources),
                                          testing::Values(true)));

}  // namespace
}  // namespace weft
