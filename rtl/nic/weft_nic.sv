// SPDX-License-Identifier: Apache-2.0
/// NIC: the network interface between a node and its router.
///
///     send     packets -> XOR encoder -> compressor -> injector -> router
///     receive  packets <- XOR decoder <- decompressor <- ejector <- router
///
/// Purpose    Injects packets on VCs under credit flow control, receives flits from the router, and counts congestion.
///            It has one port for each channel between node and router, with a send path and a receive path. Parameters
///            select the stages, which are the same in all ports.
/// Latency    Send 1 cycle, receive 1 cycle, plus the latency of the stages.
/// Handshake  Both ends of both paths are streams of flits with valid and ready; a flit moves at the end of a cycle in
///            which it is valid and the receiver is ready.
///
/// Flits and credits are flat vectors, port 0 lowest; weft_pkg defines their fields.
`default_nettype none

`include "weft_assert.svh"

module weft_nic #(
  /// Channels to the router, at least 1.
  parameter int unsigned Ports = 1,
  /// The router's ports: VCs, classes, flits per VC.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  parameter int unsigned Depth = 8,
  /// Flits per ejection VC; 0: the node accepts every flit at once. Stages require more than 0.
  parameter int unsigned EjectionDepth = 0,
  /// Bits of the path id, at least 1; nodes for which path_ids_i has a path id, 0: none.
  parameter int unsigned PathIdBits = 1,
  parameter int unsigned Destinations = 0,
  /// Words per flit; bits that the node sets and the network carries, 0 with stages.
  parameter int unsigned Words = 2,
  parameter int unsigned UserBits = 0,
  /// Sub-windows of the window in which flits are counted.
  parameter int unsigned Buckets = 1,
  /// 1: XOR stages, and flits carry their code. Flits of a held packet, cycles of an XOR, entries of the decoder.
  parameter int unsigned Code = 0,
  parameter int unsigned CodingDepth = 16,
  parameter int unsigned Overhead = 1,
  parameter int unsigned Entries = 8,
  /// 1: compressor and decompressor, with the parameters below; see these modules.
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
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned ReceivedBits = weft_pkg::flit_bits(VcBits, 0, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned PathIdsBits = Destinations != 0 ? Destinations * PathIdBits : 1
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

  /// The path id for each node, per port; see weft_injector. Constant.
  input  wire logic [Ports*PathIdsBits-1:0] path_ids_i,
  /// Settings of the compressors; see weft_compressor.
  input  wire logic [1:0]                    mode_i,
  input  wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input  wire logic [31:0]                   received_threshold_i,
  input  wire logic [31:0]                   queue_threshold_i,
  input  wire logic [weft_pkg::CutBits-1:0]  cut_i,
  /// Discards all data and packets in the XOR decoders; see weft_xor_decoder.
  input  wire logic                          flush_i,

  /// Work is pending inside.
  output logic busy_o
);

  // The border of the network, for an observer: outputs of the ejectors, and whether they are accepted.
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
      .PathIdBits     (PathIdBits),
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
      .path_ids_i  (path_ids_i[port*PathIdsBits+:PathIdsBits]),
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
      .PathIdBits   (PathIdBits),
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

  `WEFT_PARAMETER(PortsSupported, Ports >= 1, "Ports must be at least 1")
  `WEFT_ASSERT_KNOWN(KnownOut, ({busy_o, received_o}), "NIC status signals must not be X")

endmodule

`default_nettype wire
