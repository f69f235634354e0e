// SPDX-License-Identifier: Apache-2.0
/// The decompressor alone, K = 1, without bound: any packets, coded or not, valid or not, and any stalls.
///  - Every state that it reaches is sound (decompressor_sound), and the assertions of the module hold.
///  - Its output is a stream of raw packets, each with the number of flits in its header. A flit does not change while
///    it stalls. Packets leave once, in the order of their arrival, with unchanged class, destination, source, words
///    and type. A raw packet leaves flit for flit and without an error, any other with the flits that its words need.
///  - No string makes it hang: in every cycle in which the receiver could accept a flit, something moves, or the packet
///    in progress is not complete.
///
/// The proof does not cover the words of coded packets. Proved by induction over the cycles. The proof marks any packet
/// and any flit of it.
`default_nettype none

module decompressor_always #(
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1
) (
  input wire logic clk_i,

  input wire logic              flit_valid_i,
  input wire logic              flit_head_i,
  input wire logic              flit_tail_i,
  input wire weft_pkg::header_t flit_header_i,
  input wire logic [31:0]       flit_payload_i,
  input wire logic              ready_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic              ready, busy;
  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  logic [31:0]       flit_payload;
  logic [1:0]        flit_error;
  weft_decompressor #(.Words(1), .Classic(Classic), .Exact(Exact)) u_decompressor (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i, .ready_o(ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_payload_o(flit_payload), .flit_error_o(flit_error), .ready_i, .busy_o(busy)
  );

  logic        legal_in, legal_out, accepted_in, accepted_out;
  logic [7:0]  packet_in, packet_out;
  logic [23:0] index_in, index_out;
  packet_watch #(.Words(1)) u_in (
    .clk_i, .rst_ni(reset_done_q), .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i,
    .ready_i(ready), .legal_o(legal_in), .packet_o(packet_in), .index_o(index_in), .accepted_o(accepted_in)
  );
  packet_watch #(.Words(1)) u_out (
    .clk_i, .rst_ni(reset_done_q), .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail),
    .flit_header_i(flit_header), .flit_payload_i(flit_payload),
    .ready_i, .legal_o(legal_out), .packet_o(packet_out), .index_o(index_out), .accepted_o(accepted_out)
  );

  logic        sound, fresh, waits;
  logic [7:0]  group_packet, worked_packet, front_packet, second_packet;
  logic [23:0] group_index, front_index, second_index;
  decompressor_sound #(.Classic(Classic), .Exact(Exact)) u_sound (
    .sound_o(sound), .fresh_o(fresh), .waits_o(waits), .group_packet_o(group_packet), .worked_packet_o(worked_packet),
    .front_packet_o(front_packet), .second_packet_o(second_packet), .group_index_o(group_index),
    .front_index_o(front_index), .second_index_o(second_index)
  );

  // Number of the marked packet, and the marked flit as it arrived. A flit that bypasses leaves in the same cycle.
  // Numbers repeat after 256 packets; nearly all of these have left by then.
  (* anyconst *) logic [7:0]  marked_packet;
  (* anyconst *) logic [23:0] marked_index;
  weft_pkg::header_t header, header_q, decoded, decoded_q;
  logic [31:0]       payload, payload_q;
  logic              is_raw, was_raw;
  logic              marked_in;
  assign marked_in = flit_valid_i && packet_in == marked_packet;
  assign header    = (marked_in && index_in == 24'd0) ? flit_header_i : header_q;
  assign payload   = (marked_in && index_in == marked_index) ? flit_payload_i : payload_q;
  always_ff @(posedge clk_i) begin
    header_q  <= header;
    payload_q <= payload;
  end
  // Expected header of the marked packet at the output, if it arrived coded.
  always_comb begin
    decoded       = header;
    decoded.flits = (header.words == 24'd0) ? 24'd1 : header.words;
    decoded.codec = weft_pkg::CodecRaw;
    decoded.cut   = 6'd0;
    decoded_q       = header_q;
    decoded_q.flits = (header_q.words == 24'd0) ? 24'd1 : header_q.words;
    decoded_q.codec = weft_pkg::CodecRaw;
    decoded_q.cut   = 6'd0;
  end
  assign is_raw  = header.codec == weft_pkg::CodecRaw;
  assign was_raw = header_q.codec == weft_pkg::CodecRaw;

  // Storage of the stage.
  (* keep *) logic              front_valid, front_head, second_valid, second_head, raw;
  (* keep *) logic              group_head, group_second, out_head;
  (* keep *) logic [1:0]        state, group_kind, out_error;
  (* keep *) weft_pkg::header_t front_header, second_header, worked_header, group_header, out_header;
  (* keep *) logic [31:0]       front_payload, second_payload, group_payload, out_payload;
  logic worked, kept_fields, kept_front, kept_second, kept_worked, kept_group, kept_shown, kept_order;
  assign worked      = state != 2'd0;
  assign kept_fields = worked_header.message_class == header_q.message_class
                       && worked_header.destination == header_q.destination
                       && worked_header.source == header_q.source && worked_header.words == header_q.words
                       && worked_header.data_type == header_q.data_type && worked_header.codec == header_q.codec
                       && worked_header.cut == header_q.cut;
  assign kept_front  = !front_valid || front_packet != marked_packet
                       || ((!front_head || front_header == header_q)
                           && (!was_raw || front_index != marked_index || front_payload == payload_q));
  assign kept_second = !second_valid || second_packet != marked_packet
                       || ((!second_head || second_header == header_q)
                           && (!was_raw || second_index != marked_index || second_payload == payload_q));
  assign kept_worked = worked_packet != marked_packet
                       || (worked ? kept_fields && !was_raw : !raw || was_raw);
  assign kept_group  = !group_valid || group_packet != marked_packet
                       || ((group_kind == 2'd0) == was_raw
                           && (!(group_head && !group_second) || group_header == (was_raw ? header_q : decoded_q))
                           && (!was_raw || group_index != marked_index || group_payload == payload_q));
  assign kept_shown  = !out_valid || packet_out != marked_packet
                       || ((!out_head || out_header == (was_raw ? header_q : decoded_q))
                           && (!was_raw || out_error == weft_pkg::ErrorNone)
                           && (!was_raw || index_out != marked_index || out_payload == payload_q));
  // If the marked packet is raw, its next flit to arrive is the one after those in the stage.
  assign kept_order  = packet_in != marked_packet || index_in == 24'd0 || !was_raw
                       || index_in == (second_valid ? second_index + 24'd1
                                                    : front_valid ? front_index + 24'd1 : front_index);

  always_comb begin
    assume (reset_done_q || !flit_valid_i);  // nothing is driven during reset
    assume (legal_in);
  end

  // Signals of the decompressor: a flit leaves the FIFO, a group its window; a flit is in one of the last two
  // registers.
  (* keep *) logic       pop, load, fill, out_valid, group_valid;
  (* keep *) logic [1:0] found;  // an error

  always_comb begin
    if (!reset_done_q) begin
      NothingCame : assert (fresh);
    end else begin
      Sound : assert (sound);
      Kept : assert (kept_front && kept_second && kept_worked && kept_group && kept_shown && kept_order);
      LegalOut : assert (legal_out);
      if (flit_valid && packet_out == marked_packet) begin
        if (flit_head) begin
          SameHeader : assert (flit_header == (is_raw ? header : decoded));
        end
        if (is_raw) begin
          NoError : assert (flit_error == weft_pkg::ErrorNone);
          SamePayload : assert (index_out != marked_index || flit_payload == payload);
        end
      end
      if (busy && ready_i) begin
        NothingStays : assert (out_valid || group_valid || pop || load || fill || found != weft_pkg::ErrorNone
                               || waits);
      end
    end
  end

endmodule

`default_nettype wire
