/// Bit window: the registers and shifters of the bit unpacker, for a user who knows late whether it takes.
///
/// Purpose    As weft_bit_unpacker. The bits to take come before the decision to take them, so that the decision is
///            not in series with the shift.
/// Latency    One cycle from a push, a take or a clear to the outputs, which are registers.
/// Handshake  As weft_bit_unpacker; `size_i` means something only with `take_i`.
`default_nettype none

`include "weft_assert.svh"

module weft_bit_window #(
  /// Words of a flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  // Derived, not to be set.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,

  /// Empties the window.
  input  logic                  clear_i,
  /// Appends a flit.
  input  logic                  push_i,
  input  logic [FlitBits-1:0]   flit_i,
  /// Drops `size_i` bits: at most ChunkBits and at most those available.
  input  logic                  take_i,
  input  logic [LengthBits-1:0] size_i,

  /// The bits, the oldest lowest (0 above the number available), how many, room for a flit.
  output logic [WindowBits-1:0]    window_o,
  output logic [AvailableBits-1:0] available_o,
  output logic                     room_o
);

  logic [WindowBits-1:0]    window_q, window_d;
  logic [AvailableBits-1:0] available_q, available_d;
  logic                     fresh;
  logic [FlitBits-1:0]      pushed;
  logic [AvailableBits-1:0] pushed_bits;
  logic [WindowBits-1:0]    appended;
  logic [AvailableBits-1:0] appended_bits;

  // The flit goes to where the bits end now, and all is moved by what is taken; what really happens is chosen last.
  assign pushed        = push_i ? flit_i : '0;
  assign pushed_bits   = push_i ? AvailableBits'(FlitBits) : '0;
  assign appended      = window_q | (WindowBits'(pushed) << available_q);
  assign appended_bits = available_q + pushed_bits;
  // An empty window is as a cleared one, so its register needs no reset.
  assign fresh         = clear_i || available_q == '0;
  always_comb begin
    if (fresh) begin
      window_d    = WindowBits'(pushed);
      available_d = pushed_bits;
    end else if (take_i) begin
      window_d    = appended >> size_i;
      available_d = appended_bits - AvailableBits'(size_i);
    end else begin
      window_d    = appended;
      available_d = appended_bits;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      available_q <= '0;
    end else begin
      available_q <= available_d;
    end
  end

  always_ff @(posedge clk_i) begin
    window_q <= window_d;
  end

  assign window_o    = window_q;
  assign available_o = available_q;
  assign room_o      = available_q <= AvailableBits'(ChunkBits);

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words is 1, 2, 4 or 8")
  `WEFT_ASSERT(PushWithRoom, !push_i || clear_i || room_o, "a flit is pushed only where it has room")
  `WEFT_ASSERT(TakeAvailable, !take_i || AvailableBits'(size_i) <= available_q, "no more bits are taken than there are")
  `WEFT_ASSERT(WindowWithinAvailable, available_q == '0 || (window_q >> available_q) == '0,
               "the bits above the number available are 0")

endmodule

`default_nettype wire
