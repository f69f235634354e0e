// SPDX-License-Identifier: Apache-2.0
/// Queue counter: computes Q, the number of packets that joined a queue minus those that left (COMPRESS, Algorithm 1).
///
/// Purpose    Counts the packets in a source queue that is outside the NIC.
/// Latency    One cycle from a strobe to `queue_o`, which is a register.
/// Handshake  None. If a packet joins and another one leaves in the same cycle, Q does not change.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_queue_counter (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// A packet joins the queue (join_i), or leaves it (leave_i).
  input  wire logic join_i,
  input  wire logic leave_i,

  /// Q: packets in the queue.
  output logic [31:0] queue_o
);

  logic [31:0] queue_q;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      queue_q <= '0;
    end else if (join_i && !leave_i) begin
      queue_q <= queue_q + 32'd1;
    end else if (leave_i && !join_i) begin
      queue_q <= queue_q - 32'd1;
    end
  end

  assign queue_o = queue_q;

  `WEFT_ASSERT(LeavesAfterJoining, !leave_i || join_i || queue_q != '0, "packet leaves an empty queue")
  `WEFT_ASSERT(NeverWraps, !join_i || leave_i || queue_q != '1, "queue counter overflow")
  `WEFT_ASSERT_KNOWN(KnownOut, ({queue_o}), "outputs must not be X")
  `include "cover/weft_queue_counter.svh"

endmodule

`default_nettype wire
