// SPDX-License-Identifier: Apache-2.0
/// Observes a stream of packets: computes whether it is legal, and the position in the stream. Proofs use it to assume
/// legal inputs and to assert legal outputs.
`default_nettype none

module packet_watch #(
  parameter int unsigned Words = 1,
  /// 1: checks the number of flits in the header. 0: checks only head and tail, for streams of a faulty sender.
  parameter int unsigned Counted = 1,
  /// 1: starts in any state, also inside a packet.
  parameter int unsigned Anywhere = 0,
  localparam int unsigned FlitBits = 32 * Words
) (
  input wire logic clk_i,
  input wire logic rst_ni,

  input wire logic                flit_valid_i,
  input wire logic                flit_head_i,
  input wire logic                flit_tail_i,
  input wire logic [weft_pkg::HeaderBits-1:0] flit_header_i,
  input wire logic [FlitBits-1:0] flit_payload_i,
  input wire logic                ready_i,

  /// A packet begins with a head and ends with a tail, and has the number of flits in its header; a flit that was not
  /// accepted is offered again unchanged.
  output logic        legal_o,
  /// The offered flit: number of its packet (0 is the first) and index in the packet; number of packets whose tail was
  /// accepted.
  output logic [7:0]  packet_o,
  output logic [23:0] index_o,
  output logic        accepted_o
);

  logic        within_q;  // the head was accepted, the tail was not
  logic [23:0] left_q;    // flits left of this packet
  logic [23:0] index_q;
  logic [7:0]  packet_q;

  // The flit that was offered and not accepted.
  logic                waits_q;
  logic                head_q, tail_q;
  logic [weft_pkg::HeaderBits-1:0] header_q;
  logic [FlitBits-1:0] payload_q;

  logic [23:0] left;
  logic        framed, held;
  weft_pkg::header_t header;
  assign header = flit_header_i;
  assign left   = within_q ? left_q : header.flits;
  assign framed = flit_head_i == !within_q
                  && (Counted == 0 || (left != 24'd0 && flit_tail_i == (left == 24'd1)));
  assign held   = flit_valid_i && flit_head_i == head_q && flit_tail_i == tail_q && flit_header_i == header_q
                  && flit_payload_i == payload_q;

  assign accepted_o = flit_valid_i && ready_i;
  assign legal_o    = (!flit_valid_i || framed) && (!waits_q || held);
  assign packet_o   = packet_q;
  assign index_o    = index_q;

  if (Anywhere == 0) begin : gen_start
    initial begin
      within_q = 1'b0;
      waits_q  = 1'b0;
      packet_q = 8'd0;
      index_q  = 24'd0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      waits_q <= flit_valid_i && !ready_i;
      if (accepted_o) begin
        within_q <= !flit_tail_i;
        left_q   <= left - 24'd1;
        index_q  <= flit_tail_i ? 24'd0 : index_q + 24'd1;
        packet_q <= flit_tail_i ? packet_q + 8'd1 : packet_q;
      end
    end
    head_q    <= flit_head_i;
    tail_q    <= flit_tail_i;
    header_q  <= flit_header_i;
    payload_q <= flit_payload_i;
  end

endmodule

`default_nettype wire
