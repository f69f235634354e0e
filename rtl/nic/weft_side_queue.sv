// SPDX-License-Identifier: Apache-2.0
/// Side queue: what accompanies a packet past a stage that does not carry it.
///
/// Purpose    Packets leave a stage in the order in which they came. What is beside a head that goes in waits here for
///            the head that comes out.
/// Latency    None: what is beside a head that passes the stage within the cycle passes, too.
/// Handshake  None: heads that go in and come out, in the cycle in which they move.
///
/// All but the first are in a memory, whose output register is what is shown; one that finds it empty is shown from a
/// register of its own.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_side_queue #(
  /// Bits of what accompanies a packet.
  parameter int unsigned Width = 105,
  /// Packets that can be within behind the first; a power of two, at least 2.
  parameter int unsigned Depth = 16,
  // Derived, not to be set.
  localparam int unsigned AddressBits = $clog2(Depth)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// A head goes into the stage, and what is beside it.
  input  wire logic             push_i,
  input  wire logic [Width-1:0] side_i,

  /// A head comes out, and what is beside the one that is shown.
  input  wire logic             pop_i,
  output logic      [Width-1:0] side_o
);

  logic                 shown_q;           // there is a first one
  logic [AddressBits:0] read_q, write_q;   // of those behind it; one bit more tells full from empty
  logic                 held, full;
  logic                 pass, direct;      // what comes goes at once, or is the first one next
  logic                 refill, enqueue;   // the first one is replaced from the memory; what comes goes there
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

  `WEFT_PARAMETER(DepthSupported, Depth >= 2 && Depth == 2 ** $clog2(Depth), "Depth is a power of two")
  `WEFT_ASSERT(NoUnderflow, !pop_i || shown_q || push_i, "a head comes out that never went in")
  `WEFT_ASSERT(NoOverflow, !(enqueue && full), "more packets are within than were reckoned with")
  `include "cover/weft_side_queue.svh"

endmodule

`default_nettype wire
