// SPDX-License-Identifier: Apache-2.0
/// The RTL of FPC for one word, for comparison with the word functions in `weft/core/fpc.h` (word_functions.cpp). It
/// encodes a packet of one word, and decodes any bit string.
`default_nettype none

module word_fpc #(
  parameter int unsigned Classic = 0,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(1),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + 32
) (
  input wire logic clk_i,

  // One cycle later: chunk and length.
  input  wire logic [31:0]           word_i,
  output logic [ChunkBits-1:0]  chunk_o,
  output logic [LengthBits-1:0] length_o,

  // In the same cycle: popped bits. One cycle later: the word.
  input  wire logic [WindowBits-1:0] window_i,
  output logic [LengthBits-1:0] size_o,
  output logic                  corrupt_o,
  output logic [31:0]           word_o,

  // Classic code: zeros of an open run, and zeros of a run that have not left yet.
  output logic [2:0] zeros_o,
  output logic [2:0] owed_o
);

  logic valid, last, fits, filling, excess;
  weft_fpc_compressor #(.Words(1), .Table(Table), .Classic(Classic)) u_encoder (
    .clk_i, .rst_ni(1'b1), .valid_i(1'b1), .words_i(word_i), .count_i(1'b1), .last_i(1'b1),
    .valid_o(valid), .chunk_o, .length_o, .last_o(last)
  );
  weft_fpc_decompressor #(.Words(1), .Table(Table), .Classic(Classic)) u_decoder (
    .clk_i, .rst_ni(1'b1), .window_i, .available_i('1), .count_i(1'b1), .left_i('1),
    .size_o, .fits_o(fits), .corrupt_o, .clear_i(1'b0), .load_i(1'b1),
    .words_o(word_o), .filling_o(filling), .excess_o(excess)
  );

  (* keep *) logic [2:0] zeros, owed;
  assign zeros_o = zeros;
  assign owed_o  = owed;

endmodule

`default_nettype wire
