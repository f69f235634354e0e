// SPDX-License-Identifier: Apache-2.0
/// Compressor: the stage of a NIC's send path that sends selected packets coded if this makes them shorter.
///
/// Purpose    The selector decides for every packet. A raw packet bypasses an empty stage; otherwise it is stored in
///            the raw memory. A packet to encode goes to the raw memory and, through encoder and packer, to the packed
///            memory. It leaves in the shorter form. Packets leave in order.
/// Latency    Bypass: 0. Stored: 2, head to head. Encoded: 4, from tail in to head out. One flit per cycle in and out.
/// Handshake  A flit moves at the end of a cycle in which it is valid and the receiver is ready. Packets arrive one
///            after the other, with their length in the header. After the head, the rest is accepted without a stall,
///            except during a bypass, when ready and valid pass combinationally.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_compressor #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Capacity of each of the two memories in flits; a power of two, at least 8.
  parameter int unsigned Depth = 512,
  /// Maximum number of packets inside; a power of two, at least 2.
  parameter int unsigned Packets = 16,
  /// Run lengths of table-based FPC, six bits each, r0 lowest.
  parameter logic [35:0] Table = weft_pkg::TableOne,
  /// Codec for integers. 0: table-based FPC. 1: classic FPC.
  parameter int unsigned Classic = 0,
  /// 1: LSB-cut preserves special doubles. 0: it cuts their low bits as well, as in the paper.
  parameter int unsigned Exact = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Packets from the node.
  input  wire logic                flit_valid_i,
  input  wire logic                flit_head_i,
  input  wire logic                flit_tail_i,
  input  wire weft_pkg::header_t   flit_header_i,
  input  wire logic [FlitBits-1:0] flit_payload_i,
  output logic                ready_o,

  /// Packets to the network. The header is valid with the head.
  output logic                flit_valid_o,
  output logic                flit_head_o,
  output logic                flit_tail_o,
  output weft_pkg::header_t   flit_header_o,
  output logic [FlitBits-1:0] flit_payload_o,
  input  wire logic                ready_i,

  /// N: flits received in the last window. Q: packets that wait behind those being sent.
  input  wire logic [31:0] received_i,
  input  wire logic [31:0] queue_i,

  /// Configuration: as for the selector, and the number of bits that LSB-cut removes. It may change in any cycle. For
  /// each packet, mode and thresholds are sampled in the first cycle in which its head is offered, and the cut when the
  /// head is accepted.
  input  wire logic [1:0]                    mode_i,
  input  wire logic [weft_pkg::SizeBits-1:0] length_threshold_i,
  input  wire logic [31:0]                   received_threshold_i,
  input  wire logic [31:0]                   queue_threshold_i,
  input  wire logic [weft_pkg::CutBits-1:0]  cut_i,

  /// A packet is inside the stage. (A packet that bypasses the stage is not.)
  output logic busy_o
);

  localparam int unsigned SizeBits = weft_pkg::SizeBits;
  localparam int unsigned CountBits = $clog2(Words + 1);
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words);
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1);
  localparam int unsigned AddressBits = $clog2(Depth);
  localparam int unsigned UsedBits = AddressBits + 1;           // counts 0 to Depth
  localparam int unsigned LeftBits = $clog2(Depth * Words + 1);  // counts the words of an encoded packet
  localparam int unsigned IndexBits = $clog2(Packets);

  typedef enum logic [1:0] {
    Between = 2'd0,  // between packets
    Bypass  = 2'd1,
    Store   = 2'd2,
    Encode  = 2'd3
  } state_e;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Selection and acceptance
  //////////////////////////////////////////////////////////////////////////////////////////////////

  state_e     state_q, state_d;  // treatment of the arriving packet
  logic [1:0] selected, choice, choice_q;
  logic       chosen_q;
  logic       head_offered;
  logic       empty;
  logic       bypass;
  logic       accepted;

  weft_compression_selector #(
    .Words  (Words),
    .Depth  (Depth),
    .Classic(Classic)
  ) u_selector (
    .mode_i,
    .type_i   (flit_header_i.data_type),
    .flits_i  (flit_header_i.flits),
    .words_i  (flit_header_i.words),
    .codec_i  (flit_header_i.codec),
    .received_i,
    .queue_i,
    .length_threshold_i,
    .received_threshold_i,
    .queue_threshold_i,
    .codec_o  (selected)
  );

  // The selection made in the first cycle is kept until the head is accepted.
  assign head_offered = state_q == Between && flit_valid_i && flit_head_i;
  assign choice       = chosen_q ? choice_q : selected;
  assign accepted     = flit_valid_i && ready_o;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      chosen_q <= 1'b0;
      choice_q <= weft_pkg::CodecRaw;
    end else if (head_offered) begin
      chosen_q <= !accepted;
      choice_q <= choice;
    end
  end

  // Unreserved flits. The descriptors form a ring; one more bit distinguishes full from empty.
  logic [UsedBits-1:0]  raw_free_q, raw_free_d;
  logic [UsedBits-1:0]  packed_free_q, packed_free_d;
  logic [IndexBits:0]   first_q, next_q;  // oldest descriptor; next one to allocate
  logic [IndexBits-1:0] first, next;
  logic [UsedBits-1:0]  reserved;         // flits that the offered packet needs per memory
  logic                 descriptor_free;
  logic                 raw_room, packed_room;
  logic                 accept_store, accept_encode;
  assign first           = first_q[IndexBits-1:0];
  assign next            = next_q[IndexBits-1:0];
  assign descriptor_free = first_q != {~next_q[IndexBits], next};
  assign reserved        = UsedBits'(flit_header_i.flits);
  assign raw_room        = flit_header_i.flits <= SizeBits'(raw_free_q);
  assign packed_room     = flit_header_i.flits <= SizeBits'(packed_free_q);
  assign accept_store    = head_offered && choice == weft_pkg::CodecRaw && !empty && raw_room && descriptor_free;
  assign accept_encode   = head_offered && choice != weft_pkg::CodecRaw && raw_room && packed_room && descriptor_free;
  assign bypass          = state_q == Bypass || (head_offered && choice == weft_pkg::CodecRaw && empty);
  assign ready_o         = bypass ? ready_i
                                  : state_q == Store || state_q == Encode || accept_store || accept_encode;

  always_comb begin
    state_d = state_q;
    if (accepted) begin
      if (flit_tail_i) begin
        state_d = Between;
      end else if (bypass) begin
        state_d = Bypass;
      end else if (accept_store) begin
        state_d = Store;
      end else if (accept_encode) begin
        state_d = Encode;
      end
    end
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      state_q <= Between;
    end else begin
      state_q <= state_d;
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Encoding
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // The arriving packet
  logic [1:0]           codec, codec_q;
  logic [LeftBits-1:0]  left, left_q;  // remaining words, including this flit
  logic [weft_pkg::CutBits-1:0] cut, cut_q;
  logic [CountBits-1:0] count;
  logic                 encode;
  assign encode = flit_valid_i && (state_q == Encode || accept_encode);
  assign codec  = (state_q == Encode) ? codec_q : choice;
  assign cut    = (state_q == Encode) ? cut_q : cut_i;
  assign left   = (state_q == Encode) ? left_q : LeftBits'(flit_header_i.words);
  assign count  = (left >= LeftBits'(Words)) ? CountBits'(Words) : CountBits'(left);

  always_ff @(posedge clk_i) begin
    if (encode) begin
      codec_q <= codec;
      cut_q   <= cut;
      left_q  <= left - LeftBits'(Words);
    end
  end

  logic                  fpc_valid, fpc_last, cut_valid, cut_last;
  logic [ChunkBits-1:0]  fpc_chunk, cut_chunk;
  logic [LengthBits-1:0] fpc_length, cut_length;

  weft_fpc_compressor #(
    .Words  (Words),
    .Table  (Table),
    .Classic(Classic)
  ) u_fpc (
    .clk_i,
    .rst_ni,
    .valid_i (encode && codec != weft_pkg::CodecLsbCut),
    .words_i (flit_payload_i),
    .count_i (count),
    .last_i  (flit_tail_i),
    .valid_o (fpc_valid),
    .chunk_o (fpc_chunk),
    .length_o(fpc_length),
    .last_o  (fpc_last)
  );

  weft_lsb_cut_compressor #(
    .Words(Words),
    .Exact(Exact)
  ) u_lsb_cut (
    .clk_i,
    .rst_ni,
    .valid_i (encode && codec == weft_pkg::CodecLsbCut),
    .words_i (flit_payload_i),
    .count_i (count),
    .last_i  (flit_tail_i),
    .cut_i   (cut),
    .valid_o (cut_valid),
    .chunk_o (cut_chunk),
    .length_o(cut_length),
    .last_o  (cut_last)
  );

  logic                  packed_valid, packed_last;
  logic [3*FlitBits-1:0] packed_flits;
  logic [1:0]            packed_count;

  // An encoder without a flit outputs zeros.
  weft_bit_packer #(
    .Words(Words)
  ) u_packer (
    .clk_i,
    .rst_ni,
    .valid_i (fpc_valid | cut_valid),
    .chunk_i (fpc_chunk | cut_chunk),
    .length_i(fpc_length | cut_length),
    .last_i  (fpc_last | cut_last),
    .valid_o (packed_valid),
    .flits_o (packed_flits),
    .count_o (packed_count),
    .last_o  (packed_last)
  );

  // Descriptors and raw lengths of the packets at the encoders' and the packer's output. `spare_q` is the number of raw
  // flits minus the coded flits so far; it is negative if the coded form is longer.
  logic                     encoded_first_q;
  logic [IndexBits-1:0]     encoded_index_q, packed_index_q;
  logic [UsedBits-1:0]      encoded_flits_q, packed_reserved_q;
  logic signed [UsedBits:0] spare_q;
  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      encoded_first_q <= 1'b0;
    end else begin
      encoded_first_q <= accept_encode;
    end
  end
  always_ff @(posedge clk_i) begin
    if (accept_encode) begin
      encoded_index_q <= next;
      encoded_flits_q <= reserved;
    end
    packed_index_q    <= encoded_index_q;
    packed_reserved_q <= encoded_flits_q;
    if (encoded_first_q) begin
      spare_q <= $signed({1'b0, encoded_flits_q});
    end else if (packed_valid) begin
      spare_q <= spare_q - $signed((UsedBits+1)'(packed_count));
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Packed memory
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic [AddressBits-1:0] packed_begin_q;  // start of the packet that is being packed
  logic [AddressBits-1:0] packed_write_q, packed_write_d;  // address of its next flit
  logic [AddressBits-1:0] packed_read_q;
  logic [UsedBits-1:0]    packed_q;        // number of its flits so far
  logic [UsedBits-1:0]    total;           // the same, with the flits of this cycle
  logic                   finish;
  logic                   wins;            // the coded form is shorter
  logic [2:0]             keep;            // bit j: flit j is written
  assign total          = packed_q + UsedBits'(packed_count);
  assign finish         = packed_valid && packed_last;
  assign wins           = spare_q > $signed((UsedBits+1)'(packed_count));
  assign packed_write_d = packed_write_q + AddressBits'(packed_count);
  for (genvar j = 0; j < 3; j++) begin : gen_keep
    assign keep[j] = packed_valid && packed_count > 2'(j) && spare_q > $signed((UsedBits+1)'(j + 1));
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      packed_q       <= '0;
      packed_begin_q <= '0;
      packed_write_q <= '0;
    end else if (packed_valid) begin
      packed_q       <= packed_last ? '0 : total;
      packed_write_q <= (packed_last && !wins) ? packed_begin_q : packed_write_d;
      if (packed_last && wins) begin
        packed_begin_q <= packed_write_d;
      end
    end
  end

  logic                  fetch_raw, fetch_packed;
  logic [4*FlitBits-1:0] packed_read_data;
  for (genvar b = 0; b < 4; b++) begin : gen_bank
    // Number of the flit for this bank (3 if there is none), and its row.
    logic [1:0]             flit;
    logic [AddressBits-1:0] address;
    logic                   write;
    logic [FlitBits-1:0]    data;
    assign flit    = 2'(b) - packed_write_q[1:0];
    assign address = packed_write_q + AddressBits'(flit);
    always_comb begin
      write = 1'b0;
      data  = '0;
      for (int unsigned j = 0; j < 3; j++) begin
        if (flit == 2'(j)) begin
          write = keep[j];
          data  = packed_flits[FlitBits*j +: FlitBits];
        end
      end
    end

    weft_packet_memory #(
      .Width(FlitBits),
      .Depth(Depth / 4)
    ) u_packed_memory (
      .clk_i,
      .rst_ni,
      .write_i        (write),
      .write_address_i(address[AddressBits-1:2]),
      .write_data_i   (data),
      .read_i         (fetch_packed && packed_read_q[1:0] == 2'(b)),
      .read_address_i (packed_read_q[AddressBits-1:2]),
      .read_data_o    (packed_read_data[FlitBits*b +: FlitBits])
    );

    logic unused_address;
    assign unused_address = ^address[1:0];
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Raw memory
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // Addresses have one more bit, to detect a flit that is not written yet.
  logic [UsedBits-1:0] raw_write_q, raw_read_q, raw_read_d;
  logic                raw_write;
  logic [FlitBits-1:0] raw_read_data;
  assign raw_write = accepted && !bypass;

  weft_packet_memory #(
    .Width(FlitBits),
    .Depth(Depth)
  ) u_raw_memory (
    .clk_i,
    .rst_ni,
    .write_i        (raw_write),
    .write_address_i(raw_write_q[AddressBits-1:0]),
    .write_data_i   (flit_payload_i),
    .read_i         (fetch_raw),
    .read_address_i (raw_read_q[AddressBits-1:0]),
    .read_data_o    (raw_read_data)
  );

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Descriptors
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic [UsedBits-1:0] flits_q [Packets];  // raw length
  logic [UsedBits-1:0] total_q [Packets];  // coded length
  logic [Packets-1:0]  done_q;
  logic [Packets-1:0]  coded_q;

  always_ff @(posedge clk_i) begin
    if (accept_store || accept_encode) begin
      flits_q[next] <= reserved;
    end
    if (finish) begin
      total_q[packed_index_q] <= total;
    end
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      done_q  <= '0;
      coded_q <= '0;
    end else begin
      if (accept_store || accept_encode) begin
        done_q[next]  <= accept_store;
        coded_q[next] <= 1'b0;
      end
      if (finish) begin
        done_q[packed_index_q]  <= 1'b1;
        coded_q[packed_index_q] <= wins;
      end
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Fetch and output
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic [UsedBits-1:0] oldest_flits;  // raw length of the oldest packet
  logic [UsedBits-1:0] oldest_total;
  logic                oldest_coded;
  logic                fetch;
  logic                fetch_first, fetch_last;
  logic                begun_q;       // the head of the oldest packet was fetched
  logic [UsedBits-1:0] remaining, remaining_q;
  logic                flit_valid_q;

  assign oldest_flits = flits_q[first];
  assign oldest_total = total_q[first];
  assign oldest_coded = coded_q[first];
  assign fetch        = first_q != next_q && done_q[first] && (oldest_coded || raw_read_q != raw_write_q)
                        && (!flit_valid_q || ready_i);
  assign fetch_raw    = fetch && !oldest_coded;
  assign fetch_packed = fetch && oldest_coded;
  assign fetch_first  = !begun_q;
  assign remaining    = begun_q ? remaining_q : oldest_coded ? oldest_total : oldest_flits;
  assign fetch_last   = remaining == UsedBits'(1);

  // The head reserves room. It is released flit by flit as flits leave, and at once for the form that does not leave.
  // Sums precede the selection, because fetch and acceptance are known late.
  logic [UsedBits-1:0] raw_skipped;  // flits that a fetch removes from the raw memory
  logic [UsedBits-1:0] spare;
  logic [UsedBits-1:0] going, lost, settled;  // packed_free_d if no packet finishes; one finishes raw; one finishes
                                              // coded
  assign spare       = spare_q[UsedBits-1:0];
  assign raw_skipped = !oldest_coded ? UsedBits'(1) : fetch_first ? oldest_flits : '0;
  always_comb begin
    raw_read_d = fetch ? raw_read_q + raw_skipped : raw_read_q;
    if (accept_store || accept_encode) begin
      raw_free_d = fetch ? raw_free_q - reserved + raw_skipped : raw_free_q - reserved;
    end else begin
      raw_free_d = fetch ? raw_free_q + raw_skipped : raw_free_q;
    end

    // When a packet finishes, releases all room it reserved, or the part that its coded form does not need.
    if (accept_encode) begin
      going   = fetch_packed ? packed_free_q - reserved + UsedBits'(1) : packed_free_q - reserved;
      lost    = fetch_packed ? packed_free_q - reserved + packed_reserved_q + UsedBits'(1)
                             : packed_free_q - reserved + packed_reserved_q;
      settled = fetch_packed ? packed_free_q - reserved + spare - UsedBits'(packed_count) + UsedBits'(1)
                             : packed_free_q - reserved + spare - UsedBits'(packed_count);
    end else begin
      going   = fetch_packed ? packed_free_q + UsedBits'(1) : packed_free_q;
      lost    = fetch_packed ? packed_free_q + packed_reserved_q + UsedBits'(1) : packed_free_q + packed_reserved_q;
      settled = fetch_packed ? packed_free_q + spare - UsedBits'(packed_count) + UsedBits'(1)
                             : packed_free_q + spare - UsedBits'(packed_count);
    end
    packed_free_d = !finish ? going : wins ? settled : lost;
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      first_q       <= '0;
      next_q        <= '0;
      raw_free_q    <= UsedBits'(Depth);
      packed_free_q <= UsedBits'(Depth);
      raw_write_q   <= '0;
      raw_read_q    <= '0;
      packed_read_q <= '0;
      begun_q       <= 1'b0;
    end else begin
      if (accept_store || accept_encode) begin
        next_q <= next_q + (IndexBits+1)'(1);
      end
      if (fetch) begin
        begun_q <= !fetch_last;
        if (fetch_last) begin
          first_q <= first_q + (IndexBits+1)'(1);
        end
      end
      if (raw_write) begin
        raw_write_q <= raw_write_q + UsedBits'(1);
      end
      if (fetch_packed) begin
        packed_read_q <= packed_read_q + AddressBits'(1);
      end
      raw_free_q    <= raw_free_d;
      packed_free_q <= packed_free_d;
      raw_read_q    <= raw_read_d;
    end
  end

  // The output registers of the memories contain headers and payloads.
  logic                flit_head_q, flit_tail_q, flit_coded_q;
  logic [1:0]          flit_bank_q;
  logic [UsedBits-1:0] flit_total_q;
  logic [1:0]          flit_codec;   // codec of the coded form
  logic [weft_pkg::CutBits-1:0] flit_cut;  // cut of the coded form
  weft_pkg::header_t   flit_header;  // header on arrival

  weft_packet_memory #(
    .Width(weft_pkg::HeaderBits + weft_pkg::CutBits + 2),
    .Depth(Packets)
  ) u_header_memory (
    .clk_i,
    .rst_ni,
    .write_i        (accept_store || accept_encode),
    .write_address_i(next),
    .write_data_i   ({choice, cut_i, flit_header_i}),
    .read_i         (fetch && fetch_first),
    .read_address_i (first),
    .read_data_o    ({flit_codec, flit_cut, flit_header})
  );

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      flit_valid_q <= 1'b0;
    end else if (!flit_valid_q || ready_i) begin
      flit_valid_q <= fetch;
    end
  end

  always_ff @(posedge clk_i) begin
    if (fetch) begin
      remaining_q  <= remaining - UsedBits'(1);
      flit_head_q  <= fetch_first;
      flit_tail_q  <= fetch_last;
      flit_coded_q <= oldest_coded;
      flit_bank_q  <= packed_read_q[1:0];
      flit_total_q <= oldest_total;
    end
  end

  weft_pkg::header_t flit_header_out;
  always_comb begin
    flit_header_out = '0;
    if (flit_head_q) begin
      flit_header_out = flit_header;
      if (flit_coded_q) begin
        flit_header_out = {flit_header.message_class, flit_header.destination, flit_header.source,
                           SizeBits'(flit_total_q), flit_header.words, flit_header.data_type, flit_codec,
                           (flit_codec == weft_pkg::CodecLsbCut) ? flit_cut : flit_header.cut};
      end
    end
  end

  logic [FlitBits-1:0] flit_payload;
  always_comb begin
    flit_payload = raw_read_data;
    if (flit_coded_q) begin
      for (int unsigned b = 0; b < 4; b++) begin
        if (flit_bank_q == 2'(b)) begin
          flit_payload = packed_read_data[FlitBits*b +: FlitBits];
        end
      end
    end
  end

  assign empty          = first_q == next_q && !flit_valid_q;
  assign busy_o         = !empty;
  assign flit_valid_o   = bypass ? flit_valid_i : flit_valid_q;
  assign flit_head_o    = bypass ? flit_head_i : flit_head_q;
  assign flit_tail_o    = bypass ? flit_tail_i : flit_tail_q;
  assign flit_header_o  = bypass ? flit_header_i : flit_header_out;
  assign flit_payload_o = bypass ? flit_payload_i : flit_payload;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Assertions
  //////////////////////////////////////////////////////////////////////////////////////////////////

  `WEFT_PARAMETER(PacketsSupported, Packets >= 2 && Packets == 2 ** $clog2(Packets), "Packets must be a power of two")
  `WEFT_ASSERT(FramedIn, !flit_valid_i || flit_head_i == (state_q == Between),
               "a packet must begin with its only head flit")
  `WEFT_ASSERT(HeldOut, !(flit_valid_q && bypass), "a packet may bypass only an empty stage")
  `WEFT_ASSERT(RawReservation, raw_free_q <= UsedBits'(Depth), "raw memory is reserved beyond its depth")
  `WEFT_ASSERT(PackedReservation, packed_free_q <= UsedBits'(Depth),
               "packed memory is reserved beyond its depth")
  `WEFT_ASSERT(RawWithinReservation,
               raw_write_q - raw_read_q <= UsedBits'(Depth) - raw_free_q,
               "every flit in the raw memory must have a reserved address")
  `WEFT_ASSERT(CutInRange, !accept_encode || cut_i <= weft_pkg::CutBits'(weft_pkg::MaxCut), "a cut exceeds 51 bits")
  `WEFT_ASSERT(OneEncoder, !(fpc_valid && cut_valid), "a packet must use only one encoder")
  `WEFT_ASSERT(FinishedOnce, !finish || !done_q[packed_index_q], "a packet must finish only once")
  `WEFT_ASSERT_HELD(StableOut, flit_valid_q && !ready_i,
                    ({flit_valid_o, flit_head_o, flit_tail_o, flit_header_o, flit_payload_o}),
                    "the output flit must not change until it is accepted")
  `WEFT_ASSERT_KNOWN(KnownOut, ({flit_valid_o, ready_o, busy_o}), "stream status signals must not be X")
  `include "cover/weft_compressor.svh"

endmodule

`default_nettype wire
