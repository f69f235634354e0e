// SPDX-License-Identifier: Apache-2.0
/// The golden codecs for SystemVerilog, over DPI-C: the functions that weft_golden_pkg.sv imports. They call the
/// functions of core, which are also the reference of Weft's own tests.
///
/// No call ends the simulation: for a wrong argument it returns a value below -1 (see the enum), and
/// weft_golden_message() returns the reason.
///
/// Bits are passed as in the standard: 32 bits in each element, low ones first.
#pragma once

#include <cstdint>

#include <svdpi.h>

namespace weft::golden {

/// Results of calls that cannot be executed.
enum status : int {
  Ok = 0,
  Equal = -1,        ///< weft_golden_compare() found no difference
  NoHandle = -2,     ///< null instead of a codec
  BadArgument = -3,  ///< see weft_golden_message()
};

/// Bits of the widest flit; narrower ones are in the low bits.
constexpr unsigned MaxFlitBits = 256;

}  // namespace weft::golden

extern "C" {

/// Makes a codec with these parameters. \return null if the codec does not exist
/// \param words_per_flit 1, 2, 4 or 8
/// \param table          six run lengths of six bits each, r0 lowest
/// \param classic        0 or 1
/// \param exact          0 or 1
void* weft_golden_new(unsigned words_per_flit, const svBitVecVal* table, unsigned classic, unsigned exact);
void weft_golden_delete(void* handle);

/// Why the last call with this codec, or (null) the last weft_golden_new(), failed; empty if it did not.
const char* weft_golden_message(void* handle);

/// Clears message and packet.
int weft_golden_clear(void* handle);
/// Adds a word to the message.
int weft_golden_add_word(void* handle, unsigned word);
/// Adds a flit to the packet.
int weft_golden_add_flit(void* handle, const svBitVecVal* payload);

/// Encodes the message in code \p how (0 raw, 1 by table, 2 classic, 3 LSB-cut) as the packet. \return flits of the
/// packet
int weft_golden_encode(void* handle, unsigned how, unsigned cut);
/// Encodes the message in the shorter form: as weft_golden_encode() if this makes the packet shorter by at least one
/// flit, else raw. weft_golden_form() returns the form. \return flits of the packet
int weft_golden_travelling(void* handle, unsigned how, unsigned cut);
/// Form of the last encoded packet.
int weft_golden_form(void* handle);

/// Decodes the packet as the message, with \p words words. \return error: 0 none, 1 truncated, 2 over-long, 3 corrupt.
/// The message of a packet with an error has zeros from the first word that cannot be read.
int weft_golden_decode(void* handle, unsigned how, unsigned cut, unsigned words);

/// Words of the message, flits of the packet.
int weft_golden_words(void* handle);
int weft_golden_flits(void* handle);
/// Word \p index of the message; flit \p index of the packet. 0 beyond the end.
unsigned weft_golden_word(void* handle, unsigned index);
int weft_golden_flit(void* handle, unsigned index, svBitVecVal* payload);

/// Compares two messages. \return index of the first different word, or Equal, -1. If one is longer, they differ at the
/// end of the shorter one.
int weft_golden_compare(void* left, void* right);

/// The codec that Algorithm 1 selects for a packet in mode `always`, as in weft_compression_selector.
int weft_golden_choice(void* handle, unsigned data_type, unsigned flits, unsigned words, unsigned form, unsigned depth);
}
