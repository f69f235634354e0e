// SPDX-License-Identifier: Apache-2.0
/// In the place of rtl/weft_assert.svh for proofs of equivalence: what a module demands of its user, and what it
/// promises of its registers, may be taken for granted, in reset too. (Lockstep tests and proofs check it elsewhere.)
/// No names: in a generate loop Yosys takes them for the same one.
`ifndef WEFT_ASSERT_SVH
`define WEFT_ASSERT_SVH

`define WEFT_ASSERT(Name, Condition, Message) \
  always @(*) begin \
    assume (Condition); \
  end
`define WEFT_ASSERT_HELD(Name, Condition, Value, Message)
`define WEFT_ASSERT_KNOWN(Name, Value, Message)
`define WEFT_COVER(Name, Condition, Message)
`define WEFT_PARAMETER(Name, Condition, Message)

`endif  // WEFT_ASSERT_SVH
