// SPDX-License-Identifier: Apache-2.0
/// Ejector: its FIFOs neither overflow nor underflow if the sender respects its credits; every slot returns as a
/// credit; packets leave complete, one after the other, with their flits in order; an offered flit does not change
/// until it is accepted, and the ejector offers a flit whenever one may leave. Two VCs of two flits.
`default_nettype none

module ejector_fifo #(
  localparam int unsigned FlitBits = weft_pkg::flit_bits(1, 1, 1),
  localparam int unsigned ReceivedBits = weft_pkg::flit_bits(1, 0, 1)
) (
  input wire logic clk_i,

  // Choices of the router.
  input wire logic valid_i,
  input wire logic tail_i,
  input wire logic vc_i,
  input wire logic path_id_i,
  input wire logic data_i,
  // The watched flit arrives in this cycle.
  input wire logic watch_i,
  // The receiver.
  input wire logic ready_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  // The sender: it sends a flit only with a credit, and heads first.
  logic [1:0] open_q, has_credit;
  logic       valid;
  assign valid = reset_done_q && valid_i && has_credit[vc_i];

  logic [1:0]              credit;
  logic [ReceivedBits-1:0] flit;
  logic                    busy;
  weft_ejector #(
    .Vcs(2),
    .Depth(2),
    .PathIdBits(1),
    .DataBits(1)
  ) u_ejector (
    .clk_i,
    .rst_ni(reset_done_q),
    .flit_i({valid, !open_q[vc_i], tail_i, vc_i, path_id_i, data_i}),
    .credit_o(credit),
    .flit_o(flit),
    .ready_i,
    .busy_o(busy)
  );

  logic shown, shown_head, shown_tail, shown_vc, shown_data, accepted;
  assign {shown, shown_head, shown_tail, shown_vc, shown_data} = flit;
  assign accepted = shown && ready_i;

  // Per VC: credits of the sender, flits in the ejector including the offered one.
  logic [1:0] conserved, waits;
  for (genvar vc = 0; vc < 2; vc++) begin : gen_vc
    logic [1:0] credits_q, within_q;
    logic       comes, goes, returns, here;
    assign comes = valid && vc_i == 1'(vc);
    assign goes = accepted && shown_vc == 1'(vc);
    assign here = shown && shown_vc == 1'(vc);
    assign returns = credit[1] && credit[0] == 1'(vc);
    assign has_credit[vc] = credits_q != '0;
    always_ff @(posedge clk_i) begin
      if (!reset_done_q) begin
        credits_q <= 2'd2;
        within_q <= '0;
        open_q[vc] <= 1'b0;
      end else begin
        credits_q <= credits_q - 2'(comes) + 2'(returns);
        within_q <= within_q + 2'(comes) - 2'(goes);
        if (comes) open_q[vc] <= !tail_i;
      end
    end
    assign conserved[vc] = 3'(credits_q) + 3'(within_q) - 3'(here) + 3'(returns) == 3'd2;
    assign waits[vc] = within_q != 2'(here);
  end

  // The packet that leaves.
  logic packet_q, packet_vc_q;
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) packet_q <= 1'b0;
    else if (accepted) packet_q <= !shown_tail;
    if (accepted) packet_vc_q <= shown_vc;
  end

  // The flit that was offered and not accepted.
  logic                    stays_q;
  logic [ReceivedBits-1:0] flit_q;
  always_ff @(posedge clk_i) begin
    stays_q <= reset_done_q && shown && !ready_i;
    flit_q <= flit;
  end

  // The watched flit: number of flits of its VC before it, and its fields.
  logic       watching_q, watched_vc_q, watched_tail_q, watched_data_q;
  logic [1:0] before_q;
  logic [1:0] within_now;
  assign within_now = vc_i ? gen_vc[1].within_q : gen_vc[0].within_q;
  logic observed;
  assign observed = watching_q && accepted && shown_vc == watched_vc_q;
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) begin
      watching_q <= 1'b0;
    end else begin
      if (observed) begin
        before_q <= before_q - 2'd1;
        if (before_q == '0) watching_q <= 1'b0;
      end
      if (!watching_q && valid && watch_i) begin
        watching_q <= 1'b1;
        watched_vc_q <= vc_i;
        watched_tail_q <= tail_i;
        watched_data_q <= data_i;
        before_q <= within_now - 2'(accepted && shown_vc == vc_i);
      end
    end
  end

  always_comb begin
    if (reset_done_q) begin
      CreditsConserved : assert (conserved == '1);
      PacketsWhole : assert (!shown || (shown_head == !packet_q && (!packet_q || shown_vc == packet_vc_q)));
      Stays : assert (!stays_q || flit == flit_q);
      InOrder : assert (!observed || before_q != '0 ||
                        (shown_tail == watched_tail_q && shown_data == watched_data_q));
      NothingWaits : assert (shown || (packet_q ? !waits[packet_vc_q] : waits == '0));
      BusyWhileHeld : assert (busy == (waits != '0));
    end
  end

endmodule

`default_nettype wire
