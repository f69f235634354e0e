// SPDX-License-Identifier: Apache-2.0
/// Arbiter of any kind, with its state.
///
/// Purpose    Selects one of its requesters, as weft::rank_of() (systemc/weft/router/arbiter.h) defines.
/// Latency    None: the grant depends on the requests of the same cycle. The state changes at the end of the cycle.
/// Handshake  None.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_arbiter #(
  /// Number of contenders, at least 1.
  parameter int unsigned Count = 5,
  /// The kind: weft_pkg::ArbiterRoundRobin or weft_pkg::ArbiterMatrix.
  parameter int unsigned Arbiter = weft_pkg::ArbiterRoundRobin
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic [Count-1:0] request_i,
  /// Whether the grant of this cycle is used. The state changes only with it.
  input  wire logic used_i,
  /// The winner, one-hot; 0 if there is no request.
  output logic [Count-1:0] grant_o
);

  if (Arbiter == weft_pkg::ArbiterMatrix) begin : gen_matrix
    weft_matrix_arbiter #(
      .Count(Count)
    ) u_matrix (
      .clk_i,
      .rst_ni,
      .request_i,
      .used_i,
      .grant_o
    );
  end else begin : gen_round_robin
    logic [Count-1:0] from_q, from_d;
    weft_round_robin_arbiter #(
      .Count(Count)
    ) u_round_robin (
      .request_i,
      .from_i (from_q),
      .grant_o,
      .next_o (from_d)
    );
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_q <= '0;
      end else if (used_i) begin
        from_q <= from_d;
      end
    end
  end

  `WEFT_PARAMETER(ArbiterSupported, Arbiter <= weft_pkg::ArbiterMatrix, "Arbiter must be 0 (round robin) or 1 (matrix)")

endmodule

`default_nettype wire
