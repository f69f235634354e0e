// SPDX-License-Identifier: Apache-2.0
/// Separable switch allocator: which input VCs send a flit through the crossbar.
///
/// Purpose    The decisions of weft::allocate_switch() (systemc/weft/core/allocation.h), with the pointers of its
///            arbiters.
/// Latency    None: grants follow from the requests of the same cycle; the pointers move at its end.
/// Handshake  Every grant is final.
///
/// Separable and input first. Each input port picks an output port among those its VCs ask for, then a VC among those
/// that ask for it; each output port picks one of the input ports that picked it; all round robin. A pointer moves past
/// the winner, and only when the flit crosses.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_separable_switch_allocator #(
  /// Ports of the router, 1 and more.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, 1 and more.
  parameter int unsigned Vcs = 4
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// The output port that each VC asks for, one-hot: those of VCs with a flit, an output VC and a credit.
  input  wire logic [Ports*Vcs*Ports-1:0] asks_i,
  /// Input ports that send a flit…
  output logic [Ports-1:0] grant_o,
  /// …of this VC, one-hot; of the others, the VC that they picked…
  output logic [Ports*Vcs-1:0] vc_o,
  /// …to this output port, one-hot; of the others 0.
  output logic [Ports*Ports-1:0] output_o
);

  // picked[out * Ports + in]: input port `in` has picked output port `out`; granted: and got it.
  logic [Ports*Ports-1:0] picked, granted;

  // ------------------------------------------------------------------------------------------------------------------
  // Each input port picks an output port and a VC.

  for (genvar in = 0; in < Ports; in++) begin : gen_input
    logic [Ports-1:0] from_output_q, from_output_d, wanted, output_pick;
    logic [Vcs-1:0] from_vc_q, from_vc_d, vc_pick;

    always_comb begin
      wanted = '0;
      for (int unsigned vc = 0; vc < Vcs; vc++) wanted = wanted | asks_i[(in*Vcs+vc)*Ports+:Ports];
    end

    weft_round_robin_arbiter #(
      .Count(Ports)
    ) u_output (
      .request_i(wanted),
      .from_i(from_output_q),
      .grant_o(output_pick),
      .next_o(from_output_d)
    );

    // The VC for each output port, before it is known which one is picked.
    logic [Ports*Vcs-1:0] vc_for, from_vc_for;
    for (genvar out = 0; out < Ports; out++) begin : gen_vc
      logic [Vcs-1:0] candidates;
      for (genvar vc = 0; vc < Vcs; vc++) begin : gen_candidates
        assign candidates[vc] = asks_i[(in*Vcs+vc)*Ports+out];
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
  // Each output port picks one of the input ports that picked it.

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

  // What must hold, of all ports at once. Of one-hot sets: x & (x - 1) is 0.

  logic one_port, is_asked, one_vc, one_output, one_input, loses;
  always_comb begin
    one_port = 1'b1;
    for (int unsigned lane = 0; lane < Ports * Vcs; lane++) begin
      if ((asks_i[lane*Ports+:Ports] & (asks_i[lane*Ports+:Ports] - Ports'(1))) != '0) one_port = 1'b0;
    end
    is_asked = 1'b1;
    one_vc = 1'b1;
    one_output = 1'b1;
    one_input = 1'b1;
    loses = 1'b0;
    for (int unsigned port = 0; port < Ports; port++) begin
      if (vc_o[port*Vcs+:Vcs] != '0 && !grant_o[port]) loses = 1'b1;
      for (int unsigned vc = 0; vc < Vcs; vc++) begin
        if (vc_o[port*Vcs+vc] && (output_o[port*Ports+:Ports] & ~asks_i[(port*Vcs+vc)*Ports+:Ports]) != '0) begin
          is_asked = 1'b0;
        end
      end
      if ((vc_o[port*Vcs+:Vcs] & (vc_o[port*Vcs+:Vcs] - Vcs'(1))) != '0) one_vc = 1'b0;
      if ((output_o[port*Ports+:Ports] & (output_o[port*Ports+:Ports] - Ports'(1))) != '0) one_output = 1'b0;
      if ((granted[port*Ports+:Ports] & (granted[port*Ports+:Ports] - Ports'(1))) != '0) one_input = 1'b0;
    end
  end

  `WEFT_ASSERT(AsksOnePort, one_port, "a VC asks for two output ports")
  `WEFT_ASSERT(GrantIsAsked, is_asked, "an input port sends to an output port that its VC does not ask for")
  `WEFT_ASSERT(OneVc, one_vc, "an input port picks more than one VC")
  `WEFT_ASSERT(OneOutput, one_output, "an input port sends to more than one output port")
  `WEFT_ASSERT(OneInput, one_input, "an output port takes from more than one input port")
  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_o, vc_o, output_o}), "every grant is known")
  `include "cover/weft_separable_switch_allocator.svh"

endmodule

`default_nettype wire
