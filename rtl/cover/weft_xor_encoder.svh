// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_xor_encoder should cover.
`WEFT_COVER(HeldLonger, appending_q && enter, "last flits of the held packet are appended")
`WEFT_COVER(HeldShorter, enter && left == '0, "the held packet is the shorter one")
`WEFT_COVER(Chains, store && chain, "the combined packet is held afterwards")
`WEFT_COVER(HeldAtOnce, enter && !within_q && !appending_q && held_flits_q == CountBits'(1),
            "a held packet of one flit is used")
`WEFT_COVER(PassWaits, flit_valid_i && pass && line_busy, "a passing packet waits for the line")
`WEFT_COVER(EntryStalls, flit_valid_i && combine && !entry_ready, "the line is full")
