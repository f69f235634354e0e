// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_congestion_counter should cover.
`WEFT_COVER(ArrivesAtTick, tick_i && arrived != '0, "a flit comes in the last cycle of a window")
`WEFT_COVER(All, arrived == ArrivedBits'(Ports), "flits come at all ports at once")
