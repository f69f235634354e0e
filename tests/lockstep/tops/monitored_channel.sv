// SPDX-License-Identifier: Apache-2.0
/// A channel from an injector to an ejector, each with its own reset, and a channel monitor.
`default_nettype none

module monitored_channel #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 4,
  localparam int unsigned DataBits = 168,
  localparam int unsigned VcBits = 1
) (
  input  wire logic clk_i,
  input  wire logic sender_rst_ni,
  input  wire logic receiver_rst_ni,

  /// A one-flit packet is offered and accepted.
  input  wire logic valid_i,
  output logic      ready_o,

  /// A flit is received; the receiver accepts it.
  output logic      received_o,
  input  wire logic ready_i,

  output int unsigned flits_o,
  output int unsigned credits_o,
  output int unsigned errors_o
);

  logic [weft_pkg::flit_bits(VcBits, 1, DataBits)-1:0]      flit;
  logic [VcBits:0]                                          credit;
  logic [weft_pkg::flit_bits(VcBits, 0, DataBits)-1:0]      received;
  logic                                                     unused_busy;

  weft_injector #(.Vcs(Vcs), .Depth(Depth), .DataBits(DataBits)) u_sender (
    .clk_i,
    .rst_ni    (sender_rst_ni),
    .path_ids_i(1'b0),
    .flit_i    ({valid_i, 1'b1, 1'b1, DataBits'(0)}),
    .ready_o,
    .flit_o    (flit),
    .credit_i  (credit)
  );

  weft_ejector #(.Vcs(Vcs), .Depth(Depth), .DataBits(DataBits)) u_receiver (
    .clk_i,
    .rst_ni  (receiver_rst_ni),
    .flit_i  (flit),
    .credit_o(credit),
    .flit_o  (received),
    .ready_i,
    .busy_o  (unused_busy)
  );
  assign received_o = received[$bits(received)-1];

  weft_channel_monitor #(.Vcs(Vcs), .Depth(Depth), .DataBits(DataBits)) u_monitor (
    .clk_i,
    .sender_rst_ni,
    .receiver_rst_ni,
    .flit_i  (flit),
    .credit_i(credit),
    .flits_o,
    .credits_o,
    .errors_o
  );

endmodule

`default_nettype wire
