// SPDX-License-Identifier: Apache-2.0
/// Bit packer: whatever chunks come, when they come and however long they are, every bit of a packet leaves once, at
/// its offset; the last flit is filled up with zeros; nothing else leaves.
///
/// One bit of the packet is marked, at an arbitrary index. That this one leaves as it came is proved by induction over
/// the cycles, without bound; and as it could be any, all do.
`default_nettype none

module packer #(
  parameter int unsigned Words = 2,
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned OffsetBits = $clog2(FlitBits),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1)
) (
  input wire logic clk_i,

  input wire logic                  valid_i,
  input wire logic [ChunkBits-1:0]  chunk_i,
  input wire logic [LengthBits-1:0] length_i,
  input wire logic                  last_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic                  valid, last;
  logic [3*FlitBits-1:0] flits;
  logic [1:0]            count;
  weft_bit_packer #(.Words(Words)) u_packer (
    .clk_i, .rst_ni(reset_done_q), .valid_i, .chunk_i, .length_i, .last_i,
    .valid_o(valid), .flits_o(flits), .count_o(count), .last_o(last)
  );

  // A packet of 2^24 words has fewer bits than this counts.
  localparam int unsigned Bits = 32;
  (* anyconst *) logic [Bits-1:0] mark;  // index of the marked bit in its packet
  logic                           mark_value_q;  // that bit, once it has come

  logic [Bits-1:0] before_q;  // bits of the packet that have come
  logic [Bits-1:0] with_chunk;
  assign with_chunk = before_q + Bits'(length_i);
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) begin
      before_q <= '0;
    end else if (valid_i) begin
      before_q <= last_i ? '0 : with_chunk;
      if (mark >= before_q && mark < with_chunk) begin
        mark_value_q <= chunk_i[LengthBits'(mark - before_q)];
      end
    end
  end

  // The same, for the cycle in which the packer answers. (The next packet's chunk may already come.)
  logic            was_valid_q, was_last_q;
  logic [Bits-1:0] first_q;  // index in the string of the first bit that has not left before
  logic [Bits-1:0] total_q;  // bits that had come
  logic            was_value_q;
  logic            fresh;
  assign fresh = mark >= before_q && mark < with_chunk;
  initial was_valid_q = 1'b0;
  always_ff @(posedge clk_i) begin
    was_valid_q <= reset_done_q && valid_i;
    was_last_q  <= last_i;
    first_q     <= {before_q[Bits-1:OffsetBits], OffsetBits'(0)};
    total_q     <= with_chunk;
    was_value_q <= fresh ? chunk_i[LengthBits'(mark - before_q)] : mark_value_q;
  end

  // Flits that have to leave: all that are full, and with the last chunk the one that is not.
  logic [Bits-1:0]      behind;  // index behind the last bit that leaves
  logic [Bits-1:0]      in_flits;
  assign behind   = was_last_q ? ((total_q + Bits'(FlitBits - 1)) >> OffsetBits) << OffsetBits
                               : (total_q >> OffsetBits) << OffsetBits;
  assign in_flits = mark - first_q;

  // What the packer keeps, as the induction needs it.
  (* keep *) logic [OffsetBits-1:0] offset;
  (* keep *) logic [FlitBits-1:0]  rest;

  always_comb begin
    assume (reset_done_q || !valid_i);  // nothing is driven during reset
    assume (length_i <= LengthBits'(ChunkBits));
    assume (!valid_i || (chunk_i >> length_i) == '0);
    assume (with_chunk <= Bits'(1) << (Bits - 1));
  end

  always_comb begin
    if (reset_done_q) begin
      InRange : assert (before_q <= Bits'(1) << (Bits - 1));
      OffsetCounted : assert (offset == before_q[OffsetBits-1:0]);
      RestClean : assert ((rest >> offset) == '0);
      MarkKept : assert (mark >= before_q || mark < before_q - Bits'(offset)
                         || rest[OffsetBits'(mark - (before_q - Bits'(offset)))] == mark_value_q);
      Answers : assert (valid == was_valid_q);
      if (valid) begin
        LastKept : assert (last == was_last_q);
        CountRight : assert (Bits'(count) << OffsetBits == behind - first_q);
        // The marked bit leaves now, or its index is one that is filled up.
        if (mark >= first_q && mark < behind) begin
          MarkLeaves : assert (flits[in_flits[$clog2(3*FlitBits)-1:0]] == (mark < total_q && was_value_q));
        end
        NothingAboveCount : assert ((flits >> (FlitBits * count)) == '0);
      end else begin
        SilentOtherwise : assert (count == 2'd0 && !last && flits == '0);
      end
    end
  end

endmodule

`default_nettype wire
