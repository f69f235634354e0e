// SPDX-License-Identifier: Apache-2.0
/// Receive path: the stages between a channel from the router and one port of a node, in the order
///
///     router -> ejector -> decompressor -> XOR decoder -> packets
///
/// Purpose    Connects the stages of a NIC's receive path; omitted stages are wires. Stages accept packets only one
///            after the other and therefore require a buffered ejector. The code of the XOR stages passes the
///            decompressor in a side queue.
/// Latency    1 cycle of the ejector, plus the latency of the stages.
/// Handshake  The channel uses credits, unless EjectionDepth is 0. receive_o/receive_ready_i: a flit moves at the end
///            of a cycle in which it is valid and receive_ready_i is set.
`default_nettype none

`include "weft_assert.svh"

module weft_receive_path #(
  /// The router's port: number of VCs, flits per ejection VC (0: pass-through), width of the path id; see weft_ejector.
  parameter int unsigned Vcs = 4,
  parameter int unsigned EjectionDepth = 0,
  parameter int unsigned PathIdBits = 1,
  /// Words per flit; width in bits of the data that senders set (0 with stages).
  parameter int unsigned Words = 2,
  parameter int unsigned UserBits = 0,
  /// 1: there is an XOR decoder, and flits carry the code. Number of its entries, and flits per entry.
  parameter int unsigned Code = 0,
  parameter int unsigned Entries = 8,
  parameter int unsigned CodingDepth = 16,
  /// 1: there is a decompressor; see weft_decompressor.
  parameter int unsigned Compression = 0,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1,
  parameter int unsigned MostWords = 2 ** weft_pkg::SizeBits - 1,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned DataBits = weft_pkg::data_bits(Words, Code, UserBits),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned ReceivedBits = weft_pkg::flit_bits(VcBits, 0, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Flits from the router, and credits to it.
  input  wire logic [FlitBits-1:0]   flit_i,
  output logic      [CreditBits-1:0] credit_o,

  /// Packets to the node. The VC is that of the flit, or 0 if there are stages.
  output logic      [ReceivedBits-1:0] receive_o,
  input  wire logic                    receive_ready_i,

  /// The border of the network, for an observer: the output of the ejector, and whether it is accepted.
  output logic [ReceivedBits-1:0] ejected_o,
  output logic                    ejected_ready_o,

  /// Discards all data and packets in the XOR decoder; see weft_xor_decoder.
  input  wire logic flush_i,

  /// The ejector holds flits, or a stage is not empty.
  output logic busy_o
);

  localparam int unsigned PayloadBits = 32 * Words;
  localparam int unsigned Packets = 8;  // more than the maximum number of packets in a decompressor

  logic ejector_busy;
  weft_ejector #(
    .Vcs       (Vcs),
    .Depth     (EjectionDepth),
    .PathIdBits(PathIdBits),
    .DataBits  (DataBits)
  ) u_ejector (
    .clk_i,
    .rst_ni,
    .flit_i,
    .credit_o,
    .flit_o (ejected_o),
    .ready_i(ejected_ready_o),
    .busy_o (ejector_busy)
  );

  if (Code == 0) begin : gen_no_flush
    logic unused_flush;
    assign unused_flush = flush_i;
  end

  if (Code == 0 && Compression == 0) begin : gen_wires
    assign receive_o       = ejected_o;
    assign ejected_ready_o = receive_ready_i;
    assign busy_o          = ejector_busy;
  end else begin : gen_stages
    logic                   ejected_valid, ejected_head, ejected_tail;
    weft_pkg::header_t      ejected_header;
    weft_pkg::code_t        ejected_code;
    logic [1:0]             ejected_error;
    logic [PayloadBits-1:0] ejected_payload;
    logic                   unused_bits;
    assign {ejected_valid, ejected_head, ejected_tail} = ejected_o[ReceivedBits-1-:3];
    assign {ejected_header, ejected_error} = ejected_o[DataBits-1-:weft_pkg::HeaderBits+weft_pkg::ErrorBits];
    assign ejected_payload = ejected_o[PayloadBits-1:0];
    assign unused_bits     = ^{ejected_o, ejected_error};
    if (Code != 0) begin : gen_code
      assign ejected_code = ejected_o[PayloadBits+UserBits+:weft_pkg::CodeBits];
    end else begin : gen_no_code
      assign ejected_code = '0;
    end

    // Signals between decompressor and XOR decoder
    logic                   raw_valid, raw_head, raw_tail, raw_ready;
    weft_pkg::header_t      raw_header;
    weft_pkg::code_t        raw_code;
    logic [PayloadBits-1:0] raw_payload;
    logic [1:0]             raw_error;
    logic                   decompressor_busy;
    if (Compression != 0) begin : gen_decompressor
      weft_decompressor #(
        .Words    (Words),
        .Table    (Table),
        .Classic  (Classic),
        .Exact    (Exact),
        .MostWords(MostWords)
      ) u_decompressor (
        .clk_i,
        .rst_ni,
        .flit_valid_i  (ejected_valid),
        .flit_head_i   (ejected_head),
        .flit_tail_i   (ejected_tail),
        .flit_header_i (ejected_header),
        .flit_payload_i(ejected_payload),
        .ready_o       (ejected_ready_o),
        .flit_valid_o  (raw_valid),
        .flit_head_o   (raw_head),
        .flit_tail_o   (raw_tail),
        .flit_header_o (raw_header),
        .flit_payload_o(raw_payload),
        .flit_error_o  (raw_error),
        .ready_i       (raw_ready),
        .busy_o        (decompressor_busy)
      );
      if (Code != 0) begin : gen_code
        weft_pkg::code_t first_code;
        weft_side_queue #(
          .Width(weft_pkg::CodeBits),
          .Depth(Packets)
        ) u_codes (
          .clk_i,
          .rst_ni,
          .push_i(ejected_valid && ejected_head && ejected_ready_o),
          .side_i(ejected_code),
          .pop_i (raw_valid && raw_head && raw_ready),
          .side_o(first_code)
        );
        assign raw_code = raw_head ? first_code : '0;
      end else begin : gen_no_code
        assign raw_code = ejected_code;
      end
    end else begin : gen_no_decompressor
      assign raw_valid         = ejected_valid;
      assign raw_head          = ejected_head;
      assign raw_tail          = ejected_tail;
      assign raw_header        = ejected_header;
      assign raw_code          = ejected_code;
      assign raw_payload       = ejected_payload;
      assign raw_error         = ejected_error;
      assign ejected_ready_o   = raw_ready;
      assign decompressor_busy = 1'b0;
    end

    // Signals behind the XOR decoder
    logic decoder_busy;
    if (Code != 0) begin : gen_decoder
      logic                   plain_valid, plain_head, plain_tail;
      weft_pkg::header_t      plain_header;
      weft_pkg::code_t        plain_code;
      logic [PayloadBits-1:0] plain_payload;
      logic [1:0]             plain_error;
      weft_xor_decoder #(
        .Words  (Words),
        .Entries(Entries),
        .Depth  (CodingDepth)
      ) u_decoder (
        .clk_i,
        .rst_ni,
        .flit_valid_i  (raw_valid),
        .flit_head_i   (raw_head),
        .flit_tail_i   (raw_tail),
        .flit_header_i (raw_header),
        .flit_code_i   (raw_code),
        .flit_payload_i(raw_payload),
        .flit_error_i  (raw_error),
        .ready_o       (raw_ready),
        .flit_valid_o  (plain_valid),
        .flit_head_o   (plain_head),
        .flit_tail_o   (plain_tail),
        .flit_header_o (plain_header),
        .flit_code_o   (plain_code),
        .flit_payload_o(plain_payload),
        .flit_error_o  (plain_error),
        .ready_i       (receive_ready_i),
        .flush_i,
        .busy_o        (decoder_busy)
      );
      assign receive_o = {plain_valid, plain_head, plain_tail, VcBits'(0), plain_header, plain_error, plain_code,
                          plain_payload};
    end else begin : gen_no_decoder
      logic unused_code;
      assign unused_code  = ^raw_code;
      assign receive_o    = {raw_valid, raw_head, raw_tail, VcBits'(0), raw_header, raw_error, raw_payload};
      assign raw_ready    = receive_ready_i;
      assign decoder_busy = 1'b0;
    end
    assign busy_o = ejector_busy || decompressor_busy || decoder_busy;
  end

  `WEFT_PARAMETER(BufferedBeforeStages, EjectionDepth != 0 || (Code == 0 && Compression == 0),
                  "EjectionDepth must be above 0 with Compression or Code: stages accept one packet at a time")
  `WEFT_PARAMETER(UserBitsSupported, UserBits == 0 || (Code == 0 && Compression == 0),
                  "UserBits must be 0 with Compression or Code: stages do not transfer user bits")

endmodule

`default_nettype wire
