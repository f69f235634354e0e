// SPDX-License-Identifier: Apache-2.0
/// NIC: the network interface between a node and its router. Its two paths are
///
///     send     packets -> XOR encoder -> compressor -> injector -> router
///     receive  packets <- XOR decoder <- decompressor <- ejector <- router
///
/// Purpose    Sends packets on VCs under credit flow control, receives flits from the router, and measures congestion.
///            A NIC has one port for each channel between node and router, and each port has a send path and a receive
///            path. Parameters select the stages of the paths, which are the same for all ports.
/// Latency    1 cycle to send and 1 cycle to receive, plus the latency of the stages.
/// Handshake  Both ends of both paths are streams of flits with valid and ready; a flit moves at the end of a cycle in
///            which it is valid and the receiver is ready.
///
/// Flits and credits are flat vectors, port 0 lowest. weft_pkg defines their fields.
`default_nettype none

`include "weft_assert.svh"

module weft_nic #(
  /// Number of channels to the router, at least 1.
  parameter int unsigned Ports = 1,
  /// The router's ports: number of VCs and of classes, and capacity of a VC in flits.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  parameter int unsigned Depth = 8,
  /// Capacity of an ejection VC in flits. 0: the node accepts every flit at once; this is impossible with stages.
  parameter int unsigned EjectionDepth = 0,
  /// Width of the path id in bits, at least 1; number of nodes for which path_ids_i has a path id (0: none).
  parameter int unsigned PathIdBits = 1,
  parameter int unsigned Destinations = 0,
  /// Words per flit; width in bits of the data that the node sets and the network transports (0 with stages).
  parameter int unsigned Words = 2,
  parameter int unsigned UserBits = 0,
  /// Number of sub-windows in a window in which flits are counted.
  parameter int unsigned Buckets = 1,
  /// 1: there are XOR stages, and flits carry their code. The next three parameters are the maximum length of a held
  /// packet in flits, the cycles of an XOR, and the entries of the decoder.
  parameter int unsigned Code = 0,
  parameter int unsigned CodingDepth = 16,
  parameter int unsigned Overhead = 1,
  parameter int unsigned Entries = 8,
  /// 1: there are a compressor and a decompressor, with the parameters below; see these modules.
  parameter int unsigned Compression = 0,
  parameter int unsigned CompressorDepth = 512,
  parameter int unsigned Packets = 16,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1,
  parameter int unsigned MostWords = 2 ** weft_pkg::SizeBits - 1,
  // Derived parameters. Do not set them.
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
  /// Marks the last cycle of a sub-window.
  input  wire logic tick_i,

  /// Streams from the node and to it.
  input  wire logic [Ports*OfferBits-1:0]    send_i,
  output logic      [Ports-1:0]              send_ready_o,
  output logic      [Ports*ReceivedBits-1:0] receive_o,
  input  wire logic [Ports-1:0]              receive_ready_i,
  /// Q: packets that wait behind those being sent. N: flits received in the last window.
  input  wire logic [31:0]                   queue_i,
  output logic      [31:0]                   received_o,

  /// Flits and credits to the router and from it.
  output logic      [Ports*FlitBits-1:0]   flit_o,
  input  wire logic [Ports*CreditBits-1:0] credit_i,
  input  wire logic [Ports*FlitBits-1:0]   flit_i,
  output logic      [Ports*CreditBits-1:0] credit_o,

  /// For each port, the path id for each node; see weft_injector. Constant.
  input  wire logic [Ports*PathIdsBits-1:0] path_ids_i,
  /// Settings of the compressors; see weft_compressor.
  input  wire logic [1:0]                    mode_i,
  input  wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input  wire logic [31:0]                   received_threshold_i,
  input  wire logic [31:0]                   queue_threshold_i,
  input  wire logic [weft_pkg::CutBits-1:0]  cut_i,
  /// Discards all data and packets in the XOR decoders; see weft_xor_decoder.
  input  wire logic                          flush_i,

  /// The NIC has pending work, so it needs the clock.
  output logic busy_o
);

  // The border of the network, for an observer: the outputs of the ejectors, and whether they are accepted.
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
