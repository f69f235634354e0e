// SPDX-License-Identifier: Apache-2.0
/// Grid route: computes dimension-order routes in a mesh, a torus or a ring, for one input port.
///
/// Purpose    Part of weft_route_computation.
/// Latency    None: combinational.
/// Handshake  None.
///
/// The ports are +x, -x, +y, -y and so on; then the local ports follow, node by node. Node n is at router n / Nodes,
/// and routers are numbered along the first dimension first.
///
/// Datelines prevent deadlocks in rings. A bidirectional ring has two: one between its last and its first router, and
/// one in the middle. A packet that crosses the first dateline uses the first half of the VCs on its whole path in the
/// ring; a packet that crosses the middle uses the second half. A packet that crosses neither uses one of the halves,
/// depending on its destination. In a unidirectional ring, only the first dateline matters: a packet uses the first
/// half before it and the second half after it.
`default_nettype none

module weft_grid_route #(
  /// Ports of the router.
  parameter int unsigned Ports = 5,
  /// Number of VCs of a class, and how many of them packets may use (the lowest ones).
  parameter int unsigned ClassVcs = 4,
  parameter int unsigned UsableVcs = 4,
  /// The input port at which the packet arrived.
  parameter int unsigned InPort = 0,
  /// Number of dimensions, 1 to weft_pkg::MaxDimensions, and number of routers along each, the first dimension lowest.
  parameter int unsigned Dimensions = 2,
  parameter logic [weft_pkg::MaxDimensions*weft_pkg::CoordinateBits-1:0] Sizes = 64'h0001_0001_0004_0004,
  /// The dimensions in the order of correction, two bits each, the one that is corrected first lowest.
  parameter logic [2*weft_pkg::MaxDimensions-1:0] Order = 8'b11_10_01_00,
  /// 1: the last router of every row is connected to the first one (Rings); rings have only + channels (OneWay).
  parameter int unsigned Rings = 0,
  parameter int unsigned OneWay = 0,
  /// Nodes of a router, and channels to each node. A flit from port i leaves by channel i mod LocalPorts.
  parameter int unsigned Nodes = 1,
  parameter int unsigned LocalPorts = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = ClassVcs > 1 ? $clog2(ClassVcs) : 1,
  localparam int unsigned HereBits = weft_pkg::MaxDimensions * weft_pkg::CoordinateBits
) (
  /// Coordinates of this router, the first dimension lowest. Constant.
  input  wire logic [HereBits-1:0]           here_i,
  input  wire logic [weft_pkg::NodeBits-1:0] destination_i,
  /// The VC in which the packet arrived, counted from the first VC of its class.
  input  wire logic [VcBits-1:0]             vc_i,

  output logic [PortBits-1:0] port_o,
  output logic [ClassVcs-1:0] vcs_o
);

  localparam int unsigned NodeBits = weft_pkg::NodeBits;
  localparam int unsigned CoordinateBits = weft_pkg::CoordinateBits;
  localparam logic [ClassVcs-1:0] AllVcs = ClassVcs'((1 << UsableVcs) - 1);
  localparam logic [ClassVcs-1:0] FirstVcs = ClassVcs'((1 << (UsableVcs / 2)) - 1);
  localparam logic [ClassVcs-1:0] SecondVcs = AllVcs & ~FirstVcs;

  // Number of routers along dimension d; number of routers in a row, plane, … of the dimensions below d.
  function automatic int unsigned size_of(input int unsigned d);
    size_of = 32'(Sizes[d*CoordinateBits+:CoordinateBits]);
  endfunction
  function automatic int unsigned stride_of(input int unsigned d);
    stride_of = 1;
    for (int unsigned below = 0; below < d; below++) stride_of = stride_of * size_of(below);
  endfunction

  logic [VcBits-1:0] vc;
  assign vc = vc_i;

  // For each dimension: whether it must still be corrected, through which port, and on which VCs.
  logic [Dimensions-1:0]          off;
  logic [Dimensions*PortBits-1:0] next_port;
  logic [Dimensions*ClassVcs-1:0] next_vcs;

  for (genvar d = 0; d < Dimensions; d++) begin : gen_dimension
    localparam int unsigned Size = size_of(d);
    localparam int unsigned Stride = stride_of(d);
    localparam int unsigned Bits = Size > 1 ? $clog2(Size) : 1;  // width of a coordinate

    logic [Bits-1:0] here, there;
    assign there  = Bits'((destination_i / NodeBits'(Nodes * Stride)) % NodeBits'(Size));
    assign here   = here_i[d*CoordinateBits+:Bits];
    assign off[d] = there != here;

    logic minus;
    if (Rings == 0) begin : gen_line
      assign minus = there < here;
      assign next_vcs[d*ClassVcs+:ClassVcs] = AllVcs;
    end else if (OneWay != 0) begin : gen_one_way
      assign minus = 1'b0;
      assign next_vcs[d*ClassVcs+:ClassVcs] = (there < here) ? FirstVcs : SecondVcs;
    end else begin : gen_two_way
      // Number of hops in the positive direction. If it is half the ring, both directions are equally short; the parity
      // of the position then selects one.
      logic [Bits:0] up;
      assign up = (there >= here) ? {1'b0, there} - {1'b0, here} : {1'b0, there} + (Bits + 1)'(Size) - {1'b0, here};
      assign minus = ({up, 1'b0} == (Bits + 2)'(Size)) ? here[0] : {up, 1'b0} > (Bits + 2)'(Size);

      logic crosses, passes_middle, goes_straight, came_first, came_second, odd_router, in_first;
      assign crosses       = minus ? there > here : there < here;
      assign passes_middle = ({1'b0, here} < (Bits + 1)'(Size / 2)) != ({1'b0, there} < (Bits + 1)'(Size / 2));
      assign odd_router    = |((destination_i / NodeBits'(Nodes)) & NodeBits'(1));
      // A packet goes straight if it leaves through the port opposite to the one through which it arrived.
      assign goes_straight = InPort / 2 == d && InPort < 2 * Dimensions && minus == (InPort % 2 == 0);
      assign came_first    = goes_straight && |(FirstVcs & (ClassVcs'(1) << vc));
      assign came_second   = goes_straight && |(SecondVcs & (ClassVcs'(1) << vc));
      always_comb begin
        if (came_first || came_second) begin
          in_first = came_first;
        end else begin
          in_first = crosses || !(passes_middle || odd_router);
        end
      end
      assign next_vcs[d*ClassVcs+:ClassVcs] = in_first ? FirstVcs : SecondVcs;
    end
    assign next_port[d*PortBits+:PortBits] = PortBits'(2 * d) + PortBits'(minus);
  end

  logic [PortBits-1:0] local_port;
  assign local_port = PortBits'(2 * Dimensions + InPort % LocalPorts) +
                      PortBits'((destination_i % NodeBits'(Nodes)) * NodeBits'(LocalPorts));

  // The first dimension, in the order of correction, that is not correct yet. The last assignment takes effect.
  always_comb begin
    port_o = local_port;
    vcs_o = AllVcs;
    for (int unsigned i = 0; i < Dimensions; i++) begin
      for (int unsigned d = 0; d < Dimensions; d++) begin
        if (32'(Order[2*(Dimensions-1-i)+:2]) == d && off[d]) begin
          port_o = next_port[d*PortBits+:PortBits];
          vcs_o = next_vcs[d*ClassVcs+:ClassVcs];
        end
      end
    end
  end

  logic unused;
  assign unused = &{here_i, vc};

endmodule

`default_nettype wire
