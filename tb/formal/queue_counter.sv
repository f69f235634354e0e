// SPDX-License-Identifier: Apache-2.0
/// Queue counter: Q is the number of packets that joined since reset minus those that left (modulo 2^32).
/// Proved by induction over the cycles, without bound.
`default_nettype none

module queue_counter (
  input wire logic clk_i,

  input wire logic join_i,
  input wire logic leave_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [31:0] queue;
  weft_queue_counter u_counter (.clk_i, .rst_ni(reset_done_q), .join_i, .leave_i, .queue_o(queue));

  logic [31:0] joined_q, left_q;
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) begin
      joined_q <= '0;
      left_q   <= '0;
    end else begin
      joined_q <= joined_q + 32'(join_i);
      left_q   <= left_q + 32'(leave_i);
    end
  end

  always_comb begin
    // A packet leaves only a queue that is not empty, and the queue has a maximum length.
    assume (joined_q != left_q || !leave_i || join_i);
    assume (joined_q - left_q != 32'hffff_ffff || !join_i || leave_i);
    if (reset_done_q) begin
      EqualsReference : assert (queue == joined_q - left_q);
    end
  end

endmodule

`default_nettype wire
