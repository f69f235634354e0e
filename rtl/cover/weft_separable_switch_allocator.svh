// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_separable_switch_allocator should cover.
`WEFT_COVER(Loses, loses, "an input port loses against another one")
`WEFT_COVER(All, grant_o == '1, "all input ports send")
