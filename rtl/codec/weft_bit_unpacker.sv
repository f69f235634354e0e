// SPDX-License-Identifier: Apache-2.0
/// Bit unpacker: the window through which a decoder reads a bit string that arrives in flits.
///
/// Purpose    Appends a flit behind the stored bits, and removes the oldest bits.
/// Latency    One cycle from a push, a pop or a clear to the outputs, which are registers.
/// Handshake  The user pushes a flit only if `room_o` or `clear_i` is set, and pops at most the available bits. In one
///            cycle, a clear is performed before a push, and a pushed flit follows the bits that a pop leaves.
`default_nettype none

module weft_bit_unpacker #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
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
  input  wire logic                  clear_i,
  /// Appends a flit behind the stored bits.
  input  wire logic                  push_i,
  input  wire logic [FlitBits-1:0]   flit_i,
  /// Number of bits to remove; at most ChunkBits, and at most the number of available bits.
  input  wire logic [LengthBits-1:0] pop_i,

  /// The bits, oldest lowest (0 above the available ones), the number of available bits, and whether a flit has room.
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
    .pop_i     (1'b1),
    .pop_more_i(1'b0),
    .sizes_i   (pop_i),
    .window_o,
    .available_o,
    .room_o
  );

endmodule

`default_nettype wire
