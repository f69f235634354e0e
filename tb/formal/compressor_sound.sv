// SPDX-License-Identifier: Apache-2.0
/// Definition of a sound state of the compressor, K = 1: relations between its registers, its memories, and the packets
/// at input and output that hold in every reachable state. `compressor_always` proves them by induction from reset;
/// `stage_loop` begins in any sound state.
///
/// stage_signals.py connects the signals of the stage and of the watches.
`default_nettype none

module compressor_sound #(
  parameter int unsigned Depth = 8,
  parameter int unsigned Packets = 2,
  parameter int unsigned Classic = 0,
  localparam int unsigned AddressBits = $clog2(Depth),
  localparam int unsigned UsedBits = AddressBits + 1,
  localparam int unsigned IndexBits = $clog2(Packets),
  localparam int unsigned EntryBits = 2 + weft_pkg::CutBits + weft_pkg::HeaderBits
) (
  output logic sound_o,

  /// Number of the oldest packet whose tail was not fetched, as counted by the watches. Number of packets in the stage,
  /// starting with this one.
  output logic [7:0]         number_o,
  output logic [IndexBits:0] within_o,
  /// Flits of the packet of descriptor first_q + k in the raw and in the packed memory, including those to be written.
  output logic [8*Packets-1:0] raw_flits_o,
  output logic [8*Packets-1:0] packed_flits_o,
  /// Whether a packet is in the packer, and the number of its flits that have left the packer before this cycle.
  output logic       packing_o,
  output logic [7:0] packed_so_far_o,
  /// The oldest packet waits for its sender or for the encoder.
  output logic waits_o,
  /// Nothing has arrived since reset.
  output logic fresh_o
);

  // Signals of the compressor.
  (* keep *) logic [1:0]                state;
  (* keep *) logic                      chosen;
  (* keep *) logic [1:0]                choice;
  (* keep *) logic [UsedBits-1:0]       raw_free, packed_free;
  (* keep *) logic [IndexBits:0]        first, next;
  (* keep *) logic                      begun;
  (* keep *) logic [UsedBits-1:0]       remaining;
  (* keep *) logic [Packets*UsedBits-1:0] flits, total;
  (* keep *) logic [Packets-1:0]        done, coded;
  (* keep *) logic [Packets*EntryBits-1:0] entries;
  (* keep *) logic [1:0]                codec;
  (* keep *) logic [5:0]                cut;
  (* keep *) logic [UsedBits-1:0]       left;
  (* keep *) logic                      encoded_first;
  (* keep *) logic [IndexBits-1:0]      encoded_index, packed_index;
  (* keep *) logic [UsedBits-1:0]       encoded_flits, packed_reserved;
  (* keep *) logic [UsedBits:0]         spare;
  (* keep *) logic [AddressBits-1:0]    packed_begin, packed_write, packed_read;
  (* keep *) logic [UsedBits-1:0]       packed_flits;
  (* keep *) logic [UsedBits-1:0]       raw_write, raw_read;
  (* keep *) logic                      out_valid, out_head, out_tail, out_coded;
  (* keep *) logic [UsedBits-1:0]       out_total;
  (* keep *) weft_pkg::header_t         out_header;
  (* keep *) logic [1:0]                out_codec;
  (* keep *) logic                      fpc_valid, fpc_last, cut_valid, cut_last;
  (* keep *) logic [64:0]               fpc_chunk, cut_chunk;
  (* keep *) logic [6:0]                fpc_length, cut_length;
  (* keep *) logic [4:0]                offset;
  (* keep *) logic [31:0]               rest;
  (* keep *) logic                      packer_valid, packer_last;
  (* keep *) logic [1:0]                packer_count;
  // Signals of the watches.
  (* keep *) logic                      in_within, in_waits, in_head, out_within;
  (* keep *) logic [23:0]               in_left, in_index, out_left, out_index;
  (* keep *) logic [7:0]                in_packet, out_packet;
  (* keep *) weft_pkg::header_t         in_header;

  localparam logic [1:0] Between = 2'd0, Bypass = 2'd1, Store = 2'd2, Encode = 2'd3;

  // Whether codec `tried` is the one for such a packet, if it is coded.
  function automatic logic [0:0] codes(input logic [1:0] tried, input logic [1:0] from, input logic [1:0] data_type,
                                       input logic [23:0] words, input logic [23:0] size);
    codes = from == weft_pkg::CodecRaw && size >= 24'd2 && size <= 24'(Depth) && words == size
            && (data_type[1] ? tried == weft_pkg::CodecLsbCut
                             : data_type == weft_pkg::TypeInt
                               && tried == ((Classic != 0) ? weft_pkg::CodecClassic : weft_pkg::CodecTable));
  endfunction

  // Descriptors in the order of the packets.
  logic [IndexBits:0]    within;
  logic [IndexBits-1:0]  newest;
  logic                  coming;     // the newest packet is not complete
  logic [Packets-1:0]    used;       // by descriptor
  logic [IndexBits-1:0]  slot;
  logic [7:0]            raw, packed_all, packed_won;
  logic                  described;  // each descriptor is consistent
  logic                  in_order;   // no packet was coded after an undecided one
  logic                  undecided;
  weft_pkg::header_t     header;
  logic [7:0]            size, coded_size;
  assign within = next - first;
  assign newest = next[IndexBits-1:0] - IndexBits'(1);
  assign coming = state == Store || state == Encode;

  // Stages of encoding: a packet whose last flit has not left the encoder; a packet that the packer has begun.
  logic encoder_valid, encoder_last, encoding, entered, packing;
  logic [6:0] encoder_length;
  assign encoder_valid  = fpc_valid || cut_valid;
  assign encoder_last   = fpc_last || cut_last;
  assign encoder_length = fpc_length | cut_length;
  assign encoding       = state == Encode || encoder_last;
  assign entered        = encoding && !encoded_first;
  assign packing        = entered || packer_last;

  always_comb begin
    raw            = 8'd0;
    packed_all     = 8'd0;
    packed_won     = 8'd0;
    described      = 1'b1;
    in_order       = 1'b1;
    undecided      = 1'b0;
    used           = '0;
    raw_flits_o    = '0;
    packed_flits_o = '0;
    for (int unsigned k = 0; k < Packets; k++) begin
      slot       = first[IndexBits-1:0] + IndexBits'(k);
      header     = entries[EntryBits*slot +: weft_pkg::HeaderBits];
      size       = 8'(flits[UsedBits*slot +: UsedBits]);
      coded_size = 8'(total[UsedBits*slot +: UsedBits]);
      if ((IndexBits+1)'(k) < within) begin
        used[slot] = 1'b1;
        if (size == 8'd0 || size > 8'(Depth) || header.flits != 24'(size) || (coded[slot] && !done[slot])
            || (coded[slot] && (coded_size == 8'd0 || coded_size >= size))
            || ((coded[slot] || !done[slot]) && !codes(entries[EntryBits*slot+EntryBits-2 +: 2], header.codec,
                                                       header.data_type, header.words, header.flits))
            || done[slot] == ((encoding && slot == encoded_index) || (packer_last && slot == packed_index))) begin
          described = 1'b0;
        end
        if (coded[slot] && undecided) begin
          in_order = 1'b0;
        end
        undecided = undecided || !done[slot];

        raw_flits_o[8*k +: 8] = size;
        if (k == 0 && begun) begin
          raw_flits_o[8*k +: 8] = coded[slot] ? 8'd0 : 8'(remaining);
        end
        if (!done[slot]) begin
          packed_flits_o[8*k +: 8] = size;
        end else if (coded[slot]) begin
          packed_flits_o[8*k +: 8] = (k == 0 && begun) ? 8'(remaining) : coded_size;
          packed_won = packed_won + packed_flits_o[8*k +: 8];
        end
        raw        = raw + raw_flits_o[8*k +: 8];
        packed_all = packed_all + packed_flits_o[8*k +: 8];
      end
    end
  end

  // Flits of the packet that have left the packer, and the maximum number of bits.
  logic signed [7:0] so_far;
  logic [11:0]       bits, most_bits;
  assign so_far    = 8'(packed_reserved) - {{(7-UsedBits){spare[UsedBits]}}, spare};
  assign bits      = 12'({so_far + 8'(packer_count), 5'd0}) + 12'(offset);
  assign most_bits = packer_last ? 12'd65 * 12'(packed_reserved) + 12'd31
                                 : 12'd65 * (12'(encoded_flits) - ((state == Encode) ? 12'(in_left) : 12'd0)
                                             - 12'(encoder_valid));

  // The flit at the output.
  logic [23:0]        shown_left;
  logic [IndexBits-1:0] oldest;
  logic [UsedBits-1:0]  oldest_size;
  assign shown_left  = !out_head ? out_left : out_coded ? 24'(out_total) : out_header.flits;
  assign oldest      = first[IndexBits-1:0];
  assign oldest_size = coded[oldest] ? total[UsedBits*oldest +: UsedBits] : flits[UsedBits*oldest +: UsedBits];

  // Expected values of the pointers. (Sums, so that they wrap like the pointers.)
  logic [UsedBits-1:0]    raw_end;
  logic [AddressBits-1:0] packed_end, packing_end;
  assign raw_end     = raw_read + UsedBits'(raw) - UsedBits'(coming ? in_left : 24'd0);
  assign packed_end  = packed_read + AddressBits'(packed_won);
  assign packing_end = packed_begin + AddressBits'(so_far);

  logic accepting, reserving, encodes, packs, shows;
  assign accepting = within <= (IndexBits+1)'(Packets)
                     && in_within == (state != Between)
                     && (in_within ? in_left != 24'd0 : in_index == 24'd0)
                     && (!coming || (within != '0 && in_left < 24'(flits[UsedBits*newest +: UsedBits])
                                     && in_index + in_left == 24'(flits[UsedBits*newest +: UsedBits])))
                     && (state != Store || (done[newest] && !coded[newest]))
                     && (!chosen || (state == Between && in_waits && in_head
                                     && (choice == weft_pkg::CodecRaw
                                         || codes(choice, in_header.codec, in_header.data_type, in_header.words,
                                                  in_header.flits))))
                     && in_packet + 8'(in_within)
                        == out_packet + 8'(within) + 8'(out_valid && out_tail) + 8'(state == Bypass);
  assign reserving = 8'(raw_free) + raw == 8'(Depth) && 8'(packed_free) + packed_all == 8'(Depth)
                     && (!coming || 24'(raw) >= in_left)
                     && raw_write == raw_end
                     && packed_begin == packed_end;
  assign encodes   = !(fpc_valid && cut_valid)
                     && (fpc_valid || (!fpc_last && fpc_length == 7'd0 && fpc_chunk == '0))
                     && (cut_valid || (!cut_last && cut_length == 7'd0 && cut_chunk == '0))
                     && fpc_length <= 7'd65 && (fpc_chunk >> fpc_length) == '0
                     && cut_length <= 7'd65 && (cut_chunk >> cut_length) == '0
                     && (!encoder_last || encoder_length != 7'd0)
                     && (!encoder_valid || encoding) && (!encoded_first || encoder_valid)
                     && (!encoder_last || state == Between)
                     && (!encoding || (within != '0 && encoded_index == newest && !done[newest]
                                       && encoded_flits == flits[UsedBits*newest +: UsedBits]))
                     && (state != Encode || (left == UsedBits'(in_left) && cut <= 6'(weft_pkg::MaxCut)
                                             && codec != weft_pkg::CodecRaw));
  assign packs     = (!packer_valid || packing) && (packer_valid || (!packer_last && packer_count == 2'd0))
                     && (!packer_last || (packer_count != 2'd0 && used[packed_index] && !done[packed_index] && !entered
                                          && !(encoding && encoded_index == packed_index)))
                     && (!entered || packed_index == encoded_index)
                     && (entered || offset == 5'd0) && (rest >> offset) == '0
                     && (packing ? packed_reserved == flits[UsedBits*packed_index +: UsedBits]
                                   && so_far >= 0 && so_far <= 8'sd17 && packed_flits == so_far[UsedBits-1:0]
                                   && packed_write == packing_end && bits <= most_bits
                                 : packed_flits == '0 && packed_write == packed_begin);
  assign shows     = (!begun || (within != '0 && done[oldest] && remaining != '0 && remaining < oldest_size
                                 && out_index + 24'(remaining) + 24'(out_valid) == 24'(oldest_size)
                                 && (!out_valid || out_coded == coded[oldest])))
                     && (out_within || out_index == 24'd0)
                     && (!out_valid || (out_head != out_within && shown_left != 24'd0
                                        && out_tail == (shown_left == 24'd1) && begun != out_tail))
                     && (out_valid ? !begun || 24'(remaining) + 24'd1 == shown_left
                         : state == Bypass ? out_within && out_left == in_left && out_index == in_index
                                             && within == '0 && !begun
                                           : out_within == begun && (!begun || 24'(remaining) == out_left))
                     && (state != Bypass || !out_valid)
                     && (!(out_valid && out_head && out_coded)
                         || (24'(out_total) < out_header.flits
                             && codes(out_codec, out_header.codec, out_header.data_type, out_header.words,
                                      out_header.flits)));

  assign sound_o         = accepting && described && in_order && reserving && encodes && packs && shows;
  assign number_o        = out_packet + 8'(out_valid && out_tail);
  assign within_o        = within;
  assign packing_o       = packing;
  assign packed_so_far_o = so_far;
  assign waits_o         = (coming && within == (IndexBits+1)'(1)) || (encoder_last && encoded_index == oldest)
                           || (packer_last && packed_index == oldest);
  assign fresh_o         = !in_within && !in_waits && !out_within && in_index == 24'd0 && out_index == 24'd0
                           && in_packet == out_packet;

endmodule

`default_nettype wire
