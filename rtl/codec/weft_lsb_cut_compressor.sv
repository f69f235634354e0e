// SPDX-License-Identifier: Apache-2.0
/// LSB-cut encoder: converts the words of a raw flit into one chunk, a part of the packet's bit string.
///
/// Purpose    Removes the low `cut_i` bits of every double. With Exact = 1, the encoder sends the cut bits of special
///            doubles (exponent field 0 or 2047) where this is necessary to preserve them.
/// Latency    One cycle. The outputs are registers.
/// Handshake  None: the encoder never stalls. Each flit gives one chunk. Without a flit all outputs are 0. With Words =
///            1 a double occupies two flits, and the chunk of the first one is empty.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_lsb_cut_compressor #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// 1: special doubles arrive unchanged. 0: their low bits are cut as well, as in the paper.
  parameter int unsigned Exact = 1,
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
  /// Number of bits to cut, 0 to 51; constant during a packet.
  input  wire logic [5:0]           cut_i,

  /// The chunk: its bits (0 above its length), its number of bits, and whether it is the last chunk of its packet.
  output logic                  valid_o,
  output logic [ChunkBits-1:0]  chunk_o,
  output logic [LengthBits-1:0] length_o,
  output logic                  last_o
);

  // A slot holds a double, a single word at the end of a message, or nothing.
  localparam int unsigned Slots = (Words == 1) ? 1 : Words / 2;
  localparam int unsigned SlotBits = $clog2(Slots + 1);

  logic [64*Slots-1:0] slots;
  logic [Slots-1:0]    is_double;
  logic [Slots-1:0]    is_single;
  logic [SlotBits-1:0] doubles;

  if (Words == 1) begin : gen_pair
    // With Words = 1, the lower word of a double is held until the upper word arrives.
    logic        held_q;
    logic [31:0] lower_q;
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        held_q <= 1'b0;
      end else if (valid_i) begin
        held_q <= ~held_q & ~last_i;
      end
    end
    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        lower_q <= words_i;
      end
    end
    assign slots     = held_q ? {words_i, lower_q} : {32'd0, words_i};
    assign is_double = held_q;
    assign is_single = ~held_q & last_i;
    assign doubles   = held_q;
    logic unused_count;
    assign unused_count = ^count_i;
  end else begin : gen_slots
    assign slots   = words_i;
    assign doubles = count_i[CountBits-1:1];
    for (genvar j = 0; j < Slots; j++) begin : gen_slot
      assign is_double[j] = count_i >= CountBits'(2 * j + 2);
      assign is_single[j] = count_i == CountBits'(2 * j + 1);
    end
  end

  // Values that depend only on the cut and on the number of words. They are computed early.
  logic [63:0]           low_mask;   // mask of the bits to cut
  logic [LengthBits-1:0] kept_bits;  // number of bits that remain of one double
  logic [LengthBits-1:0] base;       // number of bits that remain of all doubles; the flags follow them
  assign low_mask  = ~(64'hffff_ffff_ffff_ffff << cut_i);
  assign kept_bits = LengthBits'(64) - LengthBits'(cut_i);
  always_comb begin
    base = '0;
    for (int unsigned d = 1; d <= Slots; d++) begin
      if (doubles == SlotBits'(d)) begin
        base = base | (kept_bits * LengthBits'(d));
      end
    end
  end

  logic [ChunkBits-1:0]        kept;      // field 1: the bits that remain of the doubles
  logic [Slots-1:0]            special;   // whether the slot has a flag
  logic [Slots-1:0]            flagged;   // value of this flag
  logic [Slots*ChunkBits-1:0]  item;      // bits of the slot in fields 3 and 4, shifted by `base`
  logic [Slots*LengthBits-1:0] item_length;

  logic [Slots*ChunkBits-1:0] kept_part;
  for (genvar j = 0; j < Slots; j++) begin : gen_slot
    logic [63:0]          slot;
    logic [63:0]          upper;
    logic [63:0]          low;
    logic [10:0]          exponent;
    logic [ChunkBits-1:0] moved;
    assign slot     = slots[64*j +: 64];
    assign exponent = slot[62:52];
    assign upper    = is_double[j] ? slot >> cut_i : 64'd0;
    // Double j begins at bit j (64 - cut).
    assign kept_part[ChunkBits*j +: ChunkBits] =
        (ChunkBits'(upper) << (64 * j)) >> (LengthBits'(cut_i) * LengthBits'(j));

    assign special[j] = Exact != 0 && is_double[j] && cut_i != 6'd0 && (exponent == 11'd0 || exponent == 11'd2047);
    assign flagged[j] = special[j] && (slot & low_mask) != 64'd0;

    assign low   = is_single[j] ? {32'd0, slot[31:0]} : slot & low_mask;
    assign moved = ChunkBits'(low) << base;
    assign item[ChunkBits*j +: ChunkBits] = (is_single[j] || flagged[j]) ? moved : '0;
    assign item_length[LengthBits*j +: LengthBits] =
        is_single[j] ? LengthBits'(32) : flagged[j] ? LengthBits'(cut_i) : '0;
  end

  always_comb begin
    kept = '0;
    for (int unsigned j = 0; j < Slots; j++) begin
      kept = kept | kept_part[ChunkBits*j +: ChunkBits];
    end
  end

  // There are no gaps between flags: the position of a flag is the number of special slots before it.
  logic [Slots-1:0]    flags;
  logic [SlotBits-1:0] specials;
  always_comb begin
    flags    = '0;
    specials = '0;
    for (int unsigned j = 0; j < Slots; j++) begin
      for (int unsigned k = 0; k <= j; k++) begin
        if (flagged[j] && specials == SlotBits'(k)) begin
          flags[k] = 1'b1;
        end
      end
      specials = specials + SlotBits'(special[j]);
    end
  end

  // Concatenates the bits of the slots pairwise: first those of neighbors.
  logic [Slots*ChunkBits-1:0]  joined;
  logic [Slots*LengthBits-1:0] joined_length;
  always_comb begin
    joined        = item;
    joined_length = item_length;
    for (int unsigned step = 1; step < Slots; step = step * 2) begin
      for (int unsigned j = 0; j + step < Slots; j = j + 2 * step) begin
        joined[ChunkBits*j +: ChunkBits] =
            joined[ChunkBits*j +: ChunkBits]
            | (joined[ChunkBits*(j+step) +: ChunkBits] << joined_length[LengthBits*j +: LengthBits]);
        joined_length[LengthBits*j +: LengthBits] =
            joined_length[LengthBits*j +: LengthBits] + joined_length[LengthBits*(j+step) +: LengthBits];
      end
    end
  end

  logic                  full;  // whether the flit completes a group
  logic                  valid_q, last_q;
  logic [ChunkBits-1:0]  chunk_q;
  logic [LengthBits-1:0] length_q;
  assign full = valid_i && (is_double != '0 || is_single != '0);

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      last_q   <= 1'b0;
      length_q <= '0;
    end else begin
      valid_q  <= valid_i;
      last_q   <= valid_i & last_i;
      length_q <= full ? joined_length[LengthBits-1:0] + LengthBits'(specials) + base : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    chunk_q <= full ? kept | (ChunkBits'(flags) << base) | (joined[ChunkBits-1:0] << specials) : '0;
  end

  assign valid_o  = valid_q;
  assign chunk_o  = chunk_q;
  assign length_o = length_q;
  assign last_o   = last_q;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_ASSERT(CountInRange, !valid_i || (count_i != '0 && count_i <= CountBits'(Words)),
               "a flit must have 1 to Words words of the message")
  `WEFT_ASSERT(OnlyLastIsShort, !valid_i || last_i || count_i == CountBits'(Words),
               "only the last flit of a packet may have fewer than Words words")
  `WEFT_ASSERT(CutInRange, !valid_i || cut_i <= 6'(weft_pkg::MaxCut), "a cut exceeds 51 bits")
  `WEFT_ASSERT(LengthInRange, length_q <= LengthBits'(ChunkBits), "a chunk must have at most ChunkBits bits")
  `WEFT_ASSERT(ChunkWithinLength, (chunk_q >> length_q) == '0, "the bits above the length must be 0")

endmodule

`default_nettype wire
