// SPDX-License-Identifier: Apache-2.0
/// Window timer: marks the last cycle of every window, for all congestion counters.
///
/// Purpose    Sets `tick_o` in one of every Window cycles. `tick_o` is a register.
/// Latency    Cycle 0 begins at the first rising edge after reset, so the first tick is in cycle Window - 1.
/// Handshake  None.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_window_timer #(
  /// Length of a window in cycles, at least 1.
  parameter int unsigned Window = 1000
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Marks the last cycle of a window.
  output logic tick_o
);

  localparam int unsigned CountBits = (Window == 1) ? 1 : $clog2(Window);

  logic [CountBits-1:0] count_q;  // number of the cycle in its window that the next edge begins
  logic                 tick_q;
  logic                 last;
  assign last = count_q == CountBits'(Window - 1);

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      count_q <= '0;
      tick_q  <= 1'b0;
    end else begin
      count_q <= last ? '0 : count_q + CountBits'(1);
      tick_q  <= last;
    end
  end

  assign tick_o = tick_q;

  `WEFT_PARAMETER(WindowSupported, Window >= 1, "Window must be at least 1")
  `WEFT_ASSERT(CountInRange, count_q <= CountBits'(Window - 1), "the counter must stay within the window")
  `WEFT_ASSERT_KNOWN(KnownOut, ({tick_o}), "outputs must not be X")

endmodule

`default_nettype wire
