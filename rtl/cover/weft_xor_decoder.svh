// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_xor_decoder should cover.
`WEFT_COVER(Keeps, ends && becomes_known != '0 && !made, "a datum that arrives plain is kept")
`WEFT_COVER(KeepsDecoded, ends && state_q == Decode && stays, "a decoded datum is kept")
`WEFT_COVER(KeepsInItsPlace, ends && state_q == Decode && stays && entry_q == using_q,
            "a decoded datum is kept in the entry of the one used last")
`WEFT_COVER(KeepsResolved, ends && state_q == Resolve && stays, "a resolved datum is kept")
`WEFT_COVER(Stores, ends && state_q == Store, "a coded packet waits")
`WEFT_COVER(Relays, ends && state_q == Keep && coded_q, "a relayed packet waits as well")
`WEFT_COVER(Redundant, ends && state_q == Pass && using_q != '0, "a redundant packet passes")
`WEFT_COVER(Drops, drop, "a packet that waited has become redundant")
`WEFT_COVER(ResolvesByFirst, resolve && has_first != '0, "resolved by the first datum")
`WEFT_COVER(ResolvesBySecond, resolve && has_first == '0, "resolved by the second datum")
`WEFT_COVER(LooksUpAgain, coded && resolve, "a look-up is done again")
`WEFT_COVER(Overflows, flit_valid_o && ready_i && flit_head_o && flit_code_o.overflow && !flit_code_i.overflow,
            "no entry is free for a datum that should be kept")
`WEFT_COVER(Shorter, state_q == Decode && accepted && left == '0, "the decoded packet is shorter than the coded one")
`WEFT_COVER(KnownShorter, made && moves && using_left_q == '0, "the known datum is shorter")
`WEFT_COVER(InheritsError, made && moves && flit_tail_o && own_error == weft_pkg::ErrorNone
            && using_error != weft_pkg::ErrorNone,
            "a datum's error propagates to the packet that is decoded with it")
`WEFT_COVER(FlushWaits, flush_i && !quiet, "a flush is requested within a packet")
`WEFT_COVER(FlushBeforeResolve, flush && match, "a flush precedes a packet that could be resolved")
