// SPDX-License-Identifier: Apache-2.0
/// Replaces rtl/weft_assert.svh in proofs of equivalence: assertions about inputs and registers become assumptions,
/// also in reset. (Lockstep tests and other proofs check them.) They have no names, because in a generate loop Yosys
/// confuses equal names.
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
