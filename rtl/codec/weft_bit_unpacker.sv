// SPDX-License-Identifier: Apache-2.0
/// Bit unpacker: the window through which a decoder reads the bit string that arrives in flits.
///
/// Purpose    Appends a flit behind the stored bits, and removes the oldest bits.
/// Latency    One cycle from a push, a pop or a clear to the outputs, which are registers.
/// Handshake  The user pushes only with `room_o` or `clear_i`, and pops no more bits than are available. A clear
///            precedes a push of the same cycle; a flit pushed in the cycle of a pop follows the remaining bits.
`default_nettype none

module weft_bit_unpacker #(
  /// Words per flit: 1, 2, 4 or 8.
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
  /// Number of bits to remove, at most ChunkBits and at most those available.
  input  wire logic [LengthBits-1:0] pop_i,

  /// The bits, oldest lowest (0 above the available ones), number of available bits, room for a flit.
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
