// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_side_queue should cover.
`WEFT_COVER(Passes, pass, "a head passes at once")
`WEFT_COVER(Direct, direct && pop_i, "a head becomes the first one as its predecessor leaves")
