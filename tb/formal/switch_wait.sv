// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: an input VC that could send, and goes on so until it may, waits no longer than a bound, whatever
/// the others ask for. Receivers that always have a credit make it go on.
`default_nettype none

module switch_wait #(
  parameter int unsigned Ports = 2,
  parameter int unsigned Vcs = 2,
  /// Cycles in which it is refused, at most.
  parameter int unsigned Bound = 5,
  localparam int unsigned Lanes = Ports * Vcs,
  localparam int unsigned PortBits = $clog2(Ports)
) (
  input wire logic clk_i,

  input wire logic [Lanes-1:0]          ready_i,
  input wire logic [Lanes*PortBits-1:0] port_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [Lanes-1:0]       ready, sends, known;
  logic [Ports-1:0]       grant;
  logic [Ports*Vcs-1:0]   vc;
  logic [Ports*Ports-1:0] to;
  logic [Lanes*Ports-1:0] asks;  // one-hot
  weft_separable_switch_allocator #(
    .Ports(Ports),
    .Vcs  (Vcs)
  ) u_separable (
    .clk_i,
    .rst_ni  (reset_done_q),
    .asks_i  (asks),
    .grant_o (grant),
    .vc_o    (vc),
    .output_o(to)
  );

  // A VC that was refused asks for the same again. One is watched; it is refused so often.
  (* anyconst *) logic [$clog2(Lanes)-1:0] watched;
  logic [Lanes-1:0]          refused_q;
  logic [Lanes*PortBits-1:0] port_q;
  logic [Lanes-1:0]          same;
  logic [5:0]                waits_q;
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    assign known[lane] = 32'(port_i[lane*PortBits+:PortBits]) < Ports;
    assign ready[lane] = reset_done_q && (ready_i[lane] || refused_q[lane]);
    assign asks[lane*Ports+:Ports] = ready[lane] ? Ports'(1) << port_i[lane*PortBits+:PortBits] : '0;
    assign sends[lane] = grant[lane/Vcs] && vc[lane];
    assign same[lane]  = !refused_q[lane] || port_i[lane*PortBits+:PortBits] == port_q[lane*PortBits+:PortBits];
    always_ff @(posedge clk_i) begin
      refused_q[lane] <= reset_done_q && ready[lane] && !sends[lane];
    end
  end
  always_ff @(posedge clk_i) begin
    port_q <= port_i;
    if (!reset_done_q || !ready[watched] || sends[watched]) waits_q <= '0;
    else waits_q <= waits_q + 6'd1;
  end

  always_comb begin
    assume (known == '1);
    assume (32'(watched) < Lanes);
    assume (!reset_done_q || same == '1);
    if (reset_done_q) begin
      BoundedWait : assert (32'(waits_q) <= Bound);
    end
  end

endmodule

`default_nettype wire
