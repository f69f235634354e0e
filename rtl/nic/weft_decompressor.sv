// SPDX-License-Identifier: Apache-2.0
/// Decompressor: the stage of a NIC's receive path that turns coded packets into raw ones.
///
/// Purpose    A raw packet bypasses an empty stage; otherwise it passes unchanged. A coded packet is decoded group by
///            group. If a packet has an error, zeros replace the rest of it, and its tail carries the error.
/// Latency    Bypass: 0. Coded: 4 from a flit to its first raw flit, if the flit completes a group. One raw flit per
///            cycle.
/// Handshake  A flit moves at the end of a cycle in which it is valid and the receiver is ready. Packets arrive one
///            after the other. Ready is a register, except during a bypass, when ready and valid pass combinationally.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_decompressor #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Run lengths of table-based FPC, six bits each, r0 lowest.
  parameter logic [35:0] Table = weft_pkg::TableOne,
  /// The supported FPC. 0: table-based. 1: classic.
  parameter int unsigned Classic = 0,
  /// 1: LSB-cut preserves special doubles. 0: it cuts their low bits as well, as in the paper.
  parameter int unsigned Exact = 1,
  /// Maximum length of a message in words. A coded packet with more is corrupt and leaves as one flit without words.
  parameter int unsigned MostWords = 2 ** weft_pkg::SizeBits - 1,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Packets from the network.
  input  wire logic                flit_valid_i,
  input  wire logic                flit_head_i,
  input  wire logic                flit_tail_i,
  input  wire weft_pkg::header_t   flit_header_i,
  input  wire logic [FlitBits-1:0] flit_payload_i,
  output logic                ready_o,

  /// Raw packets. The header is valid with the head, the error (`weft_pkg::error_e`) with the tail.
  output logic                flit_valid_o,
  output logic                flit_head_o,
  output logic                flit_tail_o,
  output weft_pkg::header_t   flit_header_o,
  output logic [FlitBits-1:0] flit_payload_o,
  output logic [1:0]          flit_error_o,
  input  wire logic                ready_i,

  /// A flit or a coded packet is inside the stage. (A packet that bypasses the stage is not.)
  output logic busy_o
);

  localparam int unsigned SizeBits = weft_pkg::SizeBits;
  localparam int unsigned CountBits = $clog2(Words + 1);
  localparam int unsigned GroupWords = weft_pkg::group_words(Words);
  localparam int unsigned GroupCountBits = $clog2(GroupWords + 1);
  localparam int unsigned ChunkBits = weft_pkg::chunk_bits(Words);
  localparam int unsigned LengthBits = $clog2(ChunkBits + 1);
  localparam int unsigned WindowBits = ChunkBits + FlitBits;
  localparam int unsigned AvailableBits = $clog2(WindowBits + 1);
  localparam int unsigned Slots = GroupWords / 2;
  localparam int unsigned Lengths = (Slots + 1) * (Slots + 2) / 2;
  localparam int unsigned WordIndexBits = $clog2(Words);  // width of a word's index in a flit

  typedef enum logic [1:0] {
    Idle   = 2'd0,
    Decode = 2'd1,
    Drain  = 2'd2,  // drops the rest of a packet with an error
    Fill   = 2'd3   // outputs zeros in its place
  } state_e;

  typedef enum logic [1:0] {
    GroupRaw     = 2'd0,
    GroupDecoded = 2'd1,
    GroupZeros   = 2'd2
  } group_e;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Bypass and input FIFO
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic bypass, bypass_q;  // a raw packet bypasses; its head has passed
  logic empty;
  assign bypass = bypass_q || (flit_valid_i && flit_head_i && flit_header_i.codec == weft_pkg::CodecRaw && empty);

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      bypass_q <= 1'b0;
    end else if (bypass && flit_valid_i && ready_i) begin
      bypass_q <= !flit_tail_i;
    end
  end

  logic                front_valid_q, second_valid_q;
  logic                front_head_q, second_head_q;
  logic                front_tail_q, second_tail_q;
  weft_pkg::header_t   front_header_q, second_header_q;
  logic [FlitBits-1:0] front_payload_q, second_payload_q;
  logic                push, pop;
  assign push    = flit_valid_i && !bypass && !second_valid_q;
  assign ready_o = bypass ? ready_i : !second_valid_q;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      front_valid_q  <= 1'b0;
      second_valid_q <= 1'b0;
    end else begin
      front_valid_q  <= second_valid_q || push || (front_valid_q && !pop);
      second_valid_q <= front_valid_q && !pop && (second_valid_q || push);
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop || !front_valid_q) begin
      front_head_q    <= second_valid_q ? second_head_q : flit_head_i;
      front_tail_q    <= second_valid_q ? second_tail_q : flit_tail_i;
      front_header_q  <= second_valid_q ? second_header_q : flit_header_i;
      front_payload_q <= second_valid_q ? second_payload_q : flit_payload_i;
    end
    if (push) begin
      second_head_q    <= flit_head_i;
      second_tail_q    <= flit_tail_i;
      second_header_q  <= flit_header_i;
      second_payload_q <= flit_payload_i;
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Window
  //////////////////////////////////////////////////////////////////////////////////////////////////

  state_e              state_q, state_d;
  weft_pkg::header_t   header_q;     // header of the packet in the window
  logic [SizeBits-1:0] left_q, left_d;  // words of the message that are not in a group yet
  logic                tail_seen_q;  // the tail is in the window, or was dropped
  logic                begun_q;      // the first group of the packet is loaded
  logic [1:0]          error_q;

  logic                      is_cut_q, is_cut_d;          // the codec of the packet is LSB-cut
  logic                      last_flit_q, last_flit_d;    // the remaining words fit in one flit
  logic                      last_group_q, last_group_d;  // the remaining words fit in one group
  logic [GroupCountBits-1:0] count_q, count_d;            // number of words of the next group

  logic [SizeBits-1:0]       front_words; // words of the message in the front flit; 0 if too many
  logic                      start;       // a coded packet enters the window
  logic                      append;      // the next flit of the packet enters the window
  logic                      entering;    // the window appends it, even after an error
  logic                      load;        // the next group of the packet leaves the window
  logic                      ending;      // if a group leaves, it is the last one
  logic                      step;        // the next group becomes current
  logic                      finishing;   // the last group of the packet leaves
  logic                      fill;        // a group of zeros leaves
  logic                      raw;         // a raw flit passes
  logic                      group_free;
  logic [WindowBits-1:0]     window;
  logic [AvailableBits-1:0]  available;
  logic                      room;
  logic [LengthBits-1:0]     fpc_size, cut_size, measured_size;
  logic [Lengths-1:0]        cut_length;
  logic                      fpc_fits, cut_fits, measured_fits, fits;
  logic                      fpc_corrupt, measured_corrupt, corrupt;
  logic [FlitBits-1:0]       fpc_words;
  logic [32*GroupWords-1:0]  cut_words;
  logic                      fpc_filling, cut_filling;
  logic                      fpc_excess, cut_excess;
  assign front_words = (32'(front_header_q.words) > MostWords) ? '0 : front_header_q.words;
  assign fits    = is_cut_q ? cut_fits : fpc_fits;
  assign corrupt = !is_cut_q && fpc_corrupt;

  logic [Lengths*LengthBits-1:0] sizes_q, sizes_d;  // sizes of LSB-cut groups, from weft_lsb_cut_plan

  // The window needs the possible sizes early and the selected one late. With one double per group there are two sizes:
  // FPC or LSB-cut without cut bits (one bit more with a flag), and LSB-cut with cut bits.
  logic [1:0]              pop_group, pop_group_more;
  logic [2*LengthBits-1:0] sizes;
  if (Lengths == 3) begin : gen_one_double
    logic unused_size;
    assign pop_group      = load ? {is_cut_q && cut_length[2], !is_cut_q || cut_length[0]} : '0;
    assign pop_group_more = {1'b0, load && is_cut_q && cut_length[1]};
    assign sizes          = {sizes_q[2*LengthBits +: LengthBits], is_cut_q ? sizes_q[LengthBits-1:0] : fpc_size};
    assign unused_size    = ^cut_size;
  end else begin : gen_doubles
    logic unused_length;
    assign pop_group      = load ? {is_cut_q, !is_cut_q} : '0;
    assign pop_group_more = '0;
    assign sizes          = {cut_size, fpc_size};
    assign unused_length  = ^cut_length;
  end

  // After an error the window is not read, so flits may enter it even in the cycle of an error.
  weft_bit_window #(
    .Words(Words),
    .Sizes(2)
  ) u_window (
    .clk_i,
    .rst_ni,
    .clear_i    (start),
    .push_i     (start || entering),
    .flit_i     (front_payload_q),
    .pop_i      (pop_group),
    .pop_more_i (pop_group_more),
    .sizes_i    (sizes),
    .window_o   (window),
    .available_o(available),
    .room_o     (room)
  );

  weft_fpc_decompressor #(
    .Words  (Words),
    .Table  (Table),
    .Classic(Classic)
  ) u_fpc (
    .clk_i,
    .rst_ni,
    .window_i   (window),
    .available_i(available),
    .count_i    (count_q[CountBits-1:0]),
    .left_i     (left_q),
    .size_o     (measured_size),
    .fits_o     (measured_fits),
    .corrupt_o  (measured_corrupt),
    .clear_i    (start),
    .load_i     (load && !is_cut_q),
    .words_o    (fpc_words),
    .filling_o  (fpc_filling),
    .excess_o   (fpc_excess)
  );

  // The first bits of an FPC group determine its size, and thereby the position of the next group. Groups of
  // table-based FPC are measured while they move into the window, in parallel with the shift of the other bits.
  if (Classic == 0) begin : gen_measure_ahead
    weft_fpc_lookahead #(
      .Words(Words),
      .Table(Table)
    ) u_lookahead (
      .clk_i,
      .window_i    (window),
      .available_i (available),
      .push_i      (entering),
      .flit_i      (front_payload_q[3*Words-1:0]),
      .step_i      (step),
      .clear_i     (ending),
      .count_i     (count_q[CountBits-1:0]),
      .next_count_i(count_d[CountBits-1:0]),
      .size_o      (fpc_size),
      .fits_o      (fpc_fits),
      .corrupt_o   (fpc_corrupt)
    );

    `WEFT_ASSERT(MeasuredAhead,
                 !(state_q == Decode && !is_cut_q)
                     || {fpc_size, fpc_fits, fpc_corrupt} == {measured_size, measured_fits, measured_corrupt},
                 "a group measured ahead must be equal to that in the window")
  end else begin : gen_measure
    assign fpc_size    = measured_size;
    assign fpc_fits    = measured_fits;
    assign fpc_corrupt = measured_corrupt;
  end

  // Values of the next group that do not depend on the window are computed one cycle early, as is all that depends on
  // the cut: for the packet at the front of the FIFO if the current one ends now, otherwise for the words that follow
  // the next group.
  logic [weft_pkg::CutBits-1:0]  cut_d;
  logic [Slots-1:0]              is_double_q, is_double_d, is_single_q, is_single_d;
  logic [Slots-1:0]              may_be_special_q, may_be_special_d;
  logic [Slots*ChunkBits-1:0]    exponents_q, exponents_d, flags_q, flags_d;
  logic [LengthBits-1:0]         base_q, base_d;
  logic [Slots*LengthBits-1:0]   cuts_q, cuts_d;
  assign ending   = state_q == Idle || (state_q == Decode && last_group_q);
  assign step     = start || load || fill;
  assign is_cut_d = ending ? front_header_q.codec == weft_pkg::CodecLsbCut : is_cut_q;
  assign cut_d    = ending ? front_header_q.cut : header_q.cut;
  always_comb begin
    left_d = left_q - SizeBits'(Words);
    if (ending) begin
      left_d = front_words;
    end else if (is_cut_q && state_q == Decode) begin
      left_d = left_q - SizeBits'(GroupWords);
    end
  end
  assign last_flit_d  = left_d <= SizeBits'(Words);
  assign last_group_d = left_d <= (is_cut_d ? SizeBits'(GroupWords) : SizeBits'(Words));
  assign count_d      = last_group_d ? GroupCountBits'(left_d)
                                     : is_cut_d ? GroupCountBits'(GroupWords) : GroupCountBits'(Words);

  weft_lsb_cut_plan #(
    .Words(Words),
    .Exact(Exact)
  ) u_plan (
    .count_i         (count_d),
    .cut_i           (cut_d),
    .is_double_o     (is_double_d),
    .is_single_o     (is_single_d),
    .may_be_special_o(may_be_special_d),
    .exponents_o     (exponents_d),
    .flags_o         (flags_d),
    .sizes_o         (sizes_d),
    .base_o          (base_d),
    .cuts_o          (cuts_d)
  );

  always_ff @(posedge clk_i) begin
    if (step) begin
      left_q           <= left_d;
      is_cut_q         <= is_cut_d;
      last_flit_q      <= last_flit_d;
      last_group_q     <= last_group_d;
      count_q          <= count_d;
      is_double_q      <= is_double_d;
      is_single_q      <= is_single_d;
      may_be_special_q <= may_be_special_d;
      exponents_q      <= exponents_d;
      flags_q          <= flags_d;
      sizes_q          <= sizes_d;
      base_q           <= base_d;
      cuts_q           <= cuts_d;
    end
  end

  weft_lsb_cut_reader #(
    .Words(Words)
  ) u_lsb_cut (
    .clk_i,
    .rst_ni,
    .window_i        (window),
    .available_i     (available),
    .is_double_i     (is_double_q),
    .is_single_i     (is_single_q),
    .may_be_special_i(may_be_special_q),
    .exponents_i     (exponents_q),
    .flags_i         (flags_q),
    .sizes_i         (sizes_q),
    .base_i          (base_q),
    .cuts_i          (cuts_q),
    .size_o          (cut_size),
    .length_o        (cut_length),
    .fits_o          (cut_fits),
    .load_i          (load && is_cut_q),
    .words_o         (cut_words),
    .filling_o       (cut_filling),
    .excess_o        (cut_excess)
  );

  // Errors that are visible in the header alone.
  logic header_corrupt;
  assign header_corrupt = front_words == '0
                          || front_header_q.cut > weft_pkg::CutBits'(weft_pkg::MaxCut)
                          || front_header_q.codec
                                 == ((Classic != 0) ? weft_pkg::CodecTable : weft_pkg::CodecClassic);

  logic [1:0] found;  // the error of this cycle
  always_comb begin
    found = weft_pkg::ErrorNone;
    if (state_q == Decode) begin
      if (fits && corrupt) begin
        found = weft_pkg::ErrorCorrupt;
      end else if (!fits && tail_seen_q) begin
        found = weft_pkg::ErrorTruncated;
      end else if (fits && last_group_q && !tail_seen_q && !room) begin
        found = weft_pkg::ErrorOverLong;
      end
    end
  end

  logic front_coded, front_raw, raw_q;  // raw_q: inside a raw packet
  assign front_coded = front_valid_q && front_head_q && front_header_q.codec != weft_pkg::CodecRaw;
  assign front_raw   = front_valid_q && (front_head_q ? front_header_q.codec == weft_pkg::CodecRaw : raw_q);

  assign load      = state_q == Decode && fits && !corrupt && group_free && (!last_group_q || tail_seen_q);
  assign finishing = load && last_group_q;
  assign start     = front_coded && (state_q == Idle || finishing);
  assign entering  = state_q == Decode && room && !tail_seen_q && front_valid_q;
  assign append    = entering && found == weft_pkg::ErrorNone;
  assign fill      = state_q == Fill && group_free;
  assign raw       = state_q == Idle && front_raw && group_free;
  assign pop       = start || append || raw || (state_q == Drain && front_valid_q);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Decode: begin
        if (found != weft_pkg::ErrorNone) begin
          state_d = tail_seen_q ? Fill : Drain;
        end else if (finishing) begin
          state_d = Idle;
        end
      end
      Drain: begin
        if (front_valid_q && front_tail_q) begin
          state_d = Fill;
        end
      end
      Fill: begin
        if (fill && last_flit_q) begin
          state_d = Idle;
        end
      end
      default: state_d = Idle;
    endcase
    if (start) begin
      state_d = !header_corrupt ? Decode : front_tail_q ? Fill : Drain;
    end
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      state_q <= Idle;
      raw_q   <= 1'b0;
    end else begin
      state_q <= state_d;
      if (raw) begin
        raw_q <= !front_tail_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      header_q    <= {front_header_q.message_class, front_header_q.destination, front_header_q.source,
                      front_header_q.flits, front_words, front_header_q.data_type, front_header_q.codec,
                      front_header_q.cut};
      tail_seen_q <= front_tail_q;
      begun_q     <= 1'b0;
      error_q     <= weft_pkg::ErrorCorrupt;
    end else begin
      if (load || fill) begin
        begun_q <= 1'b1;
      end
      if (append) begin
        tail_seen_q <= front_tail_q;
      end
      if (found != weft_pkg::ErrorNone) begin
        error_q <= found;
      end
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Group
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // The decoder holds the words of a decoded group. A group is one flit, or two flits if it is a double and a flit has
  // one word. `group_second_q` is set when the first of the two flits has left.
  logic                group_valid_q;
  group_e              group_kind_q;
  logic                group_head_q, group_tail_q;
  weft_pkg::header_t   group_header_q;
  logic [FlitBits-1:0] group_payload_q;
  logic [1:0]          group_error_q;
  logic                group_cut_q;
  logic                group_two_q;
  logic                group_second_q;
  logic                group_ends;  // this flit is the last one of the group
  logic                output_free;
  assign group_ends = !group_two_q || group_second_q;
  assign group_free = !group_valid_q || (output_free && group_ends);

  // The header of the raw packet
  weft_pkg::header_t   raw_header;
  logic [SizeBits-1:0] raw_flits;
  always_comb begin
    raw_flits = header_q.words >> WordIndexBits;
    if ((header_q.words & SizeBits'(Words - 1)) != '0 || header_q.words == '0) begin
      raw_flits = raw_flits + SizeBits'(1);
    end
  end
  assign raw_header = {header_q.message_class, header_q.destination, header_q.source, raw_flits, header_q.words,
                       header_q.data_type, weft_pkg::CodecRaw, weft_pkg::CutBits'(0)};

  // The tail marks the end of the packet, and `is_cut_q` stores the codec, so these fields are not read.
  logic unused_fields;
  assign unused_fields = ^{header_q.flits, header_q.codec};

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      group_valid_q  <= 1'b0;
      group_second_q <= 1'b0;
    end else begin
      group_valid_q <= load || fill || raw || !group_free;
      if (group_valid_q && output_free) begin
        group_second_q <= !group_ends;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (group_free) begin
      if (state_q == Idle) begin
        group_kind_q   <= GroupRaw;
        group_head_q   <= front_head_q;
        group_tail_q   <= front_tail_q;
        group_header_q <= front_header_q;
      end else begin
        group_kind_q   <= (state_q == Fill) ? GroupZeros : GroupDecoded;
        group_head_q   <= !begun_q;
        group_tail_q   <= (state_q == Fill) ? last_flit_q : last_group_q;
        group_header_q <= begun_q ? '0 : raw_header;
      end
      group_payload_q <= front_payload_q;
      group_error_q   <= error_q;
      group_cut_q     <= is_cut_q;
      group_two_q     <= Words == 1 && state_q == Decode && is_cut_q && count_q == GroupCountBits'(2);
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Output
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic                flit_valid_q, flit_head_q, flit_tail_q;
  weft_pkg::header_t   flit_header_q;
  logic [FlitBits-1:0] flit_payload_q;
  logic [1:0]          flit_error_q;
  logic [FlitBits-1:0] payload;
  logic [FlitBits-1:0] cut_payload;
  logic [1:0]          error;
  assign output_free = !flit_valid_q || ready_i;

  if (Words == 1) begin : gen_cut_half
    assign cut_payload = group_second_q ? cut_words[63:32] : cut_words[31:0];
  end else begin : gen_cut_whole
    assign cut_payload = cut_words;
  end

  always_comb begin
    error = weft_pkg::ErrorNone;
    unique case (group_kind_q)
      GroupDecoded: begin
        payload = group_cut_q ? cut_payload : fpc_words;
        if (group_tail_q && group_ends) begin
          if (group_cut_q ? cut_excess : fpc_excess) begin
            error = weft_pkg::ErrorOverLong;
          end else if (group_cut_q ? cut_filling : fpc_filling) begin
            error = weft_pkg::ErrorCorrupt;
          end
        end
      end
      GroupZeros: begin
        payload = '0;
        if (group_tail_q) begin
          error = group_error_q;
        end
      end
      default: payload = group_payload_q;
    endcase
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      flit_valid_q <= 1'b0;
    end else if (output_free) begin
      flit_valid_q <= group_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (output_free) begin
      flit_head_q    <= group_head_q && !group_second_q;
      flit_tail_q    <= group_tail_q && group_ends;
      flit_header_q  <= group_second_q ? '0 : group_header_q;
      flit_payload_q <= payload;
      flit_error_q   <= error;
    end
  end

  assign empty          = !front_valid_q && state_q == Idle && !group_valid_q && !flit_valid_q;
  assign busy_o         = !empty;
  assign flit_valid_o   = bypass ? flit_valid_i : flit_valid_q;
  assign flit_head_o    = bypass ? flit_head_i : flit_head_q;
  assign flit_tail_o    = bypass ? flit_tail_i : flit_tail_q;
  assign flit_header_o  = bypass ? flit_header_i : flit_header_q;
  assign flit_payload_o = bypass ? flit_payload_i : flit_payload_q;
  assign flit_error_o   = bypass ? weft_pkg::ErrorNone : flit_error_q;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Assertions
  //////////////////////////////////////////////////////////////////////////////////////////////////

  `WEFT_PARAMETER(MostWordsSupported, MostWords >= 1 && MostWords < 2 ** SizeBits, "MostWords must fit in the header")
  `WEFT_ASSERT(FramedBetween, state_q != Idle || !front_valid_q || front_head_q != raw_q,
               "a raw packet must begin with its only head flit")
  `WEFT_ASSERT(FramedWithin, !append || !front_head_q, "head flit inside a coded packet")
  `WEFT_ASSERT(FramedDrain, !(state_q == Drain && front_valid_q) || !front_head_q,
               "head flit before the tail of the dropped packet")
  `WEFT_ASSERT(FifoInOrder, !second_valid_q || front_valid_q, "the FIFO must fill from its front")
  `WEFT_ASSERT(BypassEmpty, !(flit_valid_q && bypass), "a packet may bypass only an empty stage")
  `WEFT_ASSERT(OneSource, 32'(load) + 32'(fill) + 32'(raw) <= 32'd1, "only one source may write the group register")
  `WEFT_ASSERT(ErrorAlone, found == weft_pkg::ErrorNone || (!load && !pop),
               "nothing may be loaded or popped in the cycle of an error")
  `WEFT_ASSERT(WordsLeft, state_q != Decode || left_q != '0, "a packet in decoding must have words left")
  `WEFT_ASSERT(ErrorOnTail, !flit_valid_o || flit_tail_o || flit_error_o == weft_pkg::ErrorNone,
               "only a tail may carry an error")
  `WEFT_ASSERT_HELD(StableOut, flit_valid_q && !ready_i,
                    ({flit_valid_o, flit_head_o, flit_tail_o, flit_header_o, flit_payload_o, flit_error_o}),
                    "the output flit must not change until it is accepted")
  `WEFT_ASSERT_KNOWN(KnownOut, ({flit_valid_o, ready_o, busy_o}), "stream status signals must not be X")
  `include "cover/weft_decompressor.svh"

endmodule

`default_nettype wire
