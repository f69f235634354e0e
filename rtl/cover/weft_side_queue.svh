// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_side_queue should cover.
`WEFT_COVER(Passes, pass, "what comes goes at once")
`WEFT_COVER(Direct, direct && pop_i, "it is the first one as the one before goes")
