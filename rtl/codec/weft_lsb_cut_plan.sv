// SPDX-License-Identifier: Apache-2.0
/// LSB-cut plan: computes everything about a group of LSB-cut that does not depend on the bit string.
///
/// Purpose    Computes masks and lengths from the cut and the number of words. A user that has these two one cycle
///            early can store the plan in registers, so that multiplications and shifts are not in series with the
///            reading of the group.
/// Latency    None: combinational.
/// Handshake  None.
`default_nettype none

module weft_lsb_cut_plan #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// 1: special doubles arrive unchanged. 0: their low bits are cut as well, as in the paper.
  parameter int unsigned Exact = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned GroupWords = weft_pkg::group_words(Words),
  localparam int unsigned CountBits = $clog2(GroupWords + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned Slots = GroupWords / 2,
  localparam int unsigned Lengths = (Slots + 1) * (Slots + 2) / 2
) (
  /// Number of words of the group, 1 to GroupWords.
  input  wire logic [CountBits-1:0] count_i,
  /// Number of bits that were cut from each double, 0 to 51.
  input  wire logic [5:0]           cut_i,

  /// Contents of each slot (a pair of words): whether it holds a double, a single word, or a double that has a flag if
  /// it is special.
  output logic [Slots-1:0]              is_double_o,
  output logic [Slots-1:0]              is_single_o,
  output logic [Slots-1:0]              may_be_special_o,
  /// Masks on the bit string: for slot j, the exponent of its double, if it holds one; and flag j.
  output logic [Slots*ChunkBits-1:0]    exponents_o,
  output logic [Slots*ChunkBits-1:0]    flags_o,
  /// Entry s (s + 1) / 2 + f: size of a group with s special doubles, if the cut bits of f of them are sent.
  output logic [Lengths*LengthBits-1:0] sizes_o,
  /// Position of the first flag.
  output logic [LengthBits-1:0]         base_o,
  /// Entry j: the cut times j + 1.
  output logic [Slots*LengthBits-1:0]   cuts_o
);

  localparam int unsigned SlotBits = $clog2(Slots + 1);

  logic [SlotBits-1:0]   doubles;
  logic [LengthBits-1:0] kept_bits;  // number of bits that remain of one double
  logic [LengthBits-1:0] single;     // number of bits of the single word
  assign doubles   = count_i[CountBits-1:1];
  assign kept_bits = LengthBits'(64) - LengthBits'(cut_i);
  assign single    = count_i[0] ? LengthBits'(32) : '0;
  always_comb begin
    base_o = '0;
    for (int unsigned d = 1; d <= Slots; d++) begin
      if (doubles == SlotBits'(d)) begin
        base_o = base_o | (kept_bits * LengthBits'(d));
      end
    end
  end

  for (genvar j = 0; j < Slots; j++) begin : gen_slot
    assign is_double_o[j]                       = count_i >= CountBits'(2 * j + 2);
    assign is_single_o[j]                       = count_i == CountBits'(2 * j + 1);
    assign may_be_special_o[j]                  = is_double_o[j] && Exact != 0 && cut_i != 6'd0;
    assign cuts_o[LengthBits*j +: LengthBits]   = LengthBits'(cut_i) * LengthBits'(j + 1);
    // Double j begins at bit j (64 - cut), without its cut bits, so its exponent is (j + 1) cut bits below its original
    // position.
    assign exponents_o[ChunkBits*j +: ChunkBits] =
        (ChunkBits'(11'h7ff) << (64 * j + 52)) >> cuts_o[LengthBits*j +: LengthBits];
    assign flags_o[ChunkBits*j +: ChunkBits]    = ChunkBits'(1) << (base_o + LengthBits'(j));
  end

  for (genvar s = 0; s <= Slots; s++) begin : gen_specials
    for (genvar f = 0; f <= s; f++) begin : gen_flagged
      assign sizes_o[LengthBits*(s*(s+1)/2+f) +: LengthBits] =
          base_o + single + LengthBits'(s) + LengthBits'(cut_i) * LengthBits'(f);
    end
  end

endmodule

`default_nettype wire
