// SPDX-License-Identifier: Apache-2.0
/// The two separable allocators with any requests. The proof shows their own assertions: each grant has a request; an
/// input VC gets at most one output VC, and an output VC goes to at most one input VC; an input port sends at most one
/// flit, and an output port receives at most one flit.
`default_nettype none

module allocators #(
  /// A power of two, so that every value of an index is a port.
  parameter int unsigned Ports = 4,
  parameter int unsigned Vcs = 2,
  localparam int unsigned RouterVcs = Ports * Vcs,
  localparam int unsigned PortBits = $clog2(Ports)
) (
  input wire logic clk_i,

  input wire logic [RouterVcs-1:0]          request_i,
  input wire logic [RouterVcs*PortBits-1:0] port_i,
  input wire logic [RouterVcs*Vcs-1:0]      vcs_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [RouterVcs-1:0]     granted;
  logic [RouterVcs*Vcs-1:0] granted_vc;
  logic [Ports-1:0]         sends;
  logic [RouterVcs-1:0]     vc;
  logic [Ports*Ports-1:0]   to;
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
  logic [RouterVcs*Ports-1:0] port_request;  // one-hot
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_port_request
    assign port_request[vc_index*Ports+:Ports] =
        request_i[vc_index] ? Ports'(1) << port_i[vc_index*PortBits+:PortBits] : '0;
  end
  weft_separable_switch_allocator #(
    .Ports(Ports),
    .Vcs  (Vcs)
  ) u_switch (
    .clk_i,
    .rst_ni   (reset_done_q),
    .request_i(port_request),
    .grant_o  (sends),
    .vc_o     (vc),
    .output_o (to)
  );

  // The allocators grant something whenever there is a request.
  logic [RouterVcs-1:0] has_request;
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_request
    assign has_request[vc_index] = request_i[vc_index] && vcs_i[vc_index*Vcs+:Vcs] != '0;
  end
  always_comb begin
    if (reset_done_q) begin
      SomethingIsGranted : assert (has_request == '0 || granted != '0);
      SomethingIsSent : assert (request_i == '0 || sends != '0);
    end
  end

endmodule

`default_nettype wire
