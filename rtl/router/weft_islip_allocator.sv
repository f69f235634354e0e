// SPDX-License-Identifier: Apache-2.0
/// iSLIP allocator: output-first matching with round-robin arbiters, repeated for the inputs and outputs that are left.
///
/// Purpose    Computes weft::grant_and_accept() (systemc/weft/router/allocators/grant_and_accept.h), and has the
///            pointers of the arbiters.
/// Latency    None: grants depend on the requests of the same cycle, through all iterations. The pointers move at the
///            end of the cycle.
/// Handshake  Every grant is final. A pointer moves only past a grant of the first iteration, so no requester starves.
///
/// Every iteration has arbiters of its own, which read the same pointers.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_islip_allocator #(
  /// Number of inputs, at least 1.
  parameter int unsigned Inputs = 5,
  /// Number of outputs, at least 1.
  parameter int unsigned Outputs = 5,
  /// Number of iterations, at least 1.
  parameter int unsigned Iterations = 1
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// The outputs that each input requests. The bit of input i and output o is i * Outputs + o.
  input  wire logic [Inputs*Outputs-1:0] request_i,
  /// The output that each input gets, in the same form.
  output logic [Inputs*Outputs-1:0] grant_o
);

  localparam int unsigned Pairs = Inputs * Outputs;

  // The requesters at or after the pointer of each arbiter, as weft_round_robin_arbiter reads them.
  logic [Pairs-1:0] from_input_q, from_input_d;    // of inputs: bit i * Outputs + o
  logic [Pairs-1:0] from_output_q, from_output_d;  // of outputs: bit o * Inputs + i
  logic [Inputs-1:0]  input_moves;                 // inputs with a grant of the first iteration
  logic [Outputs-1:0] output_moves;

  // The grants of all iterations up to each one; those before the first are none.
  logic [(Iterations+1)*Pairs-1:0] granted /* verilator split_var */;
  assign granted[0+:Pairs] = '0;

  for (genvar iteration = 0; iteration < Iterations; iteration++) begin : gen_iteration
    logic [Inputs-1:0]  matched_inputs;
    logic [Outputs-1:0] matched_outputs;
    // requested_by and offered_by are by output.
    logic [Pairs-1:0] earlier, requested_by, offered_by, offered, accepted, next_input, next_output;
    assign earlier = granted[iteration*Pairs+:Pairs];

    always_comb begin
      matched_inputs = '0;
      matched_outputs = '0;
      for (int unsigned in = 0; in < Inputs; in++) begin
        matched_inputs[in] = |earlier[in*Outputs+:Outputs];
        matched_outputs = matched_outputs | earlier[in*Outputs+:Outputs];
      end
    end

    always_comb begin
      requested_by = '0;
      for (int unsigned in = 0; in < Inputs; in++) begin
        for (int unsigned out = 0; out < Outputs; out++) begin
          requested_by[out*Inputs+in] = request_i[in*Outputs+out] && !matched_inputs[in] && !matched_outputs[out];
        end
      end
    end
    always_comb begin
      offered = '0;
      for (int unsigned in = 0; in < Inputs; in++) begin
        for (int unsigned out = 0; out < Outputs; out++) offered[in*Outputs+out] = offered_by[out*Inputs+in];
      end
    end

    for (genvar out = 0; out < Outputs; out++) begin : gen_output
      weft_round_robin_arbiter #(
        .Count(Inputs)
      ) u_arbiter (
        .request_i(requested_by[out*Inputs+:Inputs]),
        .from_i   (from_output_q[out*Inputs+:Inputs]),
        .grant_o  (offered_by[out*Inputs+:Inputs]),
        .next_o   (next_output[out*Inputs+:Inputs])
      );
    end
    for (genvar in = 0; in < Inputs; in++) begin : gen_input
      weft_round_robin_arbiter #(
        .Count(Outputs)
      ) u_arbiter (
        .request_i(offered[in*Outputs+:Outputs]),
        .from_i   (from_input_q[in*Outputs+:Outputs]),
        .grant_o  (accepted[in*Outputs+:Outputs]),
        .next_o   (next_input[in*Outputs+:Outputs])
      );
    end

    assign granted[(iteration+1)*Pairs+:Pairs] = earlier | accepted;

    if (iteration == 0) begin : gen_first
      assign from_input_d = next_input;
      assign from_output_d = next_output;
      always_comb begin
        input_moves = '0;
        output_moves = '0;
        for (int unsigned in = 0; in < Inputs; in++) begin
          input_moves[in] = |accepted[in*Outputs+:Outputs];
          output_moves = output_moves | accepted[in*Outputs+:Outputs];
        end
      end
    end else begin : gen_later
      logic unused_next;
      assign unused_next = &{next_input, next_output};
    end
  end

  assign grant_o = granted[Iterations*Pairs+:Pairs];

  for (genvar in = 0; in < Inputs; in++) begin : gen_input_pointer
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_input_q[in*Outputs+:Outputs] <= '0;
      end else if (input_moves[in]) begin
        from_input_q[in*Outputs+:Outputs] <= from_input_d[in*Outputs+:Outputs];
      end
    end
  end
  for (genvar out = 0; out < Outputs; out++) begin : gen_output_pointer
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        from_output_q[out*Inputs+:Inputs] <= '0;
      end else if (output_moves[out]) begin
        from_output_q[out*Inputs+:Inputs] <= from_output_d[out*Inputs+:Inputs];
      end
    end
  end

  `WEFT_PARAMETER(IterationsSupported, Iterations >= 1, "Iterations must be at least 1")

endmodule

`default_nettype wire
