// SPDX-License-Identifier: Apache-2.0
/// The golden codecs in SystemVerilog: the reference of Weft's own tests, called over DPI-C.
///
/// A codec is a handle with a message (words) and a packet (flits). `encode` and `travelling` make the packet from the
/// message, `decode` the message from the packet. No call ends the simulation: a call that cannot be executed returns
/// NoHandle or BadArgument, and weft_golden_message() returns the reason.
///
/// Link tb/dpi/weft_golden.cpp and the library weft_core (docs/02_user/test_benches.md). Formats:
/// docs/03_reference/compression.md.
`default_nettype none

package weft_golden_pkg;

  /// Results of calls that cannot be executed.
  localparam int Equal = -1;        // weft_golden_compare() found no difference
  localparam int NoHandle = -2;     // null instead of a codec
  localparam int BadArgument = -3;  // weft_golden_message() returns the reason

  /// Bits of the widest flit; narrower ones are in the low bits.
  localparam int unsigned MaxFlitBits = 256;

  /// Makes a codec; null if the codec does not exist. `words_per_flit` is 1, 2, 4 or 8; `runs` is like the parameter
  /// Table of the RTL: six run lengths of six bits, r0 lowest; `classic` and `exact` are like the RTL's parameters.
  import "DPI-C" function chandle weft_golden_new(input int unsigned words_per_flit, input bit [63:0] runs,
                                                  input int unsigned classic, input int unsigned exact);
  import "DPI-C" function void weft_golden_delete(input chandle codec);

  /// Why the last call with this codec failed; empty if it did not. With null: why weft_golden_new() failed.
  import "DPI-C" function string weft_golden_message(input chandle codec);

  /// Clears message and packet.
  import "DPI-C" function int weft_golden_clear(input chandle codec);
  /// Adds a word to the message; a flit to the packet.
  import "DPI-C" function int weft_golden_add_word(input chandle codec, input int unsigned word);
  import "DPI-C" function int weft_golden_add_flit(input chandle codec, input bit [MaxFlitBits-1:0] payload);

  /// Encodes the message in code `how` (0 raw, 1 FPC by table, 2 classic FPC, 3 LSB-cut) as the packet. Returns the
  /// flits of the packet.
  import "DPI-C" function int weft_golden_encode(input chandle codec, input int unsigned how, input int unsigned cut);
  /// The same, or the raw form if that is not longer. weft_golden_form() returns the form of the packet.
  import "DPI-C" function int weft_golden_travelling(input chandle codec, input int unsigned how,
                                                     input int unsigned cut);
  import "DPI-C" function int weft_golden_form(input chandle codec);

  /// Decodes the packet as the message, with `words` words. Returns the error: 0 none, 1 truncated, 2 over-long,
  /// 3 corrupt. The message of a packet with an error has zeros from the first word that cannot be read.
  import "DPI-C" function int weft_golden_decode(input chandle codec, input int unsigned how, input int unsigned cut,
                                                 input int unsigned words);

  /// Words of the message; word `index` of them, 0 beyond the end.
  import "DPI-C" function int weft_golden_words(input chandle codec);
  import "DPI-C" function int unsigned weft_golden_word(input chandle codec, input int unsigned index);
  /// Flits of the packet; flit `index` of them, 0 beyond the end.
  import "DPI-C" function int weft_golden_flits(input chandle codec);
  import "DPI-C" function int weft_golden_flit(input chandle codec, input int unsigned index,
                                               output bit [MaxFlitBits-1:0] payload);

  /// Index of the first word in which the messages of two codecs differ, or Equal.
  import "DPI-C" function int weft_golden_compare(input chandle left, input chandle right);

  /// The codec that Algorithm 1 selects for a packet in mode `always`.
  import "DPI-C" function int weft_golden_choice(input chandle codec, input int unsigned data_type,
                                                 input int unsigned flits, input int unsigned words,
                                                 input int unsigned form, input int unsigned depth);

endpackage

`default_nettype wire
