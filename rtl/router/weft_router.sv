// SPDX-License-Identifier: Apache-2.0
/// Router: connects input unit, route computation, VC allocator, switch allocator, crossbar and output unit.
///
/// Latency    In an idle router a head needs S cycles from its arrival (the start of the cycle in which it is in the
///            buffer) to the output register. The pipeline stages are RC, VA, SA, ST for S = 4, and RC, VA and SA, ST
///            for S = 3. For S = 5, 7 and 9, stage ST takes S - 4 additional cycles.
/// Handshake  Each port has flit_i with the credits credit_o back, and flit_o with the credits credit_i back. A sender
///            starts with Depth credits for each VC. Ports without a channel are tied off. docs/03_reference/router.md
///            describes the order of events for S = 4.
///
/// Flits and credits are flat vectors. weft_pkg defines their fields.
`default_nettype none

`include "weft_assert.svh"

module weft_router #(
  /// Number of ports, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1; number of classes, which divides it; number of VCs of a class
  /// that packets may use.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  parameter int unsigned UsableVcs = Vcs / Classes,
  /// Capacity in flits of a VC of an input port, at least 1; maximum capacity of a VC of a next buffer.
  parameter int unsigned Depth = 8,
  parameter int unsigned OutputDepth = Depth,
  /// 1: some channel behind an output port is narrower than a flit. 0: phits_i is not read.
  parameter int unsigned Narrow = 0,
  /// The pipeline depth S: 3, 4, 5, 7 or 9.
  parameter int unsigned Pipeline = 4,
  /// 1: virtual cut-through flow control. 0: wormhole flow control.
  parameter int unsigned CutThrough = 0,
  /// The kind of the VC allocator, its arbiters and its iterations, and the same of the switch allocator: see
  /// weft_matching_allocator.
  parameter int unsigned VcAllocator = weft_pkg::AllocatorInputFirst,
  parameter int unsigned VcArbiter = weft_pkg::ArbiterRoundRobin,
  parameter int unsigned VcIterations = 1,
  parameter int unsigned SwitchAllocator = weft_pkg::AllocatorInputFirst,
  parameter int unsigned SwitchArbiter = weft_pkg::ArbiterRoundRobin,
  parameter int unsigned SwitchIterations = 1,
  /// Words per flit; 1 if flits carry the code of XOR stages; width in bits of the data that senders set and routers
  /// only transport.
  parameter int unsigned Words = 2,
  parameter int unsigned Code = 0,
  parameter int unsigned UserBits = 0,
  /// Width of the path id in bits, at least 1; at least 8 with RuleSource.
  parameter int unsigned PathIdBits = 1,
  /// The routing function: see weft_route_computation.
  parameter int unsigned Rule = weft_pkg::RuleGrid,
  parameter int unsigned Dimensions = 2,
  parameter logic [weft_pkg::MaxDimensions*weft_pkg::CoordinateBits-1:0] Sizes = 64'h0001_0001_0004_0004,
  parameter logic [2*weft_pkg::MaxDimensions-1:0] Order = 8'b11_10_01_00,
  parameter int unsigned Rings = 0,
  parameter int unsigned OneWay = 0,
  parameter int unsigned Nodes = 1,
  parameter int unsigned LocalPorts = 1,
  parameter int unsigned Destinations = 16,
  parameter int unsigned RowsByInput = 0,
  parameter int unsigned Ways = 1,
  parameter int unsigned Children = 4,
  parameter int unsigned Span = 1,
  parameter int unsigned ChildPorts = 1,
  parameter int unsigned Parents = 1,
  parameter int unsigned Divisor = 1,
  parameter int unsigned AscentByPathId = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned PortBits = Ports > 1 ? $clog2(Ports) : 1,
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned DataBits = weft_pkg::data_bits(Words, Code, UserBits),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned DepthBits = $clog2(OutputDepth + 1),
  localparam int unsigned Rows = (RowsByInput != 0 ? Ports * Vcs : 1) * Ways,
  localparam int unsigned RuleBits =
      weft_pkg::rule_bits(Rule, Dimensions, Rows * Destinations * (PortBits + Vcs / Classes))
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// The constants of this router; see weft_route_computation.
  input  wire logic [RuleBits-1:0] rule_i,
  /// For each output port, capacity in flits of a VC of the next buffer; 0 if it is unlimited, without credits.
  /// Constant.
  input  wire logic [Ports*DepthBits-1:0] depth_i,
  /// For each output port, the number of parts into which its channel cuts a flit, at least 1. Constant.
  input  wire logic [Ports*weft_pkg::PhitBits-1:0] phits_i,

  input  wire logic [Ports*FlitBits-1:0]   flit_i,
  output logic      [Ports*CreditBits-1:0] credit_o,
  output logic      [Ports*FlitBits-1:0]   flit_o,
  input  wire logic [Ports*CreditBits-1:0] credit_i
);

  localparam int unsigned RouterVcs = Ports * Vcs;
  localparam int unsigned LengthBits = weft_pkg::length_bits(CutThrough, OutputDepth);
  localparam int unsigned HeadBits = weft_pkg::head_bits(VcBits, PathIdBits, LengthBits);
  localparam int unsigned RouteBits = weft_pkg::route_bits(VcBits, PortBits, Vcs, LengthBits);

  logic [Ports*weft_pkg::HeadSlots*HeadBits-1:0]  head;
  logic [Ports*weft_pkg::HeadSlots*RouteBits-1:0] route;
  logic [RouterVcs-1:0]                           occupied, tail, active, available;
  logic [RouterVcs*PortBits-1:0]                  assigned_port;
  logic [RouterVcs*VcBits-1:0]                    assigned_vc;
  logic [RouterVcs*weft_pkg::CreditCountBits-1:0] count;
  logic [Ports-1:0]                               channel_busy, grant_input, grant_tail;
  logic [RouterVcs-1:0]                           grant_vc;
  logic [Ports*Ports-1:0]                         grant_output;
  logic [Ports*VcBits-1:0]                        grant_out_vc;
  logic [Ports*FlitBits-1:0]                      switched;
  logic                                           unused_busy, allocator_busy, crossbar_busy;
  assign unused_busy = allocator_busy && crossbar_busy;  // for clock gating

  weft_input_unit #(
    .Ports       (Ports),
    .Vcs         (Vcs),
    .Depth       (Depth),
    .PathIdBits  (PathIdBits),
    .DataBits    (DataBits),
    .LengthBits  (LengthBits),
    .ConsumesPath(32'(Rule == weft_pkg::RuleSource))
  ) u_input_unit (
    .clk_i,
    .rst_ni,
    .flit_i,
    .credit_o,
    .head_o           (head),
    .status_occupied_o(occupied),
    .status_tail_o    (tail),
    .grant_input_i    (grant_input),
    .grant_vc_i       (grant_vc),
    .grant_output_i   (grant_output),
    .grant_out_vc_i   (grant_out_vc),
    .flit_o           (switched)
  );

  weft_route_computation #(
    .Ports         (Ports),
    .Vcs           (Vcs),
    .Classes       (Classes),
    .UsableVcs     (UsableVcs),
    .PathIdBits    (PathIdBits),
    .LengthBits    (LengthBits),
    .Rule          (Rule),
    .Dimensions    (Dimensions),
    .Sizes         (Sizes),
    .Order         (Order),
    .Rings         (Rings),
    .OneWay        (OneWay),
    .Nodes         (Nodes),
    .LocalPorts    (LocalPorts),
    .Destinations  (Destinations),
    .RowsByInput   (RowsByInput),
    .Ways          (Ways),
    .Children      (Children),
    .Span          (Span),
    .ChildPorts    (ChildPorts),
    .Parents       (Parents),
    .Divisor       (Divisor),
    .AscentByPathId(AscentByPathId)
  ) u_route_computation (
    .clk_i,
    .rst_ni,
    .rule_i,
    .head_i (head),
    .route_o(route)
  );

  weft_vc_allocator #(
    .Ports     (Ports),
    .Vcs       (Vcs),
    .LengthBits(LengthBits),
    .SameCycle (32'(Pipeline == 3)),
    .Kind      (VcAllocator),
    .Arbiter   (VcArbiter),
    .Iterations(VcIterations)
  ) u_vc_allocator (
    .clk_i,
    .rst_ni,
    .route_i          (route),
    .count_i          (count),
    .grant_tail_i     (grant_tail),
    .grant_vc_i       (grant_vc),
    .grant_output_i   (grant_output),
    .grant_out_vc_i   (grant_out_vc),
    .assigned_active_o(active),
    .assigned_port_o  (assigned_port),
    .assigned_vc_o    (assigned_vc),
    .busy_o           (allocator_busy)
  );

  weft_switch_allocator #(
    .Ports     (Ports),
    .Vcs       (Vcs),
    .Kind      (SwitchAllocator),
    .Arbiter   (SwitchArbiter),
    .Iterations(SwitchIterations)
  ) u_switch_allocator (
    .clk_i,
    .rst_ni,
    .status_occupied_i (occupied),
    .status_tail_i     (tail),
    .assigned_active_i (active),
    .assigned_port_i   (assigned_port),
    .assigned_vc_i     (assigned_vc),
    .credit_available_i(available),
    .credit_busy_i     (channel_busy),
    .grant_input_o     (grant_input),
    .grant_tail_o      (grant_tail),
    .grant_vc_o        (grant_vc),
    .grant_output_o    (grant_output),
    .grant_out_vc_o    (grant_out_vc)
  );

  weft_crossbar #(
    .Ports     (Ports),
    .Vcs       (Vcs),
    .Stages    (Pipeline <= 4 ? 1 : Pipeline - 3),
    .PathIdBits(PathIdBits),
    .DataBits  (DataBits)
  ) u_crossbar (
    .clk_i,
    .rst_ni,
    .flit_i(switched),
    .flit_o,
    .busy_o(crossbar_busy)
  );

  weft_output_unit #(
    .Ports      (Ports),
    .Vcs        (Vcs),
    .OutputDepth(OutputDepth),
    .Narrow     (Narrow)
  ) u_output_unit (
    .clk_i,
    .rst_ni,
    .depth_i,
    .phits_i,
    .grant_output_i    (grant_output),
    .grant_out_vc_i    (grant_out_vc),
    .credit_i,
    .status_available_o(available),
    .status_busy_o     (channel_busy),
    .count_o           (count)
  );

  `WEFT_PARAMETER(PipelineSupported, Pipeline >= 3, "Pipeline must be at least 3")

endmodule

`default_nettype wire
