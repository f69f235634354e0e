// SPDX-License-Identifier: Apache-2.0
/// Faults of a design around Weft, which Weft's waivers do not cover: a reset that is also used as data, and an
/// unused signal.
`default_nettype none

module dependent_mistake (
  input  wire logic clk,
  input  wire logic reset_n,
  output logic      asynchronous_q,
  output logic      synchronous_q
);
  logic without_use;
  assign without_use = clk;
  always_ff @(posedge clk or negedge reset_n) begin
    if (!reset_n) asynchronous_q <= 1'b0;
    else asynchronous_q <= !asynchronous_q;
  end
  always_ff @(posedge clk) begin
    if (!reset_n) synchronous_q <= 1'b0;
    else synchronous_q <= asynchronous_q;
  end
endmodule

`default_nettype wire
