// SPDX-License-Identifier: Apache-2.0
/// Congestion counter: computes N, the number of flits that a node received in the last window (COMPRESS, Algorithm 1).
///
/// Purpose    Counts the flits of all ports. With one bucket the window is tumbling, and a tick ends it. With more
///            buckets the window slides by one sub-window at each tick, and N is the sum of the last Buckets
///            sub-windows.
/// Latency    A tick ends a sub-window, which includes the flits that are valid in the cycle of the tick. The new N is
///            output in the next cycle.
/// Handshake  None.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_congestion_counter #(
  /// Number of ports of the node. Each port receives at most one flit per cycle.
  parameter int unsigned Ports = 1,
  /// Number of sub-windows in a window.
  parameter int unsigned Buckets = 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Ports at which a flit is received in this cycle.
  input  wire logic [Ports-1:0] flit_valid_i,
  /// Marks the last cycle of a sub-window.
  input  wire logic             tick_i,

  /// N: flits that the node received in the last window.
  output logic [31:0] received_o
);

  localparam int unsigned ArrivedBits = $clog2(Ports + 1);

  logic [ArrivedBits-1:0] arrived;
  always_comb begin
    arrived = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      arrived = arrived + ArrivedBits'(flit_valid_i[p]);
    end
  end

  logic [31:0] count_q;     // number of flits in the open sub-window
  logic [31:0] received_q;  // number of flits in the last Buckets closed sub-windows
  logic [31:0] closing;
  logic [31:0] oldest;
  assign closing = count_q + 32'(arrived);

  // The closing sub-window replaces the oldest one.
  if (Buckets == 1) begin : gen_tumbling
    assign oldest = received_q;
  end else begin : gen_sliding
    logic [32*Buckets-1:0] buckets_q;  // flits of each closed sub-window, oldest highest
    assign oldest = buckets_q[32*(Buckets-1) +: 32];
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        buckets_q <= '0;
      end else if (tick_i) begin
        buckets_q <= {buckets_q[32*(Buckets-1)-1:0], closing};
      end
    end
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      count_q    <= '0;
      received_q <= '0;
    end else if (tick_i) begin
      count_q    <= '0;
      received_q <= (Buckets == 1) ? closing : received_q + closing - oldest;
    end else begin
      count_q <= closing;
    end
  end

  assign received_o = received_q;

  if (Buckets == 1) begin : gen_unused
    logic unused_oldest;
    assign unused_oldest = ^oldest;
  end

  `WEFT_PARAMETER(SizesSupported, Ports >= 1 && Buckets >= 1, "Ports and Buckets must be at least 1")
  `WEFT_ASSERT(SumCoversOldest, received_q >= oldest, "N must be the sum of its sub-windows")
  `WEFT_ASSERT_KNOWN(KnownOut, ({received_o}), "outputs must not be X")
  `include "cover/weft_congestion_counter.svh"

endmodule

`default_nettype wire
