// SPDX-License-Identifier: Apache-2.0
/// Round-robin arbiter: the first requester at or after a pointer, wrapping around.
///
/// Purpose    One selection. The user stores the pointer, and moves it only when a grant is used.
/// Latency    None, combinational.
/// Handshake  None.
///
/// The pointer is encoded as the set of requesters at or after it, which is what the search needs: no decoder is at the
/// beginning of the path, and no incrementer at its end. An empty set is pointer 0, as is the full set: in both cases
/// the lowest requester wins.
`default_nettype none

module weft_round_robin_arbiter #(
  /// Number of requesters, at least 1.
  parameter int unsigned Count = 5
) (
  input  wire logic [Count-1:0] request_i,
  /// Requesters at or after the pointer.
  input  wire logic [Count-1:0] from_i,
  /// The winner, one-hot; 0 if there is no request.
  output logic [Count-1:0] grant_o,
  /// Requesters after the winner: the next from_i if the grant is used.
  output logic [Count-1:0] next_o
);

  // For each search (from the pointer, and from 0), the positions with a requester before them.
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
