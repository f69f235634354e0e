// SPDX-License-Identifier: Apache-2.0
/// Output unit: the number of credits of every VC is the depth of the next buffer minus the number of flits whose
/// credit has not returned. No credit is lost or created. Two ports of two VCs, each with any depth up to 3 or with
/// unlimited depth.
`default_nettype none

module output_credits (
  input wire logic clk_i,

  input wire logic [3:0] grant_output_i,
  input wire logic [1:0] grant_out_vc_i,
  input wire logic [3:0] credit_i,
  input wire logic [3:0] depth_i
);

  logic       reset_done_q = 1'b0;
  logic [3:0] depth_q;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    depth_q <= depth_i;
  end

  logic [3:0]  available;
  logic [63:0] count;
  weft_output_unit #(
    .Ports(2),
    .Vcs(2),
    .OutputDepth(3)
  ) u_output_unit (
    .clk_i,
    .rst_ni(reset_done_q),
    .depth_i,
    .grant_output_i,
    .grant_out_vc_i,
    .credit_i,
    .status_available_o(available),
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

  always_comb begin
    assume (!reset_done_q || depth_i == depth_q);
    // Grants of the switch allocator: one output per input, one input per output, only with a credit.
    assume (grant_output_i[1:0] != 2'b11 && grant_output_i[3:2] != 2'b11);
    assume ((grant_output_i[1:0] & grant_output_i[3:2]) == '0);
    assume (may_send == '1);
    // Credits return only for flits that were sent.
    assume (may_return == '1);
    if (reset_done_q) begin
      CreditsConserved : assert (equal == '1);
    end
  end

endmodule

`default_nettype wire
