// SPDX-License-Identifier: Apache-2.0
// A memory for synthesis: only its ports.
module weft_memory (RD_EN, RD_ADDR, RD_DATA, WR_EN, WR_ADDR, WR_DATA);
  parameter RD_PORTS = 1;
  parameter WR_PORTS = 1;
  parameter ABITS = 1;
  parameter WIDTH = 1;
  input [RD_PORTS-1:0] RD_EN;
  input [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input [WR_PORTS-1:0] WR_EN;
  input [WR_PORTS*ABITS-1:0] WR_ADDR;
  input [WR_PORTS*WIDTH-1:0] WR_DATA;
endmodule
