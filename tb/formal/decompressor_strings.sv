// SPDX-License-Identifier: Apache-2.0
/// The decompressor, K = 1, with any coded packet of at most four flits and three words, valid or not, and any stalls:
/// words, header and error are equal to those of a reference that follows only the format. So the decompressor reports
/// every truncated, over-long or corrupt string, and no valid one. The packet leaves: no string makes the stage hang.
///
/// The proof checks the first packet; the following ones are arbitrary.
`default_nettype none

module decompressor_strings #(
  parameter int unsigned Classic = 0,
  parameter int unsigned Exact = 1,
  /// Codec of the first packet.
  parameter int unsigned Codec = 1
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

  logic              ready;
  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  logic [31:0]       flit_payload;
  logic [1:0]        flit_error;
  logic              busy;
  weft_decompressor #(.Words(1), .Classic(Classic), .Exact(Exact)) u_decompressor (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i, .ready_o(ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_payload_o(flit_payload), .flit_error_o(flit_error), .ready_i, .busy_o(busy)
  );

  logic        legal_in, legal_out, accepted_in, accepted_out;
  logic [7:0]  packet_in, packet_out;
  logic [23:0] index_in, index_out;
  packet_watch #(.Words(1), .Counted(0)) u_in (
    .clk_i, .rst_ni(reset_done_q), .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_payload_i,
    .ready_i(ready), .legal_o(legal_in), .packet_o(packet_in), .index_o(index_in), .accepted_o(accepted_in)
  );
  packet_watch #(.Words(1), .Counted(0)) u_out (
    .clk_i, .rst_ni(reset_done_q), .flit_valid_i(flit_valid), .flit_head_i(flit_head), .flit_tail_i(flit_tail),
    .flit_header_i(flit_header), .flit_payload_i(flit_payload),
    .ready_i, .legal_o(legal_out), .packet_o(packet_out), .index_o(index_out), .accepted_o(accepted_out)
  );

  // Cycles in which nothing arrived and the receiver was ready; flits that have arrived.
  logic [7:0] idle_cycles_q = 8'd0;
  logic [7:0] came_q = 8'd0;
  always_ff @(posedge clk_i) begin
    idle_cycles_q <= (reset_done_q && !flit_valid_i && ready_i) ? idle_cycles_q + 8'd1 : 8'd0;
    came_q        <= (reset_done_q && accepted_in) ? came_q + 8'd1 : came_q;
  end

  // The part of the string that has arrived.
  weft_pkg::header_t header_q;
  logic [127:0]      string_q = 128'd0;
  logic [7:0]        bits_q = 8'd0;
  always_ff @(posedge clk_i) begin
    if (reset_done_q && accepted_in && packet_in == 8'd0) begin
      if (flit_head_i) begin
        header_q <= flit_header_i;
      end
      string_q <= string_q | (128'(flit_payload_i) << bits_q);
      bits_q   <= bits_q + 8'd32;
    end
  end

  always_comb begin
    assume (reset_done_q || !flit_valid_i);  // nothing is driven during reset
    assume (legal_in);
    if (flit_valid_i && packet_in == 8'd0) begin
      assume (!flit_head_i || (flit_header_i.codec == 2'(Codec) && flit_header_i.words <= 24'd3));
      assume (index_in < 24'd3 || flit_tail_i);
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // The reference
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // The window of the decoder holds a group and a flit. While the last group waits for the tail, flits enter as long as
  // the window has at most this many bits; the decoder does not wait for a later tail.
  localparam int unsigned Reach = weft_pkg::chunk_bits(1);

  logic [31:0] word0, word1, word2;
  logic [1:0]  error;
  logic [7:0]  at;      // position of the next group
  logic [7:0]  size;    // bits of the next group
  logic        bad;     // no encoder makes it
  logic [3:0]  owed;    // zeros of a run that have not left yet
  logic        given;   // its words have left
  logic [127:0] rest;
  logic [31:0]  data;
  logic [31:0]  value;
  logic [63:0]  double;
  logic         special;
  logic [1:0]   words;
  always_comb begin
    word0 = '0;
    word1 = '0;
    word2 = '0;
    error = 2'd0;
    at    = 8'd0;
    owed  = 4'd0;
    words = header_q.words[1:0];
    size  = 8'd0;
    bad   = 1'b0;
    given = 1'b0;
    rest  = '0;
    data  = '0;
    value = '0;
    double  = '0;
    special = 1'b0;
    if (words == 2'd0 || header_q.cut > 6'd51 || Codec == ((Classic != 0) ? 1 : 2)) begin
      error = 2'd3;
    end
    for (int unsigned i = 0; i < 3; i++) begin
      if (2'(i) < words && error == 2'd0 && !(Codec == 3 && i == 1)) begin
        rest  = string_q >> at;
        size  = 8'd0;
        bad   = 1'b0;
        value = 32'd0;
        if (Codec == 1) begin
          data = rest[34:3];
          case (rest[2:0])
            3'd0: begin size = 8'd22; value = 32'(data[18:0]); end
            3'd1: begin size = 8'd21; value = 32'(data[17:0]); end
            3'd2: begin size = 8'd20; value = 32'(data[16:0]); end
            3'd3: begin size = 8'd19; value = 32'(data[15:0]); end
            3'd4: begin size = 8'd18; value = 32'(data[14:0]); end
            3'd5: begin size = 8'd17; value = 32'(data[13:0]); end
            3'd6: begin size = 8'd3; bad = 1'b1; end
            default: begin size = 8'd35; value = data; end
          endcase
        end else if (Codec == 2) begin
          data = rest[34:3];
          if (owed != 4'd0) begin
            owed = owed - 4'd1;
          end else begin
            case (rest[2:0])
              3'd0: begin size = 8'd6; owed = 4'(data[2:0]); bad = 4'(data[2:0]) + 4'(i) >= 4'(words); end
              3'd1: begin size = 8'd7; value = {{28{data[3]}}, data[3:0]}; end
              3'd2: begin size = 8'd11; value = {{24{data[7]}}, data[7:0]}; end
              3'd3: begin size = 8'd19; value = {{16{data[15]}}, data[15:0]}; end
              3'd4: begin size = 8'd19; value = {data[15:0], 16'd0}; end
              3'd5: begin size = 8'd19; value = {{8{data[15]}}, data[15:8], {8{data[7]}}, data[7:0]}; end
              3'd6: begin size = 8'd11; value = {data[7:0], data[7:0], data[7:0], data[7:0]}; end
              default: begin size = 8'd35; value = data; end
            endcase
          end
        end else begin
          if (3'(words) >= 3'(i + 2)) begin
            // A double: kept bits, flag if special, cut bits if the flag is set.
            size    = 8'd64 - 8'(header_q.cut);
            double  = rest[63:0] << header_q.cut;
            special = double[62:52] == 11'd0 || double[62:52] == 11'd2047;
            rest    = rest >> size;
            if (Exact != 0 && special && header_q.cut != 6'd0) begin
              size = size + 8'd1;
              if (rest[0]) begin
                size   = size + 8'(header_q.cut);
                double = double | (rest[64:1] & ~(64'hffff_ffff_ffff_ffff << header_q.cut));
              end
            end else if (header_q.cut != 6'd0) begin
              double = double | (64'd1 << (header_q.cut - 6'd1));
            end
          end else begin
            size   = 8'd32;
            double = {32'd0, rest[31:0]};
          end
          value = double[31:0];
        end

        if (at + size > bits_q) begin
          error = 2'd1;
        end else if (bad) begin
          error = 2'd3;
        end else if ((3'(i + 1) == 3'(words) || (Codec == 3 && 3'(i + 2) == 3'(words)))
                     && bits_q > 8'd32 + 8'(Reach) + at) begin
          error = 2'd2;  // more flits than padding can have
        end else begin
          if (i == 0) begin
            word0 = value;
            word1 = (Codec == 3) ? double[63:32] : 32'd0;
          end
          if (i == 1) begin
            word1 = value;
          end
          if (i == 2) begin
            word2 = value;
          end
          at = at + size;
        end
      end
    end
    if (error == 2'd0) begin
      if (bits_q - at >= 8'd32) begin
        error = 2'd2;
      end else if ((string_q >> at) != '0) begin
        error = 2'd3;
      end
    end
  end

  always_comb begin
    if (reset_done_q) begin
      FramedOut : assert (legal_out);
      if (flit_valid && packet_out == 8'd0) begin
        if (flit_head) begin
          HeaderOfRaw : assert (flit_header.destination == header_q.destination && flit_header.source == header_q.source
                                && flit_header.words == header_q.words && flit_header.data_type == header_q.data_type
                                && flit_header.codec == weft_pkg::CodecRaw && flit_header.cut == 6'd0
                                && flit_header.flits == ((words == 2'd0) ? 24'd1 : 24'(words)));
        end
        EndsWithLastWord : assert (flit_tail == (index_out + 24'd1 == ((words == 2'd0) ? 24'd1 : 24'(words))));
        WordsRight : assert (flit_payload == ((index_out == 24'd0) ? word0 : (index_out == 24'd1) ? word1 : word2));
        ErrorRight : assert (flit_error == (flit_tail ? error : 2'd0));
        TailAfterTail : assert (!flit_tail || packet_in != 8'd0);
      end
      if (packet_in == 8'd1 && index_in == 24'd0 && !flit_valid_i && idle_cycles_q > came_q + 8'd5) begin
        NothingStays : assert (!busy && packet_out == 8'd1);
      end
    end
  end

endmodule

`default_nettype wire
