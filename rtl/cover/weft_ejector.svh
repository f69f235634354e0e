// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_ejector should cover.
`WEFT_COVER(Direct, direct != '0, "a flit bypasses the FIFO")
`WEFT_COVER(Full, full != '0, "a FIFO is full")
`WEFT_COVER(ComesAndGoes, (enqueue & dequeue) != '0, "a flit comes as one leaves")
`WEFT_COVER(Search, !within_q && (candidates & (candidates - Vcs'(1))) != '0, "several VCs have a packet to offer")
`WEFT_COVER(Stalls, shown_q && !ready_i, "the receiver stalls")
