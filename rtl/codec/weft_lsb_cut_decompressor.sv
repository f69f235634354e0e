// SPDX-License-Identifier: Apache-2.0
/// LSB-cut decoder: reads one group from a packet's bit string. A group is the words of one raw flit, or of two flits
/// if Words = 1.
///
/// Purpose    Measures the group at the beginning of the window, so that the user can determine its size and whether it
///            is complete. Then extracts its words, where it pads the cut bits that were not sent.
/// Latency    The measurement is combinational. The words are available in the cycle after `load_i`, combinationally
///            from registers.
/// Handshake  The user loads a group only if it fits. The words of the group stay until the next load.
`default_nettype none

`include "weft_assert.svh"

module weft_lsb_cut_decompressor #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// 1: special doubles arrive unchanged. 0: their low bits are cut as well, as in the paper.
  parameter int unsigned Exact = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned GroupWords = weft_pkg::group_words(Words),
  localparam int unsigned CountBits = $clog2(GroupWords + 1),
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
  /// Number of words of the group, 1 to GroupWords.
  input  wire logic [CountBits-1:0]     count_i,
  /// Number of bits that were cut from each double, 0 to 51.
  input  wire logic [5:0]               cut_i,

  /// Size of the group in bits; whether all of its bits are available; and whether no encoder produces this group,
  /// which is always 0, because every bit string is a group.
  output logic [LengthBits-1:0] size_o,
  output logic                  fits_o,
  output logic                  corrupt_o,

  /// Stores the group, whose words are then available.
  input  wire logic load_i,

  /// The words of the stored group (0 from its number of words on); whether a bit behind the group is set; and whether
  /// at least one flit follows the group.
  output logic [32*GroupWords-1:0] words_o,
  output logic                     filling_o,
  output logic                     excess_o
);

  localparam int unsigned Slots = GroupWords / 2;
  localparam int unsigned Lengths = (Slots + 1) * (Slots + 2) / 2;

  logic [Slots-1:0]              is_double, is_single, may_be_special;
  logic [Slots*ChunkBits-1:0]    exponents, flags;
  logic [Lengths*LengthBits-1:0] sizes;
  logic [LengthBits-1:0]         base;
  logic [Slots*LengthBits-1:0]   cuts;

  weft_lsb_cut_plan #(
    .Words(Words),
    .Exact(Exact)
  ) u_plan (
    .count_i,
    .cut_i,
    .is_double_o     (is_double),
    .is_single_o     (is_single),
    .may_be_special_o(may_be_special),
    .exponents_o     (exponents),
    .flags_o         (flags),
    .sizes_o         (sizes),
    .base_o          (base),
    .cuts_o          (cuts)
  );

  logic [Lengths-1:0] unused_length;

  weft_lsb_cut_reader #(
    .Words(Words)
  ) u_reader (
    .clk_i,
    .rst_ni,
    .window_i,
    .available_i,
    .is_double_i     (is_double),
    .is_single_i     (is_single),
    .may_be_special_i(may_be_special),
    .exponents_i     (exponents),
    .flags_i         (flags),
    .sizes_i         (sizes),
    .base_i          (base),
    .cuts_i          (cuts),
    .size_o,
    .length_o        (unused_length),
    .fits_o,
    .load_i,
    .words_o,
    .filling_o,
    .excess_o
  );

  assign corrupt_o = 1'b0;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_ASSERT(CountInRange, !load_i || (count_i != '0 && count_i <= CountBits'(GroupWords)),
               "a group must have 1 to GroupWords words")
  `WEFT_ASSERT(CutInRange, !load_i || cut_i <= 6'(weft_pkg::MaxCut), "a cut exceeds 51 bits")

endmodule

`default_nettype wire
