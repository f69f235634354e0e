// SPDX-License-Identifier: Apache-2.0
/// Bit unpacker: whatever is pushed, taken and cleared, and when, the window holds the bits that were pushed since the
/// last clear and not taken, in order, and zeros above them.
///
/// One pushed bit is marked: any bit of any flit, at any time. It stays in the window, behind as many bits as it
/// should, until it is taken; and as it could be any, all do. Proved by induction over the cycles, without bound.
`default_nettype none

module unpacker #(
  parameter int unsigned Words = 2,
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
  input wire logic [LengthBits-1:0] take_i,

  // Marks bit `index_i` of the flit that is pushed.
  input wire logic                 mark_i,
  input wire logic [IndexBits-1:0] index_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  logic [WindowBits-1:0]    window;
  logic [AvailableBits-1:0] available;
  logic                     room;
  weft_bit_unpacker #(.Words(Words)) u_unpacker (
    .clk_i, .rst_ni(reset_done_q), .clear_i, .push_i, .flit_i, .take_i,
    .window_o(window), .available_o(available), .room_o(room)
  );

  // How many bits the window should hold.
  logic [AvailableBits-1:0] left, holds_q;
  assign left = clear_i ? '0 : holds_q - AvailableBits'(take_i);
  always_ff @(posedge clk_i) begin
    if (!reset_done_q) begin
      holds_q <= '0;
    end else begin
      holds_q <= left + (push_i ? AvailableBits'(FlitBits) : '0);
    end
  end

  // The marked bit: whether it is within, how many bits are before it, and what it is. It stands behind all that was
  // left when its flit was pushed, and moves forward by every take until it is itself taken or cleared away.
  logic                     within_q;
  logic [AvailableBits-1:0] before_q;
  logic                     value_q;
  initial within_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (reset_done_q) begin
      if (mark_i && push_i) begin
        within_q <= 1'b1;
        before_q <= left + AvailableBits'(index_i);
        value_q  <= flit_i[index_i];
      end else begin
        within_q <= within_q && !clear_i && before_q >= AvailableBits'(take_i);
        before_q <= before_q - AvailableBits'(take_i);
      end
    end
  end

  always_comb begin
    assume (reset_done_q || (!push_i && !clear_i && take_i == '0));  // nothing is driven during reset
    assume (!push_i || clear_i || room);
    assume (AvailableBits'(take_i) <= available && take_i <= LengthBits'(ChunkBits));
  end

  // What the window would hold without the take: the step of the induction is made in two.
  (* keep *) logic [WindowBits-1:0] appended;
  logic [AvailableBits-1:0]         before, appended_bits;
  logic                             value;
  assign before        = (mark_i && push_i) ? holds_q + AvailableBits'(index_i) : before_q;
  assign value         = (mark_i && push_i) ? flit_i[index_i] : value_q;
  assign appended_bits = holds_q + (push_i ? AvailableBits'(FlitBits) : '0);

  always_comb begin
    if (reset_done_q && !clear_i) begin
      AppendedZerosAbove : assert ((appended >> appended_bits) == '0);
      if (within_q || (mark_i && push_i)) begin
        AppendedMarkThere : assert (before < appended_bits && appended[before] == value);
      end
    end
    if (reset_done_q) begin
      Counted : assert (available == holds_q && holds_q <= AvailableBits'(WindowBits));
      RoomForAFlit : assert (room == ((AvailableBits+1)'(holds_q) + (AvailableBits+1)'(FlitBits)
                                      <= (AvailableBits+1)'(WindowBits)));
      ZerosAbove : assert ((window >> available) == '0);
      if (within_q) begin
        MarkThere : assert (before_q < available && window[before_q] == value_q);
      end
    end
  end

endmodule

`default_nettype wire
