// SPDX-License-Identifier: Apache-2.0
/// Bit unpacker: the window through which a decoder sees the string of bits that comes in flits.
///
/// Purpose    Appends a flit behind the bits it holds, drops the oldest bits.
/// Latency    One cycle from a push, a take or a clear to the outputs, which are registers.
/// Handshake  The user pushes only with `room_o` or `clear_i`, and takes no more than is available. Clear comes before
///            push; what follows the bits that a take leaves is the flit pushed in the same cycle.
`default_nettype none

module weft_bit_unpacker #(
  /// Words of a flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
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
  input  wire logic                  clear_i,
  /// Appends a flit.
  input  wire logic                  push_i,
  input  wire logic [FlitBits-1:0]   flit_i,
  /// Bits to drop, at most ChunkBits and at most those available.
  input  wire logic [LengthBits-1:0] take_i,

  /// The bits, the oldest lowest (0 above the number available), how many, room for a flit.
  output logic [WindowBits-1:0]    window_o,
  output logic [AvailableBits-1:0] available_o,
  output logic                     room_o
);

  weft_bit_window #(
    .Words(Words)
  ) u_window (
    .clk_i,
    .rst_ni,
    .clear_i,
    .push_i,
    .flit_i,
    .take_i     (1'b1),
    .take_more_i(1'b0),
    .sizes_i    (take_i),
    .window_o,
    .available_o,
    .room_o
  );

endmodule

`default_nettype wire
