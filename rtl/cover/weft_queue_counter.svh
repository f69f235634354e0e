// SPDX-License-Identifier: Apache-2.0
/// Events that tests of weft_queue_counter should cover.
`WEFT_COVER(Both, join_i && leave_i, "a packet joins as one leaves")
`WEFT_COVER(LeavesEmpty, leave_i && !join_i && queue_q == 32'd1, "the last packet leaves")
