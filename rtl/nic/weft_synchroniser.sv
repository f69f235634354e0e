// SPDX-License-Identifier: Apache-2.0
/// Synchroniser: brings bits from another clock's registers into this clock's.
///
/// Purpose    Flip-flops in a row, so that one that has not settled has cycles to do so. Of several bits only one may
///            change at a time (Gray code), or each stands for itself.
/// Latency    `Stages`, or one more: an edge of data_i near to one of the clock counts as before it or after it.
/// Handshake  None. data_i comes straight from registers.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_synchroniser #(
  /// Bits.
  parameter int unsigned Width = 1,
  /// Flip-flops in a row, 2 and more.
  parameter int unsigned Stages = 2
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic [Width-1:0] data_i,
  output logic      [Width-1:0] data_o
);

  logic [Stages*Width-1:0] data_q;  // the oldest highest
  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      data_q <= '0;
    end else begin
      data_q <= {data_q[(Stages-1)*Width-1:0], data_i};
    end
  end
  assign data_o = data_q[(Stages-1)*Width+:Width];

  `WEFT_PARAMETER(StagesSupported, Stages >= 2, "a synchroniser has two flip-flops at least")

endmodule

`default_nettype wire
