// SPDX-License-Identifier: Apache-2.0
/// The two separable allocators with any requests, for their own assertions: what is granted was asked for, an input VC
/// gets one output VC and an output VC goes to one input VC; an input port sends one flit and an output port gets one.
`default_nettype none

module allocators #(
  /// A power of two, so that every number is one of a port.
  parameter int unsigned Ports = 4,
  parameter int unsigned Vcs = 2,
  localparam int unsigned Lanes = Ports * Vcs,
  localparam int unsigned PortBits = $clog2(Ports)
) (
  input wire logic clk_i,

  input wire logic [Lanes-1:0]          request_i,
  input wire logic [Lanes*PortBits-1:0] port_i,
  input wire logic [Lanes*Vcs-1:0]      vcs_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [Lanes-1:0]       granted;
  logic [Lanes*Vcs-1:0]   granted_vc;
  logic [Ports-1:0]       sends;
  logic [Lanes-1:0]       vc;
  logic [Ports*Ports-1:0] to;
  weft_separable_vc_allocator #(
    .Ports(Ports),
    .Vcs  (Vcs)
  ) u_vcs (
    .clk_i,
    .rst_ni   (reset_done_q),
    .request_i,
    .port_i,
    .vcs_i,
    .grant_o  (granted),
    .vc_o     (granted_vc)
  );
  logic [Lanes*Ports-1:0] asks_port;  // one-hot
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_asks_port
    assign asks_port[lane*Ports+:Ports] = request_i[lane] ? Ports'(1) << port_i[lane*PortBits+:PortBits] : '0;
  end
  weft_separable_switch_allocator #(
    .Ports(Ports),
    .Vcs  (Vcs)
  ) u_switch (
    .clk_i,
    .rst_ni  (reset_done_q),
    .asks_i  (asks_port),
    .grant_o (sends),
    .vc_o    (vc),
    .output_o(to)
  );

  // Nobody goes empty-handed without need: where something is asked for, something is granted.
  logic [Lanes-1:0] asks;
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_asks
    assign asks[lane] = request_i[lane] && vcs_i[lane*Vcs+:Vcs] != '0;
  end
  always_comb begin
    if (reset_done_q) begin
      SomethingIsGranted : assert (asks == '0 || granted != '0);
      SomethingIsSent : assert (request_i == '0 || sends != '0);
    end
  end

endmodule

`default_nettype wire
