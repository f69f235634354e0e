// SPDX-License-Identifier: Apache-2.0
// Maps memories with registered reads to weft_memory; others become flip-flops. Clocks and resets of the ports do not
// affect timing. All bits of an entry are written together, so one enable is sufficient (flow.py checks that).
module \$mem_v2 (RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA);
  parameter MEMID = "";
  parameter signed SIZE = 4;
  parameter signed OFFSET = 0;
  parameter signed ABITS = 2;
  parameter signed WIDTH = 8;
  parameter signed INIT = 1'bx;
  parameter signed RD_PORTS = 1;
  parameter [RD_PORTS-1:0] RD_CLK_ENABLE = 1'b1;
  parameter RD_CLK_POLARITY = 1'b1;
  parameter RD_TRANSPARENCY_MASK = 1'b0;
  parameter RD_COLLISION_X_MASK = 1'b0;
  parameter RD_WIDE_CONTINUATION = 1'b0;
  parameter RD_CE_OVER_SRST = 1'b0;
  parameter RD_ARST_VALUE = 1'b0;
  parameter RD_SRST_VALUE = 1'b0;
  parameter RD_INIT_VALUE = 1'b0;
  parameter signed WR_PORTS = 1;
  parameter WR_CLK_ENABLE = 1'b1;
  parameter WR_CLK_POLARITY = 1'b1;
  parameter WR_PRIORITY_MASK = 1'b0;
  parameter WR_WIDE_CONTINUATION = 1'b0;
  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;
  input [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input [WR_PORTS-1:0] WR_CLK;
  input [WR_PORTS*WIDTH-1:0] WR_EN;
  input [WR_PORTS*ABITS-1:0] WR_ADDR;
  input [WR_PORTS*WIDTH-1:0] WR_DATA;

  wire _TECHMAP_FAIL_ = !(&RD_CLK_ENABLE);

  wire [WR_PORTS-1:0] enable;
  genvar port;
  for (port = 0; port < WR_PORTS; port = port + 1) begin
    assign enable[port] = WR_EN[port*WIDTH];
  end

  weft_memory #(
    .RD_PORTS(RD_PORTS), .WR_PORTS(WR_PORTS), .ABITS(ABITS), .WIDTH(WIDTH)
  ) _TECHMAP_REPLACE_ (
    .RD_EN(RD_EN), .RD_ADDR(RD_ADDR), .RD_DATA(RD_DATA), .WR_EN(enable), .WR_ADDR(WR_ADDR), .WR_DATA(WR_DATA)
  );
endmodule
