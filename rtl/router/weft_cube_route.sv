// SPDX-License-Identifier: Apache-2.0
/// Cube route: computes dimension-order routes in a hypercube, for one input port.
///
/// Purpose    Part of weft_route_computation.
/// Latency    None: combinational.
/// Handshake  None.
///
/// Port d leads to the router whose number differs in bit d. The local ports follow, node by node. Node n is at router
/// n / Nodes. The lowest bit in which two router numbers differ is corrected first.
`default_nettype none

module weft_cube_route #(
  /// Ports of the router: Dimensions + Nodes * LocalPorts.
  parameter int unsigned Ports = 5,
  /// Number of VCs of a class, and how many of them packets may use (the lowest ones).
  parameter int unsigned ClassVcs = 4,
  parameter int unsigned UsableVcs = 4,
  /// The input port at which the packet arrived.
  parameter int unsigned InPort = 0,
  /// Number of dimensions, at least 1; it is the number of bits of a router number.
  parameter int unsigned Dimensions = 4,
  /// Nodes of a router, and channels to each node. A flit from port i leaves by channel i mod LocalPorts.
  parameter int unsigned Nodes = 1,
  parameter int unsigned LocalPorts = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1
) (
  /// The number of this router. Constant.
  input  wire logic [Dimensions-1:0]         here_i,
  input  wire logic [weft_pkg::NodeBits-1:0] destination_i,

  output logic [PortBits-1:0] port_o,
  output logic [ClassVcs-1:0] vcs_o
);

  localparam int unsigned Bits = $clog2(Nodes << Dimensions);  // width of a node's number

  logic [Dimensions-1:0] differs;
  assign differs = Dimensions'(32'(destination_i[Bits-1:0]) / Nodes) ^ here_i;

  // If several assignments are executed, the last one takes effect.
  always_comb begin
    port_o = PortBits'(Dimensions + (32'(destination_i[Bits-1:0]) % Nodes) * LocalPorts + InPort % LocalPorts);
    for (int unsigned i = 0; i < Dimensions; i++) begin
      if (differs[Dimensions-1-i]) port_o = PortBits'(Dimensions - 1 - i);
    end
  end
  assign vcs_o = ClassVcs'((1 << UsableVcs) - 1);

  logic unused;
  assign unused = &destination_i;

endmodule

`default_nettype wire
