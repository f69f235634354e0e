// SPDX-License-Identifier: Apache-2.0
/// Matrix arbiter: selects the requester that was granted least recently.
///
/// Purpose    Computes the ranks of weft::matrix_arbiter (systemc/weft/router/arbiters/matrix.h), and has its state.
/// Latency    None: the grant depends on the requests of the same cycle. The order changes at the end of the cycle.
/// Handshake  None.
///
/// The state has one bit for each pair of contenders, which is set if the one with the higher number precedes the
/// other. After reset all bits are set, so the contender with the highest number precedes all others. A contender whose
/// grant is used becomes the last.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_matrix_arbiter #(
  /// Number of contenders, at least 1.
  parameter int unsigned Count = 5
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [Count-1:0] request_i,
  /// Whether the grant of this cycle is used.
  input  wire logic used_i,
  /// The winner, one-hot; 0 if there is no request.
  output logic [Count-1:0] grant_o
);

  // Row i has the contenders with a higher number than i that precede i. Its other bits are 0 and need no registers.
  logic [Count*Count-1:0] rows_q, higher;
  logic [Count-1:0]       loses;

  for (genvar i = 0; i < Count; i++) begin : gen_row
    localparam logic [Count-1:0] Higher = ~(Count'(1)) << i;
    assign higher[i*Count+:Count] = Higher;

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        rows_q[i*Count+:Count] <= Higher;
      end else if (used_i) begin
        rows_q[i*Count+:Count] <= grant_o[i] ? Higher : rows_q[i*Count+:Count] & ~grant_o;
      end
    end
  end

  always_comb begin
    loses = '0;
    for (int unsigned i = 0; i < Count; i++) begin
      if ((request_i & rows_q[i*Count+:Count]) != '0) loses[i] = 1'b1;
      if (request_i[i]) loses = loses | (higher[i*Count+:Count] & ~rows_q[i*Count+:Count]);
    end
  end

  assign grant_o = request_i & ~loses;

  `WEFT_ASSERT(OneWinner, (grant_o & (grant_o - Count'(1))) == '0, "an arbiter grants more than one requester")
  `WEFT_ASSERT(SomeWinner, (request_i == '0) == (grant_o == '0), "an arbiter does not grant any of its requesters")

endmodule

`default_nettype wire
