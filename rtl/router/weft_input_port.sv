// SPDX-License-Identifier: Apache-2.0
/// Input port: the buffers of one input port. Each VC has a FIFO, and all FIFOs are in one memory.
///
/// Purpose    Part of weft_input_unit, which describes its function.
/// Latency    See weft_input_unit.
/// Handshake  See weft_input_unit.
///
/// A grant reads the memory, and flits leave from its output register. A second memory stores the fields on which a
/// route depends. In the cycle in which a tail leaves, it is read for the head behind this tail. A head that arrives at
/// an empty VC is announced directly from the channel. So a port announces at most two heads in a cycle; the arriving
/// one is in slot 0.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_input_port #(
  /// Number of output ports of the router, at least 1.
  parameter int unsigned Ports = 5,
  /// Number of virtual channels, at least 1.
  parameter int unsigned Vcs = 4,
  /// Capacity of a VC in flits, at least 1.
  parameter int unsigned Depth = 8,
  /// Width of the path id in bits, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of the data of a flit in bits; see weft_pkg.
  parameter int unsigned DataBits = 168,
  /// Width of a packet's length, weft_pkg::length_bits(); 1 without cut-through, which does not use it.
  parameter int unsigned LengthBits = 1,
  /// 1: source routing, where a head leaves with only the remaining part of its path. 0: other routing.
  parameter int unsigned ConsumesPath = 0,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned HeadBits = weft_pkg::head_bits(VcBits, PathIdBits, LengthBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  input  wire logic [FlitBits-1:0]   flit_i,
  output logic      [CreditBits-1:0] credit_o,

  /// The heads that need a route.
  output logic [weft_pkg::HeadSlots*HeadBits-1:0] head_o,
  /// VCs that hold a flit, and VCs whose first flit is a tail.
  output logic [Vcs-1:0] status_occupied_o,
  output logic [Vcs-1:0] status_tail_o,

  /// The port sends a flit (grant_input_i) from this VC (one-hot) to this output port (one-hot), in this VC of the
  /// output port (one-hot). If it sends none, the output port is 0 and the VCs have no meaning; grant_vc_i has at most
  /// one bit set.
  input  wire logic              grant_input_i,
  input  wire logic [Vcs-1:0]    grant_vc_i,
  input  wire logic [Ports-1:0]  grant_output_i,
  input  wire logic [VcBits-1:0] grant_out_vc_i,

  /// The output port of the leaving flit (one-hot or 0), and this flit without its valid bit.
  output logic [Ports-1:0]    leaves_o,
  output logic [FlitBits-2:0] flit_o
);

  localparam int unsigned NodeBits = weft_pkg::NodeBits;
  localparam int unsigned SizeBits = weft_pkg::SizeBits;
  localparam int unsigned HeaderBits = weft_pkg::HeaderBits;
  localparam int unsigned SlotBits = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned AddressBits = Vcs * Depth > 2 ? $clog2(Vcs * Depth) : 1;
  localparam int unsigned StoredBits = 2 + PathIdBits + DataBits;              // fields: head, tail, path id, data
  localparam int unsigned AnnouncedBits = NodeBits + LengthBits + PathIdBits;  // fields of a head's announcement

  logic                  valid, head, tail;
  logic [VcBits-1:0]     vc;
  logic [PathIdBits-1:0] path_id;
  logic [DataBits-1:0]   data;
  weft_pkg::header_t     header;
  assign {valid, head, tail, vc, path_id, data} = flit_i;
  assign header = data[DataBits-1-:HeaderBits];

  // ------------------------------------------------------------------------------------------------------------------
  // The FIFOs

  logic [Vcs-1:0]             push, pop;    // one-hot or 0
  logic [Vcs-1:0]             occupied;
  logic [Vcs-1:0]             ends;         // the first flit is a tail
  logic [Vcs-1:0]             more;         // VCs in which a flit follows the first one
  logic [Vcs-1:0]             fresh;        // VCs in which an arriving flit becomes the first one
  logic [Vcs*AddressBits-1:0] write_at, read_at, next_at;
  logic [Vcs-1:0]             full, misplaced;  // for assertions

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [SlotBits-1:0]  read_q, read_next, write_q, write_next;
    logic [CountBits-1:0] count_q;
    logic [Depth-1:0]     tails_q;  // for each slot, whether its flit is a tail
    logic                 open_q;   // inside a packet at the write side, between head and tail

    assign push[v] = valid && vc == VcBits'(v);
    assign pop[v]  = grant_input_i && grant_vc_i[v];

    assign read_next   = (32'(read_q) == Depth - 1) ? '0 : read_q + SlotBits'(1);
    assign write_next  = (32'(write_q) == Depth - 1) ? '0 : write_q + SlotBits'(1);
    assign occupied[v] = count_q != '0;
    assign more[v]     = 32'(count_q) > 1;
    assign fresh[v]    = !occupied[v] || (pop[v] && !more[v]);

    assign ends[v] = occupied[v] && tails_q[read_q];

    assign write_at[v*AddressBits+:AddressBits] = AddressBits'(v * Depth) + AddressBits'(write_q);
    assign read_at[v*AddressBits+:AddressBits]  = AddressBits'(v * Depth) + AddressBits'(read_q);
    assign next_at[v*AddressBits+:AddressBits]  = AddressBits'(v * Depth) + AddressBits'(read_next);

    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        read_q  <= '0;
        write_q <= '0;
        count_q <= '0;
        open_q  <= 1'b0;
      end else begin
        if (pop[v]) read_q <= read_next;
        if (push[v]) begin
          write_q <= write_next;
          open_q  <= !tail;
        end
        count_q <= pop[v] ? count_q + CountBits'(push[v]) - CountBits'(1) : count_q + CountBits'(push[v]);
      end
    end

    always_ff @(posedge clk_i) begin
      if (push[v]) tails_q[write_q] <= tail;
    end

    assign full[v]      = 32'(count_q) == Depth;
    assign misplaced[v] = push[v] && head == open_q;
  end

  assign status_occupied_o = occupied;
  assign status_tail_o     = ends;

  logic [AddressBits-1:0] write_address, read_address, next_address;
  logic [VcBits-1:0]      picked;
  always_comb begin
    write_address = '0;
    read_address = '0;
    next_address = '0;
    picked = '0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (push[v]) write_address = write_address | write_at[v*AddressBits+:AddressBits];
      // Whether the selected VC sends a flit is known last.
      if (grant_vc_i[v]) begin
        read_address = read_address | read_at[v*AddressBits+:AddressBits];
        next_address = next_address | next_at[v*AddressBits+:AddressBits];
        picked = picked | VcBits'(v);
      end
    end
  end

  logic [StoredBits-1:0] stored;
  weft_packet_memory #(
    .Width(StoredBits),
    .Depth(2 ** AddressBits)
  ) u_flits (
    .clk_i,
    .rst_ni,
    .write_i        (valid),
    .write_address_i(write_address),
    .write_data_i   ({head, tail, path_id, data}),
    .read_i         (grant_input_i),
    .read_address_i (read_address),
    .read_data_o    (stored)
  );

  // ------------------------------------------------------------------------------------------------------------------
  // Heads that need a route

  logic                     arrives, arrives_q, succeeds, succeeds_q;
  logic [VcBits-1:0]        arrived_vc_q;
  logic [AnnouncedBits-1:0] arrived_q, successor;
  logic [AnnouncedBits-1:0] announced;  // fields of the arriving head
  logic [LengthBits-1:0] length;
  if (LengthBits > 1) begin : gen_length
    assign length = (header.flits[SizeBits-1:LengthBits] != '0) ? '1 : header.flits[LengthBits-1:0];
  end else begin : gen_no_length
    assign length = '0;
  end
  assign announced = {header.destination, length, path_id};

  assign arrives = head && |(push & fresh);
  assign succeeds = |(pop & ends & more);

  weft_packet_memory #(
    .Width(AnnouncedBits),
    .Depth(2 ** AddressBits)
  ) u_heads (
    .clk_i,
    .rst_ni,
    .write_i        (valid && head),
    .write_address_i(write_address),
    .write_data_i   (announced),
    .read_i         (succeeds),
    .read_address_i (next_address),
    .read_data_o    (successor)
  );

  // ------------------------------------------------------------------------------------------------------------------
  // Granted flits

  logic              sent_q;
  logic [Ports-1:0]  leaves_q;
  logic [VcBits-1:0] sent_vc_q, out_vc_q;

  always_ff @(`WEFT_CLOCKED) begin
    if (!rst_ni) begin
      sent_q    <= 1'b0;
      arrives_q <= 1'b0;
      succeeds_q <= 1'b0;
      leaves_q   <= '0;
    end else begin
      sent_q    <= grant_input_i;
      arrives_q <= arrives;
      succeeds_q <= succeeds;
      leaves_q   <= grant_output_i;
    end
  end

  // Grants are known last. Registers that have a separate valid bit do not wait for them.
  always_ff @(posedge clk_i) begin
    sent_vc_q <= picked;
    out_vc_q  <= grant_out_vc_i;
    if (valid && head) begin
      arrived_vc_q <= vc;
      arrived_q    <= announced;
    end
  end

  assign credit_o = {sent_q, sent_vc_q};
  assign head_o   = {succeeds_q, sent_vc_q, successor, arrives_q, arrived_vc_q, arrived_q};
  assign leaves_o = leaves_q;

  logic                  stored_head, stored_tail;
  logic [PathIdBits-1:0] stored_path, remaining_path;
  logic [DataBits-1:0]   stored_data;
  assign {stored_head, stored_tail, stored_path, stored_data} = stored;
  if (ConsumesPath != 0) begin : gen_rest
    // The path has segments of eight bits, the first one lowest. A segment contains an output port, and the number of
    // further consecutive uses of this port.
    always_comb begin
      remaining_path = stored_path;
      if (stored_head) begin
        remaining_path = (stored_path[7:4] != '0) ? stored_path - PathIdBits'(16) : stored_path >> 8;
      end
    end
  end else begin : gen_whole
    assign remaining_path = stored_path;
  end
  assign flit_o = {stored_head, stored_tail, out_vc_q, remaining_path, stored_data};

  logic unused_header;
  assign unused_header = &header;

  `WEFT_PARAMETER(PathIdSupported, ConsumesPath == 0 || PathIdBits >= 8,
                  "PathIdBits must be at least 8 with source routing, one segment")
  `WEFT_ASSERT(VcExists, !valid || |push, "flit received on a VC that does not exist")
  `WEFT_ASSERT(NoOverflow, (push & full) == '0, "buffer overflow: flit sent without a credit")
  `WEFT_ASSERT(NoUnderflow, (pop & ~occupied) == '0, "switch granted to an empty VC")
  `WEFT_ASSERT(HeadFirst, misplaced == '0, "head flit inside a packet, or body flit outside one")
  `WEFT_ASSERT(OneVc, (pop & (pop - Vcs'(1))) == '0, "switch granted to two VCs of an input port")
  `WEFT_ASSERT_KNOWN(KnownOut, ({sent_q, arrives_q, succeeds_q, occupied, ends}), "flit status signals must not be X")
  `include "cover/weft_input_port.svh"

endmodule

`default_nettype wire
