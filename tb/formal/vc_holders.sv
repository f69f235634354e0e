// SPDX-License-Identifier: Apache-2.0
/// VC allocator: an output VC has one holder, from the grant to a head until its tail leaves. The route of the holder
/// allows this VC, and the holder keeps it. If tails leave in time, as they do with fair receivers, no head waits
/// longer than a bound. Two ports of two VCs, any routes, any tails. The module's own assertions hold, too.
`default_nettype none

module vc_holders #(
  parameter int unsigned CutThrough = 0,
  parameter int unsigned SameCycle = 0,
  /// Maximum number of cycles for which a packet holds an output VC; maximum wait of a head in cycles. 0: no limit.
  parameter int unsigned Hold = 0,
  parameter int unsigned Bound = 0,
  localparam int unsigned RouterVcs = 4,
  localparam int unsigned CountBits = weft_pkg::CreditCountBits,
  localparam int unsigned LengthBits = weft_pkg::length_bits(CutThrough, 3),
  localparam int unsigned RouteBits = weft_pkg::route_bits(1, 1, 2, LengthBits)
) (
  input wire logic clk_i,

  // Heads whose route has arrived, per input VC; the port and VCs of the route, and the flits of the packet.
  input wire logic [RouterVcs-1:0]   comes_i,
  input wire logic [RouterVcs-1:0]   port_i,
  input wire logic [2*RouterVcs-1:0] vcs_i,
  input wire logic [2*RouterVcs-1:0] flits_i,
  // Credits of the output VCs, up to 3.
  input wire logic [2*RouterVcs-1:0] credits_i,
  // Input ports that send a tail, and the VC of the tail.
  input wire logic [1:0] tail_i,
  input wire logic [1:0] tail_vc_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [RouterVcs-1:0] active, port, vc, comes;
  // Both slots of a port: one for each of its two VCs.
  logic [RouterVcs*RouteBits-1:0] route;
  logic [RouterVcs*CountBits-1:0] count;
  logic [RouterVcs-1:0]           grant_vc;
  logic [3:0]                     grant_output;
  logic [1:0]                     grant_out_vc;
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_route
    assign route[vc_index*RouteBits+:RouteBits] =
        {comes[vc_index], 1'(vc_index % 2), port_i[vc_index], vcs_i[2*vc_index+:2],
         LengthBits'(flits_i[2*vc_index+:2])};
    assign count[vc_index*CountBits+:CountBits] = CountBits'(credits_i[2*vc_index+:2]);
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

  // Per input VC: whether its packet waits, and its route; the output VC that it held in the previous cycle.
  logic [RouterVcs-1:0]   waits_q, held_q, held_port_q, held_vc_q;
  logic [RouterVcs-1:0]   requested_port_q;
  logic [2*RouterVcs-1:0] requested_vcs_q, requested_flits_q;
  logic [RouterVcs-1:0]   ends;            // its tail leaves
  logic [RouterVcs-1:0]   gets;            // it holds an output VC that it did not hold in the previous cycle
  logic [RouterVcs-1:0]   may, keeps, had; // properties to prove for each
  // Credits at the time of the allocation: in this cycle or the previous one.
  logic [2*RouterVcs-1:0] credits_q, credits;
  assign credits = (SameCycle != 0) ? credits_i : credits_q;

  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_vc
    logic       waits;
    logic       requested_port;
    logic [1:0] requested_vcs, requested_flits, room;
    assign comes[vc_index] = comes_i[vc_index] && reset_done_q && !waits_q[vc_index] && !held_q[vc_index];
    assign waits           = (SameCycle != 0) ? waits_q[vc_index] || comes[vc_index] : waits_q[vc_index];
    assign requested_port  = (SameCycle != 0 && comes[vc_index]) ? port_i[vc_index] : requested_port_q[vc_index];
    assign requested_vcs   = (SameCycle != 0 && comes[vc_index]) ? vcs_i[2*vc_index+:2]
                                                                 : requested_vcs_q[2*vc_index+:2];
    assign requested_flits = (SameCycle != 0 && comes[vc_index]) ? flits_i[2*vc_index+:2]
                                                                 : requested_flits_q[2*vc_index+:2];
    assign room            = credits[2*{port[vc_index], vc[vc_index]}+:2];
    assign ends[vc_index]  = tail_i[vc_index/2] && tail_vc_i[vc_index/2] == 1'(vc_index % 2);
    assign gets[vc_index]  = active[vc_index] && !held_q[vc_index];

    assign may[vc_index]   = !gets[vc_index] || (waits && port[vc_index] == requested_port &&
                                                 requested_vcs[vc[vc_index]] &&
                                                 (CutThrough == 0 || requested_flits <= room));
    assign keeps[vc_index] = !held_q[vc_index] || (active[vc_index] && port[vc_index] == held_port_q[vc_index] &&
                                                   vc[vc_index] == held_vc_q[vc_index]);
    assign had[vc_index]   = !(held_q[vc_index] && waits_q[vc_index]);

    always_ff @(posedge clk_i) begin
      if (!reset_done_q) begin
        waits_q[vc_index] <= 1'b0;
        held_q[vc_index]  <= 1'b0;
      end else begin
        waits_q[vc_index] <= (waits_q[vc_index] || comes[vc_index]) && !gets[vc_index];
        held_q[vc_index]  <= active[vc_index] && !ends[vc_index];
      end
      held_port_q[vc_index] <= port[vc_index];
      held_vc_q[vc_index]   <= vc[vc_index];
      if (comes[vc_index]) begin
        requested_port_q[vc_index]        <= port_i[vc_index];
        requested_vcs_q[2*vc_index+:2]    <= vcs_i[2*vc_index+:2];
        requested_flits_q[2*vc_index+:2]  <= flits_i[2*vc_index+:2];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    credits_q <= credits_i;
  end

  // Whether any pair of input VCs holds the same output VC.
  logic twice;
  always_comb begin
    twice = 1'b0;
    for (int unsigned one = 0; one < RouterVcs; one++) begin
      for (int unsigned other = 0; other < one; other++) begin
        if (active[one] && active[other] && port[one] == port[other] && vc[one] == vc[other]) twice = 1'b1;
      end
    end
  end

  // Cycles for which each input VC holds an output VC; cycles for which the watched one waits.
  (* anyconst *) logic [1:0] watched;
  logic [2*RouterVcs-1:0] age_q;
  logic [RouterVcs-1:0]   in_time;
  logic [5:0]             waited_q;
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_age
    assign in_time[vc_index] = !active[vc_index] || ends[vc_index] || 32'(age_q[2*vc_index+:2]) + 1 < Hold;
    always_ff @(posedge clk_i) begin
      age_q[2*vc_index+:2] <= (active[vc_index] && !ends[vc_index]) ? age_q[2*vc_index+:2] + 2'd1 : 2'd0;
    end
  end
  always_ff @(posedge clk_i) begin
    waited_q <= (reset_done_q && waits_q[watched] && !gets[watched]) ? waited_q + 6'd1 : 6'd0;
  end

  always_comb begin
    // Only an input VC that holds an output VC sends a tail; an output port gets at most one flit.
    for (int unsigned vc_index = 0; vc_index < RouterVcs; vc_index++) begin
      assume (!ends[vc_index] || active[vc_index]);
    end
    assume (tail_i != 2'b11 || port[32'(tail_vc_i[0])] != port[2+32'(tail_vc_i[1])]);
    assume (reset_done_q || tail_i == '0);
    assume (Hold == 0 || !reset_done_q || in_time == '1);
    for (int unsigned vc_index = 0; vc_index < RouterVcs; vc_index++) begin
      assume (!comes[vc_index] || Bound == 0 || vcs_i[2*vc_index+:2] != '0);
    end
    if (reset_done_q) begin
      OneHolder : assert (!twice);
      GrantMatchesRequest : assert (may == '1);
      KeptToTheTail : assert (keeps == '1);
      WaitsOrHolds : assert (had == '1);
      BoundedWait : assert (Bound == 0 || 32'(waited_q) <= Bound);
    end
  end

endmodule

`default_nettype wire
