// SPDX-License-Identifier: Apache-2.0
/// The RTL of LSB-cut for one double, sender followed by receiver, for comparison with the word functions in
/// `weft/core/lsb_cut.h` (word_functions.cpp).
`default_nettype none

module word_lsb_cut #(
  parameter int unsigned Exact = 1,
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(2),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + 64
) (
  input wire logic clk_i,

  // One cycle later: chunk and length. Two cycles later, with the cut of this cycle: the double at the receiver.
  input  wire logic [63:0]           double_i,
  input  wire logic [5:0]            cut_i,
  output logic [ChunkBits-1:0]  chunk_o,
  output logic [LengthBits-1:0] length_o,
  output logic [63:0]           double_o
);

  logic                  valid, last, fits, corrupt, filling, excess;
  logic [LengthBits-1:0] size;
  logic [5:0]            cut_q;
  always_ff @(posedge clk_i) begin
    cut_q <= cut_i;
  end
  weft_lsb_cut_compressor #(.Words(2), .Exact(Exact)) u_encoder (
    .clk_i, .rst_ni(1'b1), .valid_i(1'b1), .words_i(double_i), .count_i(2'd2), .last_i(1'b1), .cut_i,
    .valid_o(valid), .chunk_o, .length_o, .last_o(last)
  );
  weft_lsb_cut_decompressor #(.Words(2), .Exact(Exact)) u_decoder (
    .clk_i, .rst_ni(1'b1), .window_i(WindowBits'(chunk_o)), .available_i('1), .count_i(2'd2),
    .cut_i(cut_q), .size_o(size), .fits_o(fits), .corrupt_o(corrupt), .load_i(1'b1),
    .words_o(double_o), .filling_o(filling), .excess_o(excess)
  );

endmodule

`default_nettype wire
