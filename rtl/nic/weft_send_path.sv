// SPDX-License-Identifier: Apache-2.0
/// Send path: the stages between one port of a node and its channel to the router, in the order
///
///     packets -> XOR encoder -> compressor -> injector -> router
///
/// Purpose    Connects the stages of a NIC's send path; omitted stages are wires. The class of a packet passes all
///            stages in the header. The code of the XOR stages passes the compressor in a side queue.
/// Latency    1 cycle of the injector, plus the latency of the stages.
/// Handshake  send_i/send_ready_o: a flit moves at the end of a cycle in which it is valid and send_ready_o is set. The
///            channel uses credits.
`default_nettype none

`include "weft_assert.svh"

module weft_send_path #(
  /// The router's port: number of VCs and of classes, and capacity of a VC in flits; see weft_injector.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  parameter int unsigned Depth = 8,
  parameter int unsigned PathIdBits = 1,
  parameter int unsigned Destinations = 0,
  /// Words per flit; width in bits of the data that the node sets and the network transports (0 with stages).
  parameter int unsigned Words = 2,
  parameter int unsigned UserBits = 0,
  /// 1: there is an XOR encoder, and flits carry its code. Maximum length of a held packet in flits; cycles of an XOR.
  parameter int unsigned Code = 0,
  parameter int unsigned CodingDepth = 16,
  parameter int unsigned Overhead = 1,
  /// 1: there is a compressor; see weft_compressor.
  parameter int unsigned Compression = 0,
  parameter int unsigned CompressorDepth = 512,
  parameter int unsigned Packets = 16,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned DataBits = weft_pkg::data_bits(Words, Code, UserBits),
  localparam int unsigned OfferBits = weft_pkg::flit_bits(0, 0, DataBits),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned PathIdsBits = Destinations != 0 ? Destinations * PathIdBits : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Packets from the node.
  input  wire logic [OfferBits-1:0] send_i,
  output logic                      send_ready_o,

  /// Flits to the router, and credits from it.
  output logic      [FlitBits-1:0]   flit_o,
  input  wire logic [CreditBits-1:0] credit_i,

  /// The path id for each node; see weft_injector. Constant.
  input  wire logic [PathIdsBits-1:0] path_ids_i,
  /// Inputs of the compressor's decision, and its configuration; see weft_compressor.
  input  wire logic [31:0]                   received_i,
  input  wire logic [31:0]                   queue_i,
  input  wire logic [1:0]                    mode_i,
  input  wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input  wire logic [31:0]                   received_threshold_i,
  input  wire logic [31:0]                   queue_threshold_i,
  input  wire logic [weft_pkg::CutBits-1:0]  cut_i,

  /// A stage is not empty.
  output logic busy_o
);

  localparam int unsigned PayloadBits = 32 * Words;

  // The flit offered to the injector
  logic [OfferBits-1:0] offered;
  logic                 offered_ready;

  if (Code == 0 && Compression == 0) begin : gen_wires
    logic unused_settings;
    assign unused_settings = ^{received_i, queue_i, mode_i, length_threshold_i, received_threshold_i, queue_threshold_i,
                               cut_i};
    assign offered      = send_i;
    assign send_ready_o = offered_ready;
    assign busy_o       = 1'b0;
  end else begin : gen_stages
    // The fields of a flit from the node that stages read. The error and the user bits of such a flit are ignored.
    logic                   node_valid, node_head, node_tail;
    weft_pkg::header_t      node_header;
    logic [PayloadBits-1:0] node_payload;
    logic                   unused_bits;
    assign {node_valid, node_head, node_tail, node_header} = send_i[OfferBits-1-:3+weft_pkg::HeaderBits];
    assign node_payload = send_i[PayloadBits-1:0];
    assign unused_bits  = ^send_i;

    // Signals between XOR encoder and compressor
    logic                   joined_valid, joined_head, joined_tail, joined_ready;
    weft_pkg::header_t      joined_header;
    weft_pkg::code_t        joined_code;
    logic [PayloadBits-1:0] joined_payload;
    logic                   encoder_busy;
    if (Code != 0) begin : gen_encoder
      weft_pkg::code_t node_code;
      assign node_code = send_i[PayloadBits+UserBits+:weft_pkg::CodeBits];
      weft_xor_encoder #(
        .Words   (Words),
        .Depth   (CodingDepth),
        .Overhead(Overhead)
      ) u_encoder (
        .clk_i,
        .rst_ni,
        .flit_valid_i  (node_valid),
        .flit_head_i   (node_head),
        .flit_tail_i   (node_tail),
        .flit_header_i (node_header),
        .flit_code_i   (node_code),
        .flit_payload_i(node_payload),
        .ready_o       (send_ready_o),
        .flit_valid_o  (joined_valid),
        .flit_head_o   (joined_head),
        .flit_tail_o   (joined_tail),
        .flit_header_o (joined_header),
        .flit_code_o   (joined_code),
        .flit_payload_o(joined_payload),
        .ready_i       (joined_ready),
        .busy_o        (encoder_busy)
      );
    end else begin : gen_no_encoder
      assign joined_valid   = node_valid;
      assign joined_head    = node_head;
      assign joined_tail    = node_tail;
      assign joined_header  = node_header;
      assign joined_code    = '0;
      assign joined_payload = node_payload;
      assign send_ready_o   = joined_ready;
      assign encoder_busy   = 1'b0;
    end

    // Signals behind the compressor
    logic                   sent_valid, sent_head, sent_tail;
    weft_pkg::header_t      sent_header;
    weft_pkg::code_t        sent_code;
    logic [PayloadBits-1:0] sent_payload;
    logic                   compressor_busy;
    if (Compression != 0) begin : gen_compressor
      weft_compressor #(
        .Words  (Words),
        .Depth  (CompressorDepth),
        .Packets(Packets),
        .Table  (Table),
        .Classic(Classic),
        .Exact  (Exact)
      ) u_compressor (
        .clk_i,
        .rst_ni,
        .flit_valid_i  (joined_valid),
        .flit_head_i   (joined_head),
        .flit_tail_i   (joined_tail),
        .flit_header_i (joined_header),
        .flit_payload_i(joined_payload),
        .ready_o       (joined_ready),
        .flit_valid_o  (sent_valid),
        .flit_head_o   (sent_head),
        .flit_tail_o   (sent_tail),
        .flit_header_o (sent_header),
        .flit_payload_o(sent_payload),
        .ready_i       (offered_ready),
        .received_i,
        .queue_i,
        .mode_i,
        .length_threshold_i,
        .received_threshold_i,
        .queue_threshold_i,
        .cut_i,
        .busy_o        (compressor_busy)
      );
      if (Code != 0) begin : gen_code
        weft_pkg::code_t first_code;
        weft_side_queue #(
          .Width(weft_pkg::CodeBits),
          .Depth(Packets)
        ) u_codes (
          .clk_i,
          .rst_ni,
          .push_i(joined_valid && joined_head && joined_ready),
          .side_i(joined_code),
          .pop_i (sent_valid && sent_head && offered_ready),
          .side_o(first_code)
        );
        assign sent_code = sent_head ? first_code : '0;
      end else begin : gen_no_code
        assign sent_code = joined_code;
      end
    end else begin : gen_no_compressor
      logic unused_settings;
      assign unused_settings = ^{received_i, queue_i, mode_i, length_threshold_i, received_threshold_i,
                                 queue_threshold_i, cut_i};
      assign sent_valid      = joined_valid;
      assign sent_head       = joined_head;
      assign sent_tail       = joined_tail;
      assign sent_header     = joined_header;
      assign sent_code       = joined_code;
      assign sent_payload    = joined_payload;
      assign joined_ready    = offered_ready;
      assign compressor_busy = 1'b0;
    end

    // Signals to the injector
    assign busy_o = encoder_busy || compressor_busy;
    if (Code != 0) begin : gen_coded
      assign offered = {sent_valid, sent_head, sent_tail, sent_header, weft_pkg::ErrorNone, sent_code, sent_payload};
    end else begin : gen_plain
      logic unused_code;
      assign unused_code = ^sent_code;
      assign offered     = {sent_valid, sent_head, sent_tail, sent_header, weft_pkg::ErrorNone, sent_payload};
    end
  end

  weft_injector #(
    .Vcs         (Vcs),
    .Classes     (Classes),
    .Depth       (Depth),
    .PathIdBits  (PathIdBits),
    .DataBits    (DataBits),
    .Destinations(Destinations)
  ) u_injector (
    .clk_i,
    .rst_ni,
    .path_ids_i,
    .flit_i (offered),
    .ready_o(offered_ready),
    .flit_o,
    .credit_i
  );

  `WEFT_PARAMETER(UserBitsSupported, UserBits == 0 || (Code == 0 && Compression == 0),
                  "UserBits must be 0 with Compression or Code: stages do not transfer user bits")

endmodule

`default_nettype wire
