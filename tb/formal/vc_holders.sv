// SPDX-License-Identifier: Apache-2.0
/// VC allocator: an output VC has one holder, from the cycle in which a head gets it to the tail; the holder keeps it,
/// and it is one that it may have. If tails leave in time, as with fair receivers, no head waits longer than a bound.
/// Two ports of two VCs, any routes, any tails; with the module's own assertions.
`default_nettype none

module vc_holders #(
  parameter int unsigned CutThrough = 0,
  parameter int unsigned SameCycle = 0,
  /// A packet holds an output VC for so many cycles at most, and a head waits for so many; 0: any.
  parameter int unsigned Hold = 0,
  parameter int unsigned Bound = 0,
  localparam int unsigned Lanes = 4,
  localparam int unsigned CountBits = weft_pkg::CreditCountBits,
  localparam int unsigned LengthBits = weft_pkg::length_bits(CutThrough, 3),
  localparam int unsigned RouteBits = weft_pkg::route_bits(1, 1, 2, LengthBits)
) (
  input wire logic clk_i,

  // Heads whose route has come: of each input VC; the port and VCs that it may have, and its flits.
  input wire logic [Lanes-1:0]   comes_i,
  input wire logic [Lanes-1:0]   port_i,
  input wire logic [2*Lanes-1:0] vcs_i,
  input wire logic [2*Lanes-1:0] flits_i,
  // Credits of the output VCs, up to 3.
  input wire logic [2*Lanes-1:0] credits_i,
  // Input ports that send a tail, and from which VC.
  input wire logic [1:0] tail_i,
  input wire logic [1:0] tail_vc_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [Lanes-1:0] active, port, vc, comes;
  // Both slots of a port: one for each of its two VCs.
  logic [Lanes*RouteBits-1:0] route;
  logic [Lanes*CountBits-1:0] count;
  logic [Lanes-1:0]           grant_vc;
  logic [3:0]                 grant_output;
  logic [1:0]                 grant_out_vc;
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_route
    assign route[lane*RouteBits+:RouteBits] =
        {comes[lane], 1'(lane % 2), port_i[lane], vcs_i[2*lane+:2], LengthBits'(flits_i[2*lane+:2])};
    assign count[lane*CountBits+:CountBits] = CountBits'(credits_i[2*lane+:2]);
  end
  for (genvar in = 0; in < 2; in++) begin : gen_tail
    logic from;
    assign from = tail_vc_i[in];
    assign grant_vc[2*in+:2]     = {from, !from};
    assign grant_output[2*in+:2] = port[2*in+32'(from)] ? 2'b10 : 2'b01;
    assign grant_out_vc[in]      = vc[2*in+32'(from)];
  end

  logic busy;
  weft_vc_allocator #(
    .Ports     (2),
    .Vcs       (2),
    .LengthBits(LengthBits),
    .SameCycle (SameCycle)
  ) u_allocator (
    .clk_i,
    .rst_ni           (reset_done_q),
    .route_i          (route),
    .count_i          (count),
    .grant_tail_i     (tail_i),
    .grant_vc_i       (grant_vc),
    .grant_output_i   (grant_output),
    .grant_out_vc_i   (grant_out_vc),
    .assigned_active_o(active),
    .assigned_port_o  (port),
    .assigned_vc_o    (vc),
    .busy_o           (busy)
  );

  // Of each input VC: its packet waits, with what it may have; it has held this output VC before.
  logic [Lanes-1:0]   waits_q, held_q, held_port_q, held_vc_q;
  logic [Lanes-1:0]   wanted_port_q;
  logic [2*Lanes-1:0] wanted_vcs_q, wanted_flits_q;
  logic [Lanes-1:0]   ends;            // its tail leaves
  logic [Lanes-1:0]   gets;            // it holds one that it did not hold in the cycle before
  logic [Lanes-1:0]   may, keeps, had; // what must hold of each
  // Credits when the allocation was: in this cycle or the one before.
  logic [2*Lanes-1:0] credits_q, credits;
  assign credits = (SameCycle != 0) ? credits_i : credits_q;

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    logic       waits;
    logic       wanted_port;
    logic [1:0] wanted_vcs, wanted_flits, room;
    assign comes[lane]  = comes_i[lane] && reset_done_q && !waits_q[lane] && !held_q[lane];
    assign waits        = (SameCycle != 0) ? waits_q[lane] || comes[lane] : waits_q[lane];
    assign wanted_port  = (SameCycle != 0 && comes[lane]) ? port_i[lane] : wanted_port_q[lane];
    assign wanted_vcs   = (SameCycle != 0 && comes[lane]) ? vcs_i[2*lane+:2] : wanted_vcs_q[2*lane+:2];
    assign wanted_flits = (SameCycle != 0 && comes[lane]) ? flits_i[2*lane+:2] : wanted_flits_q[2*lane+:2];
    assign room         = credits[2*{port[lane], vc[lane]}+:2];
    assign ends[lane]   = tail_i[lane/2] && tail_vc_i[lane/2] == 1'(lane % 2);
    assign gets[lane]   = active[lane] && !held_q[lane];

    assign may[lane]   = !gets[lane] || (waits && port[lane] == wanted_port && wanted_vcs[vc[lane]] &&
                                         (CutThrough == 0 || wanted_flits <= room));
    assign keeps[lane] = !held_q[lane] || (active[lane] && port[lane] == held_port_q[lane] &&
                                           vc[lane] == held_vc_q[lane]);
    assign had[lane]   = !(held_q[lane] && waits_q[lane]);

    always_ff @(posedge clk_i) begin
      if (!reset_done_q) begin
        waits_q[lane] <= 1'b0;
        held_q[lane]  <= 1'b0;
      end else begin
        waits_q[lane] <= (waits_q[lane] || comes[lane]) && !gets[lane];
        held_q[lane]  <= active[lane] && !ends[lane];
      end
      held_port_q[lane] <= port[lane];
      held_vc_q[lane]   <= vc[lane];
      if (comes[lane]) begin
        wanted_port_q[lane]        <= port_i[lane];
        wanted_vcs_q[2*lane+:2]    <= vcs_i[2*lane+:2];
        wanted_flits_q[2*lane+:2]  <= flits_i[2*lane+:2];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    credits_q <= credits_i;
  end

  // Two holders of one output VC, of all pairs of input VCs.
  logic twice;
  always_comb begin
    twice = 1'b0;
    for (int unsigned one = 0; one < Lanes; one++) begin
      for (int unsigned other = 0; other < one; other++) begin
        if (active[one] && active[other] && port[one] == port[other] && vc[one] == vc[other]) twice = 1'b1;
      end
    end
  end

  // Cycles for which each holds; and for which one waits, any one.
  (* anyconst *) logic [1:0] watched;
  logic [2*Lanes-1:0] age_q;
  logic [Lanes-1:0]   in_time;
  logic [5:0]         waited_q;
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_age
    assign in_time[lane] = !active[lane] || ends[lane] || 32'(age_q[2*lane+:2]) + 1 < Hold;
    always_ff @(posedge clk_i) begin
      age_q[2*lane+:2] <= (active[lane] && !ends[lane]) ? age_q[2*lane+:2] + 2'd1 : 2'd0;
    end
  end
  always_ff @(posedge clk_i) begin
    waited_q <= (reset_done_q && waits_q[watched] && !gets[watched]) ? waited_q + 6'd1 : 6'd0;
  end

  always_comb begin
    // A tail leaves what holds an output VC; to an output port goes one flit at most.
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      assume (!ends[lane] || active[lane]);
    end
    assume (tail_i != 2'b11 || port[32'(tail_vc_i[0])] != port[2+32'(tail_vc_i[1])]);
    assume (reset_done_q || tail_i == '0);
    assume (Hold == 0 || !reset_done_q || in_time == '1);
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      assume (!comes[lane] || Bound == 0 || vcs_i[2*lane+:2] != '0);
    end
    if (reset_done_q) begin
      OneHolder : assert (!twice);
      OfWhatItWanted : assert (may == '1);
      KeptToTheTail : assert (keeps == '1);
      WaitsOrHolds : assert (had == '1);
      BoundedWait : assert (Bound == 0 || 32'(waited_q) <= Bound);
    end
  end

endmodule

`default_nettype wire
