// SPDX-License-Identifier: Apache-2.0
/// What a test of weft_separable_switch_allocator should run into.
`WEFT_COVER(Loses, loses, "an input port loses against another one")
`WEFT_COVER(All, grant_o == '1, "all input ports send")
