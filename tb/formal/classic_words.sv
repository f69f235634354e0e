// SPDX-License-Identifier: Apache-2.0
/// Classic FPC, one word per flit: for any state of the encoder, the decoder reads the bits that the encoder makes for
/// a word as the zeros of the run before this word, followed by the word. No bits or zeros remain on either side.
///
/// If a run continues after a word, the word makes no bits. So encoder and decoder agree whenever no run is pending,
/// and at the end of a packet. By induction over the words, a packet of any length is restored. At most nine words are
/// decoded, so the bound on the cycles covers all cases.
`default_nettype none

module classic_words #(
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(1),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + 32,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input wire logic clk_i,

  // Cycle 0: a word.
  input wire logic [31:0] word_i,
  input wire logic        last_i,
  // Cycle 1: the following bits of the string, and the remaining words of the packet.
  input wire logic [WindowBits-1:0]         suffix_i,
  input wire logic [weft_pkg::SizeBits-1:0] left_i,
  // Each cycle: number of bits of the string that are available.
  input wire logic [AvailableBits-1:0] available_i
);

  (* keep *) logic [2:0] zeros;  // of the open run in the encoder
  (* keep *) logic [2:0] owed;   // zeros that the decoder has still to output

  logic [3:0] cycle_q = 4'd0;
  always_ff @(posedge clk_i) begin
    if (cycle_q != 4'd15) begin
      cycle_q <= cycle_q + 4'd1;
    end
  end

  logic                  valid, last;
  logic [ChunkBits-1:0]  chunk;
  logic [LengthBits-1:0] length;
  weft_fpc_compressor #(.Words(1), .Classic(1)) u_encoder (
    .clk_i, .rst_ni(1'b1), .valid_i(cycle_q == 4'd0), .words_i(word_i), .count_i(1'b1), .last_i,
    .valid_o(valid), .chunk_o(chunk), .length_o(length), .last_o(last)
  );

  // Registers: the zeros of the run before the word, the word, whether it was the last.
  logic [2:0]  run_q;
  logic [31:0] word_q;
  logic        last_q;
  // The string from cycle 1 on, the number of its bits that the encoder made, and the words of the packet.
  logic [WindowBits-1:0]         window, string_q;
  logic [LengthBits-1:0]         bits, bits_q;
  logic [weft_pkg::SizeBits-1:0] left, left_q;
  logic [3:0]                    index;     // index of the decoded word
  logic                          decoding;
  logic                          shown_q;   // a word was decoded in the last cycle
  logic                          is_word_q;  // that word was the word of cycle 0, not a zero before it
  assign index    = cycle_q - 4'd1;
  assign window   = (cycle_q == 4'd1) ? WindowBits'(chunk) | (suffix_i << length) : string_q;
  assign bits     = (cycle_q == 4'd1) ? length : bits_q;
  assign left     = (cycle_q == 4'd1) ? left_i : left_q;
  assign decoding = cycle_q != 4'd0 && index <= 4'(run_q) && zeros == 3'd0;

  logic [LengthBits-1:0] size;
  logic                  fits, corrupt;
  logic [31:0]           words;
  logic                  filling, excess;
  weft_fpc_decompressor #(.Words(1), .Classic(1)) u_decoder (
    .clk_i, .rst_ni(1'b1), .window_i(window), .available_i, .count_i(1'b1), .left_i(left),
    .size_o(size), .fits_o(fits), .corrupt_o(corrupt), .clear_i(1'b0), .load_i(decoding && fits && !corrupt),
    .words_o(words), .filling_o(filling), .excess_o(excess)
  );

  initial shown_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (cycle_q == 4'd0) begin
      run_q  <= zeros;
      word_q <= word_i;
      last_q <= last_i;
    end
    string_q  <= window >> size;
    bits_q    <= bits - size;
    left_q    <= left - weft_pkg::SizeBits'(1);
    shown_q   <= decoding;
    is_word_q <= index == 4'(run_q);
  end

  always_comb begin
    // Initial state: the pipeline is empty, and the decoder is between two tokens.
    if (cycle_q == 4'd0) begin
      assume (!valid && length == '0 && chunk == '0);
      assume (owed == 3'd0);
    end
    if (cycle_q == 4'd1) begin
      assume (left_i > weft_pkg::SizeBits'(run_q));
    end
    // The bits that the encoder made are available.
    assume (available_i >= AvailableBits'(bits) && available_i <= AvailableBits'(WindowBits));
  end

  always @(posedge clk_i) begin
    if (cycle_q == 4'd1) begin
      OneChunkForAWord : assert (valid && last == last_q);
      NothingAboveLength : assert ((chunk >> length) == '0);
      OpenRunMakesNothing : assert (zeros == 3'd0 || (length == '0 && word_q == 32'd0 && zeros == run_q + 3'd1));
      NoRunOutlivesThePacket : assert (zeros == 3'd0 || !last_q);
    end
    if (decoding) begin
      Fits : assert (fits);
      NeverCorrupt : assert (!corrupt);
    end
    if (shown_q) begin
      WordsComeBack : assert (words == (is_word_q ? word_q : 32'd0));
      if (is_word_q) begin
        AllBitsTaken : assert (bits_q == '0);
        NothingOwed : assert (owed == 3'd0);
      end
    end
  end

endmodule

`default_nettype wire
