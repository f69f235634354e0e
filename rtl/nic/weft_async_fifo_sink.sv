// SPDX-License-Identifier: Apache-2.0
/// The half of weft_async_fifo in the reading clock domain. It has the read pointer and synchronizes the write pointer.
///
/// Purpose    Outputs the oldest word while there is one. The data are in registers of the other clock domain. They
///            have been stable since before the write pointer passed the synchronizer.
/// Latency    A word is visible after the write pointer has passed the synchronizer.
/// Handshake  A word moves at the end of a cycle in which valid_o and ready_i are set. Until then it stays.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_async_fifo_sink #(
  /// The same parameters as in weft_async_fifo.
  parameter int unsigned Width = 64,
  parameter int unsigned Depth = 8,
  parameter int unsigned Stages = 2,
  // Derived parameters. Do not set them. See weft_async_fifo_source.
  localparam int unsigned PointerBits = $clog2(Depth) + 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  output logic             valid_o,
  input  wire logic        ready_i,
  output logic [Width-1:0] data_o,

  /// Signals to and from weft_async_fifo_source: registers of one clock domain that the other one reads.
  input  wire logic [Depth*Width-1:0] async_data_i,
  input  wire logic [PointerBits-1:0] async_write_i,
  output logic      [PointerBits-1:0] async_read_o
);

  localparam int unsigned PlaceBits = PointerBits - 1;

  logic [PointerBits-1:0] read_q, read_gray_q;  // the same number, in binary and in Gray code
  logic [PointerBits-1:0] read_d, write;

  weft_synchroniser #(
    .Width (PointerBits),
    .Stages(Stages)
  ) u_write (
    .clk_i,
    .rst_ni,
    .data_i(async_write_i),
    .data_o(write)
  );

  assign valid_o = read_gray_q != write;
  assign data_o  = async_data_i[Width*32'(read_q[PlaceBits-1:0])+:Width];
  assign read_d  = read_q + PointerBits'(1);

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      read_q      <= '0;
      read_gray_q <= '0;
    end else if (valid_o && ready_i) begin
      read_q      <= read_d;
      read_gray_q <= read_d ^ (read_d >> 1);
    end
  end

  assign async_read_o = read_gray_q;

  `WEFT_PARAMETER(DepthSupported, Depth >= 2 && (Depth & (Depth - 1)) == 0, "Depth must be a power of two, at least 2")
  `WEFT_ASSERT_HELD(StableOut, valid_o && !ready_i, ({valid_o, data_o}),
                    "an offered item must not change until it is accepted")
  `WEFT_ASSERT_KNOWN(KnownOut, ({valid_o, async_read_o}), "valid and read pointer must not be X")

endmodule

`default_nettype wire
