// SPDX-License-Identifier: Apache-2.0
/// Separable VC allocator: assigns output VCs to waiting input VCs.
///
/// Purpose    Computes the function weft::allocate() (systemc/weft/router/allocator.h) for the input and output VCs of
/// a            router and a separable, input-first allocator, and has the pointers of its arbiters. Latency    None:
/// grants depend on the requests of the same cycle. The pointers move at the end of the cycle. Handshake  Every grant
/// is final.
///
/// The allocator is separable and input-first. Each requesting input VC selects one of the output VCs that it may use,
/// and each output VC grants one of the input VCs that selected it. Both selections are in round-robin order. A pointer
/// moves past the winner only after a grant. A VC index is port * Vcs + VC.
///
/// An input VC may have several request sources, of which at most one is valid. A selection is made for each source in
/// parallel, so that it is sufficient if the valid source is known as late as the selections.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_separable_vc_allocator #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Number of request sources of an input VC, at least 1.
  parameter int unsigned Sources = 1,
  // Derived, not to be set: number of input VCs, equal to that of output VCs.
  localparam int unsigned RouterVcs = Ports * Vcs,
  // Derived, not to be set: width of a port number.
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// For each input VC and source, whether there is a request. At most one source of an input VC is valid.
  input  wire logic [RouterVcs*Sources-1:0] request_i,
  /// The requested output port of each source.
  input  wire logic [RouterVcs*Sources*PortBits-1:0] port_i,
  /// For each source, the VCs of the requested port that are admissible and free.
  input  wire logic [RouterVcs*Sources*Vcs-1:0] vcs_i,
  /// The input VCs that get an output VC.
  output logic [RouterVcs-1:0] grant_o,
  /// For each input VC, the output VC in its port (one-hot); for input VCs that get none, the VC that they selected.
  output logic [RouterVcs*Vcs-1:0] vc_o,
  /// The output VCs that an input VC gets.
  output logic [RouterVcs-1:0] claimed_o
);

  // The selections of all input VCs: picks_port[p * RouterVcs + in] is set if input VC `in` selected a VC of port p,
  // and picks_vc[v * RouterVcs + in] if it selected VC v of its port. With sets of input VCs, the requests of an output
  // VC are one vector operation; bit by bit, a simulator would hold RouterVcs * RouterVcs processes.
  logic [Ports*RouterVcs-1:0]     picks_port;
  logic [Vcs*RouterVcs-1:0]       picks_vc;
  // picked[out * RouterVcs + in]: input VC `in` selected output VC `out`. granted: the same, and this selection is
  // granted.
  logic [RouterVcs*RouterVcs-1:0] picked, granted;

  // An input VC is granted by at most one output VC.
  always_comb begin
    grant_o = '0;
    for (int unsigned out = 0; out < RouterVcs; out++) grant_o = grant_o | granted[out*RouterVcs+:RouterVcs];
  end

  // ------------------------------------------------------------------------------------------------------------------
  // Each input VC selects an output VC. All candidates are VCs of one port, so only the part of the pointer for this
  // port matters; for this port, a pointer to any other port is equivalent to pointer 0. The pointer is therefore
  // stored as its port (one-hot) and its position in this port.

  for (genvar in = 0; in < RouterVcs; in++) begin : gen_input
    // Whether the input VC wins is known last, so the pointer moves in the next cycle, before it is used.
    logic [Ports-1:0] from_port_q, from_port, past_port_q;
    logic [Vcs-1:0]   from_q, from, past_q;
    logic             won_q;
    assign from_port = won_q ? past_port_q : from_port_q;
    assign from      = won_q ? past_q : from_q;

    logic [Sources*Ports-1:0] requested_ports;  // for each source, the port (one-hot); 0 without a request
    logic [Sources*Vcs-1:0]   pick, next;
    for (genvar source = 0; source < Sources; source++) begin : gen_source
      localparam int unsigned Index = in * Sources + source;
      logic [Ports-1:0] port;
      for (genvar p = 0; p < Ports; p++) begin : gen_port
        assign port[p] = port_i[Index*PortBits+:PortBits] == PortBits'(p);
      end
      assign requested_ports[source*Ports+:Ports] = request_i[Index] ? port : '0;

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
        port_d = port_d | requested_ports[source*Ports+:Ports];
        if (request_i[in*Sources+source]) begin
          from_d = from_d | next[source*Vcs+:Vcs];
          vc = vc | pick[source*Vcs+:Vcs];
        end
      end
    end

    // At most one source is valid, so the port and the VC of the selection belong together.
    for (genvar p = 0; p < Ports; p++) begin : gen_picks_port
      assign picks_port[p*RouterVcs+in] = port_d[p];
    end
    for (genvar v = 0; v < Vcs; v++) begin : gen_picks_vc
      assign picks_vc[v*RouterVcs+in] = vc[v];
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
  // Each output VC grants one of the input VCs that selected it.

  for (genvar out = 0; out < RouterVcs; out++) begin : gen_output
    logic [RouterVcs-1:0] from_q, from_d;
    assign picked[out*RouterVcs+:RouterVcs] =
        picks_port[out/Vcs*RouterVcs+:RouterVcs] & picks_vc[out%Vcs*RouterVcs+:RouterVcs];

    weft_round_robin_arbiter #(
      .Count(RouterVcs)
    ) u_grant (
      .request_i(picked[out*RouterVcs+:RouterVcs]),
      .from_i(from_q),
      .grant_o(granted[out*RouterVcs+:RouterVcs]),
      .next_o(from_d)
    );

    assign claimed_o[out] = |picked[out*RouterVcs+:RouterVcs];

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_q <= '0;
      end else if (|picked[out*RouterVcs+:RouterVcs]) begin
        from_q <= from_d;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------------

  // The invariants are checked for all VCs at once. A set x is one-hot or empty if x & (x - 1) is 0.

  logic exists, is_requested, one_source, one_vc, one_holder;
  logic [Sources-1:0] request;
  logic [Vcs-1:0]     vc, vcs;
  always_comb begin
    exists = 1'b1;
    is_requested = 1'b1;
    one_source = 1'b1;
    one_vc = 1'b1;
    one_holder = 1'b1;
    request = '0;
    vc = '0;
    vcs = '0;
    for (int unsigned vc_index = 0; vc_index < RouterVcs; vc_index++) begin
      request = request_i[vc_index*Sources+:Sources];
      vc = vc_o[vc_index*Vcs+:Vcs];
      vcs = '0;
      for (int unsigned source = vc_index * Sources; source < (vc_index + 1) * Sources; source++) begin
        if (request_i[source] && 32'(port_i[source*PortBits+:PortBits]) >= Ports) exists = 1'b0;
        if (request_i[source]) vcs = vcs | vcs_i[source*Vcs+:Vcs];
      end
      if (grant_o[vc_index] && (vc & vcs) == '0) is_requested = 1'b0;
      if ((request & (request - Sources'(1))) != '0) one_source = 1'b0;
      if ((vc & (vc - Vcs'(1))) != '0) one_vc = 1'b0;
      if ((granted[vc_index*RouterVcs+:RouterVcs] &
           (granted[vc_index*RouterVcs+:RouterVcs] - RouterVcs'(1))) != '0) begin
        one_holder = 1'b0;
      end
    end
  end

  `WEFT_ASSERT(PortExists, exists, "an input VC requests a port that does not exist")
  `WEFT_ASSERT(OneSource, one_source, "an input VC requests from more than one source")
  `WEFT_ASSERT(GrantIsRequested, is_requested, "an input VC gets an output VC that it did not request")
  `WEFT_ASSERT(OneVc, one_vc, "an input VC selects more than one output VC")
  `WEFT_ASSERT(OneHolder, one_holder, "an output VC goes to more than one input VC")
  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_o, vc_o, claimed_o}), "grants must not be X")

endmodule

`default_nettype wire
