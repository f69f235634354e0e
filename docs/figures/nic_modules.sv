// SPDX-License-Identifier: Apache-2.0
/// Source of waveforms that contract_waves.py cannot take from a run of a network: a queue counter, a full XOR decoder
/// that is flushed, and an asynchronous FIFO between two clocks.
`default_nettype none

/// Packets that join a queue and leave it.
module counted_queue (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire int   cycle
);

  logic        join_i, leave_i;
  logic [31:0] queue;
  assign join_i  = cycle inside {1, 2, 5, 6, 9};
  assign leave_i = cycle inside {4, 6, 8, 9, 11};
  weft_queue_counter u_counter (
    .clk_i,
    .rst_ni,
    .join_i,
    .leave_i,
    .queue_o(queue)
  );

endmodule

/// A packet on a channel, with the signal names that contract_waves.py expects.
module packets (
  input wire logic              clk_i,
  input wire logic              valid,
  input wire logic              head,
  input wire logic              ready,
  input wire weft_pkg::header_t header,
  input wire weft_pkg::code_t   code
);

  // The head carries the packet's number in place of its source.
  logic [7:0] number_q, flit_q, flit;
  assign flit = head ? 8'd0 : flit_q;
  always_ff @(posedge clk_i) begin
    if (valid && ready) begin
      flit_q <= flit + 8'd1;
      if (head) number_q <= header.source[7:0];
    end
  end

  logic [31:0] tag;
  assign tag = {16'b0, head ? header.source[7:0] : number_q, flit};
  logic [2:0]  role;
  logic [49:0] first, second;
  assign role   = code.role;
  assign first  = code.first;
  assign second = code.second;
  // Coded heads have a second datum.
  logic coded, overflow;
  assign coded    = valid && head && code.role == weft_pkg::RoleCoded;
  assign overflow = valid && head && code.overflow;

endmodule

/// Data 1 to 7, of two flits each, as packets to a decoder of two entries.
module full_decoder (
  input wire logic clk_i,
  input wire logic rst_ni,
  input wire int   cycle
);

  localparam logic [7:0] Packets = 5;

  function automatic weft_pkg::datum_t datum(input logic [19:0] name, input logic [3:0] uses);
    datum = '{name: name, words: 24'd4, uses: uses, data_type: weft_pkg::TypeOther};
  endfunction
  function automatic weft_pkg::code_t coded(input logic [19:0] first, input logic [19:0] second);
    coded = '{role: weft_pkg::RoleCoded, relay: 1'b0, overflow: 1'b0, first: datum(first, 1), second: datum(second, 1)};
  endfunction
  function automatic weft_pkg::code_t code_of(input logic [7:0] number);
    case (number)
      0:       code_of = coded(1, 2);
      1:       code_of = coded(3, 4);
      2:       code_of = coded(5, 6);
      3:       code_of = coded(1, 7);
      default: code_of = '{role: weft_pkg::RolePlain, first: datum(1, 1), default: '0};
    endcase
  endfunction

  logic [7:0] packet;
  logic       tail, offers, takes, flush;
  weft_pkg::header_t header;
  assign offers = cycle >= 1 && packet < Packets;
  always_comb begin
    header        = '0;
    header.source = 20'(packet);
    header.flits  = 24'd2;
    header.words  = 24'd4;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      packet <= '0;
      tail   <= 1'b0;
    end else if (offers && takes) begin
      packet <= packet + 8'(tail);
      tail   <= !tail;
    end
  end
  assign flush = cycle == 8;

  logic out_valid, out_head, busy;
  weft_pkg::header_t out_header;
  weft_pkg::code_t   out_code;
  weft_xor_decoder #(
    .Entries(2),
    .Depth  (2)
  ) u_decoder (
    .clk_i,
    .rst_ni,
    .flit_valid_i  (offers),
    .flit_head_i   (!tail),
    .flit_tail_i   (tail),
    .flit_header_i (header),
    .flit_code_i   (code_of(packet)),
    .flit_payload_i(64'(packet)),
    .flit_error_i  (2'b0),
    .ready_o       (takes),
    .flit_valid_o  (out_valid),
    .flit_head_o   (out_head),
    .flit_tail_o   (),
    .flit_header_o (out_header),
    .flit_code_o   (out_code),
    .flit_payload_o(),
    .flit_error_o  (),
    .ready_i       (1'b1),
    .flush_i       (flush),
    .busy_o        (busy)
  );

  packets offered (.clk_i, .valid(offers), .head(!tail), .ready(takes), .header, .code(code_of(packet)));
  packets leaves (.clk_i, .valid(out_valid), .head(out_head), .ready(1'b1), .header(out_header), .code(out_code));
  logic [1:0] occupied;
  assign occupied = u_decoder.known_q | u_decoder.waiting_q;

endmodule

/// A stream, with the signal names that contract_waves.py expects.
module stream (
  input wire logic       valid,
  input wire logic [7:0] data
);
endmodule

/// Words 0, 1, 2, … from one clock to another with two thirds of its rate. The receiver stalls for some cycles.
module two_clocks (
  input wire logic write_clk,
  input wire logic read_clk,
  input wire logic rst_ni
);

  int write_cycle, read_cycle;
  always_ff @(posedge write_clk or negedge rst_ni) write_cycle <= rst_ni ? write_cycle + 1 : -1;
  always_ff @(posedge read_clk or negedge rst_ni) read_cycle <= rst_ni ? read_cycle + 1 : -1;

  logic [7:0] next, shown;
  logic write_valid, write_ready, read_valid, read_ready;
  assign write_valid = write_cycle >= 1;
  assign read_ready  = read_cycle >= 0 && !(read_cycle inside {[5:8]});
  always_ff @(posedge write_clk or negedge rst_ni) begin
    if (!rst_ni) next <= '0;
    else if (write_valid && write_ready) next <= next + 8'd1;
  end

  weft_async_fifo #(
    .Width(8),
    .Depth(8)
  ) u_fifo (
    .write_clk_i (write_clk),
    .write_rst_ni(rst_ni),
    .valid_i     (write_valid),
    .ready_o     (write_ready),
    .data_i      (next),
    .read_clk_i  (read_clk),
    .read_rst_ni (rst_ni),
    .valid_o     (read_valid),
    .ready_i     (read_ready),
    .data_o      (shown)
  );

  stream written (.valid(write_valid), .data(next));
  stream read (.valid(read_valid), .data(shown));

  // Number of words written, as received by the reader's side, and of words read, as received by the writer's side.
  // Their lowest bits are the pointers.
  logic [7:0] writes_known, reads_known;
  assign writes_known = next - 8'(4'(next[3:0] - binary(u_fifo.u_sink.write)));
  assign reads_known  = next - 8'(4'(next[3:0] - binary(u_fifo.u_source.read)));
  function automatic logic [3:0] binary(input logic [3:0] gray);
    binary = {gray[3], ^gray[3:2], ^gray[3:1], ^gray};
  endfunction

endmodule

module nic_modules;
  logic clk = 1'b0, read_clk = 1'b0, rst_n = 1'b0;

  int cycle;
  always_ff @(posedge clk or negedge rst_n) cycle <= rst_n ? cycle + 1 : -1;

  counted_queue counted (.clk_i(clk), .rst_ni(rst_n), .cycle);
  full_decoder decoder (.clk_i(clk), .rst_ni(rst_n), .cycle);
  two_clocks fifo (.write_clk(clk), .read_clk, .rst_ni(rst_n));

  initial begin
    $dumpfile("run.vcd");
    $dumpvars;
    #1.5 rst_n = 1'b1;  // cycle 0 begins with the edge at 2 ns, as in every run
    #60 $finish;
  end
  initial begin
    #1;
    forever begin
      clk = 1'b1;
      #0.5;
      clk = 1'b0;
      #0.5;
    end
  end
  initial begin
    #0.5;
    forever begin
      read_clk = 1'b1;
      #0.5;
      read_clk = 1'b0;
      #1;
    end
  end
endmodule

`default_nettype wire
