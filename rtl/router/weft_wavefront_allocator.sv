// SPDX-License-Identifier: Apache-2.0
/// Wavefront allocator: grants requests diagonal by diagonal of the request matrix. No request remains whose input and
/// output are both left over.
///
/// Purpose    Computes weft::wavefront_allocator::allocate() (systemc/weft/router/allocators/wavefront.h), and has the
///            number of the first diagonal.
/// Latency    None: grants depend on the requests of the same cycle. The first diagonal changes at the end of it.
/// Handshake  Every grant is final. The first diagonal changes only in cycles with grants.
///
/// Input i and output o are on diagonal (i + o) mod n, where n is the larger number of inputs and outputs. The requests
/// of a diagonal have no input and no output in common, so they are granted at once. The diagonals are rotated before
/// and after the search, so the logic has no loop: the search always begins at the first word.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_wavefront_allocator #(
  /// Number of inputs, at least 1.
  parameter int unsigned Inputs = 5,
  /// Number of outputs, at least 1.
  parameter int unsigned Outputs = 5,
  /// 0: the first diagonal moves by one. 1: it moves past the first diagonal with a grant.
  parameter int unsigned Fair = 0
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  /// The outputs that each input requests. The bit of input i and output o is i * Outputs + o.
  input  wire logic [Inputs*Outputs-1:0] request_i,
  /// The output that each input gets, in the same form.
  output logic [Inputs*Outputs-1:0] grant_o
);

  // Number of diagonals.
  localparam int unsigned Count = Inputs > Outputs ? Inputs : Outputs;
  localparam int unsigned StartBits = Count > 1 ? $clog2(Count) : 1;

  // Words of one bit for each input: of diagonal d the requests and grants, and of step s those of diagonal start + s.
  logic [Count*Inputs-1:0] requested, waiting, won, granted;
  logic [StartBits-1:0]    start_q, start_d;

  always_comb begin
    requested = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) begin
        requested[((in+out)%Count)*Inputs+in] = request_i[in*Outputs+out];
      end
    end
  end
  always_comb begin
    grant_o = '0;
    for (int unsigned in = 0; in < Inputs; in++) begin
      for (int unsigned out = 0; out < Outputs; out++) begin
        grant_o[in*Outputs+out] = granted[((in+out)%Count)*Inputs+in];
      end
    end
  end

  // Rotations by the powers of two in start_q.
  always_comb begin
    waiting = requested;
    for (int unsigned i = 0; i < StartBits; i++) begin
      if (start_q[i]) begin
        waiting = (waiting >> (2 ** i % Count * Inputs)) | (waiting << ((Count - 2 ** i % Count) * Inputs));
      end
    end
  end
  always_comb begin
    granted = won;
    for (int unsigned i = 0; i < StartBits; i++) begin
      if (start_q[i]) begin
        granted = (granted << (2 ** i % Count * Inputs)) | (granted >> ((Count - 2 ** i % Count) * Inputs));
      end
    end
  end

  // The search. Bit i of free_outputs belongs to the output that input i has on the diagonal of this step. In the next
  // step this is the output of input i - 1. Outputs are not free only because of a grant, so all bits begin as 1.
  logic [Inputs-1:0]    free_inputs, step;
  logic [Count-1:0]     free_outputs, step_outputs;
  logic [StartBits-1:0] first;  // the first step with a request
  logic                 found;
  always_comb begin
    won = '0;
    free_inputs = '1;
    free_outputs = '1;
    first = '0;
    found = 1'b0;
    step = '0;
    step_outputs = '0;
    for (int unsigned distance = 0; distance < Count; distance++) begin
      step = waiting[distance*Inputs+:Inputs] & free_inputs & free_outputs[Inputs-1:0];
      won[distance*Inputs+:Inputs] = step;
      free_inputs = free_inputs & ~step;
      step_outputs = free_outputs & ~(Count'(step));
      free_outputs = (step_outputs << 1) | (step_outputs >> (Count - 1));
      if (!found) first = StartBits'(distance);
      if (waiting[distance*Inputs+:Inputs] != '0) found = 1'b1;
    end
  end

  // The diagonal past the one with number start, or past start + first.
  logic [StartBits:0] next;
  always_comb begin
    next = {1'b0, start_q} + (StartBits + 1)'(1);
    if (Fair != 0) next = next + {1'b0, first};
    if (next >= (StartBits + 1)'(Count)) next = next - (StartBits + 1)'(Count);
    start_d = next[StartBits-1:0];
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      start_q <= '0;
    end else if (found) begin
      start_q <= start_d;
    end
  end

  `WEFT_ASSERT(StartExists, 32'(start_q) < Count, "the first diagonal does not exist")
  `WEFT_ASSERT(FoundIsGranted, found == (won != '0), "a diagonal with a request is the first, but has no grant")

endmodule

`default_nettype wire
