// SPDX-License-Identifier: Apache-2.0
/// The golden codecs in SystemVerilog: the reference in Weft's own tests, called over DPI-C.
///
/// A codec is a handle with a message (words) and a packet (flits). `encode` and `travelling` compute the packet from
/// the message, `decode` the message from the packet. No call ends the simulation: a call that fails returns NoHandle
/// or BadArgument, and weft_golden_message() returns the reason.
///
/// Link tb/dpi/weft_golden.cpp and the library weft_core (docs/02_user/test_benches.md).
/// docs/03_reference/compression.md describes the formats.
`default_nettype none

package weft_golden_pkg;

  /// Special results of calls.
  localparam int Equal = -1;        // weft_golden_compare() found no difference
  localparam int NoHandle = -2;     // a null handle was passed instead of a codec
  localparam int BadArgument = -3;  // an argument is wrong; weft_golden_message() returns the reason

  /// Width of the widest flit in bits. Narrower flits are in the low bits.
  localparam int unsigned MaxFlitBits = 256;

  /// Makes a codec, or returns null if it does not exist. `words_per_flit` is 1, 2, 4 or 8. `runs` are six run lengths
  /// of six bits each, r0 lowest, as in the RTL parameter Table. `classic` and `exact` have the same meaning as in the
  /// RTL.
  import "DPI-C" function chandle weft_golden_new(input int unsigned words_per_flit, input bit [63:0] runs,
                                                  input int unsigned classic, input int unsigned exact);
  import "DPI-C" function void weft_golden_delete(input chandle codec);

  /// Returns the reason why the last call with this codec failed, or, for null, why weft_golden_new() failed. The text
  /// is empty if the call did not fail.
  import "DPI-C" function string weft_golden_message(input chandle codec);

  /// Removes all words of the message and all flits of the packet.
  import "DPI-C" function int weft_golden_clear(input chandle codec);
  /// Adds a word to the message, or a flit to the packet.
  import "DPI-C" function int weft_golden_add_word(input chandle codec, input int unsigned word);
  import "DPI-C" function int weft_golden_add_flit(input chandle codec, input bit [MaxFlitBits-1:0] payload);

  /// Encodes the message with the codec `how` (0 raw, 1 table-based FPC, 2 classic FPC, 3 LSB-cut). The result is the
  /// packet. Returns the number of its flits.
  import "DPI-C" function int weft_golden_encode(input chandle codec, input int unsigned how, input int unsigned cut);
  /// Does the same if this makes the packet shorter; otherwise makes a raw packet. weft_golden_form() returns the
  /// codec.
  import "DPI-C" function int weft_golden_travelling(input chandle codec, input int unsigned how,
                                                     input int unsigned cut);
  import "DPI-C" function int weft_golden_form(input chandle codec);

  /// Decodes the packet; the result is the message, which has `words` words. Returns the error: 0 none, 1 truncated, 2
  /// over-long, 3 corrupt. If there is an error, all words from the first unreadable one on are 0.
  import "DPI-C" function int weft_golden_decode(input chandle codec, input int unsigned how, input int unsigned cut,
                                                 input int unsigned words);

  /// Returns the number of words in the message, or word `index`, which is 0 beyond the end.
  import "DPI-C" function int weft_golden_words(input chandle codec);
  import "DPI-C" function int unsigned weft_golden_word(input chandle codec, input int unsigned index);
  /// Returns the number of flits in the packet, or flit `index`, which is 0 beyond the end.
  import "DPI-C" function int weft_golden_flits(input chandle codec);
  import "DPI-C" function int weft_golden_flit(input chandle codec, input int unsigned index,
                                               output bit [MaxFlitBits-1:0] payload);

  /// Returns the index of the first word in which the messages of two codecs differ, or Equal.
  import "DPI-C" function int weft_golden_compare(input chandle left, input chandle right);

  /// Returns the codec that Algorithm 1 selects for a packet in mode `always`.
  import "DPI-C" function int weft_golden_choice(input chandle codec, input int unsigned data_type,
                                                 input int unsigned flits, input int unsigned words,
                                                 input int unsigned form, input int unsigned depth);

endpackage

`default_nettype wire
