// SPDX-License-Identifier: Apache-2.0
/// Attaches Weft's monitor and scoreboard to every instance of my_compressor, without changing its source. Names in a
/// bind are those of the target module; the headers are assembled from its pins.
`default_nettype none

bind my_compressor my_compressor_checks #(.Words(Words)) checks (.*);

module my_compressor_checks #(
  parameter int unsigned Words = 2
) (
  input wire logic clk,
  input wire logic reset,

  input wire logic                s_valid,
  input wire logic                s_ready,
  input wire logic                s_first,
  input wire logic                s_last,
  input wire logic [19:0]         s_to,
  input wire logic [19:0]         s_from,
  input wire logic [23:0]         s_words,
  input wire logic [32*Words-1:0] s_data,

  input wire logic                m_valid,
  input wire logic                m_ready,
  input wire logic                m_first,
  input wire logic                m_last,
  input wire logic [19:0]         m_to,
  input wire logic [19:0]         m_from,
  input wire logic [23:0]         m_words,
  input wire logic [23:0]         m_flits,
  input wire logic                m_coded,
  input wire logic [32*Words-1:0] m_data
);

  weft_pkg::header_t in_header, out_header;
  always_comb begin
    in_header = '0;
    if (s_first) begin
      in_header.destination = s_to;
      in_header.source      = s_from;
      in_header.words       = s_words;
      in_header.flits       = 24'((32'(s_words) + Words - 1) / Words);
      in_header.data_type   = weft_pkg::TypeInt;
    end
    out_header = '0;
    if (m_first) begin
      out_header.destination = m_to;
      out_header.source      = m_from;
      out_header.words       = m_words;
      out_header.flits       = m_flits;
      out_header.data_type   = weft_pkg::TypeInt;
      out_header.codec       = m_coded ? weft_pkg::CodecClassic : weft_pkg::CodecRaw;
    end
  end

  weft_stream_monitor #(.Words(Words)) out_monitor (
    .clk_i(clk), .rst_ni(!reset),
    .flit_valid_i(m_valid), .flit_head_i(m_first), .flit_tail_i(m_last), .flit_header_i(out_header),
    .flit_payload_i(m_data), .ready_i(m_ready),
    .packets_o(), .flits_o(), .errors_o()
  );

  weft_codec_scoreboard #(.Words(Words), .Classic(1), .Always(1'b1), .Depth(64)) scoreboard (
    .clk_i(clk), .rst_ni(!reset),
    .in_valid_i(s_valid), .in_head_i(s_first), .in_tail_i(s_last), .in_header_i(in_header), .in_payload_i(s_data),
    .in_ready_i(s_ready),
    .out_valid_i(m_valid), .out_head_i(m_first), .out_tail_i(m_last), .out_header_i(out_header),
    .out_payload_i(m_data), .out_error_i('0), .out_ready_i(m_ready),
    .cut_i('0), .packets_o(), .errors_o()
  );

endmodule

`default_nettype wire
