// SPDX-License-Identifier: Apache-2.0
/// Asynchronous FIFO: transfers a stream with valid and ready from one clock domain to another.
///
/// Purpose    Connects a node and a NIC with different clocks: place one FIFO in each stream of weft_axi_stream_nic. No
///            word is lost, duplicated or reordered, whatever the relation of the two clocks is.
/// Latency    From the write to valid_o: `Stages` cycles of the reading clock, or one cycle more.
/// Handshake  A word moves at the end of a cycle of the clock on its side in which valid and ready are set. A word on
///            the output stays until it is accepted.
///
/// The FIFO reaches the rate of the slower clock if Depth is at least 2 * (Stages + 1): the writing side writes this
/// number of words before it receives the information that the first one has been read.
/// Assert both resets together, and use neither side before both are released, because a side that is reset alone loses
/// its pointer. synth/sdc/README.md describes the constraints of the clocks.
`default_nettype none

module weft_async_fifo #(
  /// Width of a word in bits.
  parameter int unsigned Width = 64,
  /// Capacity in words; a power of two, at least 2.
  parameter int unsigned Depth = 8,
  /// Number of flip-flops in series in each synchronizer, at least 2.
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
