// SPDX-License-Identifier: Apache-2.0
/// Example of a SystemVerilog test bench for weft_compressor and weft_decompressor. It sends random packets over a line
/// that damages some of them to a receiver that stalls. Stream monitors and scoreboards with the golden codecs check
/// them. The bench also calls the golden codecs itself. ./run builds and runs it.
`default_nettype none

module dpi_bench #(
  /// Words of a flit.
  parameter int unsigned Words = 2,
  /// Packets to send.
  parameter int unsigned Packets = 2000
);

  localparam int unsigned FlitBits = 32 * Words;
  localparam int unsigned Depth = 64;
  localparam logic [5:0] Cut = 6'd28;

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Clock, reset, compressor and decompressor
  //////////////////////////////////////////////////////////////////////////////////////////////////

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = ~clk;

  logic                in_valid, in_head, in_tail, in_ready;
  weft_pkg::header_t   in_header;
  logic [FlitBits-1:0] in_payload;
  logic                out_valid, out_head, out_tail, out_ready;
  weft_pkg::header_t   out_header;
  logic [FlitBits-1:0] out_payload;
  logic                busy;

  weft_compressor #(
    .Words(Words),
    .Depth(Depth)
  ) dut (
    .clk_i               (clk),
    .rst_ni              (rst_n),
    .flit_valid_i        (in_valid),
    .flit_head_i         (in_head),
    .flit_tail_i         (in_tail),
    .flit_header_i       (in_header),
    .flit_payload_i      (in_payload),
    .ready_o             (in_ready),
    .flit_valid_o        (out_valid),
    .flit_head_o         (out_head),
    .flit_tail_o         (out_tail),
    .flit_header_o       (out_header),
    .flit_payload_o      (out_payload),
    .ready_i             (out_ready),
    .received_i          ('0),
    .queue_i             ('0),
    .mode_i              (weft_pkg::ModeAlways),
    .length_threshold_i  ('0),
    .received_threshold_i('0),
    .queue_threshold_i   ('0),
    .cut_i               (Cut),
    .busy_o              (busy)
  );

  // The line between the two stages inverts a bit of some coded packets.
  logic [FlitBits-1:0] flip, line_payload;
  assign line_payload = out_payload ^ flip;
  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      flip <= '0;
    end else if (out_valid && out_ready) begin
      flip <= ($urandom_range(29) == 0) ? FlitBits'(1) << $urandom_range(FlitBits - 1) : '0;
    end
  end

  logic                end_valid, end_head, end_tail, end_ready;
  weft_pkg::header_t   end_header;
  logic [FlitBits-1:0] end_payload;
  logic [1:0]          end_error;
  logic                end_busy;

  weft_decompressor #(
    .Words(Words)
  ) decoder (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .flit_valid_i  (out_valid),
    .flit_head_i   (out_head),
    .flit_tail_i   (out_tail),
    .flit_header_i (out_header),
    .flit_payload_i(line_payload),
    .ready_o       (out_ready),
    .flit_valid_o  (end_valid),
    .flit_head_o   (end_head),
    .flit_tail_o   (end_tail),
    .flit_header_o (end_header),
    .flit_payload_o(end_payload),
    .flit_error_o  (end_error),
    .ready_i       (end_ready),
    .busy_o        (end_busy)
  );

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Monitors and scoreboards
  //////////////////////////////////////////////////////////////////////////////////////////////////

  int unsigned in_packets, in_flits, in_errors;
  int unsigned out_packets, out_flits, out_errors;
  int unsigned end_packets, end_flits, end_errors;
  int unsigned compared, mismatches;
  int unsigned decoded, decoder_mismatches;

  weft_stream_monitor #(.Words(Words)) in_monitor (
    .clk_i(clk), .rst_ni(rst_n),
    .flit_valid_i(in_valid), .flit_head_i(in_head), .flit_tail_i(in_tail), .flit_header_i(in_header),
    .flit_payload_i(in_payload), .ready_i(in_ready),
    .packets_o(in_packets), .flits_o(in_flits), .errors_o(in_errors)
  );

  weft_stream_monitor #(.Words(Words)) out_monitor (
    .clk_i(clk), .rst_ni(rst_n),
    .flit_valid_i(out_valid), .flit_head_i(out_head), .flit_tail_i(out_tail), .flit_header_i(out_header),
    .flit_payload_i(out_payload), .ready_i(out_ready),
    .packets_o(out_packets), .flits_o(out_flits), .errors_o(out_errors)
  );

  weft_codec_scoreboard #(.Words(Words), .Always(1'b1), .Depth(Depth)) scoreboard (
    .clk_i(clk), .rst_ni(rst_n),
    .in_valid_i(in_valid), .in_head_i(in_head), .in_tail_i(in_tail), .in_header_i(in_header),
    .in_payload_i(in_payload), .in_ready_i(in_ready),
    .out_valid_i(out_valid), .out_head_i(out_head), .out_tail_i(out_tail), .out_header_i(out_header),
    .out_payload_i(out_payload), .out_error_i('0), .out_ready_i(out_ready),
    .cut_i(Cut), .packets_o(compared), .errors_o(mismatches)
  );

  weft_stream_monitor #(.Words(Words)) end_monitor (
    .clk_i(clk), .rst_ni(rst_n),
    .flit_valid_i(end_valid), .flit_head_i(end_head), .flit_tail_i(end_tail), .flit_header_i(end_header),
    .flit_payload_i(end_payload), .ready_i(end_ready),
    .packets_o(end_packets), .flits_o(end_flits), .errors_o(end_errors)
  );

  weft_codec_scoreboard #(.Words(Words), .Decoder(1'b1)) decoder_scoreboard (
    .clk_i(clk), .rst_ni(rst_n),
    .in_valid_i(out_valid), .in_head_i(out_head), .in_tail_i(out_tail), .in_header_i(out_header),
    .in_payload_i(line_payload), .in_ready_i(out_ready),
    .out_valid_i(end_valid), .out_head_i(end_head), .out_tail_i(end_tail), .out_header_i(end_header),
    .out_payload_i(end_payload), .out_error_i(end_error), .out_ready_i(end_ready),
    .cut_i(Cut), .packets_o(decoded), .errors_o(decoder_mismatches)
  );

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Driver: flits wait in a queue, and leave at the rising edge with non-blocking assignments
  //////////////////////////////////////////////////////////////////////////////////////////////////

  typedef struct packed {
    logic                head;
    logic                tail;
    weft_pkg::header_t   header;
    logic [FlitBits-1:0] payload;
  } flit_t;
  flit_t to_send[$];
  flit_t offered, next_flit;
  assign {in_head, in_tail, in_header, in_payload} = offered;

  always @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      in_valid <= 1'b0;
      offered  <= '0;
    end else if (!in_valid || in_ready) begin
      if (to_send.size() > 0 && $urandom_range(7) != 0) begin
        next_flit = to_send.pop_front();
        in_valid <= 1'b1;
        offered  <= next_flit;
      end else begin
        in_valid <= 1'b0;
      end
    end
  end

  /// A word of a random kind: zero, small, a sign-extended halfword, a positive halfword, or any word.
  function automatic logic [31:0] random_word(input int unsigned kind);
    logic [31:0] any;
    any = $urandom();
    case (kind % 5)
      0:       return 32'd0;
      1:       return {{28{any[3]}}, any[3:0]};
      2:       return {{16{any[15]}}, any[15:0]};
      3:       return {19'd0, any[12:0]};
      default: return any;
    endcase
  endfunction

  task automatic queue_packet();
    int unsigned words, flits, kind;
    flit_t       flit;
    words = 1 + $urandom_range(100);
    flits = (words + Words - 1) / Words;
    kind  = $urandom();
    for (int unsigned f = 0; f < flits; f++) begin
      flit      = '0;
      flit.head = f == 0;
      flit.tail = f + 1 == flits;
      if (f == 0) begin
        flit.header.flits     = 24'(flits);
        flit.header.words     = 24'(words);
        flit.header.data_type = 2'($urandom());
      end
      for (int unsigned j = 0; j < Words; j++) begin
        if (f * Words + j < words) begin
          flit.payload[32 * j +: 32] = random_word($urandom_range(9) == 0 ? $urandom() : kind);
        end
      end
      to_send.push_back(flit);
    end
  endtask

  always_ff @(posedge clk) begin
    end_ready <= $urandom_range(3) != 0;
  end

  int unsigned coded_packets = 0;
  int unsigned damaged_packets = 0;  // that the decompressor reports as damaged
  always @(posedge clk) begin
    if (rst_n && out_valid && out_ready && out_head && out_header.codec != weft_pkg::CodecRaw) begin
      coded_packets = coded_packets + 1;
    end
    if (rst_n && end_valid && end_ready && end_tail && end_error != weft_pkg::ErrorNone) begin
      damaged_packets = damaged_packets + 1;
    end
  end

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // Direct calls of the golden codecs
  //////////////////////////////////////////////////////////////////////////////////////////////////

  int unsigned failures = 0;

  task automatic expect_equal(input string what, input int got, input int expected);
    if (got != expected) begin
      $display("dpi_bench: %s: expected %0d, got %0d", what, expected, got);
      failures = failures + 1;
    end
  endtask

  task automatic try_golden_codecs();
    chandle                          codec;
    bit [weft_golden_pkg::MaxFlitBits-1:0] flit;
    int                              answer;
    codec = weft_golden_pkg::weft_golden_new(2, 64'(weft_pkg::TableOne), 0, 1);

    // Four small words: twelve bits of prefixes in two groups, then 14 bits of data per word; one flit instead of two.
    for (int unsigned i = 0; i < 4; i++) answer = weft_golden_pkg::weft_golden_add_word(codec, i);
    expect_equal("flits of four small words", weft_golden_pkg::weft_golden_encode(codec, 1, 0), 2);
    answer = weft_golden_pkg::weft_golden_flit(codec, 0, flit);
    expect_equal("prefixes of the first group", int'(flit[5:0]), 'b101_101);
    expect_equal("second word", int'(flit[33:20]), 1);

    // Decode them again.
    expect_equal("error", weft_golden_pkg::weft_golden_decode(codec, 1, 0, 4), 0);
    expect_equal("last word", int'(weft_golden_pkg::weft_golden_word(codec, 3)), 3);
    expect_equal("five words in the bits of four", weft_golden_pkg::weft_golden_decode(codec, 1, 0, 9), 1);

    // Wrong arguments return an error; they do not end the simulation.
    expect_equal("a cut of 60", weft_golden_pkg::weft_golden_encode(codec, 3, 60), weft_golden_pkg::BadArgument);
    $display("dpi_bench: the golden codec rejects a cut of 60: %s",
             weft_golden_pkg::weft_golden_message(codec));
    expect_equal("no codec", weft_golden_pkg::weft_golden_words(null), weft_golden_pkg::NoHandle);
    weft_golden_pkg::weft_golden_delete(codec);
  endtask

  //////////////////////////////////////////////////////////////////////////////////////////////////
  // The run
  //////////////////////////////////////////////////////////////////////////////////////////////////

  initial begin
    try_golden_codecs();

    for (int unsigned p = 0; p < Packets; p++) queue_packet();
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    while (to_send.size() > 0) @(negedge clk);
    repeat (5) @(negedge clk);
    while (in_valid || busy || out_valid || end_busy || end_valid) @(negedge clk);
    repeat (3) @(negedge clk);

    expect_equal("packets compared", int'(compared), int'(Packets));
    expect_equal("mismatches", int'(mismatches), 0);
    expect_equal("packets compared at the end", int'(decoded), int'(Packets));
    expect_equal("mismatches at the end", int'(decoder_mismatches), 0);
    expect_equal("errors of the monitors", int'(in_errors + out_errors + end_errors), 0);
    expect_equal("flits at the end", int'(end_flits), int'(in_flits));
    if (coded_packets < Packets / 4 || damaged_packets < Packets / 200) begin
      $display("dpi_bench: only %0d packets were coded, %0d found damaged", coded_packets, damaged_packets);
      failures = failures + 1;
    end
    if (failures == 0) begin
      $display("dpi_bench: passed: %0d packets, %0d of them coded, %0d flits became %0d; %0d found damaged", compared,
               coded_packets, in_flits, out_flits, damaged_packets);
    end else begin
      $display("dpi_bench: FAILED");
    end
    $finish;
  end

endmodule

`default_nettype wire
