// SPDX-License-Identifier: Apache-2.0
/// Injector: turns the packets that come from the send path into flits on virtual channels of the router.
///
/// Purpose    The last stage of the send path: picks a VC and a way for each packet and keeps the credits of the
///            router's input port. A VC may still hold earlier packets; the packets of a VC stay in order.
/// Latency    A flit taken on flit_i in cycle t is on flit_o in t+1.
/// Handshake  flit_i/ready_o: a flit is taken at the end of a cycle in which it is valid and ready_o is set. A head is
///            taken while any VC of its class has a credit, a body flit while its VC has one. VCs are picked round
///            robin from the last one used + 1, among those of the class with a credit. With one class ready_o comes
///            from a register; with more it depends on the head that is offered, and is that of class 0 where none is.
///
/// Flits and credits are flat vectors; weft_pkg says what they hold. A flit comes without VC and way.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_injector #(
  /// Virtual channels of the router's port, 1 and more; classes, a divisor of them.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  /// Flits that each of them holds there, 1 and more.
  parameter int unsigned Depth = 8,
  /// Bits of the way, 1 and more.
  parameter int unsigned WayBits = 1,
  /// Bits of a flit's data; see weft_pkg.
  parameter int unsigned DataBits = 168,
  /// Nodes that ways_i has a way to; 0: all packets have the way 0.
  parameter int unsigned Destinations = 0,
  // Derived, not to be set.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned OfferBits = weft_pkg::flit_bits(0, 0, DataBits),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, WayBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned WaysBits = Destinations != 0 ? Destinations * WayBits : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// The way to each node, that of node 0 lowest. Constant.
  input  wire logic [WaysBits-1:0] ways_i,

  /// Packets, flit by flit.
  input  wire logic [OfferBits-1:0] flit_i,
  output logic                      ready_o,

  /// To the router, and from it.
  output logic      [FlitBits-1:0]   flit_o,
  input  wire logic [CreditBits-1:0] credit_i
);

  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned BodyBits = FlitBits - 1;  // without valid

  logic                valid, head, tail;
  logic [DataBits-1:0] data;
  weft_pkg::header_t   header;
  assign {valid, head, tail, data} = flit_i;
  assign header = data[DataBits-1-:weft_pkg::HeaderBits];

  // ------------------------------------------------------------------------------------------------------------------
  // Credits: counted is what is out, flits whose credit has not come back, so that a counter is reset to a constant

  logic           taken;
  logic [Vcs-1:0] vc;                        // of the flit that is offered, one-hot
  logic [Vcs-1:0] sends, returns;            // a flit is sent on it, a credit comes back
  logic [Vcs-1:0] available_q, available_d;  // VCs with a credit
  logic [Vcs-1:0] home;                      // no flit is out, for an assertion
  assign taken = valid && ready_o;
  assign sends = taken ? vc : '0;

  logic              returned;
  logic [VcBits-1:0] returned_vc;
  assign {returned, returned_vc} = credit_i;

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [CountBits-1:0] out_q, out_d;
    assign returns[v]     = returned && returned_vc == VcBits'(v);
    assign out_d          = out_q + CountBits'(sends[v]) - CountBits'(returns[v]);
    assign available_d[v] = 32'(out_d) != Depth;
    assign home[v]        = out_q == '0;
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        out_q          <= '0;
        available_q[v] <= 1'b1;
      end else begin
        out_q          <= out_d;
        available_q[v] <= available_d[v];
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------------
  // The VC of the next flit

  logic           within_q, within_d;  // between head and tail
  logic [Vcs-1:0] vc_q, vc_d;          // VC of the packet, one-hot
  logic [Vcs-1:0] from_q, from_d;      // VCs behind the last one used, where the search begins; none: at 0
  logic           ready_q;             // that VC has a credit
  assign within_d = taken ? !tail : within_q;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      within_q <= 1'b0;
      vc_q     <= Vcs'(1);
      from_q   <= '0;
      ready_q  <= 1'b1;
    end else begin
      within_q <= within_d;
      vc_q     <= vc_d;
      from_q   <= from_d;
      ready_q  <= (available_d & vc_d) != '0;
    end
  end

  logic class_exists;
  if (Classes == 1) begin : gen_one_class
    // Between packets the VC is picked in every cycle anew: it is the packet's own only when its head leaves.
    logic [Vcs-1:0] picked, behind;
    logic [Vcs-1:0] behind_q;  // the VCs behind that in vc_q
    logic           pick;
    weft_round_robin_arbiter #(
      .Count(Vcs)
    ) u_arbiter (
      .request_i(available_d),
      .from_i   (from_d),
      .grant_o  (picked),
      .next_o   (behind)
    );
    assign pick = !within_d && available_d != '0;
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        behind_q <= ~(Vcs'(1));
      end else if (pick) begin
        behind_q <= behind;
      end
    end
    assign vc           = vc_q;
    assign vc_d         = pick ? picked : vc_q;
    assign from_d       = taken ? behind_q : from_q;
    assign ready_o      = ready_q;
    assign class_exists = 1'b1;
  end else begin : gen_classes
    // With classes it is picked when the head is there.
    localparam int unsigned ClassBits = weft_pkg::ClassBits;
    localparam int unsigned ClassVcs = Vcs / Classes;
    logic [ClassBits-1:0] message_class;
    logic [Vcs-1:0]       candidates, picked, behind;
    assign message_class = valid ? header.message_class : '0;
    for (genvar v = 0; v < Vcs; v++) begin : gen_candidate
      assign candidates[v] = available_q[v] && message_class == ClassBits'(v / ClassVcs);
    end
    weft_round_robin_arbiter #(
      .Count(Vcs)
    ) u_arbiter (
      .request_i(candidates),
      .from_i   (from_q),
      .grant_o  (picked),
      .next_o   (behind)
    );
    assign vc           = within_q ? vc_q : picked;
    assign vc_d         = taken ? vc : vc_q;
    assign from_d       = (taken && !within_q) ? behind : from_q;
    assign ready_o      = within_q ? ready_q : candidates != '0;
    assign class_exists = !valid || !head || 32'(header.message_class) < Classes;
  end

  logic [VcBits-1:0] vc_index;
  always_comb begin
    vc_index = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (vc[v]) vc_index = vc_index | VcBits'(v);
    end
  end

  // ------------------------------------------------------------------------------------------------------------------
  // The flit that leaves

  logic [WayBits-1:0] way;
  logic               way_exists;
  if (Destinations != 0) begin : gen_ways
    localparam int unsigned IndexBits = Destinations > 1 ? $clog2(Destinations) : 1;
    logic [IndexBits-1:0] index;
    assign index      = IndexBits'(header.destination);
    assign way        = head ? ways_i[32'(index)*WayBits+:WayBits] : '0;
    assign way_exists = !valid || !head || 32'(header.destination) < Destinations;
  end else begin : gen_no_ways
    logic unused_ways;
    assign unused_ways = &ways_i;
    assign way         = '0;
    assign way_exists  = 1'b1;
  end

  logic                sent_q;
  logic [BodyBits-1:0] body_q;
  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      sent_q <= 1'b0;
    end else begin
      sent_q <= taken;
    end
  end
  always_ff @(posedge clk_i) begin
    if (taken) body_q <= {head, tail, vc_index, way, data};
  end
  assign flit_o = {sent_q, body_q};

  logic unused_header;
  assign unused_header = &header;

  `WEFT_PARAMETER(ClassesDivide, Classes >= 1 && Vcs % Classes == 0, "each class has as many VCs")
  `WEFT_PARAMETER(DepthSupported, Depth >= 1 && WayBits >= 1, "a VC holds a flit at least, a way has a bit at least")
  `WEFT_ASSERT(PacketsWhole, !taken || head == !within_q, "the send path broke a packet")
  `WEFT_ASSERT(ClassExists, class_exists, "a packet of a class that there is not")
  `WEFT_ASSERT(WayExists, way_exists, "a packet to a node that there is no way to")
  `WEFT_ASSERT(SentWithCredit, (sends & ~available_q) == '0, "a flit is sent without a credit")
  `WEFT_ASSERT(OneVc, (vc & (vc - Vcs'(1))) == '0 && (!taken || vc != '0), "a flit is sent on one VC")
  `WEFT_ASSERT(CreditKnown, (!returned || returns != '0) && (returns & home) == '0, "a credit too many")
  `WEFT_ASSERT_KNOWN(KnownOut, ({sent_q, ready_o}), "what is said of the streams is known")
  `include "cover/weft_injector.svh"

endmodule

`default_nettype wire
