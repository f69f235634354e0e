// SPDX-License-Identifier: Apache-2.0
/// The entries of the XOR decoder, with any packets that follow the rules of names, and any stalls. Each entry is free,
/// known or waiting. A datum is known exactly as long as it has uses. The register of equal names is correct. An entry
/// is written only if it is free, or if its last use is ending. A used entry stays known, and a resolved entry stays
/// waiting, until the end of the packet. A flush may be requested at any time: it empties all entries between two
/// packets, and busy_o is high until then. The module's own assertions hold.
`default_nettype none

module xor_decoder_entries #(
  parameter int unsigned Entries = 2,
  localparam int unsigned Depth = 2
) (
  input wire logic clk_i,

  input wire logic              flit_valid_i,
  input wire logic              flit_head_i,
  input wire logic              flit_tail_i,
  input wire weft_pkg::header_t flit_header_i,
  input wire weft_pkg::code_t   flit_code_i,
  input wire logic [31:0]       flit_payload_i,
  input wire logic [1:0]        flit_error_i,
  input wire logic              ready_i,
  input wire logic              flush_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic              ready;
  logic              flit_valid, flit_head, flit_tail;
  weft_pkg::header_t flit_header;
  weft_pkg::code_t   flit_code;
  logic [31:0]       flit_payload;
  logic [1:0]        flit_error;
  logic              busy;
  weft_xor_decoder #(.Words(1), .Entries(Entries), .Depth(Depth)) u_decoder (
    .clk_i, .rst_ni(reset_done_q),
    .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_header_i, .flit_code_i, .flit_payload_i, .flit_error_i,
    .ready_o(ready),
    .flit_valid_o(flit_valid), .flit_head_o(flit_head), .flit_tail_o(flit_tail), .flit_header_o(flit_header),
    .flit_code_o(flit_code), .flit_payload_o(flit_payload), .flit_error_o(flit_error), .ready_i,
    .flush_i, .busy_o(busy)
  );

  // Signals of the decoder.
  logic [2:0]            state;
  logic [Entries-1:0]    known, waiting, fresh, using_entries, entry;
  logic [Entries*20-1:0] names, seconds;
  logic [Entries*Entries-1:0] first_is, second_is;
  logic [Entries*4-1:0]  uses;
  logic                  coded, stays, begun, flush, to_come;
  weft_pkg::datum_t      other;
  logic [23:0]           left;
  localparam logic [2:0] Idle = 3'd0, Pass = 3'd1, Keep = 3'd2, Store = 3'd3, Decode = 3'd4, Resolve = 3'd5;

  function automatic logic is_one(input logic [Entries-1:0] set);
    is_one = set != '0 && (set & (set - Entries'(1))) == '0;
  endfunction

  logic [Entries-1:0] no_uses, last_use, free;
  logic               unique_names;
  always_comb begin
    unique_names = 1'b1;
    for (int unsigned i = 0; i < Entries; i++) begin
      no_uses[i]  = uses[4*i +: 4] == 4'd0;
      last_use[i] = uses[4*i +: 4] == 4'd1;
      for (int unsigned j = 0; j < i; j++) begin
        if (known[i] && known[j] && names[20*i +: 20] == names[20*j +: 20]) begin
          unique_names = 1'b0;
        end
      end
    end
  end
  assign free = ~(known | waiting);

  // Entries with meaningful names, and whether the register of equal names is correct for all of them.
  logic [Entries-1:0] named;
  logic               names_compared;
  assign named = ~free | (((state == Keep || state == Store) && begun) ? entry : '0);
  always_comb begin
    names_compared = 1'b1;
    for (int unsigned i = 0; i < Entries; i++) begin
      for (int unsigned j = 0; j < Entries; j++) begin
        if (i != j && named[i] && named[j]) begin
          if (first_is[Entries*i+j] != (names[20*i +: 20] == names[20*j +: 20])
              || (!known[i] && second_is[Entries*i+j] != (seconds[20*i +: 20] == names[20*j +: 20]))) begin
            names_compared = 1'b0;
          end
        end
      end
    end
  end

  // A flit that is offered and not accepted is offered again.
  logic         waits_q = 1'b0;
  logic         requested_q = 1'b0, flush_q = 1'b0;  // a flush was requested; it was executed
  logic [3+weft_pkg::HeaderBits+weft_pkg::CodeBits+34-1:0] offer, offer_q;
  assign offer = {flit_valid_i, flit_head_i, flit_tail_i, flit_header_i, flit_code_i, flit_payload_i, flit_error_i};
  always_ff @(posedge clk_i) begin
    waits_q <= reset_done_q && flit_valid_i && !ready;
    offer_q <= offer;
    requested_q <= reset_done_q && (requested_q || flush_i) && !flush;
    flush_q <= reset_done_q && flush;
  end

  always_comb begin
    assume (reset_done_q || !flit_valid_i);  // nothing is driven during reset
    assume (!waits_q || offer == offer_q);
    assume (unique_names);
    if (flit_valid_i && state != Resolve) begin
      assume (flit_head_i == (state == Idle || !begun));
    end
    if (flit_valid_i && flit_tail_i && state == Decode) begin
      assume (left <= 24'd1);  // a coded packet has the length of the longer of its data
    end
    assume (!flit_valid_i || flit_code_i.first.name != flit_code_i.second.name);
  end

  always_comb begin
    if (reset_done_q) begin
      States : assert (state <= Resolve);
      RequestIsPending : assert (to_come == requested_q);
      BusyUntilFlushed : assert (busy || !(requested_q || flush_i));
      FlushedWhenIdle : assert (flush == (requested_q || flush_i) || state != Idle || flit_valid_i);
      FlushOnRequest : assert (!flush || requested_q || flush_i);
      FlushEmpties : assert (!flush_q || (free == '1 && state == Idle));
      OneOfThree : assert ((known & waiting) == '0 && (fresh & free) == '0);
      NamesCompared : assert (names_compared);
      KnownHasUses : assert ((known & no_uses) == '0);
      if (state == Pass) begin
        PassUsesKnown : assert ((using_entries & ~known) == '0);
      end
      if (state == Keep || state == Store) begin
        RoomStaysFree : assert (is_one(entry) && (entry & ~free) == '0 && using_entries == '0);
        KeptHasUses : assert (coded || (state == Keep && begun && (entry & no_uses) == '0));
      end
      if (state == Decode) begin
        DecodeUsesKnown : assert (is_one(using_entries) && (using_entries & ~known) == '0);
        DecodeHasRoom : assert (!stays || (is_one(entry) && (entry & ~free & ~(using_entries & last_use)) == '0));
        StaysHasUses : assert (!stays || other.uses > 4'd1);
      end
      if (state == Resolve) begin
        ResolveUsesKnown : assert (is_one(using_entries) && (using_entries & ~known) == '0);
        ResolvedWaits : assert (is_one(entry) && (entry & ~waiting) == '0);
      end
    end
  end

endmodule

`default_nettype wire
