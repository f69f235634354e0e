// SPDX-License-Identifier: Apache-2.0
/// Spill register: breaks the combinational paths of a stream with valid and ready in both directions.
///
/// Purpose    No combinational path leads through the module, neither for valid and data nor for ready. It stores up to
///            two words, so that the stream keeps its full rate. With Bypass it consists of wires.
/// Latency    1 cycle; 0 with Bypass.
/// Handshake  On either side, a word moves at the end of a cycle in which valid and ready are set. A word on the output
///            stays until it is accepted.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_spill_register #(
  /// Width of a word in bits.
  parameter int unsigned Width = 64,
  /// 1: the module consists of wires.
  parameter int unsigned Bypass = 0
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire logic [Width-1:0] data_i,

  output logic                  valid_o,
  input  wire logic             ready_i,
  output logic      [Width-1:0] data_o
);

  if (Bypass != 0) begin : gen_wires
    logic unused_clock;
    assign unused_clock = clk_i && rst_ni;
    assign valid_o = valid_i;
    assign ready_o = ready_i;
    assign data_o  = data_i;
  end else begin : gen_places
    logic             shown_q, spilled_q;  // the output register is full; the second register, behind it, is full
    logic [Width-1:0] shown_data_q, spilled_data_q;
    logic             load;
    assign load = !shown_q || ready_i;

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        shown_q   <= 1'b0;
        spilled_q <= 1'b0;
      end else begin
        if (load) shown_q <= spilled_q || valid_i;
        spilled_q <= !load && (spilled_q || valid_i);
      end
    end
    always_ff @(posedge clk_i) begin
      if (load) shown_data_q <= spilled_q ? spilled_data_q : data_i;
      if (!spilled_q) spilled_data_q <= data_i;
    end

    assign ready_o = !spilled_q;
    assign valid_o = shown_q;
    assign data_o  = shown_data_q;

    `WEFT_ASSERT(ShownFirst, !spilled_q || shown_q, "the second place may be used only if the first one is")
    `WEFT_ASSERT_HELD(StableOut, valid_o && !ready_i, ({valid_o, data_o}),
                      "an offered item must not change until it is accepted")
    `include "cover/weft_spill_register.svh"
    `WEFT_ASSERT_KNOWN(KnownOut, ({valid_o, ready_o}), "stream status signals must not be X")
  end

endmodule

`default_nettype wire
