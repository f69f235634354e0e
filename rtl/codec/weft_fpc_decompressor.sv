// SPDX-License-Identifier: Apache-2.0
/// FPC decoder: reads one group, the words of one raw flit, from a packet's bit string.
///
/// Purpose    Measures the group at the beginning of the window, so that the user can determine its size and whether it
///            is complete. Then extracts its words.
/// Latency    The measurement is combinational. The words are available in the cycle after `load_i`, combinationally
///            from registers.
/// Handshake  The user loads a group only if it fits and is not corrupt. The words of the group stay until the next
///            load.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_fpc_decompressor #(
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
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// The window of the unpacker, and the number of bits available in it.
  input  wire logic [WindowBits-1:0]    window_i,
  input  wire logic [AvailableBits-1:0] available_i,
  /// Number of words of the group, 1 to Words, and of the packet's remaining words, including those of this group.
  input  wire logic [CountBits-1:0]          count_i,
  input  wire logic [weft_pkg::SizeBits-1:0] left_i,

  /// Size of the group in bits; whether all of its bits are available; and, meaningful only in this case, whether no
  /// encoder produces this group. Of a token that does not exist, only the prefix is counted.
  output logic [LengthBits-1:0] size_o,
  output logic                  fits_o,
  output logic                  corrupt_o,

  /// Stores the group. `clear_i` discards the zeros that remain of an abandoned packet; it is performed before a load.
  input  wire logic clear_i,
  input  wire logic load_i,

  /// The words of the stored group (0 from its number of words on); whether a bit behind the group is set; and whether
  /// at least one flit follows the group.
  output logic [FlitBits-1:0] words_o,
  output logic                filling_o,
  output logic                excess_o
);

  // For each word, the position of its data (classic: of its token), and how these bits are read.
  logic [Words*LengthBits-1:0] offset_d, offset_q;
  logic [WindowBits-1:0]       window_q;
  logic [LengthBits-1:0]       size_q;
  logic [AvailableBits-1:0]    available_q;

  logic [Words-1:0] present;
  for (genvar j = 0; j < Words; j++) begin : gen_present
    assign present[j] = count_i > CountBits'(j);
  end

  if (Classic == 0) begin : gen_table

    // Number of bits of a word, with its prefix, for each of the eight prefixes; eight bits each.
    localparam logic [63:0] Tokens = {
      8'd35, 8'd3, 8'd35 - {2'd0, Table[0 +: 6]}, 8'd35 - {2'd0, Table[6 +: 6]}, 8'd35 - {2'd0, Table[12 +: 6]},
      8'd35 - {2'd0, Table[18 +: 6]}, 8'd35 - {2'd0, Table[24 +: 6]}, 8'd35 - {2'd0, Table[30 +: 6]}
    };

    logic [Words*LengthBits-1:0] size;     // number of bits of the data of a word
    logic [Words*LengthBits-1:0] end_sum;  // number of bits of the data of this word and of all words before it
    logic [LengthBits-1:0]       lead;     // number of bits of the prefixes

    for (genvar j = 0; j < Words; j++) begin : gen_size
      logic [2:0] prefix;
      assign prefix = window_i[3*j +: 3];
      always_comb begin
        size[LengthBits*j +: LengthBits] = '0;
        for (int unsigned p = 0; p < 8; p++) begin
          if (prefix == 3'(p)) begin
            size[LengthBits*j +: LengthBits] = LengthBits'(Tokens[8*p +: 8] - 8'd3);
          end
        end
      end
    end

    weft_fpc_measure #(
      .Words(Words),
      .Table(Table)
    ) u_measure (
      .prefixes_i(window_i[3*Words-1:0]),
      .count_i,
      .size_o,
      .corrupt_o
    );

    assign fits_o = AvailableBits'(size_o) <= available_i;

    // The positions of the words are not needed before the next cycle.
    always_comb begin
      lead = '0;
      for (int unsigned c = 1; c <= Words; c++) begin
        if (count_i == CountBits'(c)) begin
          lead = lead | LengthBits'(3 * c);
        end
      end
    end

    // Computes the sums by doubling: after the step for s, each element is the sum of the last 2 s sizes.
    always_comb begin
      end_sum = size;
      for (int unsigned step = 1; step < Words; step = step * 2) begin
        for (int unsigned j = Words - 1; j >= step; j = j - 1) begin
          end_sum[LengthBits*j +: LengthBits] =
              end_sum[LengthBits*j +: LengthBits] + end_sum[LengthBits*(j-step) +: LengthBits];
        end
      end
    end

    assign offset_d[LengthBits-1:0] = lead;
    for (genvar j = 1; j < Words; j++) begin : gen_offset
      assign offset_d[LengthBits*j +: LengthBits] = end_sum[LengthBits*(j-1) +: LengthBits] + lead;
    end

    for (genvar j = 0; j < Words; j++) begin : gen_word
      logic [31:0] mask_d, mask_q;  // mask of those bits of the word that were sent
      logic [31:0] data;
      assign mask_d = present[j] ? ~(32'hffff_ffff << size[LengthBits*j +: LengthBits]) : '0;
      always_ff @(posedge clk_i) begin
        if (load_i) begin
          mask_q <= mask_d;
        end
      end
      assign data                = 32'(window_q[ChunkBits-1:0] >> offset_q[LengthBits*j +: LengthBits]);
      assign words_o[32*j +: 32] = data & mask_q;
    end

    logic unused_control;
    assign unused_control = ^{rst_ni, clear_i, left_i};

  end else begin : gen_classic

    // Number of zero words, 0 to 7, that remain of the last run. They occupy no bits.
    logic [2:0] zeros_q, zeros_d;

    logic [Words*3-1:0]           prefix_d, prefix_q;
    logic [Words-1:0]             zero_d, zero_q;  // whether the word is 0, because it is in a run or does not exist
    logic [ChunkBits-1:0]         rest;            // the window from the word on
    logic [2:0]                   owed;            // number of zero words that remain of a run before the word
    logic                         too_long;
    logic [LengthBits-1:0]        offset;
    logic [LengthBits-1:0]        size;
    logic [2:0]                   prefix;

    // The words are processed in order, because the token of each word determines the position of the next one.
    always_comb begin
      rest     = window_i[ChunkBits-1:0];
      owed     = zeros_q;
      offset    = '0;
      size     = '0;
      prefix   = weft_pkg::TokenZeros;
      too_long = 1'b0;
      prefix_d = '0;
      zero_d   = '0;
      offset_d  = '0;
      for (int unsigned j = 0; j < Words; j++) begin
        prefix = rest[2:0];
        offset_d[LengthBits*j +: LengthBits] = offset;
        prefix_d[3*j +: 3] = prefix;
        zero_d[j] = !present[j] || owed != 3'd0 || prefix == weft_pkg::TokenZeros;
        if (!present[j]) begin
          size = '0;
        end else if (owed != 3'd0) begin
          size = '0;
          owed = owed - 3'd1;
        end else begin
          unique case (prefix)
            weft_pkg::TokenZeros:    size = LengthBits'(6);
            weft_pkg::TokenSign4:    size = LengthBits'(7);
            weft_pkg::TokenSign8:    size = LengthBits'(11);
            weft_pkg::TokenRepeated: size = LengthBits'(11);
            weft_pkg::TokenWord:     size = LengthBits'(35);
            default:                 size = LengthBits'(19);
          endcase
          if (prefix == weft_pkg::TokenZeros) begin
            owed = rest[5:3];
            // The run has one zero more than the field contains, and j words of the group precede it.
            if (left_i <= weft_pkg::SizeBits'(j) + weft_pkg::SizeBits'(rest[5:3])) begin
              too_long = 1'b1;
            end
          end
        end
        unique case (size)
          LengthBits'(6):  rest = rest >> 6;
          LengthBits'(7):  rest = rest >> 7;
          LengthBits'(11): rest = rest >> 11;
          LengthBits'(19): rest = rest >> 19;
          LengthBits'(35): rest = rest >> 35;
          default:         rest = rest;
        endcase
        offset = offset + size;
      end
    end

    assign size_o    = offset;
    assign fits_o    = AvailableBits'(offset) <= available_i;
    assign corrupt_o = too_long;

    always_comb begin
      zeros_d = zeros_q;
      if (clear_i) begin
        zeros_d = 3'd0;
      end else if (load_i) begin
        zeros_d = owed;
      end
    end

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        zeros_q <= 3'd0;
      end else begin
        zeros_q <= zeros_d;
      end
    end

    always_ff @(posedge clk_i) begin
      if (load_i) begin
        prefix_q <= prefix_d;
        zero_q   <= zero_d;
      end
    end

    for (genvar j = 0; j < Words; j++) begin : gen_word
      logic [31:0] data;
      logic [31:0] word;
      assign data = 32'(window_q[ChunkBits-1:3] >> offset_q[LengthBits*j +: LengthBits]);
      always_comb begin
        unique case (prefix_q[3*j +: 3])
          weft_pkg::TokenSign4:    word = {{28{data[3]}}, data[3:0]};
          weft_pkg::TokenSign8:    word = {{24{data[7]}}, data[7:0]};
          weft_pkg::TokenSign16:   word = {{16{data[15]}}, data[15:0]};
          weft_pkg::TokenUpper:    word = {data[15:0], 16'd0};
          weft_pkg::TokenTwoBytes: word = {{8{data[15]}}, data[15:8], {8{data[7]}}, data[7:0]};
          weft_pkg::TokenRepeated: word = {4{data[7:0]}};
          default:                 word = data;
        endcase
      end
      assign words_o[32*j +: 32] = zero_q[j] ? 32'd0 : word;
    end

    logic unused_table;
    assign unused_table = ^Table;

  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      window_q    <= window_i;
      available_q <= available_i;
      size_q      <= size_o;
      offset_q     <= offset_d;
    end
  end

  logic [WindowBits-1:0]    behind;
  logic [AvailableBits-1:0] behind_bits;
  assign behind      = window_q & ({WindowBits{1'b1}} << size_q);
  assign behind_bits = available_q - AvailableBits'(size_q);
  assign filling_o   = behind != '0;
  assign excess_o    = behind_bits >= AvailableBits'(FlitBits);

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_PARAMETER(TableFalls,
                  Table[0 +: 6] <= 6'd32 && Table[0 +: 6] > Table[6 +: 6] && Table[6 +: 6] > Table[12 +: 6]
                      && Table[12 +: 6] > Table[18 +: 6] && Table[18 +: 6] > Table[24 +: 6]
                      && Table[24 +: 6] > Table[30 +: 6] && Table[30 +: 6] != 6'd0,
                  "the run lengths of Table must decrease from at most 32 to at least 1")
  `WEFT_ASSERT(CountInRange, !load_i || (count_i != '0 && count_i <= CountBits'(Words)),
               "a group must have 1 to Words words")
  `WEFT_ASSERT(CountWithinPacket, !load_i || weft_pkg::SizeBits'(count_i) <= left_i,
               "a group must not have more words than the packet has left")
  `WEFT_ASSERT(LoadSound, !load_i || (fits_o && !corrupt_o), "only a complete and valid group may be loaded")
  `WEFT_ASSERT_HELD(WordsHeld, !load_i, words_o, "a group must not change until the next one is loaded")

endmodule

`default_nettype wire
