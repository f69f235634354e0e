// SPDX-License-Identifier: Apache-2.0
/// Bit packer: for chunks of any length at any time, every bit of a packet leaves once, at its offset; the last flit is
/// padded with zeros; nothing else leaves.
///
/// The proof marks any bit of a chunk at any time. The marked bit waits behind the expected number of bits, or leaves
/// at the expected position of a flit; since the marked bit is arbitrary, this holds for all bits. The number of flits
/// that have left is the number that the bits before it fill, so the position is also its offset in the packet. Proved
/// by induction over the cycles, without bound.
`default_nettype none

module packer #(
  parameter int unsigned Words = 2,
  /// 1: the step of the induction, from any state in which the proved properties hold. 0: from reset.
  parameter int unsigned Step = 0,
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned OffsetBits = $clog2(FlitBits),
  localparam int unsigned PlaceBits = OffsetBits + 2,  // bits of a position in three flits
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1)
) (
  input wire logic clk_i,

  input wire logic                  valid_i,
  input wire logic [ChunkBits-1:0]  chunk_i,
  input wire logic [LengthBits-1:0] length_i,
  input wire logic                  last_i,

  // Marks bit `index_i` of the chunk.
  input wire logic                  mark_i,
  input wire logic [LengthBits-1:0] index_i
);

  logic reset_done_q = 1'b0, begun_q = 1'b0;
  logic reset_done;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    begun_q      <= 1'b1;
  end
  assign reset_done = Step != 0 || reset_done_q;

  logic                  valid, last;
  logic [3*FlitBits-1:0] flits;
  logic [1:0]            count;
  weft_bit_packer #(.Words(Words)) u_packer (
    .clk_i, .rst_ni(reset_done), .valid_i, .chunk_i, .length_i, .last_i,
    .valid_o(valid), .flits_o(flits), .count_o(count), .last_o(last)
  );

  // Waiting bits, without and with the chunk; bits that leave with this chunk, without padding.
  logic [OffsetBits-1:0] waiting_q;
  logic [PlaceBits-1:0]  total, leaving;
  assign total   = PlaceBits'(waiting_q) + PlaceBits'(length_i);
  assign leaving = last_i ? total : {total[PlaceBits-1:OffsetBits], OffsetBits'(0)};

  // The marked bit: its position among these bits; whether it waits, or leaves in the next cycle; its value.
  logic                 waits_q, leaves_q, value_q;
  logic [PlaceBits-1:0] place, place_q;
  logic                 marks, value;
  assign marks = valid_i && mark_i && index_i < length_i;
  assign place = marks ? PlaceBits'(waiting_q) + PlaceBits'(index_i) : place_q;
  assign value = marks ? chunk_i[index_i] : value_q;

  // Outputs of the packer.
  logic                 was_valid_q, was_last_q;
  logic [PlaceBits-1:0] leaving_q;
  logic [1:0]           count_q;

  always_ff @(posedge clk_i) begin
    if (!reset_done) begin
      waiting_q   <= '0;
      waits_q     <= 1'b0;
      leaves_q    <= 1'b0;
      was_valid_q <= 1'b0;
    end else begin
      was_valid_q <= valid_i;
      leaves_q    <= valid_i && (marks || waits_q) && place < leaving;
      if (valid_i) begin
        waiting_q <= last_i ? '0 : total[OffsetBits-1:0];
        waits_q   <= (marks || waits_q) && place >= leaving;
      end
    end
    was_last_q <= last_i;
    leaving_q  <= leaving;
    count_q    <= 2'((leaving + PlaceBits'(FlitBits - 1)) >> OffsetBits);
    value_q    <= value;
    if (valid_i) begin
      place_q <= (place >= leaving) ? place - leaving : place;
    end
  end

  // Registers of the packer, which the induction needs.
  (* keep *) logic [OffsetBits-1:0] offset;
  (* keep *) logic [FlitBits-1:0]   rest;

  always_comb begin
    assume (reset_done || !valid_i);  // nothing is driven during reset
    assume (length_i <= LengthBits'(ChunkBits));
    assume (!valid_i || (chunk_i >> length_i) == '0);
  end

  // The properties, bit by bit, so that each is a small problem.
  localparam int unsigned Answers = 4;
  logic [Answers+FlitBits+3*FlitBits-1:0] right;
  assign right[0] = offset == waiting_q && !(waits_q && leaves_q) && (!waits_q || place_q < PlaceBits'(waiting_q));
  assign right[1] = valid == was_valid_q && (!leaves_q || (was_valid_q && place_q < leaving_q));
  assign right[2] = valid ? last == was_last_q && count == count_q && (!last || offset == '0) : !last && count == 2'd0;
  assign right[3] = leaving_q <= PlaceBits'(3 * FlitBits) && (was_last_q || leaving_q[OffsetBits-1:0] == '0)
                    || !was_valid_q;
  for (genvar p = 0; p < FlitBits; p++) begin : gen_rest
    assign right[Answers+p] = (!(waits_q && place_q == PlaceBits'(p)) || rest[p] == value_q)
                              && (PlaceBits'(p) < PlaceBits'(waiting_q) || !rest[p]);
  end
  for (genvar p = 0; p < 3 * FlitBits; p++) begin : gen_flits
    assign right[Answers+FlitBits+p] = (!(leaves_q && place_q == PlaceBits'(p)) || flits[p] == value_q)
                                       && ((was_valid_q && PlaceBits'(p) < leaving_q) || !flits[p]);
  end

  always_comb begin
    if (Step != 0 && !begun_q) begin
      assume (right == '1);
    end
  end
  for (genvar p = 0; p < Answers + 4 * FlitBits; p++) begin : gen_right
    always_comb begin
      if (reset_done && (Step == 0 || begun_q)) begin
        assert (right[p]);
      end
    end
  end

endmodule

`default_nettype wire
