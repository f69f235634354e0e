// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: decides which input VCs send a flit across the switch in the next cycle.
///
/// Purpose    Who takes part: weft_separable_switch_allocator decides.
/// Latency    Combinational: grants of cycle t follow from what status, assignments and credits show in t (stage SA).
///            The arbiters' pointers move at the end of t.
/// Handshake  A VC takes part if it has a flit, an output VC, and that VC a credit. A grant is final: input unit,
///            output unit and VC allocator act on it in the same cycle.
`default_nettype none

`include "weft_assert.svh"

module weft_switch_allocator #(
  /// Ports of the router, 1 and more.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, 1 and more.
  parameter int unsigned Vcs = 4,
  // Derived, not to be set.
  localparam int unsigned Lanes = Ports * Vcs,
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Input VCs with a flit, and those whose first flit is a tail.
  input  wire logic [Lanes-1:0] status_occupied_i,
  input  wire logic [Lanes-1:0] status_tail_i,
  /// Input VCs that hold an output VC: of this port, this one.
  input  wire logic [Lanes-1:0]          assigned_active_i,
  input  wire logic [Lanes*PortBits-1:0] assigned_port_i,
  input  wire logic [Lanes*VcBits-1:0]   assigned_vc_i,
  /// Output VCs with a credit.
  input  wire logic [Lanes-1:0] credit_available_i,

  /// Input ports that send a flit, and those whose flit is a tail…
  output logic [Ports-1:0] grant_input_o,
  output logic [Ports-1:0] grant_tail_o,
  /// …from this VC, one-hot, to this output port, one-hot, by this VC of it. Of the others the output port is none, and
  /// the VCs mean nothing.
  output logic [Ports*Vcs-1:0]    grant_vc_o,
  output logic [Ports*Ports-1:0]  grant_output_o,
  output logic [Ports*VcBits-1:0] grant_out_vc_o
);

  // The output port that a VC asks for. A credit, which is known last, is looked up among the VCs of each port, before
  // it is asked which port it is.
  logic [Lanes*Ports-1:0] asks;

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    logic has_flit;
    assign has_flit = status_occupied_i[lane] && assigned_active_i[lane];
    logic [Vcs-1:0] output_vc;  // one-hot
    assign output_vc = Vcs'(1) << assigned_vc_i[lane*VcBits+:VcBits];
    for (genvar out = 0; out < Ports; out++) begin : gen_asks
      assign asks[lane*Ports+out] = has_flit && assigned_port_i[lane*PortBits+:PortBits] == PortBits'(out) &&
          |(output_vc & credit_available_i[out*Vcs+:Vcs]);
    end
  end

  weft_separable_switch_allocator #(
    .Ports(Ports),
    .Vcs  (Vcs)
  ) u_separable (
    .clk_i,
    .rst_ni,
    .asks_i  (asks),
    .grant_o (grant_input_o),
    .vc_o    (grant_vc_o),
    .output_o(grant_output_o)
  );

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    always_comb begin
      grant_out_vc_o[port*VcBits+:VcBits] = '0;
      for (int unsigned vc = 0; vc < Vcs; vc++) begin
        if (grant_vc_o[port*Vcs+vc]) begin
          grant_out_vc_o[port*VcBits+:VcBits] =
              grant_out_vc_o[port*VcBits+:VcBits] | assigned_vc_i[(port*Vcs+vc)*VcBits+:VcBits];
        end
      end
    end
    assign grant_tail_o[port] =
        grant_input_o[port] && |(grant_vc_o[port*Vcs+:Vcs] & status_tail_i[port*Vcs+:Vcs]);
  end

  // Which output ports get a flit, and whether one gets two.
  logic [Ports-1:0] taken;
  logic             one_each;
  always_comb begin
    taken = '0;
    one_each = 1'b1;
    for (int unsigned port = 0; port < Ports; port++) begin
      if ((taken & grant_output_o[port*Ports+:Ports]) != '0) one_each = 1'b0;
      taken = taken | grant_output_o[port*Ports+:Ports];
    end
  end

  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_input_o, grant_tail_o}), "every grant is known")
  `WEFT_ASSERT(OneFlitAnOutput, one_each, "an output port gets two flits in one cycle")

endmodule

`default_nettype wire
