// SPDX-License-Identifier: Apache-2.0
/// LSB-cut: the decoder measures and reads a group that the encoder makes from any words, for every cut from 0 to 51,
/// and whatever bits follow the group in the bit string:
///  - every double arrives as the format defines; with Exact, special ones (exponent field 0 or 2047) are unchanged;
///  - sign and exponent are unchanged, and the error of the mantissa is at most 2^(cut-1) units of its last place:
///    since the mantissa with the leading one is at least 2^52 such units, a normal double x arrives within |x|
///    2^(cut-53);
///  - a received double that is sent again is unchanged.
///
/// Neither module has state that lasts from one group to the next. With Words = 1 the encoder holds the lower word of a
/// double; the proof starts in any such state.
`default_nettype none

module lsb_cut_round_trip #(
  parameter int unsigned Words = 2,
  parameter int unsigned Exact = 1,
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned GroupWords = weft_pkg::group_words(Words),
  localparam int unsigned GroupCountBits = $clog2(GroupWords + 1),
  localparam int unsigned Slots = GroupWords / 2,
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
  input wire logic [5:0]           cut_i,
  // Cycle 1: the following bits of the string, and the number of bits in the window.
  input wire logic [WindowBits-1:0]    suffix_i,
  input wire logic [AvailableBits-1:0] available_i
);

  logic begun_q = 1'b0, loaded_q = 1'b0;
  always_ff @(posedge clk_i) begin
    begun_q  <= 1'b1;
    loaded_q <= begun_q;
  end

  logic                  valid, last;
  logic [ChunkBits-1:0]  chunk;
  logic [LengthBits-1:0] length;
  weft_lsb_cut_compressor #(.Words(Words), .Exact(Exact)) u_encoder (
    .clk_i, .rst_ni(1'b1), .valid_i(!begun_q), .words_i, .count_i, .last_i, .cut_i,
    .valid_o(valid), .chunk_o(chunk), .length_o(length), .last_o(last)
  );

  // The group that the flit completes.
  logic                      complete;
  logic [32*GroupWords-1:0]  group_words;
  logic [GroupCountBits-1:0] group_count;
  (* keep *) logic        held;  // with Words = 1: whether the encoder holds a lower word
  (* keep *) logic [31:0] lower;
  if (Words == 1) begin : gen_pair
    assign complete    = held || last_i;
    assign group_words = held ? {words_i, lower} : {32'd0, words_i};
    assign group_count = held ? 2'd2 : 2'd1;
    logic was_held_q;
    always_ff @(posedge clk_i) begin
      was_held_q <= held;
    end
    always @(posedge clk_i) begin
      if (begun_q && !loaded_q) begin
        if (!complete_q) begin
          LowerWordWaits : assert (length == '0 && chunk == '0 && held && lower == words_q[31:0]);
        end else begin
          NoWordWaits : assert (!held);
        end
      end
    end
  end else begin : gen_whole
    assign complete    = 1'b1;
    assign group_count = count_i;
    assign held        = 1'b0;
    assign lower       = 32'd0;
    for (genvar j = 0; j < Words; j++) begin : gen_word
      assign group_words[32*j +: 32] = (count_i > CountBits'(j)) ? words_i[32*j +: 32] : 32'd0;
    end
  end

  // The input, delayed like in the pipeline.
  logic                      complete_q, last_q, shown_q;
  logic [32*GroupWords-1:0]  words_q, words_q2;
  logic [GroupCountBits-1:0] count_q, count_q2;
  logic [5:0]                cut_q, cut_q2;
  logic [WindowBits-1:0]     suffix_q;
  logic [AvailableBits-1:0]  rest_q;

  logic [LengthBits-1:0]    size;
  logic                     fits, corrupt;
  logic [32*GroupWords-1:0] words;
  logic                     filling, excess;
  weft_lsb_cut_decompressor #(.Words(Words), .Exact(Exact)) u_decoder (
    .clk_i, .rst_ni(1'b1),
    .window_i(WindowBits'(chunk) | (suffix_i << length)), .available_i, .count_i(count_q), .cut_i(cut_q),
    .size_o(size), .fits_o(fits), .corrupt_o(corrupt),
    .load_i(begun_q && !loaded_q && complete_q && fits),
    .words_o(words), .filling_o(filling), .excess_o(excess)
  );

  initial shown_q = 1'b0;
  always_ff @(posedge clk_i) begin
    complete_q <= complete;
    last_q     <= last_i;
    words_q    <= (Words == 1 && !complete) ? (32*GroupWords)'(words_i) : group_words;
    count_q    <= group_count;
    cut_q      <= cut_i;
    words_q2   <= words_q;
    count_q2   <= count_q;
    cut_q2     <= cut_q;
    suffix_q   <= (suffix_i << length) >> length;
    rest_q     <= available_i - AvailableBits'(length);
    shown_q    <= begun_q && !loaded_q && complete_q && fits;
  end

  always_comb begin
    assume (count_i >= CountBits'(1) && count_i <= CountBits'(Words));
    assume (last_i || count_i == CountBits'(Words));
    assume (cut_i <= 6'(weft_pkg::MaxCut));
    assume (available_i <= AvailableBits'(WindowBits));
    if (!begun_q) begin
      assume (length == '0 && chunk == '0);  // the pipeline is empty
    end
  end

  // The double that arrives for a double that is sent.
  function automatic logic [63:0] arrival(input logic [63:0] sent, input logic [5:0] cut);
    if (Exact != 0 && (sent[62:52] == 11'd0 || sent[62:52] == 11'd2047)) begin
      arrival = sent;
    end else begin
      arrival = (sent >> cut) << cut;
      if (cut != 6'd0) begin
        arrival[cut-6'd1] = 1'b1;
      end
    end
  endfunction

  always @(posedge clk_i) begin
    if (begun_q && !loaded_q) begin
      OneChunkForAFlit : assert (valid && last == last_q);
      NothingAboveLength : assert ((chunk >> length) == '0);
      if (complete_q) begin
        TakesWhatWasMade : assert (size == length);
        FitsWhenThere : assert (fits == (available_i >= AvailableBits'(length)));
      end
      NeverCorrupt : assert (!corrupt);
    end
    if (shown_q) begin
      FillingSeen : assert (filling == (suffix_q != '0));
      ExcessSeen : assert (excess == (rest_q >= AvailableBits'(FlitBits)));
    end
  end

  // For each double, or word without partner. (Yosys requires named assertions outside of loops.)
  logic [Slots-1:0] as_format, same_exponent, in_bound, special_exact, idempotent, single_exact;
  for (genvar j = 0; j < Slots; j++) begin : gen_double
    logic        is_double;
    logic [63:0] sent, arrived, off;
    assign is_double = count_q2 >= GroupCountBits'(2 * j + 2);
    assign sent      = words_q2[64*j +: 64];
    assign arrived   = words[64*j +: 64];
    assign off       = (arrived >= sent) ? arrived - sent : sent - arrived;
    assign as_format[j]     = !is_double || arrived == arrival(sent, cut_q2);
    assign same_exponent[j] = !is_double || arrived[63:52] == sent[63:52];
    assign in_bound[j]      = !is_double || off <= (64'd1 << cut_q2) >> 1;
    assign special_exact[j] = !is_double || Exact == 0 || arrived == sent
                              || (sent[62:52] != 11'd0 && sent[62:52] != 11'd2047);
    assign idempotent[j]    = !is_double || arrival(arrived, cut_q2) == arrived;
    assign single_exact[j]  = is_double || arrived == sent;
  end
  always @(posedge clk_i) begin
    if (shown_q) begin
      ArrivesAsItShould : assert (as_format == '1);
      SignAndExponent : assert (same_exponent == '1);
      ErrorBound : assert (in_bound == '1);
      SpecialsExact : assert (special_exact == '1);
      Idempotent : assert (idempotent == '1);
      SingleWordExact : assert (single_exact == '1);
    end
  end

endmodule

`default_nettype wire
