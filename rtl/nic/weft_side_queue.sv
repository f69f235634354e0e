// SPDX-License-Identifier: Apache-2.0
/// Side queue: holds data that belong to packets inside a stage that does not transport these data.
///
/// Purpose    Packets leave a stage in order. When a head enters the stage, its data enter the queue; they leave the
///            queue with the head.
/// Latency    None: if a head passes the stage within a cycle, its data pass the queue in this cycle too.
/// Handshake  None: push_i and pop_i are set in the cycles in which heads move.
///
/// The first entry is in the output register of a memory, which drives side_o; all other entries are in this memory. An
/// entry that arrives when the queue is empty is output from a separate register.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_side_queue #(
  /// Width in bits of the data of a packet.
  parameter int unsigned Width = 105,
  /// Maximum number of packets in the stage behind the first one; a power of two, at least 2.
  parameter int unsigned Depth = 16,
  // Derived parameters. Do not set them.
  localparam int unsigned AddressBits = $clog2(Depth)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// A head enters the stage; its data are on side_i.
  input  wire logic             push_i,
  input  wire logic [Width-1:0] side_i,

  /// A head leaves the stage; side_o has its data.
  input  wire logic             pop_i,
  output logic      [Width-1:0] side_o
);

  logic                 shown_q;           // there is a first entry
  logic [AddressBits:0] read_q, write_q;   // pointers of the entries behind it, with one bit more to distinguish full
                                           // from empty
  logic                 held, full;
  logic                 pass, direct;      // the arriving entry leaves at once; it becomes the first one
  logic                 refill, enqueue;   // the first entry is replaced from the memory; the arriving entry is written
                                           // to it
  assign held    = read_q != write_q;
  assign full    = write_q == {~read_q[AddressBits], read_q[AddressBits-1:0]};
  assign pass    = push_i && pop_i && !shown_q;
  assign direct  = push_i && !pass && !held && (pop_i || !shown_q);
  assign refill  = held && (pop_i || !shown_q);
  assign enqueue = push_i && !pass && !direct;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      shown_q <= 1'b0;
      read_q  <= '0;
      write_q <= '0;
    end else begin
      if (refill || direct) shown_q <= 1'b1;
      else if (pop_i) shown_q <= 1'b0;
      if (refill) read_q <= read_q + (AddressBits + 1)'(1);
      if (enqueue) write_q <= write_q + (AddressBits + 1)'(1);
    end
  end

  logic             direct_q;
  logic [Width-1:0] direct_side_q, stored;
  always_ff @(posedge clk_i) begin
    if (refill || direct) direct_q <= direct;
    if (direct) direct_side_q <= side_i;
  end

  weft_packet_memory #(
    .Width(Width),
    .Depth(Depth)
  ) u_sides (
    .clk_i,
    .rst_ni,
    .write_i        (enqueue),
    .write_address_i(write_q[AddressBits-1:0]),
    .write_data_i   (side_i),
    .read_i         (refill),
    .read_address_i (read_q[AddressBits-1:0]),
    .read_data_o    (stored)
  );

  assign side_o = !shown_q ? side_i : direct_q ? direct_side_q : stored;

  `WEFT_PARAMETER(DepthSupported, Depth >= 2 && Depth == 2 ** $clog2(Depth), "Depth must be a power of two, at least 2")
  `WEFT_ASSERT(NoUnderflow, !pop_i || shown_q || push_i, "pop from an empty side queue")
  `WEFT_ASSERT(NoOverflow, !(enqueue && full), "side queue overflow: more packets in the stage than Depth")
  `include "cover/weft_side_queue.svh"

endmodule

`default_nettype wire
