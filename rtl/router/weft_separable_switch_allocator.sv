// SPDX-License-Identifier: Apache-2.0
/// Separable switch allocator: selects the input VCs that send a flit through the crossbar.
///
/// Purpose    Computes the function weft::allocate_switch() (systemc/weft/router/switch_allocation.h) for a separable,
///            input-first allocator, and has the pointers of its arbiters.
/// Latency    None: grants depend on the requests of the same cycle. The pointers move at the end of the cycle.
/// Handshake  Every grant is final.
///
/// The allocator is separable and input-first. Each input port selects an output port among those that its VCs request,
/// and then a VC among those that request this port. Each output port grants one of the input ports that selected it.
/// All selections are in round-robin order. A pointer moves past the winner only if a flit crosses the switch.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_separable_switch_allocator #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// For each VC, the requested output port (one-hot), if the VC has a flit, an output VC and a credit; otherwise 0.
  input  wire logic [Ports*Vcs*Ports-1:0] request_i,
  /// The input ports that send a flit.
  output logic [Ports-1:0] grant_o,
  /// For each input port, the VC that sends (one-hot); for input ports that do not send, the VC that they selected.
  output logic [Ports*Vcs-1:0] vc_o,
  /// For each input port, the output port to which it sends (one-hot); 0 if it does not send.
  output logic [Ports*Ports-1:0] output_o
);

  // picked[out * Ports + in]: input port `in` selected output port `out`. granted: the same, and this selection is
  // granted.
  logic [Ports*Ports-1:0] picked, granted;

  // ------------------------------------------------------------------------------------------------------------------
  // Each input port selects an output port and a VC.

  for (genvar in = 0; in < Ports; in++) begin : gen_input
    logic [Ports-1:0] from_output_q, from_output_d, requested_ports, output_pick;
    logic [Vcs-1:0] from_vc_q, from_vc_d, vc_pick;

    always_comb begin
      requested_ports = '0;
      for (int unsigned vc = 0; vc < Vcs; vc++) requested_ports = requested_ports | request_i[(in*Vcs+vc)*Ports+:Ports];
    end

    weft_round_robin_arbiter #(
      .Count(Ports)
    ) u_output (
      .request_i(requested_ports),
      .from_i(from_output_q),
      .grant_o(output_pick),
      .next_o(from_output_d)
    );

    // The VC for each output port, computed before the selected output port is known.
    logic [Ports*Vcs-1:0] vc_for, from_vc_for;
    for (genvar out = 0; out < Ports; out++) begin : gen_vc
      logic [Vcs-1:0] candidates;
      for (genvar vc = 0; vc < Vcs; vc++) begin : gen_candidates
        assign candidates[vc] = request_i[(in*Vcs+vc)*Ports+out];
      end
      weft_round_robin_arbiter #(
        .Count(Vcs)
      ) u_vc (
        .request_i(candidates),
        .from_i(from_vc_q),
        .grant_o(vc_for[out*Vcs+:Vcs]),
        .next_o(from_vc_for[out*Vcs+:Vcs])
      );
    end

    always_comb begin
      vc_pick = '0;
      from_vc_d = '0;
      for (int unsigned out = 0; out < Ports; out++) begin
        if (output_pick[out]) begin
          vc_pick = vc_pick | vc_for[out*Vcs+:Vcs];
          from_vc_d = from_vc_d | from_vc_for[out*Vcs+:Vcs];
        end
      end
    end

    for (genvar out = 0; out < Ports; out++) begin : gen_picked
      assign picked[out*Ports+in] = output_pick[out];
      assign output_o[in*Ports+out] = granted[out*Ports+in];
    end

    assign grant_o[in] = |output_o[in*Ports+:Ports];
    assign vc_o[in*Vcs+:Vcs] = vc_pick;

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_output_q <= '0;
        from_vc_q <= '0;
      end else if (grant_o[in]) begin
        from_output_q <= from_output_d;
        from_vc_q <= from_vc_d;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------------
  // Each output port grants one of the input ports that selected it.

  for (genvar out = 0; out < Ports; out++) begin : gen_output
    logic [Ports-1:0] from_q, from_d;

    weft_round_robin_arbiter #(
      .Count(Ports)
    ) u_grant (
      .request_i(picked[out*Ports+:Ports]),
      .from_i(from_q),
      .grant_o(granted[out*Ports+:Ports]),
      .next_o(from_d)
    );

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_q <= '0;
      end else if (|picked[out*Ports+:Ports]) begin
        from_q <= from_d;
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------------

  // The invariants are checked for all ports at once. A set x is one-hot or empty if x & (x - 1) is 0.

  logic one_port, is_requested, one_vc, one_output, one_input, loses;
  always_comb begin
    one_port = 1'b1;
    for (int unsigned vc_index = 0; vc_index < Ports * Vcs; vc_index++) begin
      if ((request_i[vc_index*Ports+:Ports] & (request_i[vc_index*Ports+:Ports] - Ports'(1))) != '0) one_port = 1'b0;
    end
    is_requested = 1'b1;
    one_vc = 1'b1;
    one_output = 1'b1;
    one_input = 1'b1;
    loses = 1'b0;
    for (int unsigned port = 0; port < Ports; port++) begin
      if (vc_o[port*Vcs+:Vcs] != '0 && !grant_o[port]) loses = 1'b1;
      for (int unsigned vc = 0; vc < Vcs; vc++) begin
        if (vc_o[port*Vcs+vc] && (output_o[port*Ports+:Ports] & ~request_i[(port*Vcs+vc)*Ports+:Ports]) != '0) begin
          is_requested = 1'b0;
        end
      end
      if ((vc_o[port*Vcs+:Vcs] & (vc_o[port*Vcs+:Vcs] - Vcs'(1))) != '0) one_vc = 1'b0;
      if ((output_o[port*Ports+:Ports] & (output_o[port*Ports+:Ports] - Ports'(1))) != '0) one_output = 1'b0;
      if ((granted[port*Ports+:Ports] & (granted[port*Ports+:Ports] - Ports'(1))) != '0) one_input = 1'b0;
    end
  end

  `WEFT_ASSERT(RequestsOnePort, one_port, "a VC requests two output ports")
  `WEFT_ASSERT(GrantIsRequested, is_requested, "an input port sends to an output port that its VC does not request")
  `WEFT_ASSERT(OneVc, one_vc, "an input port selects more than one VC")
  `WEFT_ASSERT(OneOutput, one_output, "an input port sends to more than one output port")
  `WEFT_ASSERT(OneInput, one_input, "an output port accepts more than one input port")
  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_o, vc_o, output_o}), "grants must not be X")
  `include "cover/weft_separable_switch_allocator.svh"

endmodule

`default_nettype wire
