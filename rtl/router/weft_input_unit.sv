// SPDX-License-Identifier: Apache-2.0
/// Input unit: the buffers of a router's input ports, a FIFO for each VC, all of a port in one memory.
///
/// Purpose    Takes flits from the channels, shows which VCs hold one, announces heads that want a route, and on a
///            grant of the switch allocator sends the flit to the crossbar and a credit upstream.
/// Latency    A flit on flit_i in cycle t-1 is in its FIFO, shown by status_*_o and (a head at the front of an idle VC)
///            announced on head_o in cycle t: it "arrives in t". A grant in t puts the flit on flit_o and its credit on
///            credit_o in t+1. A head behind a tail granted in t is announced in t+1.
/// Handshake  flit_i: one flit each cycle and port while valid; never more than credits were given. grant_*_i:
///            combinational of the same cycle.
`default_nettype none

`include "weft_assert.svh"

module weft_input_unit #(
  /// Ports of the router, 1 and more.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, 1 and more.
  parameter int unsigned Vcs = 4,
  /// Flits that a VC holds, 1 and more.
  parameter int unsigned Depth = 8,
  /// Bits of the way, 1 and more.
  parameter int unsigned WayBits = 1,
  /// Bits of a flit's data; see weft_pkg.
  parameter int unsigned DataBits = 168,
  /// Bits of the length of a packet, weft_pkg::length_bits(); 1: no cut-through, it means nothing.
  parameter int unsigned LengthBits = 1,
  /// 1, source routing: a head leaves with the rest of its way.
  parameter int unsigned UsesUpWay = 0,
  // Derived, not to be set.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, WayBits, DataBits),
  localparam int unsigned HeadsBits = weft_pkg::HeadSlots * weft_pkg::head_bits(VcBits, WayBits, LengthBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Flits that arrive, and credits for those that leave.
  input  wire logic [Ports*FlitBits-1:0]   flit_i,
  output logic      [Ports*CreditBits-1:0] credit_o,

  /// Heads that want a route: two slots of each port.
  output logic [Ports*HeadsBits-1:0] head_o,
  /// VCs with a flit, and those whose first flit is a tail.
  output logic [Ports*Vcs-1:0] status_occupied_o,
  output logic [Ports*Vcs-1:0] status_tail_o,

  /// Input ports that send a flit: from this VC, one-hot, to this output port, one-hot, by this VC of it. Of the others
  /// the output port is none.
  input  wire logic [Ports-1:0]        grant_input_i,
  input  wire logic [Ports*Vcs-1:0]    grant_vc_i,
  input  wire logic [Ports*Ports-1:0]  grant_output_i,
  input  wire logic [Ports*VcBits-1:0] grant_out_vc_i,

  /// For each output port the flit that goes to it.
  output logic [Ports*FlitBits-1:0] flit_o
);

  localparam int unsigned BodyBits = FlitBits - 1;  // without valid

  // Of each input port: to which output port a flit leaves, one-hot or nothing, and the flit.
  logic [Ports*Ports-1:0]    leaves;
  logic [Ports*BodyBits-1:0] leaving;

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    weft_input_port #(
      .Ports     (Ports),
      .Vcs       (Vcs),
      .Depth     (Depth),
      .WayBits   (WayBits),
      .DataBits  (DataBits),
      .LengthBits(LengthBits),
      .UsesUpWay (UsesUpWay)
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
    `WEFT_ASSERT_KNOWN(KnownOut, valid, "it is known to which port a flit goes")
  end

endmodule

`default_nettype wire
