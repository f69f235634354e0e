// SPDX-License-Identifier: Apache-2.0
/// Injector: sends the packets of the send path as flits on virtual channels of the router.
///
/// Purpose    The last stage of the send path. It selects a VC and a path id for each packet and counts the credits of
///            the router's input port. A packet may be sent on a VC that still holds earlier packets; the packets of a
///            VC stay in order.
/// Latency    A flit accepted on flit_i in cycle t is on flit_o in t+1.
/// Handshake  flit_i/ready_o: a flit is accepted at the end of a cycle in which it is valid and ready_o is set. A head
///            is accepted while any VC of its class has a credit; a body flit is accepted while its VC has a credit.
///            Among the VCs of the class with a credit, the next one in round-robin order after the last VC used is
///            selected. If there is one class, ready_o is a register. If there are several, ready_o depends on the
///            class of the offered head; without a head, it is the value for class 0.
///
/// Flits and credits are flat vectors, whose fields weft_pkg defines. Arriving flits have no VC and no path id.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_injector #(
  /// Number of virtual channels of the router's port, at least 1, and of classes, which divides it.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  /// Capacity of a VC of the router in flits, at least 1.
  parameter int unsigned Depth = 8,
  /// Width of the path id in bits, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of the data of a flit in bits; see weft_pkg.
  parameter int unsigned DataBits = 168,
  /// Number of nodes for which path_ids_i has a path id. 0: all packets use path id 0.
  parameter int unsigned Destinations = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned OfferBits = weft_pkg::flit_bits(0, 0, DataBits),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned PathIdsBits = Destinations != 0 ? Destinations * PathIdBits : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// The path id for each node; that of node 0 is lowest. Constant.
  input  wire logic [PathIdsBits-1:0] path_ids_i,

  /// Packets from the send path, flit by flit.
  input  wire logic [OfferBits-1:0] flit_i,
  output logic                      ready_o,

  /// Flits to the router, and credits from it.
  output logic      [FlitBits-1:0]   flit_o,
  input  wire logic [CreditBits-1:0] credit_i
);

  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned BodyBits = FlitBits - 1;  // all fields except valid

  logic                valid, head, tail;
  logic [DataBits-1:0] data;
  weft_pkg::header_t   header;
  assign {valid, head, tail, data} = flit_i;
  assign header = data[DataBits-1-:weft_pkg::HeaderBits];

  // ------------------------------------------------------------------------------------------------------------------
  // Credits: a counter counts the flits whose credit has not returned, so that it is reset to a constant

  logic           accepted;
  logic [Vcs-1:0] vc;                        // VC of the offered flit, one-hot
  logic [Vcs-1:0] sends, returns;            // VCs on which a flit is sent; VCs for which a credit returns
  logic [Vcs-1:0] available_q, available_d;  // VCs that have a credit
  logic [Vcs-1:0] home;                      // VCs that have all credits back, for an assertion
  assign accepted = valid && ready_o;
  assign sends = accepted ? vc : '0;

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

  logic           within_q, within_d;  // inside a packet, between head and tail
  logic [Vcs-1:0] vc_q, vc_d;          // VC of the packet, one-hot
  logic [Vcs-1:0] from_q, from_d;      // VCs after the last one used, where the search begins (none: at VC 0)
  logic           ready_q;             // the VC in vc_q has a credit
  assign within_d = accepted ? !tail : within_q;

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
    // Between packets the VC is selected again in every cycle. A packet holds it only from the cycle in which its head
    // leaves.
    logic [Vcs-1:0] picked, behind;
    logic [Vcs-1:0] behind_q;  // VCs after the one in vc_q
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
    assign from_d       = accepted ? behind_q : from_q;
    assign ready_o      = ready_q;
    assign class_exists = 1'b1;
  end else begin : gen_classes
    // If there are several classes, the VC is selected when the head is offered.
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
    assign vc_d         = accepted ? vc : vc_q;
    assign from_d       = (accepted && !within_q) ? behind : from_q;
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

  logic [PathIdBits-1:0] path_id;
  logic                  path_id_exists;
  if (Destinations != 0) begin : gen_path_ids
    localparam int unsigned IndexBits = Destinations > 1 ? $clog2(Destinations) : 1;
    logic [IndexBits-1:0] index;
    assign index          = IndexBits'(header.destination);
    assign path_id        = head ? path_ids_i[32'(index)*PathIdBits+:PathIdBits] : '0;
    assign path_id_exists = !valid || !head || 32'(header.destination) < Destinations;
  end else begin : gen_no_path_ids
    logic unused_path_ids;
    assign unused_path_ids = &path_ids_i;
    assign path_id         = '0;
    assign path_id_exists  = 1'b1;
  end

  logic                sent_q;
  logic [BodyBits-1:0] body_q;
  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      sent_q <= 1'b0;
    end else begin
      sent_q <= accepted;
    end
  end
  always_ff @(posedge clk_i) begin
    if (accepted) body_q <= {head, tail, vc_index, path_id, data};
  end
  assign flit_o = {sent_q, body_q};

  logic unused_header;
  assign unused_header = &header;

  `WEFT_PARAMETER(ClassesDivide, Classes >= 1 && Vcs % Classes == 0, "Vcs must be a multiple of Classes")
  `WEFT_PARAMETER(DepthSupported, Depth >= 1 && PathIdBits >= 1, "Depth and PathIdBits must be at least 1")
  `WEFT_ASSERT(PacketsWhole, !accepted || head == !within_q,
               "head flit inside a packet, or body flit outside one")
  `WEFT_ASSERT(ClassExists, class_exists, "packet of a class that does not exist")
  `WEFT_ASSERT(PathIdExists, path_id_exists, "packet to a node without a path id")
  `WEFT_ASSERT(SentWithCredit, (sends & ~available_q) == '0, "flit sent without a credit")
  `WEFT_ASSERT(OneVc, (vc & (vc - Vcs'(1))) == '0 && (!accepted || vc != '0), "a flit must be sent on exactly one VC")
  `WEFT_ASSERT(CreditKnown, (!returned || returns != '0) && (returns & home) == '0,
               "excess credit: none is outstanding on the VC")
  `WEFT_ASSERT_KNOWN(KnownOut, ({sent_q, ready_o}), "stream status signals must not be X")
  `include "cover/weft_injector.svh"

endmodule

`default_nettype wire
