// SPDX-License-Identifier: Apache-2.0
/// Separable, output-first allocator: the arbiter of every output selects one of the inputs that request it, and the
/// arbiter of every input accepts one of the outputs that selected it.
///
/// Purpose    Computes weft::grant_and_accept() (systemc/weft/router/allocators/grant_and_accept.h) with one iteration,
///            and has the arbiters.
/// Latency    None: grants depend on the requests of the same cycle. The arbiters change at the end of the cycle.
/// Handshake  Every grant is final. An arbiter changes only if one of its selections is granted.
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

  // offered: the outputs that selected each input. The other vectors are by output: bit o * Inputs + i.
  logic [Inputs*Outputs-1:0] offered, requested_by, offered_by, granted_by;

  always_comb begin
    requested_by = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) requested_by[out*Inputs+in] = request_i[in*Outputs+out];
    end
  end
  always_comb begin
    offered = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) offered[in*Outputs+out] = offered_by[out*Inputs+in];
    end
  end
  always_comb begin
    granted_by = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) granted_by[out*Inputs+in] = grant_o[in*Outputs+out];
    end
  end

  for (genvar out = 0; out < Outputs; out++) begin : gen_output
    weft_arbiter #(
      .Count  (Inputs),
      .Arbiter(Arbiter)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(requested_by[out*Inputs+:Inputs]),
      .used_i   (|granted_by[out*Inputs+:Inputs]),
      .grant_o  (offered_by[out*Inputs+:Inputs])
    );
  end

  for (genvar in = 0; in < Inputs; in++) begin : gen_input
    weft_arbiter #(
      .Count  (Outputs),
      .Arbiter(Arbiter)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(offered[in*Outputs+:Outputs]),
      .used_i   (|offered[in*Outputs+:Outputs]),
      .grant_o  (grant_o[in*Outputs+:Outputs])
    );
  end

endmodule

`default_nettype wire
