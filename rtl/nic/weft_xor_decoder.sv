// SPDX-License-Identifier: Apache-2.0
/// XOR decoder: the stage of a NIC's receive path that decodes packets which an XOR encoder combined.
///
/// Purpose    Stores known data and coded packets without a known datum in entries. A coded packet with one known datum
///            leaves as its other datum, immediately or, if it waits in an entry, when one of its data arrives.
///            Contract: docs/03_reference/network_coding.md.
/// Latency    Passing: 0. Decoding: 1, for the look-up. The decoded tail leaves with the tail of the coded packet and
///            carries its error, even if the datum is shorter. A resolved datum begins two cycles after the tail of the
///            packet that made it decodable.
/// Handshake  A flit moves at the end of a cycle in which it is valid and the receiver is ready. Packets arrive raw,
///            one after the other. Flits that give no output are accepted without a stall. `ready_o` depends on the
///            offered flit. `flush_i` may be set for a single cycle; the flush happens between packets, and `busy_o` is
///            set until then.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_xor_decoder #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Number of entries for data and packets, at least 2.
  parameter int unsigned Entries = 8,
  /// Capacity of an entry in flits; a power of two, at least 2.
  parameter int unsigned Depth = 16,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Packets from the decompressor. Header and code are valid with the head.
  input  wire logic                flit_valid_i,
  input  wire logic                flit_head_i,
  input  wire logic                flit_tail_i,
  input  wire weft_pkg::header_t   flit_header_i,
  input  wire weft_pkg::code_t     flit_code_i,
  input  wire logic [FlitBits-1:0] flit_payload_i,
  /// On the tail: the error that the decompressor found (error_e).
  input  wire logic [1:0]          flit_error_i,
  output logic                ready_o,

  /// Packets to the node. An error leaves with the tail of its packet, or of the datum decoded from this packet.
  output logic                flit_valid_o,
  output logic                flit_head_o,
  output logic                flit_tail_o,
  output weft_pkg::header_t   flit_header_o,
  output weft_pkg::code_t     flit_code_o,
  output logic [FlitBits-1:0] flit_payload_o,
  output logic [1:0]          flit_error_o,
  input  wire logic                ready_i,

  /// Discards all data and packets in the entries. This frees entries whose matching packets were lost.
  input  wire logic           flush_i,

  /// Work is pending even without an offered flit: a datum is resolved, an entry is fresh, or a flush is pending.
  output logic busy_o
);

  localparam int unsigned SizeBits = weft_pkg::SizeBits;
  localparam int unsigned NameBits = weft_pkg::NameBits;
  localparam int unsigned UsesBits = weft_pkg::UsesBits;
  localparam int unsigned WordIndexBits = $clog2(Words); // a flit has 2^WordIndexBits words
  localparam int unsigned EntryBits = $clog2(Entries);   // width of an entry's index
  localparam int unsigned FlitIndexBits = $clog2(Depth); // width of a flit's index in an entry
  localparam int unsigned AddressBits = EntryBits + FlitIndexBits;
  localparam int unsigned CountBits = FlitIndexBits + 1; // counts 0 to Depth

  typedef enum logic [2:0] {
    Idle    = 3'd0,  // between packets
    Pass    = 3'd1,
    Keep    = 3'd2,  // passes, and is written to an entry
    Store   = 3'd3,  // is written to an entry and does not pass
    Decode  = 3'd4,
    Resolve = 3'd5
  } state_e;

  /// Length of a raw message in flits.
  function automatic logic [SizeBits-1:0] flits_of(input logic [SizeBits-1:0] words);
    flits_of = words >> WordIndexBits;
    if ((words & SizeBits'(Words - 1)) != '0 || words == '0) begin
      flits_of = flits_of + SizeBits'(1);
    end
  endfunction

  function automatic logic has_one_flit(input logic [SizeBits-1:0] words);
    has_one_flit = words <= SizeBits'(Words);
  endfunction

  /// The lowest member of a set of entries, as a set (lowest); the index of the only member (number_of).
  function automatic logic [Entries-1:0] lowest(input logic [Entries-1:0] set);
    lowest = set & (~set + Entries'(1));
  endfunction
  function automatic logic [EntryBits-1:0] number_of(input logic [Entries-1:0] one);
    number_of = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (one[i]) begin
        number_of = number_of | EntryBits'(i);
      end
    end
  endfunction

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Entries
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // An entry is free, known or waiting. A known entry stores the name, the remaining uses and the flits of a datum. A
  // waiting entry stores the names of both data; all else is in the memory of headers.
  logic [Entries-1:0]           known_q, waiting_q, fresh_q;
  logic [Entries*NameBits-1:0]  first;
  logic [Entries*UsesBits-1:0]  uses_q;
  logic [Entries*CountBits-1:0] flits_q;
  logic [Entries*2-1:0]         error_q;  // error of its packet

  logic [Entries-1:0] last_use;  // known entries with one remaining use
  logic [Entries-1:0] free;      // the lowest free entry, as a set
  for (genvar i = 0; i < Entries; i++) begin : gen_last_use
    assign last_use[i] = uses_q[UsesBits*i +: UsesBits] == UsesBits'(1);
  end
  assign free = lowest(~(known_q | waiting_q));

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Comparison of the lowest fresh entry with the others
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // Bit Entries * i + j: the first (second) name of entry i equals the first name of entry j.
  logic [Entries*Entries-1:0] first_is, second_is;

  logic [Entries-1:0] fresh;                  // the lowest fresh entry
  logic [Entries-1:0] naming;                 // waiting entries that contain its name
  logic [Entries-1:0] waiting;                // the packet that may be resolved
  logic [Entries-1:0] has_first, has_second;  // known entries with its first (second) datum
  logic               has_known_first;
  logic               match, redundant;
  logic [Entries-1:0] solver;                 // the entry with the datum that resolves it
  assign fresh = lowest(fresh_q);

  for (genvar i = 0; i < Entries; i++) begin : gen_naming
    assign naming[i] = waiting_q[i]
                       && (fresh & (first_is[Entries*i +: Entries] | second_is[Entries*i +: Entries])) != '0;
  end
  assign waiting = ((fresh & waiting_q) != '0) ? fresh : lowest(naming);

  always_comb begin
    has_first  = '0;
    has_second = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (waiting[i]) begin
        has_first  = has_first | (known_q & first_is[Entries*i +: Entries]);
        has_second = has_second | (known_q & second_is[Entries*i +: Entries]);
      end
    end
  end
  assign has_known_first = has_first != '0;
  assign match           = (has_first | has_second) != '0;  // implies a fresh entry and a waiting one
  assign redundant       = has_known_first && has_second != '0;
  assign solver          = has_known_first ? has_first : has_second;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // The offered packet
  //////////////////////////////////////////////////////////////////////////////////////////////////

  state_e     state_q, state_d;
  logic       coded;          // a coded head is offered and must be looked up
  logic       plain;          // a plain head is offered
  logic       fits;           // the packet fits in an entry
  logic       needed;         // the packet is plain and its datum has uses
  logic       keep_plain;
  logic       accepted;
  assign coded      = state_q == Idle && flit_valid_i && flit_code_i.role == weft_pkg::RoleCoded;
  assign plain      = state_q == Idle && flit_valid_i && flit_code_i.role != weft_pkg::RoleCoded;
  assign fits       = flit_header_i.flits <= SizeBits'(Depth);
  assign needed     = plain && flit_code_i.first.uses != '0;
  assign keep_plain = needed && free != '0 && fits;
  assign accepted   = flit_valid_i && ready_o;

  // Known entries that hold the first (second) datum of a coded head.
  logic [Entries-1:0] offers_first, offers_second;
  for (genvar i = 0; i < Entries; i++) begin : gen_offers
    assign offers_first[i]  = known_q[i] && first[NameBits*i +: NameBits] == flit_code_i.first.name;
    assign offers_second[i] = known_q[i] && first[NameBits*i +: NameBits] == flit_code_i.second.name;
  end

  state_e             looked_up;       // the next state for the packet
  logic               first_known, second_known, overflow;
  logic [Entries-1:0] using;           // known entries that the packet uses
  logic [Entries-1:0] entry;           // entry to write the packet to, as a set
  weft_pkg::datum_t   other;           // the datum that the packet is decoded to
  logic               other_fits, other_stays;
  assign first_known  = offers_first != '0;
  assign second_known = offers_second != '0;
  assign other        = first_known ? flit_code_i.second : flit_code_i.first;
  assign other_fits   = first_known ? flits_of(flit_code_i.second.words) <= SizeBits'(Depth)
                                    : flits_of(flit_code_i.first.words) <= SizeBits'(Depth);
  assign other_stays  = other.uses > UsesBits'(1);
  always_comb begin
    looked_up = Pass;
    using     = '0;
    entry     = free;
    overflow  = 1'b0;
    if (first_known && second_known) begin
      using = offers_first | offers_second;
    end else if (flit_code_i.relay || !(first_known || second_known)) begin
      if (free != '0 && fits) begin
        looked_up = flit_code_i.relay ? Keep : Store;
      end else begin
        overflow = 1'b1;
      end
    end else begin
      looked_up = Decode;
      using     = offers_first | offers_second;
      if ((using & last_use) != '0) begin
        entry = using;
      end
      overflow = other_stays && !(other_fits && entry != '0);
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // States
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic                     begun_q;     // the first flit of the packet has moved
  logic                     coded_q;     // the packet that is written is coded
  logic                     overflow_q;
  logic                     stays_q;     // the decoded datum is kept
  logic [Entries-1:0]       using_q;     // entries that lose one use with the packet's last flit
  logic [Entries-1:0]       entry_q;     // the entry that is written
  logic [FlitIndexBits-1:0] number_q;    // index of the current flit in its entry
  weft_pkg::datum_t         other_q;
  logic                     other_short_q; // this datum has one flit
  logic                     quiet;       // between packets: entries may be resolved, dropped or flushed
  logic                     flush_q;     // a flush is pending
  logic                     flush, resolve, drop;
  logic                     look_up;
  logic                     made;        // the output is a decoded flit
  logic                     moves, ends; // a flit of the packet has been processed; it is the last one
  logic                     made_last;   // the current flit gives the last flit of the decoded datum
  logic                     made_tail;   // this last flit leaves now
  logic                     made_head;

  // An offered output must stay, so a plain packet that stalls precedes a resolution.
  always_comb begin
    quiet = 1'b0;
    unique case (state_q)
      Idle:        quiet = !plain || (accepted && flit_tail_i);
      Pass:        quiet = using_q == '0 && accepted && flit_tail_i;
      Keep, Store: quiet = accepted && flit_tail_i;
      default: ;
    endcase
  end
  assign flush   = quiet && (flush_q || flush_i);
  assign resolve = quiet && !flush && match && !redundant;
  assign drop    = quiet && !flush && match && redundant;
  assign look_up = coded && !flush && !match;
  assign made    = state_q == Decode || state_q == Resolve;
  assign moves   = (state_q == Resolve) ? ready_i : accepted;
  assign ends    = moves && ((state_q == Resolve) ? made_last : flit_tail_i);

  always_comb begin
    state_d = state_q;
    if (look_up) begin
      state_d = looked_up;
    end else if (resolve) begin
      state_d = Resolve;
    end else if (ends) begin
      state_d = Idle;
    end else if (plain && accepted) begin
      state_d = keep_plain ? Keep : Pass;
    end
  end

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      state_q <= Idle;
      flush_q <= 1'b0;
    end else begin
      state_q <= state_d;
      flush_q <= (flush_q || flush_i) && !quiet;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle || resolve) begin
      coded_q    <= coded;
      overflow_q <= overflow;
      stays_q    <= other_stays && !overflow;
      using_q    <= resolve ? solver : coded ? using : '0;
      entry_q    <= resolve ? waiting : coded ? entry : free;
      other_q       <= other;
      other_short_q <= has_one_flit(other.words);
      begun_q    <= plain && !resolve;
      number_q   <= (plain && !resolve) ? FlitIndexBits'(1) : '0;
    end else if (moves) begin
      begun_q  <= 1'b1;
      number_q <= number_q + FlitIndexBits'(1);
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // The decoded datum
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // Class, destination and source of the waiting packet.
  localparam int unsigned RouteBits = weft_pkg::ClassBits + 2 * weft_pkg::NodeBits;
  logic [RouteBits-1:0] waiting_route;
  logic [RouteBits-1:0] route_q;                 // the same for the packet being decoded
  weft_pkg::datum_t     kept_first, kept_second;
  logic                 solved_by_first_q;
  weft_pkg::datum_t     datum;
  logic                 stays;
  logic [SizeBits-1:0]  datum_flits;
  logic [SizeBits-1:0]  left, left_q;            // remaining flits of the datum, including the current one
  logic                 one_left_q, none_left_q; // left_q is 1, 0
  logic                 made_all;                // all flits of the datum have been output
  logic [CountBits-1:0] using_flits;             // length in flits of the entry that is used
  logic [CountBits-1:0] using_left_q;            // its remaining flits, including the current one
  logic [FlitBits-1:0]  using_flit, waiting_flit;
  weft_pkg::header_t    made_header;
  weft_pkg::code_t      made_code;
  logic [FlitBits-1:0]  made_flit;               // the flit decoded from the current flit
  logic [FlitBits-1:0]  last_flit_q;             // the last decoded flit, which waits for the packet's tail
  logic [FlitBits-1:0]  made_payload;            // the decoded flit that leaves
  always_comb begin
    datum = other_q;
    if (state_q == Resolve) begin
      datum = solved_by_first_q ? kept_second : kept_first;
    end
  end
  assign stays        = (state_q == Resolve) ? datum.uses > UsesBits'(1) : stays_q;
  assign datum_flits  = flits_of(datum.words);
  assign left         = begun_q ? left_q : datum_flits;
  // Computed for each datum before one of them is selected, because much logic depends on the last flit.
  assign made_last    = begun_q ? one_left_q : (state_q != Resolve) ? other_short_q
                        : solved_by_first_q ? has_one_flit(kept_second.words) : has_one_flit(kept_first.words);
  assign made_all     = begun_q && none_left_q;
  assign made_tail    = (state_q == Resolve) ? made_last : flit_tail_i;
  assign made_header  = {(state_q == Resolve) ? waiting_route : route_q,
                         datum_flits, datum.words, datum.data_type, weft_pkg::CodecRaw, weft_pkg::CutBits'(0)};
  assign made_code    = {weft_pkg::RolePlain, 1'b0, state_q == Decode && overflow_q, datum, weft_pkg::DatumBits'(0)};
  assign made_flit    = ((state_q == Resolve) ? waiting_flit : flit_payload_i)
                        ^ ((using_left_q == '0) ? '0 : using_flit);
  assign made_payload = made_all ? last_flit_q : made_flit;

  always_comb begin
    using_flits = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (match ? solver[i] : using[i]) begin
        using_flits = using_flits | flits_q[CountBits*i +: CountBits];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (look_up) begin
      route_q <= {flit_header_i.message_class, flit_header_i.destination, flit_header_i.source};
    end
    if (resolve) begin
      solved_by_first_q <= has_known_first;
    end
    if (moves && !made_all) begin
      left_q      <= left - SizeBits'(1);
      one_left_q  <= left == SizeBits'(2);
      none_left_q <= made_last;
      last_flit_q <= made_flit;
    end
    if (resolve || look_up) begin
      using_left_q <= using_flits;
    end else if (moves && using_left_q != '0) begin
      using_left_q <= using_left_q - CountBits'(1);
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Memories
  //////////////////////////////////////////////////////////////////////////////////////////////////

  // The entry that is written, with the flit that is output now or later.
  logic [Entries-1:0]       target;
  logic [FlitIndexBits-1:0] number;
  logic                     write;
  logic [AddressBits-1:0]   write_address;
  assign target        = (state_q == Idle) ? free : entry_q;
  assign number        = (state_q == Idle) ? '0 : number_q;
  assign write         = moves && (made ? stays && !made_all : keep_plain || state_q == Keep || state_q == Store);
  assign write_address = {number_of(target), number};

  // Two flits are read at once, so the payloads are stored twice. The first flits are read during the look-up, each
  // further flit when the previous one moves.
  logic [FlitIndexBits-1:0] next;
  logic                     read_using, read_waiting;
  logic [AddressBits-1:0]   using_address, waiting_address;
  assign next            = made ? number_q + FlitIndexBits'(1) : '0;
  assign read_using      = resolve || (look_up && looked_up == Decode)
                           || (made && moves && using_left_q > CountBits'(1));
  assign read_waiting    = resolve || (state_q == Resolve && moves && !made_last);
  // The entries of a resolution are known late. They select among addresses that are already available.
  assign using_address   = {made          ? number_of(using_q)
                            : has_known_first ? number_of(has_first)
                            : match           ? number_of(has_second) : number_of(using), next};
  assign waiting_address = {made ? number_of(entry_q) : number_of(waiting), next};

  weft_packet_memory #(
    .Width(FlitBits),
    .Depth(2 ** AddressBits)
  ) u_using_memory (
    .clk_i,
    .rst_ni,
    .write_i        (write),
    .write_address_i(write_address),
    .write_data_i   (made ? made_flit : flit_payload_i),
    .read_i         (read_using),
    .read_address_i (using_address),
    .read_data_o    (using_flit)
  );

  weft_packet_memory #(
    .Width(FlitBits),
    .Depth(2 ** AddressBits)
  ) u_waiting_memory (
    .clk_i,
    .rst_ni,
    .write_i        (write),
    .write_address_i(write_address),
    .write_data_i   (made ? made_flit : flit_payload_i),
    .read_i         (read_waiting),
    .read_address_i (waiting_address),
    .read_data_o    (waiting_flit)
  );

  logic write_head;  // the head of a packet that is kept or stored
  assign write_head = write && !made && flit_head_i;

  weft_packet_memory #(
    .Width(RouteBits + 2 * weft_pkg::DatumBits),
    .Depth(2 ** EntryBits)
  ) u_header_memory (
    .clk_i,
    .rst_ni,
    .write_i        (write_head),
    .write_address_i(number_of(target)),
    .write_data_i   ({flit_header_i.message_class, flit_header_i.destination, flit_header_i.source,
                       flit_code_i.first, flit_code_i.second}),
    .read_i         (resolve),
    .read_address_i (number_of(waiting)),
    .read_data_o    ({waiting_route, kept_first, kept_second})
  );

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Updates of the entries
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic [Entries-1:0] used;       // entries that lose one use
  logic [Entries-1:0] gone;       // known entries that lose their last use
  logic [Entries-1:0] released;   // waiting entries that become free
  logic [Entries-1:0] becomes_known, waits, freshens;
  assign used            = (drop ? has_first | has_second : '0) | ((ends && state_q != Idle) ? using_q : '0);
  assign gone            = used & last_use;
  assign released        = (drop ? waiting : '0) | ((ends && state_q == Resolve) ? entry_q : '0);
  assign becomes_known   = (ends && (made ? stays : keep_plain || (state_q == Keep && !coded_q))) ? target : '0;
  assign waits           = (ends && (state_q == Store || (state_q == Keep && coded_q))) ? target : '0;
  assign freshens        = becomes_known | ((state_q == Keep) ? waits : '0);

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      known_q   <= '0;
      waiting_q <= '0;
      fresh_q   <= '0;
    end else begin
      known_q   <= flush ? '0 : (known_q & ~gone) | becomes_known;
      waiting_q <= flush ? '0 : (waiting_q & ~released) | waits;
      fresh_q   <= flush ? '0 : (fresh_q & ~gone & ~released & ~(match ? '0 : fresh)) | freshens;
    end
  end

  weft_xor_names #(
    .Entries(Entries)
  ) u_names (
    .clk_i,
    .write_i    (write_head ? target : made ? becomes_known : '0),
    .first_i    (made ? datum.name : flit_code_i.first.name),
    .second_i   (flit_code_i.second.name),
    .first_o    (first),
    .first_is_o (first_is),
    .second_is_o(second_is)
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (becomes_known[i] || waits[i]) begin
        error_q[2*i +: 2] <= made ? flit_error_o : flit_error_i;
      end
      if (write_head && target[i]) begin
        uses_q[UsesBits*i +: UsesBits]    <= flit_code_i.first.uses;
        flits_q[CountBits*i +: CountBits] <= CountBits'(flit_header_i.flits);
      end else if (made && becomes_known[i]) begin
        uses_q[UsesBits*i +: UsesBits]    <= datum.uses - UsesBits'(1);
        flits_q[CountBits*i +: CountBits] <= CountBits'(datum_flits);
      end else if (used[i]) begin
        uses_q[UsesBits*i +: UsesBits] <= uses_q[UsesBits*i +: UsesBits] - UsesBits'(1);
      end
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Output
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic            mark;
  weft_pkg::code_t passing_code;
  assign mark         = flit_head_i && ((state_q == Idle) ? needed && !keep_plain : overflow_q);
  assign passing_code = {flit_code_i.role, flit_code_i.relay, flit_code_i.overflow || mark, flit_code_i.first,
                         flit_code_i.second};

  always_comb begin
    unique case (state_q)
      Idle: begin
        flit_valid_o = plain;
        ready_o      = plain && ready_i;
      end
      Store: begin
        flit_valid_o = 1'b0;
        ready_o      = 1'b1;
      end
      Decode: begin  // no output from the last flit of the datum on until the tail arrives
        flit_valid_o = flit_valid_i && (flit_tail_i || !(made_last || made_all));
        ready_o      = ready_i || (!flit_tail_i && (made_last || made_all));
      end
      Resolve: begin
        flit_valid_o = 1'b1;
        ready_o      = 1'b0;
      end
      default: begin
        flit_valid_o = flit_valid_i;
        ready_o      = ready_i;
      end
    endcase
  end
  assign made_head      = !begun_q || datum_flits == SizeBits'(1);
  assign flit_head_o    = made ? made_head : flit_head_i;
  assign flit_tail_o    = made ? made_tail : flit_tail_i;
  assign flit_header_o  = !made ? flit_header_i : made_head ? made_header : '0;
  assign flit_code_o    = !made ? passing_code : made_head ? made_code : '0;
  assign flit_payload_o = made ? made_payload : flit_payload_i;

  // The error of a decoded packet is that of the coded packet, otherwise that of the datum used.
  logic [1:0] own_error, using_error;
  always_comb begin
    own_error   = (state_q == Resolve) ? weft_pkg::ErrorNone : flit_error_i;
    using_error = weft_pkg::ErrorNone;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (state_q == Resolve && entry_q[i]) begin
        own_error = own_error | error_q[2*i +: 2];
      end
      if (made && using_q[i]) begin
        using_error = using_error | error_q[2*i +: 2];
      end
    end
  end
  assign flit_error_o   = (made && !flit_tail_o) ? weft_pkg::ErrorNone
                          : (own_error != weft_pkg::ErrorNone) ? own_error : using_error;
  assign busy_o         = state_q == Resolve || fresh_q != '0 || flush_q || flush_i;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Assertions
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic [Entries-1:0] useless, twice;  // known entries without uses; known entries that have the name of another one
  for (genvar i = 0; i < Entries; i++) begin : gen_useless
    assign useless[i] = known_q[i] && uses_q[UsesBits*i +: UsesBits] == '0;
    assign twice[i]   = known_q[i] && (known_q & first_is[Entries*i +: Entries] & ~(Entries'(1) << i)) != '0;
  end

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_PARAMETER(EntriesSupported, Entries >= 2, "Entries must be at least 2")
  `WEFT_PARAMETER(DepthSupported, Depth >= 2 && Depth == 2 ** $clog2(Depth), "Depth must be a power of two, at least 2")
  `WEFT_ASSERT(Framed, !flit_valid_i || state_q == Resolve || flit_head_i == (state_q == Idle || !begun_q),
               "a packet must begin with its only head flit")
  `WEFT_ASSERT(NamesUnique, twice == '0, "two stored data have the same name")
  `WEFT_ASSERT(DataDiffer, !coded || flit_code_i.first.name != flit_code_i.second.name,
               "a datum must not be combined with itself")
  `WEFT_ASSERT(LongEnough, !(state_q == Decode && accepted && flit_tail_i) || left <= SizeBits'(1),
               "a coded packet must be as long as the longer of its data")
  `WEFT_ASSERT(LeftCounted, !made || (made_last == (left == SizeBits'(1)) && made_all == (left == '0)),
               "the flags for the last flit and for no flit must match the number of flits left")
  `WEFT_ASSERT(KnownOrWaiting, (known_q & waiting_q) == '0 && (fresh_q & ~(known_q | waiting_q)) == '0,
               "an entry must be known, waiting or free, and a free one not fresh")
  `WEFT_ASSERT(UsesLeft, useless == '0, "a known datum must have uses left")
  `WEFT_ASSERT(UsedKnown, (used & ~known_q) == '0, "only known data may be used")
  `WEFT_ASSERT(WrittenFree, !write_head || (target & (known_q | waiting_q)) == '0, "only a free entry may be written")
  `WEFT_ASSERT_HELD(StableOut, flit_valid_o && !ready_i,
                    ({flit_valid_o, flit_head_o, flit_tail_o, flit_header_o, flit_code_o, flit_payload_o,
                      flit_error_o}),
                    "an offered flit must not change until it is accepted")
  `WEFT_ASSERT_KNOWN(KnownOut, ({flit_valid_o, ready_o, busy_o}), "stream status signals must not be X")
  `include "cover/weft_xor_decoder.svh"

endmodule

`default_nettype wire
