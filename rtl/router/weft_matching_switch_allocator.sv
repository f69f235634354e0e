// SPDX-License-Identifier: Apache-2.0
/// Switch allocator of any kind: selects the input VCs that send a flit through the crossbar.
///
/// Purpose    Computes the functions weft::allocate_switch() and weft::advance_switch()
///            (systemc/weft/router/switch_allocation.h), and has their state. The ports are those of
///            weft_separable_switch_allocator, which is used for the default kind.
/// Latency    None: grants depend on the requests of the same cycle. The state changes at the end of the cycle.
/// Handshake  Every grant is final.
///
/// For each output port that VCs of an input port request, a round-robin pointer of the input port selects one of these
/// VCs. weft_matching_allocator matches input ports with output ports. The pointer moves past the VC that sends.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_matching_switch_allocator #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// How inputs are matched with outputs: one of weft_pkg::Allocator….
  parameter int unsigned Kind = weft_pkg::AllocatorInputFirst,
  /// The arbiters of AllocatorInputFirst and AllocatorOutputFirst: one of weft_pkg::Arbiter….
  parameter int unsigned Arbiter = weft_pkg::ArbiterRoundRobin,
  /// Number of iterations of AllocatorIslip, at least 1.
  parameter int unsigned Iterations = 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// For each VC, the requested output port (one-hot), if the VC has a flit, an output VC and a credit; otherwise 0.
  input  wire logic [Ports*Vcs*Ports-1:0] request_i,
  /// The input ports that send a flit.
  output logic [Ports-1:0] grant_o,
  /// For each input port, the VC that sends (one-hot); 0 if it does not send.
  output logic [Ports*Vcs-1:0] vc_o,
  /// For each input port, the output port to which it sends (one-hot); 0 if it does not send.
  output logic [Ports*Ports-1:0] output_o
);

  logic [Ports*Ports-1:0] requested_ports;

  weft_matching_allocator #(
    .Inputs    (Ports),
    .Outputs   (Ports),
    .Kind      (Kind),
    .Arbiter   (Arbiter),
    .Iterations(Iterations)
  ) u_allocator (
    .clk_i,
    .rst_ni,
    .request_i(requested_ports),
    .grant_o  (output_o)
  );

  for (genvar in = 0; in < Ports; in++) begin : gen_input
    logic [Vcs-1:0] from_vc_q, from_vc_d, vc_pick;

    // The VC for each output port, computed before the output port is known.
    logic [Ports*Vcs-1:0] vc_for, from_vc_for;
    for (genvar out = 0; out < Ports; out++) begin : gen_vc
      logic [Vcs-1:0] candidates;
      for (genvar vc = 0; vc < Vcs; vc++) begin : gen_candidates
        assign candidates[vc] = request_i[(in*Vcs+vc)*Ports+out];
      end
      assign requested_ports[in*Ports+out] = |candidates;
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
        if (output_o[in*Ports+out]) begin
          vc_pick = vc_pick | vc_for[out*Vcs+:Vcs];
          from_vc_d = from_vc_d | from_vc_for[out*Vcs+:Vcs];
        end
      end
    end

    assign grant_o[in] = |output_o[in*Ports+:Ports];
    assign vc_o[in*Vcs+:Vcs] = vc_pick;

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_vc_q <= '0;
      end else if (grant_o[in]) begin
        from_vc_q <= from_vc_d;
      end
    end
  end

  logic one_port;
  always_comb begin
    one_port = 1'b1;
    for (int unsigned vc_index = 0; vc_index < Ports * Vcs; vc_index++) begin
      if ((request_i[vc_index*Ports+:Ports] & (request_i[vc_index*Ports+:Ports] - Ports'(1))) != '0) one_port = 1'b0;
    end
  end

  `WEFT_ASSERT(RequestsOnePort, one_port, "a VC requests two output ports")
  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_o, vc_o, output_o}), "grants must not be X")

endmodule

`default_nettype wire
