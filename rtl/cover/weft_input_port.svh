// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_input_port should cover.
`WEFT_COVER(Full, full != '0, "a VC is full")
`WEFT_COVER(ComesAsLastLeaves, (push & pop & ~more) != '0, "a flit comes as the only one leaves")
`WEFT_COVER(TwoHeads, arrives && succeeds, "two heads are announced at once")
`WEFT_COVER(OtherVcs, (occupied & (occupied - Vcs'(1))) != '0, "several VCs hold flits")
