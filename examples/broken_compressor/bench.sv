// SPDX-License-Identifier: Apache-2.0
/// Bench for my_compressor: it sends packets of integers and checks nothing. The modules that find the bug are bound to
/// the compressor (checks.sv).
`default_nettype none

module bench #(
  parameter int unsigned Words = 2,
  parameter int unsigned Packets = 300
);

  logic clk = 1'b0;
  logic reset = 1'b1;
  always #5 clk = ~clk;

  logic                s_valid = 1'b0;
  logic                s_ready, s_first, s_last;
  logic [23:0]         s_words;
  logic [32*Words-1:0] s_data;
  logic                m_valid, m_first, m_last, m_coded;
  logic                m_ready = 1'b0;
  logic [19:0]         m_to, m_from;
  logic [23:0]         m_words, m_flits;
  logic [32*Words-1:0] m_data;

  my_compressor #(.Words(Words)) dut (.*, .s_to(20'd7), .s_from(20'd3));

  always @(negedge clk) m_ready = $urandom_range(3) != 0;

  function automatic logic [31:0] random_integer();
    case ($urandom_range(7))
      0, 1:    return 32'd0;
      2:       return $urandom_range(15) - 32'd8;
      3:       return $urandom_range(255) - 32'd128;
      4:       return $urandom_range(65535) - 32'd32768;
      5:       return 32'd32764 + $urandom_range(7);  // close to the largest number of 16 bits
      6:       return {4{8'($urandom())}};
      default: return $urandom();
    endcase
  endfunction

  /// Offers one flit from the middle of a cycle until the compressor accepts it.
  task automatic send_flit(input logic first, input logic last, input logic [23:0] words, input int unsigned used);
    s_valid = 1'b1;
    s_first = first;
    s_last  = last;
    s_words = first ? words : '0;
    s_data  = '0;
    for (int unsigned j = 0; j < used; j++) s_data[32*j +: 32] = random_integer();
    #1;  // ready follows
    while (!s_ready) begin
      @(negedge clk);
      #1;
    end
    @(negedge clk);
    s_valid = 1'b0;
  endtask

  initial begin
    int unsigned words;
    repeat (3) @(negedge clk);
    reset = 1'b0;
    @(negedge clk);
    for (int unsigned p = 0; p < Packets; p++) begin
      words = 1 + $urandom_range(60);
      for (int unsigned i = 0; i < words; i += Words) begin
        send_flit(i == 0, i + Words >= words, 24'(words), (words - i < Words) ? words - i : Words);
      end
    end
    while (!s_ready) @(negedge clk);
    $display("bench: %0d packets sent", Packets);
    $finish;
  end

endmodule

`default_nettype wire
