// SPDX-License-Identifier: Apache-2.0
/// Asynchronous FIFO: for any relation of the edges of the two clocks, no word is lost, duplicated or reordered, and
/// the FIFO never holds more words than it has slots. A step of the proof is any moment at which edges may occur. If a
/// pointer bit changed in the previous step, the other clock samples its new or its old value, because a flip-flop that
/// samples a changing bit settles to either.
`default_nettype none

module async_fifo #(
  parameter int unsigned Depth = 2,
  localparam int unsigned PointerBits = $clog2(Depth) + 1
) (
  input wire logic write_clk_i,
  input wire logic read_clk_i,

  input wire logic valid_i,
  input wire logic data_i,
  input wire logic ready_i,
  // The watched word arrives in this cycle.
  input wire logic watch_i,
  // Bits of the pointers that are sampled as the old value.
  input wire logic [PointerBits-1:0] write_late_i,
  input wire logic [PointerBits-1:0] read_late_i
);

  logic reset_done_q = 1'b0;
  always @($global_clock) begin
    reset_done_q <= 1'b1;
  end

  logic [PointerBits-1:0] write, read, write_before_q, read_before_q;
  always @($global_clock) begin
    write_before_q <= write;
    read_before_q <= read;
  end

  logic [Depth-1:0] data;
  logic             ready, valid, out;
  weft_async_fifo_source #(
    .Width(1),
    .Depth(Depth)
  ) u_source (
    .clk_i        (write_clk_i),
    .rst_ni       (reset_done_q),
    .valid_i,
    .ready_o      (ready),
    .data_i,
    .async_data_o (data),
    .async_write_o(write),
    .async_read_i (read ^ ((read ^ read_before_q) & read_late_i))
  );
  weft_async_fifo_sink #(
    .Width(1),
    .Depth(Depth)
  ) u_sink (
    .clk_i        (read_clk_i),
    .rst_ni       (reset_done_q),
    .valid_o      (valid),
    .ready_i,
    .data_o       (out),
    .async_data_i (data),
    .async_write_i(write ^ ((write ^ write_before_q) & write_late_i)),
    .async_read_o (read)
  );

  // Numbers of words written and read; number and value of the watched word.
  logic [PointerBits-1:0] written_q, gone_q, number_q, within;
  logic                   watching_q, watched_q, seen_q;
  assign within = written_q - gone_q;
  always_ff @(posedge write_clk_i or negedge reset_done_q) begin
    if (!reset_done_q) begin
      written_q <= '0;
      watching_q <= 1'b0;
    end else if (valid_i && ready) begin
      written_q <= written_q + PointerBits'(1);
      if (!watching_q && watch_i) begin
        watching_q <= 1'b1;
        number_q <= written_q;
        watched_q <= data_i;
      end
    end
  end
  always_ff @(posedge read_clk_i or negedge reset_done_q) begin
    if (!reset_done_q) begin
      gone_q <= '0;
      seen_q <= 1'b0;
    end else if (valid && ready_i) begin
      gone_q <= gone_q + PointerBits'(1);
      if (watching_q && gone_q == number_q) seen_q <= 1'b1;
    end
  end

  always_comb begin
    if (reset_done_q) begin
      NeverTooMany : assert (32'(within) <= Depth);
      NeverFromNothing : assert (!valid || within != '0);
      InOrder : assert (!(valid && watching_q && !seen_q && gone_q == number_q) || out == watched_q);
      OneBitAtATime : assert ((((write ^ write_before_q) & ((write ^ write_before_q) - PointerBits'(1))) == '0) &&
                              (((read ^ read_before_q) & ((read ^ read_before_q) - PointerBits'(1))) == '0));
    end
  end

endmodule

`default_nettype wire
