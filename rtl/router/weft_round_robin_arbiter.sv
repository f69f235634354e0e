// SPDX-License-Identifier: Apache-2.0
/// Round-robin arbiter: selects the first requester at or after a pointer, in cyclic order.
///
/// Purpose    Makes one selection. The user stores the pointer, and moves it only when the grant is used.
/// Latency    None: combinational.
/// Handshake  None.
///
/// The pointer is given as the set of requesters at or after it. This is the form that the search needs, so the path
/// has no decoder at its beginning and no incrementer at its end. The empty set and the full set both stand for pointer
/// 0, for which the lowest requester wins.
`default_nettype none

module weft_round_robin_arbiter #(
  /// Number of requesters, at least 1.
  parameter int unsigned Count = 5
) (
  input  wire logic [Count-1:0] request_i,
  /// The requesters at or after the pointer.
  input  wire logic [Count-1:0] from_i,
  /// The winner, one-hot; 0 if there is no request.
  output logic [Count-1:0] grant_o,
  /// The requesters after the winner. This is the next from_i if the grant is used.
  output logic [Count-1:0] next_o
);

  // The positions that have a requester before them, for a search from the pointer and for a search from 0.
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
