// SPDX-License-Identifier: Apache-2.0
/// Ejector: its FIFOs never over- nor underflow where the sender keeps to its credits; every slot comes back as a
/// credit; packets leave whole, one after the other, their flits in order; what is shown stays until it is taken, and
/// nothing that may leave waits while nothing is shown. Two VCs of two flits.
`default_nettype none

module ejector_fifo #(
  localparam int unsigned FlitBits = weft_pkg::flit_bits(1, 1, 1),
  localparam int unsigned ReceivedBits = weft_pkg::flit_bits(1, 0, 1)
) (
  input wire logic clk_i,

  // What the router has in mind.
  input wire logic valid_i,
  input wire logic tail_i,
  input wire logic vc_i,
  input wire logic way_i,
  input wire logic data_i,
  // The flit that is watched comes now.
  input wire logic watch_i,
  // The receiver.
  input wire logic ready_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  // The sender: a flit where it has a credit, heads first.
  logic [1:0] open_q, has_credit;
  logic       valid;
  assign valid = reset_done_q && valid_i && has_credit[vc_i];

  logic [1:0]              credit;
  logic [ReceivedBits-1:0] flit;
  logic                    busy;
  weft_ejector #(
    .Vcs(2),
    .Depth(2),
    .WayBits(1),
    .DataBits(1)
  ) u_ejector (
    .clk_i,
    .rst_ni(reset_done_q),
    .flit_i({valid, !open_q[vc_i], tail_i, vc_i, way_i, data_i}),
    .credit_o(credit),
    .flit_o(flit),
    .ready_i,
    .busy_o(busy)
  );

  logic shown, shown_head, shown_tail, shown_vc, shown_data, taken;
  assign {shown, shown_head, shown_tail, shown_vc, shown_data} = flit;
  assign taken = shown && ready_i;

  // Of each VC: credits of the sender, flits that are within, with the one that is shown.
  logic [1:0] conserved, waits;
  for (genvar vc = 0; vc < 2; vc++) begin : gen_vc
    logic [1:0] credits_q, within_q;
    logic       comes, goes, returns, here;
    assign comes = valid && vc_i == 1'(vc);
    assign goes = taken && shown_vc == 1'(vc);
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
    else if (taken) packet_q <= !shown_tail;
    if (taken) packet_vc_q <= shown_vc;
  end

  // What was shown and not taken.
  logic                    stays_q;
  logic [ReceivedBits-1:0] flit_q;
  always_ff @(posedge clk_i) begin
    stays_q <= reset_done_q && shown && !ready_i;
    flit_q <= flit;
  end

  // One flit is watched: how many of its VC are before it, and what it is.
  logic       watching_q, watched_vc_q, watched_tail_q, watched_data_q;
  logic [1:0] before_q;
  logic [1:0] within_now;
  assign within_now = vc_i ? gen_vc[1].within_q : gen_vc[0].within_q;
  logic its_turn;
  assign its_turn = watching_q && taken && shown_vc == watched_vc_q;
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) begin
      watching_q <= 1'b0;
    end else begin
      if (its_turn) begin
        before_q <= before_q - 2'd1;
        if (before_q == '0) watching_q <= 1'b0;
      end
      if (!watching_q && valid && watch_i) begin
        watching_q <= 1'b1;
        watched_vc_q <= vc_i;
        watched_tail_q <= tail_i;
        watched_data_q <= data_i;
        before_q <= within_now - 2'(taken && shown_vc == vc_i);
      end
    end
  end

  always_comb begin
    if (reset_done_q) begin
      CreditsConserved : assert (conserved == '1);
      PacketsWhole : assert (!shown || (shown_head == !packet_q && (!packet_q || shown_vc == packet_vc_q)));
      Stays : assert (!stays_q || flit == flit_q);
      InOrder : assert (!its_turn || before_q != '0 ||
                        (shown_tail == watched_tail_q && shown_data == watched_data_q));
      NothingWaits : assert (shown || (packet_q ? !waits[packet_vc_q] : waits == '0));
      BusyWhileHeld : assert (busy == (waits != '0));
    end
  end

endmodule

`default_nettype wire
