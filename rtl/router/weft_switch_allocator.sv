// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: selects the input VCs that send a flit across the switch in the next cycle.
///
/// Purpose    Determines the requests. weft_separable_switch_allocator, or
///            weft_matching_switch_allocator for other kinds, selects among them.
/// Latency    Combinational: the grants of cycle t depend on status, assignments and credits of cycle t (stage SA). The
///            pointers of the arbiters move at the end of t.
/// Handshake  A VC requests the switch if it has a flit and holds an output VC with a credit, and no earlier flit
///            occupies the channel of its output port. A grant is final: the input unit, the output unit and the VC
///            allocator act on it in the same cycle.
`default_nettype none

`include "weft_assert.svh"

module weft_switch_allocator #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// The kind of the allocator, its arbiters and its iterations: see weft_matching_allocator.
  parameter int unsigned Kind = weft_pkg::AllocatorInputFirst,
  parameter int unsigned Arbiter = weft_pkg::ArbiterRoundRobin,
  parameter int unsigned Iterations = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned RouterVcs = Ports * Vcs,
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Input VCs that hold a flit, and input VCs whose first flit is a tail.
  input  wire logic [RouterVcs-1:0] status_occupied_i,
  input  wire logic [RouterVcs-1:0] status_tail_i,
  /// Input VCs that hold an output VC; for each of them, the port and the VC of this output VC.
  input  wire logic [RouterVcs-1:0]          assigned_active_i,
  input  wire logic [RouterVcs*PortBits-1:0] assigned_port_i,
  input  wire logic [RouterVcs*VcBits-1:0]   assigned_vc_i,
  /// Output VCs that have a credit.
  input  wire logic [RouterVcs-1:0] credit_available_i,
  /// Output ports whose channel accepts no flit in this cycle.
  input  wire logic [Ports-1:0] credit_busy_i,

  /// The input ports that send a flit, and those of them whose flit is a tail.
  output logic [Ports-1:0] grant_input_o,
  output logic [Ports-1:0] grant_tail_o,
  /// For each input port, the VC that sends (one-hot), the output port (one-hot) and the VC of the output port. For
  /// input ports that do not send, the output port is 0 and the VCs have no meaning.
  output logic [Ports*Vcs-1:0]    grant_vc_o,
  output logic [Ports*Ports-1:0]  grant_output_o,
  output logic [Ports*VcBits-1:0] grant_out_vc_o
);

  // The output port that each VC requests. Credits are known last: they are looked up in the VCs of each port before
  // the requested port is selected.
  logic [RouterVcs*Ports-1:0] requests;

  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_vc
    logic has_flit;
    assign has_flit = status_occupied_i[vc_index] && assigned_active_i[vc_index];
    logic [Vcs-1:0] output_vc;  // one-hot
    assign output_vc = Vcs'(1) << assigned_vc_i[vc_index*VcBits+:VcBits];
    for (genvar out = 0; out < Ports; out++) begin : gen_request
      assign requests[vc_index*Ports+out] =
          has_flit && assigned_port_i[vc_index*PortBits+:PortBits] == PortBits'(out) &&
          |(output_vc & credit_available_i[out*Vcs+:Vcs]) && !credit_busy_i[out];
    end
  end

  if (Kind == weft_pkg::AllocatorInputFirst && Arbiter == weft_pkg::ArbiterRoundRobin) begin : gen_separable
    weft_separable_switch_allocator #(
      .Ports(Ports),
      .Vcs  (Vcs)
    ) u_separable (
      .clk_i,
      .rst_ni,
      .request_i(requests),
      .grant_o  (grant_input_o),
      .vc_o     (grant_vc_o),
      .output_o (grant_output_o)
    );
  end else begin : gen_matching
    weft_matching_switch_allocator #(
      .Ports     (Ports),
      .Vcs       (Vcs),
      .Kind      (Kind),
      .Arbiter   (Arbiter),
      .Iterations(Iterations)
    ) u_matching (
      .clk_i,
      .rst_ni,
      .request_i(requests),
      .grant_o  (grant_input_o),
      .vc_o     (grant_vc_o),
      .output_o (grant_output_o)
    );
  end

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

  // The output ports that get a flit, and whether each of them gets at most one flit.
  logic [Ports-1:0] occupied;
  logic             one_each;
  always_comb begin
    occupied = '0;
    one_each = 1'b1;
    for (int unsigned port = 0; port < Ports; port++) begin
      if ((occupied & grant_output_o[port*Ports+:Ports]) != '0) one_each = 1'b0;
      occupied = occupied | grant_output_o[port*Ports+:Ports];
    end
  end

  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_input_o, grant_tail_o}), "grants must not be X")
  `WEFT_ASSERT(OneFlitAnOutput, one_each, "an output port gets two flits in one cycle")

endmodule

`default_nettype wire
