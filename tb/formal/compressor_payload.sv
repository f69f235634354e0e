// SPDX-License-Identifier: Apache-2.0
/// The compressor alone, K = 1, FPC by table: the coded payload of integers is equal to that of a reference, for
/// packets of up to four words, with any packets, any stalls and any configuration in every cycle, from any sound state
/// (compressor_sound) in which the stage is idle.
///
/// The proof marks any packet and any flit of it. compressor_always proves the other properties.
`default_nettype none

module compressor_payload #(
  parameter int unsigned Depth = 8,
  parameter int unsigned Packets = 2,
  parameter logic [35:0] Table = weft_pkg::TableOne
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

  logic begun_q = 1'b0;
  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
  end

  logic              ready, busy;
  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  logic [31:0]       flit_payload;
  weft_compressor #(.Words(1), .Depth(Depth), .Packets(Packets), .Table(Table)) u_compressor (
    .clk_i, .rst_ni(1'b1),
    .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i, .ready_o(ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_payload_o(flit_payload), .ready_i,
    .received_i, .queue_i, .mode_i, .length_threshold_i, .received_threshold_i, .queue_threshold_i, .cut_i,
    .busy_o(busy)
  );

  logic        legal_in, legal_out, accepted_in, accepted_out;
  logic [7:0]  packet_in, packet_out;
  logic [23:0] index_in, index_out;
  packet_watch #(.Words(1), .Anywhere(1)) u_in (
    .clk_i, .rst_ni(1'b1), .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i,
    .ready_i(ready), .legal_o(legal_in), .packet_o(packet_in), .index_o(index_in), .accepted_o(accepted_in)
  );
  packet_watch #(.Words(1), .Anywhere(1)) u_out (
    .clk_i, .rst_ni(1'b1), .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail),
    .flit_header_i(flit_header), .flit_payload_i(flit_payload),
    .ready_i, .legal_o(legal_out), .packet_o(packet_out), .index_o(index_out), .accepted_o(accepted_out)
  );

  logic                     sound, packing, waits, fresh;
  logic [7:0]               number, packed_so_far;
  logic [$clog2(Packets):0] within;
  logic [8*Packets-1:0]     raw_flits, packed_flits;
  compressor_sound #(.Depth(Depth), .Packets(Packets)) u_sound (
    .sound_o(sound), .number_o(number), .within_o(within), .raw_flits_o(raw_flits), .packed_flits_o(packed_flits),
    .packing_o(packing), .packed_so_far_o(packed_so_far), .waits_o(waits), .fresh_o(fresh)
  );

  // The marked packet as it arrived, and whether it has arrived.
  (* anyconst *) logic [7:0] marked_packet;
  (* anyconst *) logic [2:0] marked_index;
  weft_pkg::header_t header, header_q;
  logic              marked_in, came, came_q = 1'b0;
  assign marked_in = flit_valid_i && packet_in == marked_packet;
  assign came      = came_q || (marked_in && index_in == 24'd0);
  assign header    = (marked_in && index_in == 24'd0) ? flit_header_i : header_q;
  logic changed, changed_q;  // the marked packet leaves coded
  assign changed = (index_out == 24'd0) ? flit_header.codec != header.codec : changed_q;
  always_ff @(posedge clk_i) begin
    came_q   <= came;
    header_q <= header;
    if (flit_valid && packet_out == marked_packet) begin
      changed_q <= changed;
    end
  end

  // Reference code: the marked packet as a string. Prefixes 0 to 5 stand for runs of zeros (5 for the longest), which
  // are removed from the word; 7 stands for any word.
  logic [139:0] coded, coded_q = '0;
  logic [7:0]   bits, bits_q = '0;
  logic [34:0]  token;
  logic [7:0]   token_bits;
  logic         referred;  // the reference covers the packet
  always_comb begin
    token      = {flit_payload_i, 3'd7};
    token_bits = 8'd35;
    for (int unsigned i = 0; i < 6; i++) begin  // the longest run, the first one of the table, is checked last
      if (flit_payload_i >> (6'd32 - Table[6*(5-i)+:6]) == '0) begin
        token      = {flit_payload_i, 3'(i)};
        token_bits = 8'd35 - 8'(Table[6*(5-i)+:6]);
      end
    end
    coded = coded_q;
    bits  = bits_q;
    if (marked_in && index_in < 24'd4) begin
      coded = coded_q | (140'(token) << bits_q);
      bits  = bits_q + token_bits;
    end
  end
  assign referred = header.words == header.flits && header.flits <= 24'd4 && header.data_type == weft_pkg::TypeInt;
  always_ff @(posedge clk_i) begin
    if (accepted_in && came) begin
      coded_q <= coded;
      bits_q  <= bits;
    end
  end

  always_comb begin
    assume (legal_in);
    assume (cut_i <= 6'(weft_pkg::MaxCut));
    assume (begun_q || !busy);
    // Proved by compressor_always.
    assume (sound);
    assume (!begun_q || legal_out);
  end

  always_comb begin
    if (came && changed && referred && flit_valid && packet_out == marked_packet
        && index_out == 24'(marked_index)) begin
      CodedPayload : assert (flit_payload == 32'(coded_q >> {marked_index, 5'd0}));
    end
  end

endmodule

`default_nettype wire
