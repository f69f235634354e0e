// SPDX-License-Identifier: Apache-2.0
/// Bit window: a bit unpacker for users that determine late how many bits they remove. It has the registers and
/// shifters.
///
/// Purpose    The same as for weft_bit_unpacker. The possible numbers of bits to remove arrive first, and the selection
///            among them arrives later. The shifts are done for each number in parallel, so that the selection is not
///            in series with them.
/// Latency    One cycle from a push, a pop or a clear to the outputs, which are registers.
/// Handshake  The same as for weft_bit_unpacker. Only the selected number must be within the available bits.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_bit_window #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Number of possible sizes of a pop in one cycle.
  parameter int unsigned Sizes = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Empties the window.
  input  wire logic                        clear_i,
  /// Appends a flit behind the stored bits.
  input  wire logic                        push_i,
  input  wire logic [FlitBits-1:0]         flit_i,
  /// Removes the selected size (pop_i), or one bit more (pop_more_i); at most one bit of both vectors together is set.
  /// At most ChunkBits, and at most the available bits, are removed.
  input  wire logic [Sizes-1:0]            pop_i,
  input  wire logic [Sizes-1:0]            pop_more_i,
  input  wire logic [Sizes*LengthBits-1:0] sizes_i,

  /// The bits, oldest lowest (0 above the available ones), the number of available bits, and whether a flit has room.
  output logic [WindowBits-1:0]    window_o,
  output logic [AvailableBits-1:0] available_o,
  output logic                     room_o
);

  logic [WindowBits-1:0]          window_q, window_d;
  logic [AvailableBits-1:0]       available_q, available_d;
  logic [AvailableBits-1:0]       offset_q;  // a copy of available_q for the shifters; neither it nor the window needs
                                             // a reset
  logic                           fresh;
  logic [FlitBits-1:0]            pushed;
  logic [AvailableBits-1:0]       pushed_bits;
  logic                           hold;              // nothing is removed
  logic [WindowBits-1:0]          held;              // the next bits if nothing is removed
  logic [Sizes*WindowBits-1:0]    popped;            // the next bits for each size that may be removed
  logic [AvailableBits-1:0]       held_bits;         // the next number of bits if nothing is removed
  logic [Sizes*AvailableBits-1:0] popped_bits;       // the next number of bits for each size that may be removed
  logic [Sizes*AvailableBits-1:0] popped_more_bits;  // the next number of bits if one bit more is removed

  // In each case the flit is placed at the end of the bits; the actual case is selected last.
  assign pushed      = push_i ? flit_i : '0;
  assign pushed_bits = push_i ? AvailableBits'(FlitBits) : '0;
  assign held        = window_q | (WindowBits'(pushed) << offset_q);
  assign held_bits   = offset_q + pushed_bits;
  for (genvar s = 0; s < Sizes; s++) begin : gen_size
    logic [LengthBits-1:0]    size;
    logic [AvailableBits-1:0] rest;
    assign size = sizes_i[LengthBits*s +: LengthBits];
    assign rest = offset_q - AvailableBits'(size);
    assign popped_bits[AvailableBits*s +: AvailableBits] = rest + pushed_bits;
    assign popped_more_bits[AvailableBits*s +: AvailableBits] =
        rest + (push_i ? AvailableBits'(FlitBits - 1) : '1);
    assign popped[WindowBits*s +: WindowBits] = (window_q >> size) | (WindowBits'(pushed) << rest);
  end

  // An empty window is treated as a cleared one, so the register of the window needs no reset.
  assign fresh = clear_i || available_q == '0;
  // The cases are selected by masks. With conditions, a synthesizer may use a single shifter behind the selection (the
  // pass `share` of Yosys does), which lengthens the critical path.
  assign hold  = (pop_i | pop_more_i) == '0;
  always_comb begin
    window_d    = held & {WindowBits{hold}};
    available_d = held_bits & {AvailableBits{hold}};
    for (int unsigned s = 0; s < Sizes; s++) begin
      window_d    = window_d
                    | (popped[WindowBits*s +: WindowBits] & {WindowBits{pop_i[s]}})
                    | ((popped[WindowBits*s +: WindowBits] >> 1) & {WindowBits{pop_more_i[s]}});
      available_d = available_d
                    | (popped_bits[AvailableBits*s +: AvailableBits] & {AvailableBits{pop_i[s]}})
                    | (popped_more_bits[AvailableBits*s +: AvailableBits] & {AvailableBits{pop_more_i[s]}});
    end
    if (fresh) begin
      window_d    = WindowBits'(pushed);
      available_d = pushed_bits;
    end
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      available_q <= '0;
    end else begin
      available_q <= available_d;
    end
  end

  always_ff @(posedge clk_i) begin
    window_q <= window_d;
    offset_q  <= available_d;
  end

  assign window_o    = window_q;
  assign available_o = available_q;
  assign room_o      = available_q <= AvailableBits'(ChunkBits);

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_ASSERT(PushWithRoom, !push_i || clear_i || room_o, "a flit must be pushed only if there is room")
  `WEFT_ASSERT(OffsetIsCopy, available_q == '0 || offset_q == available_q, "the copy may differ only after reset")
  `WEFT_ASSERT(OnePop, $onehot0({pop_i, pop_more_i}), "at most one size may be popped in a cycle")
  for (genvar s = 0; s < Sizes; s++) begin : gen_pop_available
    `WEFT_ASSERT(PopAvailable, !pop_i[s] || AvailableBits'(sizes_i[LengthBits*s +: LengthBits]) <= available_q,
                 "no more bits may be popped than are available")
    `WEFT_ASSERT(TakeMoreAvailable,
                 !pop_more_i[s] || AvailableBits'(sizes_i[LengthBits*s +: LengthBits]) < available_q,
                 "the additional bit must be available if it is popped")
  end
  `WEFT_ASSERT(WindowWithinAvailable, available_q == '0 || (window_q >> available_q) == '0,
               "the bits above the number available must be 0")
  `include "cover/weft_bit_window.svh"

endmodule

`default_nettype wire
