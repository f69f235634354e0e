// SPDX-License-Identifier: Apache-2.0
/// Input port: its FIFOs neither overflow nor underflow if the sender respects its credits; every slot returns as a
/// credit; flits of a VC leave in order and unchanged. Two VCs of two flits.
`default_nettype none

module input_fifo #(
  localparam int unsigned DataBits = weft_pkg::HeaderBits + weft_pkg::ErrorBits,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(1, 1, DataBits)
) (
  input wire logic clk_i,

  // Choices of the sender.
  input wire logic                valid_i,
  input wire logic                tail_i,
  input wire logic                vc_i,
  input wire logic                path_id_i,
  input wire logic [DataBits-1:0] data_i,
  // The watched flit arrives in this cycle.
  input wire logic                watch_i,
  // The grants.
  input wire logic                grant_i,
  input wire logic                grant_vc_i,
  input wire logic                grant_output_i,
  input wire logic                grant_out_vc_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [1:0] occupied, ends, leaves, has_credit;
  logic [1:0] credit;
  logic       valid, head;
  logic [FlitBits-2:0] flit;

  // The sender: it sends a flit only with a credit, and heads first.
  logic [1:0] open_q;
  assign valid = reset_done_q && valid_i && has_credit[vc_i];
  assign head = !open_q[vc_i];

  weft_input_port #(
    .Ports(2),
    .Vcs(2),
    .Depth(2),
    .PathIdBits(1),
    .DataBits(DataBits)
  ) u_port (
    .clk_i,
    .rst_ni(reset_done_q),
    .flit_i({valid, head, tail_i, vc_i, path_id_i, data_i}),
    .credit_o(credit),
    .head_o(),
    .status_occupied_o(occupied),
    .status_tail_o(ends),
    .grant_input_i(grant_i),
    .grant_vc_i({grant_vc_i, !grant_vc_i}),
    .grant_output_i(grant_i ? {grant_output_i, !grant_output_i} : 2'b00),
    .grant_out_vc_i,
    .leaves_o(leaves),
    .flit_o(flit)
  );

  logic [1:0] conserved, shown;
  for (genvar vc = 0; vc < 2; vc++) begin : gen_vc
    logic [1:0] credits_q, held_q;
    logic       comes, goes, returns;
    assign comes = valid && vc_i == 1'(vc);
    assign goes = grant_i && grant_vc_i == 1'(vc);
    assign returns = credit[1] && credit[0] == 1'(vc);
    assign has_credit[vc] = credits_q != '0;
    always_ff @(posedge clk_i) begin
      if (!reset_done_q) begin
        credits_q <= 2'd2;
        held_q <= '0;
        open_q[vc] <= 1'b0;
      end else begin
        credits_q <= credits_q - 2'(comes) + 2'(returns);
        held_q <= held_q + 2'(comes) - 2'(goes);
        if (comes) open_q[vc] <= !tail_i;
      end
    end
    assign conserved[vc] = 3'(credits_q) + 3'(held_q) + 3'(returns) == 3'd2;
    assign shown[vc] = occupied[vc] == (held_q != '0);
  end

  // The watched flit: number of flits of its VC before it, and its fields.
  logic       watching_q, watched_vc_q, watched_tail_q, watched_path_id_q, due_q;
  logic [1:0] before_q;
  logic [1:0] held_now;
  assign held_now = vc_i ? gen_vc[1].held_q : gen_vc[0].held_q;
  logic pops;
  assign pops = grant_i && watching_q && grant_vc_i == watched_vc_q;
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) begin
      watching_q <= 1'b0;
      due_q <= 1'b0;
    end else begin
      due_q <= pops && before_q == '0;
      if (pops) begin
        before_q <= before_q - 2'd1;
        if (before_q == '0) watching_q <= 1'b0;
      end
      if (!watching_q && valid && watch_i) begin
        watching_q <= 1'b1;
        watched_vc_q <= vc_i;
        watched_tail_q <= tail_i;
        watched_path_id_q <= path_id_i;
        before_q <= held_now - 2'(grant_i && grant_vc_i == vc_i);
      end
    end
  end

  // The leaving flit: head, tail, VC, path id, data.
  logic leaving_tail, leaving_path_id;
  assign leaving_tail = flit[FlitBits-3];
  assign leaving_path_id = flit[DataBits];

  always_comb begin
    assume (!grant_i || occupied[grant_vc_i]);
    assume (!grant_i || reset_done_q);
    if (reset_done_q) begin
      CreditsConserved : assert (conserved == '1);
      OccupiedIsShown : assert (shown == '1);
      InOrder : assert (!due_q || (leaves != '0 && leaving_tail == watched_tail_q &&
                                   leaving_path_id == watched_path_id_q));
      TailIsShown : assert (!(watching_q && before_q == '0) || ends[watched_vc_q] == watched_tail_q);
    end
  end

endmodule

`default_nettype wire
