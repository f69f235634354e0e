// SPDX-License-Identifier: Apache-2.0
/// The compressor alone, K = 1, without bound. It gets any packets, any stalls on both sides, and any configuration in
/// every cycle.
///  - Every state that it reaches is sound (compressor_sound), and the assertions of the module hold.
///  - Its output is a stream of packets, each with the number of flits in its header. A flit does not change while it
///    stalls. Packets leave once, in the order of their arrival, with their header. A packet whose codec is unchanged
///    leaves flit for flit. Any other packet was raw and is shorter, and its flits are those of the packer, in order.
///  - An empty stage accepts a head that is offered. Nothing stays: in every cycle in which the receiver could accept a
///    flit, one is fetched, or the oldest packet is not complete, or is in the encoder.
///
/// Proved by induction over the cycles. The proof marks any packet and any flit of it, and shows that the flit is
/// unchanged wherever the stage stores it.
`default_nettype none

module compressor_always #(
  parameter int unsigned Depth = 8,
  parameter int unsigned Packets = 2,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  parameter int unsigned Classic = 0,
  localparam int unsigned AddressBits = $clog2(Depth),
  localparam int unsigned IndexBits = $clog2(Packets),
  localparam int unsigned EntryBits = 2 + weft_pkg::CutBits + weft_pkg::HeaderBits
) (
  input wire logic clk_i,

  input wire logic              flit_valid_i,
  input wire logic              flit_head_i,
  input wire logic              flit_tail_i,
  input wire weft_pkg::header_t flit_header_i,
  input wire logic [31:0]       flit_payload_i,
  input wire logic              ready_i,
  input wire logic [31:0]       received_i,
  input wire logic [31:0]       queue_i,
  input wire logic [1:0]        mode_i,
  input wire logic [23:0]       length_threshold_i,
  input wire logic [31:0]       received_threshold_i,
  input wire logic [31:0]       queue_threshold_i,
  input wire logic [5:0]        cut_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic              ready, busy;
  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  logic [31:0]       flit_payload;
  weft_compressor #(.Words(1), .Depth(Depth), .Packets(Packets), .Table(Table), .Classic(Classic)) u_compressor (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i, .ready_o(ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_payload_o(flit_payload), .ready_i,
    .received_i, .queue_i, .mode_i, .length_threshold_i, .received_threshold_i, .queue_threshold_i, .cut_i,
    .busy_o(busy)
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

  logic                 sound, packing, waits, fresh;
  logic [7:0]           number, packed_so_far;
  logic [IndexBits:0]   within;
  logic [8*Packets-1:0] raw_flits, packed_flits;
  compressor_sound #(.Depth(Depth), .Packets(Packets), .Classic(Classic)) u_sound (
    .sound_o(sound), .number_o(number), .within_o(within), .raw_flits_o(raw_flits), .packed_flits_o(packed_flits),
    .packing_o(packing), .packed_so_far_o(packed_so_far), .waits_o(waits), .fresh_o(fresh)
  );

  // Number of the marked packet, and the marked flit as it arrived. A flit that bypasses leaves in the same cycle.
  // Numbers repeat after 256 packets; nearly all of these have left by then.
  (* anyconst *) logic [7:0]  marked_packet;
  (* anyconst *) logic [23:0] marked_index;
  weft_pkg::header_t header, header_q;
  logic [5:0]        cut, cut_q;
  logic [31:0]       payload, payload_q;
  logic              head_now, flit_now;
  assign head_now = flit_valid_i && packet_in == marked_packet && index_in == 24'd0;
  assign flit_now = flit_valid_i && packet_in == marked_packet && index_in == marked_index;
  assign header   = head_now ? flit_header_i : header_q;
  assign cut      = head_now ? cut_i : cut_q;
  assign payload  = flit_now ? flit_payload_i : payload_q;
  always_ff @(posedge clk_i) begin
    header_q  <= header;
    cut_q     <= cut;
    payload_q <= payload;
  end

  // The marked flit of the coded form, at the packer's output, two cycles after the input.
  logic [7:0]  encoder_packet_q, packer_packet_q;
  logic [7:0]  packed_q = 8'd0;  // flits of its packet that have left the packer
  logic [31:0] coded_q;
  (* keep *) logic        packer_valid, packer_last;
  (* keep *) logic [1:0]  packer_count;
  (* keep *) logic [95:0] packer_flits;
  logic [7:0]  marked_now;
  assign marked_now = marked_index[7:0] - packed_q;
  always_ff @(posedge clk_i) begin
    encoder_packet_q <= packet_in;
    packer_packet_q  <= encoder_packet_q;
    if (reset_done_q && packer_valid) begin
      packed_q <= packer_last ? 8'd0 : packed_q + 8'(packer_count);
      if (packer_packet_q == marked_packet && marked_index < 24'd64 && marked_now < 8'(packer_count)) begin
        coded_q <= packer_flits[32*marked_now[1:0] +: 32];
      end
    end
  end

  // Storage of the stage.
  (* keep *) logic [Depth*32-1:0]          raw_memory, packed_memory;  // by address
  (* keep *) logic [Packets*EntryBits-1:0] entries;
  (* keep *) logic [31:0]                  raw_data;
  (* keep *) logic [127:0]                 packed_data;
  (* keep *) logic [1:0]                   out_bank;
  (* keep *) logic [5:0]                   out_cut;
  (* keep *) weft_pkg::header_t            out_header;
  (* keep *) logic                         out_valid, out_coded, begun, fetch, fpc_valid, cut_valid;
  (* keep *) logic [IndexBits:0]           first;
  (* keep *) logic [IndexBits-1:0]         encoded_index, packed_index;
  (* keep *) logic [AddressBits:0]         raw_read, packed_reserved;
  (* keep *) logic [Packets*(AddressBits+1)-1:0] flits, total;
  (* keep *) logic [Packets-1:0]           coded;
  (* keep *) logic [AddressBits-1:0]       packed_read, packed_begin;

  // Numbers of the packets in encoder and packer.
  logic [7:0] packer_packet, encoder_packet;
  assign encoder_packet = number + 8'(IndexBits'(encoded_index - first[IndexBits-1:0]));
  assign packer_packet  = number + 8'(IndexBits'(packed_index - first[IndexBits-1:0]));

  logic [IndexBits-1:0]   slot;
  logic [7:0]             raw_before, packed_before;  // flits in the memories before those of the packet
  logic [7:0]             size, coded_size, come, raw_gone, packed_gone;
  logic [AddressBits-1:0] raw_address, packed_address, begin_address;
  logic                   kept;
  always_comb begin
    kept           = 1'b1;
    raw_before     = 8'd0;
    packed_before  = 8'd0;
    slot           = '0;
    size           = 8'd0;
    coded_size     = 8'd0;
    come           = 8'd0;
    raw_gone       = 8'd0;
    packed_gone    = 8'd0;
    raw_address    = '0;
    packed_address = '0;
    for (int unsigned k = 0; k < Packets; k++) begin
      if ((IndexBits+1)'(k) < within && number + 8'(k) == marked_packet) begin
        slot           = first[IndexBits-1:0] + IndexBits'(k);
        size           = 8'(flits[(AddressBits+1)*slot +: AddressBits+1]);
        coded_size     = 8'(total[(AddressBits+1)*slot +: AddressBits+1]);
        come           = (packet_in == marked_packet && index_in != 24'd0) ? 8'(index_in) : size;
        raw_gone       = size - raw_flits[8*k +: 8];
        packed_gone    = coded_size - packed_flits[8*k +: 8];
        raw_address    = raw_read[AddressBits-1:0] + AddressBits'(raw_before + 8'(marked_index) - raw_gone);
        packed_address = packed_read + AddressBits'(packed_before + 8'(marked_index) - packed_gone);
        if (entries[EntryBits*slot +: weft_pkg::CutBits+weft_pkg::HeaderBits] != {cut_q, header_q}) begin
          kept = 1'b0;
        end
        if (marked_index < 24'(come) && marked_index >= 24'(raw_gone)
            && raw_memory[32*raw_address +: 32] != payload_q) begin
          kept = 1'b0;
        end
        if (coded[slot] && marked_index < 24'(coded_size) && marked_index >= 24'(packed_gone)
            && packed_memory[32*packed_address +: 32] != coded_q) begin
          kept = 1'b0;
        end
      end
      if ((IndexBits+1)'(k) < within) begin
        raw_before = raw_before + raw_flits[8*k +: 8];
        if (coded[first[IndexBits-1:0] + IndexBits'(k)]) begin
          packed_before = packed_before + packed_flits[8*k +: 8];
        end
      end
    end
    // The packet in the packer: it is written while it may become shorter.
    begin_address = packed_begin + AddressBits'(marked_index);
    if (packing && packer_packet == marked_packet && marked_index < 24'(packed_so_far)
        && marked_index + 24'd2 <= 24'(packed_reserved) && packed_memory[32*begin_address +: 32] != coded_q) begin
      kept = 1'b0;
    end
    // The packet at the output, or partly sent.
    if ((out_valid || begun) && packet_out == marked_packet) begin
      if (out_header != header_q || out_cut != cut_q) begin
        kept = 1'b0;
      end
      if (out_valid && index_out == marked_index
          && (out_coded ? packed_data[32*out_bank +: 32] != coded_q : raw_data != payload_q)) begin
        kept = 1'b0;
      end
    end
  end

  always_comb begin
    assume (reset_done_q || !flit_valid_i);  // nothing is driven during reset
    assume (legal_in);
    assume (cut_i <= 6'(weft_pkg::MaxCut));
  end

  always_comb begin
    if (!reset_done_q) begin
      NothingCame : assert (fresh && packed_q == 8'd0);
    end else begin
      Sound : assert (sound);
      Kept : assert (kept);
      PackedCounted : assert (packed_q == (packing ? packed_so_far : 8'd0));
      EncoderOf : assert (!(fpc_valid || cut_valid) || encoder_packet_q == encoder_packet);
      PackerOf : assert (!packer_valid || packer_packet_q == packer_packet);
      LegalOut : assert (legal_out);
      if (!busy && flit_valid_i && flit_head_i && ready_i) begin
        TakenIfEmpty : assert (ready);
      end
      if (within != '0 && (!out_valid || ready_i)) begin
        NothingStays : assert (fetch || waits);
      end
      if (flit_valid && packet_out == marked_packet) begin
        if (flit_head) begin
          HeaderKept : assert (flit_header.message_class == header.message_class
                               && flit_header.destination == header.destination && flit_header.source == header.source
                               && flit_header.words == header.words && flit_header.data_type == header.data_type);
          if (flit_header.codec == header.codec) begin
            SameHeader : assert (flit_header == header);
          end else begin
            ShorterIfCoded : assert (header.codec == weft_pkg::CodecRaw && flit_header.flits < header.flits);
            CodecOfType : assert ((flit_header.codec == weft_pkg::CodecLsbCut && header.data_type[1]
                                   && flit_header.cut == cut)
                                  || (flit_header.codec ==
                                      ((Classic != 0) ? weft_pkg::CodecClassic : weft_pkg::CodecTable)
                                      && header.data_type == weft_pkg::TypeInt && flit_header.cut == header.cut));
          end
        end
        if (index_out == marked_index) begin
          SamePayload : assert (flit_payload == ((out_valid && out_coded) ? coded_q : payload));
        end
      end
    end
  end

endmodule

`default_nettype wire
