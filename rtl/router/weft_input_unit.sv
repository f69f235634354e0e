// SPDX-License-Identifier: Apache-2.0
/// Input unit: the buffers of a router's input ports, one FIFO per VC, all of a port in one memory.
///
/// Purpose    Receives flits from the channels, reports which VCs hold one, and announces heads that need a route. On a
///            grant of the switch allocator it sends the flit to the crossbar and a credit upstream.
/// Latency    A flit on flit_i in cycle t-1 is in its FIFO in cycle t: it "arrives in t". In t status_*_o reports it,
///            and a head at the front of an idle VC is announced on head_o. A grant in t puts the flit on flit_o and
///            its credit on credit_o in t+1. A head behind a tail granted in t is announced in t+1.
/// Handshake  flit_i: one flit per cycle and port while valid; never more than the credits given. grant_*_i:
///            combinational in the same cycle.
`default_nettype none

`include "weft_assert.svh"

module weft_input_unit #(
  /// Ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Flits per VC, at least 1.
  parameter int unsigned Depth = 8,
  /// Bits of the path id, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of a flit's data; see weft_pkg.
  parameter int unsigned DataBits = 168,
  /// Bits of the length of a packet, weft_pkg::length_bits(); 1: no cut-through, unused.
  parameter int unsigned LengthBits = 1,
  /// 1: source routing, a head leaves with the remaining part of its path.
  parameter int unsigned ConsumesPath = 0,
  // Derived, not to be set.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned HeadsBits = weft_pkg::HeadSlots * weft_pkg::head_bits(VcBits, PathIdBits, LengthBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Arriving flits, and credits for leaving flits.
  input  wire logic [Ports*FlitBits-1:0]   flit_i,
  output logic      [Ports*CreditBits-1:0] credit_o,

  /// Heads that need a route: two slots per port.
  output logic [Ports*HeadsBits-1:0] head_o,
  /// VCs with a flit, and those whose first flit is a tail.
  output logic [Ports*Vcs-1:0] status_occupied_o,
  output logic [Ports*Vcs-1:0] status_tail_o,

  /// Input ports that send a flit: from this VC, one-hot, to this output port, one-hot, in this VC of it. For the
  /// others the output port is 0.
  input  wire logic [Ports-1:0]        grant_input_i,
  input  wire logic [Ports*Vcs-1:0]    grant_vc_i,
  input  wire logic [Ports*Ports-1:0]  grant_output_i,
  input  wire logic [Ports*VcBits-1:0] grant_out_vc_i,

  /// For each output port, the flit for it.
  output logic [Ports*FlitBits-1:0] flit_o
);

  localparam int unsigned BodyBits = FlitBits - 1;  // without valid

  // Per input port: the output port of the leaving flit, one-hot or 0, and the flit.
  logic [Ports*Ports-1:0]    leaves;
  logic [Ports*BodyBits-1:0] leaving;

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    weft_input_port #(
      .Ports       (Ports),
      .Vcs         (Vcs),
      .Depth       (Depth),
      .PathIdBits  (PathIdBits),
      .DataBits    (DataBits),
      .LengthBits  (LengthBits),
      .ConsumesPath(ConsumesPath)
    ) u_port (
      .clk_i,
      .rst_ni,
      .flit_i           (flit_i[port*FlitBits+:FlitBits]),
      .credit_o         (credit_o[port*CreditBits+:CreditBits]),
      .head_o           (head_o[port*HeadsBits+:HeadsBits]),
      .status_occupied_o(status_occupied_o[port*Vcs+:Vcs]),
      .status_tail_o    (status_tail_o[port*Vcs+:Vcs]),
      .grant_input_i    (grant_input_i[port]),
      .grant_vc_i       (grant_vc_i[port*Vcs+:Vcs]),
      .grant_output_i   (grant_output_i[port*Ports+:Ports]),
      .grant_out_vc_i   (grant_out_vc_i[port*VcBits+:VcBits]),
      .leaves_o         (leaves[port*Ports+:Ports]),
      .flit_o           (leaving[port*BodyBits+:BodyBits])
    );
  end

  for (genvar out = 0; out < Ports; out++) begin : gen_output
    logic                valid;
    logic [BodyBits-1:0] body;
    always_comb begin
      valid = 1'b0;
      body = '0;
      for (int unsigned in = 0; in < Ports; in++) begin
        if (leaves[in*Ports+out]) begin
          valid = 1'b1;
          body = body | leaving[in*BodyBits+:BodyBits];
        end
      end
    end
    assign flit_o[out*FlitBits+:FlitBits] = {valid, body};
    `WEFT_ASSERT_KNOWN(KnownOut, valid, "the output port of a flit must not be X")
  end

endmodule

`default_nettype wire
