// SPDX-License-Identifier: Apache-2.0
/// Window timer: after reset, there is a tick in cycle c if and only if c + 1 is a multiple of Window. Proved by
/// induction over the cycles, without bound.
`default_nettype none

module window_timer #(
  parameter int unsigned Window = 1000
) (
  input wire logic clk_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic tick;
  weft_window_timer #(.Window(Window)) u_timer (.clk_i, .rst_ni(reset_done_q), .tick_o(tick));

  // The cycle, modulo Window. Cycle 0 begins with the first edge after reset.
  logic        begun_q = 1'b0;
  logic [31:0] cycle_q = 32'd0;
  always_ff @(posedge clk_i) begin
    begun_q <= reset_done_q;
    if (begun_q) begin
      cycle_q <= (cycle_q == 32'(Window - 1)) ? 32'd0 : cycle_q + 32'd1;
    end
  end

  // Registers of the timer, which the induction needs.
  localparam int unsigned CountBits = (Window == 1) ? 1 : $clog2(Window);
  (* keep *) logic [CountBits-1:0] count;

  always_comb begin
    if (!begun_q) begin
      Begins : assert (cycle_q == 32'd0 && 32'(count) == 32'd0);
    end else begin
      AfterReset : assert (reset_done_q && cycle_q < 32'(Window));
      CountRight : assert (32'(count) == ((cycle_q == 32'(Window - 1)) ? 32'd0 : cycle_q + 32'd1));
    end
    TicksAtTheEnd : assert (tick == (begun_q && cycle_q == 32'(Window - 1)));
  end

endmodule

`default_nettype wire
