// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/verilog_rules.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/vc_classes.h"
#include "weft/topology/files/verilog.h"
#include "weft/topology/names.h"
#include "weft/topology/path_id_count.h"

namespace weft {
namespace {

// As in weft_pkg.
constexpr unsigned CoordinateBits = 16, SourcePathIdBits = 64;
// Verilator and Yosys accept wider constants, but take unreasonably long.
constexpr std::size_t MaxTableBits = 1 << 20;
constexpr std::size_t MaxLiteralBits = 1 << 16;

[[noreturn]] void reject_rule(const topology& t, router_id r, const std::string& why) {
  throw verilog_error("network.routing.algorithm",
                      fmt::format("the RTL of {} cannot be generated: {}; use another network.routing.algorithm",
                                  router_name(t, r), why));
}

bool are_lowest(vc_set vcs) { return vcs != 0 && (vcs & (vcs + 1)) == 0; }

unsigned count_of(vc_set vcs) { return static_cast<unsigned>(__builtin_popcount(vcs)); }

/// Whether weft_grid_route implements the rule.
bool is_plain_grid(const grid_rule& rule) {
  std::uint64_t stride = 1;
  for (unsigned d = 0; d < rule.dimensions; ++d) {
    if (rule.size[d] >= 1U << CoordinateBits || rule.stride[d] != stride) return false;
    stride *= rule.size[d];
  }
  return rule.algorithm == grid_algorithm::DimensionOrder && are_lowest(rule.vcs);
}

/// Coordinates or sizes of a grid, dimension 0 in the lowest bits; \p fill for missing dimensions.
std::string coordinates_literal(const grid_rule& rule, const grid_rule::coordinates& values, unsigned fill) {
  std::string text = "64'h";
  for (unsigned d = grid_rule::MaxDimensions; d-- > 0;)
    text += fmt::format("{:04x}{}", d < rule.dimensions ? values[d] : fill, d > 0 ? "_" : "");
  return text;
}

verilog_rule grid_text(const grid_rule& rule) {
  std::string order;
  for (unsigned i = grid_rule::MaxDimensions; i-- > 0;)
    order += fmt::format("{:02b}{}", i < rule.dimensions ? unsigned{rule.order[i]} : i, i > 0 ? "_" : "");
  verilog_rule made;
  made.parameters = fmt::format(
      "    .Rule       (weft_pkg::RuleGrid),\n    .UsableVcs  ({}),\n    .Dimensions ({}),\n    .Sizes      ({}),\n"
      "    .Order      (8'b{}),\n    .Rings      ({}),\n    .OneWay     ({}),\n    .Nodes      ({}),\n"
      "    .LocalPorts ({})\n",
      count_of(rule.vcs), rule.dimensions, coordinates_literal(rule, rule.size, 1), order, rule.rings ? 1 : 0,
      rule.one_way ? 1 : 0, rule.nodes, rule.local_ports);
  made.constant = coordinates_literal(rule, rule.here, 0);
  return made;
}

/// A router of a fat tree: constants that its level shares are parameters.
verilog_rule tree_text(const tree_rule& rule, std::size_t nodes) {
  verilog_rule made;
  made.parameters = fmt::format(
      "    .Rule          (weft_pkg::RuleTree),\n    .UsableVcs     ({}),\n    .Destinations  ({}),\n"
      "    .Children      ({}),\n    .Span          ({}),\n    .ChildPorts    ({}),\n    .Parents       ({}),\n"
      "    .Divisor       ({}),\n    .AscentByPathId({})\n",
      count_of(rule.vcs), nodes, rule.children, rule.span, rule.child_ports, rule.parents, rule.divisor,
      rule.up == ascent::Random ? 1 : 0);
  made.constant = fmt::format("{}'d{}", NodeBits, rule.first);
  return made;
}

verilog_rule cube_text(const cube_rule& rule) {
  return {fmt::format("    .Rule       (weft_pkg::RuleCube),\n    .UsableVcs  ({}),\n    .Dimensions ({}),\n"
                      "    .Nodes      ({}),\n    .LocalPorts ({})\n",
                      count_of(rule.vcs), rule.dimensions, rule.nodes, rule.local_ports),
          fmt::format("{}'d{}", rule.dimensions, rule.here)};
}

/// A literal of any length, filled from the lowest bit.
class literal {
 public:
  void put(unsigned count, std::uint64_t value) {
    for (unsigned bit = 0; bit < count; ++bit) {
      if (m_bits % 4 == 0) m_digits.push_back(0);
      m_digits.back() |= static_cast<unsigned>(value >> bit & 1) << m_bits % 4;
      ++m_bits;
    }
  }
  std::string text() const {
    std::string digits;
    for (auto digit = m_digits.rbegin(); digit != m_digits.rend(); ++digit) digits += fmt::format("{:x}", *digit);
    return fmt::format("{}'h{}", m_bits, digits);
  }

 private:
  std::vector<unsigned> m_digits;  ///< hexadecimal, lowest digit first
  unsigned m_bits = 0;
};

/// A table: one row if all input VCs use the same, otherwise one for each; with path ids, one for each of these.
verilog_rule table_text(const topology& t, router_id r, const router_parameters& router) {
  const route_rule& rule = t.routing[r];
  const unsigned ports = t.routers[r].ports, class_vcs = vcs_of_class(router), port_bits = bits_for(ports);
  const auto nodes = static_cast<node_id>(t.nodes.size());
  const std::uint64_t path_id_count = count_path_ids(t);
  const std::size_t row_bits = std::size_t{nodes} * (port_bits + class_vcs);
  const auto demand_bits = [&](std::size_t rows) {
    if (row_bits > MaxLiteralBits || row_bits * rows > MaxTableBits)
      throw verilog_error(
          "network.routing.algorithm",
          fmt::format(
              "the RTL of {} would have a table of {} bits, more than {}; make network.topology smaller, or use "
              "dimension_order or source as network.routing.algorithm",
              router_name(t, r), row_bits * rows, MaxTableBits));
  };
  demand_bits(path_id_count);
  const auto rows_of = [&](unsigned port, unsigned vc) {
    std::vector<std::string> rows;
    for (std::uint64_t path_id = 0; path_id < path_id_count; ++path_id) {
      literal row;
      for (node_id n = 0; n < nodes; ++n) {
        const route to = rule.answer({port, vc % class_vcs, n, path_id});
        row.put(class_vcs, to.vcs);
        row.put(port_bits, to.port);
      }
      rows.push_back(row.text());
    }
    return rows;
  };
  const std::vector<std::string> first = rows_of(0, 0);
  std::vector<std::string> rows;
  bool by_input = false;
  for (unsigned port = 0; port < ports; ++port)
    for (unsigned vc = 0; vc < router.vcs; ++vc) {
      const std::vector<std::string> own = rows_of(port, vc);
      by_input |= own != first;
      rows.insert(rows.end(), own.begin(), own.end());
    }
  if (!by_input) rows = first;
  demand_bits(rows.size());
  std::reverse(rows.begin(), rows.end());
  verilog_rule made;
  made.parameters = fmt::format(
      "    .Rule        (weft_pkg::RuleTable),\n    .Destinations({}),\n    .RowsByInput ({}),\n"
      "    .Ways        ({})\n",
      nodes, by_input ? 1 : 0, path_id_count);
  made.constant = fmt::format("{{\n      {}}}", fmt::join(rows, ",\n      "));
  return made;
}

verilog_rule source_text(const topology& t, router_id r, const source_rule& rule) {
  if (!are_lowest(rule.vcs)) reject_rule(t, r, "source routing uses VCs other than the lowest");
  return {fmt::format("    .Rule       (weft_pkg::RuleSource),\n    .UsableVcs  ({})\n", count_of(rule.vcs)), "1'b0"};
}

bool is_source(const route_rule& rule) { return rule.as<source_rule>() != nullptr; }

}  // namespace

std::vector<verilog_rule> verilog_rules(const topology& t, const router_parameters& router) {
  std::vector<verilog_rule> rules;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const route_rule& rule = t.routing[r];
    if (rule.adaptive()) reject_rule(t, r, "there is no RTL of adaptive routing");
    const auto* grid = rule.as<grid_rule>();
    const auto* tree = rule.as<tree_rule>();
    const auto* cube = rule.as<cube_rule>();
    if (const auto* source = rule.as<source_rule>())
      rules.push_back(source_text(t, r, *source));
    else if (grid != nullptr && is_plain_grid(*grid))
      rules.push_back(grid_text(*grid));
    else if (tree != nullptr && are_lowest(tree->vcs))
      rules.push_back(tree_text(*tree, t.nodes.size()));
    else if (cube != nullptr && are_lowest(cube->vcs))
      rules.push_back(cube_text(*cube));
    else
      rules.push_back(table_text(t, r, router));
  }
  return rules;
}

unsigned bits_for(unsigned count) {
  unsigned bits = 1;
  while (1U << bits < count) ++bits;
  return bits;
}

unsigned verilog_path_id_bits(const topology& t) {
  if (std::any_of(t.routing.begin(), t.routing.end(), is_source)) return SourcePathIdBits;
  return bits_for(static_cast<unsigned>(std::min<std::uint64_t>(count_path_ids(t), MaxTableBits)));
}

}  // namespace weft
