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
`include "weft_reset.svh"

module weft_vc_allocator #(
  /// Ports of the router, 1 and more.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, 1 and more.
  parameter int unsigned Vcs = 4,
  /// Bits of the length of a packet, weft_pkg::length_bits(); 1: wormhole, length and count_i are not looked at.
  parameter int unsigned LengthBits = 1,
  /// 1: winners show in the cycle of their allocation.
  parameter int unsigned SameCycle = 0,
  // Derived, not to be set.
  localparam int unsigned Lanes = Ports * Vcs,
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned RouteBits = weft_pkg::route_bits(VcBits, PortBits, Vcs, LengthBits)
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

  localparam bit CutThrough = LengthBits > 1;
  localparam int unsigned CreditCountBits = weft_pkg::CreditCountBits;

  localparam int unsigned HeadSlots = weft_pkg::HeadSlots;
  // What a lane asks for comes from a slot, or from the queue.
  localparam int unsigned Sources = HeadSlots + 1;

  logic [Lanes-1:0]                  waiting_q, active_q;  // input VCs that wait; that hold an output VC
  logic [Lanes-1:0]                  free_q;               // output VCs that no input VC holds
  logic [Lanes*Sources-1:0]          asking;               // where from a lane asks, if it does…
  logic [Lanes*Sources*PortBits-1:0] port;                 // …for which port…
  logic [Lanes*Sources*Vcs-1:0]      available;            // …and which VCs of it are to be had
  logic [Lanes-1:0]                  granted, taken;       // input VCs that get an output VC; output VCs that they get
  logic [Lanes*Vcs-1:0]              granted_vc;
  logic [Lanes-1:0]                  left, returned;       // input and output VCs that a tail frees
  logic [Lanes*PortBits-1:0]         port_q;               // the port that a lane waits for, then holds…
  logic [Lanes*Vcs-1:0]              vcs_q;                // …VCs of it that it may have…
  logic [Lanes*VcBits-1:0]           held_vc_q;            // …and the one that it holds

  // ------------------------------------------------------------------------------------------------------------------
  // What is to be had: of the port that a head asks for, the VCs that are free and, under cut-through, have room for
  // the packet. Looked up for the slots of the input ports, before it is known whose route each has, and for the queue.

  localparam int unsigned Slots = Ports * HeadSlots;
  localparam int unsigned Heads = Slots + Lanes;

  logic [Slots-1:0]            slot_valid;
  logic [Slots*VcBits-1:0]     slot_vc;
  logic [Heads*PortBits-1:0]   head_port;
  logic [Heads*Vcs-1:0]        head_vcs, head_available;
  logic [Heads*LengthBits-1:0] head_length;
  logic [Lanes*LengthBits-1:0] length_q;

  for (genvar slot = 0; slot < Slots; slot++) begin : gen_slot
    assign {slot_valid[slot], slot_vc[slot*VcBits+:VcBits], head_port[slot*PortBits+:PortBits],
            head_vcs[slot*Vcs+:Vcs], head_length[slot*LengthBits+:LengthBits]} = route_i[slot*RouteBits+:RouteBits];
  end
  assign head_port[Slots*PortBits+:Lanes*PortBits]       = port_q;
  assign head_vcs[Slots*Vcs+:Lanes*Vcs]                  = vcs_q;
  assign head_length[Slots*LengthBits+:Lanes*LengthBits] = length_q;

  for (genvar head = 0; head < Heads; head++) begin : gen_head
    logic [Lanes-1:0] usable;
    if (CutThrough) begin : gen_cut_through
      logic [LengthBits-1:0] length;
      assign length = head_length[head*LengthBits+:LengthBits];
      for (genvar out = 0; out < Lanes; out++) begin : gen_room
        assign usable[out] = free_q[out] && length <= count_i[out*CreditCountBits+:LengthBits];
      end
    end else begin : gen_wormhole
      assign usable = free_q;
    end
    assign head_available[head*Vcs+:Vcs] =
        head_vcs[head*Vcs+:Vcs] & usable[Vcs*32'(head_port[head*PortBits+:PortBits])+:Vcs];
  end

  // ------------------------------------------------------------------------------------------------------------------
  // The queue

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    localparam int unsigned First = lane / Vcs * HeadSlots;
    localparam int unsigned Second = First + 1;
    localparam int unsigned Queue = Slots + lane;
    localparam int unsigned InVc = lane % Vcs;

    logic first, second;
    assign first  = slot_valid[First] && slot_vc[First*VcBits+:VcBits] == VcBits'(InVc);
    assign second = slot_valid[Second] && slot_vc[Second*VcBits+:VcBits] == VcBits'(InVc);

    assign asking[lane*Sources+:Sources] = {waiting_q[lane] && !first && !second, second && !first, first};
    assign port[lane*Sources*PortBits+:Sources*PortBits] =
        {head_port[Queue*PortBits+:PortBits], head_port[Second*PortBits+:PortBits],
         head_port[First*PortBits+:PortBits]};
    assign available[lane*Sources*Vcs+:Sources*Vcs] =
        {head_available[Queue*Vcs+:Vcs], head_available[Second*Vcs+:Vcs], head_available[First*Vcs+:Vcs]};

    always_ff @(posedge clk_i) begin
      if (first || second) begin
        port_q[lane*PortBits+:PortBits] <=
            first ? head_port[First*PortBits+:PortBits] : head_port[Second*PortBits+:PortBits];
        vcs_q[lane*Vcs+:Vcs] <= first ? head_vcs[First*Vcs+:Vcs] : head_vcs[Second*Vcs+:Vcs];
      end
    end
    if (CutThrough) begin : gen_length
      always_ff @(posedge clk_i) begin
        if (first || second) begin
          length_q[lane*LengthBits+:LengthBits] <=
              first ? head_length[First*LengthBits+:LengthBits] : head_length[Second*LengthBits+:LengthBits];
        end
      end
    end else begin : gen_no_length
      assign length_q[lane*LengthBits+:LengthBits] = '0;
    end

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        waiting_q[lane] <= 1'b0;
        active_q[lane]  <= 1'b0;
      end else begin
        waiting_q[lane] <= |asking[lane*Sources+:Sources] && !granted[lane];
        active_q[lane]  <= (active_q[lane] || granted[lane]) && !left[lane];
      end
    end
  end

  logic unused_counts;  // without cut-through; with it, above the length
  assign unused_counts = &{count_i, head_length};

  weft_separable_vc_allocator #(
    .Ports  (Ports),
    .Vcs    (Vcs),
    .Sources(Sources)
  ) u_separable (
    .clk_i,
    .rst_ni,
    .request_i(asking),
    .port_i   (port),
    .vcs_i    (available),
    .grant_o  (granted),
    .vc_o     (granted_vc),
    .taken_o  (taken)
  );

  // ------------------------------------------------------------------------------------------------------------------
  // What is held. What a lane asks for is kept whether it wins or not: whether it does is known last.

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_held
    logic [VcBits-1:0] picked_vc;
    always_comb begin
      picked_vc = '0;
      for (int unsigned vc = 0; vc < Vcs; vc++) begin
        if (granted_vc[lane*Vcs+vc]) picked_vc = picked_vc | VcBits'(vc);
      end
    end

    always_ff @(posedge clk_i) begin
      if (|asking[lane*Sources+:Sources]) held_vc_q[lane*VcBits+:VcBits] <= picked_vc;
    end

    // S = 3 shows the winners at once.
    if (SameCycle != 0) begin : gen_same_cycle
      logic [PortBits-1:0] asked;
      always_comb begin
        asked = '0;
        for (int unsigned source = lane * Sources; source < (lane + 1) * Sources; source++) begin
          if (asking[source]) asked = asked | port[source*PortBits+:PortBits];
        end
      end
      assign assigned_active_o[lane] = active_q[lane] || granted[lane];
      assign assigned_port_o[lane*PortBits+:PortBits] = active_q[lane] ? port_q[lane*PortBits+:PortBits] : asked;
      assign assigned_vc_o[lane*VcBits+:VcBits] = active_q[lane] ? held_vc_q[lane*VcBits+:VcBits] : picked_vc;
    end else begin : gen_next_cycle
      assign assigned_active_o[lane]                  = active_q[lane];
      assign assigned_port_o[lane*PortBits+:PortBits] = port_q[lane*PortBits+:PortBits];
      assign assigned_vc_o[lane*VcBits+:VcBits]       = held_vc_q[lane*VcBits+:VcBits];
    end

    assign left[lane] = grant_tail_i[lane/Vcs] && grant_vc_i[lane];
  end

  always_comb begin
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
    always_ff @(`WEFT_CLOCKED) begin
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
        own = Lanes'(1) << (Vcs * 32'(port_q[in*PortBits+:PortBits]) + 32'(held_vc_q[in*VcBits+:VcBits]));
        if ((held & own) != '0) one_holder = 1'b0;
        held = held | own;
      end
    end
  end

  `WEFT_ASSERT(OneHolder, one_holder, "two input VCs hold one output VC")
  `WEFT_ASSERT(FreeIsNotHeld, free_q == ~held, "the output VCs that are free are not those that no input VC holds")
  `WEFT_ASSERT(TakenWasFree, (taken & ~free_q) == '0, "an output VC that is held is given away")
  `WEFT_ASSERT(ReturnedWasHeld, (returned & ~(held | taken)) == '0, "a tail frees an output VC that nothing holds")
  // What a lane asks for stands where what it holds would.
  logic [Lanes-1:0] asks;
  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_asks
    assign asks[lane] = |asking[lane*Sources+:Sources];
  end

  `WEFT_ASSERT(AsksOrHolds, (asks & active_q) == '0, "a head comes to an input VC that holds an output VC")
  `WEFT_ASSERT(WaitsOrHolds, (waiting_q & active_q) == '0, "a head that holds an output VC waits for one")
  // Credits are compared by as many bits as a length has.
  if (CutThrough) begin : gen_counts
    logic [Lanes-1:0] fits;
    for (genvar out = 0; out < Lanes; out++) begin : gen_fits
      logic [CreditCountBits-1:0] count;
      assign count     = count_i[out*CreditCountBits+:CreditCountBits];
      assign fits[out] = 32'(count) < 2 ** LengthBits - 1 || count == '1;
    end
    `WEFT_ASSERT(CountsFit, &fits, "an output VC has more credits than a length has bits for")
  end
  `WEFT_ASSERT_KNOWN(KnownOut, assigned_active_o, "it is known which input VCs hold an output VC")
  `include "cover/weft_vc_allocator.svh"

endmodule

`default_nettype wire
