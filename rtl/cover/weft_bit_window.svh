// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_bit_window should cover.
`WEFT_COVER(PushAndPop, push_i && pop_i != '0, "a flit enters as a group leaves")
`WEFT_COVER(NoRoom, !room_o, "there is no room for a flit")
