// SPDX-License-Identifier: Apache-2.0
/// Compares the congestion counter with a reference, which stores at every tick the number of flits since reset. N must
/// be the number stored at the last tick minus the number stored Buckets ticks before.
/// Proved by induction over the cycles, without bound (all counts modulo 2^32).
`default_nettype none

module congestion_counter #(
  parameter int unsigned Ports = 1,
  parameter int unsigned Buckets = 1,
  /// 1: the step of the induction, out of reset from the first cycle on. 0: from reset.
  parameter int unsigned Step = 0
) (
  input wire logic clk_i,

  input wire logic [Ports-1:0] flit_valid_i,
  input wire logic             tick_i
);

  logic reset_done_q = 1'b0;
  logic reset_done;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end
  assign reset_done = Step != 0 || reset_done_q;

  logic [31:0] received;
  weft_congestion_counter #(.Ports(Ports), .Buckets(Buckets)) u_counter (
    .clk_i, .rst_ni(reset_done), .flit_valid_i, .tick_i, .received_o(received)
  );

  logic [31:0]               total, total_q;  // flits since reset, including those of this cycle
  logic [32*(Buckets+1)-1:0] at_tick_q;       // the total at the last ticks, the newest lowest
  always_comb begin
    total = total_q;
    for (int unsigned p = 0; p < Ports; p++) begin
      if (flit_valid_i[p]) begin
        total = total + 32'd1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!reset_done) begin
      total_q   <= '0;
      at_tick_q <= '0;
    end else begin
      total_q <= total;
      if (tick_i) begin
        at_tick_q <= {at_tick_q[32*Buckets-1:0], total};
      end
    end
  end

  // Registers of the counter, which the induction needs.
  (* keep *) logic [31:0]           count;
  (* keep *) logic [32*Buckets-1:0] buckets;

  always_comb begin
    // More than 2^32 flits in a window are not counted: the sum covers each part of it.
    assume (at_tick_q[31:0] - at_tick_q[32*Buckets +: 32] >=
            at_tick_q[32*(Buckets-1) +: 32] - at_tick_q[32*Buckets +: 32]);
  end

  always_comb begin
    if (reset_done) begin
      EqualsReference : assert (received == at_tick_q[31:0] - at_tick_q[32*Buckets +: 32]);
      CountOpen : assert (count == total_q - at_tick_q[31:0]);
    end
  end

  if (Buckets > 1) begin : gen_sliding
    logic [Buckets-1:0] right;
    for (genvar b = 0; b < Buckets; b++) begin : gen_bucket
      assign right[b] = buckets[32*b +: 32] == at_tick_q[32*b +: 32] - at_tick_q[32*(b+1) +: 32];
    end
    always_comb begin
      if (reset_done) begin
        BucketsRight : assert (right == '1);
      end
    end
  end

endmodule

`default_nettype wire
