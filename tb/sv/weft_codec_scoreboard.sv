// SPDX-License-Identifier: Apache-2.0
/// Codec scoreboard: compares the packets that leave a compressor or a decompressor with the golden codecs. It is for
/// simulation only and needs tb/dpi.
///
/// Compressor   (Decoder = 0) Packets must leave in order, either unchanged or coded. A coded packet must equal the
///              result of the golden encoder, bit by bit, and be shorter than the raw packet. With Always, which is for
///              a compressor in mode `always`, a packet that the golden codec makes shorter must leave coded.
/// Decompressor (Decoder = 1) Every packet must leave with the words and the error of the golden decoder.
/// Reports      For each of the first MaxReports wrong packets, the scoreboard prints the first mismatch: instance,
///              packet, flit or word, expected value and actual value. It counts all wrong packets in `errors_o`, and
///              the simulation continues. At the end it prints the numbers of compared and of wrong packets.
/// Use          Instantiate it beside a module, or bind it to one (docs/02_user/test_benches.md). It samples at the
///              rising edge of the clock, so drive the streams with non-blocking assignments or at another time.
`default_nettype none

module weft_codec_scoreboard #(
  /// Words of a flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// 0: it is beside a compressor. 1: it is beside a decompressor.
  parameter bit Decoder = 1'b0,
  /// Run lengths of table-based FPC, six bits each, r0 lowest.
  parameter logic [35:0] Table = weft_pkg::TableOne,
  /// Codec for integers. 0: table-based FPC. 1: classic FPC.
  parameter int unsigned Classic = 0,
  /// 1: LSB-cut preserves special doubles. 0: it cuts their low bits as well, as in the paper.
  parameter int unsigned Exact = 1,
  /// 1: every packet that the golden codec makes shorter must be coded.
  parameter bit Always = 1'b0,
  /// Maximum length in flits of a packet that the compressor encodes. Used with Always.
  parameter int unsigned Depth = 512,
  /// Maximum number of wrong packets to print. All wrong packets are counted.
  parameter int unsigned MaxReports = 10,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words
) (
  input wire logic clk_i,
  input wire logic rst_ni,

  /// The input stream of the module.
  input wire logic                in_valid_i,
  input wire logic                in_head_i,
  input wire logic                in_tail_i,
  input wire weft_pkg::header_t   in_header_i,
  input wire logic [FlitBits-1:0] in_payload_i,
  input wire logic                in_ready_i,

  /// The output stream of the module. The error is that of a decompressor.
  input wire logic                out_valid_i,
  input wire logic                out_head_i,
  input wire logic                out_tail_i,
  input wire weft_pkg::header_t   out_header_i,
  input wire logic [FlitBits-1:0] out_payload_i,
  input wire logic [1:0]          out_error_i,
  input wire logic                out_ready_i,

  /// Number of bits that the compressor's LSB-cut removes. For each packet, the value in the cycle of its head counts.
  /// Used with Always.
  input wire logic [5:0] cut_i,

  /// Number of packets that have left since the last reset, and how many of them were wrong.
  output int unsigned packets_o,
  output int unsigned errors_o
);

  localparam int unsigned MaxFlitBits = weft_golden_pkg::MaxFlitBits;

  /// The packets in the module: their headers, lengths and flits.
  weft_pkg::header_t   in_headers[$];
  logic [5:0]          in_cuts[$];
  int unsigned         in_lengths[$];
  logic [FlitBits-1:0] in_flits[$];
  int unsigned         in_length_q;

  /// The packet that leaves.
  weft_pkg::header_t   out_header_q;
  logic [FlitBits-1:0] out_flits[$];

  chandle expected;  // the expected message and packet
  chandle found;     // the actual message and packet

  int unsigned packets_q, errors_q;
  assign packets_o = packets_q;
  assign errors_o  = errors_q;

  string path;  // path of this instance; in a task, %m is the path of the task instead

  initial begin
    path     = $sformatf("%m");
    expected = weft_golden_pkg::weft_golden_new(Words, 64'(Table), Classic, Exact);
    found    = weft_golden_pkg::weft_golden_new(Words, 64'(Table), Classic, Exact);
    if (expected == null) $display("%m: %s", weft_golden_pkg::weft_golden_message(expected));
  end

  task automatic report(input string text);
    if (errors_q < MaxReports) $display("%s: packet %0d: %s", path, packets_q, text);
    if (errors_q == MaxReports) $display("%s: further errors are not printed", path);
    errors_q = errors_q + 1;
  endtask

  /// Copies the message of a packet that arrived raw to `expected`, which must be empty.
  task automatic expect_message(input int unsigned words);
    for (int unsigned i = 0; i < words; i++) begin
      void'(weft_golden_pkg::weft_golden_add_word(expected, in_flits[i / Words][32 * (i % Words) +: 32]));
    end
  endtask

  /// Returns the index of the first flit that differs from the golden one, or -1 if there is none.
  function automatic int first_wrong_flit();
    bit [MaxFlitBits-1:0] golden;
    first_wrong_flit = -1;
    for (int i = out_flits.size() - 1; i >= 0; i--) begin
      void'(weft_golden_pkg::weft_golden_flit(expected, unsigned'(i), golden));
      if (out_flits[i] !== golden[FlitBits-1:0]) first_wrong_flit = i;
    end
  endfunction

  /// Reports a coded packet that differs from the golden one: its first wrong word or, if all words are right, its
  ///         first wrong flit.
  task automatic report_coded(input weft_pkg::header_t in_header, input int flit);
    bit [MaxFlitBits-1:0] golden;
    int answer, error;
    int word;
    void'(weft_golden_pkg::weft_golden_clear(found));
    for (int i = 0; i < out_flits.size(); i++) begin
      void'(weft_golden_pkg::weft_golden_add_flit(found, MaxFlitBits'(out_flits[i])));
    end
    error = weft_golden_pkg::weft_golden_decode(found, 32'(out_header_q.codec), 32'(out_header_q.cut),
                                                32'(in_header.words));
    answer = weft_golden_pkg::weft_golden_decode(expected, 32'(out_header_q.codec), 32'(out_header_q.cut),
                                                 32'(in_header.words));
    word = weft_golden_pkg::weft_golden_compare(expected, found);
    void'(weft_golden_pkg::weft_golden_flit(expected, unsigned'(flit), golden));
    if (answer == 0 && word >= 0) begin
      report($sformatf("word %0d: expected %h, got %h (flit %0d: expected %h, got %h; decoder's error %0d)", word,
                       weft_golden_pkg::weft_golden_word(expected, unsigned'(word)),
                       weft_golden_pkg::weft_golden_word(found, unsigned'(word)), flit, golden[FlitBits-1:0],
                       out_flits[flit], error));
    end else begin
      report($sformatf("flit %0d: expected %h, got %h (all words decode; decoder's error %0d)", flit,
                       golden[FlitBits-1:0], out_flits[flit], error));
    end
  endtask

  /// Checks a packet that has left a compressor.
  task automatic check_compressor(input weft_pkg::header_t in_header, input logic [5:0] in_cut,
                                  input int unsigned in_length);
    weft_pkg::header_t header;
    int                flits, choice;
    int                wrong;
    void'(weft_golden_pkg::weft_golden_clear(expected));
    header = in_header;
    if (out_header_q.codec == in_header.codec) begin  // unchanged
      if (out_header_q !== in_header) begin
        report($sformatf("header: expected %h, got %h", in_header, out_header_q));
      end else begin
        for (int unsigned i = 0; i < in_length; i++) begin
          void'(weft_golden_pkg::weft_golden_add_flit(expected, MaxFlitBits'(in_flits[i])));
        end
        wrong = first_wrong_flit();
        if (wrong >= 0) begin
          report($sformatf("uncoded, flit %0d: expected %h, got %h", wrong, in_flits[wrong], out_flits[wrong]));
        end else if (out_flits.size() != in_length) begin
          report($sformatf("uncoded: expected %0d flits, got %0d", in_length, out_flits.size()));
        end else if (Always) begin
          choice = weft_golden_pkg::weft_golden_choice(expected, 32'(in_header.data_type), 32'(in_header.flits),
                                                       32'(in_header.words), 32'(in_header.codec), Depth);
          if (choice > 0) begin
            expect_message(32'(in_header.words));
            flits = weft_golden_pkg::weft_golden_travelling(expected, unsigned'(choice), 32'(in_cut));
            if (weft_golden_pkg::weft_golden_form(expected) != 0) begin
              report($sformatf("expected %0d coded flits, got %0d uncoded ones", flits, out_flits.size()));
            end
          end
        end
      end
    end else if (in_header.codec != weft_pkg::CodecRaw || 32'(in_header.words) > Words * in_length) begin
      report($sformatf("input codec %0d, output codec %0d", in_header.codec, out_header_q.codec));
    end else begin
      expect_message(32'(in_header.words));
      flits = weft_golden_pkg::weft_golden_encode(expected, 32'(out_header_q.codec), 32'(out_header_q.cut));
      if (flits < 0) begin
        report($sformatf("output with an invalid codec: %s", weft_golden_pkg::weft_golden_message(expected)));
      end else begin
        header.codec = out_header_q.codec;
        header.cut   = out_header_q.codec == weft_pkg::CodecLsbCut ? out_header_q.cut : '0;
        header.flits = weft_pkg::SizeBits'(flits);
        wrong        = first_wrong_flit();
        if (wrong >= 0) begin
          report_coded(in_header, wrong);
        end else if (out_flits.size() != flits) begin
          report($sformatf("expected %0d flits, got %0d", flits, out_flits.size()));
        end else if (out_header_q !== header) begin
          report($sformatf("header: expected %h, got %h", header, out_header_q));
        end else if (flits >= in_length) begin
          report($sformatf("coded in %0d flits, although the input has %0d", flits, in_length));
        end
      end
    end
  endtask

  /// Checks a packet that has left a decompressor.
  task automatic check_decompressor(input weft_pkg::header_t in_header, input int unsigned in_length,
                                    input logic [1:0] out_error);
    weft_pkg::header_t    header;
    bit [MaxFlitBits-1:0] golden;
    int                   error, flits, wrong;
    logic [31:0]          word;
    void'(weft_golden_pkg::weft_golden_clear(expected));
    for (int unsigned i = 0; i < in_length; i++) begin
      void'(weft_golden_pkg::weft_golden_add_flit(expected, MaxFlitBits'(in_flits[i])));
    end
    header = in_header;
    if (in_header.codec == weft_pkg::CodecRaw) begin
      error = 0;
      flits = int'(in_length);
    end else begin
      error = weft_golden_pkg::weft_golden_decode(expected, 32'(in_header.codec), 32'(in_header.cut),
                                                  32'(in_header.words));
      flits = weft_golden_pkg::weft_golden_encode(expected, 0, 0);  // the raw form of the decoded message
      header.codec = weft_pkg::CodecRaw;
      header.cut   = '0;
      header.flits = weft_pkg::SizeBits'(flits);
    end
    wrong = first_wrong_flit();
    if (wrong >= 0) begin
      void'(weft_golden_pkg::weft_golden_flit(expected, unsigned'(wrong), golden));
      for (int unsigned j = 0; j < Words; j++) begin
        word = out_flits[wrong][32 * j +: 32];
        if (word !== golden[32 * j +: 32]) begin
          report($sformatf("word %0d: expected %h, got %h", unsigned'(wrong) * Words + j, golden[32 * j +: 32], word));
          break;
        end
      end
    end else if (out_flits.size() != flits) begin
      report($sformatf("expected %0d flits, got %0d", flits, out_flits.size()));
    end else if (out_header_q !== header) begin
      report($sformatf("header: expected %h, got %h", header, out_header_q));
    end else if (int'(out_error) != error) begin
      report($sformatf("error: expected %0d, got %0d", error, out_error));
    end
  endtask

  task automatic clear();
    in_headers.delete();
    in_cuts.delete();
    in_lengths.delete();
    in_flits.delete();
    out_flits.delete();
    in_length_q = 0;
    packets_q   = 0;
    errors_q    = 0;
  endtask

  task automatic check_packet();
    weft_pkg::header_t in_header;
    logic [5:0]        in_cut;
    int unsigned       in_length;
    if (in_lengths.size() == 0) begin
      report("output before input");
    end else begin
      in_header = in_headers.pop_front();
      in_cut    = in_cuts.pop_front();
      in_length = in_lengths.pop_front();
      if (Decoder) check_decompressor(in_header, in_length, out_error_i);
      else         check_compressor(in_header, in_cut, in_length);
      for (int unsigned i = 0; i < in_length; i++) void'(in_flits.pop_front());
    end
    out_flits.delete();
    packets_q = packets_q + 1;
  endtask

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      clear();
    end else begin
      // The input is processed before the output, because a flit that bypasses is at both in one cycle.
      if (in_valid_i && in_ready_i) begin
        if (in_head_i) begin
          in_headers.push_back(in_header_i);
          in_cuts.push_back(cut_i);
        end
        in_flits.push_back(in_payload_i);
        in_length_q = in_length_q + 1;
        if (in_tail_i) begin
          in_lengths.push_back(in_length_q);
          in_length_q = 0;
        end
      end
      if (out_valid_i && out_ready_i) begin
        if (out_head_i) out_header_q = out_header_i;
        out_flits.push_back(out_payload_i);
        if (out_tail_i) check_packet();
      end
    end
  end

  final begin
    $display("%m: %0d packets compared, %0d wrong, %0d still within", packets_q, errors_q, in_headers.size());
    weft_golden_pkg::weft_golden_delete(expected);
    weft_golden_pkg::weft_golden_delete(found);
  end

endmodule

`default_nettype wire
