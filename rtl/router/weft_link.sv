// SPDX-License-Identifier: Apache-2.0
/// Link: the repeaters of a long channel, which delay flits in one direction and credits in the other, and the
/// serializer and the deserializer of a narrow one.
///
/// Purpose    A channel of L cycles has L - 1 repeaters between the output register of one router and the buffer of the
///            next. A narrow channel cuts a flit into `Phits` parts of equal width, which pass the repeaters one after
///            the other. A channel of one cycle that is as wide as a flit is a plain wire and has no link.
/// Latency    `Stages` + `Phits` - 1 cycles for flits, `Stages` cycles for credits.
/// Handshake  At most one flit in `Phits` cycles.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_link #(
  /// Number of repeaters in each direction, at least 1, or at least 0 if `Phits` is greater than 1.
  parameter int unsigned Stages = 1,
  /// Number of parts into which a flit is cut, 1 to 64.
  parameter int unsigned Phits = 1,
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

  // A part has a valid bit and PartBits others: all fields of a flit except its valid bit, lowest bits first.
  localparam int unsigned BodyBits = FlitBits - 1;
  localparam int unsigned PartBits = (BodyBits + Phits - 1) / Phits;

  // The parts before the repeaters and behind them, and whether part of a flit is held that is not at an output yet.
  logic                part_valid, arrived_valid, serializer_busy, repeaters_busy;
  logic [PartBits-1:0] part, arrived;

  if (Phits == 1) begin : gen_wide
    assign {part_valid, part} = flit_i;
    assign flit_o             = {arrived_valid, arrived};
    assign serializer_busy    = 1'b0;
  end else begin : gen_narrow
    localparam int unsigned CountBits = $clog2(Phits + 1);
    localparam int unsigned LaterBits = (Phits - 1) * PartBits;

    // The serializer sends the first part at once and stores the later ones.
    logic [Phits*PartBits-1:0] body;
    logic [LaterBits-1:0]      later_q;
    logic [CountBits-1:0]      left_q;  // number of parts that are still stored
    assign body       = (Phits * PartBits)'(flit_i[BodyBits-1:0]);
    assign part_valid = flit_i[FlitBits-1] || left_q != '0;
    assign part       = flit_i[FlitBits-1] ? body[PartBits-1:0] : later_q[PartBits-1:0];
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) left_q <= '0;
      else if (flit_i[FlitBits-1]) left_q <= CountBits'(Phits - 1);
      else if (left_q != '0) left_q <= left_q - 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (flit_i[FlitBits-1]) later_q <= body[Phits*PartBits-1:PartBits];
      else if (left_q != '0) later_q <= later_q >> PartBits;
    end

    // The deserializer stores all parts except the last one.
    logic [LaterBits-1:0] earlier_q;
    logic [CountBits-1:0] stored_q;  // number of parts that are stored
    logic                 is_last;
    logic                 unused_padding;
    logic [Phits*PartBits-1:0] joined;
    assign is_last        = stored_q == CountBits'(Phits - 1);
    assign joined         = {arrived, earlier_q};
    assign flit_o         = {arrived_valid && is_last, joined[BodyBits-1:0]};
    assign unused_padding = &joined;
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) stored_q <= '0;
      else if (arrived_valid) stored_q <= is_last ? '0 : stored_q + 1'b1;
    end
    always_ff @(posedge clk_i) begin
      if (arrived_valid && !is_last) earlier_q <= LaterBits'({arrived, earlier_q} >> PartBits);
    end

    // The last part at the output of the link completes the flit.
    assign serializer_busy = Stages == 0 ? left_q > CountBits'(1) : left_q != '0 || (arrived_valid && !is_last);
    `WEFT_ASSERT(OneFlitAtATime, !(flit_i[FlitBits-1] && left_q != '0), "flit sent while the link carries another one")
  end

  if (Stages == 0) begin : gen_wires
    assign arrived_valid  = part_valid;
    assign arrived        = part;
    assign credit_o       = credit_i;
    assign repeaters_busy = 1'b0;
  end else begin : gen_repeaters
    // Stage 0 stores the inputs. The valid bits are reset, the other fields are not.
    logic [Stages-1:0]          part_valid_q, credit_valid_q;
    logic [Stages*PartBits-1:0] part_q;
    logic [Stages*VcBits-1:0]   credit_vc_q;

    for (genvar stage = 0; stage < Stages; stage++) begin : gen_stage
      logic                in_valid, credit_valid;
      logic [PartBits-1:0] in_part;
      logic [VcBits-1:0]   credit_vc;
      if (stage == 0) begin : gen_first
        assign in_valid                  = part_valid;
        assign in_part                   = part;
        assign {credit_valid, credit_vc} = credit_i;
      end else begin : gen_later
        assign in_valid     = part_valid_q[stage-1];
        assign in_part      = part_q[(stage-1)*PartBits+:PartBits];
        assign credit_valid = credit_valid_q[stage-1];
        assign credit_vc    = credit_vc_q[(stage-1)*VcBits+:VcBits];
      end

      always_ff @(`WEFT_CLOCKED) begin
        if (!rst_ni) begin
          part_valid_q[stage]   <= 1'b0;
          credit_valid_q[stage] <= 1'b0;
        end else begin
          part_valid_q[stage]   <= in_valid;
          credit_valid_q[stage] <= credit_valid;
        end
      end

      always_ff @(posedge clk_i) begin
        if (in_valid) part_q[stage*PartBits+:PartBits] <= in_part;
        if (credit_valid) credit_vc_q[stage*VcBits+:VcBits] <= credit_vc;
      end
    end

    assign arrived_valid = part_valid_q[Stages-1];
    assign arrived       = part_q[(Stages-1)*PartBits+:PartBits];
    assign credit_o      = {credit_valid_q[Stages-1], credit_vc_q[(Stages-1)*VcBits+:VcBits]};
    if (Stages == 1) begin : gen_short
      assign repeaters_busy = 1'b0;
    end else begin : gen_long
      assign repeaters_busy = |{part_valid_q[Stages-2:0], credit_valid_q[Stages-2:0]};
    end
    `WEFT_ASSERT_KNOWN(KnownValid, ({part_valid_q, credit_valid_q}), "flit and credit status signals must not be X")
  end

  assign busy_o = serializer_busy || repeaters_busy;

  `WEFT_PARAMETER(StagesSupported, Stages >= 1 || Phits > 1, "Stages must be at least 1, or 0 with several phits")
  `WEFT_PARAMETER(PhitsSupported, Phits >= 1 && Phits <= 64, "Phits must be 1 to 64")
  `WEFT_ASSERT_KNOWN(KnownOut, (busy_o), "the busy signal must not be X")

endmodule

`default_nettype wire
