// SPDX-License-Identifier: Apache-2.0
/// Compressor followed by decompressor, K = 1, from any sound states (compressor_sound, decompressor_sound), with any
/// packets and any stalls: every packet that arrives is restored. Integers and headers are unchanged, doubles are as
/// LSB-cut defines, and the tail has no error.
///
/// The initial states are all states that the stages can reach, and more: they have any content and any pointers. The
/// proof ignores the packets in the initial state. It marks any later packet and two consecutive flits of it (which may
/// be a double).
`default_nettype none

module stage_loop #(
  parameter int unsigned Depth = 8,
  parameter int unsigned Packets = 2,
  parameter int unsigned Classic = 0,
  /// The only type of packets that arrive; 4: any type. With one type the solver reaches more cycles.
  parameter int unsigned Type = 4,
  /// 1: starts only in states in which both stages are idle. This covers fewer states, but more cycles.
  parameter int unsigned Idle = 0
) (
  input wire logic clk_i,

  input wire logic              flit_valid_i,
  input wire logic              flit_head_i,
  input wire logic              flit_tail_i,
  input wire weft_pkg::header_t flit_header_i,
  input wire logic [31:0]       flit_payload_i,
  input wire logic              ready_i
);

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
  end

  (* anyconst *) logic [5:0] cut;

  logic              ready, link_ready;
  logic              link_valid, link_head, link_tail;
  weft_pkg::header_t link_header;
  logic [31:0]       link_payload;
  logic              compressor_busy, decompressor_busy;
  weft_compressor #(.Words(1), .Depth(Depth), .Packets(Packets), .Classic(Classic)) u_compressor (
    .clk_i, .rst_ni(1'b1),
    .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i, .ready_o(ready),
    .flit_valid_o(link_valid), .flit_head_o(link_head), .flit_tail_o(link_tail), .flit_header_o(link_header),
    .flit_payload_o(link_payload), .ready_i(link_ready),
    .received_i('0), .queue_i('0), .mode_i(weft_pkg::ModeAlways), .length_threshold_i('0),
    .received_threshold_i('0), .queue_threshold_i('0), .cut_i(cut), .busy_o(compressor_busy)
  );

  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  logic [31:0]       flit_payload;
  logic [1:0]        flit_error;
  weft_decompressor #(.Words(1), .Classic(Classic)) u_decompressor (
    .clk_i, .rst_ni(1'b1),
    .flit_valid_i(link_valid), .flit_head_i(link_head), .flit_tail_i(link_tail), .flit_header_i(link_header),
    .flit_payload_i(link_payload), .ready_o(link_ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_payload_o(flit_payload), .flit_error_o(flit_error), .ready_i, .busy_o(decompressor_busy)
  );

  logic        legal_in, legal_out, accepted_in, accepted_out;
  logic [7:0]  packet_in, packet_out, packet_link;
  logic [23:0] index_in, index_out, index_link;
  logic        legal_link, accepted_link;
  packet_watch #(.Words(1), .Anywhere(1)) u_in (
    .clk_i, .rst_ni(1'b1), .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i,
    .ready_i(ready), .legal_o(legal_in), .packet_o(packet_in), .index_o(index_in), .accepted_o(accepted_in)
  );
  packet_watch #(.Words(1), .Anywhere(1)) u_link (
    .clk_i, .rst_ni(1'b1), .flit_valid_i(link_valid), .flit_head_i(link_head), .flit_tail_i(link_tail),
    .flit_header_i(link_header), .flit_payload_i(link_payload),
    .ready_i(link_ready), .legal_o(legal_link), .packet_o(packet_link), .index_o(index_link), .accepted_o(accepted_link)
  );
  packet_watch #(.Words(1), .Anywhere(1)) u_out (
    .clk_i, .rst_ni(1'b1), .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail),
    .flit_header_i(flit_header), .flit_payload_i(flit_payload),
    .ready_i, .legal_o(legal_out), .packet_o(packet_out), .index_o(index_out), .accepted_o(accepted_out)
  );

  // The marked packet as it arrived: its header, the lower and the upper word of a pair of flits.
  (* anyconst *) logic [7:0] marked_packet;
  (* anyconst *) logic [1:0] marked_pair;
  weft_pkg::header_t header, header_q;
  logic [31:0]       lower, lower_q, upper, upper_q;
  logic              marked_in;
  logic              came, came_q = 1'b0;  // it has arrived, beginning with its head
  assign marked_in = flit_valid_i && packet_in == marked_packet;
  assign came      = came_q || (marked_in && index_in == 24'd0);
  assign header    = (marked_in && index_in == 24'd0) ? flit_header_i : header_q;
  assign lower     = (marked_in && index_in == {21'd0, marked_pair, 1'b0}) ? flit_payload_i : lower_q;
  assign upper     = (marked_in && index_in == {21'd0, marked_pair, 1'b1}) ? flit_payload_i : upper_q;
  // Its codec between the stages.
  logic [1:0] codec, codec_q;
  assign codec = (link_valid && link_head && packet_link == marked_packet) ? link_header.codec : codec_q;
  always_ff @(posedge clk_i) begin
    came_q   <= came;
    header_q <= header;
    lower_q  <= lower;
    upper_q  <= upper;
    codec_q  <= codec;
  end

  // The expected pair, if it is a double and was cut.
  logic        is_cut;
  logic [63:0] sent, arrived;
  assign is_cut = codec == weft_pkg::CodecLsbCut && {21'd0, marked_pair, 1'b1} < header.flits;
  assign sent   = {upper, lower};
  always_comb begin
    arrived = sent;
    if (is_cut && sent[62:52] != 11'd0 && sent[62:52] != 11'd2047) begin
      arrived = (sent >> cut) << cut;
      if (cut != 6'd0) begin
        arrived[cut-6'd1] = 1'b1;
      end
    end
  end

  logic               sound_compressor, sound_decompressor;
  logic [7:0]         number, so_far;
  logic [1:0]         within;
  logic [15:0]        raw_flits, packed_flits;
  logic [7:0]         group_packet, worked_packet, front_packet, second_packet;
  logic [23:0]        group_index, front_index, second_index;
  logic               packing, waits_compressor, waits_decompressor, fresh_compressor, fresh_decompressor;
  compressor_sound #(.Depth(Depth), .Packets(Packets), .Classic(Classic)) u_sound (
    .sound_o(sound_compressor), .number_o(number), .within_o(within), .raw_flits_o(raw_flits),
    .packed_flits_o(packed_flits), .packing_o(packing), .packed_so_far_o(so_far), .waits_o(waits_compressor),
    .fresh_o(fresh_compressor)
  );
  decompressor_sound #(.Classic(Classic)) u_sound_decompressor (
    .sound_o(sound_decompressor), .fresh_o(fresh_decompressor), .waits_o(waits_decompressor),
    .group_packet_o(group_packet), .worked_packet_o(worked_packet), .front_packet_o(front_packet),
    .second_packet_o(second_packet), .group_index_o(group_index), .front_index_o(front_index),
    .second_index_o(second_index)
  );

  always_comb begin
    assume (legal_in);
    assume (begun_q || Idle == 0 || (!compressor_busy && !decompressor_busy));
    // Proved by compressor_always and decompressor_always.
    assume (sound_compressor && sound_decompressor);
    assume (!begun_q || (legal_link && legal_out));
    assume (cut <= 6'(weft_pkg::MaxCut));
    // A node sends only raw packets.
    assume (!flit_valid_i || !flit_head_i || (flit_header_i.codec == weft_pkg::CodecRaw && flit_header_i.cut == 6'd0));
    assume (Type == 4 || !flit_valid_i || !flit_head_i || flit_header_i.data_type == 2'(Type));
  end

  always_comb begin
    if (came && flit_valid && packet_out == marked_packet) begin
      NoError : assert (flit_error == weft_pkg::ErrorNone);
      if (flit_head) begin
        SameHeader : assert (flit_header == header);
      end
      if (index_out == {21'd0, marked_pair, 1'b0}) begin
        LowerWord : assert (flit_payload == arrived[31:0]);
      end
      if (index_out == {21'd0, marked_pair, 1'b1}) begin
        UpperWord : assert (flit_payload == arrived[63:32]);
      end
    end
  end

endmodule

`default_nettype wire
