// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_compressor should cover.
`WEFT_COVER(BypassStalls, bypass && flit_valid_i && !ready_i, "a bypassing packet is stalled")
`WEFT_COVER(RawWaits, accept_store, "a raw packet waits behind others")
`WEFT_COVER(Wins, finish && wins, "the coded form is shorter")
`WEFT_COVER(Loses, finish && !wins, "the coded form is not shorter")
`WEFT_COVER(NoDescriptor, head_offered && !descriptor_free, "no descriptor is free")
`WEFT_COVER(NoRawRoom, head_offered && !empty && !raw_room, "the raw memory has no room")
`WEFT_COVER(NoPackedRoom, head_offered && choice != weft_pkg::CodecRaw && raw_room && !packed_room,
            "the packed memory has no room")
`WEFT_COVER(OutputStalls, flit_valid_q && !ready_i, "the receiver stalls")
`WEFT_COVER(FreesAndReserves, fetch && accept_encode, "a packet leaves as another one reserves")
`WEFT_COVER(SettlesAndReserves, finish && accept_encode, "a packet finishes as another one reserves")
