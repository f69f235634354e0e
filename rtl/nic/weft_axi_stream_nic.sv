// SPDX-License-Identifier: Apache-2.0
/// NIC with AXI4-Stream to and from the node. It is a weft_nic with one port and a buffered ejector.
///
/// Purpose    Each packet is a packet of AXI4-Stream (IHI 0051): TDATA is the payload, and TLAST marks the tail. TUSER
///            contains, from the highest bit, the header, the error and, with XOR stages, the code; weft_pkg defines
///            them. Header and code are valid in the first transfer of a packet, the error in the last. TID of a
///            received packet is its VC.
/// Latency    The latency of the NIC, plus one cycle for each spill register.
/// Handshake  AXI4-Stream: once TVALID is set, it and its signals stay until TREADY. Without a spill register,
///            s_axis_tready_o may depend on s_axis signals of the same cycle.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_axi_stream_nic #(
  /// 1: there is a spill register in the stream from the node (SpillSend), or to the node (SpillReceive).
  parameter int unsigned SpillSend = 1,
  parameter int unsigned SpillReceive = 1,
  /// The parameters of weft_nic.
  parameter int unsigned Vcs = 4,
  parameter int unsigned Classes = 1,
  parameter int unsigned Depth = 8,
  parameter int unsigned EjectionDepth = 8,
  parameter int unsigned PathIdBits = 1,
  parameter int unsigned Destinations = 0,
  parameter int unsigned Words = 2,
  parameter int unsigned Buckets = 1,
  parameter int unsigned Code = 0,
  parameter int unsigned CodingDepth = 16,
  parameter int unsigned Overhead = 1,
  parameter int unsigned Entries = 8,
  parameter int unsigned Compression = 0,
  parameter int unsigned CompressorDepth = 512,
  parameter int unsigned Packets = 16,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1,
  parameter int unsigned MostWords = 2 ** weft_pkg::SizeBits - 1,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned DataBits = weft_pkg::data_bits(Words, Code, 0),
  localparam int unsigned PayloadBits = 32 * Words,
  localparam int unsigned UserBits = DataBits - PayloadBits,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned PathIdsBits = Destinations != 0 ? Destinations * PathIdBits : 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic tick_i,

  /// From the node.
  input  wire logic                   s_axis_tvalid_i,
  output logic                        s_axis_tready_o,
  input  wire logic [PayloadBits-1:0] s_axis_tdata_i,
  input  wire logic                   s_axis_tlast_i,
  input  wire logic [UserBits-1:0]    s_axis_tuser_i,

  /// To the node.
  output logic                   m_axis_tvalid_o,
  input  wire logic              m_axis_tready_i,
  output logic [PayloadBits-1:0] m_axis_tdata_o,
  output logic                   m_axis_tlast_o,
  output logic [VcBits-1:0]      m_axis_tid_o,
  output logic [UserBits-1:0]    m_axis_tuser_o,

  /// The other ports are those of weft_nic.
  input  wire logic [31:0]            queue_i,
  output logic      [31:0]            received_o,
  output logic      [FlitBits-1:0]    flit_o,
  input  wire logic [CreditBits-1:0]  credit_i,
  input  wire logic [FlitBits-1:0]    flit_i,
  output logic      [CreditBits-1:0]  credit_o,
  input  wire logic [PathIdsBits-1:0] path_ids_i,
  input  wire logic [1:0]                    mode_i,
  input  wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input  wire logic [31:0]                   received_threshold_i,
  input  wire logic [31:0]                   queue_threshold_i,
  input  wire logic [weft_pkg::CutBits-1:0]  cut_i,
  input  wire logic                          flush_i,
  output logic                               busy_o
);

  // The stream from the node: a transfer after the last one of a packet is a head.
  logic                send_valid, send_ready, send_last;
  logic [DataBits-1:0] send_data;
  weft_spill_register #(
    .Width (1 + DataBits),
    .Bypass(32'(SpillSend == 0))
  ) u_send (
    .clk_i,
    .rst_ni,
    .valid_i(s_axis_tvalid_i),
    .ready_o(s_axis_tready_o),
    .data_i ({s_axis_tlast_i, s_axis_tuser_i, s_axis_tdata_i}),
    .valid_o(send_valid),
    .ready_i(send_ready),
    .data_o ({send_last, send_data})
  );

  logic within_q;
  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      within_q <= 1'b0;
    end else if (send_valid && send_ready) begin
      within_q <= !send_last;
    end
  end

  // The stream to the node
  logic                receive_valid, receive_head, receive_last, receive_ready;
  logic [VcBits-1:0]   receive_vc;
  logic [DataBits-1:0] receive_data;
  weft_spill_register #(
    .Width (1 + VcBits + DataBits),
    .Bypass(32'(SpillReceive == 0))
  ) u_receive (
    .clk_i,
    .rst_ni,
    .valid_i(receive_valid),
    .ready_o(receive_ready),
    .data_i ({receive_last, receive_vc, receive_data}),
    .valid_o(m_axis_tvalid_o),
    .ready_i(m_axis_tready_i),
    .data_o ({m_axis_tlast_o, m_axis_tid_o, m_axis_tuser_o, m_axis_tdata_o})
  );
  logic unused_head;
  assign unused_head = receive_head;

  logic nic_busy;
  weft_nic #(
    .Vcs            (Vcs),
    .Classes        (Classes),
    .Depth          (Depth),
    .EjectionDepth  (EjectionDepth),
    .PathIdBits     (PathIdBits),
    .Destinations   (Destinations),
    .Words          (Words),
    .Buckets        (Buckets),
    .Code           (Code),
    .CodingDepth    (CodingDepth),
    .Overhead       (Overhead),
    .Entries        (Entries),
    .Compression    (Compression),
    .CompressorDepth(CompressorDepth),
    .Packets        (Packets),
    .Table          (Table),
    .Classic        (Classic),
    .Exact          (Exact),
    .MostWords      (MostWords)
  ) u_nic (
    .clk_i,
    .rst_ni,
    .tick_i,
    .send_i         ({send_valid, !within_q, send_last, send_data}),
    .send_ready_o   (send_ready),
    .receive_o      ({receive_valid, receive_head, receive_last, receive_vc, receive_data}),
    .receive_ready_i(receive_ready),
    .queue_i,
    .received_o,
    .flit_o,
    .credit_i,
    .flit_i,
    .credit_o,
    .path_ids_i,
    .mode_i,
    .length_threshold_i,
    .received_threshold_i,
    .queue_threshold_i,
    .cut_i,
    .flush_i,
    .busy_o         (nic_busy)
  );
  assign busy_o = nic_busy || send_valid || m_axis_tvalid_o;

  `WEFT_PARAMETER(ReceiverMayStall, EjectionDepth != 0,
                  "EjectionDepth must be above 0, because an AXI4-Stream receiver may stall")
  `WEFT_ASSERT_HELD(StableOut, m_axis_tvalid_o && !m_axis_tready_i,
                    ({m_axis_tvalid_o, m_axis_tdata_o, m_axis_tlast_o, m_axis_tid_o, m_axis_tuser_o}),
                    "a transfer must not change until it is accepted")
  `WEFT_ASSERT_KNOWN(KnownOut, ({m_axis_tvalid_o, s_axis_tready_o}), "stream status signals must not be X")

endmodule

`default_nettype wire
