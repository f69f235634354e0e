// SPDX-License-Identifier: Apache-2.0
/// FPC lookahead: measures a group of FPC by table on its way into the window, a cycle before a decoder sees it.
///
/// Purpose    How many bits a group takes is told by its first bits, and tells where the next group begins. With the
///            number in a register, the window is shifted by it while the next group is measured, not after.
/// Latency    One cycle from what enters the window to the measure of the group at its begin.
/// Handshake  None: it follows a window that keeps its group or drops it, and appends a flit or begins anew with it.
`default_nettype none

`include "weft_assert.svh"

module weft_fpc_lookahead #(
  /// Words of a flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Six run lengths, falling from r0 (lowest six bits) to r5, each 1 to 32.
  parameter logic [35:0] Table = weft_pkg::TableOne,
  // Derived, not to be set.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input  wire logic clk_i,

  /// The window, and the begin of the flit that is appended to it, if one is.
  input  wire logic [WindowBits-1:0]    window_i,
  input  wire logic [AvailableBits-1:0] available_i,
  input  wire logic                     push_i,
  input  wire logic [3*Words-1:0]       flit_i,
  /// The group is dropped, with the rest of its packet if `clear_i`: then the window begins anew with the flit.
  input  wire logic                     step_i,
  input  wire logic                     clear_i,
  /// Words of the group, and of the next one: 1 to Words.
  input  wire logic [CountBits-1:0]     count_i,
  input  wire logic [CountBits-1:0]     next_count_i,

  /// The group at the begin of the window: as weft_fpc_decompressor tells.
  output logic [LengthBits-1:0] take_o,
  output logic                  fits_o,
  output logic                  corrupt_o
);

  localparam int unsigned PrefixBits = 3 * Words;

  logic [LengthBits-1:0] take_q, held_take, step_take;
  logic                  corrupt_q, held_corrupt, step_corrupt;

  // The first bits of the window to come, if the group stays and if it is dropped. The flit reaches them only if few
  // bits are before it. Which of the few numbers it is, is compared directly, as a subtraction would take longer.
  logic [PrefixBits-1:0] pushed, held, dropped;
  assign pushed = push_i ? flit_i : '0;
  always_comb begin
    held    = window_i[PrefixBits-1:0];
    dropped = PrefixBits'(window_i >> take_q);
    for (int unsigned b = 0; b < PrefixBits; b++) begin
      if (available_i == AvailableBits'(b)) begin
        held = held | (pushed << b);
      end
      if (available_i == AvailableBits'(take_q) + AvailableBits'(b)) begin
        dropped = dropped | (pushed << b);
      end
    end
    if (clear_i) begin
      dropped = flit_i;
    end
  end

  weft_fpc_measure #(
    .Words(Words),
    .Table(Table)
  ) u_held (
    .prefixes_i(held),
    .count_i,
    .take_o    (held_take),
    .corrupt_o (held_corrupt)
  );

  weft_fpc_measure #(
    .Words(Words),
    .Table(Table)
  ) u_dropped (
    .prefixes_i(dropped),
    .count_i   (next_count_i),
    .take_o    (step_take),
    .corrupt_o (step_corrupt)
  );

  // A take of no meaning, before the first packet, has no effect.
  always_ff @(posedge clk_i) begin
    take_q    <= step_i ? step_take : held_take;
    corrupt_q <= step_i ? step_corrupt : held_corrupt;
  end

  assign take_o    = take_q;
  assign fits_o    = AvailableBits'(take_q) <= available_i;
  assign corrupt_o = corrupt_q;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words is 1, 2, 4 or 8")

endmodule

`default_nettype wire
