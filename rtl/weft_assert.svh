// SPDX-License-Identifier: Apache-2.0
/// Assertions that every tool reads: concurrent for simulators, immediate for Yosys with `-formal` (FORMAL), nothing
/// for synthesis (SYNTHESIS). A module that uses them has `clk_i` and `rst_ni`. Cover points are for simulators alone.
`ifndef WEFT_ASSERT_SVH
`define WEFT_ASSERT_SVH

`ifdef FORMAL

/// Holds at every rising edge outside reset.
`define WEFT_ASSERT(Name, Condition, Message) \
  always @(posedge clk_i) begin \
    if (rst_ni) begin \
      Name : assert (Condition); \
    end \
  end

/// After a cycle in which Condition held, Value is what it was then.
`define WEFT_ASSERT_HELD(Name, Condition, Value, Message) \
  logic Name``Armed = 1'b0; \
  always @(posedge clk_i) begin \
    Name``Armed <= rst_ni && (Condition); \
    if (rst_ni && Name``Armed) begin \
      Name : assert ((Value) == $past(Value)); \
    end \
  end

/// Outside reset the value is known. Solvers know nothing else.
`define WEFT_ASSERT_KNOWN(Name, Value, Message)

/// What a test of the module should run into: counted at every rising edge outside reset.
`define WEFT_COVER(Name, Condition, Message)

`elsif SYNTHESIS

`define WEFT_ASSERT(Name, Condition, Message)
`define WEFT_ASSERT_HELD(Name, Condition, Value, Message)
`define WEFT_ASSERT_KNOWN(Name, Value, Message)
`define WEFT_COVER(Name, Condition, Message)

`else

`define WEFT_ASSERT(Name, Condition, Message) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) (Condition)) else $error(Message);

`define WEFT_ASSERT_HELD(Name, Condition, Value, Message) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) (Condition) |=> $stable(Value)) else $error(Message);

`define WEFT_ASSERT_KNOWN(Name, Value, Message) \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) !$isunknown(Value)) else $error(Message);

`define WEFT_COVER(Name, Condition, Message) \
  Name : cover property (@(posedge clk_i) disable iff (!rst_ni) (Condition));

`endif

/// A demand on the parameters: every tool, synthesis too, refuses to elaborate a module of which it does not hold.
`define WEFT_PARAMETER(Name, Condition, Message) \
  if (!(Condition)) begin : Name \
    $error(Message); \
  end

`endif  // WEFT_ASSERT_SVH
