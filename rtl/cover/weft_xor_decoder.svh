// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_xor_decoder should cover.
`WEFT_COVER(Keeps, ends && becomes_known != '0 && !made, "a datum that comes plain is kept")
`WEFT_COVER(KeepsDecoded, ends && state_q == Decode && stays, "one that was decoded is kept")
`WEFT_COVER(KeepsInItsPlace, ends && state_q == Decode && stays && entry_q == using_q,
            "in the entry of the one used last")
`WEFT_COVER(KeepsResolved, ends && state_q == Resolve && stays, "one that was resolved is kept")
`WEFT_COVER(Stores, ends && state_q == Store, "a coded packet waits")
`WEFT_COVER(Relays, ends && state_q == Keep && coded_q, "one that is relayed waits as well")
`WEFT_COVER(Redundant, ends && state_q == Pass && using_q != '0, "a redundant packet passes")
`WEFT_COVER(Drops, drop, "a packet that waited has become redundant")
`WEFT_COVER(ResolvesByFirst, resolve && has_first != '0, "resolved by the first datum")
`WEFT_COVER(ResolvesBySecond, resolve && has_first == '0, "and by the second")
`WEFT_COVER(LooksUpAgain, coded && resolve, "a look-up is done again")
`WEFT_COVER(Overflows, flit_valid_o && ready_i && flit_head_o && flit_code_o.overflow && !flit_code_i.overflow,
            "there is no room for what should be kept")
`WEFT_COVER(Shorter, state_q == Decode && accepted && left == '0, "what is decoded is shorter than the coded packet")
`WEFT_COVER(KnownShorter, made && moves && using_left_q == '0, "what is known is shorter")
`WEFT_COVER(InheritsError, made && moves && flit_tail_o && own_error == weft_pkg::ErrorNone
            && using_error != weft_pkg::ErrorNone,
            "a datum's error goes to what is made with it")
`WEFT_COVER(FlushWaits, flush_i && !quiet, "a flush is asked for within a packet")
`WEFT_COVER(FlushBeforeResolve, flush && match, "a flush comes before what could be resolved")
