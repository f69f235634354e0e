// SPDX-License-Identifier: Apache-2.0
/// Synchronizer: transfers bits from registers in another clock domain to this clock domain.
///
/// Purpose    Each bit passes several flip-flops, so that a metastable one has cycles to settle. Only one of several
///            bits may change at a time (Gray code), unless the bits are independent.
/// Latency    `Stages` cycles, or one more: a change of data_i close to a clock edge counts as before or after the
///            edge.
/// Handshake  None. data_i must be driven directly by registers.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_synchroniser #(
  /// Number of bits.
  parameter int unsigned Width = 1,
  /// Number of flip-flops in series, at least 2.
  parameter int unsigned Stages = 2
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic [Width-1:0] data_i,
  output logic      [Width-1:0] data_o
);

  logic [Stages*Width-1:0] data_q;  // the stages of all bits, oldest highest
  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      data_q <= '0;
    end else begin
      data_q <= {data_q[(Stages-1)*Width-1:0], data_i};
    end
  end
  assign data_o = data_q[(Stages-1)*Width+:Width];

  `WEFT_PARAMETER(StagesSupported, Stages >= 2, "Stages must be at least 2")

endmodule

`default_nettype wire
