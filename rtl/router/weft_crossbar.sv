// SPDX-License-Identifier: Apache-2.0
/// Crossbar: transfers the flits of one cycle from input ports to output ports.
///
/// Purpose    Its registers are the router's output registers. A deeper pipeline (S > 4) has its additional stages
///            here. The input unit, whose memories have an output register, presents each flit at its output port.
/// Latency    A flit on flit_i in cycle t is on flit_o in t + Stages (pipeline stage ST, possibly several cycles).
/// Handshake  None: the switch allocator never sends two flits to one port.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_crossbar #(
  /// Ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Cycles from input to output, at least 1.
  parameter int unsigned Stages = 1,
  /// Bits of the path id, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of a flit's data; see weft_pkg.
  parameter int unsigned DataBits = 168,
  // Derived, not to be set.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// For each output port, the flit for it.
  input  wire logic [Ports*FlitBits-1:0] flit_i,
  output logic      [Ports*FlitBits-1:0] flit_o,

  /// Flits are in the pipeline, not yet on flit_o.
  output logic busy_o
);

  localparam int unsigned BodyBits = FlitBits - 1;

  // Stage 0 stores the inputs. Valid bits are reset, bodies are not.
  logic [Stages*Ports-1:0] valid_q;

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    logic [Stages*BodyBits-1:0] body_q;

    for (genvar stage = 0; stage < Stages; stage++) begin : gen_stage
      logic                valid;
      logic [BodyBits-1:0] body;
      if (stage == 0) begin : gen_first
        assign {valid, body} = flit_i[port*FlitBits+:FlitBits];
      end else begin : gen_later
        assign valid = valid_q[(stage-1)*Ports+port];
        assign body  = body_q[(stage-1)*BodyBits+:BodyBits];
      end

      always_ff @(`WEFT_CLOCKED) begin
        if (!rst_ni) begin
          valid_q[stage*Ports+port] <= 1'b0;
        end else begin
          valid_q[stage*Ports+port] <= valid;
        end
      end

      always_ff @(posedge clk_i) begin
        if (valid) body_q[stage*BodyBits+:BodyBits] <= body;
      end
    end

    assign flit_o[port*FlitBits+:FlitBits] = {valid_q[(Stages-1)*Ports+port], body_q[(Stages-1)*BodyBits+:BodyBits]};
  end

  if (Stages == 1) begin : gen_short
    assign busy_o = 1'b0;
  end else begin : gen_long
    assign busy_o = |valid_q[(Stages-1)*Ports-1:0];
  end

  `WEFT_PARAMETER(StagesSupported, Stages >= 1, "Stages must be at least 1")
  `WEFT_ASSERT_KNOWN(KnownOut, ({valid_q, busy_o}), "flit status signals must not be X")

endmodule

`default_nettype wire
