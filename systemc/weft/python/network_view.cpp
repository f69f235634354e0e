// SPDX-License-Identifier: Apache-2.0
#include "weft/python/network_view.h"

#include <utility>

#include <pybind11/stl.h>

#include "weft/configuration/network.h"
#include "weft/python/arrays.h"
#include "weft/report/json_text.h"
#include "weft/simulation/expected_traffic.h"
#include "weft/topology/analysis/metrics.h"
#include "weft/topology/files/export.h"

namespace weft::python {

using namespace experiment;

network_view::network_view(shared_configuration c)
    : m_configuration(std::move(c)), m_graph(build_network(*m_configuration)), m_loads(find_loads(m_graph)) {}

std::vector<link_row> network_view::links() const {
  std::vector<link_row> rows;
  for (const channel& c : m_graph.channels)
    rows.push_back({c.from.router, c.from.port, c.to.router, c.to.port, c.cycles, c.phits});
  return rows;
}

std::vector<node_row> network_view::nodes() const {
  std::vector<node_row> rows;
  for (std::uint32_t n = 0; n < m_graph.nodes.size(); ++n)
    for (const port_ref& port : m_graph.nodes[n].ports)
      rows.push_back({n, port.router, port.port, m_graph.nodes[n].cycles});
  return rows;
}

std::vector<channel_vc> network_view::dependency_cycle() const {
  if (!config().routing.allow_deadlock) return {};  // build_network() has rejected networks that can deadlock
  return find_dependency_cycle(m_graph, config().router);
}

namespace {

/// Adds the expected traffic of the pattern, if the workload has one.
void add_traffic(const network_view& n, py::dict& all) {
  const configuration& c = n.config();
  if (!has_pattern(c)) return;
  const expected_traffic e = expect_traffic(c, n.graph(), n.loads());
  all["pattern_ideal_throughput"] = e.ideal_throughput;
  all["pattern_limit"] = e.limit;
  all["offered"] = e.offered;
  py::dict parts;
  parts["injection"] = e.zero_load.injection;
  parts["routers"] = e.zero_load.routers;
  parts["arrival"] = e.zero_load.arrival;
  parts["links"] = e.zero_load.links;
  parts["ejection"] = e.zero_load.ejection;
  parts["serialisation"] = e.zero_load.serialisation;
  all["zero_load_latency"] = e.zero_load.sum();
  all["zero_load_parts"] = parts;
}

/// The metrics that `weft topology` prints.
py::dict metrics_of(const network_view& n) {
  const topology_metrics f = compute_metrics(n.graph(), n.loads(), n.config().workload.pattern.to_self);
  py::dict all;
  all["routers"] = f.routers;
  all["nodes"] = f.nodes;
  all["links"] = f.channels;
  all["min_degree"] = f.min_degree;
  all["max_degree"] = f.max_degree;
  all["diameter"] = f.diameter;
  all["mean_distance"] = f.mean_distance;
  all["mean_route"] = f.mean_route_length;
  all["is_sampled"] = f.distance_sources != 0 || f.route_destinations != 0;
  all["bisection"] = f.bisection_channels;
  all["bisection_method"] = f.bisection_method;
  all["ideal_throughput"] = f.ideal_throughput;
  all["throughput_method"] = f.throughput_method;
  all["accepted_bound"] = f.accepted_bound;
  add_traffic(n, all);
  all["vcs_needed"] = least_vcs_of(n.config(), n.graph());
  return all;
}

py::list routers_of(const topology& graph) {
  py::list all;
  for (const router_info& r : graph.routers) all.append(py::make_tuple(r.name, r.coordinates, r.port_names));
  return all;
}

}  // namespace

void add_network_view(py::module_& m) {
  PYBIND11_NUMPY_DTYPE(link_row, from_router, from_port, to_router, to_port, cycles, phits);
  PYBIND11_NUMPY_DTYPE(node_row, node, router, port, cycles);
  py::class_<network_view>(m, "NetworkView")
      .def(py::init([](const shared_configuration& c) {
        const py::gil_scoped_release unlocked;
        return std::make_unique<network_view>(c);
      }))
      .def("shape", [](const network_view& n) { return n.graph().shape; })
      .def("description", [](const network_view& n) { return describe(n.graph()); })
      .def("routers", [](const network_view& n) { return routers_of(n.graph()); })
      .def("links", [](const network_view& n) { return to_array(n.links()); })
      .def("nodes", [](const network_view& n) { return to_array(n.nodes()); })
      .def("loads", [](const network_view& n) { return to_array(n.loads().channels); })
      .def("metrics", &metrics_of)
      .def("route", [](const network_view& n, node_id a, node_id b) { return to_array(route_path(n.graph(), a, b)); })
      .def("dependency_cycle", [](const network_view& n) { return lines_of_cycle(n.graph(), n.dependency_cycle()); })
      .def("json", [](const network_view& n) { return to_text(to_json(n.graph())); });
}

}  // namespace weft::python
