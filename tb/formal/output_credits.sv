// SPDX-License-Identifier: Apache-2.0
/// Output unit: the number of credits of every VC is the depth of the next buffer minus the number of flits whose
/// credit has not returned. No credit is lost or created. A channel that cuts flits into k parts is busy in the k - 1
/// cycles after a flit. Two ports of two VCs, each with any depth up to 3 or with unlimited depth, and any k up to 3.
`default_nettype none

module output_credits (
  input wire logic clk_i,

  input wire logic [3:0] grant_output_i,
  input wire logic [1:0] grant_out_vc_i,
  input wire logic [3:0] credit_i,
  input wire logic [3:0] depth_i,
  input wire logic [3:0] phits_i
);

  logic       reset_done_q = 1'b0;
  logic [3:0] depth_q, phits_q;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    depth_q <= depth_i;
    phits_q <= phits_i;
  end

  logic [3:0]  available;
  logic [63:0] count;
  logic [1:0]  busy;
  weft_output_unit #(
    .Ports(2),
    .Vcs(2),
    .OutputDepth(3),
    .Narrow(1)
  ) u_output_unit (
    .clk_i,
    .rst_ni(reset_done_q),
    .depth_i,
    .phits_i({5'd0, phits_i[3:2], 5'd0, phits_i[1:0]}),
    .grant_output_i,
    .grant_out_vc_i,
    .credit_i,
    .status_available_o(available),
    .status_busy_o(busy),
    .count_o(count)
  );

  // Flits without a returned credit, per VC; flits sent and credits returned in this cycle.
  logic [3:0] sent, returned, limited, equal, may_send, may_return;
  for (genvar vc_index = 0; vc_index < 4; vc_index++) begin : gen_vc
    localparam int unsigned Port = vc_index / 2;
    localparam int unsigned Vc = vc_index % 2;
    logic [1:0] out_q, depth;
    assign depth = depth_i[2*Port+:2];
    assign limited[vc_index] = depth != '0;
    assign sent[vc_index] = (grant_output_i[Port] && grant_out_vc_i[0] == 1'(Vc)) ||
                            (grant_output_i[2+Port] && grant_out_vc_i[1] == 1'(Vc));
    assign returned[vc_index] = credit_i[2*Port+1] && credit_i[2*Port] == 1'(Vc);
    assign may_send[vc_index] = available[vc_index] || !sent[vc_index];
    assign may_return[vc_index] = !returned[vc_index] || out_q != '0;
    always_ff @(posedge clk_i) begin
      if (!reset_done_q) out_q <= '0;
      else if (limited[vc_index]) out_q <= out_q + 2'(sent[vc_index]) - 2'(returned[vc_index]);
    end
    assign equal[vc_index] = out_q <= depth && available[vc_index] == (!limited[vc_index] || out_q != depth) &&
                             count[16*vc_index+:16] == (limited[vc_index] ? 16'(depth) - 16'(out_q) : 16'hffff);
  end

  // The cycles since the last flit of each port, up to 3.
  logic [1:0] flit, right_busy;
  for (genvar port = 0; port < 2; port++) begin : gen_port
    logic [1:0] since_q;
    assign flit[port] = grant_output_i[port] || grant_output_i[2+port];
    always_ff @(posedge clk_i) begin
      if (!reset_done_q) since_q <= 2'd3;
      else since_q <= flit[port] ? 2'd1 : since_q + 2'(since_q != 2'd3);
    end
    assign right_busy[port] = busy[port] == (since_q < phits_i[2*port+:2]);
  end

  always_comb begin
    assume (!reset_done_q || (depth_i == depth_q && phits_i == phits_q));
    assume (phits_i[1:0] != '0 && phits_i[3:2] != '0);
    assume ((flit & busy) == '0);
    // Grants of the switch allocator: one output per input, one input per output, only with a credit.
    assume (grant_output_i[1:0] != 2'b11 && grant_output_i[3:2] != 2'b11);
    assume ((grant_output_i[1:0] & grant_output_i[3:2]) == '0);
    assume (may_send == '1);
    // Credits return only for flits that were sent.
    assume (may_return == '1);
    if (reset_done_q) begin
      CreditsConserved : assert (equal == '1);
      BusyWithAFlit : assert (right_busy == '1);
    end
  end

endmodule

`default_nettype wire
