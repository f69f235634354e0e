// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_decompressor should cover.
`WEFT_COVER(BypassStalls, bypass && flit_valid_i && !ready_i, "a bypassing packet is stalled")
`WEFT_COVER(RawBehindCoded, raw, "a raw packet follows a coded one")
`WEFT_COVER(FifoFull, flit_valid_i && second_valid_q, "the FIFO is full")
`WEFT_COVER(BackToBack, start && finishing, "the next packet begins as one ends")
`WEFT_COVER(GroupStalls, state_q == Decode && fits && !group_free, "a group waits for the receiver")
`WEFT_COVER(Corrupt, found == weft_pkg::ErrorCorrupt, "a corrupt group")
`WEFT_COVER(Truncated, found == weft_pkg::ErrorTruncated, "the packet ends too early")
`WEFT_COVER(OverLong, found == weft_pkg::ErrorOverLong, "the packet ends too late")
`WEFT_COVER(HeaderCorrupt, start && header_corrupt, "the header is corrupt")
`WEFT_COVER(TooManyWords, start && front_words == '0 && front_header_q.words != '0,
            "the header has more words than MostWords")
