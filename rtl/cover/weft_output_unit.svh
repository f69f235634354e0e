// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_output_unit should cover.
`WEFT_COVER(NoCredit, status_available_o != '1, "a VC has no credit")
`WEFT_COVER(SendsAsCreditReturns, (sends & returns) != '0, "a credit comes back as a flit is sent on the VC")
