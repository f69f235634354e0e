// SPDX-License-Identifier: Apache-2.0
/// Allocator of any kind: matches inputs with outputs.
///
/// Purpose    Computes the functions weft::allocate() and weft::advance() (systemc/weft/router/allocator.h) for any
///            requests, and has the state of the allocator.
/// Latency    None: grants depend on the requests of the same cycle. The state changes at the end of the cycle.
/// Handshake  Every grant is final. The state changes only in cycles with grants.
///
/// weft_matching_vc_allocator and weft_matching_switch_allocator use it in a router.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_matching_allocator #(
  /// Number of inputs, at least 1.
  parameter int unsigned Inputs = 5,
  /// Number of outputs, at least 1.
  parameter int unsigned Outputs = 5,
  /// How inputs are matched with outputs: one of weft_pkg::Allocator….
  parameter int unsigned Kind = weft_pkg::AllocatorInputFirst,
  /// The arbiters of AllocatorInputFirst and AllocatorOutputFirst: one of weft_pkg::Arbiter….
  parameter int unsigned Arbiter = weft_pkg::ArbiterRoundRobin,
  /// Number of iterations of AllocatorIslip, at least 1.
  parameter int unsigned Iterations = 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// The outputs that each input requests. The bit of input i and output o is i * Outputs + o.
  input  wire logic [Inputs*Outputs-1:0] request_i,
  /// The output that each input gets, in the same form. An output goes to at most one input.
  output logic [Inputs*Outputs-1:0] grant_o
);

  if (Kind == weft_pkg::AllocatorInputFirst) begin : gen_input_first
    weft_input_first_allocator #(
      .Inputs (Inputs),
      .Outputs(Outputs),
      .Arbiter(Arbiter)
    ) u_allocator (
      .clk_i,
      .rst_ni,
      .request_i,
      .grant_o
    );
  end else if (Kind == weft_pkg::AllocatorOutputFirst) begin : gen_output_first
    weft_output_first_allocator #(
      .Inputs (Inputs),
      .Outputs(Outputs),
      .Arbiter(Arbiter)
    ) u_allocator (
      .clk_i,
      .rst_ni,
      .request_i,
      .grant_o
    );
  end else if (Kind == weft_pkg::AllocatorIslip) begin : gen_islip
    weft_islip_allocator #(
      .Inputs    (Inputs),
      .Outputs   (Outputs),
      .Iterations(Iterations)
    ) u_allocator (
      .clk_i,
      .rst_ni,
      .request_i,
      .grant_o
    );
  end else begin : gen_wavefront
    weft_wavefront_allocator #(
      .Inputs (Inputs),
      .Outputs(Outputs),
      .Fair   (32'(Kind == weft_pkg::AllocatorWavefrontFair))
    ) u_allocator (
      .clk_i,
      .rst_ni,
      .request_i,
      .grant_o
    );
  end

  // The invariants are checked for all inputs at once. A set x is one-hot or empty if x & (x - 1) is 0.
  logic               one_output, one_input;
  logic [Outputs-1:0] own, taken;
  always_comb begin
    one_output = 1'b1;
    one_input = 1'b1;
    own = '0;
    taken = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      own = grant_o[in*Outputs+:Outputs];
      if ((own & (own - Outputs'(1))) != '0) one_output = 1'b0;
      if ((own & taken) != '0) one_input = 1'b0;
      taken = taken | own;
    end
  end

  `WEFT_ASSERT(GrantIsRequested, (grant_o & ~request_i) == '0, "an input gets an output that it did not request")
  `WEFT_ASSERT(OneOutput, one_output, "an input gets more than one output")
  `WEFT_ASSERT(OneInput, one_input, "an output goes to more than one input")
  `WEFT_ASSERT(SomethingIsGranted, (request_i == '0) == (grant_o == '0), "there are requests, but no grants")
  `WEFT_ASSERT_KNOWN(KnownOut, grant_o, "grants must not be X")
  `WEFT_PARAMETER(KindSupported, Kind <= weft_pkg::AllocatorWavefrontFair, "Kind must be 0 to 4, see weft_pkg")

endmodule

`default_nettype wire
