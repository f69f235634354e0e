// SPDX-License-Identifier: Apache-2.0
/// XOR names: stores the names of the entries of an XOR decoder, and compares them with each other.
///
/// Purpose    An entry has the name of a datum, or the two names of a coded packet. When names are written, they are
///            compared with all others, because there is no time for this when the results are needed.
/// Latency    1: the outputs include names from the cycle after they are written.
/// Handshake  None. Free entries have names too; the names of an entry that was never written are unknown.
`default_nettype none

`include "weft_assert.svh"

module weft_xor_names #(
  /// Number of entries, at least 2.
  parameter int unsigned Entries = 8,
  // Derived parameters. Do not set them.
  localparam int unsigned NameBits = weft_pkg::NameBits
) (
  input  wire logic clk_i,

  /// The entry that gets these names, as a set of at most one entry. A datum has only a first name.
  input  wire logic [Entries-1:0]  write_i,
  input  wire logic [NameBits-1:0] first_i,
  input  wire logic [NameBits-1:0] second_i,

  /// The first names of all entries, entry 0 lowest.
  output logic [Entries*NameBits-1:0] first_o,
  /// Bit Entries * i + j: the first (second) name of entry i equals the first name of another entry j.
  output logic [Entries*Entries-1:0] first_is_o,
  output logic [Entries*Entries-1:0] second_is_o
);

  logic [Entries*NameBits-1:0]    first_q, second_q;
  logic [Entries*Entries-1:0]     first_is_q, second_is_q;
  logic [Entries-1:0]             is_first, is_second;  // entries whose first, or second, name equals the written first
                                                        // name
  logic [Entries-1:0]             first_is_second;      // entries whose first name equals the written second name
  assign first_o     = first_q;
  assign first_is_o  = first_is_q;
  assign second_is_o = second_is_q;

  for (genvar i = 0; i < Entries; i++) begin : gen_same
    assign is_first[i]        = first_q[NameBits*i +: NameBits] == first_i;
    assign is_second[i]       = second_q[NameBits*i +: NameBits] == first_i;
    assign first_is_second[i] = first_q[NameBits*i +: NameBits] == second_i;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (write_i[i]) begin
        first_q[NameBits*i +: NameBits]  <= first_i;
        second_q[NameBits*i +: NameBits] <= second_i;
      end
      for (int unsigned j = 0; j < Entries; j++) begin
        if (write_i[i]) begin
          first_is_q[Entries*i+j]  <= is_first[j];
          second_is_q[Entries*i+j] <= first_is_second[j];
        end else if (write_i[j]) begin
          first_is_q[Entries*i+j]  <= is_first[i];
          second_is_q[Entries*i+j] <= is_second[i];
        end
      end
    end
  end

  `WEFT_PARAMETER(EntriesSupported, Entries >= 2, "Entries must be at least 2")

endmodule

`default_nettype wire
