// SPDX-License-Identifier: Apache-2.0
/// Injector: for every VC, credits plus flits at the router are equal to the depth, so a buffer there never overflows;
/// a packet is on one VC of its class from head to tail, and a VC has one packet at a time. Four VCs of two flits.
`default_nettype none

module injector_credits #(
  parameter int unsigned Classes = 1,
  localparam int unsigned Vcs = 4,
  localparam int unsigned DataBits = weft_pkg::HeaderBits,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(2, 1, DataBits)
) (
  input wire logic clk_i,

  // The send path: arbitrary complete packets.
  input wire logic       valid_i,
  input wire logic       tail_i,
  input wire logic [3:0] class_i,
  // The router returns a credit.
  input wire logic       return_i,
  input wire logic [1:0] return_vc_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic                ready, returns, within_q;
  logic [FlitBits-1:0] flit;
  logic                sent, sent_head, sent_tail;
  logic [1:0]          sent_vc;
  assign {sent, sent_head, sent_tail, sent_vc} = flit[FlitBits-1-:5];

  weft_injector #(
    .Vcs(Vcs),
    .Classes(Classes),
    .Depth(2),
    .PathIdBits(1),
    .DataBits(DataBits)
  ) u_injector (
    .clk_i,
    .rst_ni(reset_done_q),
    .path_ids_i(1'b0),
    .flit_i({valid_i, !within_q, tail_i, class_i, {DataBits - 4{1'b0}}}),
    .ready_o(ready),
    .flit_o(flit),
    .credit_i({returns, return_vc_i})
  );

  always_ff @(posedge clk_i) begin
    if (!reset_done_q) within_q <= 1'b0;
    else if (valid_i && ready) within_q <= !tail_i;
  end

  // Flits at the router whose credit has not been returned.
  logic [Vcs-1:0] fits, holds, open, conserved;
  logic [Vcs-1:0] available;  // ghost: VCs for which the injector has a credit
  assign returns = return_i && holds[return_vc_i];
  for (genvar vc = 0; vc < Vcs; vc++) begin : gen_vc
    logic [1:0] held_q;
    logic       open_q, comes, goes;
    assign comes = sent && sent_vc == 2'(vc);
    assign goes = returns && return_vc_i == 2'(vc);
    assign holds[vc] = held_q != '0;
    assign fits[vc] = !comes || held_q != 2'd2;
    assign open[vc] = open_q;
    assign conserved[vc] = available[vc] == (held_q + 2'(comes) != 2'd2);
    always_ff @(posedge clk_i) begin
      if (!reset_done_q) begin
        held_q <= '0;
        open_q <= 1'b0;
      end else begin
        held_q <= held_q + 2'(comes) - 2'(goes);
        if (comes) open_q <= !sent_tail;
      end
    end
  end

  // VC and class of the last packet that was sent.
  logic [1:0] packet_vc_q;
  logic [3:0] packet_class_q;
  always_ff @(posedge clk_i) begin
    if (sent) packet_vc_q <= sent_vc;
    if (valid_i && ready && !within_q) packet_class_q <= class_i;
  end

  always_comb begin
    assume (32'(class_i) < Classes);
    if (reset_done_q) begin
      NoOverrun : assert (fits == '1);
      CreditsConserved : assert (conserved == '1);
      HeadOpensOneVc : assert (!sent || sent_head == (open == '0));
      SameVcToTail : assert (!sent || sent_head || sent_vc == packet_vc_q);
      VcOfItsClass : assert (!sent || !sent_head || 32'(sent_vc) / (Vcs / Classes) == 32'(packet_class_q));
    end
  end

endmodule

`default_nettype wire
