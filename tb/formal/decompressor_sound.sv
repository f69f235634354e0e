// SPDX-License-Identifier: Apache-2.0
/// Definition of a sound state of the decompressor, K = 1: relations between its registers and the packets at input and
/// output that hold in every reachable state, for any strings. `decompressor_always` proves them by induction from
/// reset; `stage_loop` begins in any sound state.
///
/// stage_signals.py connects the signals of the stage and of the watches.
`default_nettype none

module decompressor_sound #(
  parameter logic [35:0] Table = weft_pkg::TableOne,
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1
) (
  output logic sound_o,
  /// Nothing has arrived since reset.
  output logic fresh_o,
  /// The stage waits for its sender.
  output logic waits_o,
  /// Numbers of packets, as counted by the watches: of the group to be sent next, of the packet in progress, and of the
  /// two flits in the FIFO. Then, for the group and the two flits, the index of the flit if the packet is raw.
  output logic [7:0]  group_packet_o, worked_packet_o, front_packet_o, second_packet_o,
  output logic [23:0] group_index_o, front_index_o, second_index_o
);

  // Signals of the decompressor.
  (* keep *) logic              bypass;
  (* keep *) logic              front_valid, front_head, front_tail, second_valid, second_head, second_tail;
  (* keep *) weft_pkg::header_t front_header, second_header;
  (* keep *) logic [1:0]        state;
  (* keep *) weft_pkg::header_t header;
  (* keep *) logic [23:0]       left;
  (* keep *) logic              tail_seen, begun, raw, is_cut, last_flit, last_group;
  (* keep *) logic [1:0]        count;
  (* keep *) logic              is_double, is_single, may_be_special;
  (* keep *) logic [64:0]       exponents, flags;
  (* keep *) logic [20:0]       sizes;
  (* keep *) logic [6:0]        base, cuts;
  (* keep *) logic [96:0]       window;
  (* keep *) logic [6:0]        available, offset, size, measured_size;
  (* keep *) logic              corrupt, measured_corrupt;
  (* keep *) logic              group_valid, group_head, group_tail, group_two, group_second;
  (* keep *) logic [1:0]        group_kind;
  (* keep *) weft_pkg::header_t group_header;
  (* keep *) logic              out_valid, out_head, out_tail;
  (* keep *) weft_pkg::header_t out_header;
  (* keep *) logic [1:0]        out_error;
  // Signals of the watches.
  (* keep *) logic              in_within, in_waits, out_within;
  (* keep *) logic [23:0]       in_left, in_index, out_left, out_index;
  (* keep *) logic [7:0]        in_packet, out_packet;

  localparam logic [1:0] Idle = 2'd0, Decode = 2'd1, Drain = 2'd2, Fill = 2'd3;
  localparam logic [1:0] GroupRaw = 2'd0, GroupDecoded = 2'd1, GroupZeros = 2'd2;

  // The FIFO. Whether the packet in progress continues there; number of flits, including those to arrive, of the packet
  // at the front and, if it is another one, of the packet in the second slot.
  logic        going_on, fifo;
  logic [24:0] behind, front_left, second_left;
  assign going_on    = (state == Decode && !tail_seen) || state == Drain || (state == Idle && raw);
  assign behind      = in_within ? 25'(in_left) : 25'd0;
  assign second_left = second_tail ? 25'd1 : 25'd1 + behind;
  assign front_left  = !front_valid ? behind : front_tail ? 25'd1 : second_valid ? 25'd1 + second_left : 25'd1 + behind;
  assign fifo        = (!second_valid || front_valid) && in_within == (in_index != 24'd0)
                       && (!in_within || (in_left != 24'd0 && 25'(in_index) + 25'(in_left) < 25'h1000000))
                       && (!bypass || (in_within && !front_valid && state == Idle && !raw && !group_valid
                                    && !out_valid))
                       && (!front_valid || front_head != going_on) && (!second_valid || second_head == front_tail)
                       && in_within == (second_valid ? !second_tail : front_valid ? !front_tail : bypass || going_on)
                       && (state == Idle || !raw)
                       && (!front_valid || !front_head || front_header.codec != weft_pkg::CodecRaw
                           || 25'(front_header.flits) == front_left)
                       && (!second_valid || !second_head || second_header.codec != weft_pkg::CodecRaw
                           || 25'(second_header.flits) == second_left);

  // From the output backwards: flits left of a packet before the flit at the output, after it, and after the group. 0:
  // the next one is a head.
  logic [23:0] shown_left, after_shown, group_flits, group_left, after_group, to_come;
  logic        leaving;
  assign shown_left  = out_head ? out_header.flits : out_left;
  assign after_shown = out_valid ? shown_left - 24'd1 : out_within ? out_left : 24'd0;
  assign group_flits = (group_two && !group_second) ? 24'd2 : 24'd1;
  assign group_left  = (group_head && !group_second) ? group_header.flits : after_shown;
  assign after_group = group_valid ? group_left - group_flits : after_shown;
  assign to_come     = (left == 24'd0) ? 24'd1 : left;
  assign leaving     = (out_within || out_index == 24'd0) && (!out_within || out_left != 24'd0)
                       && (!out_valid || (out_head != out_within && shown_left != 24'd0
                                          && out_tail == (shown_left == 24'd1)
                                          && (out_tail || out_error == weft_pkg::ErrorNone)))
                       && (!group_second || (group_valid && group_two && after_shown != 24'd0))
                       && (!group_valid || ((group_head && !group_second) == (after_shown == 24'd0)
                                            && group_left >= group_flits && group_tail == (group_left == group_flits)
                                            && (!group_two || group_kind == GroupDecoded)))
                       && (!bypass || (out_within && out_left == in_left && out_index == in_index));

  // The packet in progress.
  logic working;
  assign working = (state != Idle) ? (begun ? after_group != 24'd0 && after_group == left
                                            : after_group == 24'd0 && left == header.words)
                                     && (state != Decode || left != 24'd0)
                                     && last_flit == (left <= 24'd1)
                   : raw ? after_group != 24'd0 && 25'(after_group) == front_left
                         : bypass || after_group == 24'd0;

  // Plan of the next group.
  logic        plan_double, plan_single, plan_special;
  logic [64:0] plan_exponents, plan_flags;
  logic [20:0] plan_sizes;
  logic [6:0]  plan_base, plan_cuts;
  weft_lsb_cut_plan #(.Words(1), .Exact(Exact)) u_plan (
    .count_i(count), .cut_i(header.cut), .is_double_o(plan_double), .is_single_o(plan_single),
    .may_be_special_o(plan_special), .exponents_o(plan_exponents), .flags_o(plan_flags), .sizes_o(plan_sizes),
    .base_o(plan_base), .cuts_o(plan_cuts)
  );
  logic planned;
  assign planned = state != Decode
                   || (last_group == (left <= (is_cut ? 24'd2 : 24'd1))
                       && count == (last_group ? left[1:0] : is_cut ? 2'd2 : 2'd1)
                       && is_cut == (header.codec == weft_pkg::CodecLsbCut)
                       && header.codec != weft_pkg::CodecRaw
                       && header.codec != ((Classic != 0) ? weft_pkg::CodecTable : weft_pkg::CodecClassic)
                       && header.cut <= 6'(weft_pkg::MaxCut)
                       && {is_double, is_single, may_be_special, exponents, flags, sizes, base, cuts}
                          == {plan_double, plan_single, plan_special, plan_exponents, plan_flags, plan_sizes, plan_base,
                              plan_cuts}
                       && (is_cut || Classic != 0 || {size, corrupt} == {measured_size, measured_corrupt}));

  // Numbers of the packets, as counted by the watches: of the group, of the packet in progress (or the next one, in
  // Idle), of the flits in the FIFO. Indices of their flits in a raw packet.
  logic counted;
  logic [23:0] worked_index;
  assign group_packet_o  = out_packet + 8'(out_valid && out_tail);
  assign worked_packet_o = group_packet_o + 8'(group_valid && group_tail);
  assign front_packet_o  = worked_packet_o + 8'(state != Idle && !going_on);
  assign second_packet_o = front_packet_o + 8'(front_valid && front_tail);
  assign counted         = in_packet == second_packet_o + 8'(second_valid && second_tail);
  assign group_index_o   = !out_valid ? out_index : out_tail ? 24'd0 : out_index + 24'd1;
  assign worked_index    = !group_valid ? group_index_o : group_tail ? 24'd0 : group_index_o + group_flits;
  assign front_index_o   = (front_valid && front_head) ? 24'd0 : worked_index;
  assign second_index_o  = !front_valid ? front_index_o : front_tail ? 24'd0 : front_index_o + 24'd1;

  logic holding;
  assign holding = available <= 7'd97 && ((available == 7'd0 && state != Decode)
                                         || (offset == available && (window >> available) == '0));

  assign sound_o = fifo && leaving && working && planned && counted && holding;
  assign fresh_o = !in_within && !in_waits && !out_within && in_index == 24'd0 && out_index == 24'd0
                   && in_packet == out_packet;
  assign waits_o = in_within && !front_valid;

endmodule

`default_nettype wire
