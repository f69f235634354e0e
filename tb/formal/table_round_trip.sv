// SPDX-License-Identifier: Apache-2.0
/// Table-based FPC: the decoder measures a group that the encoder makes from any words, and reads the same words,
/// whatever bits follow the group in the bit string.
///
/// Neither module has state that lasts from one flit to the next, so the three cycles of one flit cover all cases.
`default_nettype none

module table_round_trip #(
  parameter int unsigned Words = 2,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input wire logic clk_i,

  // Cycle 0: a flit.
  input wire logic [FlitBits-1:0]  words_i,
  input wire logic [CountBits-1:0] count_i,
  input wire logic                 last_i,
  // Cycle 1: the following bits of the string, the number of bits in the window, and the remaining words.
  input wire logic [WindowBits-1:0]         suffix_i,
  input wire logic [AvailableBits-1:0]      available_i,
  input wire logic [weft_pkg::SizeBits-1:0] left_i
);

  logic reset_done_q = 1'b0, loaded_q = 1'b0, shown_q = 1'b0;  // a chunk has left the encoder, a group the decoder
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    loaded_q     <= reset_done_q;
    shown_q      <= loaded_q && fits;
  end

  logic                  valid;
  logic [ChunkBits-1:0]  chunk;
  logic [LengthBits-1:0] length;
  logic                  last;
  weft_fpc_compressor #(.Words(Words), .Table(Table), .Classic(0)) u_encoder (
    .clk_i, .rst_ni(reset_done_q), .valid_i(reset_done_q), .words_i, .count_i, .last_i,
    .valid_o(valid), .chunk_o(chunk), .length_o(length), .last_o(last)
  );

  logic [CountBits-1:0]  count_q;
  logic [LengthBits-1:0] size;
  logic                  fits, corrupt;
  logic [FlitBits-1:0]   words;
  logic                  filling, excess;
  weft_fpc_decompressor #(.Words(Words), .Table(Table), .Classic(0)) u_decoder (
    .clk_i, .rst_ni(reset_done_q),
    .window_i(WindowBits'(chunk) | (suffix_i << length)), .available_i, .count_i(count_q), .left_i,
    .size_o(size), .fits_o(fits), .corrupt_o(corrupt),
    .clear_i(1'b0), .load_i(loaded_q && fits),
    .words_o(words), .filling_o(filling), .excess_o(excess)
  );

  // The input, delayed like in the pipeline.
  logic [FlitBits-1:0]      words_q, words_q2;
  logic                     last_q;
  logic [WindowBits-1:0]    suffix_q;
  logic [AvailableBits-1:0] rest_q;
  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < Words; j++) begin
      words_q[32*j +: 32] <= (count_i > CountBits'(j)) ? words_i[32*j +: 32] : 32'd0;
    end
    count_q  <= count_i;
    last_q   <= last_i;
    words_q2 <= words_q;
    suffix_q <= (suffix_i << length) >> length;  // the part that fits into the window
    rest_q   <= available_i - AvailableBits'(length);
  end

  always_comb begin
    assume (count_i >= CountBits'(1) && count_i <= CountBits'(Words));
    assume (last_i || count_i == CountBits'(Words));
    assume (available_i <= AvailableBits'(WindowBits));
    assume (!loaded_q || weft_pkg::SizeBits'(count_q) <= left_i);
  end

  always @(posedge clk_i) begin
    if (loaded_q) begin
      OneChunkForAFlit : assert (valid && last == last_q);
      NothingAboveLength : assert ((chunk >> length) == '0);
      TakesWhatWasMade : assert (size == length);
      FitsWhenThere : assert (fits == (available_i >= AvailableBits'(length)));
      NeverCorrupt : assert (!corrupt);
    end
    if (shown_q) begin
      WordsComeBack : assert (words == words_q2);
      FillingSeen : assert (filling == (suffix_q != '0));
      ExcessSeen : assert (excess == (rest_q >= AvailableBits'(FlitBits)));
    end
  end

endmodule

`default_nettype wire
