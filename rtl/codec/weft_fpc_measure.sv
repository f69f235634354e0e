// SPDX-License-Identifier: Apache-2.0
/// FPC measure: computes the size of a group of table-based FPC from its prefixes.
///
/// Purpose    The part of the FPC decoder that is also needed for the next group, before the present group has left.
/// Latency    None: combinational.
/// Handshake  None.
`default_nettype none

`include "weft_assert.svh"

module weft_fpc_measure #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Six run lengths of six bits, r0 lowest. They decrease and are 1 to 32.
  parameter logic [35:0] Table = weft_pkg::TableOne,
  // Derived parameters. Do not set them.
  localparam int unsigned CountBits = $clog2(Words + 1),
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words),
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1)
) (
  /// The beginning of the bit string, and the number of words in the group.
  input  wire logic [3*Words-1:0]   prefixes_i,
  input  wire logic [CountBits-1:0] count_i,

  /// Size of the group in bits, and whether no encoder produces it. Of a nonexistent token only the prefix is counted.
  output logic [LengthBits-1:0] size_o,
  output logic                  corrupt_o
);

  // Number of bits of a word, with its prefix, for each of the eight prefixes; eight bits each.
  localparam logic [63:0] Tokens = {
    8'd35, 8'd3, 8'd35 - {2'd0, Table[0 +: 6]}, 8'd35 - {2'd0, Table[6 +: 6]}, 8'd35 - {2'd0, Table[12 +: 6]},
    8'd35 - {2'd0, Table[18 +: 6]}, 8'd35 - {2'd0, Table[24 +: 6]}, 8'd35 - {2'd0, Table[30 +: 6]}
  };
  localparam int unsigned Pairs = (Words + 1) / 2;

  logic [Words-1:0]            present;
  logic [Words-1:0]            invalid;
  logic [Pairs*LengthBits-1:0] pair;  // number of bits of two words
  logic [Pairs*LengthBits-1:0] pair_sum;

  for (genvar j = 0; j < Words; j++) begin : gen_word
    assign present[j] = count_i > CountBits'(j);
    assign invalid[j] = present[j] && prefixes_i[3*j +: 3] == weft_pkg::PrefixInvalid;
  end

  // The sum is time-critical. A table with the size of two words replaces an adder.
  for (genvar j = 0; j < Words; j = j + 2) begin : gen_pair
    if (j + 1 < Words) begin : gen_two
      always_comb begin
        pair[LengthBits*(j/2) +: LengthBits] = '0;
        for (int unsigned p = 0; p < 8; p++) begin
          if (present[j] && !present[j+1] && prefixes_i[3*j +: 3] == 3'(p)) begin
            pair[LengthBits*(j/2) +: LengthBits] =
                pair[LengthBits*(j/2) +: LengthBits] | LengthBits'(Tokens[8*p +: 8]);
          end
          for (int unsigned r = 0; r < 8; r++) begin
            if (present[j+1] && prefixes_i[3*j +: 6] == {3'(r), 3'(p)}) begin
              pair[LengthBits*(j/2) +: LengthBits] =
                  pair[LengthBits*(j/2) +: LengthBits] | LengthBits'(Tokens[8*p +: 8] + Tokens[8*r +: 8]);
            end
          end
        end
      end
    end else begin : gen_one
      always_comb begin
        pair = '0;
        for (int unsigned p = 0; p < 8; p++) begin
          if (present[j] && prefixes_i[3*j +: 3] == 3'(p)) begin
            pair = pair | LengthBits'(Tokens[8*p +: 8]);
          end
        end
      end
    end
  end

  always_comb begin
    pair_sum = pair;
    for (int unsigned step = 1; step < Pairs; step = step * 2) begin
      for (int unsigned j = 0; j + step < Pairs; j = j + 2 * step) begin
        pair_sum[LengthBits*j +: LengthBits] =
            pair_sum[LengthBits*j +: LengthBits] + pair_sum[LengthBits*(j+step) +: LengthBits];
      end
    end
  end

  assign size_o    = pair_sum[LengthBits-1:0];
  assign corrupt_o = invalid != '0;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")

endmodule

`default_nettype wire
