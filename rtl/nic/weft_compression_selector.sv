// SPDX-License-Identifier: Apache-2.0
/// Compression selector: Algorithm 1 of COMPRESS, which decides whether a packet is compressed, and with which codec.
///
/// Purpose    Raw packets of 2 to Depth flits are candidates. A candidate is always selected or, in selective mode, if
///            it is long or if the network or the queue is full. The data type selects the codec. All other packets are
///            not compressed.
/// Latency    None: combinational.
/// Handshake  None.
`default_nettype none

`include "weft_assert.svh"

module weft_compression_selector #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Maximum length in flits of a packet that the compressor can hold; a power of two.
  parameter int unsigned Depth = 512,
  /// Codec for integers. 0: table-based FPC. 1: classic FPC.
  parameter int unsigned Classic = 0
) (
  /// Treatment of candidates: `weft_pkg::mode_e`. An undefined value has the effect of ModeNone.
  input  wire logic [1:0] mode_i,

  /// The packet: `weft_pkg::data_type_e`, its length, the length of its message, and `weft_pkg::codec_e` on arrival.
  input  wire logic [1:0]                    type_i,
  input  wire logic [weft_pkg::SizeBits-1:0] flits_i,
  input  wire logic [weft_pkg::SizeBits-1:0] words_i,
  input  wire logic [1:0]                    codec_i,

  /// N: flits that this node received in the last window. Q: packets that wait behind those being sent.
  input  wire logic [31:0] received_i,
  input  wire logic [31:0] queue_i,

  /// A packet of at least this number of flits is long. The network and the queue are full if N and Q exceed these
  /// numbers.
  input  wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input  wire logic [31:0]                   received_threshold_i,
  input  wire logic [31:0]                   queue_threshold_i,

  /// The codec to encode the packet with: `weft_pkg::codec_e`.
  output logic [1:0] codec_o
);

  localparam int unsigned SizeBits = weft_pkg::SizeBits;
  localparam int unsigned WordIndexBits = $clog2(Words);  // width of a word's index in a flit
  localparam int unsigned DepthBits = $clog2(Depth) + 1;

  logic whole;      // whether the last flit is full
  logic agrees;     // whether flits = ceil(words / Words); only meaningful for small numbers
  logic fits;       // whether 2 <= flits <= Depth
  logic candidate;
  logic selected;

  logic [SizeBits-1:0]  full_flits;
  logic [DepthBits-1:0] needed;
  assign full_flits = words_i >> WordIndexBits;
  assign whole      = (words_i & SizeBits'(Words - 1)) == '0;
  assign needed     = whole ? full_flits[DepthBits-1:0] : full_flits[DepthBits-1:0] + DepthBits'(1);
  // Packets whose lengths differ above these bits are too long to be candidates.
  assign agrees     = full_flits[SizeBits-1:DepthBits] == '0 && needed == flits_i[DepthBits-1:0];
  assign fits       = flits_i >= SizeBits'(2) && flits_i <= SizeBits'(Depth);
  assign candidate  = codec_i == weft_pkg::CodecRaw && fits && agrees;

  assign selected = mode_i == weft_pkg::ModeAlways
                    || (mode_i == weft_pkg::ModeSelective
                        && (flits_i >= length_threshold_i || received_i > received_threshold_i
                            || queue_i > queue_threshold_i));

  always_comb begin
    codec_o = weft_pkg::CodecRaw;
    if (candidate && selected) begin
      unique case (type_i)
        weft_pkg::TypeInt:           codec_o = (Classic != 0) ? weft_pkg::CodecClassic : weft_pkg::CodecTable;
        weft_pkg::TypeDouble:        codec_o = weft_pkg::CodecLsbCut;
        weft_pkg::TypeDoubleComplex: codec_o = weft_pkg::CodecLsbCut;
        default:                     codec_o = weft_pkg::CodecRaw;
      endcase
    end
  end

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_PARAMETER(DepthSupported, Depth >= 8 && DepthBits < SizeBits && Depth == 2 ** $clog2(Depth),
                  "Depth must be a power of two from 8 to 2^22")

endmodule

`default_nettype wire
