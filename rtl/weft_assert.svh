// SPDX-License-Identifier: Apache-2.0
/// Assertions for all tools: they are concurrent for simulators, immediate for Yosys with `-formal` (FORMAL), and
/// absent for synthesis (SYNTHESIS). A module that uses them must have `clk_i` and `rst_ni`. Cover points exist only
/// for simulators.
`ifndef WEFT_ASSERT_SVH
`define WEFT_ASSERT_SVH

`include "weft_reset.svh"

`ifdef FORMAL

/// Asserts that Condition holds at every rising clock edge outside reset.
`define WEFT_ASSERT(Name, Condition, Message) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assert (Condition); \
    end \
  end

/// Asserts that Value does not change after a cycle in which Condition held.
`define WEFT_ASSERT_HELD(Name, Condition, Value, Message) \
  logic Name``Armed = 1'b0; \
  always @(posedge clk_i) begin \
    Name``Armed <= rst_ni && (Condition); \
    if (rst_ni && Name``Armed) begin \
      Name : assert ((Value) == $past(Value)); \
    end \
  end

/// Asserts that Value is not X outside reset. For solvers this is empty, because they have no X.
`define WEFT_ASSERT_KNOWN(Name, Value, Message)

/// Counts an event that tests of the module should cover, at every rising clock edge outside reset.
`define WEFT_COVER(Name, Condition, Message)

`elsif SYNTHESIS

`define WEFT_ASSERT(Name, Condition, Message)
`define WEFT_ASSERT_HELD(Name, Condition, Value, Message)
`define WEFT_ASSERT_KNOWN(Name, Value, Message)
`define WEFT_COVER(Name, Condition, Message)

`else

`ifdef VERILATOR

// These assertions are immediate instead of concurrent, because Verilator 5.006 generates C++ that does not compile if
// a concurrent assertion samples a vector of more than 40 words. Both kinds read the same values at the clock edge,
// because registers change after it. The sensitivity list contains the reset, as for registers, so that tools do not
// treat the reset as data. For some parameters a comparison may be constant.
`define WEFT_ASSERT(Name, Condition, Message) \
  always @(`WEFT_CLOCKED) begin /* verilator coverage_block_off */ \
    if (rst_ni) begin /* verilator coverage_block_off */ \
      /* verilator lint_save */ /* verilator lint_off CMPCONST */ \
      Name : assert (Condition) else $error(Message); \
      /* verilator lint_restore */ \
    end \
  end

`define WEFT_ASSERT_HELD(Name, Condition, Value, Message) \
  logic Name``Armed; \
  logic [$bits(Value)-1:0] Name``Before; \
  always @(posedge clk_i) Name``Before <= Value; \
  always @(`WEFT_CLOCKED) begin /* verilator coverage_block_off */ \
    if (!rst_ni) begin /* verilator coverage_block_off */ \
      Name``Armed <= 1'b0; \
    end else begin /* verilator coverage_block_off */ \
      Name``Armed <= Condition; \
      Name : assert (!Name``Armed || (Value) == Name``Before) else $error(Message); \
    end \
  end

// A two-state simulator has no X.
`define WEFT_ASSERT_KNOWN(Name, Value, Message)

`else

`define WEFT_ASSERT(Name, Condition, Message) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) (Condition)) else $error(Message);

`define WEFT_ASSERT_HELD(Name, Condition, Value, Message) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) (Condition) |=> $stable(Value)) else $error(Message);

`define WEFT_ASSERT_KNOWN(Name, Value, Message) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) !$isunknown(Value)) else $error(Message);

`endif  // VERILATOR

`define WEFT_COVER(Name, Condition, Message) \
  Name : cover property (@(posedge clk_i) disable iff (!rst_ni) (Condition));

`endif

/// Checks a constraint on parameters. Every tool, including synthesis, rejects a module that violates it.
`define WEFT_PARAMETER(Name, Condition, Message) \
  if (!(Condition)) begin : Name \
    $error(Message); \
  end

`endif  // WEFT_ASSERT_SVH
