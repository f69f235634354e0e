// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_spill_register should cover.
`WEFT_COVER(Spills, spilled_q && ready_i, "the spilled item moves up")
`WEFT_COVER(Through, !spilled_q && shown_q && ready_i && valid_i, "an item enters as another one leaves")
