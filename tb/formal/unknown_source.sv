// SPDX-License-Identifier: Apache-2.0
/// A node that sends packets at random times, for simulation with Icarus Verilog. It sends raw packets of integers and
/// doubles; with Code, it sends groups of packets to hold, packets to combine, and plain packets. Signals without a
/// meaning are X: all fields of a flit that is not valid, and the header and the code of a flit that is not a head.
`default_nettype none

module unknown_source #(
  parameter integer Words = 2,
  parameter integer Code = 0,
  parameter integer Seed = 1,
  /// Maximum number of flits of a packet.
  parameter integer Longest = 4,
  /// Number of destinations.
  parameter integer Nodes = 1,
  // As in weft_pkg, which Icarus Verilog 11 does not read.
  localparam integer HeaderBits = 102,
  localparam integer CodeBits = 105,
  localparam integer FlitBits = 32 * Words
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,

  output logic                            valid_o,
  output logic                            head_o,
  output logic                            tail_o,
  output logic [HeaderBits-1:0] header_o,
  output logic [CodeBits-1:0]   code_o,
  output logic [FlitBits-1:0]             payload_o,
  input  wire logic                       ready_i
);

  integer                seed = Seed;
  integer                step = 0;   // in a group: 0 and 4 plain, 1 hold, 2 combine, 3 plain packet of the held datum
  integer                words, left, index;
  logic [19:0]           name = 20'd1;
  logic [19:0]           named;
  logic [2:0]            role;
  logic [3:0]            uses;
  logic [1:0]            kind;
  logic                  accepted;
  logic                  later;      // the plain one follows the combined one
  integer                held_words;

  function automatic integer below(input integer n);
    below = $unsigned($random(seed)) % n;
  endfunction

  task automatic next_packet;
    kind  = (below(3) == 0) ? 2'd2 : 2'd1;  // doubles, integers
    words = 1 + below(Longest * Words);
    role  = 3'd0;
    uses  = 4'd0;
    named = name;
    if (Code != 0) begin
      kind = 2'd1;
      case (step)
        0: begin
          later      = below(2) == 0;
          held_words = words;
          uses       = later ? 4'd0 : 4'd1;
          if (later) named = name + 20'd9;
        end
        1: begin
          role  = 3'd2;
          words = held_words;
          uses  = 4'd1;
        end
        2: begin
          role  = 3'd3;
          named = name + 20'd1;
        end
        default: begin
          words = held_words;
          uses  = later ? 4'd1 : 4'd0;
          if (!later) named = name + 20'd8;
          name  = name + 20'd16;
        end
      endcase
      step = (step + 1) % 4;
    end
    left  = (words + Words - 1) / Words;
    index = 0;
  endtask

  task automatic show;
    valid_o   = 1'b1;
    head_o    = index == 0;
    tail_o    = left == 1;
    header_o  = 'x;
    code_o    = 'x;
    payload_o = '0;
    if (head_o) begin
      header_o = {4'd0, 20'(below(Nodes)), 20'd0, 24'(left), 24'(words), kind, 2'd0, 6'd0};
      code_o   = {role, 2'b00, named, 24'(words), uses, kind, 50'd0};
    end
    for (int w = 0; w < Words; w++) begin
      if (index * Words + w < words) payload_o[32*w+:32] = (below(4) == 0) ? $random(seed) : below(100);
    end
  endtask

  task automatic idle;
    valid_o = 1'b0;
    {head_o, tail_o, header_o, code_o, payload_o} = 'x;
  endtask

  initial begin
    left = 0;
    idle;
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      accepted = valid_o && ready_i === 1'b1;
      #1;  // after the edge at which the other modules sample
      if (accepted) begin
        left  = left - 1;
        index = index + 1;
        idle;
      end
      if (!valid_o && below(4) != 0) begin
        if (left == 0) next_packet;
        show;
      end
    end
  end

endmodule

`default_nettype wire
