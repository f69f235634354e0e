// SPDX-License-Identifier: Apache-2.0
/// Crossbar: moves flits from input ports to output ports; in each cycle one flit per port.
///
/// Purpose    Its output registers are the output registers of the router. If the pipeline of the router has more than
///            four stages (S > 4), the crossbar contains the additional stages. The input unit, whose memories have
///            output registers, presents each flit at its output port.
/// Latency    A flit on flit_i in cycle t is on flit_o in t + Stages. These cycles are the pipeline stage ST.
/// Handshake  None: the switch allocator never sends two flits to one output port.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_crossbar #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Number of cycles from input to output, at least 1.
  parameter int unsigned Stages = 1,
  /// Width of the path id in bits, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of the data of a flit in bits; see weft_pkg.
  parameter int unsigned DataBits = 168,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// For each output port, the flit that goes to it.
  input  wire logic [Ports*FlitBits-1:0] flit_i,
  output logic      [Ports*FlitBits-1:0] flit_o,

  /// The pipeline holds flits that are not on flit_o yet.
  output logic busy_o
);

  localparam int unsigned BodyBits = FlitBits - 1;

  // Stage 0 stores the inputs. The valid bits are reset, the other fields are not.
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
