// SPDX-License-Identifier: Apache-2.0
/// XOR encoder followed by decoder, with any packets of three data in any order and any stalls: the payload of each
/// packet at the output matches its code. A plain packet is its datum, sent or decoded; a coded packet is the XOR of
/// its data. Packets also arrive coded, so that the decoder receives every order that a network could produce. Uses are
/// arbitrary.
`default_nettype none

module xor_loop #(
  parameter int unsigned Overhead = 0,
  parameter int unsigned Entries = 2,
  localparam int unsigned Depth = 2
) (
  input wire logic clk_i,

  /// The offered packet.
  input wire logic       flit_valid_i,
  input wire logic [2:0] role_i,
  input wire logic       relay_i,
  input wire logic [1:0] datum_i,  // the datum, or the one to XOR with the held datum
  input wire logic [1:0] other_i,  // coded: the second datum
  input wire logic [3:0] uses_i,
  input wire logic [3:0] other_uses_i,
  input wire logic       ready_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  // The data: their names, lengths in words, and flits, 0 after the last word.
  (* anyconst *) logic [59:0]  names;
  (* anyconst *) logic [5:0]   words;
  (* anyconst *) logic [191:0] flits;
  function automatic logic [19:0] name_of(input logic [1:0] datum, input logic [59:0] all);
    name_of = all[20*datum +: 20];
  endfunction
  function automatic logic [1:0] words_of(input logic [1:0] datum, input logic [5:0] all);
    words_of = all[2*datum +: 2];
  endfunction
  function automatic logic [31:0] flit_of(input logic [1:0] datum, input logic index, input logic [5:0] lengths,
                                          input logic [191:0] all);
    flit_of = (2'(index) < words_of(datum, lengths)) ? all[64*datum + 32*index +: 32] : 32'd0;
  endfunction
  function automatic logic [1:0] longer(input logic [1:0] a, input logic [1:0] b);
    longer = (a < b) ? b : a;
  endfunction

  // The packet at the input of the encoder.
  logic              coded_in, head_in, tail_in, accepted_in, ready_in;
  logic              within_q;
  logic [1:0]        words_in;
  weft_pkg::header_t header_in;
  weft_pkg::code_t   code_in;
  logic [31:0]       payload_in;
  assign coded_in     = role_i == weft_pkg::RoleCoded;
  assign words_in     = coded_in ? longer(words_of(datum_i, words), words_of(other_i, words))
                                 : words_of(datum_i, words);
  assign head_in      = !within_q;
  assign tail_in      = within_q || words_in != 2'd2;
  assign accepted_in  = flit_valid_i && ready_in;
  assign header_in    = {20'd7, 20'd9, (words_in == 2'd2) ? 24'd2 : 24'd1, 22'd0, words_in, weft_pkg::TypeInt,
                         weft_pkg::CodecRaw, 6'd0};
  assign code_in    = {role_i, relay_i, 1'b0,
                       name_of(datum_i, names), 22'd0, words_of(datum_i, words), uses_i, weft_pkg::TypeInt,
                       coded_in ? {name_of(other_i, names), 22'd0, words_of(other_i, words), other_uses_i,
                                   weft_pkg::TypeInt}
                                : 50'd0};
  assign payload_in = flit_of(datum_i, within_q, words, flits) ^
                      (coded_in ? flit_of(other_i, within_q, words, flits) : 32'd0);

  // An offered packet does not change until its end.
  logic        begun_q, waits_q;
  logic [16:0] choice, choice_q;
  assign choice = {role_i, relay_i, datum_i, other_i, uses_i, other_uses_i, 1'b0};
  initial begin
    within_q = 1'b0;
    begun_q  = 1'b0;
    waits_q  = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    begun_q  <= reset_done_q && (flit_valid_i ? !(accepted_in && tail_in) : begun_q);
    waits_q  <= reset_done_q && flit_valid_i && !ready_in;
    choice_q <= choice;
    if (reset_done_q && accepted_in) begin
      within_q <= !tail_in;
    end
  end

  // The held datum; 3: none.
  logic [1:0] held_q = 2'd3;
  always_ff @(posedge clk_i) begin
    if (reset_done_q && accepted_in && tail_in && (role_i == weft_pkg::RoleHold || role_i == weft_pkg::RoleChain)) begin
      held_q <= datum_i;
    end
  end

  logic              link_valid, link_head, link_tail, link_ready;
  weft_pkg::header_t link_header;
  weft_pkg::code_t   link_code;
  logic [31:0]       link_payload;
  logic              encoder_busy, decoder_busy;
  weft_xor_encoder #(.Words(1), .Depth(Depth), .Overhead(Overhead)) u_encoder (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i, .flit_head_i(head_in), .flit_tail_i(tail_in), .flit_header_i(header_in), .flit_code_i(code_in),
    .flit_payload_i(payload_in), .ready_o(ready_in),
    .flit_valid_o(link_valid), .flit_head_o(link_head), .flit_tail_o(link_tail), .flit_header_o(link_header),
    .flit_code_o(link_code), .flit_payload_o(link_payload), .ready_i(link_ready),
    .busy_o(encoder_busy)
  );

  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  weft_pkg::code_t   flit_code;
  logic [31:0]       flit_payload;
  logic [1:0]        flit_error;
  weft_xor_decoder #(.Words(1), .Entries(Entries), .Depth(Depth)) u_decoder (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i(link_valid), .flit_head_i(link_head), .flit_tail_i(link_tail), .flit_header_i(link_header),
    .flit_code_i(link_code), .flit_payload_i(link_payload), .flit_error_i(weft_pkg::ErrorNone), .ready_o(link_ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_code_o(flit_code), .flit_payload_o(flit_payload), .flit_error_o(flit_error), .ready_i,
    .flush_i(1'b0), .busy_o(decoder_busy)
  );

  logic        legal_out, accepted_out;
  logic [7:0]  packet_out;
  logic [23:0] index_out;
  packet_watch u_out (
    .clk_i, .rst_ni(reset_done_q), .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail),
    .flit_header_i(flit_header), .flit_payload_i(flit_payload), .ready_i,
    .legal_o(legal_out), .packet_o(packet_out), .index_o(index_out), .accepted_o(accepted_out)
  );

  // A receiver must not hold two data of one name: a datum to be stored is not known already.
  logic [Entries-1:0]    known;
  logic [Entries*20-1:0] known_names;
  logic                  twice;
  always_comb begin
    twice = 1'b0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (known[i] && known_names[20*i +: 20] == link_code.first.name) begin
        twice = 1'b1;
      end
    end
  end

  always_comb begin
    assume (reset_done_q || !flit_valid_i);  // nothing is driven during reset
    // Names matter only in comparisons, and all bits of the payload are independent.
    assume (names == {20'h80001, 20'h80000, 20'h00001});
    assume ((flits & ~{6{32'd1}}) == 192'd0);
    assume (uses_i <= 4'd2 && other_uses_i <= 4'd2);
    assume (words[1:0] != 2'd3 && words[3:2] != 2'd3 && words[5:4] != 2'd3);
    assume (role_i <= weft_pkg::RoleChain && datum_i != 2'd3 && other_i != 2'd3);
    assume (!begun_q || choice == choice_q);
    assume (!waits_q || flit_valid_i);
    assume (!coded_in || datum_i != other_i);
    if (flit_valid_i && !within_q && (role_i == weft_pkg::RoleCombine || role_i == weft_pkg::RoleChain)) begin
      assume (held_q != 2'd3 && held_q != datum_i);
    end
    if (link_valid && link_head && link_code.role == weft_pkg::RolePlain && link_code.first.uses != 4'd0) begin
      assume (!twice);
    end
  end

  // The output, by its names.
  weft_pkg::code_t code, code_q;
  logic [1:0]      first, second;
  logic [31:0]     expected;
  assign code     = flit_head ? flit_code : code_q;
  assign first    = (code.first.name == names[19:0]) ? 2'd0 : (code.first.name == names[39:20]) ? 2'd1 : 2'd2;
  assign second   = (code.second.name == names[19:0]) ? 2'd0 : (code.second.name == names[39:20]) ? 2'd1 : 2'd2;
  assign expected = flit_of(first, index_out[0], words, flits)
                    ^ ((code.role == weft_pkg::RoleCoded) ? flit_of(second, index_out[0], words, flits) : 32'd0);
  always_ff @(posedge clk_i) begin
    code_q <= code;
  end

  always_comb begin
    if (reset_done_q) begin
      LegalOut : assert (legal_out);
      if (flit_valid) begin
        RightFlit : assert (flit_payload == expected);
        if (flit_head) begin
          TravellingRole : assert (flit_code.role == weft_pkg::RolePlain || flit_code.role == weft_pkg::RoleCoded);
          FirstLength : assert (flit_code.first.words == 24'(words_of(first, words)));
          if (flit_code.role == weft_pkg::RolePlain) begin
            RightLength : assert (flit_header.words == 24'(words_of(first, words)));
          end
        end
      end
      // A packet that passes takes no cycle.
      if (flit_valid_i && role_i == weft_pkg::RolePlain && !encoder_busy && !decoder_busy) begin
        Passes : assert (flit_valid && flit_payload == payload_in && ready_in == ready_i);
      end
    end
  end

endmodule

`default_nettype wire
