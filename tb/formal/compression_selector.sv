// SPDX-License-Identifier: Apache-2.0
/// Compares the compression selector with a direct form of Algorithm 1, for every packet, all thresholds, and all N and
/// Q. Combinational.
`default_nettype none

module compression_selector #(
  parameter int unsigned Words = 2,
  parameter int unsigned Depth = 512,
  parameter int unsigned Classic = 0
) (
  input wire logic [1:0]                    mode_i,
  input wire logic [1:0]                    type_i,
  input wire logic [weft_pkg::SizeBits-1:0] flits_i,
  input wire logic [weft_pkg::SizeBits-1:0] words_i,
  input wire logic [1:0]                    codec_i,
  input wire logic [31:0]                   received_i,
  input wire logic [31:0]                   queue_i,
  input wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input wire logic [31:0]                   received_threshold_i,
  input wire logic [31:0]                   queue_threshold_i
);

  logic [1:0] codec;
  weft_compression_selector #(.Words(Words), .Depth(Depth), .Classic(Classic)) u_selector (
    .mode_i, .type_i, .flits_i, .words_i, .codec_i, .received_i, .queue_i,
    .length_threshold_i, .received_threshold_i, .queue_threshold_i, .codec_o(codec)
  );

  // Wide numbers, which cannot overflow.
  logic [63:0] flits, raw_flits;
  logic        candidate, selected;
  logic [1:0]  expected;
  always_comb begin
    flits     = 64'(flits_i);
    raw_flits = (64'(words_i) + 64'(Words - 1)) / 64'(Words);
    candidate = codec_i == 2'd0 && flits >= 64'd2 && flits <= 64'(Depth) && flits == raw_flits;
    selected  = 1'b0;
    if (mode_i == 2'd1) begin
      selected = 1'b1;
    end
    if (mode_i == 2'd2) begin
      selected = flits >= 64'(length_threshold_i) || received_i > received_threshold_i || queue_i > queue_threshold_i;
    end
    expected = 2'd0;
    if (candidate && selected) begin
      if (type_i == 2'd1) begin
        expected = (Classic != 0) ? 2'd2 : 2'd1;
      end
      if (type_i == 2'd2 || type_i == 2'd3) begin
        expected = 2'd3;
      end
    end
    EqualsReference : assert (codec == expected);
  end

endmodule

`default_nettype wire
