// SPDX-License-Identifier: Apache-2.0
/// A router, as a netlist of Yosys, for simulation with Icarus Verilog. It has three senders that respect their
/// credits, and three receivers. All signals that the contract leaves open are X. No X may reach a meaningful output.
`default_nettype none

module unknown_router;

  localparam integer Cycles = 300;
  localparam integer Ports = 3;
  localparam integer HeaderBits = 102;
  localparam integer FlitBits = 3 + 1 + 1 + HeaderBits + 2 + 32;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;
  initial #42 rst_n = 1'b1;

  logic [Ports*FlitBits-1:0] flit_in, flit_out;
  logic [Ports*2-1:0]        credit_in, credit_out;
  // For each of three destinations: port, two VCs.
  weft_router u_router (
    .clk_i(clk), .rst_ni(rst_n), .rule_i({2'd2, 2'b11, 2'd1, 2'b10, 2'd0, 2'b11}), .depth_i({Ports{2'd2}}),
    .phits_i({Ports{7'd1}}),
    .flit_i(flit_in), .credit_o(credit_out), .flit_o(flit_out), .credit_i(credit_in)
  );

  integer flits [Ports];
  for (genvar port = 0; port < Ports; port++) begin : gen_port
    logic                  valid, head, tail, ready;
    logic [HeaderBits-1:0] header;
    logic [104:0]          code;
    logic [31:0]           payload;
    unknown_source #(.Words(1), .Seed(port + 1), .Longest(4), .Nodes(3)) u_sender (
      .clk_i(clk), .rst_ni(rst_n), .valid_o(valid), .head_o(head), .tail_o(tail), .header_o(header), .code_o(code),
      .payload_o(payload), .ready_i(ready)
    );

    // Packets alternate between the VCs. A flit is sent in the cycle in which it has a credit.
    logic       vc, comes, returns, returned_vc;
    logic [1:0] credits [2];
    integer     seed = port + 11;
    assign ready = credits[vc] != 2'd0;
    assign comes = valid && ready;
    assign flit_in[port*FlitBits+:FlitBits] =
        comes ? {1'b1, head, tail, vc, 1'b0, header, 2'd0, payload} : {1'b0, {FlitBits - 1{1'bx}}};
    assign {returns, returned_vc} = credit_out[2*port+:2];
    initial begin
      vc = 1'b0;
      credits[0] = 2'd2;
      credits[1] = 2'd2;
    end
    always @(posedge clk) begin
      if (rst_n) begin
        if (returns) credits[returned_vc] <= credits[returned_vc] + 2'(!(comes && vc == returned_vc));
        if (comes && !(returns && vc == returned_vc)) credits[vc] <= credits[vc] - 2'd1;
        if (comes && tail) vc <= !vc;
      end
    end

    // The receiver returns every credit at once.
    logic                  out_valid, out_head, out_tail, out_vc, out_path_id;
    logic [HeaderBits-1:0] out_header;
    logic [1:0]            out_error;
    logic [31:0]           out_payload;
    assign {out_valid, out_head, out_tail, out_vc, out_path_id, out_header, out_error, out_payload} =
        flit_out[port*FlitBits+:FlitBits];
    unknown_watch #(.BodyBits(1 + 1 + 2 + 32), .HeadBits(HeaderBits)) u_receiver (
      .clk_i(clk), .rst_ni(rst_n), .valid_i(out_valid), .head_i(out_head), .tail_i(out_tail), .with_head_i(out_header),
      .body_i({out_vc, out_path_id, out_error, out_payload}), .ready_i(1'b1), .valid_o(), .head_o(), .tail_o(),
      .with_head_o(), .body_o(), .ready_o(), .flits_o(flits[port])
    );
    logic credit_q, credit_vc_q;
    always @(posedge clk) begin
      credit_q    <= rst_n && out_valid;
      credit_vc_q <= out_vc;
    end
    assign credit_in[2*port+:2] = {credit_q, credit_q ? credit_vc_q : 1'bx};

    always @(negedge clk) begin
      if (rst_n && (returns === 1'bx || (returns && returned_vc === 1'bx))) begin
        $display("UNKNOWN: credit of port %0d at %0t", port, $time);
        $finish;
      end
    end
  end

  initial begin
    repeat (Cycles) @(posedge clk);
    $display("KNOWN: %0d, %0d and %0d flits", flits[0], flits[1], flits[2]);
    if (flits[0] < 20 || flits[1] < 20 || flits[2] < 20) $display("TOO FEW");
    $finish;
  end

endmodule

`default_nettype wire
