// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: an input VC that keeps its request until it gets a grant waits no longer than a bound, for any
/// requests of the others. A request is kept if the receivers always have a credit.
`default_nettype none

module switch_wait #(
  parameter int unsigned Ports = 2,
  parameter int unsigned Vcs = 2,
  /// Maximum number of cycles in which the request gets no grant.
  parameter int unsigned Bound = 5,
  localparam int unsigned RouterVcs = Ports * Vcs,
  localparam int unsigned PortBits = $clog2(Ports)
) (
  input wire logic clk_i,

  input wire logic [RouterVcs-1:0]          ready_i,
  input wire logic [RouterVcs*PortBits-1:0] port_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [RouterVcs-1:0]   ready, sends, exists;
  logic [Ports-1:0]       grant;
  logic [Ports*Vcs-1:0]   vc;
  logic [Ports*Ports-1:0] to;
  logic [RouterVcs*Ports-1:0] requests;  // one-hot
  weft_separable_switch_allocator #(
    .Ports(Ports),
    .Vcs  (Vcs)
  ) u_separable (
    .clk_i,
    .rst_ni   (reset_done_q),
    .request_i(requests),
    .grant_o  (grant),
    .vc_o     (vc),
    .output_o (to)
  );

  // A VC without a grant repeats its request. Number of cycles in which the watched VC got no grant.
  (* anyconst *) logic [$clog2(RouterVcs)-1:0] watched;
  logic [RouterVcs-1:0]          denied_q;
  logic [RouterVcs*PortBits-1:0] port_q;
  logic [RouterVcs-1:0]          same;
  logic [5:0]                    waits_q;
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_vc
    assign exists[vc_index] = 32'(port_i[vc_index*PortBits+:PortBits]) < Ports;
    assign ready[vc_index] = reset_done_q && (ready_i[vc_index] || denied_q[vc_index]);
    assign requests[vc_index*Ports+:Ports] = ready[vc_index] ? Ports'(1) << port_i[vc_index*PortBits+:PortBits] : '0;
    assign sends[vc_index] = grant[vc_index/Vcs] && vc[vc_index];
    assign same[vc_index] =
        !denied_q[vc_index] || port_i[vc_index*PortBits+:PortBits] == port_q[vc_index*PortBits+:PortBits];
    always_ff @(posedge clk_i) begin
      denied_q[vc_index] <= reset_done_q && ready[vc_index] && !sends[vc_index];
    end
  end
  always_ff @(posedge clk_i) begin
    port_q <= port_i;
    if (!reset_done_q || !ready[watched] || sends[watched]) waits_q <= '0;
    else waits_q <= waits_q + 6'd1;
  end

  always_comb begin
    assume (exists == '1);
    assume (32'(watched) < RouterVcs);
    assume (!reset_done_q || same == '1);
    if (reset_done_q) begin
      BoundedWait : assert (32'(waits_q) <= Bound);
    end
  end

endmodule

`default_nettype wire
