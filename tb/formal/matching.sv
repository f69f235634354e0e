// SPDX-License-Identifier: Apache-2.0
/// Allocator of any kind, with any requests: an output goes to at most one input, an input gets at most one output, and
/// only requests are granted. If there is a request, there is a grant. With Maximal, no request remains whose input and
/// output are both left over.
`default_nettype none

module matching #(
  parameter int unsigned Inputs = 3,
  parameter int unsigned Outputs = 3,
  parameter int unsigned Kind = 0,
  parameter int unsigned Arbiter = 0,
  parameter int unsigned Iterations = 1,
  parameter int unsigned Maximal = 0
) (
  input wire logic clk_i,

  input wire logic [Inputs*Outputs-1:0] request_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [Inputs*Outputs-1:0] grant;
  weft_matching_allocator #(
    .Inputs    (Inputs),
    .Outputs   (Outputs),
    .Kind      (Kind),
    .Arbiter   (Arbiter),
    .Iterations(Iterations)
  ) u_allocator (
    .clk_i,
    .rst_ni   (reset_done_q),
    .request_i,
    .grant_o  (grant)
  );

  logic [Outputs-1:0] taken;
  always_comb begin
    taken = '0;
    for (int unsigned in = 0; in < Inputs; in++) taken = taken | grant[in*Outputs+:Outputs];
  end

  // Counted in another way than in the module: two grants in a row or a column, for each pair.
  logic legal, maximal;
  always_comb begin
    legal = (grant & ~request_i) == '0;
    maximal = 1'b1;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) begin
        for (int unsigned other = 0; other < Outputs; other++) begin
          if (other != out && grant[in*Outputs+out] && grant[in*Outputs+other]) legal = 1'b0;
        end
        for (int unsigned other = 0; other < Inputs; other++) begin
          if (other != in && grant[in*Outputs+out] && grant[other*Outputs+out]) legal = 1'b0;
        end
      end
    end
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) begin
        if (request_i[in*Outputs+out] && grant[in*Outputs+:Outputs] == '0 && !taken[out]) maximal = 1'b0;
      end
    end
  end

  always_comb begin
    if (reset_done_q) begin
      Legal : assert (legal);
      SomethingIsGranted : assert (request_i == '0 || grant != '0);
      NothingIsLeft : assert (Maximal == 0 || maximal);
    end
  end

endmodule

`default_nettype wire
