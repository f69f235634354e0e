// SPDX-License-Identifier: Apache-2.0
/// XOR encoder: the stage of a NIC's send path that combines two packets into one.
///
/// Purpose    Holds one packet. The role of an arriving packet determines whether it passes, is held, or is replaced by
///            its XOR with the held packet (which may then be held). Contract: docs/03_reference/network_coding.md.
/// Latency    Passing: 0. Combining: Overhead cycles, through a line of this number of registers. If the held packet is
///            the longer one, its remaining flits follow at one per cycle.
/// Handshake  A flit moves at the end of a cycle in which it is valid and the receiver is ready. Packets arrive raw,
///            one after the other. A packet to be held is accepted without a stall. `ready_o` depends on the offered
///            flit.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_xor_encoder #(
  /// Words per flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Maximum length of a held packet in flits; a power of two, at least 2.
  parameter int unsigned Depth = 16,
  /// Number of registers in the line, which is the latency of a combined flit in cycles.
  parameter int unsigned Overhead = 1,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Packets from the node. Header and code are valid with the head.
  input  wire logic                flit_valid_i,
  input  wire logic                flit_head_i,
  input  wire logic                flit_tail_i,
  input  wire weft_pkg::header_t   flit_header_i,
  input  wire weft_pkg::code_t     flit_code_i,
  input  wire logic [FlitBits-1:0] flit_payload_i,
  output logic                ready_o,

  /// Packets to the network.
  output logic                flit_valid_o,
  output logic                flit_head_o,
  output logic                flit_tail_o,
  output weft_pkg::header_t   flit_header_o,
  output weft_pkg::code_t     flit_code_o,
  output logic [FlitBits-1:0] flit_payload_o,
  input  wire logic                ready_i,

  /// Work is pending even without an offered flit: the line is not empty, or flits of the held packet follow.
  output logic busy_o
);

  localparam int unsigned SizeBits = weft_pkg::SizeBits;
  localparam int unsigned AddressBits = $clog2(Depth);
  localparam int unsigned CountBits = AddressBits + 1;  // counts 0 to Depth

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // The arriving packet
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic       within_q;  // inside a packet: its head has been accepted, its tail has not
  logic [2:0] role, role_q;
  logic       hold, combine, chain, pass;
  logic       accepted;
  assign role     = within_q ? role_q : flit_code_i.role;
  assign hold     = role == weft_pkg::RoleHold;
  assign chain    = role == weft_pkg::RoleChain;
  assign combine  = role == weft_pkg::RoleCombine || chain;
  assign pass     = !hold && !combine;
  assign accepted = flit_valid_i && ready_o;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      within_q <= 1'b0;
    end else if (accepted) begin
      within_q <= !flit_tail_i;
    end
  end
  always_ff @(posedge clk_i) begin
    role_q <= role;
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // The held packet
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic                   appending_q;    // the remaining flits of the held packet follow
  logic [CountBits-1:0]   held_flits_q;   // length of the held packet; 0 if there is none
  weft_pkg::datum_t       held_q;
  logic [CountBits-1:0]   left, left_q;   // flits of it that are not combined yet, including the current one
  logic [AddressBits-1:0] address, address_q; // index of the current flit
  logic                   entry_ready;    // the line accepts a flit
  logic                   enter;           // a flit enters the line
  logic                   store;
  assign left  = (within_q || appending_q) ? left_q : held_flits_q;
  assign address = (within_q || appending_q) ? address_q : '0;
  assign enter  = (appending_q || (flit_valid_i && combine)) && entry_ready;
  assign store = accepted && (hold || chain);

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      appending_q  <= 1'b0;
      held_flits_q <= '0;
    end else begin
      if (enter) begin
        appending_q <= (appending_q || flit_tail_i) && left > CountBits'(1);
      end
      if (store && !within_q) begin
        held_flits_q <= CountBits'(flit_header_i.flits);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (store && !within_q) begin
      held_q <= flit_code_i.first;
    end
    if (enter) begin
      left_q <= (left == '0) ? '0 : left - CountBits'(1);
    end
    if (enter || store) begin
      address_q <= address + AddressBits'(1);
    end
  end

  // The first flit has a separate register, because it may be needed in the cycle after its arrival. Every other flit
  // is needed at least two cycles after its arrival.
  logic [FlitBits-1:0] first_flit_q;
  logic [FlitBits-1:0] next_flit;
  logic [FlitBits-1:0] held_flit;
  assign held_flit = (within_q || appending_q) ? next_flit : first_flit_q;

  always_ff @(posedge clk_i) begin
    if (store && !within_q) begin
      first_flit_q <= flit_payload_i;
    end
  end

  weft_packet_memory #(
    .Width(FlitBits),
    .Depth(Depth)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .write_i        (store),
    .write_address_i(address),
    .write_data_i   (flit_payload_i),
    .read_i         (enter && left > CountBits'(1)),
    .read_address_i (address + AddressBits'(1)),
    .read_data_o    (next_flit)
  );

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // The XOR
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic [SizeBits-1:0] joined_flits, joined_words;
  logic [1:0]          joined_type;
  weft_pkg::header_t   joined_header;
  weft_pkg::code_t     joined_code;
  assign joined_flits  = (flit_header_i.flits < SizeBits'(held_flits_q)) ? SizeBits'(held_flits_q)
                                                                         : flit_header_i.flits;
  assign joined_words  = (flit_header_i.words < held_q.words) ? held_q.words : flit_header_i.words;
  assign joined_type   = (flit_header_i.data_type == weft_pkg::TypeInt && held_q.data_type == weft_pkg::TypeInt)
                         ? weft_pkg::TypeInt : weft_pkg::TypeOther;
  assign joined_header = {flit_header_i.message_class, flit_header_i.destination, flit_header_i.source, joined_flits,
                          joined_words, joined_type, weft_pkg::CodecRaw, weft_pkg::CutBits'(0)};
  assign joined_code   = {weft_pkg::RoleCoded, flit_code_i.relay, 1'b0, held_q, flit_code_i.first};

  // The fields of a flit in the line: head, tail, header, code, payload.
  localparam int unsigned LineBits = 2 + weft_pkg::HeaderBits + weft_pkg::CodeBits + FlitBits;
  logic [LineBits-1:0] entry, passing, leaving;
  logic                entry_head, entry_tail;
  logic                line_busy;     // the line holds a flit
  logic                leaving_valid;
  assign entry_head = !within_q && !appending_q;
  assign entry_tail = (appending_q || flit_tail_i) && left <= CountBits'(1);
  assign entry      = {entry_head, entry_tail,
                       entry_head ? {joined_header, joined_code} : (weft_pkg::HeaderBits + weft_pkg::CodeBits)'(0),
                       (appending_q ? '0 : flit_payload_i) ^ ((left == '0) ? '0 : held_flit)};
  assign passing    = {flit_head_i, flit_tail_i, flit_header_i, flit_code_i, flit_payload_i};

  if (Overhead == 0) begin : gen_wire
    assign entry_ready   = ready_i;
    assign line_busy     = 1'b0;
    assign leaving_valid = appending_q || (flit_valid_i && combine);
    assign leaving       = entry;
  end else begin : gen_line
    logic [Overhead-1:0]          valid_q;
    logic [Overhead*LineBits-1:0] line_q;
    logic [Overhead-1:0]          free;  // bit s: register s is free or becomes free
    for (genvar s = 0; s < Overhead; s++) begin : gen_register
      logic                arrives;
      logic [LineBits-1:0] flit;
      assign free[s] = ready_i || !(&valid_q[Overhead-1:s]);
      if (s == 0) begin : gen_first
        assign arrives = appending_q || (flit_valid_i && combine);
        assign flit  = entry;
      end else begin : gen_other
        assign arrives = valid_q[s-1];
        assign flit  = line_q[LineBits*(s-1) +: LineBits];
      end
      always_ff @(`WEFT_CLOCKED) begin
        if (!rst_ni) begin
          valid_q[s] <= 1'b0;
        end else if (free[s]) begin
          valid_q[s] <= arrives;
        end
      end
      always_ff @(posedge clk_i) begin
        if (free[s]) begin
          line_q[LineBits*s +: LineBits] <= flit;
        end
      end
    end
    assign entry_ready   = free[0];
    assign line_busy     = valid_q != '0;
    assign leaving_valid = valid_q[Overhead-1];
    assign leaving       = line_q[LineBits*(Overhead-1) +: LineBits];
  end

  // A flit that passes must not overtake flits in the line.
  logic wire_through;
  assign wire_through = pass && !line_busy && !appending_q;
  assign flit_valid_o = wire_through ? flit_valid_i : leaving_valid;
  assign {flit_head_o, flit_tail_o, flit_header_o, flit_code_o, flit_payload_o} = wire_through ? passing : leaving;
  assign ready_o      = !appending_q && (hold || (combine ? entry_ready : !line_busy && ready_i));
  assign busy_o       = appending_q || line_busy;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Assertions
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic head_offered;
  assign head_offered = flit_valid_i && !within_q;

  `WEFT_PARAMETER(WordsSupported, Words == 1 || Words == 2 || Words == 4 || Words == 8, "Words must be 1, 2, 4 or 8")
  `WEFT_PARAMETER(DepthSupported, Depth >= 2 && Depth == 2 ** $clog2(Depth), "Depth must be a power of two, at least 2")
  `WEFT_ASSERT(Framed, !flit_valid_i || flit_head_i == !within_q,
               "a packet must begin with its only head flit")
  `WEFT_ASSERT(HeldFits, !(head_offered && (hold || chain)) || flit_header_i.flits <= SizeBits'(Depth),
               "a held packet must have at most Depth flits")
  `WEFT_ASSERT(HeldBefore, !(head_offered && combine) || held_flits_q != '0,
               "a packet may be combined only while one is held")
  `WEFT_ASSERT(DataDiffer, !(head_offered && combine) || held_q.name != flit_code_i.first.name,
               "a datum must not be combined with itself")
  `WEFT_ASSERT(ComesRaw, !(head_offered && !pass) || flit_header_i.codec == weft_pkg::CodecRaw,
               "packets to hold or to combine must be raw")
  `WEFT_ASSERT(FlitsLeft, !appending_q || left_q != '0, "while flits are appended, the held packet must have some left")
  `WEFT_ASSERT_HELD(StableOut, flit_valid_o && !ready_i,
                    ({flit_valid_o, flit_head_o, flit_tail_o, flit_header_o, flit_code_o, flit_payload_o}),
                    "an offered flit must not change until it is accepted")
  `WEFT_ASSERT_KNOWN(KnownOut, ({flit_valid_o, ready_o, busy_o}), "stream status signals must not be X")
  `include "cover/weft_xor_encoder.svh"

endmodule

`default_nettype wire
