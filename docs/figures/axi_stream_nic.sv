// SPDX-License-Identifier: Apache-2.0
/// Source of the AXI4-Stream waveforms that contract_waves.py draws: two NICs, one with spill registers, whose channels
/// lead back to them. Their nodes send packets of 5, 1 and 5 flits to themselves, and stall in some cycles.
`default_nettype none

/// A stream or a channel, with the signal names that contract_waves.py expects.
module wires (
  input wire logic        valid,
  input wire logic        head,
  input wire logic        tail,
  input wire logic [1:0]  vc,
  input wire logic [23:0] flits,
  input wire logic [31:0] tag  // the packet, and in the lowest 8 bits the flit
);
endmodule

module looped_nic #(
  parameter int unsigned Spill = 0
) (
  input wire logic clk,
  input wire logic rst_n
);

  localparam logic [7:0] Packets = 3;

  typedef struct packed {
    weft_pkg::header_t header;
    logic [1:0]        error;
  } user_t;

  typedef struct packed {
    logic        valid;
    logic        head;
    logic        tail;
    logic [1:0]  vc;
    logic        way;
    user_t       user;
    logic [63:0] payload;
  } flit_t;

  typedef struct packed {
    logic       valid;
    logic [1:0] vc;
  } credit_t;

  int cycle;
  always_ff @(posedge clk or negedge rst_n) cycle <= rst_n ? cycle + 1 : -1;

  // Sending side of the node
  logic [7:0] packet, flit;
  logic       s_axis_tvalid, s_axis_tready, s_axis_tlast;
  user_t      s_axis_tuser;
  function automatic logic [7:0] flits_of(input logic [7:0] number);
    flits_of = number == 1 ? 8'd1 : 8'd5;
  endfunction
  assign s_axis_tvalid = cycle >= 0 && packet < Packets;
  assign s_axis_tlast  = flit + 1 == flits_of(packet);
  always_comb begin
    s_axis_tuser = '0;
    s_axis_tuser.header.flits = 24'(flits_of(packet));
    s_axis_tuser.header.words = 24'(2 * flits_of(packet));
  end
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      packet <= 0;
      flit   <= 0;
    end else if (s_axis_tvalid && s_axis_tready) begin
      packet <= packet + 8'(s_axis_tlast);
      flit   <= s_axis_tlast ? 0 : flit + 1;
    end
  end

  // Receiving side of the node
  logic        m_axis_tvalid, m_axis_tready, m_axis_tlast, within_q;
  logic [1:0]  m_axis_tid;
  logic [63:0] m_axis_tdata;
  user_t       m_axis_tuser;
  assign m_axis_tready = cycle < 5 || cycle > 10;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) within_q <= 0;
    else if (m_axis_tvalid && m_axis_tready) within_q <= !m_axis_tlast;
  end

  flit_t   looped;
  credit_t credit;
  weft_axi_stream_nic #(
    .SpillSend    (Spill),
    .SpillReceive (Spill),
    .Vcs          (4),
    .Depth        (3),
    .EjectionDepth(3)
  ) u_nic (
    .clk_i               (clk),
    .rst_ni              (rst_n),
    .tick_i              (1'b0),
    .s_axis_tvalid_i     (s_axis_tvalid),
    .s_axis_tready_o     (s_axis_tready),
    .s_axis_tdata_i      (64'({packet, flit})),
    .s_axis_tlast_i      (s_axis_tlast),
    .s_axis_tuser_i      (s_axis_tuser),
    .m_axis_tvalid_o     (m_axis_tvalid),
    .m_axis_tready_i     (m_axis_tready),
    .m_axis_tdata_o      (m_axis_tdata),
    .m_axis_tlast_o      (m_axis_tlast),
    .m_axis_tid_o        (m_axis_tid),
    .m_axis_tuser_o      (m_axis_tuser),
    .queue_i             (0),
    .received_o          (),
    .flit_o              (looped),
    .credit_i            (credit),
    .flit_i              (looped),
    .credit_o            (credit),
    .path_ids_i          (1'b0),
    .mode_i              (weft_pkg::ModeNone),
    .length_threshold_i  (0),
    .received_threshold_i(0),
    .queue_threshold_i   (0),
    .cut_i               (0),
    .flush_i             (1'b0),
    .busy_o              ()
  );

  wires s_axis (.valid(s_axis_tvalid), .head(flit == 0), .tail(s_axis_tlast), .vc(2'b0),
                .flits(s_axis_tuser.header.flits), .tag({16'b0, packet, flit}));
  wires m_axis (.valid(m_axis_tvalid), .head(!within_q), .tail(m_axis_tlast), .vc(m_axis_tid),
                .flits(m_axis_tuser.header.flits), .tag(m_axis_tdata[31:0]));
  wires channel (.valid(looped.valid), .head(looped.head), .tail(looped.tail), .vc(looped.vc),
                 .flits(looped.user.header.flits), .tag(looped.payload[31:0]));

endmodule

module axi_stream_nic;
  logic clk = 1'b0, rst_n = 1'b0;
  looped_nic #(.Spill(0)) direct (.*);
  looped_nic #(.Spill(1)) spilled (.*);

  initial begin
    $dumpfile("run.vcd");
    $dumpvars;
    #1.5 rst_n = 1'b1;  // cycle 0 begins with the edge at 2 ns, as in every run
    #60 $finish;
  end
  initial begin
    #1;
    forever begin
      clk = 1'b1;
      #0.5;
      clk = 1'b0;
      #0.5;
    end
  end
endmodule

`default_nettype wire
