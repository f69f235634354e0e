// SPDX-License-Identifier: Apache-2.0
/// What a test of weft_side_queue should run into.
`WEFT_COVER(Passes, pass, "what comes goes at once")
`WEFT_COVER(Direct, direct && pop_i, "it is the first one as the one before goes")
