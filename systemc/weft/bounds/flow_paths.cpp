// SPDX-License-Identifier: Apache-2.0
#include "weft/bounds/flow_paths.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "weft/core/members.h"
#include "weft/core/path_ids.h"
#include "weft/core/routing.h"
#include "weft/core/vc_classes.h"

namespace weft {

namespace {

/// Follows the packets of a flow from router to router.
class path_walk {
 public:
  path_walk(const topology& graph, const wiring& wires, const router_parameters& router, const regulated_flow& f)
      : m_graph(graph), m_wires(wires), m_class_vcs(vcs_of_class(router)), m_flow(f) {}

  flow_path find() {
    const node_attachment& source = m_graph.nodes[m_flow.source];
    m_path.in_cycles = source.cycles;
    if (source.ports.size() > 1)
      give_up("its source has several ports");
    else if (m_class_vcs > 1)
      give_up(fmt::format("its message class has {} VCs", m_class_vcs));
    else if (source.path_ids.drawn())
      give_up("its source selects paths at random");
    else
      follow(source);
    return std::move(m_path);
  }

 private:
  void give_up(const std::string& why) {
    m_path.hops.clear();
    m_path.why_not = why;
  }

  void follow(const node_attachment& source) {
    m_path_id = source.path_ids(m_flow.destination, 0);
    flow_hop at;
    at.router = source.ports.front().router;
    at.in_port = source.ports.front().port;
    at.in_vc = m_flow.message_class;
    while (find_output(at)) {
      m_path.hops.push_back(at);
      const port_end next = m_wires.output({at.router, at.out_port});
      if (next.what != port_end::kind::Channel) return;
      const port_ref to = m_graph.channels[next.index].to;
      at.router = to.router;
      at.in_port = to.port;
      at.in_vc = at.out_vc;
    }
  }

  /// Finds how the packets leave router \p at. Returns false if they have no single path.
  bool find_output(flow_hop& at) {
    const route_rule& rule = m_graph.routing[at.router];
    const route r = route_in_class(rule, {at.in_port, at.in_vc, m_flow.destination, m_path_id}, m_class_vcs);
    if (rule.consumes_path()) m_path_id = source_path::advance(m_path_id);
    const port_end next = m_wires.output({at.router, r.port});
    if (r.adaptive())
      give_up(fmt::format("its routes are adaptive in router {}", at.router));
    else if (count_members(r.vcs) != 1)
      give_up(fmt::format("it may use several VCs behind router {}", at.router));
    else if (next.what == port_end::kind::Nothing || m_path.hops.size() > m_graph.channels.size())
      give_up(fmt::format("its path does not reach its destination from router {}", at.router));
    if (!m_path.why_not.empty()) return false;
    at.out_port = r.port;
    at.out_vc = lowest(r.vcs);
    at.out_cycles =
        next.what == port_end::kind::Node ? m_graph.nodes[next.index].cycles : m_graph.channels[next.index].cycles;
    return true;
  }

  const topology& m_graph;
  const wiring& m_wires;
  const unsigned m_class_vcs;
  const regulated_flow& m_flow;
  std::uint64_t m_path_id = 0;
  flow_path m_path;
};

}  // namespace

flow_path find_flow_path(const topology& graph, const wiring& wires, const router_parameters& router,
                         const regulated_flow& f) {
  return path_walk(graph, wires, router, f).find();
}

}  // namespace weft
