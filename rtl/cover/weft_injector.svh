// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_injector should cover.
`WEFT_COVER(NoCredit, valid && !ready_o, "a flit waits for a credit")
`WEFT_COVER(NoCreditWithin, valid && !ready_o && within_q, "a flit within a packet waits for a credit")
`WEFT_COVER(SendsAsCreditReturns, (sends & returns) != '0, "a credit comes back as a flit is sent on the VC")
`WEFT_COVER(AllOut, available_q == '0, "no VC has a credit")
