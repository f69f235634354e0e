// SPDX-License-Identifier: Apache-2.0
/// Ejector: receives flits from the router and passes them to the receive path.
///
/// Purpose    The first stage of the receive path. Packets on different VCs arrive interleaved.
///            Pass-through (Depth 0): every flit is passed on immediately, with its VC, so packets stay interleaved.
///            The receiver must accept one flit per cycle, and the router needs no credits for the port.
///            Buffered (Depth > 0): each VC has a FIFO, and all FIFOs are in one memory. Packets are passed on one
///            after the other, at the speed of the receiver. The router sends with credits. VCs are served in
///            round-robin order, one packet each.
/// Latency    A flit on flit_i in cycle t is on flit_o in t+1, or later if other flits precede it.
/// Handshake  flit_o/ready_i: a flit moves at the end of a cycle in which it is valid and ready_i is set.
///
/// Flits leave from the output register of the memory. If a flit arrives at an empty FIFO and leaves next, it leaves
/// from a separate register. Flits and credits are flat vectors, whose fields weft_pkg defines. Leaving flits have no
/// path id.
`default_nettype none

`include "weft_assert.svh"
`include "weft_reset.svh"

module weft_ejector #(
  /// Number of virtual channels of the router's port, at least 1.
  parameter int unsigned Vcs = 4,
  /// Capacity of a VC in flits. 0: pass-through.
  parameter int unsigned Depth = 8,
  /// Width of the path id in bits, at least 1.
  parameter int unsigned PathIdBits = 1,
  /// Width of the data of a flit in bits; see weft_pkg.
  parameter int unsigned DataBits = 168,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned ReceivedBits = weft_pkg::flit_bits(VcBits, 0, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  /// Flits from the router, and credits to it.
  input  wire logic [FlitBits-1:0]   flit_i,
  output logic      [CreditBits-1:0] credit_o,

  /// To the receive path.
  output logic      [ReceivedBits-1:0] flit_o,
  input  wire logic                    ready_i,

  /// The ejector holds flits.
  output logic busy_o
);

  localparam int unsigned StoredBits = 2 + DataBits;  // fields: head, tail, data

  logic                  valid, head, tail;
  logic [VcBits-1:0]     vc;
  logic [PathIdBits-1:0] unused_path_id;
  logic [DataBits-1:0]   data;
  assign {valid, head, tail, vc, unused_path_id, data} = flit_i;

  // The flit on flit_o
  logic              shown_q;
  logic [VcBits-1:0] shown_vc_q;

  logic [Vcs-1:0] push, full, misplaced;  // full and misplaced are for assertions
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic open_q;  // inside a packet, between head and tail
    assign push[v]      = valid && vc == VcBits'(v);
    assign misplaced[v] = push[v] && head == open_q;
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        open_q <= 1'b0;
      end else if (push[v]) begin
        open_q <= !tail;
      end
    end
  end

  if (Depth == 0) begin : gen_pass
    logic [StoredBits-1:0] body_q;
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        shown_q <= 1'b0;
      end else begin
        shown_q <= valid;
      end
    end
    always_ff @(posedge clk_i) begin
      if (valid) begin
        body_q     <= {head, tail, data};
        shown_vc_q <= vc;
      end
    end
    assign flit_o   = {shown_q, body_q[StoredBits-1-:2], shown_vc_q, body_q[DataBits-1:0]};
    assign credit_o = '0;
    assign busy_o   = 1'b0;
    assign full     = '0;

    `WEFT_ASSERT(NoStall, !shown_q || ready_i,
                 "the receiver stalls, but the ejector has no buffer; set EjectionDepth of the NIC above 0")
  end else begin : gen_buffer
    localparam int unsigned SlotBits = Depth > 1 ? $clog2(Depth) : 1;
    localparam int unsigned CountBits = $clog2(Depth + 1);
    localparam int unsigned AddressBits = Vcs * Depth > 2 ? $clog2(Vcs * Depth) : 1;

    // ----------------------------------------------------------------------------------------------------------------
    // The VC that is served

    logic           within_q;               // flit_o is inside a packet, between head and tail
    logic [Vcs-1:0] current_q, from_q;      // VC of this packet, one-hot; VCs after it, where the search begins (none:
                                            // at VC 0)
    logic [Vcs-1:0] held;                   // VCs whose FIFO holds a flit
    logic [Vcs-1:0] candidates, picked, behind;
    logic [Vcs-1:0] leaves;              // VC of the next flit, one-hot or 0
    logic [Vcs-1:0] direct;              // VC whose next flit has just arrived at an empty FIFO
    assign candidates = (held | push) & (within_q ? current_q : '1);
    weft_round_robin_arbiter #(
      .Count(Vcs)
    ) u_arbiter (
      .request_i(candidates),
      .from_i   (from_q),
      .grant_o  (picked),
      .next_o   (behind)
    );
    assign leaves = (!shown_q || ready_i) ? picked : '0;
    assign direct = leaves & ~held;

    // ----------------------------------------------------------------------------------------------------------------
    // The FIFOs

    logic [Vcs-1:0]             enqueue, dequeue;  // one-hot or none
    logic [Vcs-1:0]             ends;              // VCs whose first flit is a tail
    logic [Vcs*AddressBits-1:0] write_at, read_at;
    assign enqueue = push & ~direct;
    assign dequeue = leaves & ~direct;

    for (genvar v = 0; v < Vcs; v++) begin : gen_fifo
      logic [SlotBits-1:0]  read_q, write_q;
      logic [CountBits-1:0] count_q;
      logic [Depth-1:0]     tails_q;  // for each slot, whether its flit is a tail

      assign held[v] = count_q != '0;
      assign full[v] = 32'(count_q) == Depth;
      assign ends[v] = tails_q[read_q];

      assign write_at[v*AddressBits+:AddressBits] = AddressBits'(v * Depth) + AddressBits'(write_q);
      assign read_at[v*AddressBits+:AddressBits]  = AddressBits'(v * Depth) + AddressBits'(read_q);

      always_ff @(`WEFT_CLOCKED) begin
        if (!rst_ni) begin
          read_q  <= '0;
          write_q <= '0;
          count_q <= '0;
        end else begin
          if (dequeue[v]) read_q <= (32'(read_q) == Depth - 1) ? '0 : read_q + SlotBits'(1);
          if (enqueue[v]) write_q <= (32'(write_q) == Depth - 1) ? '0 : write_q + SlotBits'(1);
          count_q <= count_q + CountBits'(enqueue[v]) - CountBits'(dequeue[v]);
        end
      end
      always_ff @(posedge clk_i) begin
        if (enqueue[v]) tails_q[write_q] <= tail;
      end
    end

    logic [AddressBits-1:0] write_address, read_address;
    logic [VcBits-1:0]      left_vc;
    always_comb begin
      write_address = '0;
      read_address = '0;
      left_vc = '0;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (push[v]) write_address = write_address | write_at[v*AddressBits+:AddressBits];
        if (leaves[v]) begin
          read_address = read_address | read_at[v*AddressBits+:AddressBits];
          left_vc = left_vc | VcBits'(v);
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
      .write_i        (enqueue != '0),
      .write_address_i(write_address),
      .write_data_i   ({head, tail, data}),
      .read_i         (dequeue != '0),
      .read_address_i (read_address),
      .read_data_o    (stored)
    );

    // ----------------------------------------------------------------------------------------------------------------
    // The flit that leaves, and its credit

    logic                  returned_q;
    logic                  direct_q;
    logic [StoredBits-1:0] direct_body_q, body;
    always_ff @(`WEFT_CLOCKED) begin
      if (!rst_ni) begin
        shown_q    <= 1'b0;
        returned_q <= 1'b0;
        within_q   <= 1'b0;
        current_q  <= '0;
        from_q     <= '0;
      end else begin
        if (!shown_q || ready_i) shown_q <= leaves != '0;
        returned_q <= leaves != '0;
        if (leaves != '0) begin
          within_q    <= (direct != '0) ? !tail : (leaves & ends) == '0;
          current_q   <= leaves;
          from_q      <= behind;
        end
      end
    end
    always_ff @(posedge clk_i) begin
      if (leaves != '0) begin
        direct_q   <= direct != '0;
        shown_vc_q <= left_vc;
      end
      if (direct != '0) direct_body_q <= {head, tail, data};
    end

    assign body     = direct_q ? direct_body_q : stored;
    assign flit_o   = {shown_q, body[StoredBits-1-:2], shown_vc_q, body[DataBits-1:0]};
    assign credit_o = {returned_q, shown_vc_q};
    assign busy_o   = held != '0;
    `WEFT_ASSERT(NoUnderflow, (dequeue & ~held) == '0, "flit popped from an empty VC")
    `WEFT_ASSERT(OneVc, (leaves & (leaves - Vcs'(1))) == '0, "more than one flit leaves in a cycle")
    `include "cover/weft_ejector.svh"
  end

  logic unused_bits;
  assign unused_bits = &unused_path_id;

  `WEFT_PARAMETER(SizesSupported, Vcs >= 1 && PathIdBits >= 1, "Vcs and PathIdBits must be at least 1")
  `WEFT_ASSERT(VcExists, !valid || push != '0, "flit received on a VC that does not exist")
  `WEFT_ASSERT(NoOverflow, (push & full) == '0, "buffer overflow: flit sent without a credit")
  `WEFT_ASSERT(HeadFirst, misplaced == '0, "head flit inside a packet, or body flit outside one")
  `WEFT_ASSERT_KNOWN(KnownOut, ({shown_q, credit_o[CreditBits-1], busy_o}), "stream status signals must not be X")

endmodule

`default_nettype wire
