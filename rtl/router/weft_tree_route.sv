// SPDX-License-Identifier: Apache-2.0
/// Tree route: computes routes through a nearest common ancestor in a fat tree, for one input port.
///
/// Purpose    Part of weft_route_computation.
/// Latency    None: combinational.
/// Handshake  None.
///
/// The ports to the children come first, followed by the ports to the parents. The nodes from number first_i on are
/// below the router, Span of them below each child. A packet to one of these nodes goes down. Any other packet goes up,
/// and a digit of its destination or of its path id selects the parent. The digit has the place value Divisor. Divisor
/// and Span depend on the level of the router.
`default_nettype none

module weft_tree_route #(
  /// Number of ports of the router: Children * ChildPorts + Parents.
  parameter int unsigned Ports = 5,
  /// Number of VCs of a class, and how many of them packets may use (the lowest ones).
  parameter int unsigned ClassVcs = 4,
  parameter int unsigned UsableVcs = 4,
  /// The input port at which the packet arrived.
  parameter int unsigned InPort = 0,
  /// Width of the path id in bits, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Number of nodes of the network, at least 1.
  parameter int unsigned Destinations = 16,
  /// Number of children, and number of nodes below each child.
  parameter int unsigned Children = 4,
  parameter int unsigned Span = 1,
  /// Number of channels to each child. A flit from port i leaves by channel i mod ChildPorts.
  parameter int unsigned ChildPorts = 1,
  /// Number of parents. 0: the router is a root.
  parameter int unsigned Parents = 1,
  /// Place value of the digit that selects the parent. It is a digit of the destination or, with AscentByPathId, of the
  /// path id.
  parameter int unsigned Divisor = 1,
  parameter int unsigned AscentByPathId = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1
) (
  /// The number of the first node below the router. Constant.
  input  wire logic [weft_pkg::NodeBits-1:0] first_i,
  input  wire logic [weft_pkg::NodeBits-1:0] destination_i,
  input  wire logic [PathIdBits-1:0]         path_id_i,

  output logic [PortBits-1:0] port_o,
  output logic [ClassVcs-1:0] vcs_o
);

  localparam int unsigned Bits = Destinations > 1 ? $clog2(Destinations) : 1;  // width of a node's number

  // Position of the destination relative to the first node below the router. If the destination is before this node,
  // the subtraction wraps to a value beyond all nodes below.
  logic [Bits-1:0] offset;
  assign offset = destination_i[Bits-1:0] - first_i[Bits-1:0];

  logic [PortBits-1:0] up_port;
  if (Parents > 1) begin : gen_parents
    logic [31:0] key;
    assign key     = AscentByPathId != 0 ? 32'(path_id_i) : 32'(destination_i[Bits-1:0]);
    assign up_port = PortBits'(Children * ChildPorts) + PortBits'((key / Divisor) % Parents);
  end else begin : gen_one_parent
    assign up_port = PortBits'(Children * ChildPorts);
  end

  // The first child whose nodes end behind the destination. If several assignments are executed, the last one takes
  // effect.
  always_comb begin
    port_o = up_port;
    for (int unsigned i = 0; i < Children; i++) begin
      if (32'(offset) < (Children - i) * Span) begin
        port_o = PortBits'((Children - 1 - i) * ChildPorts + InPort % ChildPorts);
      end
    end
  end
  assign vcs_o = ClassVcs'((1 << UsableVcs) - 1);

  logic unused;
  assign unused = &{first_i, destination_i, path_id_i};

endmodule

`default_nettype wire
