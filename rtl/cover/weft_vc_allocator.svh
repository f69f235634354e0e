// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_vc_allocator should cover.
`WEFT_COVER(NotGranted, (has_request & ~granted) != '0, "a head does not get a VC")
`WEFT_COVER(Waited, (waiting_q & granted) != '0, "a head that waited gets a VC")
`WEFT_COVER(GivenAsReturned, (claimed & returned) != '0,
            "a packet of one flit gets and frees a VC in one cycle")
