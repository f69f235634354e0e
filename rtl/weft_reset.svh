// SPDX-License-Identifier: Apache-2.0
/// When registers with a reset follow: at the rising edge of `clk_i`, and when `rst_ni` falls; with WEFT_SYNC_RESET at
/// the rising edge alone, which sees `rst_ni` low. Such a register is `always_ff @(`WEFT_CLOCKED)`, and its first
/// condition is `!rst_ni`.
`ifndef WEFT_RESET_SVH
`define WEFT_RESET_SVH

`ifdef WEFT_SYNC_RESET
`define WEFT_CLOCKED posedge clk_i
`else
`define WEFT_CLOCKED posedge clk_i or negedge rst_ni
`endif

`endif  // WEFT_RESET_SVH
