// SPDX-License-Identifier: Apache-2.0
/// Packet memory: a memory with one write port, and one read port with an output register, like a block memory.
///
/// Purpose    Stores payloads, in the compressor and other stages. The module contains no other logic, so that
///            a synthesizer infers a memory.
/// Latency    Read data appear one cycle after `read_i` and stay until the next read.
/// Handshake  None. A read of the address that is written in the same cycle gives the old or the new data; users avoid
///            it.
`default_nettype none

`include "weft_assert.svh"

module weft_packet_memory #(
  /// Width of an entry in bits.
  parameter int unsigned Width = 64,
  /// Number of entries; a power of two, at least 2.
  parameter int unsigned Depth = 512,
  // Derived parameters. Do not set them.
  localparam int unsigned AddressBits = $clog2(Depth)
) (
  input  wire logic clk_i,
  /// Only for assertions: neither entries nor read data are reset.
  input  wire logic rst_ni,

  /// Write port.
  input  wire logic                   write_i,
  input  wire logic [AddressBits-1:0] write_address_i,
  input  wire logic [Width-1:0]       write_data_i,

  /// Read port.
  input  wire logic                   read_i,
  input  wire logic [AddressBits-1:0] read_address_i,
  output logic [Width-1:0]       read_data_o
);

  logic [Width-1:0] memory_q [Depth];
  logic [Width-1:0] read_data_q;

  always_ff @(posedge clk_i) begin
    if (write_i) begin
      memory_q[write_address_i] <= write_data_i;
    end
    if (read_i) begin
      read_data_q <= memory_q[read_address_i];
    end
  end

  assign read_data_o = read_data_q;

  logic unused_reset;
  assign unused_reset = rst_ni;

  `WEFT_PARAMETER(DepthSupported, Depth >= 2 && Depth == 2 ** $clog2(Depth), "Depth must be a power of two, at least 2")
  `WEFT_ASSERT(NoCollision, !(write_i && read_i && write_address_i == read_address_i),
               "an entry must not be read in the cycle in which it is written")

endmodule

`default_nettype wire
