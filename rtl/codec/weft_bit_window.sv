// SPDX-License-Identifier: Apache-2.0
/// Bit window: the registers and shifters of the bit unpacker, for a user that knows late what it takes.
///
/// Purpose    As weft_bit_unpacker. The sizes that a take can have come before the choice among them, so that the
///            choice is not in series with the shifts.
/// Latency    One cycle from a push, a take or a clear to the outputs, which are registers.
/// Handshake  As weft_bit_unpacker; of the sizes only the one taken must be within what is available.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_bit_window #(
  /// Words of a flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Sizes that a take can have in a cycle.
  parameter int unsigned Sizes = 1,
  // Derived, not to be set.
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
  /// Appends a flit.
  input  wire logic                        push_i,
  input  wire logic [FlitBits-1:0]         flit_i,
  /// Drops as many bits as a size says, or one bit more (one bit of the two is set at most): at most ChunkBits and at
  /// most those available.
  input  wire logic [Sizes-1:0]            take_i,
  input  wire logic [Sizes-1:0]            take_more_i,
  input  wire logic [Sizes*LengthBits-1:0] sizes_i,

  /// The bits, the oldest lowest (0 above the number available), how many, room for a flit.
  output logic [WindowBits-1:0]    window_o,
  output logic [AvailableBits-1:0] available_o,
  output logic                     room_o
);

  logic [WindowBits-1:0]          window_q, window_d;
  logic [AvailableBits-1:0]       available_q, available_d;
  logic [AvailableBits-1:0]       offset_q;  // a copy for the shifters, which needs no reset, as the window
  logic                           fresh;
  logic [FlitBits-1:0]            pushed;
  logic [AvailableBits-1:0]       pushed_bits;
  logic                           hold;             // nothing is taken
  logic [WindowBits-1:0]          held;             // the bits of the next cycle then,
  logic [Sizes*WindowBits-1:0]    taken;            // or if a size is taken
  logic [AvailableBits-1:0]       held_bits;        // how many they are then,
  logic [Sizes*AvailableBits-1:0] taken_bits;       // or if a size is taken,
  logic [Sizes*AvailableBits-1:0] taken_more_bits;  // or one bit more

  // The flit goes to where the bits end then, in each of the cases; what really happens is chosen last.
  assign pushed      = push_i ? flit_i : '0;
  assign pushed_bits = push_i ? AvailableBits'(FlitBits) : '0;
  assign held        = window_q | (WindowBits'(pushed) << offset_q);
  assign held_bits   = offset_q + pushed_bits;
  for (genvar s = 0; s < Sizes; s++) begin : gen_size
    logic [LengthBits-1:0]    size;
    logic [AvailableBits-1:0] rest;
    assign size = sizes_i[LengthBits*s +: LengthBits];
    assign rest = offset_q - AvailableBits'(size);
    assign taken_bits[AvailableBits*s +: AvailableBits] = rest + pushed_bits;
    assign taken_more_bits[AvailableBits*s +: AvailableBits] =
        rest + (push_i ? AvailableBits'(FlitBits - 1) : '1);
    assign taken[WindowBits*s +: WindowBits] = (window_q >> size) | (WindowBits'(pushed) << rest);
  end

  // An empty window is as a cleared one, so its register needs no reset.
  assign fresh = clear_i || available_q == '0;
  // Masks, not conditions: where only one of several shifts is used, a synthesizer may make a single shifter behind the
  // choice (`share` of Yosys does), and that is the long way.
  assign hold  = (take_i | take_more_i) == '0;
  always_comb begin
    window_d    = held & {WindowBits{hold}};
    available_d = held_bits & {AvailableBits{hold}};
    for (int unsigned s = 0; s < Sizes; s++) begin
      window_d    = window_d
                    | (taken[WindowBits*s +: WindowBits] & {WindowBits{take_i[s]}})
                    | ((taken[WindowBits*s +: WindowBits] >> 1) & {WindowBits{take_more_i[s]}});
      available_d = available_d
                    | (taken_bits[AvailableBits*s +: AvailableBits] & {AvailableBits{take_i[s]}})
                    | (taken_more_bits[AvailableBits*s +: AvailableBits] & {AvailableBits{take_more_i[s]}});
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

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words is 1, 2, 4 or 8")
  `WEFT_ASSERT(PushWithRoom, !push_i || clear_i || room_o, "a flit is pushed only where it has room")
  `WEFT_ASSERT(OffsetIsCopy, available_q == '0 || offset_q == available_q, "the copy differs after reset only")
  `WEFT_ASSERT(OneTake, $onehot0({take_i, take_more_i}), "one size is taken at most")
  for (genvar s = 0; s < Sizes; s++) begin : gen_take_available
    `WEFT_ASSERT(TakeAvailable, !take_i[s] || AvailableBits'(sizes_i[LengthBits*s +: LengthBits]) <= available_q,
                 "no more bits are taken than there are")
    `WEFT_ASSERT(TakeMoreAvailable,
                 !take_more_i[s] || AvailableBits'(sizes_i[LengthBits*s +: LengthBits]) < available_q,
                 "one bit more is there if it is taken")
  end
  `WEFT_ASSERT(WindowWithinAvailable, available_q == '0 || (window_q >> available_q) == '0,
               "the bits above the number available are 0")
  `include "cover/weft_bit_window.svh"

endmodule

`default_nettype wire
