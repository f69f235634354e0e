// SPDX-License-Identifier: Apache-2.0
/// FPC encoder: converts the words of a raw flit into one chunk, a part of the packet's bit string.
///
/// Purpose    Table-based FPC (Classic = 0): a chunk consists of the 3-bit prefixes of all words, then the data of the
///            words. Classic FPC (Classic = 1): a chunk consists of the tokens that these words complete; the zeros of
///            a run that has not ended are only counted.
/// Latency    One cycle. The outputs are registers.
/// Handshake  None: the encoder never stalls. Each flit gives one chunk, which may be empty. Without a flit all outputs
///            are 0.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_fpc_compressor #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Six run lengths of six bits, r0 lowest. They decrease and are 1 to 32. The classic code does not use them.
  parameter logic [35:0] Table = weft_pkg::TableOne,
  /// 0: table-based FPC. 1: classic FPC.
  parameter int unsigned Classic = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// A raw flit: its words, the number of its words that belong to the message (1 to Words), and whether it is the
  /// tail.
  input  wire logic                 valid_i,
  input  wire logic [FlitBits-1:0]  words_i,
  input  wire logic [CountBits-1:0] count_i,
  input  wire logic                 last_i,

  /// The chunk: its bits (0 above its length), its number of bits, and whether it is the last chunk of its packet.
  output logic                  valid_o,
  output logic [ChunkBits-1:0]  chunk_o,
  output logic [LengthBits-1:0] length_o,
  output logic                  last_o
);

  // The bits that each word contributes, and their number. A tree concatenates them below.
  logic [Words*ChunkBits-1:0]  piece;
  logic [Words*LengthBits-1:0] piece_length;
  // The bits before all words (in table-based FPC the prefixes). The bits of the words leave these positions free.
  logic [ChunkBits-1:0]  lead;
  logic [LengthBits-1:0] lead_length;

  logic [Words-1:0] present;  // whether the word belongs to the message
  for (genvar j = 0; j < Words; j++) begin : gen_present
    assign present[j] = count_i > CountBits'(j);
  end

  if (Classic == 0) begin : gen_table

    for (genvar j = 0; j < Words; j++) begin : gen_word
      logic [31:0] word;
      logic [5:0]  zeros;  // bit i: the upper r_i bits of the word are 0; the run lengths decrease, so each bit implies
                           // the next
      logic [6:0]  code;   // one-hot: code i of the word, or 6 if none applies
      assign word = words_i[32*j +: 32];

      for (genvar i = 0; i < 6; i++) begin : gen_code
        localparam int unsigned Run = 32'(Table[6*i +: 6]);
        assign zeros[i] = word[31:32-Run] == Run'(0);
      end
      assign code = {~zeros[5], zeros & ~{zeros[4:0], 1'b0}};

      // The bits above the data of a word are already 0, so no mask is needed. The space for the prefixes is added
      // here, where it needs no length. In the tree, only the lengths of words then determine the shifts.
      always_comb begin
        piece[ChunkBits*j +: ChunkBits] = '0;
        for (int unsigned c = 1; c <= Words; c++) begin
          if (present[j] && count_i == CountBits'(c)) begin
            piece[ChunkBits*j +: ChunkBits] =
                piece[ChunkBits*j +: ChunkBits] | (ChunkBits'(word) << (3 * c));
          end
        end
        piece_length[LengthBits*j +: LengthBits] = '0;
        for (int unsigned i = 0; i < 6; i++) begin
          if (present[j] && code[i]) begin
            piece_length[LengthBits*j +: LengthBits] =
                piece_length[LengthBits*j +: LengthBits] | LengthBits'(32 - 32'(Table[6*i +: 6]));
          end
        end
        if (present[j] && code[6]) begin
          piece_length[LengthBits*j +: LengthBits] = piece_length[LengthBits*j +: LengthBits] | LengthBits'(32);
        end
      end

      // The prefix is 5 - i for code i, and 7 if no code applies
      assign lead[3*j]   = present[j] & (code[6] | code[0] | code[2] | code[4]);
      assign lead[3*j+1] = present[j] & (code[6] | code[2] | code[3]);
      assign lead[3*j+2] = present[j] & (code[6] | code[0] | code[1]);
    end

    assign lead[ChunkBits-1:3*Words] = '0;
    always_comb begin
      lead_length = '0;
      for (int unsigned c = 1; c <= Words; c++) begin
        if (count_i == CountBits'(c)) begin
          lead_length = lead_length | LengthBits'(3 * c);
        end
      end
    end

  end else begin : gen_classic

    // Number of zeros, 0 to 7, in the run that has not ended before the flit, and before word j.
    logic [2:0]         zeros_q, zeros_d;
    logic [3*Words-1:0] zeros;
    logic [Words-1:0]   is_zero;
    logic [Words-1:0]   is_last;  // the last word of the packet

    // A run of eight zeros is complete, so zeros are counted modulo 8. The count for word j is the number of zeros
    // immediately before it; if all words before j are 0, the zeros before the flit are added.
    always_comb begin
      for (int unsigned j = 0; j < Words; j++) begin
        zeros[3*j +: 3] = zeros_q + 3'(j);
        for (int unsigned k = 0; k < j; k++) begin
          if (!is_zero[k]) begin
            zeros[3*j +: 3] = 3'(j - k - 1);
          end
        end
      end
    end

    for (genvar j = 0; j < Words; j++) begin : gen_word
      logic [31:0] word;
      logic        sign4, sign8, sign16, upper, two_bytes, repeated;
      logic [31:0] data;
      logic [2:0]  prefix;
      logic [5:0]  length;
      logic        open;  // a run precedes the word
      logic        ends;  // the word ends a run
      assign word       = words_i[32*j +: 32];
      assign is_zero[j] = word == 32'd0;
      assign is_last[j] = last_i && count_i == CountBits'(j + 1);
      assign sign4      = word[31:3] == {29{word[31]}};
      assign sign8      = word[31:7] == {25{word[31]}};
      assign sign16     = word[31:15] == {17{word[31]}};
      assign upper      = word[15:0] == 16'd0;
      assign two_bytes  = word[31:23] == {9{word[31]}} && word[15:7] == {9{word[15]}};
      assign repeated   = word[31:8] == word[23:0];

      // Selects the token with the fewest bits; among equal lengths, the one with the smaller prefix.
      always_comb begin
        prefix = weft_pkg::TokenWord;
        data   = word;
        length = 6'd35;
        if (sign4) begin
          prefix = weft_pkg::TokenSign4;
          data   = {28'd0, word[3:0]};
          length = 6'd7;
        end else if (sign8) begin
          prefix = weft_pkg::TokenSign8;
          data   = {24'd0, word[7:0]};
          length = 6'd11;
        end else if (repeated) begin
          prefix = weft_pkg::TokenRepeated;
          data   = {24'd0, word[7:0]};
          length = 6'd11;
        end else if (sign16) begin
          prefix = weft_pkg::TokenSign16;
          data   = {16'd0, word[15:0]};
          length = 6'd19;
        end else if (upper) begin
          prefix = weft_pkg::TokenUpper;
          data   = {16'd0, word[31:16]};
          length = 6'd19;
        end else if (two_bytes) begin
          prefix = weft_pkg::TokenTwoBytes;
          data   = {16'd0, word[23:16], word[7:0]};
          length = 6'd19;
        end
      end

      assign open = zeros[3*j +: 3] != 3'd0;
      assign ends = zeros[3*j +: 3] == 3'd7 || is_last[j];
      always_comb begin
        piece[ChunkBits*j +: ChunkBits]          = '0;
        piece_length[LengthBits*j +: LengthBits] = '0;
        if (present[j]) begin
          if (!is_zero[j]) begin
            if (open) begin
              piece[ChunkBits*j +: ChunkBits] =
                  ChunkBits'({data, prefix, zeros[3*j +: 3] - 3'd1, weft_pkg::TokenZeros});
              piece_length[LengthBits*j +: LengthBits] = LengthBits'(length) + LengthBits'(6);
            end else begin
              piece[ChunkBits*j +: ChunkBits]          = ChunkBits'({data, prefix});
              piece_length[LengthBits*j +: LengthBits] = LengthBits'(length);
            end
          end else if (ends) begin
            piece[ChunkBits*j +: ChunkBits]          = ChunkBits'({zeros[3*j +: 3], weft_pkg::TokenZeros});
            piece_length[LengthBits*j +: LengthBits] = LengthBits'(6);
          end
        end
      end
    end

    // Only the last flit of a packet may have fewer than Words words, and no run continues beyond this flit.
    always_comb begin
      zeros_d = zeros_q;
      if (valid_i) begin
        zeros_d = 3'd0;
        if (!last_i && is_zero[Words-1]) begin
          zeros_d = zeros[3*(Words-1) +: 3] + 3'd1;
        end
      end
    end

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        zeros_q <= 3'd0;
      end else begin
        zeros_q <= zeros_d;
      end
    end

    assign lead        = '0;
    assign lead_length = '0;

    logic unused_table;
    assign unused_table = ^Table;

  end

  // Concatenates the bits of the words pairwise: first those of neighbors.
  logic [Words*ChunkBits-1:0]  joined;
  logic [Words*LengthBits-1:0] joined_length;
  always_comb begin
    joined        = piece;
    joined_length = piece_length;
    for (int unsigned step = 1; step < Words; step = step * 2) begin
      for (int unsigned j = 0; j + step < Words; j = j + 2 * step) begin
        joined[ChunkBits*j +: ChunkBits] =
            joined[ChunkBits*j +: ChunkBits]
            | (joined[ChunkBits*(j+step) +: ChunkBits] << joined_length[LengthBits*j +: LengthBits]);
        joined_length[LengthBits*j +: LengthBits] =
            joined_length[LengthBits*j +: LengthBits] + joined_length[LengthBits*(j+step) +: LengthBits];
      end
    end
  end

  logic                  valid_q, last_q;
  logic [ChunkBits-1:0]  chunk_q;
  logic [LengthBits-1:0] length_q;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      last_q   <= 1'b0;
      length_q <= '0;
    end else begin
      valid_q  <= valid_i;
      last_q   <= valid_i & last_i;
      length_q <= valid_i ? joined_length[LengthBits-1:0] + lead_length : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    chunk_q <= valid_i ? joined[ChunkBits-1:0] | lead : '0;
  end

  assign valid_o  = valid_q;
  assign chunk_o  = chunk_q;
  assign length_o = length_q;
  assign last_o   = last_q;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_PARAMETER(TableFalls,
                  Table[0 +: 6] <= 6'd32 && Table[0 +: 6] > Table[6 +: 6] && Table[6 +: 6] > Table[12 +: 6]
                      && Table[12 +: 6] > Table[18 +: 6] && Table[18 +: 6] > Table[24 +: 6]
                      && Table[24 +: 6] > Table[30 +: 6] && Table[30 +: 6] != 6'd0,
                  "the run lengths of Table must decrease from at most 32 to at least 1")
  `WEFT_ASSERT(CountInRange, !valid_i || (count_i != '0 && count_i <= CountBits'(Words)),
               "a flit must have 1 to Words words of the message")
  `WEFT_ASSERT(OnlyLastIsShort, !valid_i || last_i || count_i == CountBits'(Words),
               "only the last flit of a packet may have fewer than Words words")
  `WEFT_ASSERT(LengthInRange, length_q <= LengthBits'(ChunkBits), "a chunk must have at most ChunkBits bits")
  `WEFT_ASSERT(ChunkWithinLength, (chunk_q >> length_q) == '0, "the bits above the length must be 0")

endmodule

`default_nettype wire
