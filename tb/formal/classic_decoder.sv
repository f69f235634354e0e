// SPDX-License-Identifier: Apache-2.0
/// Classic FPC: for any state and any bit string, a decoder with Words words per flit behaves as decoders of one word
/// that are connected in sequence. It reads the same words, pops the same number of bits, reports the same errors, and
/// ends in the state of the last of these decoders.
`default_nettype none

module classic_decoder #(
  parameter int unsigned Words = 2,
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1),
  localparam int unsigned OneChunkBits = weft_pkg::chunk_bits(1),
  localparam int unsigned OneLengthBits = $clog2(OneChunkBits + 1),
  localparam int unsigned OneWindowBits = OneChunkBits + 32,
  localparam int unsigned OneAvailableBits = $clog2(OneWindowBits + 1)
) (
  input wire logic clk_i,

  // Cycle 0: a window.
  input wire logic [WindowBits-1:0]         window_i,
  input wire logic [AvailableBits-1:0]      available_i,
  input wire logic [CountBits-1:0]          count_i,
  input wire logic [weft_pkg::SizeBits-1:0] left_i
);

  logic begun_q = 1'b0, checked_q = 1'b0;
  always_ff @(posedge clk_i) begin
    begun_q   <= 1'b1;
    checked_q <= begun_q;
  end

  (* keep *) logic [2:0] owed;  // zeros of a run that the decoder of Words words has still to output

  logic [LengthBits-1:0] size;
  logic                  fits, corrupt;
  logic [FlitBits-1:0]   words;
  logic                  filling, excess;
  weft_fpc_decompressor #(.Words(Words), .Classic(1)) u_decoder (
    .clk_i, .rst_ni(1'b1), .window_i, .available_i, .count_i, .left_i,
    .size_o(size), .fits_o(fits), .corrupt_o(corrupt), .clear_i(1'b0), .load_i(!begun_q && fits && !corrupt),
    .words_o(words), .filling_o(filling), .excess_o(excess)
  );

  // The decoders of one word: each begins where the previous one ends. The proof checks the available bits below.
  (* keep *) logic [3*Words-1:0] owed_before, owed_after;
  logic [3*Words-1:0]          owed_then;  // unchanged for a word that does not exist
  logic [Words*LengthBits-1:0] offset;  // position where each begins
  logic [LengthBits-1:0]       total;  // bits popped by all
  logic [Words-1:0]            present;
  logic [Words-1:0]            one_corrupt;
  logic [FlitBits-1:0]         one_words;
  logic [Words*OneLengthBits-1:0] one_size;
  for (genvar j = 0; j < Words; j++) begin : gen_one
    logic        one_fits, one_filling, one_excess;
    logic [31:0] word;
    assign present[j] = count_i > CountBits'(j);
    weft_fpc_decompressor #(.Words(1), .Classic(1)) u_one (
      .clk_i, .rst_ni(1'b1), .window_i(OneWindowBits'(window_i >> offset[LengthBits*j +: LengthBits])),
      .available_i(OneAvailableBits'(OneWindowBits)), .count_i(1'b1), .left_i(left_i - weft_pkg::SizeBits'(j)),
      .size_o(one_size[OneLengthBits*j +: OneLengthBits]), .fits_o(one_fits), .corrupt_o(one_corrupt[j]),
      .clear_i(1'b0), .load_i(!begun_q && present[j] && !one_corrupt[j]),
      .words_o(word), .filling_o(one_filling), .excess_o(one_excess)
    );
    logic was_present_q;
    always_ff @(posedge clk_i) begin
      was_present_q <= present[j];
    end
    assign one_words[32*j +: 32] = was_present_q ? word : 32'd0;
    assign owed_then[3*j +: 3]   = present[j] ? owed_after[3*j +: 3] : owed_before[3*j +: 3];
  end
  always_comb begin
    total = '0;
    for (int unsigned j = 0; j < Words; j++) begin
      offset[LengthBits*j +: LengthBits] = total;
      if (present[j]) begin
        total = total + LengthBits'(one_size[OneLengthBits*j +: OneLengthBits]);
      end
    end
  end

  logic                     loaded_q;
  logic [2:0]               owed_last_q;
  logic [WindowBits-1:0]    behind_q;
  logic [AvailableBits-1:0] behind_bits_q;
  always_ff @(posedge clk_i) begin
    loaded_q      <= fits && !corrupt;
    owed_last_q   <= owed_then[3*(Words-1) +: 3];
    behind_q      <= window_i >> total;
    behind_bits_q <= available_i - AvailableBits'(total);
  end

  always_comb begin
    assume (count_i >= CountBits'(1) && count_i <= CountBits'(Words));
    assume (weft_pkg::SizeBits'(count_i) <= left_i);
    assume (available_i <= AvailableBits'(WindowBits));
    if (!begun_q) begin
      // Each decoder of one word starts in the final state of the previous one.
      assume (owed_before[2:0] == owed);
      for (int unsigned j = 1; j < Words; j++) begin
        assume (owed_before[3*j +: 3] == owed_then[3*(j-1) +: 3]);
      end
    end
  end

  always @(posedge clk_i) begin
    if (!begun_q) begin
      SameSize : assert (size == total);
      FitsWhenThere : assert (fits == (AvailableBits'(total) <= available_i));
      SameFault : assert (corrupt == ((one_corrupt & present) != '0));
    end
    if (begun_q && !checked_q && loaded_q) begin
      SameWords : assert (words == one_words);
      SameState : assert (owed == owed_last_q);
      FillingSeen : assert (filling == (behind_q != '0));
      ExcessSeen : assert (excess == (behind_bits_q >= AvailableBits'(FlitBits)));
    end
  end

endmodule

`default_nettype wire
