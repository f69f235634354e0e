// SPDX-License-Identifier: Apache-2.0
/// What a test of weft_vc_allocator should run into.
`WEFT_COVER(Refused, (asks & ~granted) != '0, "a head does not get a VC")
`WEFT_COVER(Waited, (waiting_q & granted) != '0, "one that waited gets one")
`WEFT_COVER(GivenAsReturned, (taken & returned) != '0, "a VC is given and freed in one cycle, by a packet of one flit")
