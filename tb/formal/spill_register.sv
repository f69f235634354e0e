// SPDX-License-Identifier: Apache-2.0
/// Spill register: valid and data do not change until ready is set, as AXI4-Stream requires of its output. No word is
/// lost, duplicated or reordered. The proof holds for any input, even one that violates the rules of AXI4-Stream.
`default_nettype none

module spill_register (
  input wire logic       clk_i,
  input wire logic       valid_i,
  input wire logic [1:0] data_i,
  input wire logic       ready_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic       ready, valid;
  logic [1:0] data;
  weft_spill_register #(
    .Width(2)
  ) u_spill (
    .clk_i,
    .rst_ni(reset_done_q),
    .valid_i,
    .ready_o(ready),
    .data_i,
    .valid_o(valid),
    .ready_i,
    .data_o(data)
  );

  // The content, the oldest word lowest.
  logic [1:0] count_q;
  logic [3:0] held_q;
  logic       comes, goes;
  assign comes = valid_i && ready;
  assign goes = valid && ready_i;
  logic [1:0] left;
  logic [3:0] rest;
  assign left = count_q - 2'(goes);
  assign rest = goes ? held_q >> 2 : held_q;
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) begin
      count_q <= '0;
    end else begin
      count_q <= left + 2'(comes);
      held_q <= (comes && left == 2'd0) ? {rest[3:2], data_i} : (comes && left == 2'd1) ? {data_i, rest[1:0]} : rest;
    end
  end

  // The word that was offered and not accepted.
  logic       waits_q;
  logic [1:0] data_q;
  always_ff @(posedge clk_i) begin
    waits_q <= reset_done_q && valid && !ready_i;
    data_q <= data;
  end

  always_comb begin
    if (reset_done_q) begin
      ShowsTheFirst : assert (valid == (count_q != '0) && (!valid || data == held_q[1:0]));
      TakesTwo : assert (ready == (count_q != 2'd2));
      ValidStays : assert (!waits_q || valid);
      DataStay : assert (!waits_q || data == data_q);
    end
  end

endmodule

`default_nettype wire
