// SPDX-License-Identifier: Apache-2.0
/// Asynchronous FIFO: a stream with valid and ready from one clock to another.
///
/// Purpose    For a node in another clock domain than its NIC: one FIFO in each stream beside weft_axi_stream_nic. No
///            word is lost, duplicated or reordered, for any relation of the two clocks.
/// Latency    From the write to valid_o, `Stages` cycles of the reading clock, or one more.
/// Handshake  A word moves at the end of a cycle of its side's clock in which valid and ready are set. A word on the
///            output stays until it is accepted.
///
/// The full rate, that of the slower clock, requires a Depth of at least 2 * (Stages + 1): that many words are written
/// before the place of the first is known to be free again.
/// Assert both resets together, and use no side before both are released: a side that is reset alone loses its pointer.
/// For the constraints of the clocks see synth/sdc/README.md.
`default_nettype none

module weft_async_fifo #(
  /// Bits of the data.
  parameter int unsigned Width = 64,
  /// Capacity in words: a power of two, at least 2.
  parameter int unsigned Depth = 8,
  /// Flip-flops in series in each synchronizer, at least 2.
  parameter int unsigned Stages = 2
) (
  /// The writing side.
  input  wire logic             write_clk_i,
  input  wire logic             write_rst_ni,
  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire logic [Width-1:0] data_i,

  /// The reading side.
  input  wire logic        read_clk_i,
  input  wire logic        read_rst_ni,
  output logic             valid_o,
  input  wire logic        ready_i,
  output logic [Width-1:0] data_o
);

  localparam int unsigned PointerBits = $clog2(Depth) + 1;

  logic [Depth*Width-1:0] async_data;
  logic [PointerBits-1:0] async_write, async_read;

  weft_async_fifo_source #(
    .Width (Width),
    .Depth (Depth),
    .Stages(Stages)
  ) u_source (
    .clk_i        (write_clk_i),
    .rst_ni       (write_rst_ni),
    .valid_i,
    .ready_o,
    .data_i,
    .async_data_o (async_data),
    .async_write_o(async_write),
    .async_read_i (async_read)
  );

  weft_async_fifo_sink #(
    .Width (Width),
    .Depth (Depth),
    .Stages(Stages)
  ) u_sink (
    .clk_i        (read_clk_i),
    .rst_ni       (read_rst_ni),
    .valid_o,
    .ready_i,
    .data_o,
    .async_data_i (async_data),
    .async_write_i(async_write),
    .async_read_o (async_read)
  );

endmodule

`default_nettype wire
