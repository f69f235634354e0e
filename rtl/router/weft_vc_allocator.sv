// SPDX-License-Identifier: Apache-2.0
/// VC allocator: assigns output VCs to waiting heads. A packet holds its output VC until its tail has left.
///
/// Purpose    Has the queue of heads, and stores the held and the free VCs. weft_separable_vc_allocator, or
///            weft_matching_vc_allocator for other kinds, makes the selections.
/// Latency    A head whose route is announced on route_i in cycle t takes part in the allocation of t (stage VA), and
///            again in every cycle until it wins. The winner appears on assigned_*_o in t+1, or combinationally in t
///            with SameCycle (S = 3). A tail that is granted the switch in t frees its input VC and its output VC for
///            the allocation of t+1.
/// Handshake  None; busy_o requests the clock while a head waits.
///
/// Under virtual cut-through, an output VC is available to a packet only if the next buffer has room for the whole
/// packet. Only this packet holds the VC, so the room stays reserved and the packet never stalls half way.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_vc_allocator #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Width of a packet's length, weft_pkg::length_bits(). 1: wormhole, where the length and count_i are not used.
  parameter int unsigned LengthBits = 1,
  /// 1: winners appear on assigned_*_o in the cycle of their allocation (S = 3).
  parameter int unsigned SameCycle = 0,
  /// The kind of the allocator, its arbiters and its iterations: see weft_matching_allocator.
  parameter int unsigned Kind = weft_pkg::AllocatorInputFirst,
  parameter int unsigned Arbiter = weft_pkg::ArbiterRoundRobin,
  parameter int unsigned Iterations = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned RouterVcs = Ports * Vcs,
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned RouteBits = weft_pkg::route_bits(VcBits, PortBits, Vcs, LengthBits)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// The routes of new heads: two slots per port.
  input  wire logic [Ports*weft_pkg::HeadSlots*RouteBits-1:0] route_i,
  /// Number of credits of each output VC.
  input  wire logic [RouterVcs*weft_pkg::CreditCountBits-1:0] count_i,

  /// The input ports that send a tail, and for each of them the VC (one-hot), the output port (one-hot) and the VC of
  /// the output port (one-hot).
  input  wire logic [Ports-1:0]        grant_tail_i,
  input  wire logic [Ports*Vcs-1:0]    grant_vc_i,
  input  wire logic [Ports*Ports-1:0]  grant_output_i,
  input  wire logic [Ports*VcBits-1:0] grant_out_vc_i,

  /// Input VCs that hold an output VC; for each of them, the port and the VC of this output VC.
  output logic [RouterVcs-1:0]          assigned_active_o,
  output logic [RouterVcs*PortBits-1:0] assigned_port_o,
  output logic [RouterVcs*VcBits-1:0]   assigned_vc_o,

  output logic busy_o
);

  localparam bit CutThrough = LengthBits > 1;
  localparam int unsigned CreditCountBits = weft_pkg::CreditCountBits;

  localparam int unsigned HeadSlots = weft_pkg::HeadSlots;
  // The request of an input VC comes from a slot or from the queue.
  localparam int unsigned Sources = HeadSlots + 1;

  logic [RouterVcs-1:0]                  waiting_q, active_q;  // input VCs that wait; input VCs that hold an output VC
  logic [RouterVcs-1:0]                  free_q;               // output VCs that no input VC holds
  logic [RouterVcs*Sources-1:0]          source_valid;         // the source of an input VC's request, if there is one
  logic [RouterVcs*Sources*PortBits-1:0] port;                 // requested port
  logic [RouterVcs*Sources*Vcs-1:0]      available;            // admissible VCs of the requested port that are free
  logic [RouterVcs-1:0]                  granted, claimed;     // input VCs that get an output VC; output VCs that they
                                                               // get
  logic [RouterVcs*Vcs-1:0]              granted_vc;
  logic [RouterVcs-1:0]                  left, returned;       // input VCs and output VCs that a tail frees
  logic [RouterVcs*PortBits-1:0]         port_q;               // port that an input VC requests, and later holds a VC
                                                               // of
  logic [RouterVcs*Vcs-1:0]              vcs_q;                // admissible VCs of this port
  logic [RouterVcs*VcBits-1:0]           held_vc_q;            // VC that the input VC holds

  // ------------------------------------------------------------------------------------------------------------------
  // Available VCs: those VCs of the port that a head requests which are free and, under cut-through, have room for the
  // whole packet. They are looked up for the slots of the input ports, before the input VC of each slot is known, and
  // for the queue.

  localparam int unsigned Slots = Ports * HeadSlots;
  localparam int unsigned Heads = Slots + RouterVcs;

  logic [Slots-1:0]            slot_valid;
  logic [Slots*VcBits-1:0]     slot_vc;
  logic [Heads*PortBits-1:0]   head_port;
  logic [Heads*Vcs-1:0]        head_vcs, head_available;
  logic [Heads*LengthBits-1:0] head_length;
  logic [RouterVcs*LengthBits-1:0] length_q;

  for (genvar slot = 0; slot < Slots; slot++) begin : gen_slot
    assign {slot_valid[slot], slot_vc[slot*VcBits+:VcBits], head_port[slot*PortBits+:PortBits],
            head_vcs[slot*Vcs+:Vcs], head_length[slot*LengthBits+:LengthBits]} = route_i[slot*RouteBits+:RouteBits];
  end
  assign head_port[Slots*PortBits+:RouterVcs*PortBits]       = port_q;
  assign head_vcs[Slots*Vcs+:RouterVcs*Vcs]                  = vcs_q;
  assign head_length[Slots*LengthBits+:RouterVcs*LengthBits] = length_q;

  for (genvar head = 0; head < Heads; head++) begin : gen_head
    logic [RouterVcs-1:0] usable;
    if (CutThrough) begin : gen_cut_through
      logic [LengthBits-1:0] length;
      assign length = head_length[head*LengthBits+:LengthBits];
      for (genvar out = 0; out < RouterVcs; out++) begin : gen_room
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

  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_vc
    localparam int unsigned First = vc_index / Vcs * HeadSlots;
    localparam int unsigned Second = First + 1;
    localparam int unsigned Queue = Slots + vc_index;
    localparam int unsigned InVc = vc_index % Vcs;

    logic first, second;
    assign first  = slot_valid[First] && slot_vc[First*VcBits+:VcBits] == VcBits'(InVc);
    assign second = slot_valid[Second] && slot_vc[Second*VcBits+:VcBits] == VcBits'(InVc);

    assign source_valid[vc_index*Sources+:Sources] =
        {waiting_q[vc_index] && !first && !second, second && !first, first};
    assign port[vc_index*Sources*PortBits+:Sources*PortBits] =
        {head_port[Queue*PortBits+:PortBits], head_port[Second*PortBits+:PortBits],
         head_port[First*PortBits+:PortBits]};
    assign available[vc_index*Sources*Vcs+:Sources*Vcs] =
        {head_available[Queue*Vcs+:Vcs], head_available[Second*Vcs+:Vcs], head_available[First*Vcs+:Vcs]};

    always_ff @(posedge clk_i) begin
      if (first || second) begin
        port_q[vc_index*PortBits+:PortBits] <=
            first ? head_port[First*PortBits+:PortBits] : head_port[Second*PortBits+:PortBits];
        vcs_q[vc_index*Vcs+:Vcs] <= first ? head_vcs[First*Vcs+:Vcs] : head_vcs[Second*Vcs+:Vcs];
      end
    end
    if (CutThrough) begin : gen_length
      always_ff @(posedge clk_i) begin
        if (first || second) begin
          length_q[vc_index*LengthBits+:LengthBits] <=
              first ? head_length[First*LengthBits+:LengthBits] : head_length[Second*LengthBits+:LengthBits];
        end
      end
    end else begin : gen_no_length
      assign length_q[vc_index*LengthBits+:LengthBits] = '0;
    end

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        waiting_q[vc_index] <= 1'b0;
        active_q[vc_index]  <= 1'b0;
      end else begin
        waiting_q[vc_index] <= |source_valid[vc_index*Sources+:Sources] && !granted[vc_index];
        active_q[vc_index]  <= (active_q[vc_index] || granted[vc_index]) && !left[vc_index];
      end
    end
  end

  logic unused_counts;  // not used without cut-through; with it, the bits above the length are not used
  assign unused_counts = &{count_i, head_length};

  if (Kind == weft_pkg::AllocatorInputFirst && Arbiter == weft_pkg::ArbiterRoundRobin) begin : gen_separable
    weft_separable_vc_allocator #(
      .Ports  (Ports),
      .Vcs    (Vcs),
      .Sources(Sources)
    ) u_separable (
      .clk_i,
      .rst_ni,
      .request_i(source_valid),
      .port_i   (port),
      .vcs_i    (available),
      .grant_o  (granted),
      .vc_o     (granted_vc),
      .claimed_o(claimed)
    );
  end else begin : gen_matching
    weft_matching_vc_allocator #(
      .Ports     (Ports),
      .Vcs       (Vcs),
      .Sources   (Sources),
      .Kind      (Kind),
      .Arbiter   (Arbiter),
      .Iterations(Iterations)
    ) u_matching (
      .clk_i,
      .rst_ni,
      .request_i(source_valid),
      .port_i   (port),
      .vcs_i    (available),
      .grant_o  (granted),
      .vc_o     (granted_vc),
      .claimed_o(claimed)
    );
  end

  // ------------------------------------------------------------------------------------------------------------------
  // Held output VCs. The request of an input VC is stored even if the input VC does not win, because this is known
  // last.

  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_held
    logic [VcBits-1:0] picked_vc;
    always_comb begin
      picked_vc = '0;
      for (int unsigned vc = 0; vc < Vcs; vc++) begin
        if (granted_vc[vc_index*Vcs+vc]) picked_vc = picked_vc | VcBits'(vc);
      end
    end

    always_ff @(posedge clk_i) begin
      if (|source_valid[vc_index*Sources+:Sources]) held_vc_q[vc_index*VcBits+:VcBits] <= picked_vc;
    end

    // For S = 3: winners appear on the outputs in the cycle of their allocation.
    if (SameCycle != 0) begin : gen_same_cycle
      logic [PortBits-1:0] requested_port;
      always_comb begin
        requested_port = '0;
        for (int unsigned source = vc_index * Sources; source < (vc_index + 1) * Sources; source++) begin
          if (source_valid[source]) requested_port = requested_port | port[source*PortBits+:PortBits];
        end
      end
      assign assigned_active_o[vc_index] = active_q[vc_index] || granted[vc_index];
      assign assigned_port_o[vc_index*PortBits+:PortBits] =
          active_q[vc_index] ? port_q[vc_index*PortBits+:PortBits] : requested_port;
      assign assigned_vc_o[vc_index*VcBits+:VcBits] =
          active_q[vc_index] ? held_vc_q[vc_index*VcBits+:VcBits] : picked_vc;
    end else begin : gen_next_cycle
      assign assigned_active_o[vc_index]                  = active_q[vc_index];
      assign assigned_port_o[vc_index*PortBits+:PortBits] = port_q[vc_index*PortBits+:PortBits];
      assign assigned_vc_o[vc_index*VcBits+:VcBits]       = held_vc_q[vc_index*VcBits+:VcBits];
    end

    assign left[vc_index] = grant_tail_i[vc_index/Vcs] && grant_vc_i[vc_index];
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

  for (genvar out = 0; out < RouterVcs; out++) begin : gen_output
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        free_q[out] <= 1'b1;
      end else begin
        free_q[out] <= (free_q[out] && !claimed[out]) || returned[out];
      end
    end
  end

  assign busy_o = |waiting_q;

  // ------------------------------------------------------------------------------------------------------------------

  // An output VC has at most one holder, and the VCs without a holder are the free ones.
  logic [RouterVcs-1:0] held, own;
  logic                 one_holder;
  always_comb begin
    held = '0;
    own = '0;
    one_holder = 1'b1;
    for (int unsigned in = 0; in < RouterVcs; in++) begin
      if (active_q[in]) begin
        own = RouterVcs'(1) << (Vcs * 32'(port_q[in*PortBits+:PortBits]) + 32'(held_vc_q[in*VcBits+:VcBits]));
        if ((held & own) != '0) one_holder = 1'b0;
        held = held | own;
      end
    end
  end

  `WEFT_ASSERT(OneHolder, one_holder, "two input VCs hold one output VC")
  `WEFT_ASSERT(FreeIsNotHeld, free_q == ~held, "the free output VCs are not those that no input VC holds")
  `WEFT_ASSERT(ClaimedWasFree, (claimed & ~free_q) == '0, "an output VC that is held is granted")
  `WEFT_ASSERT(ReturnedWasHeld, (returned & ~(held | claimed)) == '0,
               "a tail frees an output VC that no input VC holds")
  // A request and a held output VC share the same registers.
  logic [RouterVcs-1:0] has_request;
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_request
    assign has_request[vc_index] = |source_valid[vc_index*Sources+:Sources];
  end

  `WEFT_ASSERT(RequestsOrHolds, (has_request & active_q) == '0,
               "a new head requests in an input VC that holds an output VC")
  `WEFT_ASSERT(WaitsOrHolds, (waiting_q & active_q) == '0, "a waiting head already holds an output VC")
  // The comparison of credits uses as many bits as a length has.
  if (CutThrough) begin : gen_counts
    logic [RouterVcs-1:0] fits;
    for (genvar out = 0; out < RouterVcs; out++) begin : gen_fits
      logic [CreditCountBits-1:0] count;
      assign count     = count_i[out*CreditCountBits+:CreditCountBits];
      assign fits[out] = 32'(count) < 2 ** LengthBits - 1 || count == '1;
    end
    `WEFT_ASSERT(CountsFit, &fits, "an output VC has more credits than LengthBits can count")
  end
  `WEFT_ASSERT_KNOWN(KnownOut, assigned_active_o, "the status of input VCs must not be X")
  `include "cover/weft_vc_allocator.svh"

endmodule

`default_nettype wire
