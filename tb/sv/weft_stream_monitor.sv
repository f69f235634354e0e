// SPDX-License-Identifier: Apache-2.0
/// Stream monitor: checks a stream of packets, and reports violations of its rules. For simulation only.
///
/// Checks     - An offered flit does not change until it is accepted.
///            - Packets are complete: a head, then the other flits up to the tail.
///            - A packet has the number of flits in its header (with Lengths).
///            - The header is consistent (with Headers): a raw packet has the number of flits that its words need; a
///              coded packet has at least one word, a codec and a cut that exist, and is shorter than its raw form.
///            - Body flits have no header (with Headers).
///            - No valid signal is X.
/// Reports    The monitor prints the first MaxReports violations with instance, packet and flit, counts all violations
///            in `errors_o`, and the simulation continues. At the end it prints the numbers of packets, flits and
///            errors.
/// Use        Instantiate it beside a stream, or bind it to a module that has one (docs/02_user/test_benches.md).
`default_nettype none

module weft_stream_monitor #(
  /// Words of a flit: 1, 2, 4 or 8.
  parameter int unsigned Words = 2,
  /// Whether to compare the length in the header with the number of flits.
  parameter bit Lengths = 1'b1,
  /// Whether to check headers for consistency. Set it to 0 if the test bench sends inconsistent packets on purpose.
  parameter bit Headers = 1'b1,
  /// Maximum number of violations to print. All violations are counted.
  parameter int unsigned MaxReports = 10,
  // Derived parameters. Do not set them.
  localparam int unsigned FlitBits = 32 * Words
) (
  input wire logic clk_i,
  input wire logic rst_ni,

  /// The stream to check.
  input wire logic                flit_valid_i,
  input wire logic                flit_head_i,
  input wire logic                flit_tail_i,
  input wire weft_pkg::header_t   flit_header_i,
  input wire logic [FlitBits-1:0] flit_payload_i,
  input wire logic                ready_i,

  /// Number of packets, flits and errors since the last reset.
  output int unsigned packets_o,
  output int unsigned flits_o,
  output int unsigned errors_o
);

  /// The flit offered in the previous cycle, if it stalled.
  logic                held_q;
  logic                held_head_q, held_tail_q;
  weft_pkg::header_t   held_header_q;
  logic [FlitBits-1:0] held_payload_q;

  /// The packet in progress.
  logic        within_q;
  int unsigned length_q;   // number of its flits so far
  int unsigned claimed_q;  // number of its flits according to its header

  int unsigned packets_q, flits_q, errors_q;
  assign packets_o = packets_q;
  assign flits_o   = flits_q;
  assign errors_o  = errors_q;

  string path;  // path of this instance; in a task, %m is the path of the task instead
  initial path = $sformatf("%m");

  task automatic report(input string rule);
    if (errors_q < MaxReports) $display("%s: packet %0d, flit %0d: %s", path, packets_q, length_q, rule);
    if (errors_q == MaxReports) $display("%s: further errors are not printed", path);
    errors_q = errors_q + 1;
  endtask

  task automatic check_header();
    int unsigned flits;
    int unsigned raw_flits;
    flits     = 32'(flit_header_i.flits);
    raw_flits = (32'(flit_header_i.words) + Words - 1) / Words;
    if (raw_flits == 0) raw_flits = 1;
    if (flits == 0) report("header: packet of 0 flits");
    if (flit_header_i.codec == weft_pkg::CodecRaw) begin
      if (flits != raw_flits) report($sformatf("header: %0d raw words in %0d flits", flit_header_i.words, flits));
    end else begin
      if (flit_header_i.words == '0) report("header: coded packet of 0 words");
      if (flits >= raw_flits) report($sformatf("header: %0d flits coded, %0d raw", flits, raw_flits));
    end
    if (flit_header_i.codec == weft_pkg::CodecLsbCut) begin
      if (32'(flit_header_i.cut) > weft_pkg::MaxCut) report($sformatf("header: cut of %0d bits", flit_header_i.cut));
    end else if (flit_header_i.cut != '0) begin
      report("header: cut without LSB-cut");
    end
  endtask

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q    = 1'b0;
      within_q  = 1'b0;
      length_q  = 0;
      claimed_q = 0;
      packets_q = 0;
      flits_q   = 0;
      errors_q  = 0;
    end else begin
      if ($isunknown(flit_valid_i)) report("valid is X");
      if (held_q) begin
        if (!flit_valid_i) report("the flit is withdrawn before it is accepted");
        else if (flit_head_i !== held_head_q || flit_tail_i !== held_tail_q || flit_payload_i !== held_payload_q
                 || (flit_head_i && flit_header_i !== held_header_q)) report("the flit changes before it is accepted");
      end
      held_q         = flit_valid_i && !ready_i;
      held_head_q    = flit_head_i;
      held_tail_q    = flit_tail_i;
      held_header_q  = flit_header_i;
      held_payload_q = flit_payload_i;

      if (flit_valid_i && ready_i) begin
        if ($isunknown({flit_head_i, flit_tail_i, flit_payload_i})) report("head, tail or payload is X");
        if (flit_head_i && within_q) report("head flit inside a packet");
        if (!flit_head_i && !within_q) report("body flit outside a packet");
        if (flit_head_i) begin
          claimed_q = 32'(flit_header_i.flits);
          length_q  = 0;
          if (Headers) check_header();
        end else if (Headers && flit_header_i != '0) begin
          report("header in a body flit");
        end
        length_q = length_q + 1;
        flits_q  = flits_q + 1;
        within_q = !flit_tail_i;
        if (flit_tail_i) begin
          if (Lengths && length_q != claimed_q) report($sformatf("tail too early: header has %0d", claimed_q));
          packets_q = packets_q + 1;
          length_q  = 0;
        end else if (Lengths && length_q == claimed_q) begin
          report("no tail flit after the number of flits in the header");
        end
      end
    end
  end

  final $display("%m: %0d packets, %0d flits, %0d errors", packets_q, flits_q, errors_q);

endmodule

`default_nettype wire
