// SPDX-License-Identifier: Apache-2.0
/// Link: the repeaters of a long channel, which delay flits in one direction and credits in the other.
///
/// Purpose    A channel of L cycles has L - 1 repeaters between the output register of one router and the buffer of the
///            next. A channel of one cycle is a plain wire and has no link.
/// Latency    `Stages` cycles in both directions.
/// Handshake  None.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_link #(
  /// Number of repeaters in each direction, at least 1.
  parameter int unsigned Stages = 1,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Width of the path id in bits, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of the data of a flit in bits; see weft_pkg.
  parameter int unsigned DataBits = 168,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic [FlitBits-1:0]   flit_i,
  output logic      [FlitBits-1:0]   flit_o,
  input  wire logic [CreditBits-1:0] credit_i,
  output logic      [CreditBits-1:0] credit_o,

  /// The link holds a flit or a credit that is not at an output yet.
  output logic busy_o
);

  // Stage 0 stores the inputs. The valid bits are reset, the other fields are not.
  localparam int unsigned BodyBits = FlitBits - 1;

  logic [Stages-1:0]          flit_valid_q, credit_valid_q;
  logic [Stages*BodyBits-1:0] flit_body_q;
  logic [Stages*VcBits-1:0]   credit_vc_q;

  for (genvar stage = 0; stage < Stages; stage++) begin : gen_stage
    logic                flit_valid, credit_valid;
    logic [BodyBits-1:0] flit_body;
    logic [VcBits-1:0]   credit_vc;
    if (stage == 0) begin : gen_first
      assign {flit_valid, flit_body}   = flit_i;
      assign {credit_valid, credit_vc} = credit_i;
    end else begin : gen_later
      assign flit_valid   = flit_valid_q[stage-1];
      assign flit_body    = flit_body_q[(stage-1)*BodyBits+:BodyBits];
      assign credit_valid = credit_valid_q[stage-1];
      assign credit_vc    = credit_vc_q[(stage-1)*VcBits+:VcBits];
    end

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        flit_valid_q[stage]   <= 1'b0;
        credit_valid_q[stage] <= 1'b0;
      end else begin
        flit_valid_q[stage]   <= flit_valid;
        credit_valid_q[stage] <= credit_valid;
      end
    end

    always_ff @(posedge clk_i) begin
      if (flit_valid) flit_body_q[stage*BodyBits+:BodyBits] <= flit_body;
      if (credit_valid) credit_vc_q[stage*VcBits+:VcBits] <= credit_vc;
    end
  end

  assign flit_o   = {flit_valid_q[Stages-1], flit_body_q[(Stages-1)*BodyBits+:BodyBits]};
  assign credit_o = {credit_valid_q[Stages-1], credit_vc_q[(Stages-1)*VcBits+:VcBits]};

  if (Stages == 1) begin : gen_short
    assign busy_o = 1'b0;
  end else begin : gen_long
    assign busy_o = |{flit_valid_q[Stages-2:0], credit_valid_q[Stages-2:0]};
  end

  `WEFT_PARAMETER(StagesSupported, Stages >= 1, "Stages must be at least 1")
  `WEFT_ASSERT_KNOWN(KnownOut, ({flit_valid_q, credit_valid_q, busy_o}), "flit and credit status signals must not be X")

endmodule

`default_nettype wire
