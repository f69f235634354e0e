// SPDX-License-Identifier: Apache-2.0
#include "weft/bounds/queue_network.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "weft/core/router_pipeline.h"

namespace weft {

namespace {

/// What the flows of a network use of one router port.
struct port_use {
  std::set<unsigned> in_vcs, out_vcs;                 ///< VCs of the input port, of the output port
  std::set<unsigned> in_ports;                        ///< input ports that send to the output port
  std::map<unsigned, std::set<unsigned>> outputs_of;  ///< by VC of the input port: the output ports that it sends to
};

using port_key = std::pair<router_id, unsigned>;

std::map<port_key, port_use> use_of_ports(const std::vector<flow_path>& paths) {
  std::map<port_key, port_use> use;
  for (const flow_path& path : paths) {
    for (const flow_hop& hop : path.hops) {
      port_use& in = use[{hop.router, hop.in_port}];
      in.in_vcs.insert(hop.in_vc);
      in.outputs_of[hop.in_vc].insert(hop.out_port);
      port_use& out = use[{hop.router, hop.out_port}];
      out.out_vcs.insert(hop.out_vc);
      out.in_ports.insert(hop.in_port);
    }
  }
  return use;
}

/// The longest time that an input port which requests an output port in every cycle waits for a grant: the round-robin
/// arbiter of the output port serves each of the others once. No more of them request it than hold one of its VCs.
cycle_t output_wait(const port_use& output) { return std::min(output.in_ports.size(), output.out_vcs.size()); }

class queue_builder {
 public:
  queue_builder(const topology& graph, const router_parameters& router, const nic_parameters& nic,
                const std::vector<regulated_flow>& flows, const std::vector<flow_path>& paths)
      : m_graph(graph), m_router(router), m_nic(nic), m_flows(flows), m_paths(paths), m_use(use_of_ports(paths)) {}

  queue_network build() {
    for (std::size_t f = 0; f < m_flows.size(); ++f) {
      m_made.first.push_back(m_made.visits.size());
      if (!m_paths[f].hops.empty()) add_visits(f);
    }
    m_made.first.push_back(m_made.visits.size());
    for (std::size_t v = 0; v < m_made.visits.size(); ++v) m_made.queues[m_made.visits[v].queue].visits.push_back(v);
    return std::move(m_made);
  }

 private:
  /// The queues of a router are numbered by input port and VC. The source queues follow the routers.
  using queue_key = std::tuple<std::size_t, unsigned, unsigned>;

  queue_index queue_of(const queue_key& key, bool at_source) {
    const auto [found, is_new] = m_queue_of.emplace(key, static_cast<queue_index>(m_made.queues.size()));
    if (is_new) m_made.queues.push_back({at_source, at_source ? 0 : m_router.depth, {}});
    return found->second;
  }

  /// The output \p key, for which the next visit, of queue \p q, competes.
  std::size_t output_at(const queue_key& key, queue_index q) {
    const auto [found, is_new] = m_output_at.emplace(key, m_made.outputs.size());
    if (is_new) m_made.outputs.emplace_back();
    std::vector<output_share>& shares = m_made.outputs[found->second];
    auto own = std::find_if(shares.begin(), shares.end(), [q](const output_share& s) { return s.queue == q; });
    if (own == shares.end()) own = shares.insert(own, {q, {}});
    own->visits.push_back(m_made.visits.size());
    return found->second;
  }

  void add_visits(std::size_t f) {
    const flow_path& path = m_paths[f];
    const regulated_flow& flow = m_flows[f];
    const std::size_t beyond_routers = m_graph.routers.size() + flow.source;
    const unsigned source_queue = m_nic.queues == source_queues::PerClass ? flow.message_class : 0;
    queue_visit v;
    v.flow = f;
    v.queue = queue_of({beyond_routers, 0, source_queue}, true);
    v.output = output_at({beyond_routers, 0, 0}, v.queue);
    v.out_cycles = 1 + path.in_cycles;
    v.credit_cycles = 1 + path.in_cycles;
    m_made.visits.push_back(v);
    const unsigned crossing = router_pipeline(m_router).crossbar_cycles();
    for (const flow_hop& hop : path.hops) {
      const queue_visit& before = m_made.visits.back();
      queue_visit here;
      here.flow = f;
      here.queue = queue_of({hop.router, hop.in_port, hop.in_vc}, false);
      here.in_cycles = before.out_cycles;
      m_made.visits.back().next = here.queue;
      here.output = output_at({hop.router, hop.out_port, hop.out_vc}, here.queue);
      here.out_cycles = crossing + 1 + hop.out_cycles;
      here.credit_cycles = 1 + hop.out_cycles;
      set_switch_wait(here, hop);
      m_made.visits.push_back(here);
    }
  }

  /// With a single VC in use, an input port requests the output port of its flit in every cycle until it gets a grant.
  /// With two VCs, the other VC y may go first: for each of its other output ports at most twice, and once for the same
  /// output port, since the pointer of the input port then prefers this VC. Each time, the wait for the output port
  /// begins again. With more VCs, two of them can go first in turn many times.
  void set_switch_wait(queue_visit& v, const flow_hop& hop) const {
    const port_use& in = m_use.at({hop.router, hop.in_port});
    const cycle_t own = output_wait(m_use.at({hop.router, hop.out_port}));
    v.switch_wait = own;
    v.unlimited = in.in_vcs.size() > 2;
    if (in.in_vcs.size() != 2) return;
    const unsigned other = *in.in_vcs.begin() == hop.in_vc ? *in.in_vcs.rbegin() : *in.in_vcs.begin();
    cycle_t longest = own, turns = 0;
    for (const unsigned port : in.outputs_of.at(other)) {
      longest = std::max(longest, output_wait(m_use.at({hop.router, port})));
      turns += port == hop.out_port ? 1 : 2;
    }
    v.switch_wait = turns * (longest + own - 1) + own;
  }

  const topology& m_graph;
  const router_parameters& m_router;
  const nic_parameters& m_nic;
  const std::vector<regulated_flow>& m_flows;
  const std::vector<flow_path>& m_paths;
  const std::map<port_key, port_use> m_use;
  std::map<queue_key, queue_index> m_queue_of;
  std::map<queue_key, std::size_t> m_output_at;
  queue_network m_made;
};

}  // namespace

queue_network build_queues(const topology& graph, const router_parameters& router, const nic_parameters& nic,
                           const std::vector<regulated_flow>& flows, const std::vector<flow_path>& paths) {
  return queue_builder(graph, router, nic, flows, paths).build();
}

}  // namespace weft
