// SPDX-License-Identifier: Apache-2.0
/// NIC: the network interface between a node and its router.
///
///     send     packets -> XOR encoder -> compressor -> injector -> router
///     receive  packets <- XOR decoder <- decompressor <- ejector <- router
///
/// Purpose    Puts packets on VCs under credit flow control, takes flits from the router, counts congestion. A port for
///            each channel between node and router: a send path and a receive path. Stages are there or not by
///            parameter, the same in all ports.
/// Latency    Send 1 cycle, receive 1 cycle, and what the stages take.
/// Handshake  Both ends of both paths are streams of flits with valid and ready; a flit moves at the end of a cycle in
///            which it is valid and the receiver ready.
///
/// Flits and credits are flat vectors, port 0 lowest; weft_pkg says what they hold.
`default_nettype none

`include "weft_assert.svh"

module weft_nic #(
  /// Channels to the router, 1 and more.
  parameter int unsigned Ports = 1,
  /// The router's ports: VCs, classes, flits of a VC.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  parameter int unsigned Depth = 8,
  /// Flits that an ejection VC holds; 0: the node takes every flit at once. Stages want it above 0.
  parameter int unsigned EjectionDepth = 0,
  /// Bits of the way, 1 and more; nodes that ways_i has a way to, 0: none.
  parameter int unsigned WayBits = 1,
  parameter int unsigned Destinations = 0,
  /// Words of a flit; bits that the node chooses and the network carries, 0 if there is a stage.
  parameter int unsigned Words = 2,
  parameter int unsigned UserBits = 0,
  /// Sub-windows of a window in which flits are counted.
  parameter int unsigned Buckets = 1,
  /// 1: XOR stages, and flits carry their code. Flits of a packet that is held or kept, cycles that a XOR takes,
  /// entries.
  parameter int unsigned Code = 0,
  parameter int unsigned CodingDepth = 16,
  parameter int unsigned Overhead = 1,
  parameter int unsigned Entries = 8,
  /// 1: compressor and decompressor. Their parameters; see there.
  parameter int unsigned Compression = 0,
  parameter int unsigned CompressorDepth = 512,
  parameter int unsigned Packets = 16,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1,
  parameter int unsigned MostWords = 2 ** weft_pkg::SizeBits - 1,
  // Derived, not to be set.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned DataBits = weft_pkg::data_bits(Words, Code, UserBits),
  localparam int unsigned OfferBits = weft_pkg::flit_bits(0, 0, DataBits),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, WayBits, DataBits),
  localparam int unsigned ReceivedBits = weft_pkg::flit_bits(VcBits, 0, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned WaysBits = Destinations != 0 ? Destinations * WayBits : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// The last cycle of a (sub-)window.
  input  wire logic tick_i,

  /// To and from the node.
  input  wire logic [Ports*OfferBits-1:0]    send_i,
  output logic      [Ports-1:0]              send_ready_o,
  output logic      [Ports*ReceivedBits-1:0] receive_o,
  input  wire logic [Ports-1:0]              receive_ready_i,
  /// Q: packets that wait behind those being sent. N: flits received in the last window.
  input  wire logic [31:0]                   queue_i,
  output logic      [31:0]                   received_o,

  /// To and from the router.
  output logic      [Ports*FlitBits-1:0]   flit_o,
  input  wire logic [Ports*CreditBits-1:0] credit_i,
  input  wire logic [Ports*FlitBits-1:0]   flit_i,
  output logic      [Ports*CreditBits-1:0] credit_o,

  /// The way to each node, of each port; see weft_injector. Constant.
  input  wire logic [Ports*WaysBits-1:0] ways_i,
  /// Settings of the compressors; see there.
  input  wire logic [1:0]                    mode_i,
  input  wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input  wire logic [31:0]                   received_threshold_i,
  input  wire logic [31:0]                   queue_threshold_i,
  input  wire logic [weft_pkg::CutBits-1:0]  cut_i,
  /// The XOR decoders forget all data and packets; see there.
  input  wire logic                          flush_i,

  /// There is work within.
  output logic busy_o
);

  // At the border of the network, for an observer: what ejectors show, and whether it is taken.
  logic [Ports*ReceivedBits-1:0] ejected;
  logic [Ports-1:0]              ejected_ready;
  logic [Ports-1:0]              arrives, send_busy, receive_busy;
  logic                          unused_observed;
  assign unused_observed = ^{ejected, ejected_ready};

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    weft_send_path #(
      .Vcs            (Vcs),
      .Classes        (Classes),
      .Depth          (Depth),
      .WayBits        (WayBits),
      .Destinations   (Destinations),
      .Words          (Words),
      .UserBits       (UserBits),
      .Code           (Code),
      .CodingDepth    (CodingDepth),
      .Overhead       (Overhead),
      .Compression    (Compression),
      .CompressorDepth(CompressorDepth),
      .Packets        (Packets),
      .Table          (Table),
      .Classic        (Classic),
      .Exact          (Exact)
    ) u_send (
      .clk_i,
      .rst_ni,
      .send_i      (send_i[port*OfferBits+:OfferBits]),
      .send_ready_o(send_ready_o[port]),
      .flit_o      (flit_o[port*FlitBits+:FlitBits]),
      .credit_i    (credit_i[port*CreditBits+:CreditBits]),
      .ways_i      (ways_i[port*WaysBits+:WaysBits]),
      .received_i  (received_o),
      .queue_i,
      .mode_i,
      .length_threshold_i,
      .received_threshold_i,
      .queue_threshold_i,
      .cut_i,
      .busy_o      (send_busy[port])
    );

    weft_receive_path #(
      .Vcs          (Vcs),
      .EjectionDepth(EjectionDepth),
      .WayBits      (WayBits),
      .Words        (Words),
      .UserBits     (UserBits),
      .Code         (Code),
      .Entries      (Entries),
      .CodingDepth  (CodingDepth),
      .Compression  (Compression),
      .Table        (Table),
      .Classic      (Classic),
      .Exact        (Exact),
      .MostWords    (MostWords)
    ) u_receive (
      .clk_i,
      .rst_ni,
      .flit_i         (flit_i[port*FlitBits+:FlitBits]),
      .credit_o       (credit_o[port*CreditBits+:CreditBits]),
      .receive_o      (receive_o[port*ReceivedBits+:ReceivedBits]),
      .receive_ready_i(receive_ready_i[port]),
      .ejected_o      (ejected[port*ReceivedBits+:ReceivedBits]),
      .ejected_ready_o(ejected_ready[port]),
      .flush_i,
      .busy_o         (receive_busy[port])
    );

    assign arrives[port] = flit_i[(port+1)*FlitBits-1];
  end

  weft_congestion_counter #(
    .Ports  (Ports),
    .Buckets(Buckets)
  ) u_congestion_counter (
    .clk_i,
    .rst_ni,
    .flit_valid_i(arrives),
    .tick_i,
    .received_o
  );

  assign busy_o = send_busy != '0 || receive_busy != '0;

  `WEFT_PARAMETER(PortsSupported, Ports >= 1, "one port at least")
  `WEFT_ASSERT_KNOWN(KnownOut, ({busy_o, received_o}), "what a NIC says of itself is known")

endmodule

`default_nettype wire
