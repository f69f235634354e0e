// SPDX-License-Identifier: Apache-2.0
/// VC allocator of any kind: assigns output VCs to waiting input VCs.
///
/// Purpose    Makes the request matrix of weft_matching_allocator, whose inputs are the input VCs and whose outputs are
///            the output VCs. The ports are those of weft_separable_vc_allocator, which is used for the default kind.
/// Latency    None: grants depend on the requests of the same cycle. The state changes at the end of the cycle.
/// Handshake  Every grant is final.
///
/// A VC index is port * Vcs + VC. An input VC may have several request sources, of which at most one is valid.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_matching_vc_allocator #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Number of request sources of an input VC, at least 1.
  parameter int unsigned Sources = 1,
  /// How inputs are matched with outputs: one of weft_pkg::Allocator….
  parameter int unsigned Kind = weft_pkg::AllocatorInputFirst,
  /// The arbiters of AllocatorInputFirst and AllocatorOutputFirst: one of weft_pkg::Arbiter….
  parameter int unsigned Arbiter = weft_pkg::ArbiterRoundRobin,
  /// Number of iterations of AllocatorIslip, at least 1.
  parameter int unsigned Iterations = 1,
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
  /// For each input VC, the output VC in its port (one-hot); 0 for input VCs that get none.
  output logic [RouterVcs*Vcs-1:0] vc_o,
  /// The output VCs that an input VC gets.
  output logic [RouterVcs-1:0] claimed_o
);

  // By input VC: the output VCs that it requests, and the one that it gets.
  logic [RouterVcs*RouterVcs-1:0] requests, grants;

  for (genvar in = 0; in < RouterVcs; in++) begin : gen_input
    logic [Ports*Vcs-1:0] row;
    always_comb begin
      row = '0;
      for (int unsigned source = in * Sources; source < (in + 1) * Sources; source++) begin
        for (int unsigned port = 0; port < Ports; port++) begin
          if (request_i[source] && port_i[source*PortBits+:PortBits] == PortBits'(port)) begin
            row[port*Vcs+:Vcs] = row[port*Vcs+:Vcs] | vcs_i[source*Vcs+:Vcs];
          end
        end
      end
    end
    assign requests[in*RouterVcs+:RouterVcs] = row;

    logic [Vcs-1:0] vc;
    always_comb begin
      vc = '0;
      for (int unsigned port = 0; port < Ports; port++) vc = vc | grants[in*RouterVcs+port*Vcs+:Vcs];
    end
    assign vc_o[in*Vcs+:Vcs] = vc;
    assign grant_o[in] = |vc;
  end

  always_comb begin
    claimed_o = '0;
    for (int unsigned in = 0; in < RouterVcs; in++) claimed_o = claimed_o | grants[in*RouterVcs+:RouterVcs];
  end

  weft_matching_allocator #(
    .Inputs    (RouterVcs),
    .Outputs   (RouterVcs),
    .Kind      (Kind),
    .Arbiter   (Arbiter),
    .Iterations(Iterations)
  ) u_allocator (
    .clk_i,
    .rst_ni,
    .request_i(requests),
    .grant_o  (grants)
  );

  logic exists, one_source;
  logic [Sources-1:0] sources;
  always_comb begin
    exists = 1'b1;
    one_source = 1'b1;
    sources = '0;
    for (int unsigned in = 0; in < RouterVcs; in++) begin
      sources = request_i[in*Sources+:Sources];
      if ((sources & (sources - Sources'(1))) != '0) one_source = 1'b0;
      for (int unsigned source = in * Sources; source < (in + 1) * Sources; source++) begin
        if (request_i[source] && 32'(port_i[source*PortBits+:PortBits]) >= Ports) exists = 1'b0;
      end
    end
  end

  `WEFT_ASSERT(PortExists, exists, "an input VC requests a port that does not exist")
  `WEFT_ASSERT(OneSource, one_source, "an input VC requests from more than one source")
  `WEFT_ASSERT_KNOWN(KnownOut, ({grant_o, vc_o, claimed_o}), "grants must not be X")

endmodule

`default_nettype wire
