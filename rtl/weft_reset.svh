// SPDX-License-Identifier: Apache-2.0
/// The clock edges of registers with a reset: the rising edge of `clk_i` and the falling edge of `rst_ni`. With
/// WEFT_SYNC_RESET it is only the rising edge of `clk_i`, at which `rst_ni` is sampled. Such a register is `always_ff
/// @(`WEFT_CLOCKED)`, and its first condition is `!rst_ni`.
`ifndef WEFT_RESET_SVH
`define WEFT_RESET_SVH

`ifdef WEFT_SYNC_RESET
`define WEFT_CLOCKED posedge clk_i
`else
`define WEFT_CLOCKED posedge clk_i or negedge rst_ni
`endif

`endif  // WEFT_RESET_SVH
