// SPDX-License-Identifier: Apache-2.0
/// The compressor alone, with any packets, any stalls on both sides, and another configuration in every cycle, from any
/// state in which it is idle:
///  - its output is a stream of packets, each with as many flits as its header says, held while it stalls;
///  - the packets leave in the order in which they came, each once, with class, destination, source, words and type as
///    they came; a packet whose codec did not change is the same flit for flit, any other was raw and has become
///    shorter; with K = 1 and FPC by table its payload is that of a reference, for packets of up to four words;
///  - a head that is offered to an empty stage is taken;
///  - nothing stays: when nothing more comes and the receiver is ready, all leave, and the stage is idle, in a state
///    from which the proof begins;
///  - the assertions of the module hold, those of its reservations among them.
///
/// One packet and one flit of it are marked, anywhere.
`default_nettype none

module compressor_stage #(
  parameter int unsigned Words = 1,
  parameter int unsigned Depth = 8,
  parameter int unsigned Packets = 2,
  parameter int unsigned Classic = 0,
  parameter logic [35:0] Table = weft_pkg::TableOne,
  localparam int unsigned AddressBits = $clog2(Depth),
  localparam int unsigned FlitBits = 32 * Words
) (
  input wire logic clk_i,

  input wire logic                flit_valid_i,
  input wire logic                flit_head_i,
  input wire logic                flit_tail_i,
  input wire weft_pkg::header_t   flit_header_i,
  input wire logic [FlitBits-1:0] flit_payload_i,
  input wire logic                ready_i,
  input wire logic [31:0]         received_i,
  input wire logic [31:0]         queue_i,
  input wire logic [1:0]          mode_i,
  input wire logic [23:0]         length_threshold_i,
  input wire logic [31:0]         received_threshold_i,
  input wire logic [31:0]         queue_threshold_i,
  input wire logic [5:0]          cut_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic                ready;
  logic                flit_valid, flit_head, flit_tail;
  weft_pkg::header_t   flit_header;
  logic [FlitBits-1:0] flit_payload;
  logic                busy;
  weft_compressor #(.Words(Words), .Depth(Depth), .Packets(Packets), .Table(Table), .Classic(Classic)) u_compressor (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i, .ready_o(ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_payload_o(flit_payload), .ready_i,
    .received_i, .queue_i, .mode_i, .length_threshold_i, .received_threshold_i, .queue_threshold_i, .cut_i,
    .busy_o(busy)
  );

  logic        legal_in, legal_out, taken_in, taken_out;
  logic [7:0]  packet_in, packet_out;
  logic [23:0] index_in, index_out;
  packet_watch #(.Words(Words)) u_in (
    .clk_i, .rst_ni(reset_done_q), .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i,
    .ready_i(ready), .legal_o(legal_in), .packet_o(packet_in), .index_o(index_in), .taken_o(taken_in)
  );
  packet_watch #(.Words(Words)) u_out (
    .clk_i, .rst_ni(reset_done_q), .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail),
    .flit_header_i(flit_header), .flit_payload_i(flit_payload),
    .ready_i, .legal_o(legal_out), .packet_o(packet_out), .index_o(index_out), .taken_o(taken_out)
  );

  // The marked packet and flit as they came. A flit that bypasses leaves in the cycle in which it comes.
  (* anyconst *) logic [1:0] marked_packet;
  (* anyconst *) logic [2:0] marked_index;
  weft_pkg::header_t   header, header_q;
  logic [5:0]          cut, cut_q;
  logic [FlitBits-1:0] payload, payload_q;
  logic                head_now, flit_now;
  assign head_now = flit_valid_i && packet_in == 8'(marked_packet) && index_in == 24'd0;
  assign flit_now = flit_valid_i && packet_in == 8'(marked_packet) && index_in == 24'(marked_index);
  assign header   = head_now ? flit_header_i : header_q;
  assign cut      = head_now ? cut_i : cut_q;
  assign payload  = flit_now ? flit_payload_i : payload_q;
  logic changed, changed_q;  // the marked packet leaves coded
  assign changed = (index_out == 24'd0) ? flit_header.codec != header.codec : changed_q;
  always_ff @(posedge clk_i) begin
    header_q  <= header;
    cut_q     <= cut;
    payload_q <= payload;
    if (flit_valid && packet_out == 8'(marked_packet)) begin
      changed_q <= changed;
    end
  end

  // FPC by table, written out: the marked packet as a string. Prefixes 0 to 5 stand for runs of zeros, 5 for the
  // longest, which are left out, 7 for any word.
  logic [139:0] coded, coded_q;
  logic [7:0]   bits, bits_q;
  logic [34:0]  token;
  logic [7:0]   token_bits;
  logic         referred;  // there is a reference for it
  logic [FlitBits-1:0] coded_flit;
  always_comb begin
    token      = {flit_payload_i[31:0], 3'd7};
    token_bits = 8'd35;
    for (int unsigned i = 0; i < 6; i++) begin  // the longest run, which is the first of the table, last
      if (flit_payload_i[31:0] >> (6'd32 - Table[6*(5-i)+:6]) == '0) begin
        token      = {flit_payload_i[31:0], 3'(i)};
        token_bits = 8'd35 - 8'(Table[6*(5-i)+:6]);
      end
    end
    coded = coded_q;
    bits  = bits_q;
    if (flit_valid_i && packet_in == 8'(marked_packet) && index_in < 24'd4) begin
      coded = coded_q | (140'(token) << bits_q);
      bits  = bits_q + token_bits;
    end
  end
  assign referred   = Words == 1 && Classic == 0 && header.words == header.flits && header.flits <= 24'd4
                      && header.data_type == weft_pkg::TypeInt;
  assign coded_flit = FlitBits'(coded_q >> {marked_index, 5'd0});
  initial begin
    coded_q = '0;
    bits_q  = '0;
  end
  always_ff @(posedge clk_i) begin
    if (taken_in) begin
      coded_q <= coded;
      bits_q  <= bits;
    end
  end

  // Within the compressor.
  logic [AddressBits-1:0] packed_begin, packed_write, packed_read;
  logic [AddressBits:0]   raw_write, raw_read, raw_free, packed_free;
  logic                   begun;
  logic [4:0]             waiting_bits;  // in the packer

  // Cycles in which nothing came and the receiver was ready, and flits that may be within.
  logic [7:0] quiet_q = 8'd0;
  logic [7:0] came_q = 8'd0;
  always_ff @(posedge clk_i) begin
    quiet_q <= (reset_done_q && !flit_valid_i && ready_i) ? quiet_q + 8'd1 : 8'd0;
    came_q  <= (reset_done_q && taken_in) ? came_q + 8'd1 : came_q;
  end

  // The packet that is coming is not complete.
  logic within;
  assign within = index_in != 24'd0;

  always_comb begin
    assume (reset_done_q || !flit_valid_i);  // nothing is driven during reset
    assume (legal_in);
    assume (cut_i <= 6'(weft_pkg::MaxCut));
  end

  always_comb begin
    if (reset_done_q) begin
      LegalOut : assert (legal_out);
      if (!busy && flit_valid_i && flit_head_i && ready_i) begin
        TakenIfEmpty : assert (ready);
      end
      if (!busy) begin
        IdleAsAtFirst : assert (packed_begin == packed_read && packed_write == packed_read && raw_write == raw_read
                                && raw_free == (AddressBits+1)'(Depth) && packed_free == (AddressBits+1)'(Depth)
                                && !begun && waiting_bits == 5'd0);
      end
      NothingBeforeItCame : assert (!flit_valid || packet_out <= packet_in);
      if (flit_valid && packet_out == 8'(marked_packet)) begin
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
        if (!changed && index_out == 24'(marked_index)) begin
          SamePayload : assert (flit_payload == payload);
        end
        if (changed && referred && index_out == 24'(marked_index)) begin
          CodedPayload : assert (flit_payload == coded_flit);
        end
      end
      // All that came takes a cycle each to leave, and at most four more until it begins to.
      if (!within && !flit_valid_i && quiet_q > came_q + 8'd5) begin
        NothingStays : assert (!busy && !flit_valid && packet_out == packet_in);
      end
    end
  end

endmodule

`default_nettype wire
