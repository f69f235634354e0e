// SPDX-License-Identifier: Apache-2.0
/// Separable, input-first allocator: the arbiter of every input selects one of the requested outputs, and the arbiter
/// of every output selects one of the inputs that selected it.
///
/// Purpose    Computes weft::allocate_input_first() (systemc/weft/router/allocators/separable_input_first.h), and has
///            the arbiters.
/// Latency    None: grants depend on the requests of the same cycle. The arbiters change at the end of the cycle.
/// Handshake  Every grant is final. An arbiter changes only if one of its selections is granted.
`default_nettype none

module weft_input_first_allocator #(
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

  // picked: the selection of each input. The other two vectors are by output: bit o * Inputs + i.
  logic [Inputs*Outputs-1:0] picked, picked_by, granted_by;

  always_comb begin
    picked_by = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) picked_by[out*Inputs+in] = picked[in*Outputs+out];
    end
  end
  always_comb begin
    grant_o = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) grant_o[in*Outputs+out] = granted_by[out*Inputs+in];
    end
  end

  for (genvar in = 0; in < Inputs; in++) begin : gen_input
    weft_arbiter #(
      .Count  (Outputs),
      .Arbiter(Arbiter)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(request_i[in*Outputs+:Outputs]),
      .used_i   (|grant_o[in*Outputs+:Outputs]),
      .grant_o  (picked[in*Outputs+:Outputs])
    );
  end

  for (genvar out = 0; out < Outputs; out++) begin : gen_output
    weft_arbiter #(
      .Count  (Inputs),
      .Arbiter(Arbiter)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(picked_by[out*Inputs+:Inputs]),
      .used_i   (|picked_by[out*Inputs+:Inputs]),
      .grant_o  (granted_by[out*Inputs+:Inputs])
    );
  end

endmodule

`default_nettype wire
