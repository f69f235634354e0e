// SPDX-License-Identifier: Apache-2.0
/// What a test of weft_spill_register should run into.
`WEFT_COVER(Spills, spilled_q && ready_i, "what was spilled moves up")
`WEFT_COVER(Through, !spilled_q && shown_q && ready_i && valid_i, "one comes as one goes")
