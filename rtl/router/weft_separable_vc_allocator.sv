// SPDX-License-Identifier: Apache-2.0
/// Separable VC allocator: gives output VCs to input VCs that wait for one.
///
/// Purpose    The decisions of weft::allocate_vcs() (systemc/weft/core/allocation.h), with the pointers of its
///            arbiters.
/// Latency    None: grants follow from the requests of the same cycle; the pointers move at its end.
/// Handshake  Every grant is final.
///
/// Separable and input first. Each input VC that asks picks one of the output VCs it may have, each output VC one of
/// the input VCs that picked it, both round robin. A pointer moves past the winner, and only when there is one.
/// A lane is port * Vcs + VC.
///
/// An input VC may have several sources of what it asks for, of which at most one is valid: a pick is made for each of
/// them side by side, so that which one it is need be known only when all picks are.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_separable_vc_allocator #(
  /// Ports of the router, 1 and more.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, 1 and more.
  parameter int unsigned Vcs = 4,
  /// Sources of what an input VC asks for, 1 and more.
  parameter int unsigned Sources = 1,
  // Derived, not to be set: input VCs, which are as many as output VCs.
  localparam int unsigned Lanes = Ports * Vcs,
  // Derived, not to be set: bits of the number of a port.
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// Input VCs that want an output VC, of each its sources, of which one at most…
  input  wire logic [Lanes*Sources-1:0] request_i,
  /// …of this port…
  input  wire logic [Lanes*Sources*PortBits-1:0] port_i,
  /// …and may have one of these VCs of it: admissible and free.
  input  wire logic [Lanes*Sources*Vcs-1:0] vcs_i,
  /// Input VCs that get an output VC…
  output logic [Lanes-1:0] grant_o,
  /// …this one, one-hot. Of the others, what they picked.
  output logic [Lanes*Vcs-1:0] vc_o,
  /// Output VCs that an input VC gets.
  output logic [Lanes-1:0] taken_o
);

  // The picks of all input VCs: port[p * Lanes + in] says that input VC `in` picked a VC of port p, and
  // vc[v * Lanes + in] that it picked VC v of its port. Sets of input VCs keep the picks of an output VC one vector
  // operation: bit by bit, a simulator would hold Lanes * Lanes processes.
  logic [Ports*Lanes-1:0] picks_port;
  logic [Vcs*Lanes-1:0]   picks_vc;
  // picked[out * Lanes + in]: input VC `in` has picked output VC `out`; granted: and got it.
  logic [Lanes*Lanes-1:0] picked, granted;

  // An input VC is granted by one output VC at most.
  always_comb begin
    grant_o = '0;
    for (int unsigned out = 0; out < Lanes; out++) grant_o = grant_o | granted[out*Lanes+:Lanes];
  end

  // ------------------------------------------------------------------------------------------------------------------
  // Each input VC picks an output VC. All candidates are VCs of one port, so of the pointer over all output VCs only
  // the part that concerns that port is looked at. A pointer that points to another port is the same for this one as
  // pointer 0, whichever side it is on: so it is kept as the port that it points to, one-hot, and that part.

  for (genvar in = 0; in < Lanes; in++) begin : gen_input
    // Whether the input VC wins is known last: it moves the pointer in the next cycle, before it is looked at.
    logic [Ports-1:0] from_port_q, from_port, past_port_q;
    logic [Vcs-1:0]   from_q, from, past_q;
    logic             won_q;
    assign from_port = won_q ? past_port_q : from_port_q;
    assign from      = won_q ? past_q : from_q;

    logic [Sources*Ports-1:0] wanted;  // of each source the port, one-hot; all zero if it does not ask
    logic [Sources*Vcs-1:0]   pick, next;
    for (genvar source = 0; source < Sources; source++) begin : gen_source
      localparam int unsigned Index = in * Sources + source;
      logic [Ports-1:0] port;
      for (genvar p = 0; p < Ports; p++) begin : gen_port
        assign port[p] = port_i[Index*PortBits+:PortBits] == PortBits'(p);
      end
      assign wanted[source*Ports+:Ports] = request_i[Index] ? port : '0;

      weft_round_robin_arbiter #(
        .Count(Vcs)
      ) u_pick (
        .request_i(vcs_i[Index*Vcs+:Vcs]),
        .from_i   (|(port & from_port) ? from : '0),
        .grant_o  (pick[source*Vcs+:Vcs]),
        .next_o   (next[source*Vcs+:Vcs])
      );
    end

    logic [Ports-1:0] port_d;
    logic [Vcs-1:0]   from_d, vc;
    always_comb begin
      port_d = '0;
      from_d = '0;
      vc = '0;
      for (int unsigned source = 0; source < Sources; source++) begin
        port_d = port_d | wanted[source*Ports+:Ports];
        if (request_i[in*Sources+source]) begin
          from_d = from_d | next[source*Vcs+:Vcs];
          vc = vc | pick[source*Vcs+:Vcs];
        end
      end
    end

    // At most one source is valid, so port and VC of the pick belong together.
    for (genvar p = 0; p < Ports; p++) begin : gen_picks_port
      assign picks_port[p*Lanes+in] = port_d[p];
    end
    for (genvar v = 0; v < Vcs; v++) begin : gen_picks_vc
      assign picks_vc[v*Lanes+in] = vc[v];
    end

    assign vc_o[in*Vcs+:Vcs] = vc;

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_port_q <= '0;
        from_q      <= '0;
        won_q       <= 1'b0;
      end else begin
        from_port_q <= from_port;
        from_q      <= from;
        won_q       <= grant_o[in];
      end
    end
    always_ff @(posedge clk_i) begin
      past_port_q <= port_d;
      past_q      <= from_d;
    end
  end

  // ------------------------------------------------------------------------------------------------------------------
  // Each output VC picks one of the input VCs that picked it.

  for (genvar out = 0; out < Lanes; out++) begin : gen_output
    logic [Lanes-1:0] from_q, from_d;
    assign picked[out*Lanes+:Lanes] = picks_port[out/Vcs*Lanes+:Lanes] & picks_vc[out%Vcs*Lanes+:Lanes];

    weft_round_robin_arbiter #(
      .Count(Lanes)
    ) u_grant (
      .request_i(picked[out*Lanes+:Lanes]),
      .from_i(from_q),
      .grant_o(granted[out*Lanes+:Lanes]),
      .next_o(from_d)
    );

    assign taken_o[out] = |picked[out*Lanes+:Lanes];

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_q <= '0;
      end else if (|picked[out*Lanes+:Lanes]) begin
        from_q <= from_d;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------------

  // What must hold, of all lanes at once. Of one-hot sets: x & (x - 1) is 0.

  logic known, asked, one_source, one_vc, one_holder;
  logic [Sources-1:0] request;
  logic [Vcs-1:0]     vc, vcs;
  always_comb begin
    known = 1'b1;
    asked = 1'b1;
    one_source = 1'b1;
    one_vc = 1'b1;
    one_holder = 1'b1;
    request = '0;
    vc = '0;
    vcs = '0;
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      request = request_i[lane*Sources+:Sources];
      vc = vc_o[lane*Vcs+:Vcs];
      vcs = '0;
      for (int unsigned source = lane * Sources; source < (lane + 1) * Sources; source++) begin
        if (request_i[source] && 32'(port_i[source*PortBits+:PortBits]) >= Ports) known = 1'b0;
        if (request_i[source]) vcs = vcs | vcs_i[source*Vcs+:Vcs];
      end
      if (grant_o[lane] && (vc & vcs) == '0) asked = 1'b0;
      if ((request & (request - Sources'(1))) != '0) one_source = 1'b0;
      if ((vc & (vc - Vcs'(1))) != '0) one_vc = 1'b0;
      if ((granted[lane*Lanes+:Lanes] & (granted[lane*Lanes+:Lanes] - Lanes'(1))) != '0) one_holder = 1'b0;
    end
  end

  `WEFT_ASSERT(PortExists, known, "an input VC asks for a port that there is not")
  `WEFT_ASSERT(OneSource, one_source, "an input VC asks in two ways")
  `WEFT_ASSERT(GrantIsWanted, asked, "an input VC gets an output VC that it did not ask for")
  `WEFT_ASSERT(OneVc, one_vc, "an input VC picks more than one output VC")
  `WEFT_ASSERT(OneHolder, one_holder, "an output VC goes to more than one input VC")
  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_o, vc_o, taken_o}), "every grant is known")

endmodule

`default_nettype wire
