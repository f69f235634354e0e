// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/verilog.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/escape.h"
#include "weft/router/allocator_kinds.h"
#include "weft/router/rtl_choices.h"
#include "weft/topology/files/verilog_constraints.h"
#include "weft/topology/files/verilog_nics.h"
#include "weft/topology/files/verilog_rules.h"
#include "weft/topology/names.h"

namespace weft {
namespace {

std::string identifier(std::string name) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(0, "n");
  return name;
}

/// The numbers of weft_pkg. Kinds without RTL are rejected before.
unsigned rtl_number(allocator_kind kind) { return static_cast<unsigned>(kind); }
static_assert(static_cast<unsigned>(allocator_kind::SeparableInputFirst) == 0 &&
              static_cast<unsigned>(allocator_kind::SeparableOutputFirst) == 1 &&
              static_cast<unsigned>(allocator_kind::Islip) == 2 &&
              static_cast<unsigned>(allocator_kind::Wavefront) == 3 &&
              static_cast<unsigned>(allocator_kind::WavefrontFair) == 4);
/// Other arbiters than these two remain only where an allocator does not use them.
unsigned rtl_number(arbiter_kind kind) { return kind == arbiter_kind::Matrix ? 1 : 0; }

/// One end of a channel or of a node's channels: the wire names in the top.
struct wires {
  std::string flit, credit;
};

class top_writer {
 public:
  top_writer(const topology& t, const verilog_options& options)
      : m_topology(t), m_options(options), m_name(identifier(options.name)) {
    for (const router_info& r : t.routers) {
      m_used.push_back({std::vector<bool>(r.ports), std::vector<bool>(r.ports)});
      m_phits.emplace_back(r.ports, 1);
    }
    for (const channel& c : t.channels) m_phits[c.from.router][c.from.port] = c.phits;
    for (const node_attachment& node : t.nodes) m_node_ports += node.ports.size();
  }

  verilog_network write() {
    verilog_network made;
    made.name = m_name;
    made.package = package();
    made.top = top();
    if (m_options.nics != verilog_nics::None) made.nics = nics_to_verilog(m_topology, m_options, m_name);
    made.outer = made.nics.empty() ? m_name : m_name + "_with_nics";
    made.constraints = constraints_of(made.outer, made.nics.empty() ? made.top : made.nics);
    made.list = fmt::format(
        "// {1}, made by weft topology --verilog. WEFT_RTL is the folder rtl of Weft:\n"
        "//   WEFT_RTL=… verilator --lint-only -F {0}.f --top-module {1}\n"
        "-F ${{WEFT_RTL}}/files.f\n{0}_pkg.sv\n{0}.sv\n",
        m_name, made.outer);
    if (!made.nics.empty()) made.list += made.outer + ".sv\n";
    return made;
  }

 private:
  /// The ports of a router that have an incoming channel, and those that have an outgoing one.
  struct ends {
    std::vector<bool> in, out;
  };

  /// "mesh 3x3, dimension_order, 9 routers".
  std::string title() const {
    const topology& t = m_topology;
    return comment_text(fmt::format("{}{}{}, {}, {} routers", t.kind, t.shape.empty() ? "" : " ",
                                    fmt::join(t.shape, "x"), t.algorithm, t.routers.size()));
  }

  unsigned output_depth() const { return std::max(m_options.router.depth, m_options.nic.ejection_depth); }

  std::string package() const {
    const router_parameters& r = m_options.router;
    std::string text = fmt::format(
        "// Parameters of {0}, made by weft topology --verilog: {1}.\n`default_nettype none\n\n"
        "package {0}_pkg;\n\n  // verilator lint_off UNUSEDPARAM\n",
        m_name, title());
    const auto number = [&text](const char* name, std::uint64_t value, const char* what) {
      text += fmt::format("  /// {}.\n  localparam int unsigned {} = {};\n", what, name, value);
    };
    const auto allocator = [&number](const std::string& name, const allocator_parameters& p, const std::string& what) {
      number((name + "Allocator").c_str(), rtl_number(p.kind), ("Kind of the " + what + ", see weft_pkg").c_str());
      number((name + "Arbiter").c_str(), rtl_number(p.arbiter), "Its arbiters, see weft_pkg");
      number((name + "Iterations").c_str(), p.iterations, "Its iterations, if it is islip");
    };
    number("Routers", m_topology.routers.size(), "Routers of the network");
    number("Nodes", m_topology.nodes.size(), "Nodes: destinations of packets");
    number("NodePorts", m_node_ports, "Ports of all nodes together; see the top for their order");
    number("Vcs", r.vcs, "Virtual channels of a port");
    number("Classes", r.classes, "Classes of packets, which divide them");
    number("Depth", r.depth, "Flits that a VC of a router's input port holds: credits that a sender begins with");
    number("EjectionDepth", m_options.nic.ejection_depth,
           "Flits that a VC of a node's receiver must hold; 0: it takes every flit at once and returns no credits");
    number("OutputDepth", output_depth(), "The larger of the two");
    number("Pipeline", r.pipeline, "S: cycles from a head's arrival to the output register of a router");
    number("CutThrough", r.flow == flow_control::VirtualCutThrough ? 1 : 0, "1: virtual cut-through; 0: wormhole");
    allocator("Vc", r.vc_allocator, "VC allocator");
    allocator("Switch", r.switch_allocator, "switch allocator");
    number("Words", m_options.payload_bits / 32, "Words of 32 bits that a flit carries");
    number("Code", m_options.nic.coding.enabled ? 1 : 0, "1: flits carry the code of XOR stages");
    number("PathIdBits", verilog_path_id_bits(m_topology), "Bits of the way");
    return text + "  // verilator lint_on UNUSEDPARAM\n\nendpackage\n\n`default_nettype wire\n";
  }

  std::string top() {
    std::string text = fmt::format(Head, m_name, title(), order_of_nodes());
    for (router_id r = 0; r < m_topology.routers.size(); ++r) text += declaration(r);
    text += "\n";
    for (const channel& c : m_topology.channels) text += join(c);
    std::size_t number = 0;
    for (node_id n = 0; n < m_topology.nodes.size(); ++n)
      for (const port_ref& at : m_topology.nodes[n].ports) text += attach(n, at, number++);
    const std::vector<verilog_rule> rules = verilog_rules(m_topology, m_options.router);
    for (router_id r = 0; r < m_topology.routers.size(); ++r) text += tie_off(r) + instance(r, rules[r]);
    return text + "\nendmodule\n\n`default_nettype wire\n";
  }

  static constexpr const char* Head = R"(// {0}, made by weft topology --verilog: {1}.
//
// Every port of a node has the wires of its channel to the router: flit_i with credit_o back, flit_o with credit_i
// back. weft_pkg says what they hold, docs/03_reference/router.md of Weft when. {2}
`default_nettype none

module {0} #(
  /// Bits that senders choose and the network carries unread beside every flit.
  parameter int unsigned UserBits = 0,
  // Derived, not to be set.
  localparam int unsigned VcBits = {0}_pkg::Vcs > 1 ? $clog2({0}_pkg::Vcs) : 1,
  localparam int unsigned DataBits = weft_pkg::data_bits({0}_pkg::Words, {0}_pkg::Code, UserBits),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, {0}_pkg::PathIdBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic [{0}_pkg::NodePorts*FlitBits-1:0]   flit_i,
  output logic      [{0}_pkg::NodePorts*CreditBits-1:0] credit_o,
  output logic      [{0}_pkg::NodePorts*FlitBits-1:0]   flit_o,
  input  wire logic [{0}_pkg::NodePorts*CreditBits-1:0] credit_i
);

  localparam int unsigned DepthBits = $clog2({0}_pkg::OutputDepth + 1);

)";

  std::string order_of_nodes() const {
    if (m_node_ports == m_topology.nodes.size()) return "Node n has number n.";
    std::vector<std::size_t> first;
    std::size_t number = 0;
    for (const node_attachment& node : m_topology.nodes) {
      first.push_back(number);
      number += node.ports.size();
    }
    return fmt::format("Nodes have several ports,\n// one after the other; first ports: {}.", fmt::join(first, ", "));
  }

  static std::string slice(const std::string& vector, std::size_t port, const char* bits) {
    return fmt::format("{}[{}*{}+:{}]", vector, port, bits, bits);
  }
  static std::string flit(const std::string& vector, std::size_t port) { return slice(vector, port, "FlitBits"); }
  static std::string credit(const std::string& vector, std::size_t port) { return slice(vector, port, "CreditBits"); }
  static std::string wire_of(router_id r, const char* what) { return fmt::format("router_{}_{}", r, what); }

  std::string declaration(router_id r) const {
    const unsigned ports = m_topology.routers[r].ports;
    return fmt::format("  logic [{0}*FlitBits-1:0] {1}, {2};\n  logic [{0}*CreditBits-1:0] {3}, {4};\n", ports,
                       wire_of(r, "flit_in"), wire_of(r, "flit_out"), wire_of(r, "credit_in"),
                       wire_of(r, "credit_out"));
  }

  wires leaving(port_ref at) {
    m_used[at.router].out[at.port] = true;
    return {flit(wire_of(at.router, "flit_out"), at.port), credit(wire_of(at.router, "credit_in"), at.port)};
  }
  wires entering(port_ref at) {
    m_used[at.router].in[at.port] = true;
    return {flit(wire_of(at.router, "flit_in"), at.port), credit(wire_of(at.router, "credit_out"), at.port)};
  }

  /// A channel: flits from \p from to \p to and credits in return, with a link if its latency exceeds one cycle or if
  /// it is narrower than a flit.
  std::string connect(const std::string& name, const wires& from, const wires& to, unsigned cycles,
                      unsigned phits = 1) const {
    if (cycles == 1 && phits == 1)
      return fmt::format("  assign {} = {};\n  assign {} = {};\n", to.flit, from.flit, from.credit, to.credit);
    return fmt::format(R"(
  logic unused_busy_{0};
  weft_link #(
    .Stages    ({1}),
    .Phits     ({7}),
    .Vcs       ({2}_pkg::Vcs),
    .PathIdBits({2}_pkg::PathIdBits),
    .DataBits  (DataBits)
  ) u_{0} (
    .clk_i,
    .rst_ni,
    .flit_i  ({3}),
    .flit_o  ({4}),
    .credit_i({5}),
    .credit_o({6}),
    .busy_o  (unused_busy_{0})
  );
)",
                       name, cycles - 1, m_name, from.flit, to.flit, to.credit, from.credit, phits);
  }

  std::string join(const channel& c) {
    return connect(fmt::format("channel_{}_{}", c.from.router, c.from.port), leaving(c.from), entering(c.to), c.cycles,
                   c.phits);
  }

  std::string attach(node_id n, port_ref at, std::size_t number) {
    const unsigned cycles = m_topology.nodes[n].cycles;
    return connect(fmt::format("injection_{}", number), {flit("flit_i", number), credit("credit_o", number)},
                   entering(at), cycles) +
           connect(fmt::format("ejection_{}", number), leaving(at),
                   {flit("flit_o", number), credit("credit_i", number)}, cycles);
  }

  /// Ports without a channel: their inputs are constant, and their outputs are not read.
  std::string tie_off(router_id r) const {
    std::string text;
    std::vector<std::string> unread;
    for (unsigned port = 0; port < m_topology.routers[r].ports; ++port) {
      if (!m_used[r].in[port]) {
        text += fmt::format("  assign {} = '0;\n", flit(wire_of(r, "flit_in"), port));
        unread.push_back(credit(wire_of(r, "credit_out"), port));
      }
      if (!m_used[r].out[port]) {
        text += fmt::format("  assign {} = '0;\n", credit(wire_of(r, "credit_in"), port));
        unread.push_back(flit(wire_of(r, "flit_out"), port));
      }
    }
    if (!unread.empty())
      text += fmt::format("  logic unused_{0};\n  assign unused_{0} = &{{{1}}};\n", r, fmt::join(unread, ",\n    "));
    return text;
  }

  /// For each port, last port first, the depth of the downstream buffers.
  std::string depths_of(router_id r) const {
    std::vector<unsigned> depths(m_topology.routers[r].ports, m_options.router.depth);
    for (const node_attachment& node : m_topology.nodes)
      for (const port_ref& at : node.ports)
        if (at.router == r) depths[at.port] = m_options.nic.ejection_depth;
    std::vector<std::string> values;
    for (auto depth = depths.rbegin(); depth != depths.rend(); ++depth)
      values.push_back(fmt::format("DepthBits'({})", *depth));
    return fmt::format("{{{}}}", fmt::join(values, ", "));
  }

  /// For each port, last port first, the number of parts into which the channel behind it cuts a flit.
  std::string phits_of(router_id r) const {
    std::vector<std::string> values;
    for (auto phits = m_phits[r].rbegin(); phits != m_phits[r].rend(); ++phits)
      values.push_back(fmt::format("weft_pkg::PhitBits'({})", *phits));
    return fmt::format("{{{}}}", fmt::join(values, ", "));
  }

  /// "router 5 (1,1): ports local, +x".
  std::string names_of(router_id r) const {
    return comment_text(
        fmt::format("{}: ports {}", router_name(m_topology, r), fmt::join(m_topology.routers[r].port_names, ", ")));
  }

  std::string instance(router_id r, const verilog_rule& rule) const {
    const router_info& info = m_topology.routers[r];
    return fmt::format(R"(
  // {10}
  weft_router #(
    .Ports      ({1}),
    .Vcs        ({0}_pkg::Vcs),
    .Classes    ({0}_pkg::Classes),
    .Depth      ({0}_pkg::Depth),
    .OutputDepth({0}_pkg::OutputDepth),
    .Narrow     ({11}),
    .Pipeline   ({0}_pkg::Pipeline),
    .CutThrough ({0}_pkg::CutThrough),
    .VcAllocator({0}_pkg::VcAllocator),
    .VcArbiter  ({0}_pkg::VcArbiter),
    .VcIterations({0}_pkg::VcIterations),
    .SwitchAllocator({0}_pkg::SwitchAllocator),
    .SwitchArbiter({0}_pkg::SwitchArbiter),
    .SwitchIterations({0}_pkg::SwitchIterations),
    .Words      ({0}_pkg::Words),
    .Code       ({0}_pkg::Code),
    .UserBits   (UserBits),
    .PathIdBits ({0}_pkg::PathIdBits),
{2}  ) u_router_{3} (
    .clk_i,
    .rst_ni,
    .rule_i  ({4}),
    .depth_i ({5}),
    .phits_i ({12}),
    .flit_i  ({6}),
    .credit_o({7}),
    .flit_o  ({8}),
    .credit_i({9})
  );
)",
                       m_name, info.ports, rule.parameters, r, rule.constant, depths_of(r), wire_of(r, "flit_in"),
                       wire_of(r, "credit_out"), wire_of(r, "flit_out"), wire_of(r, "credit_in"), names_of(r),
                       has_narrow_channels(m_topology) ? 1 : 0, phits_of(r));
  }

  const topology& m_topology;
  const verilog_options& m_options;
  const std::string m_name;
  std::vector<ends> m_used;
  std::vector<std::vector<unsigned>> m_phits;  ///< by router and output port
  std::size_t m_node_ports = 0;
};

/// Rejects kinds of allocators that have no RTL. \p key is that of the allocator.
void check_allocator(const allocator_parameters& parameters, const std::string& key) {
  if (is_in_rtl(parameters)) return;
  const bool is_kind = !entry_of(parameters.kind).in_rtl;
  const std::string name = key + (is_kind ? ".kind" : ".arbiter");
  throw verilog_error(name,
                      fmt::format("there is no RTL of the {} {}; set {}: {}", is_kind ? "allocator" : "arbiter",
                                  is_kind ? entry_of(parameters.kind).name : entry_of(parameters.arbiter).name, name,
                                  is_kind ? allocator_entries().front().name : arbiter_entries().front().name));
}

}  // namespace

verilog_network to_verilog(const topology& t, const verilog_options& options) {
  check_allocator(options.router.vc_allocator, "network.router.vc_allocator");
  check_allocator(options.router.switch_allocator, "network.router.switch_allocator");
  if (const auto missing = choice_without_rtl(options.router, options.nic))
    throw verilog_error(missing->key,
                        fmt::format("there is no RTL of {}; set {}: {}", missing->name, missing->key, missing->remedy));
  return top_writer(t, options).write();
}

}  // namespace weft
