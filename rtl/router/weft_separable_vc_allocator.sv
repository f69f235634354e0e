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
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_separable_vc_allocator #(
  /// Ports of the router, 1 and more.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, 1 and more.
  parameter int unsigned Vcs = 4,
  // Derived, not to be set: input VCs, which are as many as output VCs.
  localparam int unsigned Lanes = Ports * Vcs,
  // Derived, not to be set: bits of the number of a port.
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// Input VCs that want an output VC…
  input  wire logic [Lanes-1:0] request_i,
  /// …of this port…
  input  wire logic [Lanes*PortBits-1:0] port_i,
  /// …and may have one of these VCs of it: admissible and free.
  input  wire logic [Lanes*Vcs-1:0] vcs_i,
  /// Input VCs that get an output VC…
  output logic [Lanes-1:0] grant_o,
  /// …this one, one-hot. Of the others, what they picked.
  output logic [Lanes*Vcs-1:0] vc_o
);

  // Of each input VC: the port it asks for, one-hot. All zero if it does not ask.
  logic [Lanes*Ports-1:0] wanted;
  // picked[out * Lanes + in]: input VC `in` has picked output VC `out`; granted: and got it.
  logic [Lanes*Lanes-1:0] picked, granted;

  // ------------------------------------------------------------------------------------------------------------------
  // Each input VC picks an output VC. All candidates are VCs of one port, so of the pointer over all output VCs only
  // the part that concerns that port is looked at.

  for (genvar in = 0; in < Lanes; in++) begin : gen_input
    logic [Lanes-1:0] from_q, from_d;
    logic [Vcs-1:0] candidates, from, pick, next;

    for (genvar port = 0; port < Ports; port++) begin : gen_wanted
      assign wanted[in*Ports+port] = request_i[in] && port_i[in*PortBits+:PortBits] == PortBits'(port);
    end

    assign candidates = request_i[in] ? vcs_i[in*Vcs+:Vcs] : '0;

    always_comb begin
      from = '0;
      for (int unsigned port = 0; port < Ports; port++) begin
        if (wanted[in*Ports+port]) from = from | from_q[port*Vcs+:Vcs];
      end
    end

    weft_round_robin_arbiter #(
      .Count(Vcs)
    ) u_pick (
      .request_i(candidates),
      .from_i(from),
      .grant_o(pick),
      .next_o(next)
    );

    // Past the winner. A pointer that points to another port is the same for this one as pointer 0, whichever side it
    // is on: so only the winner's port has a part that is not empty.
    for (genvar port = 0; port < Ports; port++) begin : gen_next
      assign from_d[port*Vcs+:Vcs] = wanted[in*Ports+port] ? next : '0;
    end

    logic grant;
    always_comb begin
      grant = 1'b0;
      for (int unsigned out = 0; out < Lanes; out++) grant = grant | granted[out*Lanes+in];
    end

    for (genvar port = 0; port < Ports; port++) begin : gen_picked
      for (genvar vc = 0; vc < Vcs; vc++) begin : gen_vc
        assign picked[(port*Vcs+vc)*Lanes+in] = wanted[in*Ports+port] && pick[vc];
      end
    end

    assign grant_o[in] = grant;
    assign vc_o[in*Vcs+:Vcs] = pick;

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_q <= '0;
      end else if (grant) begin
        from_q <= from_d;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------------
  // Each output VC picks one of the input VCs that picked it.

  for (genvar out = 0; out < Lanes; out++) begin : gen_output
    logic [Lanes-1:0] from_q, from_d;

    weft_round_robin_arbiter #(
      .Count(Lanes)
    ) u_grant (
      .request_i(picked[out*Lanes+:Lanes]),
      .from_i(from_q),
      .grant_o(granted[out*Lanes+:Lanes]),
      .next_o(from_d)
    );

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

  logic known, asked, one_vc, one_holder;
  always_comb begin
    known = 1'b1;
    asked = 1'b1;
    one_vc = 1'b1;
    one_holder = 1'b1;
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      if (request_i[lane] && 32'(port_i[lane*PortBits+:PortBits]) >= Ports) known = 1'b0;
      if (grant_o[lane] && (!request_i[lane] || (vc_o[lane*Vcs+:Vcs] & vcs_i[lane*Vcs+:Vcs]) == '0)) asked = 1'b0;
      if ((vc_o[lane*Vcs+:Vcs] & (vc_o[lane*Vcs+:Vcs] - Vcs'(1))) != '0) one_vc = 1'b0;
      if ((granted[lane*Lanes+:Lanes] & (granted[lane*Lanes+:Lanes] - Lanes'(1))) != '0) one_holder = 1'b0;
    end
  end

  `WEFT_ASSERT(PortExists, known, "an input VC asks for a port that there is not")
  `WEFT_ASSERT(GrantIsWanted, asked, "an input VC gets an output VC that it did not ask for")
  `WEFT_ASSERT(OneVc, one_vc, "an input VC picks more than one output VC")
  `WEFT_ASSERT(OneHolder, one_holder, "an output VC goes to more than one input VC")
  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_o, vc_o}), "every grant is known")

endmodule

`default_nettype wire
