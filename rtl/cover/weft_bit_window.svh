// SPDX-License-Identifier: Apache-2.0
/// What a test of weft_bit_window should run into.
`WEFT_COVER(PushAndTake, push_i && take_i != '0, "a flit enters as a group leaves")
`WEFT_COVER(NoRoom, !room_o, "there is no room for a flit")
