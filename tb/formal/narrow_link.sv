// SPDX-License-Identifier: Apache-2.0
/// A narrow link: every flit leaves `Stages` + `Phits` - 1 cycles after it has entered, with all its bits, and nothing
/// else leaves. The bits that differ are anywhere in the flit. `busy_o` is set in the cycles between.
`default_nettype none

module narrow_link #(
  parameter int unsigned Stages = 0,
  parameter int unsigned Phits = 2,
  localparam int unsigned DataBits = 4,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(1, 1, DataBits),
  localparam int unsigned Latency = Stages + Phits - 1
) (
  input wire logic clk_i,

  input wire logic [FlitBits-1:0] flit_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [FlitBits-1:0] flit;
  logic [1:0]          unused_credit;
  logic                busy;
  weft_link #(
    .Stages(Stages),
    .Phits(Phits),
    .Vcs(2),
    .PathIdBits(1),
    .DataBits(DataBits)
  ) u_link (
    .clk_i,
    .rst_ni(reset_done_q),
    .flit_i,
    .flit_o(flit),
    .credit_i(2'b00),
    .credit_o(unused_credit),
    .busy_o(busy)
  );

  // The flits that entered in the last cycles, the latest one in the lowest bits.
  logic [Latency*FlitBits-1:0] entered_q;
  logic [Latency-1:0]          valid_q;
  always_ff @(posedge clk_i) begin
    entered_q <= (Latency * FlitBits)'({entered_q, flit_i});
    if (!reset_done_q) valid_q <= '0;
    else valid_q <= Latency'({valid_q, flit_i[FlitBits-1]});
  end

  logic [FlitBits-1:0] expected;
  logic                recent, between;
  assign expected = entered_q[(Latency-1)*FlitBits+:FlitBits];
  assign recent   = valid_q[Phits-2:0] != '0;
  if (Latency == 1) begin : gen_short
    assign between = 1'b0;
  end else begin : gen_long
    assign between = valid_q[Latency-2:0] != '0;
  end

  always_comb begin
    assume (!(flit_i[FlitBits-1] && recent));
    if (reset_done_q) begin
      RightTime : assert (flit[FlitBits-1] == valid_q[Latency-1]);
      RightBits : assert (!valid_q[Latency-1] || flit == expected);
      Busy : assert (busy == between);
    end
  end

endmodule

`default_nettype wire
