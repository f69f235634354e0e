// SPDX-License-Identifier: Apache-2.0
/// Switch allocator: at most one flit leaves each input port, and at most one goes to each output port. Only VCs with a
/// flit, an output VC and a credit send, and only to ports whose channel is not busy. If any VC can send, a flit is
/// sent. Three ports of two VCs.
`default_nettype none

module switch_matching (
  input wire logic clk_i,

  input wire logic [5:0]  occupied_i,
  input wire logic [5:0]  tail_i,
  input wire logic [5:0]  active_i,
  input wire logic [11:0] port_i,
  input wire logic [5:0]  vc_i,
  input wire logic [5:0]  available_i,
  input wire logic [2:0]  busy_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [2:0] sends, tails, out_vc;
  logic [5:0] vc;
  logic [8:0] to;
  weft_switch_allocator #(
    .Ports(3),
    .Vcs(2)
  ) u_allocator (
    .clk_i,
    .rst_ni(reset_done_q),
    .status_occupied_i(occupied_i),
    .status_tail_i(tail_i),
    .assigned_active_i(active_i),
    .assigned_port_i(port_i),
    .assigned_vc_i(vc_i),
    .credit_available_i(available_i),
    .credit_busy_i(busy_i),
    .grant_input_o(sends),
    .grant_tail_o(tails),
    .grant_vc_o(vc),
    .grant_output_o(to),
    .grant_out_vc_o(out_vc)
  );

  logic [5:0] ready, exists;
  logic [2:0] right, one_each;
  for (genvar vc_index = 0; vc_index < 6; vc_index++) begin : gen_vc
    assign exists[vc_index] = port_i[2*vc_index+:2] != 2'd3;
    assign ready[vc_index] = occupied_i[vc_index] && active_i[vc_index] &&
                             ((port_i[2*vc_index+:2] == 2'd0 && !busy_i[0] && available_i[0+32'(vc_i[vc_index])]) ||
                              (port_i[2*vc_index+:2] == 2'd1 && !busy_i[1] && available_i[2+32'(vc_i[vc_index])]) ||
                              (port_i[2*vc_index+:2] == 2'd2 && !busy_i[2] && available_i[4+32'(vc_i[vc_index])]));
  end
  for (genvar port = 0; port < 3; port++) begin : gen_port
    logic [1:0] granted_vc;
    logic       second;
    logic [1:0] goes_to;
    assign granted_vc = vc[2*port+:2];
    assign second = granted_vc[1];
    assign goes_to = second ? port_i[2*(2*port+1)+:2] : port_i[2*(2*port)+:2];
    assign right[port] = !sends[port] ? to[3*port+:3] == '0 :
                         ((granted_vc == 2'b01 || granted_vc == 2'b10) && (ready[2*port+:2] & granted_vc) != '0 &&
                          to[3*port+:3] == 3'(1 << goes_to) && out_vc[port] == vc_i[2*port+32'(second)] &&
                          tails[port] == tail_i[2*port+32'(second)]);
    assign one_each[port] = 2'(sends[0] && to[port]) + 2'(sends[1] && to[3+port]) + 2'(sends[2] && to[6+port]) <= 2'd1;
  end

  always_comb begin
    assume (exists == '1);
    if (reset_done_q) begin
      SendsWhatIsReady : assert (right == '1);
      OneFlitAnOutput : assert (one_each == '1);
      SomethingIsSent : assert (ready == '0 || sends != '0);
    end
  end

endmodule

`default_nettype wire
