// SPDX-License-Identifier: Apache-2.0
/// XOR decoder, K = 1: one of three data arrives plain, and two coded packets combine the first and the last datum with
/// the middle one. They arrive in any order and with any stalls. Each datum leaves once, as it was sent. There is no
/// overflow. The only coded packets that leave are relay packets. At the end every entry is free.
`default_nettype none

module xor_decoder_batch #(
  parameter int unsigned Entries = 4,
  localparam int unsigned Depth = 2
) (
  input wire logic clk_i,

  input wire logic       flit_valid_i,
  input wire logic [1:0] packet_i,  // the offered packet: data 0 and 1, 1 and 2, or the plain one
  input wire logic       ready_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  localparam logic [1:0] Plain = 2'd2;

  (* anyconst *) logic [1:0] plain;  // the datum that arrives plain
  (* anyconst *) logic [2:0] long;   // data with two flits
  (* anyconst *) logic [1:0] relay;  // relay bits of the coded packets
  // All bits of the payload are independent, so the proof covers one bit of each flit.
  (* anyconst *) logic [5:0] bits;
  function automatic logic [31:0] flit_of(input logic [1:0] datum, input logic index, input logic [2:0] two,
                                          input logic [5:0] all);
    flit_of = 32'(all[2*datum + index] && (!index || two[datum]));
  endfunction
  function automatic logic [weft_pkg::DatumBits-1:0] datum_of(input logic [1:0] datum, input logic two);
    datum_of = {18'd5, datum, two ? 24'd2 : 24'd1, (datum == 2'd1) ? 4'd2 : 4'd1, weft_pkg::TypeInt};
  endfunction

  logic [1:0]        first, second;
  logic              coded, two, within_q, tail_in, accepted, ready;
  weft_pkg::header_t header_in;
  weft_pkg::code_t   code_in;
  logic [31:0]       payload_in;
  assign coded      = packet_i != Plain;
  assign first      = coded ? packet_i : plain;
  assign second     = packet_i + 2'd1;
  assign two        = long[first] || (coded && long[second]);
  assign tail_in    = within_q || !two;
  assign accepted   = flit_valid_i && ready;
  assign header_in  = {20'd7, 20'd9, two ? 24'd2 : 24'd1, two ? 24'd2 : 24'd1, weft_pkg::TypeInt, weft_pkg::CodecRaw,
                       6'd0};
  assign code_in    = coded ? {weft_pkg::RoleCoded, relay[packet_i[0]], 1'b0, datum_of(first, long[first]),
                               datum_of(second, long[second])}
                            : {weft_pkg::RolePlain, 2'd0, datum_of(first, long[first]), 50'd0};
  assign payload_in = flit_of(first, within_q, long, bits) ^ (coded ? flit_of(second, within_q, long, bits) : 32'd0);

  // An offered packet does not change until its end.
  logic       begun_q, waits_q;
  logic [1:0] packet_q;
  logic [2:0] sent_q;
  initial begin
    within_q = 1'b0;
    begun_q  = 1'b0;
    waits_q  = 1'b0;
    sent_q   = 3'd0;
  end
  always_ff @(posedge clk_i) begin
    begun_q  <= flit_valid_i ? !(accepted && tail_in) : begun_q;
    waits_q  <= flit_valid_i && !ready;
    packet_q <= packet_i;
    if (accepted) begin
      within_q <= !tail_in;
      if (tail_in) begin
        sent_q[packet_i] <= 1'b1;
      end
    end
  end

  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  weft_pkg::code_t   flit_code;
  logic [31:0]       flit_payload;
  logic [1:0]        flit_error;
  logic              busy;
  weft_xor_decoder #(.Words(1), .Entries(Entries), .Depth(Depth)) u_decoder (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i, .flit_head_i(!within_q), .flit_tail_i(tail_in), .flit_header_i(header_in), .flit_code_i(code_in),
    .flit_payload_i(payload_in), .flit_error_i(weft_pkg::ErrorNone), .ready_o(ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_code_o(flit_code), .flit_payload_o(flit_payload), .flit_error_o(flit_error), .ready_i,
    .flush_i(1'b0), .busy_o(busy)
  );
  logic [Entries-1:0] known, waiting;

  always_comb begin
    assume (reset_done_q || !flit_valid_i);  // nothing is driven during reset
    assume (plain != 2'd3);
    assume (!begun_q || packet_i == packet_q);
    assume (!waits_q || flit_valid_i);
    assume (packet_i <= Plain);
    assume (!flit_valid_i || !sent_q[packet_i]);
  end

  // The output.
  logic        out_within_q = 1'b0;
  logic        out_coded, out_coded_q;
  logic [1:0]  out_first, out_first_q, out_second, out_second_q;
  logic [2:0]  came_q = 3'd0;    // data that have left, plain or decoded
  logic [1:0]  passed_q = 2'd0;  // packets that have left coded, by their first datum
  logic [31:0] expected;
  assign out_coded  = out_within_q ? out_coded_q : flit_code.role == weft_pkg::RoleCoded;
  assign out_first  = out_within_q ? out_first_q : flit_code.first.name[1:0];
  assign out_second = out_within_q ? out_second_q : flit_code.second.name[1:0];
  assign expected   = flit_of(out_first, out_within_q, long, bits)
                      ^ (out_coded ? flit_of(out_second, out_within_q, long, bits) : 32'd0);
  always_ff @(posedge clk_i) begin
    out_coded_q  <= out_coded;
    out_first_q  <= out_first;
    out_second_q <= out_second;
    if (flit_valid && ready_i) begin
      out_within_q <= !flit_tail;
      if (flit_tail) begin
        if (out_coded) begin
          passed_q[out_first[0]] <= 1'b1;
        end else begin
          came_q[out_first] <= 1'b1;
        end
      end
    end
  end

  always_comb begin
    if (reset_done_q) begin
      if (flit_valid) begin
        RightFlit : assert (flit_payload == expected);
        RightHead : assert (flit_head == !out_within_q);
        RightTail : assert (flit_tail == (out_within_q || !(long[out_first] || (out_coded && long[out_second]))));
        Once : assert (out_coded ? !passed_q[out_first[0]] : !came_q[out_first]);
        OnlyRelayCoded : assert (!out_coded || relay[out_first[0]]);
        if (flit_head) begin
          RightName : assert (flit_code.first == datum_of(out_first, long[out_first]));
          NoOverflow : assert (!flit_code.overflow);
        end
      end
      if (sent_q == 3'b111 && !busy && !flit_valid) begin
        AllCame : assert (came_q == 3'b111);
        RelaysPassed : assert ((relay & ~passed_q) == 2'd0);
        AllFree : assert ((known | waiting) == '0);
      end
    end
  end

endmodule

`default_nettype wire
