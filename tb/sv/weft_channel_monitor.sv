// SPDX-License-Identifier: Apache-2.0
/// Channel monitor: checks flits and credits between a sender and a receiver, and reports violations. For simulation
/// only.
///
/// Checks     - Both ends are in reset in the same cycles. Otherwise a channel does not recover: if only the receiver
///            is reset, the credits of its flits never return, and the sender waits forever; if only the sender is
///            reset, it sends flits for which the receiver has no room.
///            - A VC has at most Depth flits without a returned credit, and a credit returns only for such a flit.
///            - The VC of every flit and credit exists.
///            - On each VC a packet begins with a head and ends with a tail.
///            - No valid signal is X.
/// Reports    The monitor prints the first MaxReports violations with its instance name, counts all violations in
///            `errors_o`, and the simulation continues. At the end it prints the numbers of flits, credits, flits
///            without a returned credit, and errors.
/// Use        Instantiate it at the sender's end of a channel, or bind it (docs/02_user/test_benches.md). Flits and
///            credits are vectors, as in routers and NICs, whose fields weft_pkg defines.
`default_nettype none

module weft_channel_monitor #(
  /// Number of virtual channels, at least 1.
  parameter int unsigned Vcs = 4,
  /// Capacity of a VC of the receiver in flits. 0: the receiver accepts every flit at once and returns no credits.
  parameter int unsigned Depth = 8,
  /// Width of the path id and of the data of a flit in bits; see weft_pkg.
  parameter int unsigned PathIdBits = 1,
  parameter int unsigned DataBits = 168,
  /// Maximum number of violations to print. All violations are counted.
  parameter int unsigned MaxReports = 10,
  // Derived parameters. Do not set them.
  localparam int unsigned VcBits = Vcs > 1 ? $clog2(Vcs) : 1,
  localparam int unsigned FlitBits = weft_pkg::flit_bits(VcBits, PathIdBits, DataBits),
  localparam int unsigned CreditBits = 1 + VcBits
) (
  input wire logic clk_i,
  /// The resets of both ends, active low.
  input wire logic sender_rst_ni,
  input wire logic receiver_rst_ni,

  /// The channel at the sender: flits that leave, and credits that arrive.
  input wire logic [FlitBits-1:0]   flit_i,
  input wire logic [CreditBits-1:0] credit_i,

  /// Number of flits and credits since the last reset of both ends, and of errors since the start of the simulation.
  output int unsigned flits_o,
  output int unsigned credits_o,
  output int unsigned errors_o
);

  logic              valid, head, tail, returned;
  logic [VcBits-1:0] vc, returned_vc;
  assign {valid, head, tail, vc} = flit_i[FlitBits-1-:3+VcBits];
  assign {returned, returned_vc} = credit_i;
  logic unused;
  assign unused = &flit_i[PathIdBits+DataBits-1:0];

  int unsigned flits_q, credits_q, errors_q = 0;
  int unsigned out_q[Vcs];     // number of flits whose credit has not returned
  logic        within_q[Vcs];  // inside a packet, between head and tail
  logic        apart_q = 1'b0;  // only one end is in reset, and this has been reported
  assign flits_o   = flits_q;
  assign credits_o = credits_q;
  assign errors_o  = errors_q;

  string path;  // path of this instance; in a task, %m is the path of the task instead
  initial path = $sformatf("%m");

  task automatic report(input string rule);
    if (errors_q < MaxReports) $display("%s: flit %0d: %s", path, flits_q, rule);
    if (errors_q == MaxReports) $display("%s: further errors are not printed", path);
    errors_q = errors_q + 1;
  endtask

  task automatic clear();
    flits_q   = 0;
    credits_q = 0;
    for (int unsigned v = 0; v < Vcs; v++) begin
      out_q[v]    = 0;
      within_q[v] = 1'b0;
    end
  endtask

  task automatic check_flit();
    if (32'(vc) >= Vcs) begin
      report($sformatf("flit on VC %0d of %0d", vc, Vcs));
    end else begin
      if (head == within_q[vc]) report(head ? "head flit inside a packet" : "body flit outside a packet");
      within_q[vc] = !tail;
      if (Depth != 0) begin
        if (out_q[vc] == Depth) report($sformatf("flit without a credit on VC %0d", vc));
        else out_q[vc] = out_q[vc] + 1;
      end
    end
    flits_q = flits_q + 1;
  endtask

  task automatic check_credit();
    if (32'(returned_vc) >= Vcs) report($sformatf("credit for VC %0d of %0d", returned_vc, Vcs));
    else if (Depth == 0) report("unexpected credit: Depth is 0, so the receiver returns none");
    else if (out_q[returned_vc] == 0) report($sformatf("excess credit on VC %0d", returned_vc));
    else out_q[returned_vc] = out_q[returned_vc] - 1;
    credits_q = credits_q + 1;
  endtask

  initial clear();

  always @(posedge clk_i) begin
    if (!sender_rst_ni && !receiver_rst_ni) begin
      clear();
      apart_q = 1'b0;
    end else if (!sender_rst_ni || !receiver_rst_ni) begin
      if (!apart_q) begin
        report($sformatf("only the %s is in reset; reset both ends of a channel together",
                         sender_rst_ni ? "receiver" : "sender"));
      end
      apart_q = 1'b1;
    end else begin
      if ($isunknown({valid, returned})) report("valid is X");
      if (valid && $isunknown({head, tail, vc})) report("head, tail or VC of a flit is X");
      if (returned && $isunknown(returned_vc)) report("VC of a credit is X");
      if (returned) check_credit();
      if (valid) check_flit();
    end
  end

  function automatic int unsigned outstanding();
    outstanding = 0;
    for (int unsigned v = 0; v < Vcs; v++) outstanding = outstanding + out_q[v];
  endfunction

  final $display("%m: %0d flits, %0d credits, %0d flits without a returned credit, %0d errors", flits_q, credits_q,
                 outstanding(), errors_q);

endmodule

`default_nettype wire
