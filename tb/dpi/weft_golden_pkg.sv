// SPDX-License-Identifier: Apache-2.0
/// The golden codecs in SystemVerilog: what Weft's own tests compare with, called over DPI-C.
///
/// A codec is a handle with a message (words) and a packet (flits). `encode` and `travelling` make the packet of the
/// message, `decode` the message of the packet. Nothing ends the simulation: a call that cannot do what was asked
/// answers NoHandle or BadArgument, and weft_golden_message() says why.
///
/// Link tb/dpi/weft_golden.cpp and the library weft_core (docs/02_user/test_benches.md). Formats:
/// docs/03_reference/compression.md.
`default_nettype none

package weft_golden_pkg;

  /// Answers of calls that did not do what was asked.
  localparam int Equal = -1;        // weft_golden_compare() found no difference
  localparam int NoHandle = -2;     // null in the place of a codec
  localparam int BadArgument = -3;  // weft_golden_message() says what was wrong

  /// Bits of the widest flit; narrower ones are in the low bits.
  localparam int unsigned MaxFlitBits = 256;

  /// A codec, or null if there is no such codec. `words_per_flit` 1, 2, 4 or 8; `runs` as the parameter Table of the
  /// RTL: six run lengths of six bits, r0 lowest; `classic`, `exact` as the parameters of the RTL.
  import "DPI-C" function chandle weft_golden_new(input int unsigned words_per_flit, input bit [63:0] runs,
                                                  input int unsigned classic, input int unsigned exact);
  import "DPI-C" function void weft_golden_delete(input chandle codec);

  /// Why the last call failed; empty if it did not. null: why weft_golden_new() failed.
  import "DPI-C" function string weft_golden_message(input chandle codec);

  /// Forgets message and packet.
  import "DPI-C" function int weft_golden_clear(input chandle codec);
  /// Adds a word to the message; a flit to the packet.
  import "DPI-C" function int weft_golden_add_word(input chandle codec, input int unsigned word);
  import "DPI-C" function int weft_golden_add_flit(input chandle codec, input bit [MaxFlitBits-1:0] payload);

  /// The message in code `how` (0 raw, 1 FPC by table, 2 classic FPC, 3 LSB-cut) becomes the packet. Returns its flits.
  import "DPI-C" function int weft_golden_encode(input chandle codec, input int unsigned how, input int unsigned cut);
  /// The same, or the raw form if that is not longer: the packet as it is to travel. weft_golden_form() says which it
  /// is.
  import "DPI-C" function int weft_golden_travelling(input chandle codec, input int unsigned how,
                                                     input int unsigned cut);
  import "DPI-C" function int weft_golden_form(input chandle codec);

  /// The packet becomes the message, of `words` words. Returns what is wrong with it: 0 nothing, 1 truncated,
  /// 2 over-long, 3 corrupt. A packet in error has words all the same, zeros from where it could not be read.
  import "DPI-C" function int weft_golden_decode(input chandle codec, input int unsigned how, input int unsigned cut,
                                                 input int unsigned words);

  /// Words of the message; word `index` of them, 0 beyond the end.
  import "DPI-C" function int weft_golden_words(input chandle codec);
  import "DPI-C" function int unsigned weft_golden_word(input chandle codec, input int unsigned index);
  /// Flits of the packet; flit `index` of them, 0 beyond the end.
  import "DPI-C" function int weft_golden_flits(input chandle codec);
  import "DPI-C" function int weft_golden_flit(input chandle codec, input int unsigned index,
                                               output bit [MaxFlitBits-1:0] payload);

  /// The first word in which the messages of two codecs differ, or Equal.
  import "DPI-C" function int weft_golden_compare(input chandle left, input chandle right);

  /// The codec that Algorithm 1 gives a packet in mode `always`.
  import "DPI-C" function int weft_golden_choice(input chandle codec, input int unsigned data_type,
                                                 input int unsigned flits, input int unsigned words,
                                                 input int unsigned form, input int unsigned depth);

endpackage

`default_nettype wire
