// SPDX-License-Identifier: Apache-2.0
/// What a test of weft_bit_packer should run into.
`WEFT_COVER(SeveralFlits, valid_o && count_o > 2'd1, "a chunk fills several flits")
`WEFT_COVER(NoFlit, valid_i && valid_o && count_o == 2'd0, "a chunk fills none")
