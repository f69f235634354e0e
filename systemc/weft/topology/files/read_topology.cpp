// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/read_topology.h"

#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/file/form.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/files/network_builder.h"
#include "weft/topology/files/yaml_graph.h"
#include "weft/topology/files/yaml_routing.h"
#include "weft/topology/routing/too_large_to_route.h"

namespace weft {
namespace {

constexpr const char* Format = "weft-topology-1";

/// Rejects \p text if it is in a known other format, and names that format. \throws input_error
void reject_other_format(const std::string& text, const std::string& file) {
  const file_form form = form_of(text);
  const auto reject = [&](const std::string& remedy) {
    throw input_error({{file, fmt::format("the file is {}; {}", name_of(form), remedy)}});
  };
  constexpr const char* Expected = "expected a network in Weft's own format (YAML or JSON), GraphML or Graphviz DOT";
  if (form == file_form::GraphMl) reject("give it a name that ends in .graphml");
  if (form == file_form::Dot) reject("give it a name that ends in .dot");
  if (form == file_form::BookSimNetwork) reject(fmt::format("{}; `weft import` converts it", Expected));
  if (form != file_form::Other) reject(Expected);
}

}  // namespace

topology read_topology(const std::string& text, const std::string& file, const read_options& options) {
  yaml_errors errors(file);
  const std::optional<YAML::Node> root = parse_yaml(text, errors);
  if (!root || !root->IsMap()) reject_other_format(text, file);
  errors.throw_if_any();
  if (is_nothing(*root)) {
    errors.add({}, fmt::format("the file is empty; expected a topology, which begins with 'format: {}'", Format));
    errors.throw_if_any();
  }
  const yaml_section top(
      errors, *root, "",
      {"format", "kind", "algorithm", "shape", "width", "routers", "links", "channels", "nodes", "routing"},
      "topology");
  if (top.need("format") && top.text("format") != Format)
    errors.add(top.mark_of("format"), fmt::format("format: expected {}, got {}", Format, shown(top["format"])));
  yaml_graph graph(errors, options);
  graph.read(top);

  topology t = graph.take();
  t.kind = top.has("kind") ? top.text("kind") : "custom";
  for (const std::uint64_t side : top.numbers("shape", std::numeric_limits<std::uint32_t>::max()))
    t.shape.push_back(static_cast<std::uint32_t>(side));
  try {
    expect_filled(t.shape, t.routers.size());
  } catch (const std::invalid_argument& e) {
    errors.add(top.mark_of("shape"), e.what());
  }
  try {
    read_routing(t, top, graph, options);
    errors.throw_if_any();
    check_structure(t, options.vcs);
  } catch (const input_error&) {
    throw;
  } catch (const too_large_to_route& e) {
    throw unrouted_network({{errors.place(top.mark_of("routing")), e.what()}}, std::move(t));
  } catch (const std::exception& e) {
    errors.add(top.mark_of("routing"), e.what());
  }
  errors.throw_if_any();
  return t;
}

}  // namespace weft
