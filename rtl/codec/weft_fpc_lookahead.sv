// SPDX-License-Identifier: Apache-2.0
/// FPC lookahead: measures a group of table-based FPC while it moves into the window, one cycle before a decoder reads
/// it.
///
/// Purpose    The first bits of a group determine its size, and thereby the position of the next group. If the size is
///            in a register, the window can be shifted while the next group is measured, instead of afterwards.
/// Latency    One cycle from the input of the window to the measurement of the group at its beginning.
/// Handshake  None. The module tracks a window that keeps or removes its group, and appends a flit or restarts with it.
`default_nettype none

`include "weft_assert.svh"

module weft_fpc_lookahead #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Six run lengths of six bits, r0 lowest. They decrease and are 1 to 32.
  parameter logic [35:0] Table = weft_pkg::TableOne,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input  wire logic clk_i,

  /// The window, and the beginning of the flit that is appended to it, if there is one.
  input  wire logic [WindowBits-1:0]    window_i,
  input  wire logic [AvailableBits-1:0] available_i,
  input  wire logic                     push_i,
  input  wire logic [3*Words-1:0]       flit_i,
  /// The group is removed. With `clear_i` the rest of its packet is removed too, and the window restarts with the flit.
  input  wire logic                     step_i,
  input  wire logic                     clear_i,
  /// Number of words of the group, and of the next group; 1 to Words each.
  input  wire logic [CountBits-1:0]     count_i,
  input  wire logic [CountBits-1:0]     next_count_i,

  /// The group at the beginning of the window, in the form of the outputs of weft_fpc_decompressor.
  output logic [LengthBits-1:0] size_o,
  output logic                  fits_o,
  output logic                  corrupt_o
);

  localparam int unsigned PrefixBits = 3 * Words;

  logic [LengthBits-1:0] size_q, held_size, step_size;
  logic                  corrupt_q, held_corrupt, step_corrupt;

  // The first bits of the next window, for the cases that the group stays and that it is removed. The flit reaches them
  // only if few bits precede it. The number of these bits is compared directly, because a subtraction would be slower.
  logic [PrefixBits-1:0] pushed, held, dropped;
  assign pushed = push_i ? flit_i : '0;
  always_comb begin
    held    = window_i[PrefixBits-1:0];
    dropped = PrefixBits'(window_i >> size_q);
    for (int unsigned b = 0; b < PrefixBits; b++) begin
      if (available_i == AvailableBits'(b)) begin
        held = held | (pushed << b);
      end
      if (available_i == AvailableBits'(size_q) + AvailableBits'(b)) begin
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
    .size_o    (held_size),
    .corrupt_o (held_corrupt)
  );

  weft_fpc_measure #(
    .Words(Words),
    .Table(Table)
  ) u_dropped (
    .prefixes_i(dropped),
    .count_i   (next_count_i),
    .size_o    (step_size),
    .corrupt_o (step_corrupt)
  );

  // Before the first packet, a step has no meaning and no effect.
  always_ff @(posedge clk_i) begin
    size_q    <= step_i ? step_size : held_size;
    corrupt_q <= step_i ? step_corrupt : held_corrupt;
  end

  assign size_o    = size_q;
  assign fits_o    = AvailableBits'(size_q) <= available_i;
  assign corrupt_o = corrupt_q;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")

endmodule

`default_nettype wire
