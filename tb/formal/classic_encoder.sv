// SPDX-License-Identifier: Apache-2.0
/// Classic FPC: from any state, an encoder with Words words per flit makes the same bits as encoders of one word that
/// are connected in sequence, and ends in the state of the last of these encoders.
`default_nettype none

module classic_encoder #(
  parameter int unsigned Words = 2,
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned OneChunkBits = weft_pkg::chunk_bits(1),
  localparam int unsigned OneLengthBits = $clog2(OneChunkBits + 1)
) (
  input wire logic clk_i,

  // Cycle 0: a flit.
  input wire logic [FlitBits-1:0]  words_i,
  input wire logic [CountBits-1:0] count_i,
  input wire logic                 last_i
);

  logic begun_q = 1'b0, checked_q = 1'b0;
  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    checked_q <= begun_q;
  end

  (* keep *) logic [2:0] zeros;  // zeros of the open run in the encoder of Words words

  logic                  valid, last;
  logic [ChunkBits-1:0]  chunk;
  logic [LengthBits-1:0] length;
  weft_fpc_compressor #(.Words(Words), .Classic(1)) u_encoder (
    .clk_i, .rst_ni(1'b1), .valid_i(!begun_q), .words_i, .count_i, .last_i,
    .valid_o(valid), .chunk_o(chunk), .length_o(length), .last_o(last)
  );

  // The encoders of one word. Each starts in the final state of the previous one.
  (* keep *) logic [3*Words-1:0] zeros_before, zeros_after;
  logic [Words-1:0]               one_valid;
  logic [Words*OneChunkBits-1:0]  one_chunk;
  logic [Words*OneLengthBits-1:0] one_length;
  logic [Words-1:0]               one_last;
  for (genvar j = 0; j < Words; j++) begin : gen_one
    weft_fpc_compressor #(.Words(1), .Classic(1)) u_one (
      .clk_i, .rst_ni(1'b1), .valid_i(!begun_q && count_i > CountBits'(j)), .words_i(words_i[32*j +: 32]),
      .count_i(1'b1), .last_i(last_i && count_i == CountBits'(j + 1)),
      .valid_o(one_valid[j]), .chunk_o(one_chunk[OneChunkBits*j +: OneChunkBits]),
      .length_o(one_length[OneLengthBits*j +: OneLengthBits]), .last_o(one_last[j])
    );
  end

  logic [ChunkBits-1:0]  joined;
  logic [LengthBits-1:0] joined_length;
  always_comb begin
    joined        = '0;
    joined_length = '0;
    for (int unsigned j = 0; j < Words; j++) begin
      joined        = joined | (ChunkBits'(one_chunk[OneChunkBits*j +: OneChunkBits]) << joined_length);
      joined_length = joined_length + LengthBits'(one_length[OneLengthBits*j +: OneLengthBits]);
    end
  end

  logic [2:0] zeros_last_q;  // after the last encoder of one word
  always_ff @(posedge clk_i) begin
    zeros_last_q <= zeros_after[3*(Words-1) +: 3];
  end

  always_comb begin
    assume (count_i >= CountBits'(1) && count_i <= CountBits'(Words));
    assume (last_i || count_i == CountBits'(Words));
    if (!begun_q) begin
      // The pipeline is empty; each encoder of one word starts in the final state of the previous one.
      assume (length == '0 && chunk == '0);
      assume (zeros_before[2:0] == zeros);
      for (int unsigned j = 0; j < Words; j++) begin
        assume (one_length[OneLengthBits*j +: OneLengthBits] == '0);
        assume (one_chunk[OneChunkBits*j +: OneChunkBits] == '0);
        if (j != 0) begin
          assume (zeros_before[3*j +: 3] == zeros_after[3*(j-1) +: 3]);
        end
      end
    end
  end

  always @(posedge clk_i) begin
    if (begun_q && !checked_q) begin
      SameLength : assert (length == joined_length);
      SameBits : assert (chunk == joined);
      SameLast : assert (valid && last == (one_last != '0));
      SameState : assert (zeros == zeros_last_q);
    end
  end

endmodule

`default_nettype wire
