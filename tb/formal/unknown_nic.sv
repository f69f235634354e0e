// SPDX-License-Identifier: Apache-2.0
/// A NIC with all its stages, as a netlist of Yosys, for simulation with Icarus Verilog. The flits that it sends to the
/// router return to it. All signals that the contract leaves open are X. No X may reach a meaningful output.
`default_nettype none

module unknown_nic;

  localparam integer Cycles = 100;
  localparam integer HeaderBits = 102;
  localparam integer CodeBits = 105;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;
  initial #42 rst_n = 1'b1;

  integer seed = 3;
  logic   ready, tick, flush;
  always @(posedge clk) begin
    ready <= $unsigned($random(seed)) % 4 != 0;
    tick  <= $unsigned($random(seed)) % 16 == 0;
    flush <= $unsigned($random(seed)) % 32 == 0;
  end

  // Node to NIC: valid, head, tail, header, error, code, payload.
  logic                  a_valid, a_head, a_tail, a_ready;
  logic [HeaderBits-1:0] a_header;
  logic [CodeBits-1:0]   a_code;
  logic [31:0]           a_payload;
  unknown_source #(.Words(1), .Code(1), .Seed(1), .Longest(4)) u_node (
    .clk_i(clk), .rst_ni(rst_n), .valid_o(a_valid), .head_o(a_head), .tail_o(a_tail), .header_o(a_header),
    .code_o(a_code), .payload_o(a_payload), .ready_i(a_ready)
  );

  // NIC to router, and back to the NIC: with VC and path id.
  logic                  b_valid, b_head, b_tail, b_vc, b_path_id, c_valid, c_head, c_tail, c_vc, c_path_id;
  logic [HeaderBits-1:0] b_header, c_header;
  logic [CodeBits-1:0]   b_code, c_code;
  logic [1:0]            b_error;
  logic [31:0]           b_payload, c_payload;
  integer                b_flits;
  unknown_watch #(.BodyBits(1 + 1 + 32), .HeadBits(HeaderBits + CodeBits)) u_router (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(b_valid), .head_i(b_head), .tail_i(b_tail), .with_head_i({b_header, b_code}),
    .body_i({b_vc, b_path_id, b_payload}), .ready_i(1'b1), .valid_o(c_valid), .head_o(c_head), .tail_o(c_tail),
    .with_head_o({c_header, c_code}), .body_o({c_vc, c_path_id, c_payload}), .ready_o(), .flits_o(b_flits)
  );
  logic credit, credit_vc;

  // NIC to node
  logic                  d_valid, d_head, d_tail, d_vc, d_ready;
  logic [HeaderBits-1:0] d_header;
  logic [CodeBits-1:0]   d_code;
  logic [1:0]            d_error;
  logic [31:0]           d_payload;
  integer                d_flits;
  unknown_watch #(.BodyBits(1 + 2 + 32), .HeadBits(HeaderBits + CodeBits)) u_receiver (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(d_valid), .head_i(d_head), .tail_i(d_tail), .with_head_i({d_header, d_code}),
    .body_i({d_vc, d_tail === 1'b1 ? d_error : 2'd0, d_payload}), .ready_i(ready), .valid_o(), .head_o(), .tail_o(),
    .with_head_o(), .body_o(), .ready_o(d_ready), .flits_o(d_flits)
  );

  logic [31:0] received;
  logic        busy;
  weft_nic u_nic (
    .clk_i(clk), .rst_ni(rst_n), .tick_i(tick),
    .send_i({a_valid, a_head, a_tail, a_header, a_valid ? 2'd0 : 2'bxx, a_code, a_payload}), .send_ready_o(a_ready),
    .receive_o({d_valid, d_head, d_tail, d_vc, d_header, d_error, d_code, d_payload}), .receive_ready_i(d_ready),
    .queue_i(32'd5), .received_o(received),
    .flit_o({b_valid, b_head, b_tail, b_vc, b_path_id, b_header, b_error, b_code, b_payload}),
    .credit_i({credit, credit === 1'b1 ? credit_vc : 1'bx}),
    .flit_i({c_valid, c_head, c_tail, c_vc, c_path_id, c_header, c_valid ? 2'd0 : 2'bxx, c_code, c_payload}),
    .credit_o({credit, credit_vc}), .path_ids_i(1'b0),
    .mode_i(2'd1), .length_threshold_i(24'd0), .received_threshold_i(32'd0), .queue_threshold_i(32'd0), .cut_i(6'd0),
    .flush_i(flush), .busy_o(busy)
  );

  always @(negedge clk) begin
    if (rst_n && (^{received, busy, credit} === 1'bx || (credit && credit_vc === 1'bx))) begin
      $display("UNKNOWN: count, busy or credit at %0t: %h %b %b %b", $time, received, busy, credit, credit_vc);
      $finish;
    end
  end
  initial begin
    repeat (Cycles) @(posedge clk);
    $display("KNOWN: %0d flits to the router, %0d to the node", b_flits, d_flits);
    if (b_flits < 10 || d_flits < 10) $display("TOO FEW");
    $finish;
  end

endmodule

`default_nettype wire
