// SPDX-License-Identifier: Apache-2.0
/// The half of weft_async_fifo in the writing clock domain. It has the memory and the write pointer, and synchronizes
/// the read pointer.
///
/// Purpose    Accepts words while there is room. Pointers are Gray-coded: only one bit changes at a time, so the other
///            clock domain always samples the old or the new value.
/// Latency    A freed word of the memory is usable after the read pointer has passed the synchronizer.
/// Handshake  A word moves at the end of a cycle in which valid_i and ready_o are set.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_async_fifo_source #(
  /// The same parameters as in weft_async_fifo.
  parameter int unsigned Width = 64,
  parameter int unsigned Depth = 8,
  parameter int unsigned Stages = 2,
  // Derived parameters. Do not set them. A pointer has one bit more than an index, to distinguish full from empty.
  localparam int unsigned PointerBits = $clog2(Depth) + 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire logic [Width-1:0] data_i,

  /// Signals to and from weft_async_fifo_sink: registers of one clock domain that the other one reads.
  output logic      [Depth*Width-1:0] async_data_o,
  output logic      [PointerBits-1:0] async_write_o,
  input  wire logic [PointerBits-1:0] async_read_i
);

  localparam int unsigned PlaceBits = PointerBits - 1;

  logic [PointerBits-1:0] write_q, write_gray_q;  // the same number, in binary and in Gray code
  logic [PointerBits-1:0] write_d, read;
  logic [Depth*Width-1:0] data_q;
  logic                   accept;

  weft_synchroniser #(
    .Width (PointerBits),
    .Stages(Stages)
  ) u_read (
    .clk_i,
    .rst_ni,
    .data_i(async_read_i),
    .data_o(read)
  );

  // The FIFO is full if the pointers differ by Depth. In Gray code, exactly the two highest bits then differ.
  localparam logic [PointerBits-1:0] Round = PointerBits'(3) << (PointerBits - 2);
  assign ready_o = write_gray_q != (read ^ Round);
  assign accept  = valid_i && ready_o;
  assign write_d = write_q + PointerBits'(1);

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      write_q      <= '0;
      write_gray_q <= '0;
    end else if (accept) begin
      write_q      <= write_d;
      write_gray_q <= write_d ^ (write_d >> 1);
    end
  end

  for (genvar place = 0; place < Depth; place++) begin : gen_place
    always_ff @(posedge clk_i) begin
      if (accept && write_q[PlaceBits-1:0] == PlaceBits'(place)) data_q[place*Width+:Width] <= data_i;
    end
  end

  assign async_data_o  = data_q;
  assign async_write_o = write_gray_q;

  `WEFT_PARAMETER(DepthSupported, Depth >= 2 && (Depth & (Depth - 1)) == 0, "Depth must be a power of two, at least 2")
  `WEFT_ASSERT_KNOWN(KnownOut, ({ready_o, async_write_o}), "ready and write pointer must not be X")

endmodule

`default_nettype wire
