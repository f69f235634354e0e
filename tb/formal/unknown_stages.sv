// SPDX-License-Identifier: Apache-2.0
/// The stages of a NIC, as netlists of Yosys, for simulation with Icarus Verilog: XOR encoder followed by decoder, and
/// compressor followed by decompressor. All signals that the contract leaves open are X. No X may reach a meaningful
/// output.
`default_nettype none

module unknown_stages;

  localparam integer Cycles = 400;
  localparam integer HeaderBits = 102;
  localparam integer CodeBits = 105;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;
  initial #42 rst_n = 1'b1;

  integer seed = 3;
  logic   coded_ready, raw_ready;
  always @(posedge clk) begin
    coded_ready <= $unsigned($random(seed)) % 4 != 0;
    raw_ready   <= $unsigned($random(seed)) % 4 != 0;
  end

  // XOR encoder -> XOR decoder
  logic                  a_valid, a_head, a_tail, a_ready, b_valid, b_head, b_tail, b_ready, b_ready_in;
  logic                  c_valid, c_head, c_tail, c_ready, d_valid, d_head, d_tail, d_ready;
  logic [HeaderBits-1:0] a_header, b_header, c_header, d_header;
  logic [CodeBits-1:0]   a_code, b_code, c_code, d_code;
  logic [63:0]           a_payload, b_payload, c_payload, d_payload;
  logic [1:0]            d_error;
  integer                b_flits, d_flits;
  logic                  encoder_busy, decoder_busy;
  unknown_source #(.Words(2), .Code(1), .Seed(1), .Longest(4)) u_node (
    .clk_i(clk), .rst_ni(rst_n), .valid_o(a_valid), .head_o(a_head), .tail_o(a_tail), .header_o(a_header),
    .code_o(a_code), .payload_o(a_payload), .ready_i(a_ready)
  );
  weft_xor_encoder u_encoder (
    .clk_i(clk), .rst_ni(rst_n), .flit_valid_i(a_valid), .flit_head_i(a_head), .flit_tail_i(a_tail),
    .flit_header_i(a_header), .flit_code_i(a_code), .flit_payload_i(a_payload), .ready_o(a_ready),
    .flit_valid_o(b_valid), .flit_head_o(b_head), .flit_tail_o(b_tail), .flit_header_o(b_header), .flit_code_o(b_code),
    .flit_payload_o(b_payload), .ready_i(b_ready_in), .busy_o(encoder_busy)
  );
  unknown_watch #(.BodyBits(64), .HeadBits(HeaderBits + CodeBits)) u_coded (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(b_valid), .head_i(b_head), .tail_i(b_tail), .with_head_i({b_header, b_code}),
    .body_i(b_payload), .ready_i(b_ready), .valid_o(c_valid), .head_o(c_head), .tail_o(c_tail),
    .with_head_o({c_header, c_code}), .body_o(c_payload), .ready_o(b_ready_in), .flits_o(b_flits)
  );
  weft_xor_decoder u_decoder (
    .clk_i(clk), .rst_ni(rst_n), .flit_valid_i(c_valid), .flit_head_i(c_head), .flit_tail_i(c_tail),
    .flit_header_i(c_header), .flit_code_i(c_code), .flit_payload_i(c_payload),
    .flit_error_i((c_valid === 1'b1 && c_tail === 1'b1) ? 2'd0 : 2'bxx), .ready_o(b_ready),
    .flit_valid_o(d_valid), .flit_head_o(d_head), .flit_tail_o(d_tail), .flit_header_o(d_header), .flit_code_o(d_code),
    .flit_payload_o(d_payload), .flit_error_o(d_error), .ready_i(d_ready), .flush_i(1'b0),
    .busy_o(decoder_busy)
  );
  unknown_watch #(.BodyBits(64 + 2), .HeadBits(HeaderBits + CodeBits)) u_decoded (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(d_valid), .head_i(d_head), .tail_i(d_tail), .with_head_i({d_header, d_code}),
    .body_i({d_payload, d_tail === 1'b1 ? d_error : 2'd0}), .ready_i(coded_ready), .valid_o(), .head_o(), .tail_o(),
    .with_head_o(), .body_o(), .ready_o(d_ready), .flits_o(d_flits)
  );

  // Compressor -> decompressor
  logic                  e_valid, e_head, e_tail, e_ready, f_valid, f_head, f_tail, f_ready, f_ready_in;
  logic                  g_valid, g_head, g_tail, h_valid, h_head, h_tail, h_ready;
  logic [HeaderBits-1:0] e_header, f_header, g_header, h_header;
  logic [CodeBits-1:0]   e_code;
  logic [31:0]           e_payload, f_payload, g_payload, h_payload;
  logic [1:0]            h_error;
  integer                f_flits, h_flits;
  logic                  compressor_busy, decompressor_busy;
  unknown_source #(.Words(1), .Code(0), .Seed(2), .Longest(10)) u_other_node (
    .clk_i(clk), .rst_ni(rst_n), .valid_o(e_valid), .head_o(e_head), .tail_o(e_tail), .header_o(e_header),
    .code_o(e_code), .payload_o(e_payload), .ready_i(e_ready)
  );
  weft_compressor u_compressor (
    .clk_i(clk), .rst_ni(rst_n), .flit_valid_i(e_valid), .flit_head_i(e_head), .flit_tail_i(e_tail),
    .flit_header_i(e_header), .flit_payload_i(e_payload), .ready_o(e_ready),
    .flit_valid_o(f_valid), .flit_head_o(f_head), .flit_tail_o(f_tail), .flit_header_o(f_header),
    .flit_payload_o(f_payload), .ready_i(f_ready_in),
    // Read with a head.
    .received_i(e_head === 1'b1 ? 32'd5 : 'x), .queue_i(e_head === 1'b1 ? 32'd5 : 'x),
    .mode_i(e_head === 1'b1 ? 2'd1 : 2'bxx), .length_threshold_i(24'd0),
    .received_threshold_i(32'd0), .queue_threshold_i(32'd0), .cut_i(e_head === 1'b1 ? 6'd20 : 'x),
    .busy_o(compressor_busy)
  );
  unknown_watch #(.BodyBits(32), .HeadBits(HeaderBits)) u_compressed (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(f_valid), .head_i(f_head), .tail_i(f_tail), .with_head_i(f_header),
    .body_i(f_payload), .ready_i(f_ready), .valid_o(g_valid), .head_o(g_head), .tail_o(g_tail), .with_head_o(g_header),
    .body_o(g_payload), .ready_o(f_ready_in), .flits_o(f_flits)
  );
  weft_decompressor u_decompressor (
    .clk_i(clk), .rst_ni(rst_n), .flit_valid_i(g_valid), .flit_head_i(g_head), .flit_tail_i(g_tail),
    .flit_header_i(g_header), .flit_payload_i(g_payload), .ready_o(f_ready),
    .flit_valid_o(h_valid), .flit_head_o(h_head), .flit_tail_o(h_tail), .flit_header_o(h_header),
    .flit_payload_o(h_payload), .flit_error_o(h_error), .ready_i(h_ready), .busy_o(decompressor_busy)
  );
  unknown_watch #(.BodyBits(32 + 2), .HeadBits(HeaderBits)) u_decompressed (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(h_valid), .head_i(h_head), .tail_i(h_tail), .with_head_i(h_header),
    .body_i({h_payload, h_tail === 1'b1 ? h_error : 2'd0}), .ready_i(raw_ready), .valid_o(), .head_o(), .tail_o(),
    .with_head_o(), .body_o(), .ready_o(h_ready), .flits_o(h_flits)
  );

  always @(negedge clk) begin
    if (rst_n && ^{encoder_busy, decoder_busy, compressor_busy, decompressor_busy} === 1'bx) begin
      $display("UNKNOWN: busy at %0t: %b", $time, {encoder_busy, decoder_busy, compressor_busy, decompressor_busy});
      $finish;
    end
  end
  initial begin
    repeat (Cycles) @(posedge clk);
    $display("KNOWN: %0d and %0d flits through the XOR stages, %0d and %0d through the compressors",
             b_flits, d_flits, f_flits, h_flits);
    if (b_flits < 50 || d_flits < 50 || f_flits < 50 || h_flits < 50) $display("TOO FEW");
    $finish;
  end

endmodule

`default_nettype wire
