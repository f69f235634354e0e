// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/verilog_nics.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/topology/files/verilog_rules.h"

namespace weft {
namespace {

[[noreturn]] void reject_nics(const std::string& key, const std::string& why) {
  throw verilog_error(key, "the RTL of NICs cannot be generated: " + why);
}

class nics_writer {
 public:
  nics_writer(const topology& t, const verilog_options& options, const std::string& name)
      : m_topology(t), m_options(options), m_name(name), m_axi(options.nics == verilog_nics::Axi) {
    check();
  }

  std::string write() const {
    return fmt::format(Head, m_name, parameters(), localparams(), ports() + flush_port()) + inner_widths() +
           path_id_constants() +
           fmt::format(Network, m_name, m_options.nic.window / m_options.nic.buckets, user_bits()) + nics() +
           "\nendmodule\n\n`default_nettype wire\n";
  }

 private:
  bool compressed() const { return m_options.nic.compression.enabled(); }
  bool has_stages() const { return compressed() || m_options.nic.coding.enabled; }
  bool has_path_ids() const { return !m_topology.nodes.front().path_ids.by_destination.empty(); }
  std::size_t node_ports() const { return m_topology.nodes.front().ports.size(); }

  void check() const {
    if (compressed() && !m_options.nic.compression.in_hardware())
      reject_nics("nic.compression.latency",
                  "there is no RTL of a compressor with a fixed latency; give nic.compression.latency: rtl");
    const xor_parameters& coding = m_options.nic.coding;
    if (coding.enabled && (coding.depth < 2 || (coding.depth & (coding.depth - 1)) != 0))
      reject_nics(
          "nic.coding.depth",
          fmt::format(
              "the depth of XOR stages in RTL must be a power of two of at least 2, not {}; change nic.coding.depth",
              coding.depth));
    if (m_axi && m_options.nic.ejection_depth == 0)
      reject_nics("nic.ejection_depth", "a receiver of AXI4-Stream may stall; give nic.ejection_depth above 0");
    if (m_axi && node_ports() != 1) reject_nics("nic.ports", "with AXI4-Stream a NIC has one port; give nic.ports: 1");
    for (const node_attachment& node : m_topology.nodes) {
      if (node.ports.size() != node_ports())
        reject_nics("network.topology.file", "nodes have different numbers of ports; give all the same number");
      if (node.path_ids.drawn() || !node.path_ids.send_sequence.empty())
        reject_nics("network.routing.algorithm",
                    "NICs in RTL do not draw path ids; use another network.routing.algorithm");
    }
  }

  static constexpr const char* Head =
      R"(// {0}_with_nics, made by weft topology --verilog --nics: the network {0} with a NIC at every node, and
// the timer of their windows.
`default_nettype none

module {0}_with_nics #(
{1}  // Derived, not to be set.
  localparam int unsigned VcBits = {0}_pkg::Vcs > 1 ? $clog2({0}_pkg::Vcs) : 1,
{2}) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

{3}
  /// Of each node: packets that wait behind those being sent, and flits received in the last window.
  input  wire logic [{0}_pkg::Nodes*32-1:0] queue_i,
  output logic      [{0}_pkg::Nodes*32-1:0] received_o
);

)";
  static constexpr const char* Network = R"(  logic tick;
  weft_window_timer #(
    .Window({1})
  ) u_window_timer (
    .clk_i,
    .rst_ni,
    .tick_o(tick)
  );

  logic [{0}_pkg::NodePorts*FlitBits-1:0]   injected, ejected;
  logic [{0}_pkg::NodePorts*CreditBits-1:0] injected_credit, ejected_credit;
  {0} #(
    .UserBits({2})
  ) u_network (
    .clk_i,
    .rst_ni,
    .flit_i  (injected),
    .credit_o(injected_credit),
    .flit_o  (ejected),
    .credit_i(ejected_credit)
  );
)";

  std::string inner_widths() const {
    return fmt::format(
        "  localparam int unsigned NodePorts = {1};  // of a node\n"
        "  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, {0}_pkg::PathIdBits, DataBits);\n"
        "  localparam int unsigned CreditBits = 1 + VcBits;\n\n",
        m_name, node_ports());
  }

  std::string nics() const {
    return fmt::format(R"(
  for (genvar node = 0; node < {0}_pkg::Nodes; node++) begin : gen_node
    logic unused_busy;
    {1} #(
{2}      .Vcs            ({0}_pkg::Vcs),
      .Classes        ({0}_pkg::Classes),
      .Depth          ({0}_pkg::Depth),
      .EjectionDepth  ({0}_pkg::EjectionDepth),
      .PathIdBits     ({0}_pkg::PathIdBits),
      .Words          ({0}_pkg::Words),
      .Buckets        ({3}),
      .Code           ({0}_pkg::Code)
    ) u_nic (
      .clk_i,
      .rst_ni,
      .tick_i              (tick),
{4}      .queue_i             (queue_i[node*32+:32]),
      .received_o          (received_o[node*32+:32]),
      .flit_o              (injected[node*NodePorts*FlitBits+:NodePorts*FlitBits]),
      .credit_i            (injected_credit[node*NodePorts*CreditBits+:NodePorts*CreditBits]),
      .flit_i              (ejected[node*NodePorts*FlitBits+:NodePorts*FlitBits]),
      .credit_o            (ejected_credit[node*NodePorts*CreditBits+:NodePorts*CreditBits]),
      .busy_o              (unused_busy)
    );
  end
)",
                       m_name, m_axi ? "weft_axi_stream_nic" : "weft_nic", nic_parameters_text(), m_options.nic.buckets,
                       streams());
  }

  std::string parameters() const {
    if (m_axi)
      return "  /// 1: a spill register in each stream from a node, and in each to one.\n"
             "  parameter int unsigned SpillSend = 1,\n  parameter int unsigned SpillReceive = 1,\n";
    if (!has_stages())
      return "  /// Bits that senders choose and the network carries unread beside every flit.\n"
             "  parameter int unsigned UserBits = 0,\n";
    return {};
  }

  std::string user_bits() const { return m_axi || has_stages() ? "0" : "UserBits"; }

  std::string ports() const {
    if (!m_axi)
      return fmt::format(
          R"(  /// To and from the nodes, port by port: flits as weft_pkg says, without way, and without VC
  /// where they are sent.
  input  wire logic [{0}_pkg::NodePorts*OfferBits-1:0]    send_i,
  output logic      [{0}_pkg::NodePorts-1:0]              send_ready_o,
  output logic      [{0}_pkg::NodePorts*ReceivedBits-1:0] receive_o,
  input  wire logic [{0}_pkg::NodePorts-1:0]              receive_ready_i,
)",
          m_name);
    return fmt::format(R"(  /// AXI4-Stream from the nodes and to them; see weft_axi_stream_nic.
  input  wire logic [{0}_pkg::Nodes-1:0]             s_axis_tvalid_i,
  output logic      [{0}_pkg::Nodes-1:0]             s_axis_tready_o,
  input  wire logic [{0}_pkg::Nodes*PayloadBits-1:0] s_axis_tdata_i,
  input  wire logic [{0}_pkg::Nodes-1:0]             s_axis_tlast_i,
  input  wire logic [{0}_pkg::Nodes*TuserBits-1:0]   s_axis_tuser_i,
  output logic      [{0}_pkg::Nodes-1:0]             m_axis_tvalid_o,
  input  wire logic [{0}_pkg::Nodes-1:0]             m_axis_tready_i,
  output logic      [{0}_pkg::Nodes*PayloadBits-1:0] m_axis_tdata_o,
  output logic      [{0}_pkg::Nodes-1:0]             m_axis_tlast_o,
  output logic      [{0}_pkg::Nodes*VcBits-1:0]      m_axis_tid_o,
  output logic      [{0}_pkg::Nodes*TuserBits-1:0]   m_axis_tuser_o,
)",
                       m_name);
  }

  std::string flush_port() const {
    if (!m_options.nic.coding.enabled) return {};
    return fmt::format(
        "  /// The XOR decoder of a node forgets all data and packets; see weft_xor_decoder.\n"
        "  input  wire logic [{}_pkg::Nodes-1:0] flush_i,\n",
        m_name);
  }

  std::string localparams() const {
    std::string text =
        fmt::format("  localparam int unsigned DataBits = weft_pkg::data_bits({0}_pkg::Words, {0}_pkg::Code, {1}),\n",
                    m_name, user_bits());
    if (m_axi)
      return text + fmt::format(
                        "  localparam int unsigned PayloadBits = 32 * {0}_pkg::Words,\n"
                        "  localparam int unsigned TuserBits = DataBits - PayloadBits\n",
                        m_name);
    return text +
           "  localparam int unsigned OfferBits = weft_pkg::flit_bits(0, 0, DataBits),\n"
           "  localparam int unsigned ReceivedBits = weft_pkg::flit_bits(VcBits, 0, DataBits)\n";
  }

  /// The parameters of a NIC that are not in the package.
  std::string nic_parameters_text() const {
    const nic_parameters& nic = m_options.nic;
    std::string text;
    const auto add = [&text](const char* parameter, const std::string& value) {
      text += fmt::format("      .{:<15}({}),\n", parameter, value);
    };
    if (m_axi) {
      add("SpillSend", "SpillSend");
      add("SpillReceive", "SpillReceive");
    } else {
      add("Ports", "NodePorts");
      add("UserBits", user_bits());
    }
    if (has_path_ids()) add("Destinations", m_name + "_pkg::Nodes");
    if (nic.coding.enabled) {
      add("CodingDepth", std::to_string(nic.coding.depth));
      add("Overhead", std::to_string(nic.coding.overhead));
      add("Entries", std::to_string(nic.coding.entries));
    }
    if (compressed()) {
      add("Compression", "1");
      add("CompressorDepth", std::to_string(nic.compression.depth));
      std::vector<unsigned> runs(nic.compression.codec.table.runs.rbegin(), nic.compression.codec.table.runs.rend());
      add("Table", fmt::format("{{6'd{}}}", fmt::join(runs, ", 6'd")));
      add("Classic", nic.compression.codec.classic ? "1" : "0");
      add("Exact", nic.compression.codec.exact ? "1" : "0");
    }
    return text;
  }

  /// Connections of a NIC other than those to the network.
  std::string streams() const {
    const compression_parameters& c = m_options.nic.compression;
    const std::uint32_t most_flits = (1U << 24) - 1;  // maximum in a header; higher thresholds select no packet
    std::string text = m_axi ? R"(      .s_axis_tvalid_i     (s_axis_tvalid_i[node]),
      .s_axis_tready_o     (s_axis_tready_o[node]),
      .s_axis_tdata_i      (s_axis_tdata_i[node*PayloadBits+:PayloadBits]),
      .s_axis_tlast_i      (s_axis_tlast_i[node]),
      .s_axis_tuser_i      (s_axis_tuser_i[node*TuserBits+:TuserBits]),
      .m_axis_tvalid_o     (m_axis_tvalid_o[node]),
      .m_axis_tready_i     (m_axis_tready_i[node]),
      .m_axis_tdata_o      (m_axis_tdata_o[node*PayloadBits+:PayloadBits]),
      .m_axis_tlast_o      (m_axis_tlast_o[node]),
      .m_axis_tid_o        (m_axis_tid_o[node*VcBits+:VcBits]),
      .m_axis_tuser_o      (m_axis_tuser_o[node*TuserBits+:TuserBits]),
)"
                             : R"(      .send_i              (send_i[node*NodePorts*OfferBits+:NodePorts*OfferBits]),
      .send_ready_o        (send_ready_o[node*NodePorts+:NodePorts]),
      .receive_o           (receive_o[node*NodePorts*ReceivedBits+:NodePorts*ReceivedBits]),
      .receive_ready_i     (receive_ready_i[node*NodePorts+:NodePorts]),
)";
    return text + fmt::format(
                      "      .path_ids_i          ({}),\n      .mode_i              (2'd{}),\n"
                      "      .length_threshold_i  (24'd{}),\n      .received_threshold_i(32'd{}),\n"
                      "      .queue_threshold_i   (32'd{}),\n      .cut_i               (6'd{}),\n"
                      "      .flush_i             ({}),\n",
                      path_ids(), static_cast<unsigned>(c.selection.mode),
                      std::min(c.selection.length_threshold, most_flits), c.selection.received_threshold,
                      c.selection.queue_threshold, c.codec.cut,
                      m_options.nic.coding.enabled ? "flush_i[node]" : "1'b0");
  }

  /// For each node, the path id to each other node: a constant of which the NIC of `node` takes its part.
  std::string path_ids() const {
    if (!has_path_ids()) return "'0";
    return "{NodePorts{Ways[node*PathIdsBits+:PathIdsBits]}}";
  }

  /// The path ids of all nodes, last node first; empty if all are 0.
  std::string path_id_constants() const {
    if (!has_path_ids()) return {};
    const unsigned path_id_bits = verilog_path_id_bits(m_topology);
    std::vector<std::string> rows;
    for (auto node = m_topology.nodes.rbegin(); node != m_topology.nodes.rend(); ++node) {
      std::vector<std::string> path_ids;
      for (auto path_id = node->path_ids.by_destination.rbegin(); path_id != node->path_ids.by_destination.rend();
           ++path_id)
        path_ids.push_back(fmt::format("{}'h{:x}", path_id_bits, *path_id));
      rows.push_back(fmt::format("    {{{}}}", fmt::join(path_ids, ",\n     ")));
    }
    return fmt::format(
        "  localparam int unsigned PathIdsBits = {0}_pkg::Nodes * {0}_pkg::PathIdBits;\n"
        "  // Of each node, the last one first, the way to each.\n"
        "  localparam logic [{0}_pkg::Nodes*PathIdsBits-1:0] Ways = {{\n{1}}};\n\n",
        m_name, fmt::join(rows, ",\n"));
  }

 private:
  const topology& m_topology;
  const verilog_options& m_options;
  const std::string m_name;
  const bool m_axi;
};

}  // namespace

std::string nics_to_verilog(const topology& t, const verilog_options& options, const std::string& name) {
  return nics_writer(t, options, name).write();
}

}  // namespace weft
