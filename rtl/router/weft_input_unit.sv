// SPDX-License-Identifier: Apache-2.0
/// Input unit: the buffers of a router's input ports. Each VC has a FIFO, and the FIFOs of a port are in one memory.
///
/// Purpose    Receives flits from the channels, reports which VCs hold flits, and announces heads that need a route.
///            When the switch allocator grants a request, the input unit sends the flit to the crossbar and a credit
///            upstream.
/// Latency    A flit on flit_i in cycle t-1 is in its FIFO in cycle t: it "arrives in t". In cycle t, status_*_o report
///            it, and head_o announces it if it is a head at the front of an idle VC. If it is granted the switch in t,
///            it is on flit_o and its credit is on credit_o in t+1. A head behind a tail that is granted in t is
///            announced in t+1.
/// Handshake  flit_i: one flit per cycle and port while its valid bit is set; the sender never sends more flits than it
///            has credits. grant_*_i depend combinationally on the status outputs of the same cycle.
`default_nettype none

`include "weft_assert.svh"

module weft_input_unit #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Capacity of a VC in flits, at least 1.
  parameter int unsigned Depth = 8,
  /// Width of the path id in bits, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of the data of a flit in bits; see weft_pkg.
  parameter int unsigned DataBits = 168,
  /// Width of a packet's length, weft_pkg::length_bits(); 1 without cut-through, which does not use it.
  parameter int unsigned LengthBits = 1,
  /// 1: source routing, where a head leaves with only the remaining part of its path. 0: other routing.
  parameter int unsigned ConsumesPath = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned HeadsBits = weft_pkg::HeadSlots * weft_pkg::head_bits(VcBits, PathIdBits, LengthBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Arriving flits, and the credits for leaving flits.
  input  wire logic [Ports*FlitBits-1:0]   flit_i,
  output logic      [Ports*CreditBits-1:0] credit_o,

  /// The heads that need a route: two slots per port.
  output logic [Ports*HeadsBits-1:0] head_o,
  /// VCs that hold a flit, and VCs whose first flit is a tail.
  output logic [Ports*Vcs-1:0] status_occupied_o,
  output logic [Ports*Vcs-1:0] status_tail_o,

  /// The input ports that send a flit, and for each of them the VC (one-hot), the output port (one-hot) and the VC of
  /// the output port (one-hot). For the other input ports, the output port is 0.
  input  wire logic [Ports-1:0]        grant_input_i,
  input  wire logic [Ports*Vcs-1:0]    grant_vc_i,
  input  wire logic [Ports*Ports-1:0]  grant_output_i,
  input  wire logic [Ports*VcBits-1:0] grant_out_vc_i,

  /// For each output port, the flit that goes to it.
  output logic [Ports*FlitBits-1:0] flit_o
);

  localparam int unsigned BodyBits = FlitBits - 1;  // all fields except valid

  // For each input port, the output port of the leaving flit (one-hot or 0), and this flit.
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
