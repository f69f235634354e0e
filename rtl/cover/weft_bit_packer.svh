// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_bit_packer should cover.
`WEFT_COVER(SeveralFlits, valid_o && count_o > 2'd1, "a chunk fills several flits")
`WEFT_COVER(NoFlit, valid_i && valid_o && count_o == 2'd0, "a chunk fills no flit")
