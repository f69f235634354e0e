// SPDX-License-Identifier: Apache-2.0
/// Output unit: the credits of a router's output ports, one counter for each VC of each port. With narrow channels,
/// each port also has a counter of the cycles for which a flit occupies its channel.
///
/// Latency    A grant in cycle t consumes its credit at the end of t. A credit on credit_i in cycle t is counted from
///            t+1 on. After a grant in cycle t, a channel that cuts flits into k parts is busy until t + k - 1.
/// Handshake  credit_i: one credit per cycle and port.
///
/// A counter counts the flits whose credit has not returned, so that it is reset to a constant.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_output_unit #(
  /// Number of ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels of a port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Maximum capacity in flits of a VC of a next buffer.
  parameter int unsigned OutputDepth = 8,
  /// 1: some channel is narrower than a flit. 0: phits_i is not read.
  parameter int unsigned Narrow = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned CreditBits = 1 + VcBits,
  localparam int unsigned DepthBits = $clog2(OutputDepth + 1)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// For each output port, the capacity in flits of a VC of the next buffer, or 0 if the receiver accepts every flit
  /// and returns no credits. Constant.
  input  wire logic [Ports*DepthBits-1:0] depth_i,
  /// For each output port, the number of parts into which its channel cuts a flit, at least 1. Constant.
  input  wire logic [Ports*weft_pkg::PhitBits-1:0] phits_i,

  /// For each input port, the output port to which it sends a flit (one-hot or 0), and the VC of this output port.
  input  wire logic [Ports*Ports-1:0]  grant_output_i,
  input  wire logic [Ports*VcBits-1:0] grant_out_vc_i,

  input  wire logic [Ports*CreditBits-1:0] credit_i,

  /// Output VCs that have a credit.
  output logic [Ports*Vcs-1:0] status_available_o,
  /// Output ports whose channel accepts no flit in this cycle, because an earlier one occupies it.
  output logic [Ports-1:0] status_busy_o,
  /// Number of credits of each output VC.
  output logic [Ports*Vcs*weft_pkg::CreditCountBits-1:0] count_o
);

  localparam int unsigned CreditCountBits = weft_pkg::CreditCountBits;

  // For each VC: a flit is sent; a credit returns; a flit may be sent; a credit may return.
  logic [Ports*Vcs-1:0] sends, returns, may_send, may_return;

  always_comb begin
    sends = '0;
    for (int unsigned in = 0; in < Ports; in++) begin
      for (int unsigned port = 0; port < Ports; port++) begin
        if (grant_output_i[in*Ports+port]) begin
          sends[port*Vcs+32'(grant_out_vc_i[in*VcBits+:VcBits])] = 1'b1;
        end
      end
    end
  end

  for (genvar port = 0; port < Ports; port++) begin : gen_port
    logic [DepthBits-1:0] depth;
    logic                 unlimited;
    assign depth     = depth_i[port*DepthBits+:DepthBits];
    assign unlimited = depth == '0;

    logic              returned;
    logic [VcBits-1:0] returned_vc;
    assign {returned, returned_vc} = credit_i[port*CreditBits+:CreditBits];

    for (genvar vc = 0; vc < Vcs; vc++) begin : gen_vc
      localparam int unsigned VcIndex = port * Vcs + vc;

      logic [DepthBits-1:0] out_q;  // number of flits sent whose credit has not returned
      logic [DepthBits-1:0] out_kept, out_sent;  // next value without and with a flit that is sent, which is known last
      logic                 available_q;

      assign returns[VcIndex]    = returned && returned_vc == VcBits'(vc);
      assign may_send[VcIndex]   = unlimited || out_q != depth;
      assign may_return[VcIndex] = out_q != '0;

      assign out_kept = out_q - DepthBits'(returns[VcIndex]);
      assign out_sent = out_kept + DepthBits'(!unlimited);

      always_ff @(`WEFT_CLOCKED) begin
        if (!rst_ni) begin
          out_q       <= '0;
          available_q <= 1'b1;
        end else begin
          out_q       <= sends[VcIndex] ? out_sent : out_kept;
          available_q <= unlimited || (sends[VcIndex] ? out_sent != depth : out_kept != depth);
        end
      end

      assign status_available_o[VcIndex] = available_q;
      assign count_o[VcIndex*CreditCountBits+:CreditCountBits] =
          unlimited ? '1 : CreditCountBits'(depth) - CreditCountBits'(out_q);
    end
  end

  if (Narrow != 0) begin : gen_narrow
    for (genvar port = 0; port < Ports; port++) begin : gen_port
      logic [weft_pkg::PhitBits-1:0] phits, cycles_q;  // cycles_q: for how many more cycles the channel is busy
      logic                          sent, busy_q;
      assign phits = phits_i[port*weft_pkg::PhitBits+:weft_pkg::PhitBits];
      assign sent  = sends[port*Vcs+:Vcs] != '0;

      always_ff @(`WEFT_CLOCKED) begin
        if (!rst_ni) begin
          cycles_q <= '0;
          busy_q   <= 1'b0;
        end else begin
          cycles_q <= sent ? phits - 1'b1 : cycles_q - weft_pkg::PhitBits'(cycles_q != '0);
          busy_q   <= sent ? phits != weft_pkg::PhitBits'(1) : cycles_q > weft_pkg::PhitBits'(1);
        end
      end

      assign status_busy_o[port] = busy_q;
      `WEFT_ASSERT(SentWhileIdle, !(sent && busy_q), "flit sent while an earlier one occupies the channel")
    end
  end else begin : gen_wide
    logic unused_phits;
    assign unused_phits  = &phits_i;
    assign status_busy_o = '0;
  end

  `WEFT_PARAMETER(DepthSupported, OutputDepth >= 1 && OutputDepth < 2 ** CreditCountBits - 1,
                  "OutputDepth must be at most 65534, because credits are counted in 16 bits")
  `WEFT_ASSERT(SentWithCredit, (sends & ~may_send) == '0, "flit sent without a credit")
  `WEFT_ASSERT(CreditKnown, (returns & ~may_return) == '0, "excess credit: none is outstanding on the VC")
  `WEFT_ASSERT_KNOWN(KnownOut, ({status_available_o, status_busy_o, count_o}), "credit status signals must not be X")
  `include "cover/weft_output_unit.svh"

endmodule

`default_nettype wire
