// SPDX-License-Identifier: Apache-2.0
/// Separable, output-first allocator: the arbiter of every output selects one of the inputs that request it, and the
/// arbiter of every input accepts one of the outputs that selected it.
///
/// Purpose    Computes weft::grant_and_accept() (systemc/weft/router/allocators/grant_and_accept.h) with one iteration,
///            and has the arbiters.
/// Latency    None: grants depend on the requests of the same cycle. The arbiters change at the end of the cycle.
/// Handshake  Every grant is final. An arbiter changes only if one of its selections is granted.
///
/// It is the input-first allocator of the transposed request matrix.
`default_nettype none

module weft_output_first_allocator #(
  /// Number of inputs, at least 1.
  parameter int unsigned Inputs = 5,
  /// Number of outputs, at least 1.
  parameter int unsigned Outputs = 5,
  /// The kind of the arbiters: see weft_arbiter.
  parameter int unsigned Arbiter = weft_pkg::ArbiterRoundRobin
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// The outputs that each input requests. The bit of input i and output o is i * Outputs + o.
  input  wire logic [Inputs*Outputs-1:0] request_i,
  /// The output that each input gets, in the same form.
  output logic [Inputs*Outputs-1:0] grant_o
);

  // The transposed requests and grants: bit o * Inputs + i. Outputs take the part of the inputs, and select first.
  logic [Inputs*Outputs-1:0] requested_by, granted_by;

  always_comb begin
    requested_by = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) requested_by[out*Inputs+in] = request_i[in*Outputs+out];
    end
  end
  always_comb begin
    grant_o = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) grant_o[in*Outputs+out] = granted_by[out*Inputs+in];
    end
  end

  weft_input_first_allocator #(
    .Inputs (Outputs),
    .Outputs(Inputs),
    .Arbiter(Arbiter)
  ) u_transposed (
    .clk_i,
    .rst_ni,
    .request_i(requested_by),
    .grant_o  (granted_by)
  );

endmodule

`default_nettype wire
