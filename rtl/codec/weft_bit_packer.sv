// SPDX-License-Identifier: Apache-2.0
/// Bit packer: divides a bit string, which arrives in chunks, into flits.
///
/// Purpose    Holds the bits that do not fill a flit until the next chunk arrives. After the last chunk of a packet,
///            the remaining bits leave in a flit that is padded with zeros, and the packer is empty.
/// Latency    One cycle. The outputs are registers.
/// Handshake  None: the packer never stalls. A chunk gives up to three flits at once. Without a chunk all outputs are
///            0.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_bit_packer #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words,
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1)
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// A chunk: its bits (0 above its length), its number of bits, and whether it is the last chunk of its packet.
  input  wire logic                  valid_i,
  input  wire logic [ChunkBits-1:0]  chunk_i,
  input  wire logic [LengthBits-1:0] length_i,
  input  wire logic                  last_i,

  /// Flits, oldest lowest (unused ones are 0), their number (0 to 3), and whether the last one ends its packet.
  output logic                  valid_o,
  output logic [3*FlitBits-1:0] flits_o,
  output logic [1:0]            count_o,
  output logic                  last_o
);

  // Width of the position of a bit in a flit.
  localparam int unsigned OffsetBits = $clog2(FlitBits);
  // Width of the number of stored bits including a chunk, which is at most three flits.
  localparam int unsigned TotalBits = OffsetBits + 2;

  logic [FlitBits-1:0]  rest_q, rest_d;    // held bits; 0 above them
  logic [OffsetBits-1:0] offset_q, offset_d;  // number of held bits

  logic [FlitBits-1:0]   rest;  // needs no reset: no bit is held while the count is 0
  logic [3*FlitBits-1:0] string_bits;
  logic [TotalBits-1:0]  total;
  logic [1:0]            whole;  // number of full flits
  logic [1:0]            count;

  assign rest        = (offset_q == '0) ? '0 : rest_q;
  assign string_bits = (3*FlitBits)'(rest) | ((3*FlitBits)'(chunk_i) << offset_q);
  assign total       = TotalBits'(offset_q) + TotalBits'(length_i);
  assign whole       = total[TotalBits-1:OffsetBits];
  assign count       = (last_i && total[OffsetBits-1:0] != '0) ? whole + 2'd1 : whole;

  always_comb begin
    rest_d  = rest;
    offset_d = offset_q;
    if (valid_i) begin
      rest_d  = '0;
      offset_d = '0;
      if (!last_i) begin
        offset_d = total[OffsetBits-1:0];
        for (int unsigned j = 0; j < 3; j++) begin
          if (whole == 2'(j)) begin
            rest_d = string_bits[FlitBits*j +: FlitBits];
          end
        end
      end
    end
  end

  logic                  valid_q, last_q;
  logic [1:0]            count_q;
  logic [3*FlitBits-1:0] flits_q;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      offset_q <= '0;
      valid_q <= 1'b0;
      last_q  <= 1'b0;
      count_q <= 2'd0;
    end else begin
      offset_q <= offset_d;
      valid_q <= valid_i;
      last_q  <= valid_i & last_i;
      count_q <= valid_i ? count : 2'd0;
    end
  end

  always_ff @(posedge clk_i) begin
    rest_q <= rest_d;
  end

  for (genvar j = 0; j < 3; j++) begin : gen_flit
    always_ff @(posedge clk_i) begin
      flits_q[FlitBits*j +: FlitBits] <=
          (valid_i && count > 2'(j)) ? string_bits[FlitBits*j +: FlitBits] : '0;
    end
  end

  assign valid_o = valid_q;
  assign flits_o = flits_q;
  assign count_o = count_q;
  assign last_o  = last_q;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_ASSERT(LengthInRange, !valid_i || length_i <= LengthBits'(ChunkBits),
               "a chunk must have at most ChunkBits bits")
  `WEFT_ASSERT(ChunkWithinLength, !valid_i || (chunk_i >> length_i) == '0, "the bits above the length must be 0")
  `WEFT_ASSERT(RestWithinOffset, (rest >> offset_q) == '0, "the remaining bits above the offset must be 0")
  `WEFT_ASSERT(EmptyAfterLast, !last_q || offset_q == '0, "no bit of a packet may remain when its last flit leaves")
  `WEFT_ASSERT_KNOWN(KnownOut, ({valid_o, count_o, last_o}), "outputs must not be X")
  `include "cover/weft_bit_packer.svh"

endmodule

`default_nettype wire
