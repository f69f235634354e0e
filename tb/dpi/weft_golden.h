// SPDX-License-Identifier: Apache-2.0
/// The golden codecs for SystemVerilog, over DPI-C: what the imports of weft_golden_pkg.sv call. They are the
/// functions of core, so a bench that uses them compares with what Weft itself is compared with.
///
/// Nothing here ends the simulation: a wrong argument is an answer below -1 (see the enum), and weft_golden_message()
/// says in words what was wrong.
///
/// Bits are passed as the standard has it: 32 of them in each element, low ones first.
#pragma once

#include <cstdint>

#include <svdpi.h>

namespace weft::golden {

/// What the calls answer if they cannot do what was asked.
enum status : int {
  Ok = 0,
  Equal = -1,        ///< weft_golden_compare() found no difference
  NoHandle = -2,     ///< null in the place of a codec
  BadArgument = -3,  ///< see weft_golden_message()
};

/// Bits of the widest flit; narrower ones are in the low bits.
constexpr unsigned MaxFlitBits = 256;

}  // namespace weft::golden

extern "C" {

/// A codec with these parameters, or null if there is no such codec. \p words_per_flit 1, 2, 4, 8; \p table six run
/// lengths of six bits each, r0 lowest; \p classic, \p exact: 0 or 1.
void* weft_golden_new(unsigned words_per_flit, const svBitVecVal* table, unsigned classic, unsigned exact);
void weft_golden_delete(void* handle);

/// Why the last call of this codec, or the last weft_golden_new(), failed; empty if it did not.
const char* weft_golden_message(void* handle);

/// Forgets message and packet.
int weft_golden_clear(void* handle);
/// Adds a word to the message.
int weft_golden_add_word(void* handle, unsigned word);
/// Adds a flit to the packet.
int weft_golden_add_flit(void* handle, const svBitVecVal* payload);

/// The message in code \p how (0 raw, 1 by table, 2 classic, 3 LSB-cut) becomes the packet. Returns its flits.
int weft_golden_encode(void* handle, unsigned how, unsigned cut);
/// The packet of a message in the form in which it is to travel, the shorter one: as weft_golden_encode(), if that
/// makes the packet shorter by a flit at least, else raw. weft_golden_form() says which.
int weft_golden_travelling(void* handle, unsigned how, unsigned cut);
/// The form of the packet that was encoded last.
int weft_golden_form(void* handle);

/// The packet becomes the message, of \p words words. Returns what is wrong with it: 0 nothing, 1 truncated, 2
/// over-long, 3 corrupt. A packet in error has words all the same, zeros from where it could not be read.
int weft_golden_decode(void* handle, unsigned how, unsigned cut, unsigned words);

/// Words of the message, flits of the packet.
int weft_golden_words(void* handle);
int weft_golden_flits(void* handle);
/// Word \p index of the message; flit \p index of the packet. 0 beyond the end.
unsigned weft_golden_word(void* handle, unsigned index);
int weft_golden_flit(void* handle, unsigned index, svBitVecVal* payload);

/// The first word in which two messages differ, or Equal, -1, if they are equal. A longer one differs behind the end
/// of the other.
int weft_golden_compare(void* left, void* right);

/// The codec that Algorithm 1 gives a packet in mode `always`: as weft_compression_selector.
int weft_golden_choice(void* handle, unsigned data_type, unsigned flits, unsigned words, unsigned form, unsigned depth);
}
