// SPDX-License-Identifier: Apache-2.0
/// A whole router with senders and receivers of any speed that respect their credits. The flits of an input VC leave in
/// order, none lost or duplicated, each by a port and VC that the table allows for its packet. A packet leaves
/// complete, by one VC, which no other packet uses from head to tail. No buffer overflows. Under cut-through, a packet
/// that has begun never lacks a credit. Two ports of two VCs of two flits, any table, packets of one or two flits.
`default_nettype none

module router_loop #(
  parameter int unsigned Pipeline = 3,
  parameter int unsigned CutThrough = 0,
  localparam int unsigned Ports = 2,
  localparam int unsigned RouterVcs = 4,
  localparam int unsigned DataBits = weft_pkg::data_bits(1, 0, 0),
  localparam int unsigned FlitBits = weft_pkg::flit_bits(1, 1, DataBits)
) (
  input wire logic clk_i,

  // Choices of the sender of each port: a flit, on this VC; for a head, whether another flit follows, and the
  // destination.
  input wire logic [Ports-1:0] valid_i,
  input wire logic [Ports-1:0] vc_i,
  input wire logic [Ports-1:0] two_i,
  input wire logic [Ports-1:0] to_i,
  // The receiver returns a credit of this VC, if it holds a flit.
  input wire logic [Ports-1:0] return_i,
  input wire logic [Ports-1:0] return_vc_i
);

  logic reset_done_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_done_q <= 1'b1;
  end

  // Per destination: VCs, port.
  (* anyconst *) logic [5:0] rule;

  logic [Ports*FlitBits-1:0] flit_in, flit_out;
  logic [Ports*2-1:0]        credit_in, credit_out;
  weft_router #(
    .Ports       (Ports),
    .Vcs         (2),
    .Depth       (2),
    .Pipeline    (Pipeline),
    .CutThrough  (CutThrough),
    .Words       (1),
    .Rule        (weft_pkg::RuleTable),
    .Destinations(2)
  ) u_router (
    .clk_i,
    .rst_ni  (reset_done_q),
    .rule_i  (rule),
    .depth_i (4'b1010),
    .phits_i ({Ports{weft_pkg::PhitBits'(1)}}),
    .flit_i  (flit_in),
    .credit_o(credit_out),
    .flit_o  (flit_out),
    .credit_i(credit_in)
  );
  // Ghosts: input VCs that hold an output VC, that output VC, and output VCs with a credit.
  logic [RouterVcs-1:0] active, assigned_port, assigned_vc, available;

  // The senders. A flit carries its input VC, and its number on that VC.
  logic [RouterVcs-1:0] fits;
  logic [RouterVcs-1:0] open_q;
  logic [2*RouterVcs-1:0] number_q;
  for (genvar port = 0; port < Ports; port++) begin : gen_sender
    logic              valid, head, tail;
    logic [1:0]        vc_index;
    weft_pkg::header_t header;
    assign vc_index = {1'(port), vc_i[port]};
    assign valid    = reset_done_q && valid_i[port] && fits[vc_index];
    assign head     = !open_q[vc_index];
    assign tail     = !(head && two_i[port]);
    assign header   = {4'd0, 19'd0, to_i[port], 20'd0, two_i[port] ? 24'd2 : 24'd1, 34'd0};
    assign flit_in[port*FlitBits+:FlitBits] =
        {valid, head, tail, vc_i[port], 1'b0, header, 2'd0, 28'd0, vc_index, number_q[2*vc_index+:2]};

    for (genvar vc = 0; vc < 2; vc++) begin : gen_vc
      localparam int unsigned VcIndex = 2 * port + vc;
      logic [1:0] credits_q;
      logic       comes, returns;
      assign fits[VcIndex] = credits_q != '0;
      assign comes         = valid && vc_i[port] == 1'(vc);
      assign returns       = credit_out[2*port+1] && credit_out[2*port] == 1'(vc);
      always_ff @(posedge clk_i) begin
        if (!reset_done_q) begin
          credits_q         <= 2'd2;
          open_q[VcIndex]   <= 1'b0;
          number_q[2*VcIndex+:2] <= 2'd0;
        end else begin
          credits_q <= credits_q + 2'(returns) - 2'(comes);
          if (comes) begin
            open_q[VcIndex]   <= !tail;
            number_q[2*VcIndex+:2] <= number_q[2*VcIndex+:2] + 2'd1;
          end
        end
      end
    end
  end

  // The receivers.
  logic [Ports-1:0]     valid, head, tail, vc, to;
  logic [3:0]           from, number;
  logic [RouterVcs-1:0] holds, overrun, whole, unmixed, right_path_id;
  for (genvar port = 0; port < Ports; port++) begin : gen_receiver
    logic [weft_pkg::HeaderBits-1:0] header;
    logic              path_id;
    logic [1:0]        error;
    logic [27:0]       upper;
    assign {valid[port], head[port], tail[port], vc[port], path_id, header, error, upper, from[2*port+:2],
            number[2*port+:2]} = flit_out[port*FlitBits+:FlitBits];
    assign to[port] = header[weft_pkg::HeaderBits-weft_pkg::ClassBits-weft_pkg::NodeBits];
    assign credit_in[2*port+:2] = {return_i[port] && holds[2*port+32'(return_vc_i[port])], return_vc_i[port]};

    for (genvar v = 0; v < 2; v++) begin : gen_vc
      localparam int unsigned VcIndex = 2 * port + v;
      logic [1:0] held_q, from_q;
      logic       open_to_q, comes, goes;
      assign comes                  = valid[port] && vc[port] == 1'(v);
      assign goes                   = credit_in[2*port+1] && credit_in[2*port] == 1'(v);
      assign holds[VcIndex]         = held_q != '0;
      assign overrun[VcIndex]       = comes && held_q == 2'd2;
      assign whole[VcIndex]         = !comes || head[port] == !open_to_q;
      assign unmixed[VcIndex]       = !comes || head[port] || from[2*port+:2] == from_q;
      assign right_path_id[VcIndex] = !comes || !head[port] ||
                                      (rule[3*32'(to[port])+2] == 1'(port) && rule[3*32'(to[port])+v]);
      always_ff @(posedge clk_i) begin
        if (!reset_done_q) begin
          held_q    <= 2'd0;
          open_to_q <= 1'b0;
        end else begin
          held_q <= held_q + 2'(comes) - 2'(goes);
          if (comes) open_to_q <= !tail[port];
        end
        if (comes) from_q <= from[2*port+:2];
      end
    end
  end

  // The number of the next flit of each input VC.
  logic [2*RouterVcs-1:0] next_q;
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_next
    logic leaves;
    assign leaves = (valid[0] && from[1:0] == 2'(vc_index)) || (valid[1] && from[3:2] == 2'(vc_index));
    always_ff @(posedge clk_i) begin
      if (!reset_done_q) next_q[2*vc_index+:2] <= 2'd0;
      else next_q[2*vc_index+:2] <= next_q[2*vc_index+:2] + 2'(leaves);
    end
  end
  logic in_order;
  assign in_order = (!valid[0] || number[1:0] == next_q[2*from[1:0]+:2]) &&
                    (!valid[1] || number[3:2] == next_q[2*from[3:2]+:2]) &&
                    !(valid == '1 && from[1:0] == from[3:2]);

  logic [RouterVcs-1:0] has_room;
  for (genvar vc_index = 0; vc_index < RouterVcs; vc_index++) begin : gen_room
    assign has_room[vc_index] = !active[vc_index] || available[{assigned_port[vc_index], assigned_vc[vc_index]}];
  end

  always_comb begin
    assume (rule[1:0] != '0 && rule[4:3] != '0);
    if (reset_done_q) begin
      InOrder : assert (in_order);
      Whole : assert (whole == '1);
      OneHolder : assert (unmixed == '1);
      RightPathId : assert (right_path_id == '1);
      NoOverrun : assert (overrun == '0);
      NeverStalls : assert (CutThrough == 0 || has_room == '1);
    end
  end

endmodule

`default_nettype wire
