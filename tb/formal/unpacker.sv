// SPDX-License-Identifier: Apache-2.0
/// Bit unpacker: for any sequence of push, pop and clear, the window holds the bits that were pushed since the last
/// clear and not popped, in order, and zeros above them.
///
/// The proof marks any bit of any pushed flit. The marked bit stays in the window, behind the expected number of bits,
/// until it is popped; since it is arbitrary, this holds for all bits. Proved by induction over the cycles, without
/// bound.
`default_nettype none

module unpacker #(
  parameter int unsigned Words = 2,
  /// 1: the step of the induction, from any state in which the proved properties hold. 0: from reset.
  parameter int unsigned Step = 0,
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned IndexBits = $clog2(FlitBits),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1),
  localparam int unsigned WindowBits = ChunkBits + FlitBits,
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1)
) (
  input wire logic clk_i,

  input wire logic                  clear_i,
  input wire logic                  push_i,
  input wire logic [FlitBits-1:0]   flit_i,
  input wire logic [LengthBits-1:0] pop_i,

  // Marks bit `index_i` of the flit that is pushed.
  input wire logic                 mark_i,
  input wire logic [IndexBits-1:0] index_i
);

  logic reset_done_q = 1'b0, begun_q = 1'b0;
  logic reset_done;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
    begun_q      <= 1'b1;
  end
  assign reset_done = Step != 0 || reset_done_q;

  logic [WindowBits-1:0]    window;
  logic [AvailableBits-1:0] available;
  logic                     room;
  weft_bit_unpacker #(.Words(Words)) u_unpacker (
    .clk_i, .rst_ni(reset_done), .clear_i, .push_i, .flit_i, .pop_i,
    .window_o(window), .available_o(available), .room_o(room)
  );

  // Expected number of bits in the window.
  logic [AvailableBits-1:0] left, holds_q;
  assign left = clear_i ? '0 : holds_q - AvailableBits'(pop_i);
  always_ff @(posedge clk_i) begin
    if (!reset_done) begin
      holds_q <= '0;
    end else begin
      holds_q <= left + (push_i ? AvailableBits'(FlitBits) : '0);
    end
  end

  // The marked bit: whether it is in the window, the number of bits before it, and its value. It starts behind the bits
  // that were left when its flit was pushed, and moves forward with every pop until it is popped or cleared.
  logic                     within_q;
  logic [AvailableBits-1:0] before_q;
  logic                     value_q;
  always_ff @(posedge clk_i) begin
    if (!reset_done) begin
      within_q <= 1'b0;
    end else begin
      if (mark_i && push_i) begin
        within_q <= 1'b1;
        before_q <= left + AvailableBits'(index_i);
        value_q  <= flit_i[index_i];
      end else begin
        within_q <= within_q && !clear_i && before_q >= AvailableBits'(pop_i);
        before_q <= before_q - AvailableBits'(pop_i);
      end
    end
  end

  always_comb begin
    assume (reset_done || (!push_i && !clear_i && pop_i == '0));  // nothing is driven during reset
    assume (!push_i || clear_i || room);
    assume (AvailableBits'(pop_i) <= available && pop_i <= LengthBits'(ChunkBits));
  end

  // The shifters' copy of the number of bits.
  (* keep *) logic [AvailableBits-1:0] offset;

  // The properties, bit by bit, so that each is a small problem.
  localparam int unsigned Answers = 2;
  logic [Answers+WindowBits-1:0] right;
  assign right[0] = available == holds_q && holds_q <= AvailableBits'(WindowBits)
                    && (offset == available || available == '0) && (!within_q || before_q < holds_q);
  assign right[1] = room == ((AvailableBits+1)'(holds_q) + (AvailableBits+1)'(FlitBits)
                             <= (AvailableBits+1)'(WindowBits));
  for (genvar p = 0; p < WindowBits; p++) begin : gen_window
    assign right[Answers+p] = available == '0
                              || ((!(within_q && before_q == AvailableBits'(p)) || window[p] == value_q)
                                  && (AvailableBits'(p) < available || !window[p]));
  end

  always_comb begin
    if (Step != 0 && !begun_q) begin
      assume (right == '1);
    end
  end
  for (genvar p = 0; p < Answers + WindowBits; p++) begin : gen_right
    always_comb begin
      if (reset_done && (Step == 0 || begun_q)) begin
        assert (right[p]);
      end
    end
  end

endmodule

`default_nettype wire
