// SPDX-License-Identifier: Apache-2.0
/// A design that contains a module of Weft, with its own names.
`default_nettype none

module dependent (
  input  wire logic       clk,
  input  wire logic       reset_n,
  input  wire logic [7:0] word,
  output logic      [7:0] held,
  output logic      [1:0] handshake
);
  weft_spill_register #(.Width(8)) u_spill (
    .clk_i  (clk),
    .rst_ni (reset_n),
    .valid_i(1'b1),
    .ready_o(handshake[0]),
    .data_i (word),
    .valid_o(handshake[1]),
    .ready_i(1'b1),
    .data_o (held)
  );
endmodule

`default_nettype wire
