// SPDX-License-Identifier: Apache-2.0
/// A user's compressor with its own pins: it receives a whole packet of integers, codes it in classic FPC
/// (docs/03_reference/compression.md), and sends the shorter form. It is not written for synthesis.
///
/// It has a bug: it codes 32768 in 16 bits, but the largest signed number of 16 bits is 32767. `+largest16=32767`
/// corrects it.
`default_nettype none

module my_compressor #(
  /// Words of a flit.
  parameter int unsigned Words = 2,
  /// Flits of the longest packet.
  parameter int unsigned MaxFlits = 64
) (
  input wire logic clk,
  input wire logic reset,

  input  wire logic                s_valid,
  output logic                s_ready,
  input  wire logic                s_first,
  input  wire logic                s_last,
  input  wire logic [19:0]         s_to,
  input  wire logic [19:0]         s_from,
  input  wire logic [23:0]         s_words,
  input  wire logic [32*Words-1:0] s_data,

  output logic                m_valid,
  input  wire logic                m_ready,
  output logic                m_first,
  output logic                m_last,
  output logic [19:0]         m_to,
  output logic [19:0]         m_from,
  output logic [23:0]         m_words,
  output logic [23:0]         m_flits,
  output logic                m_coded,
  output logic [32*Words-1:0] m_data
);

  localparam int unsigned FlitBits = 32 * Words;
  localparam int unsigned MaxBits = 35 * Words * MaxFlits + FlitBits;

  logic [FlitBits*MaxFlits-1:0] raw;    // the packet as it arrived
  logic [MaxBits-1:0]           coded;  // the coded packet
  int unsigned                  raw_flits, coded_bits, coded_flits;
  logic [19:0]                  to, from;
  logic [23:0]                  words;
  logic                         sending;
  int unsigned                  sent;

  // The largest number that is coded in 16 bits. The bug: it is too large by one.
  int largest16 = 32768;
  initial if ($value$plusargs("largest16=%d", largest16)) $display("my_compressor: mended");

  task automatic append(input logic [2:0] prefix, input logic [31:0] data, input int unsigned bits);
    coded      = coded | (MaxBits'(prefix) << coded_bits) | (MaxBits'(data) << (coded_bits + 3));
    coded_bits = coded_bits + 3 + bits;
  endtask

  task automatic encode();
    int unsigned zeros;
    logic [31:0] word;
    int          number;
    coded      = '0;
    coded_bits = 0;
    zeros      = 0;
    for (int unsigned i = 0; i < 32'(words); i++) begin
      word   = raw[32*i +: 32];
      number = int'(word);
      if (word == '0) begin
        zeros = zeros + 1;
        if (zeros == 8) begin
          append(3'd0, 32'd7, 3);
          zeros = 0;
        end
      end else begin
        if (zeros > 0) append(3'd0, zeros - 1, 3);
        zeros = 0;
        if (number >= -8 && number <= 7) append(3'd1, 32'(word[3:0]), 4);
        else if (number >= -128 && number <= 127) append(3'd2, 32'(word[7:0]), 8);
        else if (word == {4{word[7:0]}}) append(3'd6, 32'(word[7:0]), 8);
        else if (number >= -32768 && number <= largest16) append(3'd3, 32'(word[15:0]), 16);
        else if (word[15:0] == '0) append(3'd4, 32'(word[31:16]), 16);
        else if (word[15:7] inside {9'd0, 9'd511} && word[31:23] inside {9'd0, 9'd511}) begin
          append(3'd5, {16'd0, word[23:16], word[7:0]}, 16);
        end
        else append(3'd7, word, 32);
      end
    end
    if (zeros > 0) append(3'd0, zeros - 1, 3);
    coded_flits = (coded_bits + FlitBits - 1) / FlitBits;
  endtask

  assign s_ready = !sending;
  assign m_valid = sending;
  assign m_first = sent == 0;
  assign m_coded = coded_flits < raw_flits;
  assign m_flits = 24'(m_coded ? coded_flits : raw_flits);
  assign m_last  = sent + 1 == 32'(m_flits);
  assign m_to    = to;
  assign m_from  = from;
  assign m_words = words;
  assign m_data  = m_coded ? coded[FlitBits*sent +: FlitBits] : raw[FlitBits*sent +: FlitBits];

  always @(posedge clk) begin
    if (reset) begin
      sending   = 1'b0;
      raw_flits = 0;
      sent      = 0;
    end else if (!sending) begin
      if (s_valid) begin
        if (s_first) begin
          raw_flits = 0;
          to        = s_to;
          from      = s_from;
          words     = s_words;
        end
        raw[FlitBits*raw_flits +: FlitBits] = s_data;
        raw_flits = raw_flits + 1;
        if (s_last) begin
          encode();
          sending = 1'b1;
          sent    = 0;
        end
      end
    end else if (m_ready) begin
      if (m_last) sending = 1'b0;
      sent = sent + 1;
    end
  end

endmodule

`default_nettype wire
