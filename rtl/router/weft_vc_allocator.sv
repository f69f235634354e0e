// SPDX-License-Identifier: Apache-2.0
/// VC allocator: gives waiting heads an output VC and keeps the assignment from head to tail.
///
/// Purpose    The queue of heads, the VCs that are held and those that are free; weft_separable_vc_allocator decides.
/// Latency    A route announced on route_i in cycle t takes part in the allocation of t (stage VA), and again every
///            cycle until it wins; the winner shows on assigned_*_o in t+1, or, with SameCycle (S = 3), combinationally
///            in t. A tail granted the switch in t frees its input and output VC for the allocation of t+1.
/// Handshake  None; busy_o asks for the clock while a head waits.
///
/// Under virtual cut-through an output VC is free for a packet only if the next buffer has room for all of it; as the
/// VC is held by that packet alone, the room stays its own and the packet never stalls half way.
`default_nettype none

`include "weft_assert.svh"

module weft_vc_allocator #(
  /// Ports of the router, 1 and more.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, 1 and more.
  parameter int unsigned Vcs = 4,
  /// 1: virtual cut-through. 0: wormhole, count_i and the length of packets are not looked at.
  parameter int unsigned CutThrough = 0,
  /// 1: winners show in the cycle of their allocation.
  parameter int unsigned SameCycle = 0,
  // Derived, not to be set.
  localparam int unsigned Lanes = Ports * Vcs,
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned RouteBits = weft_pkg::route_bits(VcBits, PortBits, Vcs)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// What new heads may ask for: two slots of each port.
  input  wire logic [Ports*weft_pkg::HeadSlots*RouteBits-1:0] route_i,
  /// Credits of the output VCs.
  input  wire logic [Lanes*weft_pkg::CreditCountBits-1:0] count_i,

  /// Input ports that send a tail: from this VC, one-hot, to this output port, one-hot, by this VC of it.
  input  wire logic [Ports-1:0]        grant_tail_i,
  input  wire logic [Ports*Vcs-1:0]    grant_vc_i,
  input  wire logic [Ports*Ports-1:0]  grant_output_i,
  input  wire logic [Ports*VcBits-1:0] grant_out_vc_i,

  /// Input VCs that hold an output VC: of this port, this one. Of the others these mean nothing.
  output logic [Lanes-1:0]          assigned_active_o,
  output logic [Lanes*PortBits-1:0] assigned_port_o,
  output logic [Lanes*VcBits-1:0]   assigned_vc_o,

  output logic busy_o
);

  localparam int unsigned SizeBits = weft_pkg::SizeBits;
  localparam int unsigned CreditCountBits = weft_pkg::CreditCountBits;

  logic [Lanes-1:0]          waiting_q, active_q;    // input VCs that wait; that hold an output VC
  logic [Lanes-1:0]          free_q;                 // output VCs that no input VC holds
  logic [Lanes-1:0]          asking;                 // those that wait, and those whose route has just come
  logic [Lanes*PortBits-1:0] port;                   // what they ask for…
  logic [Lanes*Vcs-1:0]      vcs, available;         // …and which of it is to be had
  logic [Lanes-1:0]          granted, taken;         // input VCs that get an output VC; output VCs that they get
  logic [Lanes*Vcs-1:0]      granted_vc;
  logic [Lanes-1:0]          left, returned;         // input and output VCs that a tail frees
  logic [Lanes*PortBits-1:0] held_port_q;
  logic [Lanes*VcBits-1:0]   held_vc_q;

  // ------------------------------------------------------------------------------------------------------------------
  // The queue

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    localparam int unsigned InPort = lane / Vcs;
    localparam int unsigned InVc = lane % Vcs;

    logic                first_valid, second_valid, first, second;
    logic [VcBits-1:0]   first_vc, second_vc;
    logic [PortBits-1:0] first_port, second_port, port_q;
    logic [Vcs-1:0]      first_vcs, second_vcs, vcs_q;
    logic [SizeBits-1:0] first_flits, second_flits;
    assign {first_valid, first_vc, first_port, first_vcs, first_flits} = route_i[(InPort*2)*RouteBits+:RouteBits];
    assign {second_valid, second_vc, second_port, second_vcs, second_flits} =
        route_i[(InPort*2+1)*RouteBits+:RouteBits];
    assign first  = first_valid && first_vc == VcBits'(InVc);
    assign second = second_valid && second_vc == VcBits'(InVc);

    assign asking[lane]                    = waiting_q[lane] || first || second;
    assign port[lane*PortBits+:PortBits]   = first ? first_port : second ? second_port : port_q;
    assign vcs[lane*Vcs+:Vcs]              = first ? first_vcs : second ? second_vcs : vcs_q;

    always_ff @(posedge clk_i) begin
      if (first || second) begin
        port_q <= first ? first_port : second_port;
        vcs_q  <= first ? first_vcs : second_vcs;
      end
    end

    // Of the port that is asked for, the VCs that are free and, under cut-through, have room for the packet.
    logic [Lanes-1:0] usable;
    if (CutThrough != 0) begin : gen_cut_through
      logic [SizeBits-1:0] flits, flits_q;
      assign flits = first ? first_flits : second ? second_flits : flits_q;
      always_ff @(posedge clk_i) begin
        if (first || second) flits_q <= flits;
      end
      for (genvar out = 0; out < Lanes; out++) begin : gen_room
        assign usable[out] =
            free_q[out] && flits <= SizeBits'(count_i[out*CreditCountBits+:CreditCountBits]);
      end
    end else begin : gen_wormhole
      logic unused_flits;
      assign unused_flits = &{first_flits, second_flits};
      assign usable = free_q;
    end

    assign available[lane*Vcs+:Vcs] = vcs[lane*Vcs+:Vcs] & usable[Vcs*32'(port[lane*PortBits+:PortBits])+:Vcs];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waiting_q[lane] <= 1'b0;
        active_q[lane]  <= 1'b0;
      end else begin
        waiting_q[lane] <= asking[lane] && !granted[lane];
        active_q[lane]  <= (active_q[lane] || granted[lane]) && !left[lane];
      end
    end
  end

  if (CutThrough == 0) begin : gen_no_counts
    logic unused_counts;
    assign unused_counts = &count_i;
  end

  weft_separable_vc_allocator #(
    .Ports(Ports),
    .Vcs  (Vcs)
  ) u_separable (
    .clk_i,
    .rst_ni,
    .request_i(asking),
    .port_i   (port),
    .vcs_i    (available),
    .grant_o  (granted),
    .vc_o     (granted_vc)
  );

  // ------------------------------------------------------------------------------------------------------------------
  // What is held

  // Those who have got an output VC in this cycle: of this port, this one.
  logic [Lanes*VcBits-1:0] won_vc;
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_held
    always_comb begin
      won_vc[lane*VcBits+:VcBits] = '0;
      for (int unsigned vc = 0; vc < Vcs; vc++) begin
        if (granted_vc[lane*Vcs+vc]) won_vc[lane*VcBits+:VcBits] = won_vc[lane*VcBits+:VcBits] | VcBits'(vc);
      end
    end

    always_ff @(posedge clk_i) begin
      if (granted[lane]) begin
        held_port_q[lane*PortBits+:PortBits] <= port[lane*PortBits+:PortBits];
        held_vc_q[lane*VcBits+:VcBits]       <= won_vc[lane*VcBits+:VcBits];
      end
    end

    // S = 3 shows the winners at once.
    if (SameCycle != 0) begin : gen_same_cycle
      assign assigned_active_o[lane] = active_q[lane] || granted[lane];
      assign assigned_port_o[lane*PortBits+:PortBits] =
          granted[lane] ? port[lane*PortBits+:PortBits] : held_port_q[lane*PortBits+:PortBits];
      assign assigned_vc_o[lane*VcBits+:VcBits] =
          granted[lane] ? won_vc[lane*VcBits+:VcBits] : held_vc_q[lane*VcBits+:VcBits];
    end else begin : gen_next_cycle
      assign assigned_active_o[lane]                  = active_q[lane];
      assign assigned_port_o[lane*PortBits+:PortBits] = held_port_q[lane*PortBits+:PortBits];
      assign assigned_vc_o[lane*VcBits+:VcBits]       = held_vc_q[lane*VcBits+:VcBits];
    end

    assign left[lane] = grant_tail_i[lane/Vcs] && grant_vc_i[lane];
  end

  always_comb begin
    taken = '0;
    for (int unsigned in = 0; in < Lanes; in++) begin
      if (granted[in]) begin
        taken = taken | (Lanes'(granted_vc[in*Vcs+:Vcs]) << (Vcs * 32'(port[in*PortBits+:PortBits])));
      end
    end
    returned = '0;
    for (int unsigned in = 0; in < Ports; in++) begin
      for (int unsigned out = 0; out < Ports; out++) begin
        if (grant_tail_i[in] && grant_output_i[in*Ports+out]) begin
          returned[out*Vcs+32'(grant_out_vc_i[in*VcBits+:VcBits])] = 1'b1;
        end
      end
    end
  end

  for (genvar out = 0; out < Lanes; out++) begin : gen_output
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        free_q[out] <= 1'b1;
      end else begin
        free_q[out] <= (free_q[out] && !taken[out]) || returned[out];
      end
    end
  end

  assign busy_o = |waiting_q;

  // ------------------------------------------------------------------------------------------------------------------

  // One holder of each output VC: those that no input VC holds are those that are free.
  logic [Lanes-1:0] held, own;
  logic             one_holder;
  always_comb begin
    held = '0;
    own = '0;
    one_holder = 1'b1;
    for (int unsigned in = 0; in < Lanes; in++) begin
      if (active_q[in]) begin
        own = Lanes'(1) << (Vcs * 32'(held_port_q[in*PortBits+:PortBits]) + 32'(held_vc_q[in*VcBits+:VcBits]));
        if ((held & own) != '0) one_holder = 1'b0;
        held = held | own;
      end
    end
  end

  `WEFT_ASSERT(OneHolder, one_holder, "two input VCs hold one output VC")
  `WEFT_ASSERT(FreeIsNotHeld, free_q == ~held, "the output VCs that are free are not those that no input VC holds")
  `WEFT_ASSERT(TakenWasFree, (taken & ~free_q) == '0, "an output VC that is held is given away")
  `WEFT_ASSERT(ReturnedWasHeld, (returned & ~(held | taken)) == '0, "a tail frees an output VC that nothing holds")
  `WEFT_ASSERT(WaitsOrHolds, (waiting_q & active_q) == '0, "a head that holds an output VC waits for one")

endmodule

`default_nettype wire
