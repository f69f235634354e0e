// SPDX-License-Identifier: Apache-2.0
/// Round-robin arbiter: the first requester at or after a pointer, wrapping around.
///
/// Purpose    One decision. The user keeps the pointer, and moves it only when a grant is used.
/// Latency    None, combinational.
/// Handshake  None.
///
/// The pointer travels as the set of contenders at or after it, which is what the search needs: no decoder stands at
/// the beginning of the path, no incrementer at its end. An empty set is pointer 0, as the full set is: either way the
/// lowest requester wins.
`default_nettype none

module weft_round_robin_arbiter #(
  /// Contenders, 1 and more.
  parameter int unsigned Count = 5
) (
  input  wire logic [Count-1:0] request_i,
  /// Contenders at or after the pointer.
  input  wire logic [Count-1:0] from_i,
  /// The winner, one-hot; 0 if there is no request.
  output logic [Count-1:0] grant_o,
  /// Contenders after the winner: from_i for the next time, if the grant is used.
  output logic [Count-1:0] next_o
);

  // Of each search (from the pointer, and from 0) the contenders that have a requester before them.
  logic [Count-1:0] first, first_before, any_before;

  always_comb begin
    first = request_i & from_i;
    first_before = first << 1;
    any_before = request_i << 1;
    for (int unsigned distance = 1; distance < Count; distance = 2 * distance) begin
      first_before = first_before | (first_before << distance);
      any_before = any_before | (any_before << distance);
    end
  end

  assign next_o = |first ? first_before : any_before;
  assign grant_o = |first ? first & ~first_before : request_i & ~any_before;

endmodule

`default_nettype wire
