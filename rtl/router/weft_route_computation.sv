// SPDX-License-Identifier: Apache-2.0
/// Route computation: computes the route of every head that the input unit announces.
///
/// Latency    A head announced on head_i in cycle t has its route on route_o in t+1 (stage RC).
/// Handshake  None: every announcement is answered, for all ports at once.
///
/// Values that are the same in all routers of a network are parameters. Values that differ between routers are inputs
/// on rule_i, so that all routers are instances of one module. rule_i contains:
///   RuleGrid    the coordinates of the router, weft_pkg::CoordinateBits each, the first dimension lowest
///   RuleTree    the number of the first node below the router; values that differ between levels are parameters
///   RuleCube    the number of the router
///   RuleTable   a table that has, for each row and destination, the admissible VCs (lowest bits) and the output port.
///               There is one row or, with RowsByInput, one row for each VC of each input port. With Ways above 1, each
///               of these rows exists once for each path id, path id 0 lowest
///   RuleSource  nothing: the path id is a path, from which each router removes its step
/// If there are classes, a packet uses only the VCs of its class. All classes have equally many VCs, and a rule deals
/// with the VCs of one class only.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_route_computation #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1; number of classes, which divides it.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  /// Number of VCs of a class that packets may use (the lowest ones). (A table contains its own VCs instead.)
  parameter int unsigned UsableVcs = Vcs / Classes,
  /// Width of the path id in bits, at least 1; at least 8 with RuleSource.
  parameter int unsigned PathIdBits = 1,
  /// Width of a packet's length, weft_pkg::length_bits(); 1 without cut-through, which does not use it.
  parameter int unsigned LengthBits = 1,
  /// The routing function: weft_pkg::RuleGrid, RuleTable, RuleSource, RuleTree or RuleCube.
  parameter int unsigned Rule = weft_pkg::RuleGrid,
  /// RuleGrid: see weft_grid_route. RuleCube: see Dimensions, Nodes and LocalPorts of weft_cube_route.
  parameter int unsigned Dimensions = 2,
  parameter logic [weft_pkg::MaxDimensions*weft_pkg::CoordinateBits-1:0] Sizes = 64'h0001_0001_0004_0004,
  parameter logic [2*weft_pkg::MaxDimensions-1:0] Order = 8'b11_10_01_00,
  parameter int unsigned Rings = 0,
  parameter int unsigned OneWay = 0,
  parameter int unsigned Nodes = 1,
  parameter int unsigned LocalPorts = 1,
  /// RuleTable, RuleTree: number of destinations, at least 1.
  parameter int unsigned Destinations = 16,
  /// RuleTable: whether the row depends on input port and VC; number of path ids on which it depends (1: none).
  parameter int unsigned RowsByInput = 0,
  parameter int unsigned Ways = 1,
  /// RuleTree: see weft_tree_route.
  parameter int unsigned Children = 4,
  parameter int unsigned Span = 1,
  parameter int unsigned ChildPorts = 1,
  parameter int unsigned Parents = 1,
  parameter int unsigned Divisor = 1,
  parameter int unsigned AscentByPathId = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned ClassVcs = Vcs / Classes,
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned HeadBits = weft_pkg::head_bits(VcBits, PathIdBits, LengthBits),
  localparam int unsigned RouteBits = weft_pkg::route_bits(VcBits, PortBits, Vcs, LengthBits),
  localparam int unsigned EntryBits = PortBits + ClassVcs,
  localparam int unsigned Rows = (RowsByInput != 0 ? Ports * Vcs : 1) * Ways,
  localparam int unsigned RuleBits = weft_pkg::rule_bits(Rule, Dimensions, Rows * Destinations * EntryBits)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Constants of this router.
  input  wire logic [RuleBits-1:0] rule_i,

  input  wire logic [Ports*weft_pkg::HeadSlots*HeadBits-1:0] head_i,
  output logic      [Ports*weft_pkg::HeadSlots*RouteBits-1:0] route_o
);

  localparam int unsigned NodeBits = weft_pkg::NodeBits;
  localparam int unsigned HeadSlots = weft_pkg::HeadSlots;
  localparam int unsigned ClassVcBits = ClassVcs > 1 ? $clog2(ClassVcs) : 1;

  logic [Ports*HeadSlots-1:0] valid_q, exists;

  for (genvar slot = 0; slot < Ports * HeadSlots; slot++) begin : gen_slot
    localparam int unsigned InPort = slot / HeadSlots;

    logic                  valid;
    logic [VcBits-1:0]     vc, vc_q;
    logic [NodeBits-1:0]   destination;
    logic [LengthBits-1:0] length, length_q;
    logic [PathIdBits-1:0] path_id;
    assign {valid, vc, destination, length, path_id} = head_i[slot*HeadBits+:HeadBits];

    // The class of the packet, which follows from its VC: the first VC of the class, and the VC counted from there.
    logic [VcBits-1:0]      first;
    logic [ClassVcBits-1:0] class_vc;
    if (Classes == 1) begin : gen_one_class
      assign first    = '0;
      assign class_vc = vc;
    end else begin : gen_classes
      always_comb begin
        first = '0;
        for (int unsigned c = 1; c < Classes; c++) begin
          if (vc >= VcBits'(c * ClassVcs)) first = VcBits'(c * ClassVcs);
        end
      end
      assign class_vc = ClassVcBits'(vc - first);
    end

    logic [PortBits-1:0] port, port_q;
    logic [ClassVcs-1:0] class_vcs;
    logic [Vcs-1:0]      vcs_q;

    if (Rule == weft_pkg::RuleGrid) begin : gen_grid
      weft_grid_route #(
        .Ports     (Ports),
        .ClassVcs  (ClassVcs),
        .UsableVcs (UsableVcs),
        .InPort    (InPort),
        .Dimensions(Dimensions),
        .Sizes     (Sizes),
        .Order     (Order),
        .Rings     (Rings),
        .OneWay    (OneWay),
        .Nodes     (Nodes),
        .LocalPorts(LocalPorts)
      ) u_grid (
        .here_i       (rule_i),
        .destination_i(destination),
        .vc_i         (class_vc),
        .port_o       (port),
        .vcs_o        (class_vcs)
      );
      logic unused_path_id;
      assign unused_path_id = &path_id;
      assign exists[slot]   = 32'(port) < Ports;
    end else if (Rule == weft_pkg::RuleTable) begin : gen_table
      localparam int unsigned IndexBits = Rows * Destinations > 1 ? $clog2(Rows * Destinations) : 1;
      logic [IndexBits-1:0] index;
      logic [31:0]          row;
      always_comb begin
        row = RowsByInput != 0 ? InPort * Vcs + 32'(vc) : '0;
        if (Ways > 1) row = row * Ways + 32'(path_id);
      end
      assign index = IndexBits'(row * Destinations + 32'(destination));
      assign {port, class_vcs} = rule_i[32'(index)*EntryBits+:EntryBits];
      logic unused;
      assign unused = &{path_id, class_vc, destination};
      assign exists[slot] = 32'(destination) < Destinations && (Ways == 1 || 32'(path_id) < Ways) && 32'(port) < Ports;
    end else if (Rule == weft_pkg::RuleTree) begin : gen_tree
      weft_tree_route #(
        .Ports         (Ports),
        .ClassVcs      (ClassVcs),
        .UsableVcs     (UsableVcs),
        .InPort        (InPort),
        .PathIdBits    (PathIdBits),
        .Destinations  (Destinations),
        .Children      (Children),
        .Span          (Span),
        .ChildPorts    (ChildPorts),
        .Parents       (Parents),
        .Divisor       (Divisor),
        .AscentByPathId(AscentByPathId)
      ) u_tree (
        .first_i      (rule_i),
        .destination_i(destination),
        .path_id_i    (path_id),
        .port_o       (port),
        .vcs_o        (class_vcs)
      );
      logic unused;
      assign unused       = &class_vc;
      assign exists[slot] = 32'(destination) < Destinations && 32'(port) < Ports;
    end else if (Rule == weft_pkg::RuleCube) begin : gen_cube
      weft_cube_route #(
        .Ports     (Ports),
        .ClassVcs  (ClassVcs),
        .UsableVcs (UsableVcs),
        .InPort    (InPort),
        .Dimensions(Dimensions),
        .Nodes     (Nodes),
        .LocalPorts(LocalPorts)
      ) u_cube (
        .here_i       (rule_i),
        .destination_i(destination),
        .port_o       (port),
        .vcs_o        (class_vcs)
      );
      logic unused;
      assign unused       = &{path_id, class_vc};
      assign exists[slot] = 32'(destination) < (Nodes << Dimensions) && 32'(port) < Ports;
    end else begin : gen_source
      assign port         = PortBits'(path_id[3:0]);
      assign class_vcs    = ClassVcs'((1 << UsableVcs) - 1);
      assign exists[slot] = 32'(path_id[3:0]) < Ports;
      logic unused;
      assign unused = &{rule_i, path_id, class_vc, destination};
    end

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        valid_q[slot] <= 1'b0;
      end else begin
        valid_q[slot] <= valid;
      end
    end

    always_ff @(posedge clk_i) begin
      if (valid) begin
        vc_q     <= vc;
        port_q   <= port;
        vcs_q    <= Vcs'(class_vcs) << first;
        length_q <= length;
      end
    end

    assign route_o[slot*RouteBits+:RouteBits] = {valid_q[slot], vc_q, port_q, vcs_q, length_q};
  end

  logic [Ports*HeadSlots-1:0] requests;
  for (genvar slot = 0; slot < Ports * HeadSlots; slot++) begin : gen_request
    assign requests[slot] = head_i[slot*HeadBits+HeadBits-1];
  end

  `WEFT_PARAMETER(ClassesSupported, Classes >= 1 && Vcs % Classes == 0, "Vcs must be a multiple of Classes")
  `WEFT_PARAMETER(PathIdSupported, Rule != weft_pkg::RuleSource || PathIdBits >= 8,
                  "PathIdBits must be at least 8 with RuleSource")
  `WEFT_PARAMETER(PathIdsSupported, Ways >= 1 && (Ways == 1 || Ways <= 2 ** PathIdBits),
                  "Ways must be from 1 to 2^PathIdBits")
  `WEFT_ASSERT(PortExists, (requests & ~exists) == '0, "route to a node or port that does not exist")
  `WEFT_ASSERT_KNOWN(KnownOut, valid_q, "route valid signals must not be X")

endmodule

`default_nettype wire
