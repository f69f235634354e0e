// SPDX-License-Identifier: Apache-2.0
/// A module between two stages, for simulation with Icarus Verilog. It ends the simulation if a meaningful signal of
/// the sender is X, and replaces signals without a meaning by X on the way to the receiver.
`default_nettype none

module unknown_watch #(
  /// Bits that must be known in every valid flit besides head and tail, and bits that must be known in a head. At least
  /// 1 each.
  parameter integer BodyBits = 64,
  parameter integer HeadBits = 102
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic                valid_i,
  input  wire logic                head_i,
  input  wire logic                tail_i,
  input  wire logic [HeadBits-1:0] with_head_i,
  input  wire logic [BodyBits-1:0] body_i,
  input  wire logic                ready_i,

  output logic                valid_o,
  output logic                head_o,
  output logic                tail_o,
  output logic [HeadBits-1:0] with_head_o,
  output logic [BodyBits-1:0] body_o,
  /// ready of the receiver; X if no flit is offered.
  output logic                ready_o,

  output integer flits_o
);

  assign valid_o     = valid_i;
  assign head_o      = (valid_i === 1'b1) ? head_i : 1'bx;
  assign tail_o      = (valid_i === 1'b1) ? tail_i : 1'bx;
  assign body_o      = (valid_i === 1'b1) ? body_i : 'x;
  assign with_head_o = (valid_i === 1'b1 && head_i === 1'b1) ? with_head_i : 'x;
  assign ready_o     = (valid_i === 1'b1) ? ready_i : 1'bx;

  task automatic unknown(input [8*12-1:0] what);
    $display("UNKNOWN: %0s of %m at %0t", what, $time);
    $finish;
  endtask

  initial flits_o = 0;
  always @(negedge clk_i) begin
    if (rst_ni) begin
      if (^valid_i === 1'bx) unknown("valid");
      if (valid_i === 1'b1) begin
        if (^{head_i, tail_i} === 1'bx) unknown("head or tail");
        if (^body_i === 1'bx) unknown("body");
        if (head_i === 1'b1 && ^with_head_i === 1'bx) unknown("header");
        if (^ready_i === 1'bx) unknown("ready");
        if (ready_i === 1'b1) flits_o = flits_o + 1;
      end
    end
  end

endmodule

`default_nettype wire
