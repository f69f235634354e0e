// SPDX-License-Identifier: Apache-2.0
/// LSB-cut reader: measures and extracts a group of LSB-cut, for which a plan is given (weft_lsb_cut_plan).
///
/// Purpose    This is the part of the LSB-cut decoder that reads the bit string.
/// Latency    The measurement is combinational. The words are available in the cycle after `load_i`, combinationally
///            from registers.
/// Handshake  The user loads a group only if it fits. The words of the group stay until the next load.
`default_nettype none

`include "weft_assert.svh"

module weft_lsb_cut_reader #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned GroupWords = weft_pkg::group_words(Words),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1),
  localparam int unsigned Slots = GroupWords / 2,
  localparam int unsigned Lengths = (Slots + 1) * (Slots + 2) / 2
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// The window of the unpacker, and the number of bits available in it.
  input  wire logic [WindowBits-1:0]    window_i,
  input  wire logic [AvailableBits-1:0] available_i,

  /// The plan of the group, from weft_lsb_cut_plan.
  input  wire logic [Slots-1:0]              is_double_i,
  input  wire logic [Slots-1:0]              is_single_i,
  input  wire logic [Slots-1:0]              may_be_special_i,
  input  wire logic [Slots*ChunkBits-1:0]    exponents_i,
  input  wire logic [Slots*ChunkBits-1:0]    flags_i,
  input  wire logic [Lengths*LengthBits-1:0] sizes_i,
  input  wire logic [LengthBits-1:0]         base_i,
  input  wire logic [Slots*LengthBits-1:0]   cuts_i,

  /// Size of the group in bits; which entry of `sizes_i` it is (one-hot); and whether all of its bits are available.
  output logic [LengthBits-1:0] size_o,
  output logic [Lengths-1:0]    length_o,
  output logic                  fits_o,

  /// Stores the group, whose words are then available.
  input  wire logic load_i,

  /// The words of the stored group (0 from its number of words on); whether a bit behind the group is set; and whether
  /// at least one flit follows the group.
  output logic [32*GroupWords-1:0] words_o,
  output logic                     filling_o,
  output logic                     excess_o
);

  localparam int unsigned SlotBits = $clog2(Slots + 1);

  // Which doubles are special, and of which of them the cut bits are sent.
  logic [Slots-1:0]          flags;  // flags in the order of the bit string
  logic [Slots-1:0]          special;
  logic [Slots-1:0]          flagged;
  logic [Slots*SlotBits-1:0] flagged_before;
  logic [SlotBits-1:0]       specials;
  logic [SlotBits-1:0]       flaggeds;
  for (genvar j = 0; j < Slots; j++) begin : gen_special
    logic [ChunkBits-1:0] exponent;
    logic                 all_zeros, all_ones;
    assign exponent   = exponents_i[ChunkBits*j +: ChunkBits];
    assign all_zeros  = (window_i[ChunkBits-1:0] & exponent) == '0;
    assign all_ones   = (~window_i[ChunkBits-1:0] & exponent) == '0;
    assign special[j] = may_be_special_i[j] && (all_zeros || all_ones);
    assign flags[j]   = (window_i[ChunkBits-1:0] & flags_i[ChunkBits*j +: ChunkBits]) != '0;
  end
  always_comb begin
    specials       = '0;
    flaggeds       = '0;
    flagged        = '0;
    flagged_before = '0;
    for (int unsigned j = 0; j < Slots; j++) begin
      flagged_before[SlotBits*j +: SlotBits] = flaggeds;
      for (int unsigned k = 0; k <= j; k++) begin
        if (special[j] && flags[k] && specials == SlotBits'(k)) begin
          flagged[j] = 1'b1;
        end
      end
      specials = specials + SlotBits'(special[j]);
      flaggeds = flaggeds + SlotBits'(flagged[j]);
    end
  end

  // The group is compared with all possible lengths early; then the right length is selected.
  always_comb begin
    length_o = '0;
    size_o  = '0;
    fits_o  = 1'b0;
    for (int unsigned s = 0; s <= Slots; s++) begin
      for (int unsigned f = 0; f <= s; f++) begin
        length_o[s*(s+1)/2+f] = specials == SlotBits'(s) && flaggeds == SlotBits'(f);
      end
    end
    for (int unsigned k = 0; k < Lengths; k++) begin
      if (length_o[k]) begin
        size_o = size_o | sizes_i[LengthBits*k +: LengthBits];
        fits_o = fits_o | (AvailableBits'(sizes_i[LengthBits*k +: LengthBits]) <= available_i);
      end
    end
  end

  logic [WindowBits-1:0]       window_q;
  logic [AvailableBits-1:0]    available_q;
  logic [LengthBits-1:0]       size_q;
  logic [Slots*LengthBits-1:0] cuts_q;
  logic [Slots*LengthBits-1:0] item_offset_q;  // position of the cut bits of a double, or of the single word
  logic [Slots-1:0]            is_double_q, is_single_q, special_q, flagged_q;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      window_q    <= window_i;
      available_q <= available_i;
      size_q      <= size_o;
      cuts_q      <= cuts_i;
      is_double_q <= is_double_i;
      is_single_q <= is_single_i;
      special_q   <= special;
      flagged_q   <= flagged;
    end
  end

  for (genvar j = 0; j < Slots; j++) begin : gen_item_offset
    logic [LengthBits-1:0] skipped;  // number of bits of the slots before this one
    always_comb begin
      skipped = '0;
      for (int unsigned f = 1; f <= j; f++) begin
        if (flagged_before[SlotBits*j +: SlotBits] == SlotBits'(f)) begin
          skipped = skipped | cuts_i[LengthBits*(f-1) +: LengthBits];
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (load_i) begin
        item_offset_q[LengthBits*j +: LengthBits] <= base_i + LengthBits'(specials) + skipped;
      end
    end
  end

  logic [63:0] low_mask;  // mask of the cut bits
  logic [63:0] padding;   // value for cut bits that were not sent: the middle of their range
  assign low_mask = ~(64'hffff_ffff_ffff_ffff << cuts_q[LengthBits-1:0]);
  assign padding  = low_mask ^ (low_mask >> 1);

  for (genvar j = 0; j < Slots; j++) begin : gen_words
    logic [63:0] kept;
    logic [63:0] item;
    logic [63:0] lower;
    assign kept = 64'((window_q[ChunkBits-1:0] << cuts_q[LengthBits*j +: LengthBits]) >> (64 * j)) & ~low_mask;
    assign item = 64'(window_q[ChunkBits-1:0] >> item_offset_q[LengthBits*j +: LengthBits]);
    always_comb begin
      lower = padding;
      if (special_q[j]) begin
        lower = flagged_q[j] ? item & low_mask : 64'd0;
      end
      words_o[64*j +: 64] = 64'd0;
      if (is_double_q[j]) begin
        words_o[64*j +: 64] = kept | lower;
      end else if (is_single_q[j]) begin
        words_o[64*j +: 64] = {32'd0, item[31:0]};
      end
    end
  end

  logic [WindowBits-1:0]    behind;
  logic [AvailableBits-1:0] behind_bits;
  assign behind      = window_q & ({WindowBits{1'b1}} << size_q);
  assign behind_bits = available_q - AvailableBits'(size_q);
  assign filling_o   = behind != '0;
  assign excess_o    = behind_bits >= AvailableBits'(FlitBits);

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_ASSERT(LoadSound, !load_i || fits_o, "only a complete group may be loaded")
  `WEFT_ASSERT(OneLength, $onehot(length_o), "a group must have exactly one length")
  `WEFT_ASSERT_HELD(WordsHeld, !load_i, words_o, "a group must not change until the next one is loaded")

endmodule

`default_nettype wire
